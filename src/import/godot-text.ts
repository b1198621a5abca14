/**
 * The text of Godot's scenes and resources (`.tscn`, `.tres`): sections with attributes, and properties with values below them.
 *
 * Source: the documentation of Godot 4 ("TSCN file format") and what its `VariantParser` reads. Values that nobody here asks for are read
 * like others; what they are called does not matter. Cost: one look at each character.
 */

import { decodedText, ImportFault, type SourceFile } from './source-files.ts'

/** A constructor with its arguments: `Vector2(1, 2)`, `SubResource("a")`. */
export class GodotCall {
  readonly name: string
  readonly given: readonly GodotValue[]

  constructor(name: string, given: readonly GodotValue[]) {
    this.name = name
    this.given = given
  }
}

export type GodotValue =
  | null
  | boolean
  | number
  | string
  | GodotCall
  | readonly GodotValue[]
  | ReadonlyMap<GodotValue, GodotValue>

export interface GodotSection {
  /** `gd_scene`, `ext_resource`, `sub_resource`, `node`, … */
  tag: string
  attributes: ReadonlyMap<string, GodotValue>
  properties: ReadonlyMap<string, GodotValue>
  line: number
}

/** How deep values may lie in each other, sections of a file, and properties of a section. */
const MOST_DEPTH = 64
const MOST_SECTIONS = 2 ** 18
const MOST_PROPERTIES = 2 ** 20
/** Values of a file: numbers in a packed array are values. */
const MOST_VALUES = 2 ** 24

