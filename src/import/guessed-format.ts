/**
 * Guesses the format of a file: by its outermost element or the fields of its outermost object, which all formats have
 * names of their own for; where those do not say it, by the end of its name. Only its first megabyte is looked at.
 */

import type { ImportFormat } from '../../schemas/scenes/import.ts'
import { CLOSE, kinds, OPEN, STRING, skipString } from '../json/input.ts'
import { type DecodeProblem, problemOf } from '../wire/decode-problem.ts'
import { ImportFault, type SourceFile, utf8Of } from './source-files.ts'

const MOST_BYTES = 2 ** 20

const OBJECT = 123
const COLON = 58
const LAST_SPACE = 32

const FIELDS: ReadonlyMap<string, ImportFormat> = new Map([
  ...[
    'layers',
    'tilesets',
    'tilewidth',
    'tileheight',
    'orientation',
    'infinite',
    'tiledversion',
    'maps',
    'patterns',
  ].map((name) => [name, 'tiled'] as const),
  ...['levels', 'worlds', 'worldLayout', 'defs', 'jsonVersion', '__header__'].map((name) => [name, 'ldtk'] as const),
  ...['features', 'geometry', 'coordinates', 'geometries'].map((name) => [name, 'geojson'] as const),
  ['bodies', 'json'],
])
/** Values of the field `type`. */
const TYPES: ReadonlyMap<string, ImportFormat> = new Map([
  ['map', 'tiled'],
  ['world', 'tiled'],
  ...'FeatureCollection Feature Point LineString Polygon MultiPoint MultiLineString MultiPolygon GeometryCollection'
    .split(' ')
    .map((name) => [name, 'geojson'] as const),
])
const ELEMENTS: ReadonlyMap<string, ImportFormat> = new Map([
  ['map', 'tiled'],
  ['svg', 'svg'],
])
const ENDINGS: ReadonlyMap<string, ImportFormat> = new Map([
  ['tmx', 'tiled'],
  ['tmj', 'tiled'],
  ['world', 'tiled'],
  ['ldtk', 'ldtk'],
  ['geojson', 'geojson'],
  ['svg', 'svg'],
])

/** Or why it cannot be told: then the request must say it. */
export function guessedFormat(file: SourceFile): ImportFormat | DecodeProblem {
  let text: Buffer
  try {
    text = utf8Of({ name: file.name, bytes: file.bytes.subarray(0, MOST_BYTES) })
  } catch (error) {
    if (!(error instanceof ImportFault)) throw error
    return unknownFormat(file, error.message)
  }
  const start = text.findIndex((byte) => byte > LAST_SPACE)
  if (start < 0 || (text[start] !== OBJECT && text[start] !== LESS))
    return byEnding(file, 'It is neither JSON nor XML.')
  if (text[start] === OBJECT) {
    return formatByFields(text, start) ?? byEnding(file, 'It is JSON without a field that only one of the formats has.')
  }
  const element = outermostElement(text)
  return (
    ELEMENTS.get(element.replace(/^.*:/, '')) ??
    byEnding(file, element === '' ? 'It begins like XML.' : `Its outermost element is <${element.slice(0, 40)}>.`)
  )
}

const LESS = 60

function byEnding(file: SourceFile, why: string): ImportFormat | DecodeProblem {
  const ending = /\.([a-z]+)$/i.exec(file.name)?.[1].toLowerCase() ?? ''
  return ENDINGS.get(ending) ?? unknownFormat(file, why)
}

function unknownFormat({ name }: SourceFile, why: string): DecodeProblem {
  const detail = `format is missing, and cannot be told from the name or content of ${name === '' ? 'the file' : JSON.stringify(name)}. ${why} Add format=tiled, world, ldtk, geojson, svg or json.`
  return problemOf('schema-violation', detail)
}

/** By the first field of the outermost object that says it; null where none does. */
function formatByFields(text: Buffer, start: number): ImportFormat | null {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const kind = kinds[text[at]]
    if (kind === OPEN) depth++
    else if (kind === CLOSE) depth--
    if (depth === 0) return null
    if (kind !== STRING) continue
    const end = skipString(text, at + 1, text.length)
    const colon = skipSpace(text, end)
    if (depth === 1 && text[colon] === COLON) {
      const name = text.toString('utf8', at + 1, end - 1)
      const found = name === 'type' ? formatByType(text, skipSpace(text, colon + 1)) : FIELDS.get(name)
      if (found !== undefined) return found
    }
    at = end - 1
  }
  return null
}

function formatByType(text: Buffer, at: number): ImportFormat | undefined {
  if (kinds[text[at]] !== STRING) return undefined
  return TYPES.get(text.toString('utf8', at + 1, skipString(text, at + 1, text.length) - 1))
}

function skipSpace(text: Buffer, at: number): number {
  while (at < text.length && text[at] <= LAST_SPACE) at++
  return at
}

/** Its name; empty where there is none. */
function outermostElement(bytes: Buffer): string {
  const text = bytes.toString()
  let at = 0
  for (;;) {
    at = text.indexOf('<', at)
    if (at < 0) return ''
    const [open, close] = [
      ['<!--', '-->'],
      ['<?', '?>'],
      ['<!', '>'],
    ].find(([mark]) => text.startsWith(mark, at)) ?? ['', '']
    if (open === '') return /^<([^\s<>/]*)/.exec(text.slice(at, at + 200))?.[1] ?? ''
    let end = text.indexOf(close, at + open.length)
    // a document type may have declarations of its own
    const inner = open === '<!' ? text.indexOf('[', at) : -1
    if (inner >= 0 && inner < end) end = text.indexOf('>', Math.max(inner, text.indexOf(']', inner)))
    if (end < 0) return ''
    at = end + close.length
  }
}
