/**
 * When a body that has met a half-space comes out of it, of which at least one turns.
 *
 * Method: as long as one point of the body is under the boundary the two are together. The height of a point that goes with the body, and
 * how fast that changes, is known, and how it bends is bounded, so each point surely is under the boundary up to the root of a parabola: to
 * the latest of these times they are together, and are looked at anew there (conservative advancement, as in `advancing-pair.ts`, from
 * below). Near the end that is Newton's method. Of what is curved the lowest point is taken, whose height changes as the lowest height does.
 * Bound: with n the normal and e the point, seen from where the half-space turns, the height n·e bends by n″·e + 2n′·e′ + n·e″, where n
 * turns with the half-space and e with the body.
 * Frame: that of `advancing-pair.ts`. Cost: O(points) a step, about a dozen.
 */

import { spend } from '../../containers/budget.ts'
import { fallTime } from '../../numeric/orbit.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { ANCHOR, OFFSET, POINTS, RADIUS, UNIT } from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import { HALFSPACE_STEP_COUNT, SLIDING_RATIO, TOUCHING_COUNT } from '../tolerances.ts'
import { type AdvancingPair, pose, type Turning } from './advancing-pair.ts'

/** How long some point surely stays under the boundary, and whether all that are at it rise out of it otherwise. */
const under = { time: 0, rises: true }

export interface HalfspaceParting {
  /** When they part; Infinity where they do not within the duration. */
  leave: number
  /** Up to when they are known to be together; the duration where all is known. */
  sure: number
}

/** Of a body and a half-space that meet at a time. */
export function partFromHalfspace(state: AdvancingPair, from: number, duration: number, out: HalfspaceParting): void {
  out.leave = Infinity
  let time = from
  for (let step = 0; step < HALFSPACE_STEP_COUNT; step++) {
    out.sure = time
    pose(state, time)
    setUnder(state, duration - time)
    const next = time + under.time
    if (next >= duration) {
      out.sure = duration
      return
    }
    if (!(next > time)) {
      if (!under.rises) return
      out.leave = time
      out.sure = duration
      return
    }
    time = next
  }
}

const point = new Float64Array(3)

function setUnder(state: AdvancingPair, limit: number): void {
  const { first, second } = state
  const { posed } = first
  const { numbers, kind, count, local } = posed
  under.time = 0
  under.rises = true
  // The bound grows with the time that it is for: no more than a part of a turn.
  const reach = second.rate > 0 ? Math.min(limit, 1 / second.rate) : limit
  if (kind === POINTS) {
    spend(1 + count)
    for (let at = local; at < local + 3 * count; at += 3) {
      addPoint(state, numbers[at], numbers[at + 1], numbers[at + 2], reach)
    }
    return
  }
  const n = second.posed.numbers
  point.fill(0)
  kindOf(posed).support(posed, -n[UNIT], -n[UNIT + 1], -n[UNIT + 2], point)
  addPoint(state, point[0], point[1], point[2], reach)
}

/** A point of the first body, from its anchor. */
function addPoint({ first, second, pair, now }: AdvancingPair, x: number, y: number, z: number, limit: number): void {
  const { numbers: a } = first.posed
  const { numbers: b } = second.posed
  const nx = b[UNIT]
  const ny = b[UNIT + 1]
  const nz = b[UNIT + 2]
  const px = x - now.dx
  const py = y - now.dy
  const pz = z - now.dz
  const height = nx * px + ny * py + nz * pz - b[OFFSET] - a[RADIUS]
  if (height > TOUCHING_COUNT * now.error) return
  setSpin(first, a[ANCHOR] + x, a[ANCHOR + 1] + y, a[ANCHOR + 2] + z, swing)
  setSpin(second, nx, ny, nz, tilt)
  setSpin(second, px + b[ANCHOR], py + b[ANCHOR + 1], pz + b[ANCHOR + 2], around)
  const vx = swing[0] - pair.velocity[0]
  const vy = swing[1] - pair.velocity[2]
  const vz = swing[2] - pair.velocity[4]
  const tilting = tilt[0] * (px + b[ANCHOR]) + tilt[1] * (py + b[ANCHOR + 1]) + tilt[2] * (pz + b[ANCHOR + 2])
  const rate = nx * vx + ny * vy + nz * vz + tilting
  // No faster does the point move, nor the normal turn, and no farther is the point from the axis.
  const round = lengthOf(swing)
  const fastest = round + pair.speed
  const turning = lengthOf(tilt)
  const far = second.rate > 0 ? lengthOf(around) / second.rate + fastest * limit : 0
  const bend = first.rate * round * leanOf(first, second, nx, ny, nz) + turning * (2 * fastest + second.rate * far)
  const time = Math.min(limit, fallTime(Math.max(-height, 0), -rate, bend))
  if (time > under.time) under.time = time
  if (!(rate > SLIDING_RATIO * (fastest + turning * far))) under.rises = false
}

const swing = new Float64Array(3)
const tilt = new Float64Array(3)
const around = new Float64Array(3)

/** Sets ω × the vector. */
function setSpin({ rate, motion: { wx, wy, wz } }: Turning, x: number, y: number, z: number, out: Float64Array): void {
  out[0] = rate > 0 ? wy * z - wz * y : 0
  out[1] = rate > 0 ? wz * x - wx * z : 0
  out[2] = rate > 0 ? wx * y - wy * x : 0
}

/** Which share of its turning may lead a point along the normal: of one that stands still what is across the axis. */
function leanOf(first: Turning, second: Turning, nx: number, ny: number, nz: number): number {
  if (first.rate === 0) return 0
  if (second.rate > 0) return 1
  setSpin(first, nx, ny, nz, around)
  return lengthOf(around) / first.rate
}

function lengthOf(vector: Float64Array): number {
  return vectorLength3d(vector[0], vector[1], vector[2])
}
