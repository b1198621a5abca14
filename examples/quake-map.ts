// Reads a Quake map as TrenchBroom, Radiant and others write it, in the Standard or the Valve 220 format or with brush primitives
// (brushDef, brushDef3): its brushes, each as the planes of its faces, and its point entities. Patches are curves, and have no planes. Frame: the editor's, z up, in its units.

import { readFile } from 'node:fs/promises'
import { MapError } from './map-error.ts'

export interface Point {
  x: number
  y: number
  z: number
}

/** Three points of a plane, clockwise as seen from outside the brush. */
export type FacePoints = [Point, Point, Point]

/** A plane as Doom 3 writes it: normal · p + offset = 0, the normal out of the brush. */
export interface FacePlane {
  normal: Point
  offset: number
}

export type Face = FacePoints | FacePlane

export interface Brush {
  /** Counted over the whole file, from 0. */
  number: number
  /** The line its braces open in. */
  line: number
  /** The class of the entity it is part of: `worldspawn`, `func_door`, … */
  classname: string
  faces: Face[]
  /** One of each face. */
  textures: string[]
  /** Why it has no planes, where it is written in another way; else `null`. */
  foreign: string | null
}

export interface PointEntity {
  classname: string
  line: number
  origin: Point
}

export interface QuakeMap {
  brushes: Brush[]
  entities: PointEntity[]
}

export async function readMap(path: string): Promise<QuakeMap> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new MapError(`${path} cannot be read: ${(error as Error).message}`)
  }
  try {
    return parseMap(text)
  } catch (error) {
    if (error instanceof MapError) throw new MapError(`${path}, ${error.message}`)
    throw error
  }
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/
const BLANKS = /\s*/y
const BLANKS_AND_COMMENTS = /(?:\s+|(?:\/\/|[;#])[^\n]*)*/y
/** A word ends before a blank or a bracket; what names a texture ends before a blank. */
const WORD = /[^\s(){}[\]"]+|./y
const TEXTURE = /"[^"\r\n]*"|\S+/y
/** What is in quotes ends where a blank, a brace, another key or the end of the line follows: there are quotes in texts. */
const KEY = /"([^"\r\n]*)"/y
const VALUE = /"([^\r\n]*?)"(?=[\s{}]|\/\/|$|"[^"\r\n]*"[ \t]*")/y

/** The brush primitives of later games: planes as here, in braces of their own. The first has a matrix behind each, the second numbers. */
const PRIMITIVES = new Set(['brushDef', 'brushDef3'])

