/**
 * Tilesets of Tiled: what a tile is called, how large it is drawn, and its collision shapes.
 */

import { asObject, type JsonObject, numberAt, objectsAt, parseJsonFile, textAt } from './json-file.ts'
import { fileNamed, ImportFault, type LongText, type SourceFile, type SourceFiles } from './source-files.ts'
import { isXmlFile, parseXmlFile, type XmlElement } from './xml.ts'

export interface Tile {
  className: string
  width: number
  height: number
  /** The objects of its collision editor, from the upper left corner of the tile. */
  collisions: JsonObject[]
  /** As its tileset has it. */
  given: JsonObject
  where: string
}

export interface Tileset {
  first: number
  /** Base name of the file that it came from; empty for those that lie in the map. */
  source: string
  name: string
  tileWidth: number
  tileHeight: number
  offsetX: number
  offsetY: number
  /** Where the position of a tile object lies on it; empty where the map's orientation says so. */
  alignment: string
  /** Whether tiles are drawn in the size of the map's cells. */
  isGridSized: boolean
  /** Whether tiles that are drawn in another size keep their form. */
  keepsAspect: boolean
  /** The cell that objects on tiles are projected over; null where they are not. */
  isometricGrid: { width: number; height: number } | null
  tiles: Map<number, Tile>
}

/** Tilesets of a map. */
const MOST_TILESETS = 4096

export function readTilesets(files: SourceFiles, map: JsonObject): Tileset[] {
  const entries = objectsAt(map, 'tilesets', '')
  if (entries.length > MOST_TILESETS) {
    throw new ImportFault(
      'import-malformed',
      '/tilesets',
      `There are ${entries.length}; at most ${MOST_TILESETS} are read.`,
    )
  }
  const known = new Map<SourceFile, Tileset>()
  return entries.map((entry, k) => readTileset(files, entry, `/tilesets/${k}`, known)).sort((a, b) => a.first - b.first)
}

/** One that is given in full, or by the file that has it; `known`: files that have been read. */
export function readTileset(
  files: SourceFiles,
  entry: JsonObject,
  where: string,
  known = new Map<SourceFile, Tileset>(),
): Tileset {
  const first = numberAt(entry, 'firstgid', where)
  if (entry.source === undefined) return tilesetOf(entry, first, '', where)
  const file = fileNamed(files, textAt(entry, 'source', where), where, 'tileset')
  const tileset = known.get(file) ?? tilesetOf(tilesetFile(file), first, file.name, file.name)
  known.set(file, tileset)
  return { ...tileset, first }
}

function tilesetFile(file: SourceFile): JsonObject {
  if (!isXmlFile(file)) return parseJsonFile(file, [])
  const root = parseXmlFile(file)
  if (root.name === 'tileset') return tilesetOfXml(root)
  throw new ImportFault('import-malformed', file.name, `It must be a tileset, got <${root.name}>.`)
}

function tilesetOf(tileset: JsonObject, first: number, source: string, where: string): Tileset {
  const tileWidth = numberAt(tileset, 'tilewidth', where)
  const tileHeight = numberAt(tileset, 'tileheight', where)
  const offset = tileset.tileoffset === undefined ? {} : asObject(tileset.tileoffset, `${where}/tileoffset`)
  const name = textAt(tileset, 'name', where, source)
  const tiles = tilesOf(tileset, where).map((tile, k): [number, Tile] => {
    const id = numberAt(tile, 'id', `${where}/tiles/${k}`)
    return [id, tileOf(tile, tileWidth, tileHeight, `tileset ${name}, tile ${id}`)]
  })
  return {
    first,
    source,
    name,
    tileWidth,
    tileHeight,
    offsetX: numberAt(offset, 'x', where, 0),
    offsetY: numberAt(offset, 'y', where, 0),
    alignment: textAt(tileset, 'objectalignment', where, 'unspecified').replace('unspecified', ''),
    isGridSized: tileset.tilerendersize === 'grid',
    keepsAspect: tileset.fillmode === 'preserve-aspect-fit',
    isometricGrid: isometricGridOf(tileset, tileWidth, tileHeight, where),
    tiles: new Map(tiles),
  }
}

/** A list since Tiled 1.2; by their ids before. */
function tilesOf(tileset: JsonObject, where: string): JsonObject[] {
  const { tiles } = tileset
  if (tiles === undefined || tiles === null || Array.isArray(tiles)) return objectsAt(tileset, 'tiles', where)
  return Object.entries(asObject(tiles, `${where}/tiles`)).map(([id, tile]) => {
    return { ...asObject(tile, `${where}/tiles/${id}`), id: Number(id) }
  })
}

function isometricGridOf(tileset: JsonObject, tileWidth: number, tileHeight: number, where: string) {
  if (tileset.grid === undefined) return null
  const place = `${where}/grid`
  const grid = asObject(tileset.grid, place)
  if (grid.orientation !== 'isometric') return null
  const width = numberAt(grid, 'width', place, tileWidth)
  const height = numberAt(grid, 'height', place, tileHeight)
  if (width > 0 && height > 0) return { width, height }
  throw new ImportFault('import-malformed', place, `Cells of ${width} × ${height} pixels have no size.`)
}

