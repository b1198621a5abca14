/**
 * Height fields as triangles: a vertex for each height, in the order of these, and two triangles for each cell, which share the diagonal
 * from its least column and row to its greatest. Where a height is missing there is no triangle with that corner; its vertex stands at height
 * 0, so that vertices are named by their heights.
 * Frame: the first vertex at the origin. Triangles are counter-clockwise seen from the side to which heights grow. Cost O(heights).
 */

import { spend } from '../../containers/budget.ts'

export interface HeightField {
  /** Row by row. */
  heights: ArrayLike<number | null>
  /** Heights of a row, two or more; there are whole rows, two or more. */
  columns: number
  /** Distances between columns and between rows. */
  cellSize: { x: number; z: number }
  /** Along which heights count; y when absent. */
  axis?: 'x' | 'y' | 'z'
}

/** Places of the coordinates along columns, along rows and of heights, by axis. */
const FRAMES = { x: [1, 2, 0], y: [0, 2, 1], z: [0, 1, 2] } as const

export function gridVertices({ heights, columns, cellSize, axis = 'y' }: HeightField): Float64Array {
  const { length: count } = heights
  spend(count)
  const [alongColumns, alongRows, up] = FRAMES[axis]
  const vertices = new Float64Array(3 * count)
  for (let i = 0; i < count; i++) {
    vertices[3 * i + alongColumns] = cellSize.x * (i % columns)
    vertices[3 * i + alongRows] = cellSize.z * Math.floor(i / columns)
    vertices[3 * i + up] = heights[i] ?? 0
  }
  return vertices
}

/** The triangles, and which they are of all that there would be without missing heights: 2·cell or 2·cell + 1; null where they are all. */
export function gridTriangles({ heights, columns, axis = 'y' }: HeightField): {
  triangles: Uint32Array
  names: Uint32Array | null
} {
  const rows = Math.floor(heights.length / columns)
  const most = 2 * (columns - 1) * (rows - 1)
  const triangles = new Uint32Array(3 * most)
  const names = new Uint32Array(most)
  // columns, rows and heights are a left-handed frame then
  const isTurned = axis === 'y'
  let made = 0
  const add = (a: number, b: number, c: number, name: number) => {
    if (heights[a] === null || heights[b] === null || heights[c] === null) return
    triangles[3 * made] = a
    triangles[3 * made + 1] = isTurned ? c : b
    triangles[3 * made + 2] = isTurned ? b : c
    names[made++] = name
  }
  for (let row = 0; row + 1 < rows; row++) {
    spend(2 * columns)
    for (let column = 0; column + 1 < columns; column++) {
      const least = row * columns + column
      const cell = row * (columns - 1) + column
      const greatest = least + columns + 1
      add(least, least + 1, greatest, 2 * cell)
      add(least, greatest, least + columns, 2 * cell + 1)
    }
  }
  return { triangles: triangles.subarray(0, 3 * made), names: made === most ? null : names.subarray(0, made) }
}

/** The heights that a mesh was made of; null where no triangle has the corner. */
export function gridHeights(
  { vertices, triangles }: { vertices: Float64Array; triangles: Uint32Array },
  { axis = 'y' }: Pick<HeightField, 'axis'>,
): (number | null)[] {
  const [, , up] = FRAMES[axis]
  const heights: (number | null)[] = new Array(vertices.length / 3).fill(null)
  spend(triangles.length)
  for (const vertex of triangles) heights[vertex] = vertices[3 * vertex + up]
  return heights
}
