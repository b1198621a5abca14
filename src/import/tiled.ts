/**
 * Maps of Tiled, TMX or TMJ, and worlds of them: objects, tile objects and tiles by their collision shapes, where Tiled shows them.
 *
 * Tilesets and templates lie in the map or are sent along. Layers lie in groups, whose offsets add up; hidden ones are taken. Tiles that
 * are solid all over are cells of a grid, which may be joined. Images and texts have no shape.
 * Source: the TMX and JSON formats of Tiled 1.12 (https://doc.mapeditor.org). Frame: pixels as the map is shown, y down.
 */

import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { after, apply, translation, turn } from './affine.ts'
import { drawCells, TooManyPieces } from './cell-layer.ts'
import { closedShape } from './closed-shape.ts'
import { type Drawing, draw, skip } from './drawing.ts'
import { asObject, countAt, type JsonObject, listAt, numberAt, objectsAt, parseJsonFile, textAt } from './json-file.ts'
import { baseName, fileNamed, ImportFault, isSent, type SourceFile, type SourceFiles } from './source-files.ts'
import { hasNoCells, readCells } from './tiled-cells.ts'
import { anchorOf, fillsCell, objectShape, type Size, shownOffset, shownTile, tileShape } from './tiled-object.ts'
import { type Projection, projectionOf } from './tiled-projection.ts'
import { mapsOfWorld } from './tiled-world.ts'
import {
  classOf,
  mapOfXml,
  type PlacedTile,
  propertiesOf,
  readTileset,
  readTilesets,
  type Tile,
  type Tileset,
  templateOfXml,
  tileById,
} from './tileset.ts'
import { isXmlFile, parseXmlFile } from './xml.ts'

/** How deep groups may lie in groups. */
const MOST_GROUPS = 64
/** Of a template: every object has them, and a body takes fewer as its data. */
const MOST_PROPERTIES = 1024
/** Fields that layers have their cells in. */
const LONG_FIELDS = ['data']

interface Import extends TileRun {
  files: SourceFiles
  templates: Map<string, JsonObject>
}

/** State that a layer inherits from the groups around it. */
interface Around {
  x: number
  y: number
  isHidden: boolean
  depth: number
}

export function importTiled(
  files: SourceFiles,
  { merge: isMerged, solid = [] }: { merge: boolean; solid?: readonly string[] },
  drawing: Drawing,
): void {
  const main = readFile(files.main)
  const common = { files, drawing, isMerged, solid: new SolidCells(solid), count: { cells: 0 } }
  if (main.layers !== undefined) importMap(common, main, { prefix: '', tags: [], where: '' }, { x: 0, y: 0 })
  else importWorld(common, main)
  common.solid.listUnmet(drawing)
}

type Common = Pick<Import, 'files' | 'drawing' | 'isMerged' | 'solid' | 'count'>

function importMap(common: Common, map: JsonObject, within: WithinWorld, { x, y }: Vec2): void {
  const run: Import = {
    ...common,
    within,
    projection: projectionOf(map),
    isHexagonal: map.orientation === 'hexagonal',
    isInfinite: map.infinite === true,
    tilesets: readTilesets(common.files, map),
    templates: new Map(),
  }
  importLayers(run, map, { x, y, isHidden: false, depth: 0 }, '')
}

/** A fault in a map is one of its file. */
function importWorld(common: Common, world: JsonObject): void {
  const maps = mapsOfWorld(common.files, world)
  if (maps.length === 0) skip(common.drawing, common.files.main.name, 'world', 'It names no map that was sent.')
  const read = new Map<SourceFile, JsonObject>()
  for (const { file, name, x, y } of maps) {
    const map = read.get(file) ?? readFile(file)
    read.set(file, map)
    if (map.layers === undefined) {
      throw new ImportFault('import-malformed', file.name, 'It is no map of Tiled: it has no layers.')
    }
    try {
      importMap(common, map, { prefix: `${name}.`, tags: [`map:${name}`], where: `map ${name}, ` }, { x, y })
    } catch (error) {
      if (!(error instanceof ImportFault) || error instanceof TooManyPieces) throw error
      throw new ImportFault(
        error.code,
        `${file.name}${error.where.startsWith('/') ? '' : ', '}${error.where}`,
        error.message,
      )
    }
  }
}

