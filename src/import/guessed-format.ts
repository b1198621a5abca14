/**
 * Guesses the format of a file: by its outermost element or the fields of its outermost object, which all formats have
 * names of their own for; where those do not say it, by the end of its name. Only its first megabyte is looked at.
 */

import {
  IMPORT_3D_FORMATS,
  IMPORT_FORMATS,
  type Import3dFormat,
  type ImportFormat,
} from '../../schemas/scenes/import.ts'
import { CLOSE, kinds, OPEN, STRING, skipString } from '../json/input.ts'
import { type DecodeProblem, problemOf } from '../wire/decode-problem.ts'
import { isGlb } from './meshes/gltf-file.ts'
import { isBinaryStl } from './meshes/stl.ts'
import { ImportFault, type SourceFile, utf8Of } from './source-files.ts'

const MOST_BYTES = 2 ** 20

const OBJECT = 123
const COLON = 58
const LAST_SPACE = 32

/** What tells the formats of a dimension. */
interface Marks<Format> {
  readonly formats: readonly Format[]
  /** Of what is neither JSON nor XML: by its first bytes. */
  begins(bytes: Buffer): Format | null
  /** Names of fields of the outermost object of JSON, and values of its field `type`. */
  readonly fields: ReadonlyMap<string, Format>
  readonly types: ReadonlyMap<string, Format>
  /** Names of the outermost element of XML. */
  readonly elements: ReadonlyMap<string, Format>
  /** Ends of names. */
  readonly endings: ReadonlyMap<string, Format>
}

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
  ['tscn', 'godot'],
])

export const PLANE_MARKS: Marks<ImportFormat> = {
  formats: IMPORT_FORMATS,
  begins: (bytes) => (isGodot(bytes) ? 'godot' : null),
  fields: FIELDS,
  types: TYPES,
  elements: ELEMENTS,
  endings: ENDINGS,
}

/** A binary file, or a text whose lines say what it is. */
function spaceBegin(bytes: Buffer): Import3dFormat | null {
  if (isGlb(bytes)) return 'gltf'
  if (isGodot(bytes)) return 'godot'
  if (isQuake(bytes)) return 'map'
  const text = bytes.toString('latin1', 0, MOST_BEGIN)
  if (/^\s*solid\b[^\n]*\n\s*(facet|endsolid)\b/i.test(text) || isBinaryStl(bytes)) return 'stl'
  return /^(\s|#[^\n]*\n|(mtllib|o|g|s|usemtl)\b[^\n]*\n)*v\s+[-+.\de]+\s+[-+.\de]+\s/i.test(text) ? 'obj' : null
}

/** Bytes at the beginning of a text that are looked at. */
const MOST_BEGIN = 2 ** 13

export const SPACE_MARKS: Marks<Import3dFormat> = {
  formats: IMPORT_3D_FORMATS,
  begins: spaceBegin,
  fields: new Map([
    ...['asset', 'scenes', 'nodes', 'meshes', 'accessors', 'bufferViews'].map((name) => [name, 'gltf'] as const),
    ['bodies', 'json'],
  ]),
  types: new Map(),
  elements: new Map(),
  endings: new Map([
    ['glb', 'gltf'],
    ['gltf', 'gltf'],
    ['obj', 'obj'],
    ['stl', 'stl'],
    ['map', 'map'],
    ['tscn', 'godot'],
  ]),
}

function isGodot(bytes: Buffer): boolean {
  return /^\ufeff?(?:\s|;[^\n]*\n)*\[gd_scene\s/.test(bytes.toString('utf8', 0, MOST_BEGIN))
}

/** Comments and a version, then an entity that begins with a key, or is empty: JSON has a colon behind its first name. */
function isQuake(bytes: Buffer): boolean {
  const space = String.raw`(?:\s|(?:\/\/|[#;])[^\n]*\n)*`
  const start = new RegExp(`^\\ufeff?${space}(?:Version\\s+\\d+${space})?\\{${space}"[^"\\n]*"\\s*"`)
  return start.test(bytes.toString('utf8', 0, MOST_BEGIN))
}

/** Or why it cannot be told: then the request must say it. */
export function guessedFormat<Format>(file: SourceFile, marks: Marks<Format>): Format | DecodeProblem {
  const begun = marks.begins(Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.length))
  if (begun !== null) return begun
  let text: Buffer
  try {
    text = utf8Of({ name: file.name, bytes: file.bytes.subarray(0, MOST_BYTES) })
  } catch (error) {
    if (!(error instanceof ImportFault)) throw error
    return unknownFormat(file, marks, error.message)
  }
  const start = text.findIndex((byte) => byte > LAST_SPACE)
  if (start < 0 || (text[start] !== OBJECT && text[start] !== LESS))
    return byEnding(file, marks, 'It is neither JSON nor XML.')
  if (text[start] === OBJECT) {
    return (
      formatByFields(text, start, marks) ??
      byEnding(file, marks, 'It is JSON without a field that only one of the formats has.')
    )
  }
  const element = outermostElement(text)
  return (
    marks.elements.get(element.replace(/^.*:/, '')) ??
    byEnding(
      file,
      marks,
      element === '' ? 'It begins like XML.' : `Its outermost element is <${element.slice(0, 40)}>.`,
    )
  )
}

const LESS = 60

function byEnding<Format>(file: SourceFile, marks: Marks<Format>, why: string): Format | DecodeProblem {
  const ending = /\.([a-z]+)$/i.exec(file.name)?.[1].toLowerCase() ?? ''
  return marks.endings.get(ending) ?? unknownFormat(file, marks, why)
}

function unknownFormat<Format>({ name }: SourceFile, { formats }: Marks<Format>, why: string): DecodeProblem {
  const all = [formats.slice(0, -1).join(', '), formats.at(-1)].filter((part) => part !== '').join(' or ')
  const detail = `format is missing, and cannot be told from the name or content of ${name === '' ? 'the file' : JSON.stringify(name)}. ${why} Add format=${all}.`
  return problemOf('schema-violation', detail)
}

/** By the first field of the outermost object that says it; null where none does. */
function formatByFields<Format>(text: Buffer, start: number, { fields, types }: Marks<Format>): Format | null {
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
      const found = name === 'type' ? types.get(stringAt(text, skipSpace(text, colon + 1))) : fields.get(name)
      if (found !== undefined) return found
    }
    at = end - 1
  }
  return null
}

/** The text between the quotes; empty of another value. */
function stringAt(text: Buffer, at: number): string {
  return kinds[text[at]] === STRING ? text.toString('utf8', at + 1, skipString(text, at + 1, text.length) - 1) : ''
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
