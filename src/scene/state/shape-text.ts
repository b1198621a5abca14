/**
 * Shapes as text. A shape is a form and its numbers, such as `{"radius":0,"type":"circle"}` and [2.5]: bodies have few forms and many
 * sizes.
 *
 * The form is canonical JSON text, the fields of every object in the order of their names, with 0 for each number; the numbers are those
 * of the text in its order. A shape with many numbers is a form of its own, and has none beside it. A very large shape stays text until
 * it is needed (`PackedShape`): a value of 100,000 vertices takes a tenth of a second to be made. Other threads read long texts from
 * shared memory, because a copy for each question would take longer than most answers.
 */

import {
  contentsOf,
  type KeptContent,
  noteContents,
  referenceText,
  textWithContents,
  withContents,
} from './kept-content.ts'

/** Most numbers that lie beside a form. */
export const MOST_NUMBERS = 32

const read = { form: '', count: 0, numbers: new Float64Array(MOST_NUMBERS) }

/** A shape taken apart, to be read before the next one. Cost O(its size). */
export function readShape(shape: object): Readonly<typeof read> {
  read.count = 0
  const form = formText(shape)
  const isLarge = read.count > MOST_NUMBERS
  read.form = isLarge ? canonicalText(shape) : form
  if (isLarge) read.count = 0
  return read
}

/** Notes the numbers on the way. Ends early when there are too many. */
function formText(value: unknown): string {
  if (typeof value === 'number') {
    if (read.count < MOST_NUMBERS) read.numbers[read.count] = value
    read.count++
    return '0'
  }
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    let text = '['
    for (let i = 0; i < value.length && read.count <= MOST_NUMBERS; i++) {
      text += i === 0 ? formText(value[i]) : `,${formText(value[i])}`
    }
    return `${text}]`
  }
  return objectText(value as Record<string, unknown>, formText)
}

/** JSON with the fields of every object in the order of their names, and nothing that is undefined. */
export function canonicalText(value: unknown): string {
  return isCanonical(value) ? JSON.stringify(value) : orderedText(value)
}

/** Whether the engine writes it so, which takes a quarter of the time. */
function isCanonical(value: unknown): boolean {
  if (typeof value === 'number') return !Object.is(value, -0)
  if (typeof value !== 'object') return value !== undefined
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isCanonical(value[i])) return false
    return true
  }
  let last = ''
  for (const name in value) {
    if (name < last || !isCanonical((value as Record<string, unknown>)[name])) return false
    last = name
  }
  return true
}

