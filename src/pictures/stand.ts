/**
 * Placement of bodies in a picture of space, and its projection to the plane of the picture.
 *
 * Frame: world axes, lengths in the caller's unit, relative to the picture's origin, so that shapes far from the world's origin
 * keep their digits.
 */

import type { PictureView } from '../../schemas/picture.ts'
import type { Body3d, MovingBody3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Quaternion, Vec2, Vec3 } from '../../schemas/vector.ts'
import { gridVertices } from '../core3d/mesh/height-field.ts'
import { within } from './outline.ts'

// The projection is orthographic, so a length across the view is a length of the picture, wherever it lies. Right, up and towards the viewer are
// right-handed. Along an axis the other two follow in their order: from z one sees x to the right and y upwards, from x y and z, from y
// z and x. The isometric view looks from (1, 1, 1), y upwards.

export interface View {
  right: Vec3
  up: Vec3
  /** Towards the viewer. */
  toward: Vec3
  /** Names of the axes to the right and upwards; null in an isometric view. */
  axes: { across: string; up: string } | null
}

const X: Vec3 = { x: 1, y: 0, z: 0 }
const Y: Vec3 = { x: 0, y: 1, z: 0 }
const Z: Vec3 = { x: 0, y: 0, z: 1 }
const HALF = Math.SQRT1_2
const SIXTH = 1 / Math.sqrt(6)
const THIRD = 1 / Math.sqrt(3)

export const VIEWS: Record<PictureView, View> = {
  iso: {
    right: { x: HALF, y: 0, z: -HALF },
    up: { x: -SIXTH, y: 2 * SIXTH, z: -SIXTH },
    toward: { x: THIRD, y: THIRD, z: THIRD },
    axes: null,
  },
  x: { right: Y, up: Z, toward: X, axes: { across: 'y', up: 'z' } },
  y: { right: Z, up: X, toward: Y, axes: { across: 'z', up: 'x' } },
  z: { right: X, up: Y, toward: Z, axes: { across: 'x', up: 'y' } },
}

/** Projects a point or a vector of any magnitude. */
export function seen({ right, up }: View, { x, y, z }: Vec3): Vec2 {
  const near = { x: within(x), y: within(y), z: within(z) }
  return { x: dot(right, near), y: dot(up, near) }
}

export function dot(p: Vec3, q: Vec3): number {
  return p.x * q.x + p.y * q.y + p.z * q.z
}

/** A position, and the images of the three local axes: unit vectors. */
export interface Stand {
  at: Vec3
  x: Vec3
  y: Vec3
  z: Vec3
}

export const ZERO: Vec3 = { x: 0, y: 0, z: 0 }
const UNTURNED: Quaternion = { x: 0, y: 0, z: 0, w: 1 }

/** A point of the world relative to the picture's origin. */
export function from3d(origin: Vec3, { x, y, z }: Vec3): Vec3 {
  return { x: x - origin.x, y: y - origin.y, z: z - origin.z }
}

export function standOf({ position = ZERO, orientation = UNTURNED }: Body3d, origin: Vec3): Stand {
  return turnedStand(from3d(origin, position), orientation)
}

/** Placement after `time` seconds of motion. */
export function standAt(body: MovingBody3d, origin: Vec3, time: number): Stand {
  const { velocity = ZERO, angularVelocity = ZERO } = body
  const start = standOf(body, origin)
  const at = along3d(start.at, velocity, time)
  const axis = unit3d(angularVelocity)
  if (axis === null) return { ...start, at }
  const half = (Math.hypot(angularVelocity.x, angularVelocity.y, angularVelocity.z) * time) / 2
  // The angle is unknown if it overflows.
  const [sin, cos] = Number.isFinite(half) ? [Math.sin(half), Math.cos(half)] : [0, 1]
  const turn = turnedStand(at, { ...scaled(axis, sin), w: cos })
  return { at, x: turned(turn, start.x), y: turned(turn, start.y), z: turned(turn, start.z) }
}

/** `turn` may have any length but 0. */
export function turnedStand(at: Vec3, turn: Quaternion): Stand {
  const { x, y, z, w } = turn
  // 2 / |turn|²: decoding accepts lengths within a thousandth of 1.
  const s = 2 / (x * x + y * y + z * z + w * w)
  return {
    at,
    x: { x: 1 - s * (y * y + z * z), y: s * (x * y + w * z), z: s * (x * z - w * y) },
    y: { x: s * (x * y - w * z), y: 1 - s * (x * x + z * z), z: s * (y * z + w * x) },
    z: { x: s * (x * z + w * y), y: s * (y * z - w * x), z: 1 - s * (x * x + y * y) },
  }
}

/** Where a child of a compound that stands there stands. */
export function childStand(stand: Stand, { position = ZERO, orientation = UNTURNED }: Body3d): Stand {
  const own = turnedStand(ZERO, orientation)
  const at = placed3d(stand, position)
  return { at, x: turned(stand, own.x), y: turned(stand, own.y), z: turned(stand, own.z) }
}

export function placed3d(stand: Stand, local: Vec3): Vec3 {
  return sum(stand.at, turned(stand, local))
}

export function turned({ x, y, z }: Stand, local: Vec3): Vec3 {
  return {
    x: x.x * local.x + y.x * local.y + z.x * local.z,
    y: x.y * local.x + y.y * local.y + z.y * local.z,
    z: x.z * local.x + y.z * local.y + z.z * local.z,
  }
}

export function sum(p: Vec3, q: Vec3): Vec3 {
  return { x: p.x + q.x, y: p.y + q.y, z: p.z + q.z }
}

