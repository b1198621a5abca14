/**
 * Layers of tiles of Tiled, in one piece or in chunks: solid cells of a grid, which may be joined, and tiles by their collision shapes.
 * Frame: pixels as the map is shown, y down. Cost O(cells).
 */

import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { after, translation } from '../drawing/affine.ts'
import { drawCells } from '../drawing/cell-layer.ts'
import { closedShape } from '../drawing/closed-shape.ts'
import { type Drawing, draw, skip } from '../drawing/drawing.ts'
import { ImportFault } from '../reading/import-fault.ts'
import { countAt, type JsonObject, numberAt, objectsAt } from '../reading/json-fields.ts'
import { hasNoCells, readCells } from './cell-data.ts'
import type { Projection } from './projection.ts'
import { fillsCell, type Size, shownTile, tileShape } from './shown-tile.ts'
import type { SolidCells } from './solid-cells.ts'
import { type PlacedTile, type Tileset, tileById } from './tileset.ts'

/** Most cells of a layer, and of all together, those between chunks among them. */
const MOST_CELLS = 2 ** 25
const MOST_ALL_CELLS = 2 ** 27

/** What layers of a map have in common. */
export interface TileRun {
  drawing: Drawing
  isMerged: boolean
  projection: Projection
  isHexagonal: boolean
  /** Layers lie in chunks; an empty one has none. */
  isInfinite: boolean
  solid: SolidCells
  tilesets: Tileset[]
  /** Of the grids of all layers so far. */
  cellCount: number
}

/** A layer where it is shown. */
export interface TileLayer {
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
  run.cellCount += columns * rows
  if (run.cellCount <= MOST_ALL_CELLS) return
  throw new ImportFault('import-malformed', where, `With this one the layers have more than ${MOST_ALL_CELLS} cells.`)
}

export function importTiles(run: TileRun, layer: JsonObject, placed: TileLayer, where: string): void {
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
    key: `${column}.${row}`,
    kind: 'tile',
    ...body,
    isHidden: layer.isHidden,
    tags: tile.className === '' ? [] : [`class:${tile.className}`],
    where: `${layer.where}, cell ${column}, ${row}`,
  })
  return null
}
