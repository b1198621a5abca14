// Long shapes of requests, kept as bytes: a worker reads them.

import { CUT_LENGTH, findLongShapes } from '../json/cut-shapes.ts'

/** A long shape. To the validator of the rest it looks like a point. */
export class UnreadShape {
  readonly type = 'point'
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Its JSON text, if it is any. */
  get bytes(): Buffer {
    return this.#bytes
  }
}

/** The placeholder of a shape while the rest is parsed; no shape has such a field. */
const STAND_IN = 'a shape that is read later'
const STAND_IN_TEXT = Buffer.from(`{"${STAND_IN}":true}`)

/**
 * Parses a document, or a list of documents, with an `UnreadShape` for each long shape of a body. Throws what
 * `parse` throws.
 */
export function parseAround<Value>(bytes: Buffer, parse: (bytes: Buffer) => Value, isList = false): Value {
  const shapes = bytes.length < CUT_LENGTH ? [] : findLongShapes(bytes, isList)
  if (shapes.length === 0) return parse(bytes)
  const pieces: Buffer[] = []
  let at = 0
  for (const { start, end } of shapes) {
    pieces.push(bytes.subarray(at, start), STAND_IN_TEXT)
    at = end
  }
  pieces.push(bytes.subarray(at))
  let value: Value
  try {
    value = parse(Buffer.concat(pieces))
  } catch {
    // the error must name the place in the original text
    return parse(bytes)
  }
  const unread = shapes.map(({ start, end }) => new UnreadShape(bytes.subarray(start, end)))
  for (const document of isList ? (value as unknown[]) : [value]) putBack(document, unread)
  // a placeholder was overwritten by a duplicate field
  return unread.length === 0 ? value : parse(bytes)
}

/** The unread shapes of documents, in the order of the text; stand-ins are left, which can be cloned. */
export function takeShapes(documents: readonly unknown[]): UnreadShape[] {
  const holders = holdersIn(documents, ({ shape }) => shape instanceof UnreadShape)
  const taken = holders.map(({ shape }) => shape as UnreadShape)
  for (const holder of holders) holder.shape = { [STAND_IN]: true }
  return taken
}

/** Puts back the shapes that `takeShapes` has taken. */
export function giveShapes(documents: readonly unknown[], shapes: readonly UnreadShape[]): void {
  const left = [...shapes]
  for (const holder of holdersIn(documents, hasStandIn)) restore(holder, left)
}

/** An object whose fields nobody has checked. */
type Fields = Record<string, unknown>

/** The objects of documents that may have a shape, and that are wanted: a document itself, its `body` and its `fields`. */
function holdersIn(documents: readonly unknown[], isWanted: (holder: Fields) => boolean): Fields[] {
  const found: Fields[] = []
  const look = (value: unknown) => {
    if (isFields(value) && isWanted(value)) found.push(value)
  }
  for (const document of documents) {
    look(document)
    if (!isFields(document)) continue
    look(document.body)
    look(document.fields)
  }
  return found
}

/** In the order of the text: of a document that has several, each comes before those of the next. */
function putBack(document: unknown, unread: UnreadShape[]): void {
  if (!isFields(document)) return
  for (const [name, field] of Object.entries(document)) {
    if (name === 'shape') restore(document, unread)
    else if ((name === 'body' || name === 'fields') && isFields(field)) restore(field, unread)
  }
}

function restore(holder: Fields, unread: UnreadShape[]): void {
  if (hasStandIn(holder) && unread.length > 0) holder.shape = unread.shift()
}

function hasStandIn({ shape }: Fields): boolean {
  return isFields(shape) && STAND_IN in shape
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
