// What this service can do besides what every release can, as its own description says: read once, when a scene is opened.

import { call } from './service.ts'

const SCENE = '/v1/2d/scenes/{sceneId}/'
export type Feature = 'events' | 'render.svg' | 'snap'

let features: Promise<ReadonlySet<Feature>> | undefined

export function serviceFeatures(): Promise<ReadonlySet<Feature>> {
  features ??= call({ path: '/openapi.json' }).then(({ value }) => {
    const known: Feature[] = ['events', 'render.svg', 'snap']
    return new Set(known.filter((name) => value?.paths?.[SCENE + name] !== undefined))
  })
  return features
}
