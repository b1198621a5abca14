/**
 * Bodies that touch and turn without going into each other: one tips over its edge on a floor, or swings on a hinge along a wall.
 *
 * Method: a plane that goes with one of the two, and has it on one side, has the other on its other side for as long as no corner of
 * that comes down to it. The height of a corner over the plane, and how fast that changes, is known, and how it bends is bounded, so
 * each corner is safe up to the root of a parabola: from there the pair is looked at anew, until a corner has come down (conservative
 * advancement, as in `advancing-pair.ts`). What stays where it is, as points on the axis do, keeps its height.
 * Frame: world axes. Cost: O(points) a step.
 */

import { spend } from '../../containers/budget.ts'
import { fallTime } from '../../numeric/fall-time.ts'
import { vectorLength3d } from '../../numeric/vector-length.ts'
import { createDepth, measureDepth } from '../narrow-phase/depth.ts'
import { ANCHOR, type Body, HALFSPACE, OFFSET, POINTS, RADIUS, VERTICES } from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import { cross, dot, type Vector } from '../shape/vectors.ts'
import { offsetAt } from '../sweep/moving-pair.ts'
import { STAY_STEP_COUNT, TOUCHING_COUNT } from '../tolerances.ts'
import { type AdvancingPair, look, lookClosely, type Turning } from './advancing-pair.ts'

export interface Stay {
  /** Up to when they surely do not go into each other. */
  until: number
  /** Whether they surely touch all the while. */
  touches: boolean
}

/** Of a pair that touches at a time. */
export function stayInTouch(state: AdvancingPair, from: number, duration: number): Stay {
  let time = from
  let touches = true
  for (let step = 0; step < STAY_STEP_COUNT && time < duration; step++) {
    const best = longestStay(state, time, duration - time)
    const next = Math.min(duration, time + best.until)
    if (!(next > time)) break
    touches &&= best.touches
    time = next
  }
  return { until: time, touches: touches && time > from }
}

/** By the best of some planes, from a time on; `until` counts from there. */
function longestStay(state: AdvancingPair, time: number, limit: number): Stay {
  const best = { until: 0, touches: false }
  for (const m of planesAt(state, time)) {
    for (const isFirst of [true, false]) {
      const stay = stayOver(state, time, m, isFirst, limit)
      if (stay.until > best.until || (stay.until === best.until && stay.touches)) {
        best.until = stay.until
        best.touches = stay.touches
      }
    }
  }
  return best
}

const depth = createDepth()

/** Directions, from the first to the second, of planes between the two: where an edge touches an edge, the outermost ones too. */
function planesAt(state: AdvancingPair, time: number): Vector[] {
  look(state, time)
  const { now, bounds, first, second } = state
  if (now.second.kind === HALFSPACE) return [[state.mx, state.my, state.mz]]
  measureDepth(now, bounds, depth)
  const axis = first.rate > 0 ? first.motion : second.motion
  const rate = first.rate > 0 ? first.rate : second.rate
  const n: Vector = [depth.nx, depth.ny, depth.nz]
  const across = cross(n, [axis.wx / rate, axis.wy / rate, axis.wz / rate])
  return [0, 1, -1].map((side): Vector => {
    const [x, y, z] = n.map((value, k) => value + side * across[k])
    const length = vectorLength3d(x, y, z)
    state.gap = -Infinity
    lookClosely(state, x / length, y / length, z / length)
    return [state.mx, state.my, state.mz]
  })
}

function stayOver(state: AdvancingPair, time: number, m: Vector, isFirst: boolean, limit: number): Stay {
  const { pair, now } = state
  const owner = isFirst ? state.first : state.second
  const other = isFirst ? state.second : state.first
  if (other.posed.kind !== POINTS) return NEVER
  const side = isFirst ? 1 : -1
  const up: Vector = [side * m[0], side * m[1], side * m[2]]
  const apart: Vector = [0, 1, 2].map((k) => side * offsetAt(pair, k, time)) as unknown as Vector
  const velocity: Vector = [0, 1, 2].map((k) => side * pair.velocity[2 * k]) as unknown as Vector
  return stayOverPlane({ owner, other, up, apart, velocity, speed: pair.speed, error: now.error, limit })
}

const NEVER: Stay = { until: 0, touches: false }

interface Above {
  owner: Turning
  other: Turning
  /** Out of the owner. */
  up: Vector
  /** From the position of the owner to that of the other, and how it changes. */
  apart: Vector
  velocity: Vector
  speed: number
  error: number
  limit: number
}

function stayOverPlane({ owner, other, up, apart, velocity, speed, error, limit }: Above): Stay {
  const { numbers, count } = other.posed
  const top = topOf(owner.posed, up) + numbers[RADIUS]
  const spin = spinOf(owner)
  const turning = spinOf(other)
  const tilting = cross(spin, up)
  // A plane that stands still is come down to by what turns about an axis across it, and no faster.
  const lean = owner.rate > 0 || other.rate === 0 ? 1 : lengthOf(cross(up, turning)) / other.rate
  const sink = owner.rate > 0 ? speed : Math.abs(dot(up, velocity))
  let until = limit
  let touches = false
  spend(1 + count)
  for (let i = 0; i < count; i++) {
    const at = VERTICES + 3 * i
    const own: Vector = [numbers[at], numbers[at + 1], numbers[at + 2]]
    const place: Vector = [apart[0] + own[0], apart[1] + own[1], apart[2] + own[2]]
    const round = cross(turning, own)
    const moving: Vector = [velocity[0] + round[0], velocity[1] + round[1], velocity[2] + round[2]]
    const height = dot(up, place) - top
    if (height < -TOUCHING_COUNT * error) return NEVER
    const rate = dot(up, moving) + dot(tilting, place)
    const swing = lengthOf(round)
    // How far it is from either axis: nothing brings what is on both any farther than the velocity does.
    const off = owner.rate > 0 ? lengthOf(cross(spin, place)) / owner.rate : 0
    const wander = 2 * (off + (other.rate > 0 ? swing / other.rate : 0))
    if (sink * limit + wander <= error) {
      // It keeps its height. It does not leave the other where it keeps its place on it, or where that has no end.
      touches ||=
        height <= TOUCHING_COUNT * error && (owner.posed.kind === HALFSPACE || speed * limit + wander <= error)
      continue
    }
    const fast = swing + speed
    const bend = other.rate * swing * lean + owner.rate * (2 * fast + owner.rate * (off + fast * limit))
    until = Math.min(until, fallTime(Math.max(height, 0), rate, bend))
  }
  return { until, touches }
}

function spinOf({ rate, motion }: Turning): Vector {
  return rate > 0 ? [motion.wx, motion.wy, motion.wz] : [0, 0, 0]
}

const point = new Float64Array(3)

/** How high the body reaches along a direction, from its position. */
function topOf(body: Body, [x, y, z]: Vector): number {
  const { kind, numbers } = body
  if (kind === HALFSPACE) return numbers[OFFSET]
  point.fill(0)
  kindOf(body).support(body, x, y, z, point)
  const along = (k: number): number => numbers[ANCHOR + k] + point[k]
  return along(0) * x + along(1) * y + along(2) * z + numbers[RADIUS]
}

function lengthOf([x, y, z]: Vector): number {
  return vectorLength3d(x, y, z)
}
