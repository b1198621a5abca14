/**
 * A layer of equal cells, solid where they have a value: as regions, or one box for each.
 * Frame: pixels of the editor.
 */

import type { Vec2 } from '../../../schemas/vec2.ts'
import { noteCount, noteStage } from '../reading/import-progress.ts'
import type { Grid } from './cell-pieces.ts'
import { type CellRegion, cellRegions } from './cells.ts'
import { type Drawing, type Drawn, draw } from './drawing.ts'

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

export function drawCells(drawing: Drawing, layer: CellLayer, isMerged: boolean): void {
  const { grid } = layer
  const { progress } = drawing
  if (isMerged) {
    noteStage(progress, 'merging')
    for (const region of cellRegions(grid, drawing.mostVertices)) {
      drawing.cells += region.count
      drawing.merged++
      drawRegion(drawing, layer, region)
    }
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

function drawRegion(drawing: Drawing, layer: CellLayer, region: CellRegion): void {
  const { cellWidth, cellHeight, kind, tagsOf, layer: name, isHidden, where } = layer
  const origin = cornerOf(layer)
  const { value, outer, holes, column, row } = region
  const isBox = outer.length === 4 && holes.length === 0
  const inPixels = (ring: readonly Vec2[]): Vec2[] => ring.map(({ x, y }) => ({ x: x * cellWidth, y: y * cellHeight }))
  draw(drawing, {
    layer: name,
    key: keyOf(layer, column, row),
    kind,
    ...(isBox
      ? boxOf(outer, origin, layer)
      : {
          shape: { type: 'region', outer: inPixels(outer), ...(holes.length > 0 && { holes: holes.map(inPixels) }) },
          position: origin,
        }),
    ...(isHidden && { isHidden }),
    tags: tagsOf(value),
    where,
  })
}

/** Of four corners. */
function boxOf([a, b, c]: readonly Vec2[], origin: Vec2, { cellWidth, cellHeight }: CellLayer) {
  const width = Math.max(Math.abs(b.x - a.x), Math.abs(c.x - b.x)) * cellWidth
  const height = Math.max(Math.abs(b.y - a.y), Math.abs(c.y - b.y)) * cellHeight
  const position = { x: origin.x + ((a.x + c.x) / 2) * cellWidth, y: origin.y + ((a.y + c.y) / 2) * cellHeight }
  return { shape: { type: 'box', width, height } as const, position }
}
