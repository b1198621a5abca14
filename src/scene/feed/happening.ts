/**
 * One version of a scene as those who listen are told of it.
 *
 * What is told hangs on the entry and on the bodies before and after it alone, so that it is the same to the last byte whether it comes
 * from memory or out of the log, and an id that counts the events of a version means the same events for ever.
 */
import type { Entry, Operation } from '../table/operation.ts'
import { plainShape } from '../table/packed-shape.ts'
import { eventFrame, eventId } from './event-frame.ts'
import { type PairChange, type PairFilter, turnOf } from './pair-change.ts'

export interface Happening {
  readonly version: number
  /** Null: it is not known. */
  readonly digest: Uint8Array | null
  /** JSON of the operations; null: so much that the scene is to be read anew. */
  readonly operations: string | null
  /** Null: more than are told one by one. Empty where nobody looks for pairs. */
  readonly changes: readonly PairChange[] | null
}

/** Bytes of an entry, as its log has it, beyond which its operations are not told. */
export const TOLD_BYTE_COUNT = 2 ** 20
/** More changes of pairs than so many in one version are not told one by one. */
export const TOLD_PAIRS = 2 ** 13

/** What a change of a pair weighs besides text, in characters. */
const CHANGE_LENGTH = 128

/** What is kept of it, in characters more or less. */
export function happeningLength({ operations, changes }: Happening): number {
  return (operations?.length ?? 0) + CHANGE_LENGTH * (changes?.length ?? 0)
}

/** `pairs` null: operations alone. In the order in which they are told. */
export function framesOf({ version, digest, operations, changes }: Happening, pairs: PairFilter | null): string[] {
  if (operations === null || (pairs !== null && changes === null)) {
    return [eventFrame('reset', JSON.stringify({ version }), eventId(version, 1, 1, digest))]
  }
  const told: ['operations' | 'overlap-began' | 'overlap-ended', string][] = [
    ['operations', `{"version":${version},"operations":${operations}}`],
  ]
  if (pairs !== null) {
    for (const change of changes ?? []) {
      const turn = turnOf(change, pairs)
      if (turn === null) continue
      const { a, b, relation } = change
      told.push([turn, JSON.stringify({ version, a: a.id, b: b.id, relation })])
    }
  }
  return told.map(([event, data], k) => eventFrame(event, data, eventId(version, k + 1, told.length, digest)))
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
