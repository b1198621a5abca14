/**
 * The text of Quake's map files: entities with their keys, brushes as planes, and curved patches as grids of control points.
 *
 * Source: what editors and compilers read, as TrenchBroom 2025 and q3map2 do: faces of the Standard and of the Valve 220 format, brush
 * primitives (`brushDef` of Quake 3, `brushDef3` of Doom 3), patches (`patchDef2`, `patchDef3`), comments from `//`, `#` or `;` to the end
 * of a line, or between slashes and stars. How textures lie is passed over. Cost: one look at each character; nothing nests, so nothing is
 * deep.
 */

import { decodedText, ImportFault, type SourceFile } from './source-files.ts'

export interface MapEntity {
  keys: ReadonlyMap<string, string>
  brushes: MapBrush[]
  patches: MapPatch[]
  /** What is neither: its name, and its place among all. */
  others: { name: string; index: number }[]
}

export interface MapBrush {
  /** Place among the brushes and patches of its entity, from 0. */
  index: number
  /** Nine numbers: three points, clockwise seen from outside; or four: a, b, c, d of ax + by + cz + d = 0. */
  walls: number[][]
  /** The texture of all faces; null where there are several. */
  texture: string | null
}

/** A grid of control points of quadratic Bézier patches, each of which has three by three of them. */
export interface MapPatch {
  index: number
  columns: number
  rows: number
  /** Column by column, x, y, z of each point. */
  points: number[]
  texture: string
}

/** Of a file; of an entity; of a brush; of a side of a patch. */
const MOST_ENTITIES = 2 ** 18
const MOST_KEYS = 2 ** 10
const MOST_WALLS = 2 ** 10
const MOST_PATCH_SIDE = 2 ** 10
/** Letters of a number. */
const MOST_NUMBER_LETTERS = 400

const NEWLINE = 10
const SPACE = 32
const QUOTE = 34
const HASH = 35
const ROUND = 40
const ROUND_END = 41
const STAR = 42
const SLASH = 47
const SEMICOLON = 59
const SQUARE = 91
const BACKSLASH = 92
const SQUARE_END = 93
const CURLY = 123
const CURLY_END = 125

/** Characters that are words by themselves. */
const MARKS: ReadonlySet<number> = new Set([ROUND, ROUND_END, SQUARE, SQUARE_END, CURLY, CURLY_END, QUOTE])
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** One entity after another. */
export function* readMap(file: SourceFile): Generator<MapEntity> {
  yield* new MapReader(file.name, decodedText(file.name, file.bytes)).entities()
}

class MapReader {
  readonly #file: string
  readonly #text: string
  #at = 0

  constructor(file: string, text: string) {
    this.#file = file
    this.#text = text
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1
  }