/** A map, or a world: one has layers, the other maps or patterns. */
function readFile(file: SourceFile): JsonObject {
  if (isXmlFile(file)) {
    const root = parseXmlFile(file)
    if (root.name === 'map') return mapOfXml(root)
    throw new ImportFault('import-malformed', file.name, `It must be a map of Tiled, got <${root.name}>.`)
  }
  const map = parseJsonFile(file, LONG_FIELDS)
  if (map.layers !== undefined || map.maps !== undefined || map.patterns !== undefined) return map
  throw new ImportFault('import-malformed', file.name, 'It is no map of Tiled: it has no layers.')
}

function importLayers(run: Import, holder: JsonObject, around: Around, where: string): void {
  for (const [k, layer] of objectsAt(holder, 'layers', where).entries()) {
    importLayer(run, layer, around, `${where}/layers/${k}`)
  }
}

function importLayer(run: Import, layer: JsonObject, around: Around, where: string): void {
  const name = textAt(layer, 'name', where, '')
  const type = textAt(layer, 'type', where)
  const x = around.x + numberAt(layer, 'offsetx', where, 0)
  const y = around.y + numberAt(layer, 'offsety', where, 0)
  const isHidden = around.isHidden || layer.visible === false
  if (type === 'group') {
    if (around.depth === MOST_GROUPS) {
      throw new ImportFault('import-malformed', where, `Groups lie in groups more than ${MOST_GROUPS} deep.`)
    }
    importLayers(run, layer, { x, y, isHidden, depth: around.depth + 1 }, where)
    return
  }
  const placed: TileLayer = { name, origin: { x, y }, isHidden, where: `${run.within.where}layer ${name}` }
  if (type === 'objectgroup') {
    for (const [k, object] of objectsAt(layer, 'objects', where).entries()) {
      importObject(run, object, k, placed, `${where}/objects/${k}`)
    }
  } else if (type === 'tilelayer') importTiles(run, layer, placed, where)
  else if (type === 'imagelayer') skip(run.drawing, placed.where, 'image layer', 'Images have no shape.')
  else throw new ImportFault('import-malformed', `${where}/type`, `Layers of Tiled are not ${JSON.stringify(type)}.`)
}

/** `index` in its layer: old maps have no ids. */
function importObject(run: Import, given: JsonObject, index: number, layer: TileLayer, place: string): void {
  const { drawing, projection } = run
  const id = String(numberAt(given, 'id', place, index))
  const object = withTemplate(run, given, place)
  if (object === null) {
    const why = `It is made from the template ${JSON.stringify(given.template)}, which was not sent.`
    skip(drawing, `${layer.where}, object ${id}`, 'object', why)
    return
  }
  const name = textAt(object, 'name', place, '')
  const points = listAt(object, object.polygon === undefined ? 'polyline' : 'polygon', place)
  const where = `${layer.where}, object ${id}${name === '' ? '' : ` ${name}`}`
  if (points.length > drawing.mostVertices) {
    skip(drawing, where, 'object', `It has ${points.length} points; a shape has at most ${drawing.mostVertices}.`)
    return
  }
  const placed = object.gid === undefined ? null : tileById(run.tilesets, numberAt(object, 'gid', place), where)
  const shown = after(translation(layer.origin.x, layer.origin.y), projection.objects)
  const body = placed === null ? objectShape(object, shown, place) : tileObject(run, object, placed, layer, place)
  if (typeof body === 'string') {
    skip(drawing, where, object.text === undefined ? 'object' : 'text', body)
    return
  }
  const className = classOf(object, place) || (placed?.tile.className ?? '')
  draw(drawing, {
    layer: layer.name,
    key: run.within.prefix + id,
    kind: 'object',
    ...body,
    isHidden: layer.isHidden || object.visible === false,
    tags: [
      ...run.within.tags,
      ...(className === '' ? [] : [`class:${className}`]),
      ...(name === '' ? [] : [`name:${name}`]),
    ],
    data: propertiesOf(object, place),
    where,
  })
}

