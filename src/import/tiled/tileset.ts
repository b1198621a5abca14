/**
 * Tilesets of Tiled: what a tile is called, how large it is drawn, and its collision shapes.
 */

import { ImportFault } from '../reading/import-fault.ts'
import { asObject, type JsonObject, numberAt, objectsAt, textAt } from '../reading/json-fields.ts'
import { parseJsonFile } from '../reading/json-file.ts'
import { fileNamed, type SourceFile, type SourceFiles } from '../reading/source-files.ts'
import { isXmlFile, parseXmlFile } from '../reading/xml.ts'
import { tilesetOfXml } from './map-of-xml.ts'
import { classOf } from './properties.ts'

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
