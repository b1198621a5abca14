/**
 * XML as a tree of elements, with its text and attributes as they are meant. Nothing outside the text is ever read, and entities other
 * than the five of XML itself mean nothing.
 */

import { randomUUID } from 'node:crypto'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { ImportFault } from './import-fault.ts'

export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  text: string
}

/** Elements in elements. */
const MOST_DEPTH = 256

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
})

/** The outermost element; a fault names the line. */
export function parseXml(file: string, text: string): XmlElement {
  if (text.trim() === '') throw new ImportFault('import-malformed', file, 'It is empty.')
  assertShallow(file, text)
  const valid = XMLValidator.validate(text, { allowBooleanAttributes: true })
  if (valid !== true) {
    const { msg, line, col } = valid.err
    throw new ImportFault('import-malformed', `${file}, line ${line}, column ${col}`, `It is not XML: ${msg}`)
  }
  const aside = setAside(text)
  const nodes = nodesOf(file, aside.short)
  const root = nodes.map((node) => elementOf(node, aside)).find((element) => element !== null)
  if (root === undefined || root === null) throw new ImportFault('import-malformed', file, 'It has no element.')
  return root
}

/** A glance that is enough: tags that open, less those that close. */
function assertShallow(file: string, text: string): void {
  let depth = 0
  for (const [tag] of text.matchAll(/<\/?[A-Za-z][^>]*>/g)) {
    if (tag[1] === '/') depth--
    else if (!tag.endsWith('/>')) depth++
    if (depth > MOST_DEPTH) {
      throw new ImportFault('import-malformed', file, `Elements lie in elements more than ${MOST_DEPTH} deep.`)
    }
  }
}

function nodesOf(file: string, text: string): Node[] {
  try {
    return parser.parse(text)
  } catch (error) {
    throw new ImportFault('import-malformed', file, `It cannot be read: ${(error as Error).message}.`)
  }
}

/** The parser joins texts letter by letter, which takes fifty times their room: long ones are kept from it. */
const LONG_TEXT = 4096

interface Aside {
  short: string
  texts: string[]
  /** Stands before the index of a text, in place of it. */
  mark: string
}

function setAside(text: string): Aside {
  const aside: Aside = { short: '', texts: [], mark: `text-${randomUUID()}-` }
  const pieces: string[] = []
  let at = 0
  for (let start = text.indexOf('>'); start >= 0; start = text.indexOf('>', start + 1)) {
    const end = text.indexOf('<', start)
    if (end < 0) break
    if (end - start > LONG_TEXT) {
      pieces.push(text.slice(at, start + 1), `${aside.mark}${aside.texts.length}.`)
      aside.texts.push(text.slice(start + 1, end))
      at = end
    }
    start = Math.max(start, end - 1)
  }
  pieces.push(text.slice(at))
  aside.short = pieces.join('')
  return aside
}

function putBack(text: string, { texts, mark }: Aside): string {
  if (texts.length === 0 || !text.includes(mark)) return text
  return text
    .split(mark)
    .map((piece, k) => (k === 0 ? piece : texts[Number.parseInt(piece, 10)] + piece.slice(piece.indexOf('.') + 1)))
    .join('')
}

type Node = Record<string, unknown>

const ATTRIBUTES = ':@'
const TEXT = '#text'

function elementOf(node: Node, aside: Aside): XmlElement | null {
  const name = Object.keys(node).find((key) => key !== ATTRIBUTES)
  if (name === undefined || name === TEXT || name.startsWith('?') || name.startsWith('!')) return null
  const inside = node[name] as Node[]
  const attributes = Object.entries((node[ATTRIBUTES] ?? {}) as Record<string, unknown>)
  return {
    name,
    attributes: Object.fromEntries(attributes.map(([key, value]) => [key, meaningOf(putBack(String(value), aside))])),
    children: inside.map((child) => elementOf(child, aside)).filter((child) => child !== null),
    text: meaningOf(putBack(inside.map((child) => (TEXT in child ? String(child[TEXT]) : '')).join(''), aside)),
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function meaningOf(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]+));/g, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
