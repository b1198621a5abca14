// Reads a Quake map as TrenchBroom and others write it, in the Standard or the Valve 220 format: its brushes, each as the
// planes of its faces, and its point entities. Frame: the editor's, z up, in its units.

import { readFile } from 'node:fs/promises'
import { MapError } from './map-error.ts'

export interface Point {
  x: number
  y: number
  z: number
}

/** Three points of a plane, clockwise as seen from outside the brush. */
export type FacePoints = [Point, Point, Point]

export interface Brush {
  /** Counted over the whole file, from 0. */
  number: number
  /** The line its braces open in. */
  line: number
  /** The class of the entity it is part of: `worldspawn`, `func_door`, … */
  classname: string
  faces: FacePoints[]
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

const NUMBER = String.raw`([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)`
const POINT = String.raw`\(\s*${NUMBER}\s+${NUMBER}\s+${NUMBER}\s*\)`
const FACE = new RegExp(String.raw`^${POINT}\s*${POINT}\s*${POINT}\s*("[^"]*"|\S+)`)
const PROPERTY = /^"([^"]*)"\s*"(.*)"$/
const ORIGIN = new RegExp(String.raw`^\s*${NUMBER}\s+${NUMBER}\s+${NUMBER}\s*$`)

/** Throws a MapError that names the line where the text is no such map. */
export function parseMap(text: string): QuakeMap {
  const map: QuakeMap = { brushes: [], entities: [] }
  const lines = text.split(/\r?\n/)
  let at = 0
  const wrong = (what: string) => new MapError(`line ${at + 1}: ${what}`)
  /** The next line that says something, or the end. */
  const next = (): string | null => {
    for (; at < lines.length; at++) {
      const line = lines[at]!.trim()
      if (line !== '' && !line.startsWith('//')) return line
    }
    return null
  }
  const inside = (what: string): string => {
    const line = next()
    if (line === null) throw wrong(`the file ends within ${what}`)
    return line
  }

  const readFace = (brush: Brush, line: string) => {
    const found = FACE.exec(line)
    if (found === null)
      throw wrong(`expected a face, ( x y z ) ( x y z ) ( x y z ) and a texture, found ${shown(line)}`)
    const numbers = found.slice(1, 10).map(Number)
    if (!numbers.every(Number.isFinite)) throw wrong('a number of this face is out of range')
    const point = (from: number): Point => ({ x: numbers[from]!, y: numbers[from + 1]!, z: numbers[from + 2]! })
    brush.faces.push([point(0), point(3), point(6)])
    brush.textures.push(found[10]!.replaceAll('"', ''))
  }

  /** Brushes that are patches, or whose faces are written in another way, have braces of their own. */
  const skipForeign = () => {
    let depth = 0
    do {
      const line = inside('a brush')
      if (line === '{') depth++
      if (line === '}') depth--
      at++
    } while (depth > 0)
  }

  const readBrush = (number: number): Brush => {
    const brush: Brush = { number, line: at + 1, classname: '', faces: [], textures: [], foreign: null }
    at++
    for (let line = inside('a brush'); line !== '}'; line = inside('a brush')) {
      if (line.startsWith('(')) {
        readFace(brush, line)
        at++
        continue
      }
      if (!/^\w+$/.test(line)) throw wrong(`expected a face or }, found ${shown(line)}`)
      brush.foreign = line
      at++
      skipForeign()
    }
    at++
    return brush
  }

  for (let line = next(); line !== null; line = next()) {
    if (line !== '{') throw wrong(`expected { of an entity, found ${shown(line)}`)
    const start = at + 1
    at++
    const properties = new Map<string, string>()
    const brushes: Brush[] = []
    for (line = inside('an entity'); line !== '}'; line = inside('an entity')) {
      if (line === '{') {
        brushes.push(readBrush(map.brushes.length + brushes.length))
        continue
      }
      const property = PROPERTY.exec(line)
      if (property === null) throw wrong(`expected "key" "value", { of a brush or }, found ${shown(line)}`)
      properties.set(property[1]!, property[2]!)
      at++
    }
    at++
    const classname = properties.get('classname') ?? 'unnamed'
    for (const brush of brushes) brush.classname = classname
    map.brushes.push(...brushes)
    const origin = properties.get('origin')
    if (brushes.length > 0 || origin === undefined) continue
    const numbers = ORIGIN.exec(origin)?.slice(1).map(Number)
    if (numbers === undefined || !numbers.every(Number.isFinite)) {
      throw new MapError(`line ${start}: the origin of this ${classname} is no point: ${shown(origin)}`)
    }
    map.entities.push({ classname, line: start, origin: { x: numbers[0]!, y: numbers[1]!, z: numbers[2]! } })
  }
  return map
}

const shown = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
