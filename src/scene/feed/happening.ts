/**
 * The events of one version of a scene, as server-sent events, and the ids by which a stream is resumed.
 *
 * Events depend only on the entry and on the bodies before and after it. So they are equal to the last byte whether they come from
 * memory or from the log, and an id that counts the events of a version always means the same events.
 */

import { compareIds } from '../../containers/ranking.ts'
import type { Entry, Operation } from '../state/operation.ts'
import { plainShape } from '../state/shape-text.ts'
import { shownDigest } from '../store/checksum-frame.ts'

// Pairs of bodies that have begun or ceased to meet with a version, and which of them a subscriber wants to hear of.

/** One of two bodies, with its tags before the version and after it. */
export interface ChangedBody {
  readonly id: string
  readonly tagsBefore: readonly string[]
  readonly tags: readonly string[]
}

/** Also of a pair that goes on to meet, when tags of it have changed. */
export interface PairChange {
  /** Its id is the lower one. */
  readonly a: ChangedBody
  readonly b: ChangedBody
  readonly metBefore: boolean
  readonly meets: boolean
  readonly relation: 'touching' | 'overlapping' | 'separated'
}

/** Pairs of which one body at least has one of the tags and one of the ids; null: any. */
export interface PairFilter {
  readonly tags: readonly string[] | null
  readonly ids: readonly string[] | null
}

type Turn = 'overlap-began' | 'overlap-ended'

/** The event that the change is to a subscriber with the filter; null: none. */
function turnOf({ a, b, metBefore, meets }: PairChange, filter: PairFilter): Turn | null {
  const before = metBefore && (passes(filter, a.id, a.tagsBefore) || passes(filter, b.id, b.tagsBefore))
  const after = meets && (passes(filter, a.id, a.tags) || passes(filter, b.id, b.tags))
  if (before === after) return null
  return after ? 'overlap-began' : 'overlap-ended'
}

function passes({ tags, ids }: PairFilter, id: string, own: readonly string[]): boolean {
  return (tags === null || tags.some((tag) => own.includes(tag))) && (ids === null || ids.includes(id))
}

/** By the ids. */
export function inOrder(changes: PairChange[]): PairChange[] {
  return changes.sort((p, q) => compareIds(p.a.id, q.a.id) || compareIds(p.b.id, q.b.id))
}

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

/** Position in a stream of events: all events of a version, and so many of the next. */
export interface EventPosition {
  version: number
  parts: number
}

/** The position that a client sends when it resumes. */
export interface ClaimedPosition extends EventPosition {
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
export function parseEventId(text: string): ClaimedPosition | null {
  const match = EVENT_ID.exec(text.replace(/^(?:W\/)?"(.*)"$/, '$1'))
  if (match === null) return null
  const [, named, part, digest] = match
  const version = Number(named)
  const position = part === undefined ? { version, parts: 0 } : { version: version - 1, parts: Number(part) }
  return digest === undefined ? position : { ...position, digest }
}

/** A count is shorter than a digest, which may be nothing but decimal digits, too. */
const EVENT_ID = /^(0|[1-9][0-9]{0,14})(?:\.([1-9][0-9]{0,4}))?(?:\.([0-9a-f]{8}))?$/

/** The last version of which at least one event was sent. */
export function lastVersionSent({ version, parts }: EventPosition): number {
  return parts === 0 ? version : version + 1
}

export interface Happening {
  readonly version: number
  /** Null: it is not known. */
  readonly digest: Uint8Array | null
  /** JSON of the operations; null: so much that the scene is to be read anew. */
  readonly operations: string | null
  /** Null: too many to be sent one by one. Empty when nobody wants pairs. */
  readonly changes: readonly PairChange[] | null
}

/** Bytes of an entry, as its log has it, beyond which its operations are not sent. */
export const TOLD_BYTE_COUNT = 2 ** 20
/** Most changes of pairs in one version that are sent one by one. */
export const TOLD_PAIRS = 2 ** 13

/** Weight of a change of a pair besides text, in characters. */
const CHANGE_LENGTH = 128

/** Memory that it takes, in characters more or less. */
export function happeningLength({ operations, changes }: Happening): number {
  return (operations?.length ?? 0) + CHANGE_LENGTH * (changes?.length ?? 0)
}

/** `pairs` null: operations alone. In the order in which they are sent. */
export function framesOf({ version, digest, operations, changes }: Happening, pairs: PairFilter | null): string[] {
  if (operations === null || (pairs !== null && changes === null)) {
    return [eventFrame('reset', JSON.stringify({ version }), eventId(version, 1, 1, digest))]
  }
  const events: ['operations' | 'overlap-began' | 'overlap-ended', string][] = [
    ['operations', `{"version":${version},"operations":${operations}}`],
  ]
  if (pairs !== null) {
    for (const change of changes ?? []) {
      const turn = turnOf(change, pairs)
      if (turn === null) continue
      const { a, b, relation } = change
      events.push([turn, JSON.stringify({ version, a: a.id, b: b.id, relation })])
    }
  }
  return events.map(([event, data], k) => eventFrame(event, data, eventId(version, k + 1, events.length, digest)))
}

/**
 * On one line: breaks in the text of data, which lies here as it was sent, can only be white space. `logged`: JSON as the log has it,
 * which differs only where there are data.
 */
export function operationsText(operations: Entry['operations'], logged: string | null): string {
  if (logged !== null && !operations.some(hasData)) return logged
  return `[${operations.map(operationText).join(',')}]`.replace(/[\r\n]+/g, ' ')
}

function hasData(operation: Operation): boolean {
  if (operation.op === 'put') return operation.body.data !== undefined
  return operation.op === 'patch' && operation.fields.data !== undefined
}

function operationText(operation: Operation): string {
  if (operation.op === 'put') return `{"op":"put","body":${withData(operation.body)}}`
  if (operation.op !== 'patch') return JSON.stringify(operation)
  return `{"op":"patch","id":${JSON.stringify(operation.id)},"fields":${withData(operation.fields)}}`
}

/** Data are kept as text; a shape that was packed comes last, where its log has it. */
function withData(holder: { shape?: object | undefined; data?: unknown }): string {
  const { data, ...rest } = holder
  const { shape } = rest
  const plain = shape === undefined ? shape : plainShape(shape)
  if (plain !== shape) {
    delete rest.shape
    Object.assign(rest, { shape: plain })
  }
  const text = JSON.stringify(rest)
  return data === undefined ? text : `${text.slice(0, -1)}${text === '{}' ? '' : ','}"data":${data}}`
}
