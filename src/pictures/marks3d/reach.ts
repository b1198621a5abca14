// How far what is drawn of space reaches: a box along the axes, counted from the picture's origin.

import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { Vec3 } from '../../../schemas/vector.ts'
import { within } from '../marks/outline.ts'
import { heightOf } from './height.ts'
import { midway3d, type Stand } from './stand.ts'

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
