/**
 * Bodies that are level with each other while they turn about the normal, as one that spins on a table with another.
 *
 * Method: every spin of the pair is about one axis, so heights along it change by the velocity alone, and hardly. Whenever they touch,
 * the same two faces, edges or corners do. Seen along the axis these meet and part as the bodies do, and prisms over them, which move
 * as the bodies do, as well: what happens to the pair is what happens to the prisms sideways, which do not just touch meanwhile.
 * Frame: world axes. Cost O(points), once.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { orderPair } from '../narrow-phase/pair-frame.ts'
import {
  ANCHOR,
  type Body,
  CONE,
  CYLINDER,
  createBody,
  HALFSPACE,
  LENGTHS,
  OFFSET,
  POINTS,
  POSITION,
  RADIUS,
  REACH,
  ROTATION,
  setPose,
  UNIT,
  VERTICES,
  type Vector,
} from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import type { Motion } from '../shape/motion.ts'
import { setCylinder, setHull } from '../shape/shapes.ts'
import { SEPARATION_ERROR_RATIO, TOUCHING_COUNT } from '../tolerances.ts'
import { type AdvancingPair, advancingPair, createAdvancingSlots, type Turning } from './advancing-pair.ts'
import { createMovingPlace, movingPair } from './moving-pair.ts'

interface LevelPair {
  /** Prisms over what can touch; null where the second is a half-space, which has no sides: the pair touches all the time. */
  sides: AdvancingPair | null
}

/** Of a pair that has not been posed yet; null where it is not level to rounding from the start to the duration. */
export function levelPair(state: AdvancingPair, duration: number): LevelPair | null {
  const { now, pair } = state
  for (const m of commonAxis(state)) {
    const { velocity } = pair
    const drift = (velocity[0] * m[0] + velocity[2] * m[1] + velocity[4] * m[2]) * duration
    // Of most pairs that says enough: both gaps lie in one narrow range.
    if (Math.abs(drift) > 2 * TOUCHING_COUNT * now.error) continue
    const gap = heightBetween(state, m)
    if (!isLevel(gap, now.error) || !isLevel(gap + drift, now.error)) continue
    return { sides: now.second.kind === HALFSPACE ? null : sidesOf(state, m) }
  }
  return null
}

/** Whether bodies touch with such a gap as those do that come together, and with what of them is lower than the highest but for rounding. */
function isLevel(gap: number, error: number): boolean {
  return gap <= error && gap >= (1 - TOUCHING_COUNT) * error
}

/** The directions from the first to the second along which they may be level: both ways along the axis of every spin. */
function commonAxis({ first, second, now }: AdvancingPair): readonly Vector[] {
  const turned = first.rate > 0 ? first : second
  const { wx, wy, wz } = turned.motion
  const isOnPlane = now.second.kind === HALFSPACE
  const { numbers } = second.body
  const m: Vector = isOnPlane
    ? [-numbers[UNIT], -numbers[UNIT + 1], -numbers[UNIT + 2]]
    : [wx / turned.rate, wy / turned.rate, wz / turned.rate]
  const error = marginOf(first.body, second.body)
  if (!keepsHeights(first, m, error) || !keepsHeights(second, m, error)) return NONE
  return isOnPlane ? [m] : [m, [-m[0], -m[1], -m[2]]]
}

const NONE: readonly Vector[] = []

/** Whether no point of the body comes higher or lower along the direction as it turns, but by rounding. */
function keepsHeights({ motion: { wx, wy, wz }, rate, radius }: Turning, [x, y, z]: Vector, error: number): boolean {
  if (rate === 0) return true
  const across = vectorLength3d(y * wz - z * wy, z * wx - x * wz, x * wy - y * wx)
  return 2 * (across / rate) * radius <= error
}

/** Half the error of a height of the pair where it touches, or less. */
function marginOf({ numbers: a }: Body, { numbers: b }: Body): number {
  return SEPARATION_ERROR_RATIO * (a[REACH] + b[REACH])
}

/** Between the surfaces of the pair, along a direction. */
function heightBetween({ now: { first, second, dx, dy, dz } }: AdvancingPair, [x, y, z]: Vector): number {
  const between = dx * x + dy * y + dz * z
  if (second.kind === HALFSPACE) return between - topOf(first, [x, y, z]) - second.numbers[OFFSET]
  return between - topOf(first, [x, y, z]) - topOf(second, [-x, -y, -z])
}

/** How high the surface reaches along a direction, from the anchor. */
function topOf(body: Body, [x, y, z]: Vector): number {
  const [px, py, pz] = supportOf(body, [x, y, z])
  return px * x + py * y + pz * z + body.numbers[RADIUS]
}

const point = new Float64Array(3)