function orderedText(value: unknown): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : `${value}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    let text = '['
    for (let i = 0; i < value.length; i++) text += i === 0 ? canonicalText(value[i]) : `,${canonicalText(value[i])}`
    return `${text}]`
  }
  return objectText(value as Record<string, unknown>, canonicalText)
}

function objectText(value: Record<string, unknown>, textOf: (field: unknown) => string): string {
  let text = '{'
  for (const name of sortedNames(value)) {
    const field = value[name]
    if (field === undefined) continue
    if (text.length > 1) text += ','
    text += `${quoted(name)}:${textOf(field)}`
  }
  return `${text}}`
}

/** By insertion: most objects have few fields. */
function sortedNames(value: object): string[] {
  const names = Object.keys(value)
  for (let i = 1; i < names.length; i++) {
    const name = names[i]
    let at = i
    for (; at > 0 && names[at - 1] > name; at--) names[at] = names[at - 1]
    names[at] = name
  }
  return names
}

const PLAIN_WORD = /^[A-Za-z]{1,32}$/

function quoted(text: string): string {
  return PLAIN_WORD.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** Objects by their sorted names, lists by their items; `NUMBER` where a number belongs. */
type Node = { names: readonly string[]; fields: readonly Node[] } | { items: readonly Node[] } | { word: unknown }

const NUMBER: Node = { word: 0 }
const NO_NUMBERS = new Float64Array(0)

/** Characters of the text of composite shapes that take long to prepare. */
const COSTLY_LENGTH = 2 ** 17
const COMPOUND_BEGIN = '{"children":'
const CHAIN = /^\{("loop":\w+,)?"type":"chain"/
const REGION_END = '"type":"region"}'
const MESH = '"type":"mesh"'
const HEIGHT_FIELD = '"type":"heightfield"'

/** Makes shapes of a form. */
export class ShapeForm {
  readonly text: string
  /** Numbers beside it. */
  readonly count: number
  /** Of the kept shapes that it names. */
  readonly contents: readonly KeptContent[]
  /** Characters of it and of the contents. */
  readonly length: number
  /** Whether it takes long to prepare. */
  readonly isCostly: boolean
  /** Whether it is a chain or a region. */
  readonly isOutline: boolean
  /**
   * Whether it is of space, and has a mesh or a height field of its own, which takes long to prepare, and is shared by all bodies that
   * have it.
   */
  readonly hasMesh: boolean
  #root: Node | null = null

  constructor(text: string, count: number, contents: readonly KeptContent[] = []) {
    const [first] = contents
    const shown = first !== undefined && text === referenceText(first.id) ? first.text : text
    this.text = text
    this.count = count
    this.contents = contents
    this.length = contents.reduce((sum, content) => sum + content.text.length, text.length)
    this.isOutline = CHAIN.test(shown) || shown.endsWith(REGION_END)
    this.hasMesh = count === 0 && (text.includes(MESH) || text.includes(HEIGHT_FIELD))
    this.isCostly = this.length >= COSTLY_LENGTH && (this.isOutline || shown.startsWith(COMPOUND_BEGIN))
  }

  /** The value, with the numbers from `at` on, and the contents of kept shapes, which it shares. Cost O(its size). */
  shape(numbers: Float64Array, at: number): object {
    const value = this.#build(numbers, at)
    return this.contents.length === 0 ? value : withContents(value, this.contents)
  }

  /** The shape as it was put, newly made. */
  putShape(numbers: Float64Array, at: number): object {
    const value = this.count > 0 ? this.#build(numbers, at) : shapeOfText(this.text)
    noteContents(value, this.contents)
    return value
  }

  /** All of the shape as canonical text, the contents in it, and numbers that lie beside the text. */
  whole(numbers: Float64Array, at: number): { text: string; numbers: Float64Array } {
    const own = numbers.slice(at, at + this.count)
    if (this.contents.length === 0) return { text: this.text, numbers: own }
    const text = this.count === 0 ? this.text : canonicalText(this.#build(numbers, at))
    return { text: textWithContents(text, this.contents), numbers: NO_NUMBERS }
  }

  #build(numbers: Float64Array, at: number): object {
    if (this.count === 0) return JSON.parse(this.text)
    next = at
    return build(this.#node(), numbers) as object
  }

  /** Puts the numbers of a shape of this form into `out`. False, and nothing of use in it, for others, and where a field is undefined. */
  numbersOf(shape: object, out: Float64Array): boolean {
    if (this.count === 0) return false
    next = 0
    return gather(this.#node(), shape, out)
  }

  #node(): Node {
    this.#root ??= nodeOf(JSON.parse(this.text))
    return this.#root
  }
}

/** Whether a value is as the node says, its fields in any order, none of them undefined. */
function gather(node: Node, value: unknown, out: Float64Array): boolean {
  if (typeof value === 'number') {
    if (node === NUMBER) out[next++] = value
    return node === NUMBER
  }
  if ('word' in node) return node !== NUMBER && node.word === value
  if (typeof value !== 'object' || value === null) return false
  if ('items' in node) {
    if (!Array.isArray(value) || value.length !== node.items.length) return false
    for (let i = 0; i < value.length; i++) if (!gather(node.items[i], value[i], out)) return false
    return true
  }
  const { names, fields } = node
  let count = 0
  for (const _ in value) count++
  if (count !== names.length || Array.isArray(value)) return false
  for (let i = 0; i < names.length; i++) {
    if (!gather(fields[i], (value as Record<string, unknown>)[names[i]], out)) return false
  }
  return true
}

function nodeOf(value: unknown): Node {
  if (typeof value === 'number') return NUMBER
  if (typeof value !== 'object' || value === null) return { word: value }
  if (Array.isArray(value)) return { items: value.map(nodeOf) }
  const names = sortedNames(value)
  return { names, fields: names.map((name) => nodeOf((value as Record<string, unknown>)[name])) }
}

/** The number that comes next. */
let next = 0

function build(node: Node, numbers: Float64Array): unknown {
  if (node === NUMBER) return numbers[next++]
  if ('word' in node) return node.word
  if ('items' in node) return node.items.map((item) => build(item, numbers))
  const { names, fields } = node
  const value: Record<string, unknown> = {}
  for (let i = 0; i < names.length; i++) value[names[i]] = build(fields[i], numbers)
  return value
}

/** Characters from which on the text of a shape is left as it is. */
const PACKED_LENGTH = 2 ** 16

export class PackedShape {
  /** Canonical text, all numbers included: see `shape-text.ts`. */
  readonly form: string
  /** Items of all lists in it, more or less. */
  readonly items: number

  constructor(form: string, items: number) {
    this.form = form
    this.items = items
  }

  get type(): string {
    return this.form.startsWith('{"children":') ? 'compound' : (/"type":"(\w+)"/.exec(this.form)?.[1] ?? '')
  }

  /** The value, newly made. Cost O(its size). */
  toJSON(): object {
    return JSON.parse(this.form)
  }
}

/** A shape out of its canonical text. */
export function shapeOfText(form: string): object {
  return form.length < PACKED_LENGTH ? JSON.parse(form) : new PackedShape(form, form.length >> 5)
}

export function plainShape(shape: object): object {
  return shape instanceof PackedShape ? shape.toJSON() : shape
}

/** The shape of a body, with the contents of the kept shapes that it names, which are shared: it must not be changed. */
export function shownShape(shape: object): object {
  const contents = contentsOf(shape)
  return contents.length === 0 ? shape : withContents(plainShape(shape), contents)
}

/** A body with its shape so. */
export function shownBody<Body extends { readonly shape: object }>(body: Body): Body {
  return contentsOf(body.shape).length === 0 ? body : { ...body, shape: shownShape(body.shape) }
}

/** A body whose shape is packed with the contents of the kept shapes that it names; others stay as they are. */
export function bodyWithContent<Body extends { readonly shape: object }>(body: Body): Body {
  if (contentsOf(body.shape).length === 0) return body
  const text = shownText(body.shape)
  return { ...body, shape: new PackedShape(text, text.length >> 5) }
}

/** Canonical text of a shape as it was put. */
export function shapeText(shape: object): string {
  return shape instanceof PackedShape ? shape.form : canonicalText(shape)
}

/** Its text, with the contents. */
export function shownText(shape: object): string {
  return textWithContents(shapeText(shape), contentsOf(shape))
}

/** JSON text of an object that may have a shape, which costs nothing where that is packed. */
export function textWithShape(holder: object): string {
  const { shape, ...rest } = holder as { shape?: unknown }
  if (!(shape instanceof PackedShape)) return JSON.stringify(holder)
  const others = JSON.stringify(rest)
  return `${others.slice(0, -1)}${others === '{}' ? '' : ','}"shape":${shape.form}}`
}

/** Characters from which on a text is shared. */
const SHARED_LENGTH = 2 ** 15

/** Bytes that are kept at a time, and texts that are whatever they weigh: two are asked about. */
const MOST_LENGTH = 2 ** 24
const FEWEST = 2

export interface SharedText {
  /** Equal texts have equal keys, and different texts different ones. */
  readonly id: number
  /** Shared memory. */
  readonly bytes: Uint8Array
}

export type FarText = string | SharedText

/** The latest ones, in the order of their last use. */
const shared = new Map<string, SharedText>()
let sharedLength = 0
let latestId = 0

/** The text in a form that other threads can read. */
export function farText(text: string): FarText {
  if (text.length < SHARED_LENGTH) return text
  const sent = shared.get(text) ?? share(text)
  // to the end
  shared.delete(text)
  shared.set(text, sent)
  for (const [oldest, { bytes }] of shared) {
    if (sharedLength <= MOST_LENGTH || shared.size <= FEWEST) break
    shared.delete(oldest)
    sharedLength -= bytes.length
  }
  return sent
}

function share(text: string): SharedText {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)))
  bytes.write(text)
  sharedLength += bytes.length
  return { id: ++latestId, bytes }
}

export function textOf(text: FarText): string {
  if (typeof text === 'string') return text
  const { buffer, byteOffset, length } = text.bytes
  return Buffer.from(buffer, byteOffset, length).toString()
}

/** Whether they are the same for certain. */
export function isSameText(a: FarText, b: FarText): boolean {
  return typeof a === 'string' || typeof b === 'string' ? a === b : a.id === b.id
}

/** In bytes, or characters. */
export function textLength(text: FarText): number {
  return typeof text === 'string' ? text.length : text.bytes.length
}