const WORD = /[A-Za-z_@][A-Za-z0-9_.]*/y
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y
const KEY = /[^\s="[\];]+/y
const SPACE = 32
const QUOTE = 34
const SEMICOLON = 59
const BACKSLASH = 92

export function readGodot(file: SourceFile): GodotSection[] {
  return new GodotReader(file.name, decodedText(file.name, file.bytes)).sections()
}

class GodotReader {
  readonly #file: string
  readonly #text: string
  #at = 0
  #values = 0
  /** The line of the section last begun, and where that is. */
  #line = 1
  #lineAt = 0

  constructor(file: string, text: string) {
    this.#file = file
    this.#text = text
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1
  }

  sections(): GodotSection[] {
    const sections: GodotSection[] = []
    while (this.#skipSpace()) {
      if (sections.length === MOST_SECTIONS) throw this.#fault(`There are more than ${MOST_SECTIONS} sections.`)
      sections.push(this.#section())
    }
    return sections
  }

  #section(): GodotSection {
    this.#expect('[')
    const line = this.#lineHere()
    const tag = this.#match(WORD)
    if (tag === '') throw this.#unexpected('the name of a section')
    const attributes = new Map<string, GodotValue>()
    while (this.#peek() !== ']') this.#property(attributes)
    this.#at++
    const properties = new Map<string, GodotValue>()
    while (this.#skipSpace() && this.#text[this.#at] !== '[') this.#property(properties)
    return { tag, attributes, properties, line }
  }

  #property(properties: Map<string, GodotValue>): void {
    const key = this.#peek() === '"' ? this.#quoted() : this.#match(KEY)
    if (key === '') throw this.#unexpected('a name')
    this.#expect('=')
    properties.set(key, this.#value(0))
    if (properties.size > MOST_PROPERTIES) throw this.#fault(`A section has more than ${MOST_PROPERTIES} properties.`)
  }

  #value(depth: number): GodotValue {
    if (depth > MOST_DEPTH) throw this.#fault(`Values lie in values more than ${MOST_DEPTH} deep.`)
    if (++this.#values > MOST_VALUES) throw this.#fault(`There are more than ${MOST_VALUES} values.`)
    const next = this.#peek()
    if (next === '"') return this.#quoted()
    if (next === '&' || next === '^') {
      this.#at++
      return this.#quoted()
    }
    if (next === '[') return this.#list('[', ']', depth)
    if (next === '{') return this.#dictionary(depth)
    const number = this.#match(NUMBER)
    if (number !== '') return Number(number) + 0
    const sign = next === '-' ? -1 : 1
    if (next === '-' || next === '+') this.#at++
    const word = this.#match(WORD)
    if (word === 'inf') return sign * Infinity
    if (word !== '') return this.#worded(word, depth)
    throw this.#unexpected('a value')
  }

  #worded(word: string, depth: number): GodotValue {
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null' || word === 'nil') return null
    if (word === 'nan') return Number.NaN
    if (word === 'inf_neg') return -Infinity
    // Array[int]([1, 2])
    if (this.#peek() === '[') this.#list('[', ']', depth)
    if (this.#peek() !== '(') throw this.#unexpected('(')
    const given = this.#list('(', ')', depth)
    const isTyped = (word === 'Array' || word === 'Dictionary') && given.length === 1
    return isTyped ? given[0] : new GodotCall(word, given)
  }

  /** Names of classes may stand among types, and keys before a colon among the properties of objects. */
  #list(open: string, close: string, depth: number): GodotValue[] {
    this.#expect(open)
    const values: GodotValue[] = []
    while (this.#peek() !== close) {
      const name = this.#bareName()
      values.push(name ?? this.#value(depth + 1))
      const next = this.#peek()
      if (next === ',' || next === ':') this.#at++
      else if (next !== close) throw this.#unexpected(`, or ${close}`)
    }
    this.#at++
    return values
  }

  /** A word that is no constructor, such as the `int` of `Array[int]`; null of anything else. */
  #bareName(): string | null {
    const start = this.#at
    const word = this.#match(WORD)
    if (word !== '' && !/^(true|false|null|nil|nan|inf|inf_neg)$/.test(word) && /[,\]):]/.test(this.#peek()))
      return word
    this.#at = start
    return null
  }

  #dictionary(depth: number): ReadonlyMap<GodotValue, GodotValue> {
    this.#expect('{')
    const entries = new Map<GodotValue, GodotValue>()
    while (this.#peek() !== '}') {
      const key = this.#value(depth + 1)
      this.#expect(':')
      entries.set(key, this.#value(depth + 1))
      const next = this.#peek()
      if (next === ',') this.#at++
      else if (next !== '}') throw this.#unexpected(', or }')
    }
    this.#at++
    return entries
  }

  #quoted(): string {
    this.#expect('"')
    const start = this.#at
    for (let at = start; ; at++) {
      const code = this.#text.charCodeAt(at)
      if (Number.isNaN(code)) throw this.#fault('A text is not closed.')
      if (code === BACKSLASH) at++
      if (code !== QUOTE) continue
      this.#at = at + 1
      return meaningOf(this.#text.slice(start, at))
    }
  }

  /** What stands at the place, which is passed; empty where that is something else. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #expect(character: string): void {
    if (this.#peek() !== character) throw this.#unexpected(character)
    this.#at++
  }

  #peek(): string {
    if (this.#skipSpace()) return this.#text[this.#at]
    throw this.#fault('It ends in the middle of a section.')
  }

  /** False at the end. */
  #skipSpace(): boolean {
    const text = this.#text
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at)
      if (code <= SPACE) this.#at++
      else if (code === SEMICOLON) {
        const end = text.indexOf('\n', this.#at)
        this.#at = end < 0 ? text.length : end
      } else return true
    }
    return false
  }

  #lineHere(): number {
    for (let k = this.#text.indexOf('\n', this.#lineAt); k >= 0 && k < this.#at; k = this.#text.indexOf('\n', k + 1)) {
      this.#line++
      this.#lineAt = k + 1
    }
    return this.#line
  }

  #unexpected(expected: string): ImportFault {
    const found = this.#text.slice(this.#at, this.#at + 40).split(/\s/)[0] ?? ''
    return this.#fault(`Expected ${expected}, got ${JSON.stringify(found)}.`)
  }

  #fault(message: string): ImportFault {
    return new ImportFault('import-malformed', `${this.#file}, line ${this.#lineHere()}`, message)
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

function meaningOf(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{6})|(.))/gs, (_, short, long, letter) => {
    if (letter !== undefined) return ESCAPES[letter] ?? letter
    const code = Number.parseInt(short ?? long, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}
