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
  const bx = (corners[3] - corners[0]) / size
  const by = (corners[4] - corners[1]) / size
  const bz = (corners[5] - corners[2]) / size
  const cx = (corners[6] - corners[0]) / size
  const cy = (corners[7] - corners[1]) / size
  const cz = (corners[8] - corners[2]) / size
  const px = (x - position[0] - position[3] - corners[0]) / size
  const py = (y - position[1] - position[4] - corners[1]) / size
  const pz = (z - position[2] - position[5] - corners[2]) / size
  const nx = by * cz - bz * cy
  const ny = bz * cx - bx * cz
  const nz = bx * cy - by * cx
  const square = nx * nx + ny * ny + nz * nz
  if (square > 0) {
    const second = nx * (py * cz - pz * cy) + ny * (pz * cx - px * cz) + nz * (px * cy - py * cx)
    const third = nx * (by * pz - bz * py) + ny * (bz * px - bx * pz) + nz * (bx * py - by * px)
    return weights(second / square, third / square)
  }
  const bLength = vectorLength3d(bx, by, bz)
  const cLength = vectorLength3d(cx, cy, cz)
  return bLength >= cLength
    ? weights((px * bx + py * by + pz * bz) / bLength ** 2, 0)
    : weights(0, (px * cx + py * cy + pz * cz) / cLength ** 2)
}

function weights(second: number, third: number): Barycentric {
  const v = Math.min(Math.max(second, 0), 1)
  const w = Math.min(Math.max(third, 0), 1 - v)
  return { u: 1 - v - w, v, w }
}
