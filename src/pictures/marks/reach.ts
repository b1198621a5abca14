// Extents of shapes in space: the height of a shape along a unit vector, and the axis-aligned box of all that a picture shows, both
// counted from the picture's origin. A half-space counts with its boundary.

import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { Vec3 } from '../../../schemas/vector.ts'
import { within } from './outline.ts'
import { boxCorners, dot, midway3d, type Stand, scaled } from './stand.ts'

/** To rounding, for pictures. */
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

/** The middle and the longest side. */
export function measured({ min, max }: Reach) {
  return { centre: midway3d(min, max), size: Math.max(max.x - min.x, max.y - min.y, max.z - min.z) }
}
