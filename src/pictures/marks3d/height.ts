// How far a shape reaches along a unit vector, counted from the picture's origin. Half-spaces count with their boundary.

import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { Vec3 } from '../../../schemas/vector.ts'
import { boxCorners } from './solid-parts.ts'
import { type Stand, scaled } from './stand.ts'
import { dot } from './view.ts'

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
