/**
 * Where a picture of space is looked at from, and what a place becomes in it.
 *
 * Method: orthographic, so a length across the view is a length of the picture, wherever it lies. Right, up and towards the viewer are
 * right-handed. Along an axis the other two follow in their order: from z one sees x to the right and y upwards, from x y and z, from y
 * z and x. The isometric view looks from (1, 1, 1), y upwards.
 * Frame: places are counted from the picture's origin; see `picture-of-space.ts`.
 */

import type { PictureView } from '../../../schemas/picture.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { within } from '../marks/outline.ts'

export interface View {
  right: Vec3
  up: Vec3
  /** Towards the viewer. */
  toward: Vec3
  /** The names of the axes that run to the right and upwards; null where none does. */
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

/** Of a place or a step in space; any magnitude. */
export function seen({ right, up }: View, { x, y, z }: Vec3): Vec2 {
  const near = { x: within(x), y: within(y), z: within(z) }
  return { x: dot(right, near), y: dot(up, near) }
}

export function dot(p: Vec3, q: Vec3): number {
  return p.x * q.x + p.y * q.y + p.z * q.z
}
