// What happens to a scene, as the service tells it: server-sent events, resumed by the browser where they broke off.

import type { Operation } from './scene-session.ts'

export interface SceneEvents {
  operations(version: number, operations: Operation[]): void
  overlap(kind: 'began' | 'ended', a: string, b: string, version: number): void
  /** Too much was missed: the scene must be read anew. */
  reset(): void
  /** Whether they come. */
  state(text: 'live' | 'none' | 'waiting' | 'gone'): void
}

/** From what follows `version`. Returns what ends it. */
export function followEvents(scene: string, version: number, events: SceneEvents): () => void {
  const path = `/v1/2d/scenes/${encodeURIComponent(scene)}/events`
  const source = new EventSource(`${path}?overlaps=true&lastEventId=${version}`)
  const read = (event: Event) => JSON.parse((event as MessageEvent<string>).data)
  source.addEventListener('open', () => events.state('live'))
  // a service without events answers 404, and the browser does not come again
  source.addEventListener('error', () => events.state(source.readyState === EventSource.CLOSED ? 'none' : 'waiting'))
  source.addEventListener('reset', () => events.reset())
  source.addEventListener('gone', () => {
    source.close()
    events.state('gone')
  })
  source.addEventListener('operations', (event) => {
    const { version, operations } = read(event)
    events.operations(version, operations)
  })
  for (const kind of ['began', 'ended'] as const)
    source.addEventListener(`overlap-${kind}`, (event) => {
      const { version, a, b } = read(event)
      events.overlap(kind, a, b, version)
    })
  return () => source.close()
}
