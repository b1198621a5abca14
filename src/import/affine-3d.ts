/**
 * Affine maps of space, and what they are made of: a turn and lengths along the axes, where they are no more than that.
 *
 * Frame: that of the file; columns of the matrix are the images of the axes.
 */

import type { Quaternion, Vec3 } from '../../schemas/vector.ts'

export interface Affine3d {
  x: Vec3
  y: Vec3
  z: Vec3
  origin: Vec3
}

export const IDENTITY_3D: Affine3d = {
  x: { x: 1, y: 0, z: 0 },
  y: { x: 0, y: 1, z: 0 },
  z: { x: 0, y: 0, z: 1 },
  origin: { x: 0, y: 0, z: 0 },
}

/** The image of a difference of two points. */
export function appliedTo({ x, y, z }: Affine3d, v: Vec3): Vec3 {
  return {
    x: x.x * v.x + y.x * v.y + z.x * v.z + 0,
    y: x.y * v.x + y.y * v.y + z.y * v.z + 0,
    z: x.z * v.x + y.z * v.y + z.z * v.z + 0,
  }
}

/** First `inner`, then `outer`. */
export function after3d(outer: Affine3d, inner: Affine3d): Affine3d {
  const at = appliedTo(outer, inner.origin)
  const { x, y, z } = outer.origin
  return {
    x: appliedTo(outer, inner.x),
    y: appliedTo(outer, inner.y),
    z: appliedTo(outer, inner.z),
    origin: { x: at.x + x, y: at.y + y, z: at.z + z },
  }
}

export function dot(p: Vec3, q: Vec3): number {
  return p.x * q.x + p.y * q.y + p.z * q.z
}

function cross(p: Vec3, q: Vec3): Vec3 {
  return { x: p.y * q.z - p.z * q.y, y: p.z * q.x - p.x * q.z, z: p.x * q.y - p.y * q.x }
}

/** Normals of planes become those of their images, times the determinant. */
export function normalAfter({ x, y, z }: Affine3d, normal: Vec3): Vec3 {
  const [yz, zx, xy] = [cross(y, z), cross(z, x), cross(x, y)]
  return {
    x: yz.x * normal.x + zx.x * normal.y + xy.x * normal.z,
    y: yz.y * normal.x + zx.y * normal.y + xy.y * normal.z,
    z: yz.z * normal.x + zx.z * normal.y + xy.z * normal.z,
  }
}

export function determinant({ x, y, z }: Affine3d): number {
  return dot(cross(x, y), z)
}

/** How far from right angles and equal lengths, relative to them, numbers of single precision may leave a map that has them. */
const SINGLE_ERROR = 1e-5

/** A map that turns, and makes lengths along its own axes longer. */
export interface Turned {
  /** Factors of lengths along x, y and z. */
  scale: Vec3
  /** Absent where nothing is turned. */
  orientation?: Quaternion
  /** One of the axes points the other way: what is no mirror image of itself is not what it was. */
  isMirrored: boolean
}

/** Null of a map that leaves no right angles, or flattens. Lengths that are 1 but for rounding are 1. */
export function turnedOf(map: Affine3d): Turned | null {
  const axes = [map.x, map.y, map.z]
  const lengths = axes.map(({ x, y, z }) => Math.hypot(x, y, z))
  if (!lengths.every((length) => length > 0)) return null
  const units = axes.map(({ x, y, z }, k) => ({ x: x / lengths[k], y: y / lengths[k], z: z / lengths[k] }))
  const [x, y, z] = units
  if (Math.max(Math.abs(dot(x, y)), Math.abs(dot(y, z)), Math.abs(dot(z, x))) > SINGLE_ERROR) return null
  const isMirrored = dot(cross(x, y), z) < 0
  const third = isMirrored ? { x: -z.x, y: -z.y, z: -z.z } : z
  const [sx, sy, sz] = lengths.map((length) => (isAligned(map) || Math.abs(length - 1) > SINGLE_ERROR ? length : 1))
  const orientation = quaternionOf(x, y, third)
  const isTurned = orientation.x !== 0 || orientation.y !== 0 || orientation.z !== 0
  return { scale: { x: sx, y: sy, z: sz }, isMirrored, ...(isTurned && { orientation }) }
}

/** Whether two lengths are the same but for rounding. */
export function isEven(a: number, b: number): boolean {
  return Math.abs(a - b) <= SINGLE_ERROR * Math.max(a, b)
}

/** Whether each axis goes along an axis: then boxes along the axes stay such. */
export function isAligned({ x, y, z }: Affine3d): boolean {
  return [x, y, z].every((axis) => [axis.x, axis.y, axis.z].filter((value) => value !== 0).length === 1)
}

/** Of a turn by its columns. S. W. Shepperd, "Quaternion from rotation matrix", 1978: the largest part first. */
function quaternionOf(p: Vec3, q: Vec3, r: Vec3): Quaternion {
  const squares = [1 + p.x - q.y - r.z, 1 - p.x + q.y - r.z, 1 - p.x - q.y + r.z, 1 + p.x + q.y + r.z]
  const largest = squares.indexOf(Math.max(...squares))
  const [yz, zx, xy] = [q.z - r.y, r.x - p.z, p.y - q.x]
  const [plusYz, plusZx, plusXy] = [q.z + r.y, r.x + p.z, p.y + q.x]
  const [x, y, z, w] = [
    [squares[0], plusXy, plusZx, yz],
    [plusXy, squares[1], plusYz, zx],
    [plusZx, plusYz, squares[2], xy],
    [yz, zx, xy, squares[3]],
  ][largest]
  const length = Math.hypot(x, y, z, w)
  return { x: x / length + 0, y: y / length + 0, z: z / length + 0, w: w / length + 0 }
}