  *entities(): Generator<MapEntity> {
    let count = 0
    // Doom 3 and its successors say a version first
    if (this.#isWord('Version')) for (let k = 0; k < 2; k++) this.#word()
    while (this.#skipSpace()) {
      if (++count > MOST_ENTITIES) throw this.#fault(`There are more than ${MOST_ENTITIES} entities.`)
      yield this.#entity()
    }
    if (count === 0) throw new ImportFault('import-malformed', this.#file, 'It has no entity.')
  }

  #entity(): MapEntity {
    this.#expect(CURLY)
    const keys = new Map<string, string>()
    const entity: MapEntity = { keys, brushes: [], patches: [], others: [] }
    for (let index = 0; ; ) {
      const next = this.#peek()
      if (next === CURLY_END) break
      if (next === CURLY) this.#part(entity, index++)
      else if (next === QUOTE) {
        const key = this.#quoted()
        if (this.#peek() !== QUOTE) throw this.#fault(`The key ${JSON.stringify(shortened(key))} has no value.`)
        keys.set(key, this.#quoted())
        if (keys.size > MOST_KEYS) throw this.#fault(`An entity has more than ${MOST_KEYS} keys.`)
      } else throw this.#unexpected('a key, a brush or }')
    }
    this.#at++
    return entity
  }

  /** A brush, a patch, or something else in braces. */
  #part(entity: MapEntity, index: number): void {
    this.#expect(CURLY)
    const next = this.#peek()
    if (next === ROUND || next === CURLY_END) entity.brushes.push(this.#brush(index))
    else {
      const name = this.#word()
      if (name === 'brushDef' || name === 'brushDef3') {
        this.#expect(CURLY)
        entity.brushes.push(this.#brush(index))
      } else if (name === 'patchDef2' || name === 'patchDef3') entity.patches.push(this.#patch(index, name))
      else {
        entity.others.push({ name, index })
        this.#skipBraces(1)
        return
      }
    }
    if (next !== ROUND && next !== CURLY_END) this.#expect(CURLY_END)
  }

  /** To behind its closing brace. */
  #brush(index: number): MapBrush {
    const walls: number[][] = []
    const textures = new Set<string>()
    while (this.#peek() !== CURLY_END) {
      if (this.#peek() === QUOTE) {
        // faces of brushDef3 may have keys before them
        this.#quoted()
        this.#quoted()
        continue
      }
      walls.push(this.#wall())
      if (walls.length > MOST_WALLS) throw this.#fault(`A brush has more than ${MOST_WALLS} faces.`)
      textures.add(this.#texture())
      // where the texture lies on the face, and what else games say of faces
      for (let next = this.#peek(); next !== ROUND && next !== CURLY_END; next = this.#peek()) {
        if (next === CURLY) throw this.#unexpected('a face or }')
        this.#pass()
      }
    }
    this.#at++
    return { index, walls, texture: textures.size === 1 ? [...textures][0] : null }
  }

  #wall(): number[] {
    const first = this.#numbers()
    if (first.length === 3) return [...first, ...this.#numbers(3), ...this.#numbers(3)]
    if (first.length === 4) return first
    throw this.#fault(`A plane has three points or four numbers, got ${first.length} numbers.`)
  }

  /** The name of a face's texture. The matrix of a brush primitive before it is passed over. */
  #texture(): string {
    if (this.#peekName() === ROUND) this.#skipRound()
    return this.#peekName() === QUOTE ? this.#quoted() : this.#name()
  }

  /** The next character that is no space, which may begin a name: what begins a comment elsewhere begins names of textures, too. */
  #peekName(): number {
    while (this.#at < this.#text.length && this.#text.charCodeAt(this.#at) <= SPACE) this.#at++
    return this.#text.charCodeAt(this.#at)
  }

  #patch(index: number, kind: string): MapPatch {
    this.#expect(CURLY)
    const texture = this.#peekName() === QUOTE ? this.#quoted() : this.#name()
    const [columns, rows] = this.#numbers()
    const isSide = (side: number) => Number.isInteger(side) && side >= 3 && side % 2 === 1 && side <= MOST_PATCH_SIDE
    if (!(isSide(columns) && isSide(rows))) {
      throw this.#fault(`A ${kind} has an odd number of columns and rows from 3 to ${MOST_PATCH_SIDE}.`)
    }
    const points: number[] = []
    this.#expect(ROUND)
    for (let column = 0; column < columns; column++) {
      this.#expect(ROUND)
      for (let row = 0; row < rows; row++) {
        const point = this.#numbers()
        if (point.length < 3) throw this.#fault('A control point has x, y and z.')
        points.push(point[0], point[1], point[2])
      }
      this.#expect(ROUND_END)
    }
    this.#expect(ROUND_END)
    this.#expect(CURLY_END)
    return { index, columns, rows, points, texture }
  }

  /** Numbers in parentheses. */
  #numbers(count?: number): number[] {
    this.#expect(ROUND)
    const numbers: number[] = []
    while (this.#peek() !== ROUND_END) {
      if (numbers.length === 16) throw this.#unexpected(')')
      numbers.push(this.#number())
    }
    this.#at++
    if (count !== undefined && numbers.length !== count) {
      throw this.#fault(`A point has ${count} numbers, got ${numbers.length}.`)
    }
    return numbers
  }

  #number(): number {
    const word = this.#word()
    const value = word.length <= MOST_NUMBER_LETTERS && NUMBER.test(word) ? Number(word) : Number.NaN
    if (Number.isFinite(value)) return value + 0
    throw this.#fault(`${JSON.stringify(shortened(word))} is not a number that can be taken.`)
  }

  /** Up to the next space: names of textures may have any other characters. */
  #name(): string {
    this.#peekName()
    const start = this.#at
    while (this.#at < this.#text.length && this.#text.charCodeAt(this.#at) > SPACE) this.#at++
    if (this.#at === start) throw this.#unexpected('a texture')
    return this.#text.slice(start, this.#at)
  }

  #word(): string {
    this.#peek()
    const start = this.#at
    while (this.#at < this.#text.length) {
      const code = this.#text.charCodeAt(this.#at)
      if (code <= SPACE || MARKS.has(code)) break
      this.#at++
    }
    if (this.#at === start) throw this.#unexpected('a word')
    return this.#text.slice(start, this.#at)
  }

  #isWord(word: string): boolean {
    return this.#skipSpace() && this.#text.startsWith(word, this.#at)
  }

  /** A text in quotes. A quote behind a backslash belongs to it, unless the line ends there: paths of Windows end in backslashes. */
  #quoted(): string {
    this.#expect(QUOTE)
    const text = this.#text
    const start = this.#at
    for (;;) {
      const end = text.indexOf('"', this.#at)
      if (end < 0) {
        this.#at = start - 1
        throw this.#fault('A quote is not closed.')
      }
      this.#at = end + 1
      if (text.charCodeAt(end - 1) !== BACKSLASH || end === start || this.#isLineEnd(end + 1))
        return text.slice(start, end)
    }
  }

  #isLineEnd(at: number): boolean {
    let place = at
    while (this.#text.charCodeAt(place) <= SPACE && this.#text.charCodeAt(place) !== NEWLINE) place++
    return place === this.#text.length || this.#text.charCodeAt(place) === NEWLINE
  }

  /** A word, a text or a mark. */
  #pass(): void {
    const next = this.#peek()
    if (next === QUOTE) this.#quoted()
    else if (MARKS.has(next)) this.#at++
    else this.#word()
  }

  #skipRound(): void {
    let depth = 0
    do {
      const next = this.#peek()
      if (next === ROUND) depth++
      if (next === ROUND_END) depth--
      if (next === CURLY || next === CURLY_END) throw this.#unexpected(')')
      this.#pass()
    } while (depth > 0)
  }

  /** To behind the brace that closes the outermost of so many. */
  #skipBraces(open: number): void {
    for (let depth = open; depth > 0; ) {
      const next = this.#peek()
      if (next === CURLY) depth++
      if (next === CURLY_END) depth--
      this.#pass()
    }
  }

  #expect(code: number): void {
    if (this.#peek() !== code) throw this.#unexpected(String.fromCharCode(code))
    this.#at++
  }

  /** The next character that is no space and in no comment; a fault at the end. */
  #peek(): number {
    if (this.#skipSpace()) return this.#text.charCodeAt(this.#at)
    throw this.#fault('It ends before its braces are closed.')
  }

  /** False at the end. */
  #skipSpace(): boolean {
    const text = this.#text
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at)
      if (code <= SPACE) this.#at++
      else if (code === HASH || code === SEMICOLON || (code === SLASH && text.charCodeAt(this.#at + 1) === SLASH)) {
        const end = text.indexOf('\n', this.#at)
        this.#at = end < 0 ? text.length : end
      } else if (code === SLASH && text.charCodeAt(this.#at + 1) === STAR) {
        const end = text.indexOf('*/', this.#at + 2)
        this.#at = end < 0 ? text.length : end + 2
      } else return true
    }
    return false
  }

  #unexpected(expected: string): ImportFault {
    const found = shortened(this.#text.slice(this.#at, this.#at + 41).split(/\s/)[0] ?? '')
    return this.#fault(`Expected ${expected}, got ${found === '' ? 'the end' : JSON.stringify(found)}.`)
  }

  #fault(message: string): ImportFault {
    let line = 1
    for (let k = this.#text.indexOf('\n'); k >= 0 && k < this.#at; k = this.#text.indexOf('\n', k + 1)) line++
    return new ImportFault('import-malformed', `${this.#file}, line ${line}`, message)
  }
}

function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`
}
