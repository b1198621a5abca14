/**
 * Maps of Tiled, TMX or TMJ: objects, tile objects and tiles by their collision shapes, where Tiled shows them.
 *
 * Tilesets and templates lie in the map or are sent along. Layers lie in groups, whose offsets add up; hidden ones are taken. Tiles that
 * are solid all over are cells of a grid, which may be joined. Images and texts have no shape.
 * Source: the TMX and JSON formats of Tiled 1.12 (https://doc.mapeditor.org). Frame: pixels as the map is shown, y down.
 */

import type { Vec2 } from '../../../schemas/vec2.ts'
import { after, translation, turn } from '../drawing/affine.ts'
import { drawCells } from '../drawing/cell-layer.ts'
import { type Drawing, draw, skip } from '../drawing/drawing.ts'
import { ImportFault } from '../reading/import-fault.ts'
import { asObject, countAt, type JsonObject, listAt, numberAt, objectsAt, textAt } from '../reading/json-fields.ts'
import { parseJsonFile } from '../reading/json-file.ts'
import { baseName, fileNamed, isSent, type SourceFiles } from '../reading/source-files.ts'
import { isXmlFile, parseXmlFile } from '../reading/xml.ts'
import { readCells } from './cell-data.ts'
import { mapOfXml, templateOfXml } from './map-of-xml.ts'
import { anchorOf, isSolid, objectShape, shownTile, tileShape } from './object-shape.ts'
import { type Projection, projectionOf } from './projection.ts'
import { type PlacedTile, readTileset, readTilesets, type Tileset, tileById } from './tileset.ts'

/** Most cells of a layer, and of all together, those between chunks among them; and how deep groups may lie in groups. */
const MOST_CELLS = 2 ** 25
const MOST_ALL_CELLS = 2 ** 27
const MOST_GROUPS = 64
/** Of a template: every object has them, and a body takes fewer as its data. */
const MOST_PROPERTIES = 1024
/** Fields that layers have their cells in. */
const LONG_FIELDS = ['data']

interface Import {
  files: SourceFiles
  drawing: Drawing
  isMerged: boolean
  projection: Projection
  isHexagonal: boolean
  tilesets: Tileset[]
  templates: Map<string, JsonObject>
  /** Of the grids of all layers so far. */
  cellCount: number
}

/** What a layer has from the groups around it. */
interface Around {
  x: number
  y: number
  isHidden: boolean
  depth: number
}

interface Layer {
  name: string
  origin: Vec2
  isHidden: boolean
  tags: string[]
  where: string
}

export function importTiled(files: SourceFiles, isMerged: boolean, drawing: Drawing): void {
  const map = readMap(files)
  const run: Import = {
    files,
    drawing,
    isMerged,
    projection: projectionOf(map),
    isHexagonal: map.orientation === 'hexagonal',
    tilesets: readTilesets(files, map),
    templates: new Map(),
    cellCount: 0,
  }
  importLayers(run, map, { x: 0, y: 0, isHidden: false, depth: 0 }, '')
}

function readMap({ main }: SourceFiles): JsonObject {
  if (isXmlFile(main)) {
    const root = parseXmlFile(main)
    if (root.name === 'map') return mapOfXml(root)
    throw new ImportFault('import-malformed', main.name, `It must be a map of Tiled, got <${root.name}>.`)
  }
  const map = parseJsonFile(main, LONG_FIELDS)
  if (map.layers !== undefined) return map
  throw new ImportFault('import-malformed', main.name, 'It is no map of Tiled: it has no layers.')
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
  const placed: Layer = { name, origin: { x, y }, isHidden, tags: [], where: `layer ${name}` }
  if (type === 'objectgroup') {
    for (const [k, object] of objectsAt(layer, 'objects', where).entries()) {
      importObject(run, object, placed, `${where}/objects/${k}`)
    }
  } else if (type === 'tilelayer') importTiles(run, layer, placed, where)
  else if (type === 'imagelayer') skip(run.drawing, placed.where, 'image layer', 'Images have no shape.')
  else throw new ImportFault('import-malformed', `${where}/type`, `Layers of Tiled are not ${JSON.stringify(type)}.`)
}

