/**
 * The stored form of a scene: bytes in frames with checksums. An entry is one accepted write: JSON text, deflated and in lines
 * when there are many operations: a head, then shapes, a line each, then lists of some operations. Shapes are the contents of kept shapes
 * that the scene did not hold before, whose ids the head lists, and others that several operations have, which name their lines. So the
 * log of a scene has each once. A snapshot is the chunks of the scene's state, numbered, and a last frame with their number.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { keptContent } from '../state/kept-content.ts'
import { type Entry, type Operation, operationsWeight, shapeWeight } from '../state/operation.ts'
import { canonicalText, PackedShape, shapeOfText, textWithShape } from '../state/shape-text.ts'
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

export function isLargeEntry({ operations, kept }: Entry): boolean {
  return kept !== undefined || operationsWeight(operations, PIECE_WEIGHT) >= PIECE_WEIGHT
}

/** The bytes of an entry that is large, made beside the event loop. */
export function packEntry(entry: Entry): Promise<Uint8Array> {
  return framedPieces({ kind: FRAME_KINDS.entry, version: entry.version, ordinal: 0 }, piecesOf(entry))
}

/** A line without the operations, then those of shapes, then lines of some operations: a line break is never part of JSON text like this. */
function* piecesOf(entry: Entry): Generator<string> {
  const { operations, kept = [] } = entry
  const lines = new ShapeLines(operations)
  const { length: count } = lines.texts
  yield headText(entry, count)
  for (const { text } of kept) yield* lineOf(text)
  for (const text of lines.texts) yield* lineOf(text)
  for (let start = 0, end = 0; start < operations.length; start = end) {
    end = pieceEnd(operations, start)
    yield pieceText(operations.slice(start, end), lines, count)
  }
}

/** Characters of a shape that are compressed at a time. */
const LINE_PIECE_LENGTH = 2 ** 18

function* lineOf(text: string): Generator<string> {
  yield '\n'
  for (let at = 0; at < text.length; at += LINE_PIECE_LENGTH) yield text.slice(at, at + LINE_PIECE_LENGTH)
}

/** Items of the lists of a shape from which on it may have a line. */
const LINE_WEIGHT = 64

/** Long shapes that have lines of their own, because several operations have them: the same text, or the same value. */
class ShapeLines {
  readonly texts: string[] = []
  readonly #lines = new Map<string | object, number>()

  /** Further operations may come. */
  constructor(operations: readonly Operation[] = []) {
    this.add(operations)
  }

  add(operations: readonly Operation[]): void {
    const met = new Set<string | object>()
    for (const operation of operations) {
      const shape = shapeOf(operation)
      if (shape === undefined || shapeWeight(shape, LINE_WEIGHT) < LINE_WEIGHT) continue
      const key = shape instanceof PackedShape ? shape.form : shape
      if (met.has(key) && !this.#lines.has(key)) {
        this.#lines.set(key, this.texts.push(shape instanceof PackedShape ? shape.form : canonicalText(shape)) - 1)
      }
      met.add(key)
    }
  }

  /** The line of a shape; undefined where it has none of the first so many. */
  of(shape: object, count: number): number | undefined {
    if (count === 0) return undefined
    const line = this.#lines.get(shape instanceof PackedShape ? shape.form : shape)
    return line === undefined || line >= count ? undefined : line
  }
}

function shapeOf(operation: Operation): object | undefined {
  return operation.op === 'put' ? operation.body.shape : operation.op === 'patch' ? operation.fields.shape : undefined
}

/** `shapes`: how many have lines. */
function headText({ at, key, writeId, kept, letGo }: Entry, count: number): string {
  const shapes = { ...(kept && { kept: kept.map(({ id }) => id) }), ...(count > 0 && { shapes: count }) }
  return JSON.stringify({
    ...(writeId && { id: idText(writeId) }),
    at,
    ...(key && { key }),
    ...shapes,
    ...(letGo && { letGo }),
  })
}

/** `count`: of the lines that it may name. */
const pieceText = (operations: readonly Operation[], lines: ShapeLines, count: number) =>
  `\n${operationsText(operations, (shape) => lines.of(shape, count))}`

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
  /** Of shapes that it may name. */
  readonly lineCount: number
}

/**
 * Packs the entries that one write is sent as, time after time. Operations that it had before, the same objects, are not encoded
 * again: a write that others have come before is sent again at once, before they come once more.
 */
export class Repacking {
  /** By their first operations. */
  private known: Map<Operation, KnownPiece> = new Map()
  /** They keep their numbers. */
  private readonly lines = new ShapeLines()
  private readonly deflatedShapes = new Map<string, Promise<DeflatedPiece>>()

