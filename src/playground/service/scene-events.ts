// What happens to a scene, as the service tells it. While the page is hidden nothing is listened to; what was missed is told when it
// is seen again.

import { openEventStream } from './event-stream.ts'
import type { Operation } from './scene-session.ts'
import { authorization } from './service.ts'

export interface SceneEvents {
  operations(version: number, operations: Operation[]): void
  overlap(kind: 'began' | 'ended', a: string, b: string, version: number): void
  /** Too much was missed: the scene must be read anew. */
  reset(): void
  /** Whether they come. */
  state(state: EventsState): void
}

export type EventsState = 'live' | 'waiting' | 'paused' | 'gone' | 'token' | 'none'

export interface Following {
  /** Comes again at once, with another token perhaps. */
  again(): void
  close(): void
}

/** From what follows `version`. */
export function followEvents(scene: string, version: number, events: SceneEvents): Following {
  let overlaps = true
  const take = (type: string, data: string) => {
    const { version: at, operations, a, b, reason } = JSON.parse(data)
    if (type === 'operations') events.operations(at, operations)
    else if (type === 'overlap-began') events.overlap('began', a, b, at)
    else if (type === 'overlap-ended') events.overlap('ended', a, b, at)
    else if (type === 'reset') events.reset()
    // too many bodies meet for it to be told: come again without
    else if (type === 'dropped' && reason === 'pairs') overlaps = false
    else if (type === 'gone') {
      close()
      events.state('gone')
    }
  }
  const stream = openEventStream({
    path: () => `/v1/2d/scenes/${encodeURIComponent(scene)}/events${overlaps ? '?overlaps=true' : ''}`,
    headers: authorization,
    lastEventId: String(version),
    take: ({ type, data }) => take(type, data),
    state(state, status) {
      if (state === 'refused') events.state(status === 404 ? 'gone' : status === 401 ? 'token' : 'none')
      else events.state(state)
    },
  })
  const attend = () => (document.visibilityState === 'hidden' ? stream.pause() : stream.again())
  document.addEventListener('visibilitychange', attend)
  if (document.visibilityState === 'hidden') stream.pause()
  function close(): void {
    document.removeEventListener('visibilitychange', attend)
    stream.close()
  }
  return { again: stream.again, close }
}