function tileOf(tile: JsonObject, width: number, height: number, where: string): Tile {
  const group = tile.objectgroup === undefined ? {} : asObject(tile.objectgroup, where)
  return {
    className: classOf(tile, where),
    width: numberAt(tile, 'width', where, numberAt(tile, 'imagewidth', where, width)),
    height: numberAt(tile, 'height', where, numberAt(tile, 'imageheight', where, height)),
    // Texts may be written on tiles, and are no shapes.
    collisions: objectsAt(group, 'objects', where).filter(({ text }) => text === undefined),
    given: tile,
    where,
  }
}

/** The bits of a global id that say how a tile is turned over. */
const FLIPPED_X = 0x80000000
const FLIPPED_Y = 0x40000000
const FLIPPED_DIAGONALLY = 0x20000000
const TURNED_120 = 0x10000000
const ID_BITS = 0x0fffffff

export interface PlacedTile {
  tileset: Tileset
  tile: Tile
  flipX: boolean
  flipY: boolean
  /** Over the diagonal from the upper left, before the others; of hexagons a turn by 60 degrees. */
  flipDiagonally: boolean
  turn120: boolean
}

/** Null for no tile; a fault where no tileset has it. */
export function tileById(tilesets: readonly Tileset[], gid: number, where: string): PlacedTile | null {
  const id = (gid & ID_BITS) >>> 0
  if (id === 0) return null
  const tileset = tilesets.findLast(({ first }) => first <= id)
  if (tileset === undefined) throw new ImportFault('import-malformed', where, `No tileset has the tile ${id}.`)
  const local = id - tileset.first
  const tile = tileset.tiles.get(local) ?? {
    className: '',
    width: tileset.tileWidth,
    height: tileset.tileHeight,
    collisions: [],
    given: {},
    where: `tileset ${tileset.name}, tile ${local}`,
  }
  return {
    tileset,
    tile,
    flipX: (gid & FLIPPED_X) !== 0,
    flipY: (gid & FLIPPED_Y) !== 0,
    flipDiagonally: (gid & FLIPPED_DIAGONALLY) !== 0,
    turn120: (gid & TURNED_120) !== 0,
  }
}

// Custom properties and classes, which people give to objects, layers and tiles of a map.
//
// Properties are a list since Tiled 1.2, an object before. Items of lists (1.12) carry their types, which data do not need. What is
// called `type` was called `class` by Tiled 1.9.

/** The properties of something by their names. */
export function propertiesOf(object: JsonObject, where: string): JsonObject {
  const { properties } = object
  if (properties === undefined || properties === null || Array.isArray(properties)) {
    const list = objectsAt(object, 'properties', where)
    return Object.fromEntries(list.map((property) => [textAt(property, 'name', where), plainValue(property.value)]))
  }
  return asObject(properties, `${where}/properties`)
}

/** Without the types of items. Values of classes may hold lists, and lists values of classes. */
function plainValue(value: unknown, depth = 0): unknown {
  if (value === undefined || value === null) return null
  if (typeof value !== 'object' || depth === MOST_DEPTH) return value
  if (Array.isArray(value)) return value.map((item) => plainValue(isItem(item) ? item.value : item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainValue(member, depth + 1)]))
}

/** Deeper values stay as they are. */
const MOST_DEPTH = 64

function isItem(item: unknown): item is { value: unknown } {
  return typeof item === 'object' && item !== null && 'value' in item && 'type' in item
}

/** Empty where it has none. */
export function classOf(object: JsonObject, where: string): string {
  return textAt(object, 'class', where, '') || textAt(object, 'type', where, '')
}

// Maps, tilesets and templates of Tiled in XML, as Tiled writes the same in JSON: what imports them reads one of the two.
// Source: the TMX and JSON formats of Tiled 1.12 (https://doc.mapeditor.org).

/** Attributes that are numbers; those that say yes or no are 0 or 1. */
const NUMBERS =
  /^(id|gid|x|y|width|height|tilewidth|tileheight|firstgid|rotation|offsetx|offsety|hexsidelength|skewx|skewy|columns|tilecount|startx|starty|imagewidth|imageheight)$/
const FLAGS = /^(visible|infinite)$/

const LAYERS: Readonly<Record<string, string>> = {
  layer: 'tilelayer',
  objectgroup: 'objectgroup',
  imagelayer: 'imagelayer',
  group: 'group',
}

function attributesOf({ attributes }: XmlElement): JsonObject {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      NUMBERS.test(name) ? numberOr(value) : FLAGS.test(name) ? value !== '0' && value !== 'false' : value,
    ]),
  )
}

