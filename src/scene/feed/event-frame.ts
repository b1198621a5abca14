/** Server-sent events as text, and the ids by which they are resumed. */
import { shownDigest } from '../store/digest.ts'

export type EventName =
  | 'ready'
  | 'operations'
  | 'overlap-began'
  | 'overlap-ended'
  | 'reset'
  | 'dropped'
  | 'gone'
  | 'closing'
  | 'stale'
  | 'current'

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

/** How far somebody who comes back says to have been told. */
export interface TellsTold extends Told {
  /** The first digits of the digest of the version that the event was of, see `shownDigest`. */
  readonly digest?: string
}

/**
 * The last event of a version has its number and digest for an id, those before it a count between the two: `12.1.1f3a9c07`,
 * `12.2.1f3a9c07`, `12.1f3a9c07`. `digest` null: it is not known, and left out.
 */
export function eventId(version: number, part: number, parts: number, digest: Uint8Array | null): string {
  const counted = part === parts ? `${version}` : `${version}.${part}`
  return digest === null ? counted : `${counted}.${shownDigest(digest)}`
}

/** Also of an ETag. Null where the text is no id. */
export function parseEventId(text: string): TellsTold | null {
  const match = EVENT_ID.exec(text.replace(/^(?:W\/)?"(.*)"$/, '$1'))
  if (match === null) return null
  const [, named, part, digest] = match
  const version = Number(named)
  const told = part === undefined ? { version, parts: 0 } : { version: version - 1, parts: Number(part) }
  return digest === undefined ? told : { ...told, digest }
}

/** A count is shorter than a digest, which may be nothing but decimal digits, too. */
const EVENT_ID = /^(0|[1-9][0-9]{0,14})(?:\.([1-9][0-9]{0,4}))?(?:\.([0-9a-f]{8}))?$/

/** The version that somebody has been told of last, at least in part. */
export function lastTold({ version, parts }: Told): number {
  return parts === 0 ? version : version + 1
}