function importObject(run: Import, given: JsonObject, layer: Layer, place: string): void {
  const { drawing, projection } = run
  const id = String(numberAt(given, 'id', place))
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
  const className = textAt(object, 'class', place, textAt(object, 'type', place, '')) || (placed?.tile.className ?? '')
  draw(drawing, {
    layer: layer.name,
    key: id,
    kind: 'object',
    ...body,
    isHidden: layer.isHidden || object.visible === false,
    tags: [...(className === '' ? [] : [`class:${className}`]), ...(name === '' ? [] : [`name:${name}`])],
    data: propertiesOf(object, place),
    where,
  })
}

/** A tile where an object is: its collision shapes, or its rectangle. */
function tileObject(run: Import, object: JsonObject, placed: PlacedTile, { origin }: Layer, where: string) {
  const { projection, isHexagonal } = run
  const { tileset, tile } = placed
  const width = numberAt(object, 'width', where, tile.width)
  const height = numberAt(object, 'height', where, tile.height)
  if (!(width > 0 && height > 0 && tile.width > 0 && tile.height > 0)) return 'A tile without a size has no shape.'
  const at = after(projection.objects, translation(numberAt(object, 'x', where, 0), numberAt(object, 'y', where, 0)))
  const corner = anchorOf(tileset.alignment || projection.alignment, width, height)
  const scale = { x: width / tile.width, y: height / tile.height }
  const offset = { x: tileset.offsetX * scale.x, y: tileset.offsetY * scale.y }
  const standing = after(
    translation(origin.x + at.e, origin.y + at.f),
    after(turn(numberAt(object, 'rotation', where, 0)), translation(corner.x + offset.x, corner.y + offset.y)),
  )
  const shown = shownTile(placed, { width, height }, isHexagonal)
  return tileShape(placed, after(standing, shown.map)) ?? objectShape({ width, height }, standing, where)
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
  const properties = [...objectsAt(template, 'properties', where), ...objectsAt(object, 'properties', where)]
  return { ...template, ...object, ...(properties.length > 0 && { properties }) }
}

