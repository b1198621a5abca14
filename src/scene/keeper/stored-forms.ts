/**
 * The stored form of a scene: bytes in frames with checksums. An entry is one accepted write: JSON text, deflated and in lines
 * when there are many operations. A snapshot is the chunks of the scene's state, numbered, and a last frame with their number.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Entry, type Operation, operationsWeight } from '../state/operation.ts'
import { textWithShape } from '../state/shape-text.ts'
import {
  type DeflatedPiece,
  deflatedPiece,
  FRAME_KINDS,
  FrameDamage,
  framed,
  framedDeflated,
  framedPieces,
  framedText,
  framedTogether,
  unframed,
  unframedAside,
} from '../store/checksum-frame.ts'

/** An entry whose operations weigh more is encoded in pieces of about this weight. */
const PIECE_WEIGHT = 1024
const LINE_BREAK = 10

export function isLargeEntry({ operations }: Entry): boolean {
  return operationsWeight(operations, PIECE_WEIGHT) >= PIECE_WEIGHT
}

/** The bytes of an entry that is large, made beside the event loop. */
export function packEntry(entry: Entry): Promise<Uint8Array> {
  return framedPieces({ kind: FRAME_KINDS.entry, version: entry.version, ordinal: 0 }, piecesOf(entry))
}

/** A line without the operations, then lines of some of them: a line break is never part of JSON text like this. */
function* piecesOf(entry: Entry): Generator<string> {
  const { operations } = entry
  yield headText(entry)
  for (let start = 0, end = 0; start < operations.length; start = end) {
    end = pieceEnd(operations, start)
    yield pieceText(operations.slice(start, end))
  }
}

function headText({ at, key, writeId }: Entry): string {
  return JSON.stringify({ ...(writeId && { id: idText(writeId) }), at, ...(key && { key }) })
}

const pieceText = (operations: readonly Operation[]) => `\n${operationsText(operations)}`

/** Where the piece ends that begins at `start`; at the latest before one at which another is `known` to begin. */
function pieceEnd(operations: readonly Operation[], start: number, known?: ReadonlyMap<Operation, unknown>): number {
  let end = start
  for (let weight = 0; end < operations.length && weight < PIECE_WEIGHT; end++) {
    if (end > start && known?.has(operations[end])) break
    weight += operationsWeight([operations[end]], PIECE_WEIGHT)
  }
  return end
}

interface KnownPiece {
  readonly operations: readonly Operation[]
  readonly deflated: Promise<DeflatedPiece>
}

/**
 * Packs the entries that one write is sent as, time after time. Operations that it had before, the same objects, are not encoded
 * again: a write that others have come before is sent again at once, before they come once more.
 */
export class Repacking {
  /** By their first operations. */
  private known: Map<Operation, KnownPiece> = new Map()

  async pack(entry: Entry): Promise<Uint8Array> {
    const { version, operations } = entry
    const used = new Map<Operation, KnownPiece>()
    const pieces = [await deflatedPiece(headText(entry))]
    for (let start = 0; start < operations.length; ) {
      const piece = this.pieceAt(operations, start)
      used.set(operations[start], piece)
      start += piece.operations.length
      pieces.push(await piece.deflated)
    }
    this.known = used
    return framedTogether({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, pieces)
  }

  private pieceAt(operations: readonly Operation[], start: number): KnownPiece {
    const known = this.known.get(operations[start])
    if (known?.operations.every((operation, k) => operation === operations[start + k])) return known
    const own = operations.slice(start, pieceEnd(operations, start, this.known))
    const piece = { operations: own, deflated: deflatedPiece(pieceText(own)) }
    this.known.set(operations[start], piece)
    return piece
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
  const { head, pieces } = opened(version, unframed({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, bytes))
  const operations: Operation[] = []
  for (const piece of pieces) for (const operation of piece) operations.push(operation)
  return { ...head, operations }
}

/** An entry whose operations are yet to be decoded. */
export interface OpenedEntry {
  /** Without operations. */
  readonly head: Entry
  /** The operations piece by piece; throws `FrameDamage`. */
  readonly pieces: Iterable<readonly Operation[]>
}

/** Opens the entry of a scene at `version`; rejects with `FrameDamage` when the bytes are not that. */
export async function openEntry(version: number, bytes: Uint8Array): Promise<OpenedEntry> {
  return opened(version, await unframedAside({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, bytes))
}

function opened(version: number, payload: Uint8Array): OpenedEntry {
  const lines = linesOf(payload)
  const { operations, ...first } = parsed<Text>(lines.next().value as string)
  return { head: entryOf(version, first), pieces: piecesIn(operations, lines) }
}

function* piecesIn(first: Operation[] | undefined, lines: Iterable<string>): Generator<readonly Operation[]> {
  if (first !== undefined) yield first
  for (const line of lines) yield parsed<Operation[]>(line)
}

/** Decodes an entry piece by piece, so that others wait no longer than for one piece. */
export async function wholeEntry({ head, pieces }: OpenedEntry): Promise<Entry> {
  const operations: Operation[] = []
  let isFirst = true
  for (const piece of pieces) {
    if (!isFirst) await nextTurn()
    isFirst = false
    for (const operation of piece) operations.push(operation)
  }
  return { ...head, operations }
}

/** As `decodeEntry`, in turns. */
export async function decodeEntryInTurns(version: number, bytes: Uint8Array): Promise<Entry> {
  return wholeEntry(await openEntry(version, bytes))
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

/** The framed chunks of a snapshot at `version`. Compression happens beside the event loop. */
export async function* packSnapshot(version: number, chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let ordinal = 0
  /** One is compressed while the next is made. */
  let ahead: Promise<Uint8Array> | null = null
  for (const chunk of chunks) {
    const frame: Promise<Uint8Array> = framedDeflated(
      { kind: FRAME_KINDS.snapshotPart, version, ordinal: ordinal++ },
      chunk,
    )
    if (ahead !== null) yield await ahead
    ahead = frame
  }
  if (ahead !== null) yield await ahead
  yield framed({ kind: FRAME_KINDS.snapshotEnd, version, ordinal }, new Uint8Array(0))
}

/**
 * The state's chunks again; throws `FrameDamage` at the first that is not what was packed, or when some are missing. Each is inflated
 * beside the event loop while the one before it is looked at.
 */
export async function* unpackSnapshot(version: number, frames: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let ordinal = 0
  /** Held back until it is known that another one follows: the last is the end. */
  let last: Uint8Array | null = null
  let ahead: Promise<Uint8Array> | null = null
  for await (const frame of frames) {
    const part = last
    last = frame
    if (part === null) continue
    const before = ahead
    ahead = unframedAside({ kind: FRAME_KINDS.snapshotPart, version, ordinal: ordinal++ }, part)
    // Nobody may come to see it.
    ahead.catch(() => {})
    if (before !== null) yield await before
  }
  if (ahead !== null) yield await ahead
  if (last === null) throw new FrameDamage('empty')
  unframed({ kind: FRAME_KINDS.snapshotEnd, version, ordinal }, last)
}