  async pack(entry: Entry): Promise<Uint8Array> {
    const { version, operations, kept = [] } = entry
    const used = new Map<Operation, KnownPiece>()
    this.lines.add(operations)
    // the next may begin before this is done
    const texts = [...this.lines.texts]
    const pieces = [await deflatedPiece(headText(entry, texts.length))]
    for (const text of [...kept.map((content) => content.text), ...texts]) {
      const deflated = this.deflatedShapes.get(text) ?? deflatedPiece(`\n${text}`)
      this.deflatedShapes.set(text, deflated)
      pieces.push(await deflated)
    }
    for (let start = 0; start < operations.length; ) {
      const piece = this.pieceAt(operations, start, texts.length)
      used.set(operations[start], piece)
      start += piece.operations.length
      pieces.push(await piece.deflated)
    }
    this.known = used
    return framedTogether({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, pieces)
  }

  private pieceAt(operations: readonly Operation[], start: number, lineCount: number): KnownPiece {
    const known = this.known.get(operations[start])
    if (
      known !== undefined &&
      known.lineCount <= lineCount &&
      known.operations.every((operation, k) => operation === operations[start + k])
    )
      return known
    const own = operations.slice(start, pieceEnd(operations, start, this.known))
    const piece = { operations: own, deflated: deflatedPiece(pieceText(own, this.lines, lineCount)), lineCount }
    this.known.set(operations[start], piece)
    return piece
  }
}

/** The bytes of an entry that brings no kept shapes. `operationsText`: its operations as JSON. */
export function encodeEntry(
  { version, at, operations, key, writeId, letGo }: Entry,
  operationsText = JSON.stringify(operations),
): Uint8Array {
  const gone = letGo === undefined ? '' : `,"letGo":${JSON.stringify(letGo)}`
  const rest = key === undefined ? gone : `,"key":${JSON.stringify(key)}${gone}`
  const id = writeId === undefined ? '' : `"id":"${idText(writeId)}",`
  const text = `{${id}"at":${JSON.stringify(at)},"operations":${operationsText}${rest}}`
  return framedText({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, text)
}

/** The line of a shape, where it has one. */
type LineOf = (shape: object) => number | undefined

function operationsText(operations: readonly Operation[], lineOf: LineOf): string {
  return `[${operations.map((operation) => operationText(operation, lineOf)).join(',')}]`
}

function operationText(operation: Operation, lineOf: LineOf): string {
  switch (operation.op) {
    case 'put':
      return `{"op":"put","body":${textWithShape(named(operation.body, lineOf))}}`
    case 'patch':
      return `{"op":"patch","id":${JSON.stringify(operation.id)},"fields":${textWithShape(named(operation.fields, lineOf))}}`
    default:
      return JSON.stringify(operation)
  }
}

/** In place of a shape that has a line. */
interface LineName {
  readonly line: number
}

function named<Holder extends { shape?: object | undefined }>(holder: Holder, lineOf: LineOf): Holder {
  const line = holder.shape === undefined ? undefined : lineOf(holder.shape)
  return line === undefined ? holder : { ...holder, shape: { line } satisfies LineName }
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
  const { operations, kept, shapes = 0, ...first } = parsed<Text>(lines.next().value as string)
  const contents = kept?.map((id) => keptContent(id, nextOf(lines)))
  const shared = Array.from({ length: shapes }, () => nextOf(lines))
  const head = { ...entryOf(version, first), ...(contents && { kept: contents }) }
  return { head, pieces: piecesIn(operations, lines, shared) }
}

function nextOf(lines: Iterator<string>): string {
  const { done, value } = lines.next()
  if (done) throw new FrameDamage('a shape is missing')
  return value
}

/** `shared`: shapes that have lines. */
function* piecesIn(
  first: Operation[] | undefined,
  lines: Iterable<string>,
  shared: readonly string[],
): Generator<readonly Operation[]> {
  if (first !== undefined) yield first
  const values: (object | undefined)[] = new Array(shared.length)
  for (const line of lines) {
    const operations = parsed<Operation[]>(line)
    if (shared.length > 0) {
      for (const operation of operations) {
        const holder = operation.op === 'put' ? operation.body : operation.op === 'patch' ? operation.fields : null
        const name = (holder?.shape as LineName | undefined)?.line
        if (name === undefined) continue
        values[name] ??= parsedShape(shared[name])
        ;(holder as { shape: object }).shape = values[name]
      }
    }
    yield operations
  }
}

function parsedShape(text: string | undefined): object {
  if (text === undefined) throw new FrameDamage('a shape is missing')
  try {
    return shapeOfText(text)
  } catch {
    throw new FrameDamage('not JSON')
  }
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
interface Text extends Omit<Entry, 'version' | 'operations' | 'writeId' | 'digest' | 'kept'> {
  /** Of the write, in base64url. */
  id?: string
  operations?: Operation[]
  /** Ids of kept shapes, whose contents are the next lines. */
  kept?: string[]
  /** How many further lines are shapes. */
  shapes?: number
}

function entryOf(version: number, { id, ...rest }: Omit<Text, 'operations' | 'kept' | 'shapes'>): Entry {
  return {
    version,
    ...rest,
    operations: [],
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
