/** Closed meshes of any size by formula: rings, balls, sponges, stairs, land and fins. All are wound counter-clockwise as seen from outside. */

import type { AnyShape } from '../composite-bodies-3d.ts'
import type { Triple } from '../convex-cases-3d.ts'

/** A grid of points that closes both ways, seen from outside with `at`'s first argument to the right and the second up. */
function closedGrid(columns: number, rows: number, at: (column: number, row: number) => Triple): AnyShape {
  const vertices: Triple[] = []
  const triangles: Triple[] = []
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      vertices.push(at(column, row))
      const right = (column + 1) % columns
      const up = (row + 1) % rows
      const corner = (c: number, r: number) => r * columns + c
      triangles.push([corner(column, row), corner(right, row), corner(right, up)])
      triangles.push([corner(column, row), corner(right, up), corner(column, up)])
    }
  }
  return { type: 'mesh', vertices, triangles, solid: true }
}

/** About the z axis. */
export function torus(columns: number, rows: number, radius = 3, tube = 1): AnyShape {
  return closedGrid(columns, rows, (column, row) => {
    const [a, b] = [(2 * Math.PI * column) / columns, (2 * Math.PI * row) / rows]
    const far = radius + tube * Math.cos(b)
    return [far * Math.cos(a), far * Math.sin(a), tube * Math.sin(b)]
  })
}

/** About the origin: columns · (rows − 1) · 2 triangles. */
export function ball(columns: number, rows: number, radius = 1): AnyShape {
  const vertices: Triple[] = []
  const triangles: Triple[] = []
  for (let row = 1; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [a, b] = [(2 * Math.PI * column) / columns, (Math.PI * row) / rows]
      vertices.push([radius * Math.sin(b) * Math.cos(a), radius * Math.sin(b) * Math.sin(a), -radius * Math.cos(b)])
    }
  }
  const [bottom, top] = [vertices.length, vertices.length + 1]
  vertices.push([0, 0, -radius], [0, 0, radius])
  const corner = (column: number, row: number) => row * columns + (column % columns)
  for (let column = 0; column < columns; column++) {
    triangles.push([bottom, corner(column + 1, 0), corner(column, 0)])
    for (let row = 0; row + 2 < rows; row++) {
      triangles.push([corner(column, row), corner(column + 1, row), corner(column + 1, row + 1)])
      triangles.push([corner(column, row), corner(column + 1, row + 1), corner(column, row + 1)])
    }
    triangles.push([top, corner(column, rows - 2), corner(column + 1, rows - 2)])
  }
  return { type: 'mesh', vertices, triangles, solid: true }
}

/** All unit cubes of a grid for which `isFilled`, and their faces that no neighbour covers: many lie in one plane, and edges may have four of them. */
export function cubes(size: number, isFilled: (x: number, y: number, z: number) => boolean): AnyShape {
  const vertices: Triple[] = []
  const triangles: Triple[] = []
  const known = new Map<number, number>()
  const vertexAt = ([x, y, z]: Triple): number => {
    const key = (z * (size + 1) + y) * (size + 1) + x
    const found = known.get(key)
    if (found !== undefined) return found
    known.set(key, vertices.length)
    return vertices.push([x, y, z]) - 1
  }
  const isInside = ([x, y, z]: Triple) => Math.min(x, y, z) >= 0 && Math.max(x, y, z) < size && isFilled(x, y, z)
  for (let i = 0; i < size ** 3; i++) {
    const cell: Triple = [i % size, Math.floor(i / size) % size, Math.floor(i / size ** 2)]
    if (!isInside(cell)) continue
    for (let axis = 0; axis < 3; axis++) {
      for (const side of [0, 1]) {
        const next: Triple = [...cell]
        next[axis] += 2 * side - 1
        if (isInside(next)) continue
        const corner = (u: number, v: number): number => {
          const place: Triple = [...cell]
          place[axis] += side
          place[(axis + 1) % 3] += u
          place[(axis + 2) % 3] += v
          return vertexAt(place)
        }
        const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]
        if (side === 1) triangles.push([a, b, c], [a, c, d])
        else triangles.push([a, c, b], [a, d, c])
      }
    }
  }
  return { type: 'mesh', vertices, triangles, solid: true }
}

/** Menger's: 3^level cells a side. */
export function sponge(level: number): AnyShape {
  const isFilled = (x: number, y: number, z: number): boolean => {
    for (let [a, b, c] = [x, y, z]; a + b + c > 0; [a, b, c] = [a, b, c].map((k) => Math.floor(k / 3))) {
      if ([a, b, c].filter((k) => k % 3 === 1).length > 1) return false
    }
    return true
  }
  return cubes(3 ** level, isFilled)
}

/** Each step a wedge of its own about the z axis, those above each other apart: steps touch their neighbours along edges. */
export function spiralStairs(steps: number, perTurn = 12): AnyShape {
  const vertices: Triple[] = []
  const triangles: Triple[] = []
  for (let step = 0; step < steps; step++) {
    const first = vertices.length
    for (const z of [step, step + 1]) {
      for (const [turn, far] of [
        [0, 1],
        [0, 4],
        [1, 4],
        [1, 1],
      ]) {
        // biome-ignore format: four corners
        const angle = (2 * Math.PI * (step + turn)) / perTurn
        vertices.push([far * Math.cos(angle), far * Math.sin(angle), z])
      }
    }
    const quad = (a: number, b: number, c: number, d: number) =>
      triangles.push([first + a, first + b, first + c], [first + a, first + c, first + d])
    quad(3, 2, 1, 0)
    quad(4, 5, 6, 7)
    for (let i = 0; i < 4; i++) quad(i, (i + 1) % 4, ((i + 1) % 4) + 4, i + 4)
  }
  return { type: 'mesh', vertices, triangles, solid: true }
}

/** Land over a square of cells: an open surface. */
export function terrain(cells: number): AnyShape {
  const vertices: Triple[] = []
  const triangles: Triple[] = []
  for (let row = 0; row <= cells; row++) {
    for (let column = 0; column <= cells; column++) {
      vertices.push([column, row, 3 * Math.sin(column / 5) * Math.cos(row / 7) + Math.sin(column * row)])
      if (row === cells || column === cells) continue
      const at = row * (cells + 1) + column
      triangles.push([at, at + 1, at + cells + 2], [at, at + cells + 2, at + cells + 1])
    }
  }
  return { type: 'mesh', vertices, triangles, solid: false }
}

/** Upright plates, a millionth thick. */
export function fins(count: number): AnyShape {
  const vertices: Triple[] = []
  const triangles: Triple[] = []
  for (let fin = 0; fin < count; fin++) {
    const plate = cubes(1, () => true)
    const first = vertices.length
    for (const [x, y, z] of plate.vertices ?? []) vertices.push([fin / 8 + x / 2 ** 20, 4 * y, 4 * z])
    for (const [a, b, c] of plate.triangles ?? []) triangles.push([a + first, b + first, c + first])
  }
  return { type: 'mesh', vertices, triangles, solid: true }
}
