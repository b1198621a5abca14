/**
 * Where a point of a triangle lies between its corners: the weights whose mean of the corners is the point.
 *
 * Method: shares of areas, along the normal (C. Ericson, "Real-Time Collision Detection", 2005, 3.4); of a triangle of no area, along its
 * longest edge. Weights are held to 0 … 1, and their sum is 1 but for rounding.
 * Frame: world.
 */

import { vectorLength3d } from '../../numeric/safe-range.ts'
import { type Mesh, type Placement, putPlacedCorners } from './mesh.ts'

export interface Barycentric {
  u: number
  v: number
  w: number
}

const corners = new Float64Array(9)

/** The weights of the corners of a triangle, as the caller has them, at a point of it that may be off by rounding. */
export function barycentricAt(
  mesh: Mesh,
  placement: Placement,
  triangle: number,
  x: number,
  y: number,
  z: number,
): Barycentric {
  const { position } = placement
  putPlacedCorners(mesh, placement, triangle, corners)
  let size = 0
  for (let i = 3; i < 9; i++) size = Math.max(size, Math.abs(corners[i] - corners[i % 3]))
  if (size === 0) return { u: 1, v: 0, w: 0 }
  // In units of the triangle, from its first corner.
  const along = (at: number): number => (corners[at] - corners[at % 3]) / size
  const p = [x - position[0] - position[3], y - position[1] - position[4], z - position[2] - position[5]].map(
    (value, k) => (value - corners[k]) / size,
  )
  const b = [along(3), along(4), along(5)]
  const c = [along(6), along(7), along(8)]
  const n = cross(b, c)
  const square = dot(n, n)
  if (square > 0) return weights(dot(n, cross(p, c)) / square, dot(n, cross(b, p)) / square)
  const bLength = vectorLength3d(b[0], b[1], b[2])
  const cLength = vectorLength3d(c[0], c[1], c[2])
  return bLength >= cLength ? weights(dot(p, b) / bLength ** 2, 0) : weights(0, dot(p, c) / cLength ** 2)
}

function weights(second: number, third: number): Barycentric {
  const v = Math.min(Math.max(second, 0), 1)
  const w = Math.min(Math.max(third, 0), 1 - v)
  return { u: 1 - v - w, v, w }
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