/** Reads a text word by word, and knows the line it is in. Comments begin with `//`, `;` or `#` where a word would. */
class Reader {
  readonly #text: string
  #at = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  get line(): number {
    return this.#line
  }

  wrong(what: string, line = this.#line): MapError {
    return new MapError(`line ${line}: ${what}`)
  }

  /** The next word, which stays where it is; empty at the end. */
  peek(): string {
    this.#skip(BLANKS_AND_COMMENTS)
    WORD.lastIndex = this.#at
    return WORD.exec(this.#text)?.[0] ?? ''
  }

  /** The same, which must be there. */
  inside(what: string): string {
    const word = this.peek()
    if (word === '') throw this.wrong(`the file ends within ${what}`, this.#line + 1)
    return word
  }

  take(word: string): void {
    this.#at += word.length
  }

  /** What the pattern finds here; null: nothing. */
  match(pattern: RegExp, mayHaveComments = true): RegExpExecArray | null {
    this.#skip(mayHaveComments ? BLANKS_AND_COMMENTS : BLANKS)
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found !== null) this.#at += found[0].length
    return found
  }

  /** The rest of the line, to be shown. */
  rest(): string {
    const end = this.#text.indexOf('\n', this.#at)
    return shown(this.#text.slice(this.#at, end < 0 ? undefined : end).trim())
  }

  #skip(blanks: RegExp): void {
    blanks.lastIndex = this.#at
    const [skipped] = blanks.exec(this.#text)!
    this.#at += skipped.length
    for (let at = skipped.indexOf('\n'); at >= 0; at = skipped.indexOf('\n', at + 1)) this.#line++
  }
}

/** Throws a MapError that names the line where the text is no such map. */
export function parseMap(text: string): QuakeMap {
  const map: QuakeMap = { brushes: [], entities: [] }
  const reader = new Reader(text.replace(/^\ufeff/, ''))
  if (reader.peek() === 'Version') {
    reader.take('Version')
    reader.take(reader.inside('the version'))
  }
  for (let word = reader.peek(); word !== ''; word = reader.peek()) {
    if (word !== '{') throw reader.wrong(`expected { of an entity, found ${reader.rest()}`)
    readEntity(reader, map)
  }
  return map
}

function readEntity(reader: Reader, map: QuakeMap): void {
  const { line } = reader
  reader.take('{')
  const properties = new Map<string, string>()
  const brushes: Brush[] = []
  for (let word = reader.inside('an entity'); word !== '}'; word = reader.inside('an entity')) {
    if (word === '{') {
      brushes.push(readBrush(reader, map.brushes.length + brushes.length))
      continue
    }
    const start = reader.rest()
    const key = reader.match(KEY)
    const value = key === null ? null : reader.match(VALUE)
    if (key === null || value === null) {
      throw reader.wrong(`expected "key" "value", { of a brush or }, found ${start}`)
    }
    properties.set(key[1]!, value[1]!)
  }
  reader.take('}')
  const classname = properties.get('classname') ?? 'unnamed'
  for (const brush of brushes) brush.classname = classname
  map.brushes.push(...brushes)
  const origin = properties.get('origin')
  if (brushes.length > 0 || origin === undefined) return
  const numbers = origin.trim().split(/\s+/)
  const [x, y, z] = numbers.map(Number)
  if (numbers.length !== 3 || !numbers.every(isNumber)) {
    throw reader.wrong(`the origin of this ${classname} is no point: ${shown(origin)}`, line)
  }
  map.entities.push({ classname, line, origin: { x: x!, y: y!, z: z! } })
}

const isNumber = (word: string) => NUMBER.test(word) && Number.isFinite(Number(word))

function readBrush(reader: Reader, number: number): Brush {
  const brush: Brush = { number, line: reader.line, classname: '', faces: [], textures: [], foreign: null }
  reader.take('{')
  readFaces(reader, brush)
  return brush
}

/** Up to the brace that ends them, and with it. */
function readFaces(reader: Reader, brush: Brush): void {
  for (let word = reader.inside('a brush'); word !== '}'; word = reader.inside('a brush')) {
    if (word === '(') readFace(reader, brush)
    else if (!/^\w+$/.test(word)) throw reader.wrong(`expected a face or }, found ${reader.rest()}`)
    else {
      reader.take(word)
      if (reader.inside('a brush') !== '{') throw reader.wrong(`expected { of a ${word}, found ${reader.rest()}`)
      if (PRIMITIVES.has(word)) {
        reader.take('{')
        readFaces(reader, brush)
      } else {
        brush.foreign = word
        skipBraces(reader)
      }
    }
  }
  reader.take('}')
}

/** Three points, or the four numbers of a plane; then a matrix if there is one, a texture, and numbers that lay it on. */
function readFace(reader: Reader, brush: Brush): void {
  const start = reader.rest()
  const wrong = () => reader.wrong(`expected a face, ( x y z ) ( x y z ) ( x y z ) and a texture, found ${start}`)
  const first = readNumbers(reader, wrong)
  if (first.length === 4) {
    const [x, y, z, offset] = first as [number, number, number, number]
    brush.faces.push({ normal: { x, y, z }, offset })
  } else {
    const points = [first, readNumbers(reader, wrong), readNumbers(reader, wrong)]
    if (points.some(({ length }) => length !== 3)) throw wrong()
    brush.faces.push(points.map(([x, y, z]) => ({ x: x!, y: y!, z: z! })) as FacePoints)
  }
  // a texture may begin like a comment
  if (reader.match(/(?=\()/y, false) !== null) skipBrackets(reader)
  const texture = reader.match(TEXTURE, false)
  if (texture === null || texture[0] === '}') throw wrong()
  brush.textures.push(texture[0].replaceAll('"', ''))
  for (let word = reader.inside('a brush'); !/^[(){}]$/.test(word); word = reader.inside('a brush')) {
    if (word === '[') skipBrackets(reader)
    else reader.take(word)
  }
}

function readNumbers(reader: Reader, wrong: () => MapError): number[] {
  if (reader.peek() !== '(') throw wrong()
  reader.take('(')
  const numbers: number[] = []
  for (let word = reader.inside('a face'); word !== ')'; word = reader.inside('a face')) {
    if (!NUMBER.test(word)) throw wrong()
    if (!Number.isFinite(Number(word))) throw reader.wrong('a number of this face is out of range')
    numbers.push(Number(word))
    reader.take(word)
  }
  reader.take(')')
  return numbers
}

/** Round or square ones, and those in them. */
function skipBrackets(reader: Reader): void {
  let depth = 0
  do {
    const word = reader.inside('a face')
    if (word === '(' || word === '[') depth++
    if (word === ')' || word === ']') depth--
    if (word === '}') throw reader.wrong(`expected ) or ], found ${reader.rest()}`)
    reader.take(word)
  } while (depth > 0)
}

/** Of a patch: its points are no planes. */
function skipBraces(reader: Reader): void {
  let depth = 0
  do {
    const word = reader.inside('a brush')
    if (word === '{') depth++
    if (word === '}') depth--
    reader.take(word)
  } while (depth > 0)
}

const shown = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