/** A tile where an object is: its collision shapes, or its rectangle. */
function tileObject(run: Import, object: JsonObject, placed: PlacedTile, { origin }: TileLayer, where: string) {
  const { projection, isHexagonal } = run
  const { tileset, tile } = placed
  const width = numberAt(object, 'width', where, tile.width)
  const height = numberAt(object, 'height', where, tile.height)
  if (!(width > 0 && height > 0 && tile.width > 0 && tile.height > 0)) return 'A tile without a size has no shape.'
  const size = { width, height }
  const at = apply(projection.objects, { x: numberAt(object, 'x', where, 0), y: numberAt(object, 'y', where, 0) })
  const corner = anchorOf(tileset.alignment || projection.alignment, width, height)
  const standing = after(
    translation(origin.x + at.x, origin.y + at.y),
    after(turn(numberAt(object, 'rotation', where, 0)), translation(corner.x, corner.y)),
  )
  const foot = after(standing, translation(0, height))
  const offset = shownOffset(placed, size)
  return (
    tileShape(placed, after(foot, shownTile(placed, size, isHexagonal))) ??
    objectShape(size, after(standing, translation(offset.x, offset.y)), where)
  )
}

/** The object, with what it does not say taken from its template; null where that is missing: the rest of the map is there without. */
function withTemplate(run: Import, object: JsonObject, where: string): JsonObject | null {
  if (object.template === undefined) return object
  const path = textAt(object, 'template', where)
  const name = baseName(path)
  let template = run.templates.get(name)
  if (template === undefined) {
    if (!isSent(run.files, path)) return null
    template = readTemplate(run, path, where)
    run.templates.set(name, template)
  }
  const properties = { ...propertiesOf(template, path), ...propertiesOf(object, where) }
  const className = classOf(object, where) || classOf(template, path)
  return { ...template, ...object, properties, class: className }
}

function readTemplate(run: Import, path: string, where: string): JsonObject {
  const file = fileNamed(run.files, path, where, 'template')
  const template = isXmlFile(file) ? templateOfXml(parseXmlFile(file)) : parseJsonFile(file, [])
  const object = asObject(template.object, `${file.name}/object`)
  const properties = propertiesOf(object, file.name)
  if (Object.keys(properties).length > MOST_PROPERTIES) {
    throw new ImportFault('import-malformed', file.name, `Templates have at most ${MOST_PROPERTIES} properties.`)
  }
  const plain = { ...object, properties }
  if (object.gid === undefined || template.tileset === undefined) return plain
  const entry = asObject(template.tileset, `${file.name}/tileset`)
  const gid = numberAt(object, 'gid', file.name)
  const first = numberAt(entry, 'firstgid', file.name)
  return { ...plain, gid: gid - first + firstOf(run, entry, file.name) }
}

/** The first id of a tileset that a template names, which the map may not have. */
function firstOf(run: Import, entry: JsonObject, where: string): number {
  const source = baseName(textAt(entry, 'source', where))
  const known = run.tilesets.find((tileset) => baseName(tileset.source) === source)
  if (known !== undefined) return known.first
  const last = run.tilesets.at(-1)
  const first = last === undefined ? 1 : last.first + 2 ** 20
  run.tilesets.push(readTileset(run.files, { ...entry, firstgid: first }, where))
  return first
}

// Layers of tiles of Tiled, in one piece or in chunks: solid cells of a grid, which may be joined, and tiles by their collision shapes.
// Frame: pixels as the map is shown, y down. Cost O(cells).

