/**
 * Maps of Tiled, TMX or TMJ: objects, tile objects and tiles by their collision shapes, where Tiled shows them.
 *
 * Tilesets and templates lie in the map or are sent along. Layers lie in groups, whose offsets add up; hidden ones are taken. Tiles that
 * are solid all over are cells of a grid, which may be joined. Images and texts have no shape.
 * Source: the TMX and JSON formats of Tiled 1.12 (https://doc.mapeditor.org). Frame: pixels as the map is shown, y down.
 */

import type { Vec2 } from '../../../schemas/vec2.ts'
import { after, apply, translation, turn } from '../drawing/affine.ts'
import { drawCells } from '../drawing/cell-layer.ts'
import { type Drawing, draw, skip } from '../drawing/drawing.ts'
import { ImportFault } from '../reading/import-fault.ts'
import { asObject, countAt, type JsonObject, numberAt, objectsAt, parseFile, textAt } from '../reading/json-fields.ts'
import { baseName, fileNamed, isSent, type SourceFiles, textOf } from '../reading/source-files.ts'
import { parseXml } from '../reading/xml.ts'
import { readCells } from './cell-data.ts'
import { mapOfXml, templateOfXml } from './map-of-xml.ts'
import { anchorOf, objectShape } from './object-shape.ts'
import { type Projection, projectionOf } from './projection.ts'
import { classOf, propertiesOf } from './properties.ts'
import { fillsCell, type Size, shownOffset, shownTile, tileShape } from './shown-tile.ts'
import { isXml, type PlacedTile, readTileset, readTilesets, type Tileset, tileById } from './tileset.ts'

/** Most cells of a layer, and how deep groups may lie in groups. */
const MOST_CELLS = 2 ** 26
const MOST_GROUPS = 64

interface Import {
  files: SourceFiles
  drawing: Drawing
  isMerged: boolean
  projection: Projection
  isHexagonal: boolean
  tilesets: Tileset[]
  templates: Map<string, JsonObject>
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
  }
  importLayers(run, map, { x: 0, y: 0, isHidden: false, depth: 0 }, '')
}

function readMap({ main }: SourceFiles): JsonObject {
  const text = textOf(main)
  if (isXml(text)) {
    const root = parseXml(main.name, text)
    if (root.name === 'map') return mapOfXml(root)
    throw new ImportFault('import-malformed', main.name, `It must be a map of Tiled, got <${root.name}>.`)
  }
  const map = parseFile(main.name, text)
  if (map.layers !== undefined) return map
  if (map.maps !== undefined) {
    const message =
      'It is a world of Tiled, which only names maps: import each by itself, moved by offsetX and offsetY.'
    throw new ImportFault('import-malformed', main.name, message)
  }
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
      importObject(run, object, k, placed, `${where}/objects/${k}`)
    }
  } else if (type === 'tilelayer') importTiles(run, layer, placed, where)
  else if (type === 'imagelayer') skip(run.drawing, placed.where, 'image layer', 'Images have no shape.')
  else throw new ImportFault('import-malformed', `${where}/type`, `Layers of Tiled are not ${JSON.stringify(type)}.`)
}