function readTemplate(run: Import, path: string, where: string): JsonObject {
  const file = fileNamed(run.files, path, where, 'template')
  const template = isXmlFile(file) ? templateOfXml(parseXmlFile(file)) : parseJsonFile(file, [])
  const object = asObject(template.object, `${file.name}/object`)
  if (listAt(object, 'properties', file.name).length > MOST_PROPERTIES) {
    throw new ImportFault('import-malformed', file.name, `Templates have at most ${MOST_PROPERTIES} properties.`)
  }
  if (object.gid === undefined || template.tileset === undefined) return object
  const entry = asObject(template.tileset, `${file.name}/tileset`)
  const gid = numberAt(object, 'gid', file.name)
  const first = numberAt(entry, 'firstgid', file.name)
  return { ...object, gid: gid - first + firstOf(run, entry, file.name) }
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

function propertiesOf(object: JsonObject, where: string): JsonObject {
  return Object.fromEntries(
    objectsAt(object, 'properties', where).map((property) => [textAt(property, 'name', where), property.value ?? null]),
  )
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
function piecesOf(run: Import, layer: JsonObject, where: string): Piece[] {
  const pieceOf = (piece: JsonObject, place: string): Piece => {
    const columns = countAt(piece, 'width', place, MOST_CELLS)
    const rows = countAt(piece, 'height', place, MOST_CELLS)
    noteCells(run, { columns, rows }, place, 'It has more')
    const at = { column: wholeAt(piece, 'x', place), row: wholeAt(piece, 'y', place) }
    return { ...at, columns, rows, cells: readCells(piece.data, layer, columns * rows, `${place}/data`) }
  }
  const given =
    layer.chunks === undefined
      ? layer.data === undefined
        ? []
        : [pieceOf(layer, where)]
      : objectsAt(layer, 'chunks', where).map((chunk, k) => pieceOf(chunk, `${where}/chunks/${k}`))
  return given.filter(({ cells }) => cells.some((gid) => gid !== 0))
}

/** `what`: as the beginning of a sentence. */
function noteCells(run: Import, { columns, rows }: Pick<Piece, 'columns' | 'rows'>, where: string, what: string): void {
  if (columns * rows > MOST_CELLS) {
    throw new ImportFault(
      'import-malformed',
      where,
      `${what} than ${MOST_CELLS} cells${what.startsWith('It ') ? '' : ' reach'}.`,
    )
  }
  run.cellCount += columns * rows
  if (run.cellCount <= MOST_ALL_CELLS) return
  throw new ImportFault('import-malformed', where, `With this one the layers have more than ${MOST_ALL_CELLS} cells.`)
}

function importTiles(run: Import, layer: JsonObject, placed: Layer, where: string): void {
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
  for (const { column, row, columns, cells } of pieces) {
    let last = 0
    let tile: UsedTile | null = null
    for (let k = 0; k < cells.length; k++) {
      const gid = cells[k]
      if (gid === 0) continue
      if (gid !== last) {
        last = gid
        const known = used.get(gid)
        tile = known === undefined ? usedTile(run, gid, classes, placed.where) : known
        if (known === undefined) used.set(gid, tile)
      }
      if (values !== null && isWhole) values[k] = tile?.value ?? 0
      if (tile === null) continue
      const line = Math.floor(k / columns)
      const at = { column: column + k - line * columns, row: row + line }
      if (values === null || tile.value === 0) {
        const why = drawTile(run, tile.placed, at.column, at.row, placed)
        if (why !== null) note(shapeless, gid, why, at)
      } else if (!isWhole) values[(at.row - box.row) * box.columns + (at.column - box.column)] = tile.value
    }
  }
  for (const { why, first, count } of shapeless.values()) {
    const others = count === 1 ? '' : ` So it is with ${count - 1} more of its cells.`
    skip(drawing, `${placed.where}, cell ${first.column}, ${first.row}`, 'tile', why + others)
  }
  if (values === null || classes.length === 0) return
  const { tileWidth, tileHeight } = projection
  drawCells(
    drawing,
    {
      layer: placed.name,
      prefix: '',
      kind: 'tile',
      grid: { columns: box.columns, rows: box.rows, values },
      first: { column: box.column, row: box.row },
      cellWidth: tileWidth,
      cellHeight: tileHeight,
      origin: placed.origin,
      isHidden: placed.isHidden,
      tagsOf: (value) => (classes[value - 1] === '' ? [] : [`class:${classes[value - 1]}`]),
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
  /** Of the cells that it fills, from 1 on, by its class; 0: it fills none. */
  value: number
}

function usedTile({ tilesets, projection }: Import, gid: number, classes: string[], where: string): UsedTile | null {
  const placed = tileById(tilesets, gid, where)
  if (placed === null) return null
  if (!(projection.isGrid && fillsCell(placed, projection))) return { placed, value: 0 }
  const { className } = placed.tile
  if (!classes.includes(className)) classes.push(className)
  return { placed, value: classes.indexOf(className) + 1 }
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

function fillsCell(placed: PlacedTile, { tileWidth, tileHeight }: Projection): boolean {
  const { tile, tileset } = placed
  const isInCell = tileset.offsetX === 0 && tileset.offsetY === 0
  const isSized = tileset.isGridSized || (tile.width === tileWidth && tile.height === tileHeight)
  return isInCell && isSized && isSolid(placed)
}

/** A sentence where the tile has no shape there. */
function drawTile(run: Import, placed: PlacedTile, column: number, row: number, layer: Layer): string | null {
  const { drawing, projection, isHexagonal } = run
  const { tileset, tile } = placed
  if (tile.collisions.length === 0) return null
  const size = tileset.isGridSized ? { width: projection.tileWidth, height: projection.tileHeight } : null
  const shown = shownTile(placed, size, isHexagonal)
  const corner = projection.cellCorner(column, row)
  const standing = translation(
    layer.origin.x + corner.x + tileset.offsetX,
    layer.origin.y + corner.y - shown.height + tileset.offsetY,
  )
  const body = tileShape(placed, after(standing, shown.map))
  if (body === null || typeof body === 'string') return body
  draw(drawing, {
    layer: layer.name,
    key: `${column}.${row}`,
    kind: 'tile',
    ...body,
    isHidden: layer.isHidden,
    tags: tile.className === '' ? [] : [`class:${tile.className}`],
    where: `${layer.where}, cell ${column}, ${row}`,
  })
  return null
}
