/**
 * A layer of equal cells, solid where they have a value: as regions, or one box for each.
 * Frame: pixels of the editor.
 */

import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { ImportFault } from '../reading/import-fault.ts'
import { noteCount, noteStage } from '../reading/import-progress.ts'
import { cellGroups } from './cell-groups.ts'
import { cellPieces, type Grid } from './cell-pieces.ts'
import { type CellRegion, CellRegions } from './cells.ts'
import { type Drawing, type Drawn, draw, FEWER_OPERATIONS } from './drawing.ts'

export interface CellLayer extends Pick<Drawn, 'layer' | 'kind' | 'isHidden' | 'where'> {
  grid: Grid
  /** Place of the first cell of the grid, as the file counts; the origin is where the place 0, 0 begins. */
  first: { column: number; row: number }
  cellWidth: number
  cellHeight: number
  origin: Vec2
  /** Before the place of a cell in its key, where several layers have the same name. */
  prefix: string
  tagsOf(value: number): readonly string[]
}

/** Where cells that are joined are more pieces than one write takes: they may be taken together. */
export class TooManyPieces extends ImportFault {
  constructor(where: string) {
    super('too-many-operations', where, `Its joined cells are more bodies than one write makes. ${FEWER_OPERATIONS}`)
  }
}

export function drawCells(drawing: Drawing, layer: CellLayer, isMerged: boolean): void {
  const { grid } = layer
  const { progress } = drawing
  if (isMerged) {
    noteStage(progress, 'merging')
    const { groupSide: side, mostVertices, mostPieces, bodyCount } = drawing
    const left = mostPieces - bodyCount
    const pieces = cellPieces(grid, mostVertices, side === 0 ? left : Infinity)
    if (side === 0 && pieces.count > left) throw new TooManyPieces(layer.where)
    const regions = new CellRegions(grid, pieces)
    const groups = side === 0 ? null : cellGroups(regions, side)
    const count = groups?.length ?? regions.count
    if (count > left) throw new TooManyPieces(layer.where)
    drawing.merged += count
    if (groups === null) for (const region of regions) drawRegions(drawing, layer, [region])
    else
      for (const group of groups)
        drawRegions(
          drawing,
          layer,
          group.map((index) => regions.region(index)),
        )
    noteCount(progress, 'cells', drawing.cells)
    noteStage(progress, 'reading')
    return
  }
  for (let cell = 0; cell < grid.columns * grid.rows; cell++) {
    if (grid.values[cell] === 0) continue
    drawing.cells++
    drawCell(drawing, layer, cell % grid.columns, Math.floor(cell / grid.columns), grid.values[cell])
  }
  noteCount(progress, 'cells', drawing.cells)
}

const keyOf = ({ prefix, first }: CellLayer, column: number, row: number): string =>
  `${prefix}${first.column + column}.${first.row + row}`

function cornerOf({ origin, first, cellWidth, cellHeight }: CellLayer): Vec2 {
  return { x: origin.x + first.column * cellWidth, y: origin.y + first.row * cellHeight }
}

function drawCell(drawing: Drawing, layer: CellLayer, column: number, row: number, value: number): void {
  const { cellWidth: width, cellHeight: height, kind, tagsOf, layer: name, isHidden, where } = layer
  const origin = cornerOf(layer)
  draw(drawing, {
    layer: name,
    key: keyOf(layer, column, row),
    kind,
    shape: { type: 'box', width, height },
    position: { x: origin.x + (column + 0.5) * width, y: origin.y + (row + 0.5) * height },
    ...(isHidden && { isHidden }),
    tags: tagsOf(value),
    where,
  })
}

/** Several are one body. */
function drawRegions(drawing: Drawing, layer: CellLayer, regions: readonly CellRegion[]): void {
  const { kind, tagsOf, layer: name, isHidden, where } = layer
  const [{ value, column, row }] = regions
  for (const { count } of regions) drawing.cells += count
  draw(drawing, {
    layer: name,
    key: keyOf(layer, column, row),
    kind,
    ...(regions.length === 1 ? placedRegion(regions[0], layer, cornerOf(layer)) : compoundOfRegions(regions, layer)),
    ...(isHidden && { isHidden }),
    tags: tagsOf(value),
    where,
  })
}

function compoundOfRegions(regions: readonly CellRegion[], layer: CellLayer): Body2d {
  const children = regions.map((region) => placedRegion(region, layer, null))
  return { shape: { children, type: 'compound' }, position: cornerOf(layer) }
}

/** `origin`: null where the body that it is part of stands there. */
function placedRegion({ outer, holes }: CellRegion, layer: CellLayer, origin: Vec2 | null): Body2d {
  const { cellWidth, cellHeight } = layer
  if (outer.length === 4 && holes.length === 0) return boxOf(outer, origin ?? { x: 0, y: 0 }, layer)
  const inPixels = (ring: readonly Vec2[]): Vec2[] => ring.map(({ x, y }) => ({ x: x * cellWidth, y: y * cellHeight }))
  return {
    ...(origin !== null && { position: origin }),
    // in the order of canonical text
    shape: { ...(holes.length > 0 && { holes: holes.map(inPixels) }), outer: inPixels(outer), type: 'region' },
  }
}

/** Of four corners. */
function boxOf([a, b, c]: readonly Vec2[], origin: Vec2, { cellWidth, cellHeight }: CellLayer) {
  const width = Math.max(Math.abs(b.x - a.x), Math.abs(c.x - b.x)) * cellWidth
  const height = Math.max(Math.abs(b.y - a.y), Math.abs(c.y - b.y)) * cellHeight
  const position = { x: origin.x + ((a.x + c.x) / 2) * cellWidth, y: origin.y + ((a.y + c.y) / 2) * cellHeight }
  return { position, shape: { height, type: 'box', width } as const }
}
