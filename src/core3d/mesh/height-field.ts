/**
 * Height fields as meshes: a grid of heights, two triangles for each cell whose corners are all there.
 *
 * A cell is split along the diagonal from its corner of least column and row. Names: vertex column + columns · row; triangles 2 · cell
 * and 2 · cell + 1, cell = column + (columns − 1) · row, of which the first has the corner of greatest row and least column, so that
 * holes leave gaps in the numbers and not in the names.
 * Frame: the grid's corner of column 0 and row 0 is the origin. For `axis` y columns go along x and rows along z; for z along x and
 * y; for x along z and y. Triangles are counter-clockwise as seen from where heights go up.
 */

import { spend } from '../../containers/budget.ts'
import { type Mesh, prepareMesh } from './mesh.ts'

export interface HeightField {
  /** Row by row; NaN where there is a hole. Two columns and rows, or more. */
  heights: ArrayLike<number>
  columns: number
  /** Between columns, and between rows. */
  columnSize: number
  rowSize: number
  axis: 'x' | 'y' | 'z'
}

/** Which coordinate columns, rows and heights are, and whether these three are a left-handed frame. */
const FRAMES = {
  x: { along: 2, across: 1, up: 0, isLeft: true },
  y: { along: 0, across: 2, up: 1, isLeft: true },
  z: { along: 0, across: 1, up: 2, isLeft: false },
} as const

/** The field as a mesh; null where no cell has all of its corners. */
export function heightFieldMesh(field: HeightField, isShared = false): Mesh | null {
  const { heights, columns, columnSize, rowSize, axis } = field
  const rows = Math.floor(heights.length / columns)
  const { along, across, up, isLeft } = FRAMES[axis]
  spend(2 * columns * rows)
  const vertices = new Float64Array(3 * columns * rows)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = 3 * (row * columns + column)
      const height = heights[row * columns + column]
      vertices[at + along] = column * columnSize
      vertices[at + across] = row * rowSize
      vertices[at + up] = Number.isNaN(height) ? 0 : height
    }
  }
  const triangles: number[] = []
  const names: number[] = []
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const corner = row * columns + column
      const beside = corner + 1
      const above = corner + columns
      const beyond = above + 1
      const isWhole = (third: number): boolean =>
        !Number.isNaN(heights[corner]) && !Number.isNaN(heights[third]) && !Number.isNaN(heights[beyond])
      const name = 2 * (row * (columns - 1) + column)
      if (isWhole(above)) {
        names.push(name)
        if (isLeft) triangles.push(corner, above, beyond)
        else triangles.push(corner, beyond, above)
      }
      if (isWhole(beside)) {
        names.push(name + 1)
        if (isLeft) triangles.push(corner, beyond, beside)
        else triangles.push(corner, beside, beyond)
      }
    }
  }
  if (names.length === 0) return null
  const isWhole = names.length === 2 * (rows - 1) * (columns - 1)
  return prepareMesh({ vertices, triangles, solid: false, names: isWhole ? null : names }, isShared) as Mesh
}