function supportOf(body: Body, [x, y, z]: Vector): Vector {
  spend(1 + (body.count >> 2))
  point.fill(0)
  kindOf(body).support(body, x, y, z, point)
  return [point[0], point[1], point[2]]
}

function sidesOf({ first, second }: AdvancingPair, m: Vector): AdvancingPair {
  const margin = marginOf(first.body, second.body)
  // As high as the pair is wide: the shortest way out is sideways, and higher prisms would be slivers.
  const half = (first.body.numbers[REACH] + second.body.numbers[REACH]) / 2
  const a = prismOver(first.body, m, half, margin)
  const b = prismOver(second.body, [-m[0], -m[1], -m[2]], half, margin)
  return advancingPair(
    movingPair(orderPair(a, b), motionOf(first), motionOf(second), createMovingPlace()),
    createAdvancingSlots(),
  )
}

/** What turns about its own line, and stays as it is, has no spin here: its prism would not stay. */
function motionOf({ motion, rate }: Turning): Motion {
  return rate > 0 ? motion : { ...motion, wx: 0, wy: 0, wz: 0 }
}

/** Over all of the body that is as high along the direction as its highest point, so far up and down; its skin is above that. */
function prismOver(body: Body, m: Vector, half: number, margin: number): Body {
  const prism = createBody()
  const { numbers } = body
  const position: Vector = [numbers[POSITION], numbers[POSITION + 1], numbers[POSITION + 2]]
  setPose(prism, { position })
  if ((body.kind === CYLINDER || body.kind === CONE) && isOnDisc(body, m, margin)) {
    prism.numbers.set(numbers.subarray(ROTATION, ROTATION + 9), ROTATION)
    prism.aligned = body.aligned
    setCylinder(prism, numbers[LENGTHS], 2 * half, 'y')
    for (let k = 0; k < 3; k++) prism.numbers[ANCHOR + k] = numbers[ANCHOR + k]
    return prism
  }
  const highest = body.kind === POINTS ? highestPoints(body, m, margin) : highestOnCurve(body, m, margin)
  const corners = new Float64Array(6 * highest.length)
  for (let i = 0; i < highest.length; i++) {
    for (let k = 0; k < 3; k++) {
      const place = highest[i][k] + (body.kind === POINTS ? 0 : numbers[ANCHOR + k])
      corners[6 * i + k] = place - half * m[k]
      corners[6 * i + 3 + k] = place + half * m[k]
    }
  }
  setHull(prism, corners, 2 * highest.length, 0)
  return prism
}

/** Those of the core. */
function highestPoints({ numbers, count, local }: Body, [x, y, z]: Vector, margin: number): Vector[] {
  spend(1 + (count >> 1))
  const heightAt = (i: number): number =>
    numbers[local + 3 * i] * x + numbers[local + 3 * i + 1] * y + numbers[local + 3 * i + 2] * z
  let top = -Infinity
  for (let i = 0; i < count; i++) top = Math.max(top, heightAt(i))
  const highest: Vector[] = []
  for (let i = 0; i < count; i++) {
    const at = VERTICES + 3 * i
    if (heightAt(i) >= top - margin) highest.push([numbers[at], numbers[at + 1], numbers[at + 2]])
  }
  return highest
}

/** The shape's own axis. */
function axisOf({ numbers }: Body): Vector {
  return [numbers[ROTATION + 1], numbers[ROTATION + 4], numbers[ROTATION + 7]]
}

function isOnDisc(body: Body, [x, y, z]: Vector, margin: number): boolean {
  const [u, v, w] = axisOf(body)
  if (body.kind === CONE && x * u + y * v + z * w > 0) return false
  return 2 * body.numbers[LENGTHS] * vectorLength3d(y * w - z * v, z * u - x * w, x * v - y * u) <= margin
}

/** The ends of the line of a cylinder or cone that lies across the direction; else the one highest point. */
function highestOnCurve(body: Body, m: Vector, margin: number): Vector[] {
  const highest = supportOf(body, m)
  if (body.kind !== CYLINDER && body.kind !== CONE) return [highest]
  const { numbers } = body
  const axis = axisOf(body)
  const along = m[0] * axis[0] + m[1] * axis[1] + m[2] * axis[2]
  const out = [0, 1, 2].map((k) => m[k] - along * axis[k])
  const length = vectorLength3d(out[0], out[1], out[2])
  if (length === 0) return [highest]
  const ends = [-1, 1].map((end): Vector => {
    const radius = body.kind === CONE && end > 0 ? 0 : numbers[LENGTHS]
    const at = (k: number): number => end * numbers[LENGTHS + 1] * axis[k] + (radius * out[k]) / length
    return [at(0), at(1), at(2)]
  })
  const [low, high] = ends.map((p) => p[0] * m[0] + p[1] * m[1] + p[2] * m[2])
  return Math.abs(high - low) <= margin ? ends : [highest]
}
