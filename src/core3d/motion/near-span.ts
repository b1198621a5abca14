/**
 * From when to when balls around two moving bodies meet: at other times the bodies do not either.
 *
 * Method: a body that turns about its position stays in the ball round that through its farthest point; one that does not turn has a
 * ball round its middle. Seen from the first, the middle of the second moves along a line, and lies within the sum R of the radii
 * along a chord of the ball of that radius.
 * Bound: places on the line and beside it are good to ε, the error of a height. Where the balls meet the middles pass each other at
 * p ≤ R; the half chord h' of the radius R + 4ε at the rounded p' ≤ p + ε covers what rounding moves: h'² ≥ h² + 6εR + 15ε² ≥ (h + ε)².
 * Frame: world axes. Cost: O(points), once for each body; some dozen products.
 */

import { vectorLength3d } from '../../numeric/safe-range.ts'
import { ANCHOR, type Body, CENTER, HALFSPACE, POINTS, RADIUS, REACH, VERTICES } from '../shape/body.ts'
import { LARGEST_SAFE_SPEED, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import type { MovingPair } from './moving-pair.ts'

/** The radius of the ball round the position of a body that turns, or round the middle of one that does not: without the skin. */
export function ballRadius({ kind, count, numbers, local }: Body, isTurning: boolean): number {
  if (kind !== POINTS) {
    return numbers[REACH] + (isTurning ? vectorLength3d(numbers[ANCHOR], numbers[ANCHOR + 1], numbers[ANCHOR + 2]) : 0)
  }
  const from = isTurning ? VERTICES : local
  const x = isTurning ? 0 : numbers[CENTER]
  const y = isTurning ? 0 : numbers[CENTER + 1]
  const z = isTurning ? 0 : numbers[CENTER + 2]
  let most = 0
  for (let at = from; at < from + 3 * count; at += 3) {
    const px = numbers[at] - x
    const py = numbers[at + 1] - y
    const pz = numbers[at + 2] - z
    const square = px * px + py * py + pz * pz
    if (square > most) most = square
  }
  return Math.sqrt(most)
}

interface Ball {
  body: Body
  rate: number
  ball: number
}

/** Before the first and after the second of these times the bodies are apart: Infinity and −Infinity where they always are. */
export type NearSpan = readonly [number, number]

export function nearSpan({ offset, velocity, speed }: MovingPair, first: Ball, second: Ball): NearSpan {
  if (second.body.kind === HALFSPACE) return ALWAYS
  const moves = speed > 1 / LARGEST_SAFE_SPEED && speed < LARGEST_SAFE_SPEED
  if (speed > 0 && !moves) return ALWAYS
  const radius = first.ball + second.ball + first.body.numbers[RADIUS] + second.body.numbers[RADIUS]
  let size = radius
  let along = 0
  for (let k = 0; k < 3; k++) {
    const from = middleOf(first, k)
    const to = middleOf(second, k)
    way[k] = offset[2 * k] + (to - from)
    size += Math.abs(offset[2 * k]) + Math.abs(from) + Math.abs(to)
    if (moves) along -= way[k] * (velocity[2 * k] / speed)
  }
  for (let k = 0; k < 3 && moves; k++) way[k] += along * (velocity[2 * k] / speed)
  const least = vectorLength3d(way[0], way[1], way[2])
  const reach = radius + 4 * SEPARATION_ERROR_RATIO * size
  if (least > reach) return NEVER
  const half = Math.sqrt((reach - least) * (reach + least))
  if (!moves || !(half < Infinity)) return ALWAYS
  return along + half < 0 ? NEVER : [Math.max((along - half) / speed, 0), (along + half) / speed]
}

const ALWAYS: NearSpan = [0, Infinity]
const NEVER: NearSpan = [Infinity, -Infinity]
const way = new Float64Array(3)

function middleOf({ body: { kind, numbers }, rate }: Ball, k: number): number {
  if (rate > 0) return 0
  return numbers[ANCHOR + k] + (kind === POINTS ? numbers[CENTER + k] : 0)
}
