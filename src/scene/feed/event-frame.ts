/** Server-sent events as text, and the ids by which they are resumed. */

export type EventName =
  | 'ready'
  | 'operations'
  | 'overlap-began'
  | 'overlap-ended'
  | 'reset'
  | 'dropped'
  | 'gone'
  | 'closing'

/** `data`: one line of JSON; `id`: absent where nothing is to be resumed from. */
export function eventFrame(event: EventName, data: string, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`
}

/** A comment, which keeps connections open. */
export const HEARTBEAT = ':\n\n'

/** How far somebody has been told: all of a version, and so many events of the next. */
export interface Told {
  version: number
  parts: number
}

/** The last event of a version has its number for an id, those before it a count behind it as well: `12.1`, `12.2`, `12`. */
export function eventId(version: number, part: number, parts: number): string {
  return part === parts ? `${version}` : `${version}.${part}`
}

/** Null where the text is no id. */
export function parseEventId(text: string): Told | null {
  const match = EVENT_ID.exec(text)
  if (match === null) return null
  const version = Number(match[1])
  return match[2] === undefined ? { version, parts: 0 } : { version: version - 1, parts: Number(match[2]) }
}

const EVENT_ID = /^(0|[1-9][0-9]{0,14})(?:\.([1-9][0-9]{0,8}))?$/