/** `index` in its layer: old maps have no ids. */
function importObject(run: Import, given: JsonObject, index: number, layer: Layer, place: string): void {
  const { drawing, projection } = run
  const id = String(numberAt(given, 'id', place, index))
  const object = withTemplate(run, given, place)
  if (object === null) {
    const why = `It is made from the template ${JSON.stringify(given.template)}, which was not sent.`
    skip(drawing, `${layer.where}, object ${id}`, 'object', why)
    return
  }
  const name = textAt(object, 'name', place, '')
  const where = `${layer.where}, object ${id}${name === '' ? '' : ` ${name}`}`
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
  const text = textOf(file)
  const template = isXml(text) ? templateOfXml(parseXml(file.name, text)) : parseFile(file.name, text)
  const object = asObject(template.object, `${file.name}/object`)
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

/** A layer of cells, or one of the pieces of an infinite one. */
interface Piece {
  column: number
  row: number
  columns: number
  rows: number
  cells: Uint32Array
}

function piecesOf(layer: JsonObject, where: string): Piece[] {
  const pieceOf = (piece: JsonObject, place: string): Piece => {
    const columns = countAt(piece, 'width', place, MOST_CELLS)
    const rows = countAt(piece, 'height', place, MOST_CELLS)
    if (columns * rows > MOST_CELLS)
      throw new ImportFault('import-malformed', place, `It has more than ${MOST_CELLS} cells.`)
    const at = { column: numberAt(piece, 'x', place, 0), row: numberAt(piece, 'y', place, 0) }
    return { ...at, columns, rows, cells: readCells(piece.data, layer, columns * rows, `${place}/data`) }
  }
  if (layer.chunks === undefined) return layer.data === undefined ? [] : [pieceOf(layer, where)]
  return objectsAt(layer, 'chunks', where).map((chunk, k) => pieceOf(chunk, `${where}/chunks/${k}`))
}

function importTiles(run: Import, layer: JsonObject, placed: Layer, where: string): void {
  const { projection, drawing, isMerged } = run
  const pieces = piecesOf(layer, where).filter(({ cells }) => cells.some((gid) => gid !== 0))
  if (pieces.length === 0) return
  const box = boxOf(pieces)
  if (box.columns * box.rows > MOST_CELLS) {
    throw new ImportFault('import-malformed', where, `Its chunks lie farther apart than ${MOST_CELLS} cells reach.`)
  }
  // Solid cells by the classes of their tiles, from 1 on.
  const classes: string[] = []
  const values = projection.isGrid ? new Int32Array(box.columns * box.rows) : null
  const used = new Map<number, UsedTile | null>()
  for (const { column, row, columns, cells } of pieces) {
    for (let k = 0; k < cells.length; k++) {
      if (cells[k] === 0) continue
      let tile = used.get(cells[k])
      if (tile === undefined) {
        tile = usedTile(run, cells[k], classes, placed.where)
        used.set(cells[k], tile)
      }
      if (tile === null) continue
      const at = { column: column + (k % columns), row: row + Math.floor(k / columns) }
      if (values !== null && tile.value > 0) {
        values[(at.row - box.row) * box.columns + (at.column - box.column)] = tile.value
      } else drawTile(run, tile.placed, at.column, at.row, placed)
    }
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

interface UsedTile {
  placed: PlacedTile
  /** Of the cells that it fills, from 1 on, by its class; 0: it fills none. */
  value: number
}

function usedTile({ tilesets, projection }: Import, gid: number, classes: string[], where: string): UsedTile | null {
  const placed = tileById(tilesets, gid, where)
  if (placed === null) return null
  if (!(projection.isGrid && fillsCell(placed, cellSize(projection)))) return { placed, value: 0 }
  const { className } = placed.tile
  if (!classes.includes(className)) classes.push(className)
  return { placed, value: classes.indexOf(className) + 1 }
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

function drawTile(run: Import, placed: PlacedTile, column: number, row: number, layer: Layer): void {
  const { drawing, projection, isHexagonal } = run
  const { tileset, tile } = placed
  if (tile.collisions.length === 0) return
  const size = tileset.isGridSized ? cellSize(projection) : tile
  const corner = projection.cellCorner(column, row)
  const standing = translation(layer.origin.x + corner.x, layer.origin.y + corner.y)
  const body = tileShape(placed, after(standing, shownTile(placed, size, isHexagonal)))
  const where = `${layer.where}, cell ${column}, ${row}`
  if (body === null) return
  if (typeof body === 'string') {
    skip(drawing, where, 'tile', body)
    return
  }
  draw(drawing, {
    layer: layer.name,
    key: `${column}.${row}`,
    kind: 'tile',
    ...body,
    isHidden: layer.isHidden,
    tags: tile.className === '' ? [] : [`class:${tile.className}`],
    where,
  })
}