/** A text that is not a number stays as it is, so that the refusal can quote it. */
function numberOr(value: string): number | string {
  const number = Number(value)
  return value.trim() === '' || Number.isNaN(number) ? value : number
}

function childrenOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name)
}

export function mapOfXml(element: XmlElement): JsonObject {
  return {
    ...attributesOf(element),
    ...propertiesOfXml(element),
    layers: layersOf(element),
    tilesets: childrenOf(element, 'tileset').map(tilesetOfXml),
  }
}

export function templateOfXml(element: XmlElement): JsonObject {
  const [tileset] = childrenOf(element, 'tileset')
  const [object] = childrenOf(element, 'object')
  return {
    ...(tileset !== undefined && { tileset: attributesOf(tileset) }),
    ...(object !== undefined && { object: objectOf(object) }),
  }
}

function tilesetOfXml(element: XmlElement): JsonObject {
  const [offset] = childrenOf(element, 'tileoffset')
  const [grid] = childrenOf(element, 'grid')
  return {
    ...attributesOf(element),
    ...(offset !== undefined && { tileoffset: attributesOf(offset) }),
    ...(grid !== undefined && { grid: attributesOf(grid) }),
    tiles: childrenOf(element, 'tile').map(tileOfXml),
  }
}

function tileOfXml(element: XmlElement): JsonObject {
  const [image] = childrenOf(element, 'image')
  const [objects] = childrenOf(element, 'objectgroup')
  return {
    // The size of its own part of an image comes before that of the image.
    ...(image?.attributes.width !== undefined && { imagewidth: Number(image.attributes.width) }),
    ...(image?.attributes.height !== undefined && { imageheight: Number(image.attributes.height) }),
    ...attributesOf(element),
    ...propertiesOfXml(element),
    ...(objects !== undefined && { objectgroup: layerOf(objects) }),
  }
}

function layersOf(element: XmlElement): JsonObject[] {
  return element.children.filter(({ name }) => name in LAYERS).map(layerOf)
}

function layerOf(element: XmlElement): JsonObject {
  const [data] = childrenOf(element, 'data')
  return {
    ...attributesOf(element),
    ...propertiesOfXml(element),
    type: LAYERS[element.name],
    ...(element.name === 'group' && { layers: layersOf(element) }),
    ...(element.name === 'objectgroup' && { objects: childrenOf(element, 'object').map(objectOf) }),
    ...(data !== undefined && dataOf(data)),
  }
}

function dataOf(element: XmlElement): JsonObject {
  const { encoding, compression } = element.attributes
  const chunks = childrenOf(element, 'chunk')
  return {
    ...(encoding !== undefined && { encoding }),
    ...(compression !== undefined && { compression }),
    ...(chunks.length > 0
      ? { chunks: chunks.map((chunk) => ({ ...attributesOf(chunk), data: cellsOf(chunk, encoding) })) }
      : { data: cellsOf(element, encoding) }),
  }
}

function cellsOf(element: XmlElement, encoding: string | undefined): number[] | string | LongText {
  if (encoding !== undefined) return element.long ?? element.text
  return childrenOf(element, 'tile').map(({ attributes }) => Number(attributes.gid ?? 0))
}

function objectOf(element: XmlElement): JsonObject {
  const object: JsonObject = { ...attributesOf(element), ...propertiesOfXml(element) }
  for (const { name, attributes } of element.children) {
    if (name === 'ellipse' || name === 'point' || name === 'capsule') object[name] = true
    else if (name === 'polygon' || name === 'polyline') object[name] = pointsOf(attributes.points ?? '')
    else if (name === 'text') object.text = {}
  }
  return object
}

function pointsOf(text: string): JsonObject[] {
  const points: JsonObject[] = []
  for (const [pair] of text.matchAll(/\S+/g)) {
    const [x, y] = pair.split(',', 2).map(numberOr)
    points.push({ x, y })
  }
  return points
}

function propertiesOfXml(element: XmlElement): { properties?: JsonObject[] } {
  const [properties] = childrenOf(element, 'properties')
  if (properties === undefined) return {}
  return {
    properties: childrenOf(properties, 'property').map((property) => {
      const { name = '', type = 'string' } = property.attributes
      return { name, type, value: typedValue(property, type) }
    }),
  }
}

/** Of a property, or of an item of a list. */
function typedValue(element: XmlElement, type: string): unknown {
  const { value = element.text } = element.attributes
  switch (type) {
    case 'class':
      return classValue(element)
    case 'list':
      return childrenOf(element, 'item').map((item) => {
        const { type: own = 'string' } = item.attributes
        return { type: own, value: typedValue(item, own) }
      })
    case 'bool':
      return value === 'true'
    case 'int':
    case 'float':
    case 'object':
      return numberOr(value)
    default:
      return value
  }
}

function classValue(element: XmlElement): JsonObject {
  const { properties = [] } = propertiesOfXml(element)
  return Object.fromEntries(properties.map(({ name, value }) => [name, value]))
}
