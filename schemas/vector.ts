// Vectors of the plane and of space (points, directions or translations, depending on the field), and rotations.

import { type Static, Type } from '@sinclair/typebox'
import { real } from './quantity.ts'
import { named } from './reference.ts'

export const Vec2 = Type.Object(
  {
    x: real('Component along x, in the caller’s own unit of length; at most 1e100 in magnitude.'),
    y: real('Component along y, in the caller’s own unit of length; at most 1e100 in magnitude.'),
  },
  named(
    'Vec2',
    'A vector of the plane. Counter-clockwise is positive in a frame with y up; in a y-down editor the same numbers simply look clockwise.',
  ),
)
export type Vec2 = Static<typeof Vec2>

export const Vec3 = Type.Object(
  {
    x: real('Component along x, in the caller’s own unit of length; at most 1e100 in magnitude.'),
    y: real('Component along y, in the caller’s own unit of length; at most 1e100 in magnitude.'),
    z: real('Component along z, in the caller’s own unit of length; at most 1e100 in magnitude.'),
  },
  named('Vec3', 'A vector of space, in a right-handed frame. Which axis is up is the caller’s business.'),
)
export type Vec3 = Static<typeof Vec3>

export const Quaternion = Type.Object(
  {
    x: real('Component along i: x of the axis times the sine of half the angle.'),
    y: real('Component along j: y of the axis times the sine of half the angle.'),
    z: real('Component along k: z of the axis times the sine of half the angle.'),
    w: real('Real part: the cosine of half the angle.'),
  },
  named(
    'Quaternion',
    'A turn: the unit quaternion x i + y j + z k + w, in the order of glTF, Unity, Godot and three.js. Its length must be within 1e-3 of 1 (problem `orientation-not-unit`); it is normalised once on entry.',
  ),
)
export type Quaternion = Static<typeof Quaternion>
