/**
 * The content of kept shapes that bodies of scenes name: `{"type":"ref","id":"sha256-…"}`.
 *
 * A scene holds the content of every shape that its bodies name, once, whatever becomes of the kept shape itself. Scenes of a process that
 * hold the same one share it, with its value and what is prepared of it. The value of a body's shape is the reference, as it was put;
 * its content is found by that value (`noteContents`), and takes its place where geometry is asked for.
 */

/** Characters of the contents whose values stay, once they are read; the latest does whatever its size. */
const MOST_READ_LENGTH = 2 ** 26

export class KeptContent {
  readonly id: string
  /** Canonical JSON, see `shape-text.ts`. */
  readonly text: string
  /** Characters that are to be parsed for the value. */
  readonly unreadLength: number
  readonly #open: (() => object) | null

  constructor(id: string, text: string, open: (() => object) | null, unreadLength: number) {
    this.id = id
    this.text = text
    this.unreadLength = unreadLength
    this.#open = open
  }

  /** Shared by all who ask: it must not be changed. Lists of numbers in it may be typed arrays. */
  get value(): object {
    return this.#open === null ? readValue(this) : this.#open()
  }

  /** Whether the value takes no time. */
  get isRead(): boolean {
    return read.has(this)
  }
}

/** By id, as long as anybody holds them. */
const known = new Map<string, WeakRef<KeptContent>>()
const forget = new FinalizationRegistry<string>((id) => {
  if (known.get(id)?.deref() === undefined) known.delete(id)
})

/** The latest used last. */
const read = new Map<KeptContent, object>()
let readLength = 0

function readValue(content: KeptContent): object {
  const found = read.get(content)
  const value = found ?? (JSON.parse(content.text) as object)
  if (found === undefined) readLength += content.text.length
  read.delete(content)
  read.set(content, value)
  for (const oldest of read.keys()) {
    if (readLength <= MOST_READ_LENGTH || oldest === content) break
    read.delete(oldest)
    readLength -= oldest.text.length
  }
  return value
}

/** The content of this id that somebody in the process holds, or null. */
export function knownContent(id: string): KeptContent | null {
  return known.get(id)?.deref() ?? null
}

/**
 * The content of this id: the one that is known, or a new one. `open`: gives its value without parsing more than `unreadLength`
 * characters; null where the text alone has it.
 */
export function keptContent(
  id: string,
  text: string,
  open: (() => object) | null = null,
  unreadLength = text.length,
): KeptContent {
  const found = knownContent(id)
  if (found !== null) return found
  const content = new KeptContent(id, text, open, unreadLength)
  known.set(id, new WeakRef(content))
  forget.register(content, id)
  return content
}

/** Canonical JSON of a reference. */
export function referenceText(id: string): string {
  return `{"id":"${id}","type":"ref"}`
}

const REFERENCE = /\{"id":"(sha256-[0-9a-f]{64})","type":"ref"\}/g
const REFERENCE_END = '","type":"ref"}'

/** The ids that a shape names, each once, from its canonical text. */
export function idsInText(text: string): readonly string[] {
  if (!text.includes(REFERENCE_END)) return NO_IDS
  return [...new Set(Array.from(text.matchAll(REFERENCE), ([, id]) => id))]
}

const NO_IDS: readonly string[] = []
const ID = /sha256-[0-9a-f]{64}/g

/** What may be an id in text of JSON that nobody has read, each once. */
export function idsInBytes(bytes: Uint8Array): readonly string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return text.includes('sha256-') ? [...new Set(text.toString('latin1').match(ID) ?? [])] : NO_IDS
}

/** Canonical text with the contents in place of the references. */
export function textWithContents(text: string, contents: readonly KeptContent[]): string {
  return contents.reduce((shown, { id, text: own }) => shown.replaceAll(referenceText(id), () => own), text)
}

/** The value with the contents in place of the references; what has none in it is shared with the value. */
export function withContents(shape: object, contents: readonly KeptContent[]): object {
  const { type, id, children } = shape as Fields
  if (type === 'ref') return contents.find((content) => content.id === id)?.value ?? shape
  if (type !== 'compound' || !Array.isArray(children)) return shape
  return { ...shape, children: children.map((child) => ({ ...child, shape: withContents(child.shape, contents) })) }
}

type Fields = Record<string, unknown>

/** The id of each reference in a shape that nobody has checked. */
export function referencesIn(shape: object): string[] {
  const ids: string[] = []
  addReferences(shape as Fields, ids)
  return ids
}

function addReferences({ type, id, children }: Fields, ids: string[]): void {
  if (type === 'ref' && typeof id === 'string') ids.push(id)
  if (type !== 'compound' || !Array.isArray(children)) return
  for (const child of children) {
    const shape: unknown = child?.shape
    if (typeof shape === 'object' && shape !== null) addReferences(shape as Fields, ids)
  }
}

/** By values of shapes, as they were put. */
const noted = new WeakMap<object, readonly KeptContent[]>()

export function noteContents(shape: object, contents: readonly KeptContent[]): void {
  if (contents.length > 0) noted.set(shape, contents)
}

/** The contents that the value of a shape names, once they were noted; none of most. */
export function contentsOf(shape: object): readonly KeptContent[] {
  return noted.get(shape) ?? NO_CONTENTS
}

const NO_CONTENTS: readonly KeptContent[] = []
