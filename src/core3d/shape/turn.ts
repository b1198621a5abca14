/**
 * Turns of bodies, as unit quaternions x, y, z, w.
 *
 * Frame: world axes. Products and least turns are rounded to some roundoffs.
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { acrossAxes, cross, dot, type Vector } from './body.ts'

/** x, y, z, w of a unit quaternion. */
export type Turn = readonly [number, number, number, number]

export const NO_TURN: Turn = [0, 0, 0, 1]

/** Sine of the angle from opposite below which two unit vectors are taken for opposite ones: their product has no direction. */
const OPPOSITE_RATIO = 512 * UNIT_ROUNDOFF

/** The least turn that takes one unit vector to another; of opposite ones a half turn about an axis across. */
export function turnBetween(a: Vector, b: Vector): Turn {
  const [x, y, z] = cross(a, b)
  const cos = dot(a, b)
  if (cos >= 0) return unitTurn([x, y, z, 1 + cos])
  const sin = vectorLength3d(x, y, z)
  if (sin <= OPPOSITE_RATIO) return [...acrossAxes(a)[0], 0]
  // 1 + cos would lose digits
  const half = Math.atan2(sin, cos) / 2
  const share = Math.sin(half) / sin
  return unitTurn([share * x, share * y, share * z, Math.cos(half)])
}

function unitTurn([x, y, z, w]: Turn): Turn {
  const length = Math.sqrt(x * x + y * y + z * z + w * w)
  return [x / length, y / length, z / length, w / length]
}

/** Turned by the second, then by the first. */
export function product([ax, ay, az, aw]: Turn, [bx, by, bz, bw]: Turn): Turn {
  return unitTurn([
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ])
}

export function inverse([x, y, z, w]: Turn): Turn {
  return [-x, -y, -z, w]
}

/** Differences of the parts of a turn that are as good as none. */
const EVEN_TURN_RATIO = 32 * UNIT_ROUNDOFF

/**
 * Parts that are as good as 0, or as large as others, are so: a turn that takes an axis to an axis has two pairs of equal parts, or two
 * that are 0, and then it does so exactly.
 */
export function cleaned(turn: Turn): Turn {
  const parts = turn.map((part) => (Math.abs(part) <= EVEN_TURN_RATIO ? 0 : part))
  for (let i = 0; i < 4; i++) {
    for (let j = i + 1; j < 4; j++) {
      const size = Math.abs(parts[i])
      if (Math.abs(Math.abs(parts[j]) - size) <= EVEN_TURN_RATIO) parts[j] = Math.sign(parts[j]) * size
    }
  }
  return parts as unknown as Turn
}

/** The vector turned. */
export function turned([x, y, z, w]: Turn, vector: Vector): Vector {
  const axis: Vector = [x, y, z]
  const [ux, uy, uz] = cross(axis, vector)
  const [vx, vy, vz] = cross(axis, [ux, uy, uz])
  return [vector[0] + 2 * (w * ux + vx), vector[1] + 2 * (w * uy + vy), vector[2] + 2 * (w * uz + vz)]
}

/** How far the turn turns, in radians, at most π; null is no turn. */
export function angleOf(turn: Turn | null): number {
  return turn === null ? 0 : 2 * Math.atan2(vectorLength3d(turn[0], turn[1], turn[2]), Math.abs(turn[3]))
}
