/** One accepted write as bytes: JSON text in a frame that carries its version; deflated, and in lines, when there are many operations. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { FRAME_KINDS, FrameDamage, framedPieces, framedText, unframed, unframedAside } from '../store/checksum-frame.ts'
import { type Entry, type Operation, operationsWeight } from '../table/operation.ts'
import { textWithShape } from '../table/packed-shape.ts'

/** What operations weigh from which on an entry is encoded in pieces of about so much. */
const PIECE_WEIGHT = 1024
const LINE_BREAK = 10

export function isLargeEntry({ operations }: Entry): boolean {
  return operationsWeight(operations, PIECE_WEIGHT) >= PIECE_WEIGHT
}

/** The bytes of an entry that is large, made beside the event loop. */
export function packEntry({ version, at, operations, key, writeId }: Entry): Promise<Uint8Array> {
  const rest = { ...(writeId && { id: idText(writeId) }), at, ...(key && { key }) }
  return framedPieces({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, piecesOf(rest, operations))
}

/** A line without the operations, then lines of some of them: a line break is never part of JSON text like this. */
function* piecesOf(rest: object, operations: readonly Operation[]): Generator<string> {
  yield JSON.stringify(rest)
  for (let start = 0, end = 0; start < operations.length; start = end) {
    let weight = 0
    while (end < operations.length && weight < PIECE_WEIGHT)
      weight += operationsWeight([operations[end++]], PIECE_WEIGHT)
    yield `\n${operationsText(operations.slice(start, end))}`
  }
}

/** The bytes of an entry. `operationsText`: its operations as JSON. */
export function encodeEntry(
  { version, at, operations, key, writeId }: Entry,
  operationsText = JSON.stringify(operations),
): Uint8Array {
  const rest = key === undefined ? '' : `,"key":${JSON.stringify(key)}`
  const id = writeId === undefined ? '' : `"id":"${idText(writeId)}",`
  const text = `{${id}"at":${JSON.stringify(at)},"operations":${operationsText}${rest}}`
  return framedText({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, text)
}

function operationsText(operations: readonly Operation[]): string {
  return `[${operations.map(operationText).join(',')}]`
}

function operationText(operation: Operation): string {
  switch (operation.op) {
    case 'put':
      return `{"op":"put","body":${textWithShape(operation.body)}}`
    case 'patch':
      return `{"op":"patch","id":${JSON.stringify(operation.id)},"fields":${textWithShape(operation.fields)}}`
    default:
      return JSON.stringify(operation)
  }
}

/** The entry of a scene at `version`; throws `FrameDamage` when the bytes are not that. */
export function decodeEntry(version: number, bytes: Uint8Array): Entry {
  const lines = linesOf(unframed({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, bytes))
  const entry = parsed<Text>(lines.next().value as string)
  for (const line of lines) append(entry, parsed<Operation[]>(line))
  return entryOf(version, entry)
}

/** The same, in slices: nobody waits longer than for one piece. */
export async function decodeEntryInTurns(version: number, bytes: Uint8Array): Promise<Entry> {
  const lines = linesOf(await unframedAside({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, bytes))
  const entry = parsed<Text>(lines.next().value as string)
  for (const line of lines) {
    append(entry, parsed<Operation[]>(line))
    await nextTurn()
  }
  return entryOf(version, entry)
}

/** The operations may come in further lines. */
interface Text extends Omit<Entry, 'version' | 'operations' | 'writeId' | 'digest'> {
  /** Of the write, in base64url. */
  id?: string
  operations?: Operation[]
}

function entryOf(version: number, { id, operations = [], ...rest }: Text): Entry {
  return {
    version,
    ...rest,
    operations,
    ...(id !== undefined && { writeId: new Uint8Array(Buffer.from(id, 'base64url')) }),
  }
}

function idText(writeId: Uint8Array): string {
  return Buffer.from(writeId.buffer, writeId.byteOffset, writeId.length).toString('base64url')
}

function* linesOf(payload: Uint8Array): Generator<string, void, undefined> {
  const text = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf(LINE_BREAK, start)
    yield text.toString('utf8', start, end < 0 ? text.length : end)
    if (end < 0) return
    start = end + 1
  }
}

function parsed<T>(line: string): T {
  try {
    return JSON.parse(line) as T
  } catch {
    throw new FrameDamage('not JSON')
  }
}

function append(entry: Text, piece: readonly Operation[]): void {
  entry.operations ??= []
  for (const operation of piece) entry.operations.push(operation)
}