/** Most cells of a layer, and of all together, those between chunks among them. */
const MOST_CELLS = 2 ** 25
const MOST_ALL_CELLS = 2 ** 27

/** Common input of all layers of a map. */
interface TileRun {
  drawing: Drawing
  isMerged: boolean
  projection: Projection
  isHexagonal: boolean
  /** Layers lie in chunks; an empty one has none. */
  isInfinite: boolean
  solid: SolidCells
  tilesets: Tileset[]
  /** Of the grids of all layers so far, those of other maps of a world among them. */
  count: { cells: number }
  within: WithinWorld
}

/** What tells bodies of a map from those of others of its world: before their keys and places, and among their tags. */
interface WithinWorld {
  prefix: string
  tags: readonly string[]
  where: string
}

/** A layer where it is shown. */
interface TileLayer {
  name: string
  origin: Vec2
  isHidden: boolean
  where: string
}

/** A layer of cells, or one of the pieces of an infinite one. */
interface Piece {
  column: number
  row: number
  columns: number
  rows: number
  cells: Uint32Array
}

/** Where a piece begins, in cells; 0 where it does not say. */
function wholeAt(piece: JsonObject, field: 'x' | 'y', where: string): number {
  const value = numberAt(piece, field, where, 0)
  if (Number.isInteger(value)) return value
  throw new ImportFault('import-malformed', `${where}/${field}`, `It must be a whole number, got ${value}.`)
}

/** Those that have tiles. */
function piecesOf(run: TileRun, layer: JsonObject, where: string): Piece[] {
  const pieceOf = (piece: JsonObject, place: string): Piece => {
    const columns = countAt(piece, 'width', place, MOST_CELLS)
    const rows = countAt(piece, 'height', place, MOST_CELLS)
    noteCells(run, { columns, rows }, place, 'It has more')
    const at = { column: wholeAt(piece, 'x', place), row: wholeAt(piece, 'y', place) }
    return { ...at, columns, rows, cells: readCells(piece.data, layer, columns * rows, `${place}/data`) }
  }
  const isEmpty = layer.data === undefined || (run.isInfinite && hasNoCells(layer.data))
  const chunks = objectsAt(layer, 'chunks', where).map((chunk, k) => pieceOf(chunk, `${where}/chunks/${k}`))
  const given = layer.chunks != null || isEmpty ? chunks : [pieceOf(layer, where)]
  return given.filter(({ cells }) => cells.some((gid) => gid !== 0))
}

/** `what`: as the beginning of a sentence. */
function noteCells(
  run: TileRun,
  { columns, rows }: Pick<Piece, 'columns' | 'rows'>,
  where: string,
  what: string,
): void {
  if (columns * rows > MOST_CELLS) {
    throw new ImportFault(
      'import-malformed',
      where,
      `${what} than ${MOST_CELLS} cells${what.startsWith('It ') ? '' : ' reach'}.`,
    )
  }
  run.count.cells += columns * rows
  if (run.count.cells <= MOST_ALL_CELLS) return
  throw new ImportFault('import-malformed', where, `With this one the layers have more than ${MOST_ALL_CELLS} cells.`)
}

