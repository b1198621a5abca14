// Merges the wall cells of a grid into regions: outlines with holes, one for each set of cells that are connected over
// their sides. Cells that meet only at a corner stay apart, and what they bound touches itself there.
//
// Method: the sides between a wall cell and one that is none are walked with the wall on the left, which traces outer
// outlines counter-clockwise (x to the right, y up; an editor with y down sees them clockwise) and holes clockwise. Where
// two cells of one region meet at a corner the walk turns right, over to the other cell, so that no ring meets itself: a
// hole that reaches the outside there is a ring of its own. Corners are named only where the outline turns.

export interface CellGrid {
  columns: number
  rows: number
  /** Side of a cell, and where the corner of cell (0, 0) lies. */
  size: number
  x: number
  y: number
  /** Row by row: 1 for a wall. */
  cells: Uint8Array
}

export interface Point {
  x: number
  y: number
}

export interface CellRegion {
  cellCount: number
  outer: Point[]
  holes: Point[][]
}

/** Headings 0 … 3: along x, along y, against x, against y; each is a left turn from the one before. */
const STEP_X = [1, 0, -1, 0]
const STEP_Y = [0, 1, 0, -1]
/** Column and row of the cell to the left of a side that starts at corner (0, 0). */
const LEFT_COLUMN = [0, -1, -1, 0]
const LEFT_ROW = [0, 0, -1, -1]

export function isWall({ columns, rows, cells }: CellGrid, column: number, row: number): boolean {
  return column >= 0 && column < columns && row >= 0 && row < rows && cells[row * columns + column] === 1
}

/** The regions in the order of their first cells, row by row. O(cells). */
export function cellOutlines(grid: CellGrid): CellRegion[] {
  const { columns, rows } = grid
  const regionOf = new Int32Array(columns * rows).fill(-1)
  const regions: CellRegion[] = []
  const walked = new Uint8Array(4 * (columns + 1) * (rows + 1))
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!isWall(grid, column, row)) continue
      const cell = row * columns + column
      if (regionOf[cell] < 0) {
        const cellCount = fill(grid, regionOf, cell, regions.length)
        regions.push({ cellCount, outer: [], holes: [] })
      }
      // Every ring has sides along x. A region's first cell lies on its outer ring, so that one is found first.
      if (isWall(grid, column, row - 1) || walked[4 * (row * (columns + 1) + column)] === 1) continue
      const ring = walk(grid, regionOf, walked, column, row)
      const region = regions[regionOf[cell]]
      if (region.outer.length === 0) region.outer = ring
      else region.holes.push(ring)
    }
  }
  return regions
}

/** Marks all cells that are connected to `first` over sides; returns how many there are. */
function fill(grid: CellGrid, regionOf: Int32Array, first: number, region: number): number {
  const { columns } = grid
  const open = [first]
  regionOf[first] = region
  let count = 0
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    count++
    const column = cell % columns
    const row = (cell - column) / columns
    for (let heading = 0; heading < 4; heading++) {
      const x = column + STEP_X[heading]
      const y = row + STEP_Y[heading]
      const next = y * columns + x
      if (!isWall(grid, x, y) || regionOf[next] >= 0) continue
      regionOf[next] = region
      open.push(next)
    }
  }
  return count
}

/** The ring that starts at corner (column, row) along x. */
function walk(grid: CellGrid, regionOf: Int32Array, walked: Uint8Array, column: number, row: number): Point[] {
  const region = regionAt(grid, regionOf, column, row)
  const runs = (x: number, y: number, heading: number) => {
    const right = (heading + 3) % 4
    return (
      regionAt(grid, regionOf, x + LEFT_COLUMN[heading], y + LEFT_ROW[heading]) === region &&
      regionAt(grid, regionOf, x + LEFT_COLUMN[right], y + LEFT_ROW[right]) !== region
    )
  }
  const ring: Point[] = []
  let x = column
  let y = row
  let heading = 0
  do {
    walked[4 * (y * (grid.columns + 1) + x) + heading] = 1
    x += STEP_X[heading]
    y += STEP_Y[heading]
    const right = (heading + 3) % 4
    const left = (heading + 1) % 4
    const next = runs(x, y, right) ? right : runs(x, y, heading) ? heading : left
    if (next !== heading) ring.push({ x: grid.x + x * grid.size, y: grid.y + y * grid.size })
    heading = next
  } while (x !== column || y !== row || heading !== 0)
  return ring
}

function regionAt(grid: CellGrid, regionOf: Int32Array, column: number, row: number): number {
  return isWall(grid, column, row) ? regionOf[row * grid.columns + column] : -1
}