export function scaled({ x, y, z }: Vec3, by: number): Vec3 {
  return { x: x * by, y: y * by, z: z * by }
}

export function along3d(p: Vec3, direction: Vec3, distance: number): Vec3 {
  return sum(p, scaled(direction, distance))
}

export function midway3d(p: Vec3, q: Vec3): Vec3 {
  return { x: p.x + (q.x - p.x) / 2, y: p.y + (q.y - p.y) / 2, z: p.z + (q.z - p.z) / 2 }
}

export function cross(p: Vec3, q: Vec3): Vec3 {
  return { x: p.y * q.z - p.z * q.y, y: p.z * q.x - p.x * q.z, z: p.x * q.y - p.y * q.x }
}

/** `vector` at length 1, or null for a zero vector; any magnitude. */
export function unit3d({ x, y, z }: Vec3): Vec3 | null {
  const size = Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
  if (size === 0) return null
  const length = Math.hypot(x / size, y / size, z / size)
  return { x: x / size / length, y: y / size / length, z: z / size / length }
}

/** A unit vector perpendicular to another, computed from the axis that is farthest from it. */
export function across(axis: Vec3): Vec3 {
  const [x, y, z] = [axis.x, axis.y, axis.z].map(Math.abs)
  const other = x <= y && x <= z ? { x: 1, y: 0, z: 0 } : y <= z ? { x: 0, y: 1, z: 0 } : { x: 0, y: 0, z: 1 }
  return unit3d(cross(axis, other)) ?? other
}

/** Corner i lies at the greater x if bit 0 of i is set, the greater y by bit 1, the greater z by bit 2. */
export function boxCorners(min: Vec3, max: Vec3): Vec3[] {
  return Array.from({ length: 8 }, (_, i) => ({
    x: (i & 1) === 0 ? min.x : max.x,
    y: (i & 2) === 0 ? min.y : max.y,
    z: (i & 4) === 0 ? min.z : max.z,
  }))
}

// Extents of shapes in space: the height of a shape along a unit vector, and the axis-aligned box of all that a picture shows, both
// counted from the picture's origin. A half-space counts with its boundary.

/** Height along a unit vector, not rounded exactly. */
export function heightOf(shape: Shape3d, stand: Stand, direction: Vec3): number {
  const local = { x: dot(stand.x, direction), y: dot(stand.y, direction), z: dot(stand.z, direction) }
  return dot(stand.at, direction) + localHeight(shape, local)
}

function localHeight(shape: Shape3d, direction: Vec3): number {
  const { x, y, z } = direction
  const farthest = (points: readonly Vec3[], radius = 0) =>
    points.reduce((height, point) => Math.max(height, dot(point, direction)), -Infinity) + radius
  switch (shape.type) {
    case 'point':
      return 0
    case 'sphere':
      return shape.radius
    case 'segment':
      return farthest([shape.a, shape.b])
    case 'capsule':
      return farthest([shape.a, shape.b], shape.radius)
    case 'triangle':
      return farthest([shape.a, shape.b, shape.c])
    case 'box':
      return farthest(boxCorners(scaled(shape.size, -0.5), scaled(shape.size, 0.5)), shape.radius)
    case 'aabb':
      return farthest(boxCorners(shape.min, shape.max))
    case 'hull':
      return farthest(shape.points, shape.radius)
    case 'ellipsoid':
      return Math.hypot(shape.radii.x * x, shape.radii.y * y, shape.radii.z * z)
    case 'cylinder':
    case 'cone': {
      const along = direction[shape.axis ?? 'y']
      const rim = shape.radius * Math.sqrt(Math.max(0, 1 - along * along))
      const half = (along * shape.height) / 2
      return shape.type === 'cylinder' ? Math.abs(half) + rim : Math.max(half, rim - half)
    }
    case 'halfspace':
      return shape.offset
    case 'mesh':
    case 'heightfield': {
      const vertices = shape.type === 'mesh' ? shape.vertices : gridVertices(shape)
      let height = -Infinity
      for (let i = 0; i + 2 < vertices.length; i += 3) {
        height = Math.max(height, vertices[i] * x + vertices[i + 1] * y + vertices[i + 2] * z)
      }
      return height
    }
    case 'compound':
      return shape.children.reduce(
        (height, child) => Math.max(height, heightOf(child.shape, standOf(child, ZERO), direction)),
        -Infinity,
      )
  }
}

export interface Reach {
  min: Vec3
  max: Vec3
}

const AXES = ['x', 'y', 'z'] as const

export function createReach(): Reach {
  return {
    min: { x: Infinity, y: Infinity, z: Infinity },
    max: { x: -Infinity, y: -Infinity, z: -Infinity },
  }
}

export function reachOf(shape: Shape3d, stand: Stand): Reach {
  const far = (name: (typeof AXES)[number], sign: number) =>
    sign * heightOf(shape, stand, { x: 0, y: 0, z: 0, [name]: sign })
  return {
    min: { x: far('x', -1), y: far('y', -1), z: far('z', -1) },
    max: { x: far('x', 1), y: far('y', 1), z: far('z', 1) },
  }
}

export function widen({ min, max }: Reach, other: Reach): void {
  for (const axis of AXES) {
    min[axis] = Math.min(min[axis], within(other.min[axis]))
    max[axis] = Math.max(max[axis], within(other.max[axis]))
  }
}

export function isNowhere({ min, max }: Reach): boolean {
  return !(min.x <= max.x)
}

/** The centre and the longest side. */
export function measured({ min, max }: Reach) {
  return { centre: midway3d(min, max), size: Math.max(max.x - min.x, max.y - min.y, max.z - min.z) }
}
