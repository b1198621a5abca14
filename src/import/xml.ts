/**
 * XML as a tree of elements, with its text and attributes as they are meant. Nothing outside the text is ever read; declarations of
 * documents are passed over, and entities other than the five of XML itself mean nothing.
 *
 * Method: one pass over the bytes. Texts are kept as places in the bytes until they are read, because one layer of cells may be most of a file.
 * Source: Extensible Markup Language 1.0, fifth edition. Cost O(bytes).
 */

import { ImportFault, LongText, type SourceFile, utf8Of } from './source-files.ts'

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  readonly text: string
  /** The text as its bytes where it is long, lies in one piece and has no entities; null where it is not. */
  readonly long: LongText | null
}

/** Elements of a file, elements in elements, and attributes of one. */
const MOST_ELEMENTS = 2 ** 20
const MOST_DEPTH = 256
const MOST_ATTRIBUTES = 1024
/** Bytes from which on a text is long. */
const LONG_LENGTH = 512

const LESS = 60
const GREATER = 62
const SLASH = 47
const QUESTION = 63
const EXCLAMATION = 33
const QUOTE = 34
const APOSTROPHE = 39
const AMPERSAND = 38
const BRACKET = 91
const BRACKET_END = 93
const LAST_SPACE = 32

const NAME = /[A-Za-z_:\u0080-\uffff][^\s<>"'/=&]*/y
const ATTRIBUTE = /\s+([A-Za-z_:\u0080-\uffff][^\s<>"'/=&]*)(?:\s*=\s*(?:"([^"<]*)"|'([^'<]*)'))?/y
const REST = /\s*$/y

const NO_CHILDREN: XmlElement[] = []
const NO_ATTRIBUTES: Readonly<Record<string, string>> = {}

class Element implements XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  children: XmlElement[] = NO_CHILDREN
  readonly #bytes: Buffer
  /** Starts and ends of pieces of text; those that are raw, in CDATA sections, end at the negative of their end. */
  #texts: number[] | null = null

  constructor(name: string, attributes: Readonly<Record<string, string>>, bytes: Buffer) {
    this.name = name
    this.attributes = attributes
    this.#bytes = bytes
  }

  get text(): string {
    let text = ''
    for (let k = 0; this.#texts !== null && k < this.#texts.length; k += 2) {
      const end = this.#texts[k + 1]
      const piece = this.#bytes.toString('utf8', this.#texts[k], Math.abs(end))
      text += end < 0 ? piece : meaningOf(piece)
    }
    return text
  }

  get long(): LongText | null {
    if (this.#texts?.length !== 2) return null
    const [start, end] = this.#texts
    if (Math.abs(end) - start < LONG_LENGTH) return null
    const bytes = this.#bytes.subarray(start, Math.abs(end))
    return end > 0 && bytes.includes(AMPERSAND) ? null : new LongText(bytes)
  }

  addText(start: number, end: number, isRaw: boolean): void {
    // between elements there are blanks and line breaks
    if (!isRaw && this.children.length > 0 && isBlank(this.#bytes, start, end)) return
    this.#texts ??= []
    this.#texts.push(start, isRaw ? -end : end)
  }

  addChild(child: XmlElement): void {
    if (this.children.length === 0) {
      this.children = []
      if (this.#texts?.length === 2 && isBlank(this.#bytes, this.#texts[0], this.#texts[1])) this.#texts = null
    }
    this.children.push(child)
  }
}

/** Of a raw piece, which ends before its start, false. */
function isBlank(bytes: Buffer, start: number, end: number): boolean {
  if (end < start) return false
  for (let at = start; at < end; at++) if (bytes[at] > LAST_SPACE) return false
  return true
}

/** Bytes of the marks before texts. */
const MARKS: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf, 0xfe, 0xff])

/** Whether a file is XML; else it is JSON. Of letters of two bytes one is 0, as good as a blank. */
export function isXmlFile({ bytes }: SourceFile): boolean {
  let at = 0
  while (MARKS.has(bytes[at])) at++
  while (at < bytes.length && bytes[at] <= LAST_SPACE) at++
  return bytes[at] === LESS
}

/** The outermost element; a fault names the line. `mostElements`: of a file that is read, where that is fewer than of any. */
export function parseXmlFile(file: SourceFile, mostElements = MOST_ELEMENTS): XmlElement {
  const bytes = utf8Of(file)
  if (isBlank(bytes, 0, bytes.length)) throw new ImportFault('import-malformed', file.name, 'It is empty.')
  return new XmlReader(file.name, bytes, mostElements).read()
}

class XmlReader {
  readonly #file: string
  readonly #bytes: Buffer
  readonly #mostElements: number
  /** Those that are open, the outermost first. */
  readonly #open: Element[] = []
  #root: Element | null = null
  #count = 0

  constructor(file: string, bytes: Buffer, mostElements: number) {
    this.#file = file
    this.#bytes = bytes
    this.#mostElements = mostElements
  }

  read(): XmlElement {
    const bytes = this.#bytes
    let at = 0
    while (at < bytes.length) {
      const next = bytes.indexOf(LESS, at)
      const end = next < 0 ? bytes.length : next
      if (end > at) this.#addText(at, end, false)
      at = next < 0 ? end : this.#markup(next)
    }
    const left = this.#open.at(-1)
    if (left !== undefined) throw this.#fault(bytes.length, `<${shortened(left.name)}> is not closed.`)
    if (this.#root === null) throw new ImportFault('import-malformed', this.#file, 'It has no element.')
    return this.#root
  }

  /** `at`: where a `<` is. Returns where the text goes on. */
  #markup(at: number): number {
    const bytes = this.#bytes
    const byte = bytes[at + 1]
    if (byte === QUESTION) return this.#behind('?>', at)
    if (byte === SLASH) return this.#close(at)
    if (byte !== EXCLAMATION) return this.#element(at)
    if (this.#startsWith('<!--', at)) return this.#behind('-->', at + 2)
    if (this.#startsWith('<![CDATA[', at)) {
      const end = this.#behind(']]>', at)
      this.#addText(at + '<![CDATA['.length, end - ']]>'.length, true)
      return end
    }
    return this.#declaration(at)
  }

  #startsWith(text: string, at: number): boolean {
    for (let k = 0; k < text.length; k++) if (this.#bytes[at + k] !== text.charCodeAt(k)) return false
    return true
  }

  #behind(text: string, at: number): number {
    const end = this.#bytes.indexOf(text, at + 2, 'latin1')
    if (end < 0) throw this.#fault(at, `There is no ${text} behind it.`)
    return end + text.length
  }

  /** Reads the document type, whose declarations do not matter here. Entities made of others, or of other files, are refused. */
  #declaration(start: number): number {
    const bytes = this.#bytes
    if (this.#root !== null) throw this.#fault(start, 'A declaration stands before all elements.')
    let isInside = false
    let isEntity = false
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === QUOTE || byte === APOSTROPHE) {
        const end = bytes.indexOf(byte, at + 1)
        if (end < 0) break
        if (isEntity && bytes.subarray(at, end).includes(AMPERSAND)) {
          throw this.#fault(at, 'Entities that are made of others are not read.')
        }
        at = end
      } else if (byte === LESS && this.#startsWith('<!--', at)) at = this.#behind('-->', at + 2) - 1
      else if (byte === LESS) isEntity = this.#startsWith('<!ENTITY', at)
      else if (isEntity && byte <= LAST_SPACE && /SYSTEM|PUBLIC/.test(bytes.toString('latin1', at + 1, at + 7))) {
        throw this.#fault(at, 'External entities are not read.')
      } else if (byte === BRACKET) isInside = true
      else if (byte === BRACKET_END) isInside = false
      else if (byte === GREATER) {
        if (!isInside) return at + 1
        isEntity = false
      }
    }
    throw this.#fault(start, 'The declaration has no end.')
  }

  #close(at: number): number {
    const end = this.#bytes.indexOf(GREATER, at)
    const last = this.#open.pop()
    const name = end < 0 ? '' : this.#bytes.toString('utf8', at + 2, Math.min(end, at + 1024)).trimEnd()
    if (last !== undefined && last.name === name) return end + 1
    const expected = last === undefined ? 'nothing is open' : `<${shortened(last.name)}> is open`
    throw this.#fault(at, `</${shortened(name)}> closes what is not open: ${expected}.`)
  }

  #element(start: number): number {
    const end = this.#endOfTag(start)
    const isEmpty = this.#bytes[end - 1] === SLASH && end - 1 > start
    const tag = this.#bytes.toString('utf8', start + 1, isEmpty ? end - 1 : end)
    NAME.lastIndex = 0
    const name = NAME.exec(tag)?.[0]
    if (name === undefined) throw this.#fault(start, `${JSON.stringify(shortened(`<${tag}`))} begins no element.`)
    if (++this.#count > this.#mostElements)
      throw this.#fault(start, `There are more than ${this.#mostElements} elements.`)
    const element = new Element(name, this.#attributes(tag, name.length, start), this.#bytes)
    const around = this.#open.at(-1)
    if (around !== undefined) around.addChild(element)
    else if (this.#root === null) this.#root = element
    else throw this.#fault(start, `<${shortened(name)}> stands outside the outermost element.`)
    if (isEmpty) return end + 1
    if (this.#open.push(element) > MOST_DEPTH) {
      throw this.#fault(start, `Elements lie in elements more than ${MOST_DEPTH} deep.`)
    }
    return end + 1
  }

  /** Where the `>` of a tag is. */
  #endOfTag(start: number): number {
    const bytes = this.#bytes
    for (let at = start + 1; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === GREATER) return at
      if (byte === LESS) break
      if (byte !== QUOTE && byte !== APOSTROPHE) continue
      at = bytes.indexOf(byte, at + 1)
      if (at < 0) break
    }
    throw this.#fault(start, 'The tag has no end.')
  }

  #attributes(tag: string, from: number, place: number): Readonly<Record<string, string>> {
    let at = from
    let count = 0
    let attributes: Record<string, string> | null = null
    for (;;) {
      ATTRIBUTE.lastIndex = at
      const found = ATTRIBUTE.exec(tag)
      if (found === null) break
      at = ATTRIBUTE.lastIndex
      const [, name, value = found[3]] = found
      // those that say no more than that they are there mean nothing in any of the formats
      if (value === undefined) continue
      if (++count > MOST_ATTRIBUTES) throw this.#fault(place, `It has more than ${MOST_ATTRIBUTES} attributes.`)
      attributes ??= {}
      if (Object.hasOwn(attributes, name)) throw this.#fault(place, `The attribute ${shortened(name)} is there twice.`)
      attributes[name] = meaningOf(value)
    }
    REST.lastIndex = at
    if (REST.test(tag)) return attributes ?? NO_ATTRIBUTES
    throw this.#fault(place, `${JSON.stringify(shortened(tag.slice(at).trimStart()))} is no attribute.`)
  }

  #addText(start: number, end: number, isRaw: boolean): void {
    const around = this.#open.at(-1)
    if (around !== undefined) around.addText(start, end, isRaw)
    else if (isRaw || !isBlank(this.#bytes, start, end)) {
      throw this.#fault(start, 'There is text outside the outermost element.')
    }
  }

  #fault(at: number, message: string): ImportFault {
    const before = this.#bytes.subarray(0, at)
    let line = 1
    for (let k = before.indexOf(10); k >= 0; k = before.indexOf(10, k + 1)) line++
    const column = before.toString('utf8', before.lastIndexOf(10) + 1).length + 1
    return new ImportFault(
      'import-malformed',
      `${this.#file}, line ${line}, column ${column}`,
      `It is not XML: ${message}`,
    )
  }
}

function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Letters of a text with entities: what is longer is a file's cells or its curves, which have none. */
const MOST_LETTERS = 2 ** 16

function meaningOf(text: string): string {
  if (!text.includes('&')) return text
  if (text.length > MOST_LETTERS) {
    const where = JSON.stringify(shortened(text))
    throw new ImportFault('import-malformed', where, `Texts with entities have at most ${MOST_LETTERS} letters.`)
  }
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]{1,4}));/g, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
