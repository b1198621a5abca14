/**
 * Whether bodies that turn always lie in the same way to each other: two that turn as one, or one that turns about the axis of
 * another, as round a ball in the middle.
 *
 * Method: by rounded products, so that it is known of what lies along an axis of the world, or is made of short numbers.
 * Frame: world axes. Cost O(points).
 */

import { type Body, CONE, CYLINDER, POINTS, ROTATION, VERTICES } from '../shape/body.ts'
import { isParallel, type Motion } from '../shape/motion.ts'
import type { AdvancingPair } from './advancing-pair.ts'

export function keepsPose({ first, second, pair }: AdvancingPair): boolean {
  const { offset, speed } = pair
  if (speed !== 0) return false
  if (first.rate > 0 && second.rate > 0) return turnAlike(first.motion, second.motion) && isOnAxis(offset, first.motion)
  if (first.rate > 0) return isRoundAxis(second.body, offset, 1, first.motion)
  return isRoundAxis(first.body, offset, -1, second.motion)
}

function turnAlike(a: Motion, b: Motion): boolean {
  return a.wx === b.wx && a.wy === b.wy && a.wz === b.wz
}

function isOnAxis(offset: Float64Array, { wx, wy, wz }: Motion): boolean {
  return isParallel(offset[0], offset[2], offset[4], wx, wy, wz)
}

/** Whether the body is the same after every turn about the axis of another, from which it lies at the offset one way or the other. */
function isRoundAxis({ kind, count, numbers }: Body, offset: Float64Array, side: 1 | -1, motion: Motion): boolean {
  const { wx, wy, wz } = motion
  if (kind === POINTS) {
    for (let at = VERTICES; at < VERTICES + 3 * count; at += 3) {
      const [x, y, z] = [0, 1, 2].map((k) => side * offset[2 * k] + numbers[at + k])
      if (!isParallel(x, y, z, wx, wy, wz)) return false
    }
    return true
  }
  if (kind !== CYLINDER && kind !== CONE) return false
  return (
    isOnAxis(offset, motion) &&
    isParallel(numbers[ROTATION + 1], numbers[ROTATION + 4], numbers[ROTATION + 7], wx, wy, wz)
  )
}