function importTiles(run: TileRun, layer: JsonObject, placed: TileLayer, where: string): void {
  const { projection, drawing, isMerged } = run
  const pieces = piecesOf(run, layer, where)
  if (pieces.length === 0) return
  const box = boxOf(pieces)
  const isWhole = pieces.length === 1
  if (!isWhole) noteCells(run, box, where, 'Its chunks lie farther apart')
  // Solid cells by the classes of their tiles, from 1 on. Those of a layer in one piece take the places of its tiles.
  const classes: string[] = []
  const values = projection.isGrid ? (isWhole ? pieces[0].cells : new Uint32Array(box.columns * box.rows)) : null
  const used = new Map<number, UsedTile | null>()
  const shapeless = new Map<number, Shapeless>()
  const isSolidLayer = run.solid.isLayer(placed.name, layer, where)
  const uses = { tiles: 0, shapes: 0 }
  for (const { column, row, columns, cells } of pieces) {
    let last = 0
    let tile: UsedTile | null = null
    for (let k = 0; k < cells.length; k++) {
      const gid = cells[k]
      if (gid === 0) continue
      if (gid !== last) {
        last = gid
        const known = used.get(gid)
        tile = known === undefined ? usedTile(run, gid, classes, isSolidLayer, placed.where) : known
        if (known === undefined) used.set(gid, tile)
      }
      if (values !== null && isWhole) values[k] = tile?.value ?? 0
      if (tile === null) continue
      uses.tiles++
      if (tile.isBare) continue
      uses.shapes++
      const line = Math.floor(k / columns)
      const at = { column: column + k - line * columns, row: row + line }
      if (values === null || tile.value === 0) {
        const why = drawTile(run, tile, at.column, at.row, placed)
        if (why !== null) note(shapeless, gid, why, at)
      } else if (!isWhole) values[(at.row - box.row) * box.columns + (at.column - box.column)] = tile.value
    }
  }
  for (const { why, first, count } of shapeless.values()) {
    const others = count === 1 ? '' : ` So it is with ${count - 1} more of its cells.`
    skip(drawing, `${placed.where}, cell ${first.column}, ${first.row}`, 'tile', why + others)
  }
  if (uses.shapes === 0 && uses.tiles > 0) skip(drawing, placed.where, 'tile layer', bareLayer(uses.tiles))
  if (values === null || classes.length === 0) return
  const { tileWidth, tileHeight } = projection
  drawCells(
    drawing,
    {
      layer: placed.name,
      prefix: run.within.prefix,
      kind: 'tile',
      grid: { columns: box.columns, rows: box.rows, values },
      first: { column: box.column, row: box.row },
      cellWidth: tileWidth,
      cellHeight: tileHeight,
      origin: placed.origin,
      isHidden: placed.isHidden,
      tagsOf: (value) => [...run.within.tags, ...(classes[value - 1] === '' ? [] : [`class:${classes[value - 1]}`])],
      where: placed.where,
    },
    isMerged,
  )
}

/** A tile that has no shape where it is: the first cell of a layer, and in how many. */
interface Shapeless {
  why: string
  first: { column: number; row: number }
  count: number
}

function note(shapeless: Map<number, Shapeless>, gid: number, why: string, first: Shapeless['first']): void {
  const known = shapeless.get(gid)
  if (known === undefined) shapeless.set(gid, { why, first, count: 1 })
  else known.count++
}

interface UsedTile {
  placed: PlacedTile
  /** It has no shape, and is not solid. */
  isBare: boolean
  /** Of the cells that it fills, from 1 on, by its class; 0: it fills none. */
  value: number
}

function usedTile(
  { tilesets, projection, solid }: TileRun,
  gid: number,
  classes: string[],
  isSolidLayer: boolean,
  where: string,
): UsedTile | null {
  const placed = tileById(tilesets, gid, where)
  if (placed === null) return null
  const { tile } = placed
  // each is asked: what is met is noted
  const isMarked = solid.isTile(tile)
  const isShapeless = tile.collisions.length === 0
  const isSolid = isShapeless && (isSolidLayer || isMarked)
  const used = { placed, isBare: isShapeless && !isSolid, value: 0 }
  if (!(projection.isGrid && (isSolid || fillsCell(placed, cellSize(projection))))) return used
  if (!classes.includes(tile.className)) classes.push(tile.className)
  return { ...used, value: classes.indexOf(tile.className) + 1 }
}

function bareLayer(count: number): string {
  const tiles = count === 1 ? 'Its only tile has' : `None of its ${count} tiles has`
  return `${tiles} ${count === 1 ? 'no' : 'a'} collision shape: draw them in Tiled’s collision editor, or say which cells are solid, by solid=layer:<name> or solid=property:<name>.`
}

