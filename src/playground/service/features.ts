// What this service can do besides what every release can, as its own description says: read when it is first asked for.

import { call } from './service.ts'

const SCENE = '/v1/2d/scenes/{sceneId}/'
const KNOWN = ['events', 'render.svg', 'snap', 'place', 'export'] as const
export type Feature = (typeof KNOWN)[number]

let features: Promise<ReadonlySet<Feature>> | undefined

/** Once; and again where there was no answer. */
export function serviceFeatures(): Promise<ReadonlySet<Feature>> {
  features ??= call({ path: '/openapi.json' }).then(({ ok, value }) => {
    if (!ok) features = undefined
    return new Set(KNOWN.filter((name) => value?.paths?.[SCENE + name] !== undefined))
  })
  return features
}