function cellSize({ tileWidth, tileHeight }: Projection): Size {
  return { width: tileWidth, height: tileHeight }
}

function boxOf(pieces: readonly Piece[]): Omit<Piece, 'cells'> {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { column, row, columns, rows } of pieces) {
    left = Math.min(left, column)
    top = Math.min(top, row)
    right = Math.max(right, column + columns)
    bottom = Math.max(bottom, row + rows)
  }
  return { column: left, row: top, columns: right - left, rows: bottom - top }
}

/** A sentence where the tile has no shape there. */
function drawTile(run: TileRun, { placed }: UsedTile, column: number, row: number, layer: TileLayer): string | null {
  const { drawing, projection, isHexagonal } = run
  const { tileset, tile } = placed
  const size = tileset.isGridSized ? cellSize(projection) : tile
  const corner = projection.cellCorner(column, row)
  const at = { x: layer.origin.x + corner.x, y: layer.origin.y + corner.y }
  const body: Body2d | string = tileShape(
    placed,
    after(translation(at.x, at.y), shownTile(placed, size, isHexagonal)),
  ) ?? {
    shape: closedShape(projection.cellOutline),
    position: at,
  }
  if (typeof body === 'string') return body
  draw(drawing, {
    layer: layer.name,
    key: `${run.within.prefix}${column}.${row}`,
    kind: 'tile',
    ...body,
    isHidden: layer.isHidden,
    tags: [...run.within.tags, ...(tile.className === '' ? [] : [`class:${tile.className}`])],
    where: `${layer.where}, cell ${column}, ${row}`,
  })
  return null
}

// Cells that are solid because the import says so, as games that are built on Tiled do: all tiles of a layer, or those with
// a property. They fill their cells, however large their tiles are drawn. Tiles with collision shapes of their own keep those.

const LAYER = 'layer:'
const PROPERTY = 'property:'

class SolidCells {
  readonly #layers = new Set<string>()
  readonly #properties = new Set<string>()
  /** Rules that have made no cell solid so far. */
  readonly #unmet: Set<string>

  /** `rules`: `layer:<name>` and `property:<name>`. */
  constructor(rules: readonly string[]) {
    for (const rule of rules) {
      if (rule.startsWith(LAYER)) this.#layers.add(rule.slice(LAYER.length))
      else this.#properties.add(rule.slice(PROPERTY.length))
    }
    this.#unmet = new Set(rules)
  }

  /** Whether all tiles of a layer are solid: it is named, or has a property that is. */
  isLayer(name: string, layer: JsonObject, where: string): boolean {
    const isNamed = this.#layers.has(name)
    if (isNamed) this.#unmet.delete(LAYER + name)
    return this.#isMarked(layer, where) || isNamed
  }

  isTile({ given, where }: Tile): boolean {
    return this.#isMarked(given, where)
  }

  /** Lists what was asked for and is not in the map. */
  listUnmet(drawing: Drawing): void {
    for (const rule of this.#unmet) {
      const why = rule.startsWith(LAYER)
        ? 'The map has no tile layer of this name with tiles in it.'
        : 'No tile that the map uses, and no tile layer, has this property with a value that means yes.'
      skip(drawing, `solid=${rule}`, 'parameter', why)
    }
  }

  /** Whether a property that is asked for says yes; all that do are met. */
  #isMarked(holder: JsonObject, where: string): boolean {
    if (this.#properties.size === 0) return false
    const properties = propertiesOf(holder, where)
    const met = [...this.#properties].filter((name) => Object.hasOwn(properties, name) && isYes(properties[name]))
    for (const name of met) this.#unmet.delete(PROPERTY + name)
    return met.length > 0
  }
}

/** Of all that a property may be, what says no: false, 0, nothing, and the words for it. */
function isYes(value: unknown): boolean {
  return typeof value === 'string' ? !/^\s*(?:false|no|off|0*)\s*$/i.test(value) : Boolean(value)
}
