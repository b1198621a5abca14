/**
 * When a body that moves straight first goes into another one in space, as against touching it, sliding along it or leaving it.
 *
 * These count as going in:
 * - The insides of two leaves overlap by more than rounding in the middle of the time for which they meet. The overlap of convex bodies
 *   is concave in time, so the middle tells.
 * - Two leaves that have no inside even together (a point and a triangle, parallel triangles, segments) cross: the motion leads out
 *   of the plane or line in which their difference lies, and if one is a face of a solid, into that. What touches such a leaf at the start
 *   may leave it to either side, unless it is held: then it is stopped at once.
 * So a body that slides over level triangles, or over boxes side by side, does not catch on their seams.
 *
 * Method: the sweep of every pair of leaves (`linear-sweep.ts`, `composite-sweep.ts`), and the depth in the middle.
 * Frame: world; the normal points from A, which stands still, to B, which moves. Time is in units of the motion.
 */

import { spend } from '../../containers/budget.ts'
import { scaleBy, vectorLength3d } from '../../numeric/safe-range.ts'
import { isClearlyHeld, isSolidLeaf } from '../narrow-phase/composite-holding.ts'
import { normalOf } from '../narrow-phase/composite-interiors.ts'
import { leafOf } from '../narrow-phase/composite-walk.ts'
import { createDepth, measureDepth } from '../narrow-phase/depth.ts'
import { boundDistance, createBounds } from '../narrow-phase/gjk.ts'
import { createPairFrame, type PairFrame, pairInRange } from '../narrow-phase/pair-frame.ts'
import {
  ANCHOR,
  type Body,
  COMPOSITE,
  CONE,
  CYLINDER,
  cross,
  dot,
  ELLIPSOID,
  HALFSPACE,
  LENGTHS,
  POINTS,
  POSITION,
  plus,
  RADIUS,
  REACH,
  ROTATION,
  type Vector,
} from '../shape/body.ts'
import { createMotion, type Motion } from '../shape/motion.ts'
import {
  BELOW_RIM_RATIO,
  INSTANT_RATIO,
  NORMAL_GAP_RATIO,
  SAME_NORMAL_RATIO,
  SEPARATION_ERROR_RATIO,
  TOUCHING_COUNT,
} from '../tolerances.ts'
import { type CompositeSweep, compositeSweep, firstContact, goesIn, sweepLeaves } from './composite-sweep.ts'
import { clearImpact, createTimeOfImpact, type TimeOfImpact } from './impact.ts'
import { sinksIn } from './linear-sweep.ts'
import { movingPair, placeAt } from './moving-pair.ts'
import { convexImpact } from './time-of-impact.ts'

export interface Entry {
  /** B goes into A at `time`; what follows is then set. */
  isBlocked: boolean
  time: number
  /** Unit normal of the contact, from A to B; the direction opposite to the motion where there is no other. */
  nx: number
  ny: number
  nz: number
  /** Where they touch then. */
  x: number
  y: number
  z: number
  /** The leaves that meet there have no inside even together: which side of A the other is on, only its place tells. */
  isFlat: boolean
}

export function createEntry(): Entry {
  return { isBlocked: false, time: Infinity, nx: 0, ny: 0, nz: 0, x: 0, y: 0, z: 0, isFlat: false }
}

/** Part of its size that a difference of two bodies may be thick and still have no inside: what is thinner, no depth tells from rounding. */
const FLAT_PAIR_RATIO = 2 * TOUCHING_COUNT * SEPARATION_ERROR_RATIO
/** Sine of the angle between a motion and a plane or line up to which the motion runs along it. */
const FLAT_SLOPE_RATIO = SEPARATION_ERROR_RATIO
/** Part of its size by which a body goes on after a contact, to show along which of many normals the contact is least deep. */
const A_LITTLE_RATIO = 2 ** 18 * NORMAL_GAP_RATIO

/** How far behind the face of a solid it is asked whether its inside is there: parts of its size and, for rounding, of the coordinates. */
const INSIDE_RATIO = 2 ** 13 * SEPARATION_ERROR_RATIO
const FAR_INSIDE_RATIO = 8 * SEPARATION_ERROR_RATIO

const bounds = createBounds()
const depth = createDepth()
const later = createPairFrame()
const AT_REST = createMotion()
const found = createTimeOfImpact()
const leaves = createTimeOfImpact()

/**
 * Fills `out` with when B, which moves for one unit of time without a turn, first goes into A. `isHeld`: B is stopped at once by what has
 * no inside and touches it at the start; else it may leave that to either side.
 */
export function firstEntry(a: Body, b: Body, motion: Motion, isHeld: boolean, out: Entry): void {
  const straight = { ...motion, wx: 0, wy: 0, wz: 0 }
  out.isFlat = false
  if (isHeld && mayBeFlat(a, straight) && mayBeFlat(b, straight) && isHeldAtStart(a, b, straight, out)) {
    out.isBlocked = true
    out.isFlat = true
  } else if (a.kind === COMPOSITE || b.kind === COMPOSITE) compositeEntry(a, b, straight, out)
  else {
    convexImpact(a, AT_REST, b, straight, 1, true, 'exit', found)
    out.isBlocked = found.hit && stopsConvex(a, b, straight, out)
    if (out.isBlocked) setContact(a, b, straight, out)
  }
  // of what is held, 0
  out.time = out.isBlocked ? found.time : Infinity
}

function stopsConvex(a: Body, b: Body, motion: Motion, out: Entry): boolean {
  // What is let go at the start hits then only where it goes in.
  if (found.time === 0 && found.startedOverlapping) return true
  if (entersConvex(a, b, motion, found)) return true
  out.isFlat = crossesFlat(a, b, motion)
  return out.isFlat
}

function entersConvex(a: Body, b: Body, motion: Motion, { time, hasExit, exitTime }: TimeOfImpact): boolean {
  const frame = pairInRange(a, b)
  const pair = movingPair(frame, AT_REST, scaledMotion(motion, frame))
  const end = hasExit ? exitTime : 1
  return sinksIn(pair, time, end > time ? end : time * (1 + 2 * INSTANT_RATIO))
}

function scaledMotion(motion: Motion, { exponent }: PairFrame): Motion {
  if (exponent === 0) return motion
  const { vx, vy, vz } = motion
  return { ...motion, vx: scaleBy(vx, -exponent), vy: scaleBy(vy, -exponent), vz: scaleBy(vz, -exponent) }
}

function compositeEntry(a: Body, b: Body, motion: Motion, out: Entry): void {
  clearImpact(found)
  const sweep = compositeSweep(a, AT_REST, b, motion, 1, convexImpact, leaves)
  firstContact(sweep, true, 'exit', found, (given, leafA, leafB) => {
    return goesIn(given, leafA, leafB) || crossesAt(given, leafA, leafB, motion)
  })
  out.isBlocked = found.hit
  if (found.hit) setLeafContact(sweep, motion, out)
}

/** Whether B touches A at the start so that it is held; then sets the contact. */
function isHeldAtStart(a: Body, b: Body, motion: Motion, out: Entry): boolean {
  if (a.kind !== COMPOSITE && b.kind !== COMPOSITE) {
    convexImpact(a, AT_REST, b, motion, 0, false, 'contact', found)
    if (!found.hit || !crossesFlat(a, b, motion)) return false
    out.isFlat = true
    setContact(a, b, motion, out)
    return true
  }
  clearImpact(found)
  const sweep = compositeSweep(a, AT_REST, b, motion, 0, convexImpact, leaves)
  firstContact(sweep, false, 'contact', found, (given, leafA, leafB) => {
    sweepLeaves(given, leafA, leafB, false, 'contact')
    return crossesAt(given, leafA, leafB, motion)
  })
  if (found.hit) setLeafContact(sweep, motion, out)
  return found.hit
}

/**
 * Whether two leaves, whose contact is in `leaves`, have no inside even together and cross. The face of a solid is crossed only where its
 * inside is gone into: what slides along a side of it comes by its rim.
 */
function crossesAt({ frame }: CompositeSweep, leafA: number, leafB: number, motion: Motion): boolean {
  const { first, second, swapped } = frame
  const [own, other] = [leafOf(first, leafA), leafOf(second, leafB)]
  if (!crossesFlat(own, other, motion)) return false
  const isSolid = isSolidLeaf(first.body, leafA)
  const isOtherSolid = isSolidLeaf(second.body, leafB)
  if (!isSolid && !isOtherSolid) return true
  const side = swapped ? -1 : 1
  const otherSide = swapped ? 1 : -1
  return (
    (isSolid && goesInside(first.body, normalOf(own), side, motion)) ||
    (isOtherSolid && goesInside(second.body, normalOf(other), otherSide, motion))
  )
}

/** Whether a point that touches the face of a solid with that outward normal goes inside; `side`: 1 where the point moves, −1 the solid. */
function goesInside(solid: Body, normal: Vector, side: 1 | -1, { vx, vy, vz }: Motion): boolean {
  const speed = vectorLength3d(vx, vy, vz)
  const way: Vector = [(side * vx) / speed, (side * vy) / speed, (side * vz) / speed]
  if (!(dot(way, normal) < 0)) return false
  const { numbers } = solid
  const met: Vector = [leaves.ax, leaves.ay, leaves.az]
  const passed = side < 0 ? leaves.time : 0
  const [x, y, z] = [0, 1, 2].map((k) => met[k] - numbers[POSITION + k] - passed * [vx, vy, vz][k])
  const far = Math.abs(met[0]) + Math.abs(met[1]) + Math.abs(met[2])
  const behind = INSIDE_RATIO * numbers[REACH] + FAR_INSIDE_RATIO * far
  // behind the face, where at a sharp rim the way alone leads inside
  const inward: Vector = [-normal[0], -normal[1], -normal[2]]
  return [inward, way, plus(inward, way, 1)].some((into) => {
    return isClearlyHeld(solid, solid, x + behind * into[0], y + behind * into[1], z + behind * into[2])
  })
}

function setLeafContact({ frame }: CompositeSweep, motion: Motion, out: Entry): void {
  const { swapped } = frame
  const first = leafOf(frame.first, swapped ? found.leafB : found.leafA)
  const second = leafOf(frame.second, swapped ? found.leafA : found.leafB)
  out.isFlat = crossesFlat(first, second, motion)
  setContact(swapped ? second : first, swapped ? first : second, motion, out)
}

/**
 * The normal of a contact, from A to B: where edges or corners meet, so that there are many, the one along which the bodies are least deep
 * in each other a little later, as the face of a slope at whose foot an edge has come.
 */
function steadyNormal(a: Body, b: Body, motion: Motion, normal: Vector): Vector {
  const skins = a.numbers[RADIUS] + b.numbers[RADIUS]
  if (skins > 0 || a.kind === HALFSPACE || hasFace(a, found.featureA, normal) || hasFace(b, found.featureB, normal)) {
    return normal
  }
  if (isRoundAt(a, AT_REST) || isRoundAt(b, motion)) return normal
  const frame = pairInRange(a, b)
  const scaled = scaledMotion(motion, frame)
  const pair = movingPair(frame, AT_REST, scaled)
  const way = A_LITTLE_RATIO * Math.min(frame.first.numbers[REACH], frame.second.numbers[REACH])
  if (!(way > 0)) return normal
  placeAt(pair, frame.first, frame.second, found.time + way / pair.speed, later)
  boundDistance(later, bounds)
  measureDepth(later, bounds, depth)
  if (!(depth.depth > TOUCHING_COUNT * later.error && depth.depth < Infinity)) return normal
  const side = frame.swapped ? -1 : 1
  const least: Vector = [side * depth.nx, side * depth.ny, side * depth.nz]
  const into = (n: Vector): number => -(n[0] * scaled.vx + n[1] * scaled.vy + n[2] * scaled.vz) / pair.speed
  return into(least) > 0 && into(least) < into(normal) - A_LITTLE_RATIO ? least : normal
}

/** What is gone into can only be met head on. `a`, `b`: the convex bodies or leaves that meet. */
function setContact(a: Body, b: Body, motion: Motion, out: Entry): void {
  const { vx, vy, vz } = motion
  const { hasNormal, ax, ay, az } = found
  const [nx, ny, nz] = steadyNormal(a, b, motion, [found.nx, found.ny, found.nz])
  const into = nx * vx + ny * vy + nz * vz
  // the normal of what has no inside may look either way
  const side = out.isFlat && into > 0 ? -1 : 1
  const isMet = hasNormal && side * into < 0
  const speed = vectorLength3d(vx, vy, vz)
  // + 0: no negative zeros.
  out.nx = (isMet ? side * nx : -vx / speed) + 0
  out.ny = (isMet ? side * ny : -vy / speed) + 0
  out.nz = (isMet ? side * nz : -vz / speed) + 0
  out.x = ax
  out.y = ay
  out.z = az
}

/** Whether a body touches with a face: a normal of that is the only one. */
function hasFace(body: Body, feature: readonly number[], normal: Vector): boolean {
  const { kind, count, numbers } = body
  if (feature.length >= 3) return true
  const face = kind === CYLINDER || kind === CONE ? column(numbers, 1, 1) : count === 3 ? normalOf(body) : null
  return face !== null && 1 - Math.abs(dot(face, normal)) <= SAME_NORMAL_RATIO
}

/** Whether a body touches with its round side, which has one normal at each point. */
function isRoundAt({ kind, numbers }: Body, { vx, vy, vz }: Motion): boolean {
  const [x, y, z] = numbers.subarray(LENGTHS, LENGTHS + 3)
  if (kind === ELLIPSOID) return x > 0 && y > 0 && z > 0
  if ((kind !== CYLINDER && kind !== CONE) || !(x > 0)) return false
  const axis = column(numbers, 1, 1)
  const { time, ax, ay, az } = found
  const met: Vector = [ax - time * vx, ay - time * vy, az - time * vz]
  const height = met.reduce((sum, at, k) => sum + axis[k] * (at - numbers[POSITION + k] - numbers[ANCHOR + k]), 0)
  return Math.abs(height) < y * (1 - BELOW_RIM_RATIO)
}

/** Whether a body may have a leaf without an inside out of which the motion leads. */
function mayBeFlat(body: Body, motion: Motion): boolean {
  return body.kind === COMPOSITE || crossesFlat(body, body, motion)
}

/** Whether the difference of two convex bodies lies in a plane, a line or a point, and the motion leads out of it. */
function crossesFlat(a: Body, b: Body, { vx, vy, vz }: Motion): boolean {
  if (a.kind === HALFSPACE || a.numbers[RADIUS] > 0 || b.numbers[RADIUS] > 0) return false
  const ways = [...waysAcross(a), ...waysAcross(b)]
  spend(1 + (ways.length >> 2))
  const most = longest(ways)
  const size = sizeOf(most)
  const first = unit(most)
  const rest = first === null ? [] : ways.map((way) => without(way, first))
  const second = unit(longest(rest), FLAT_PAIR_RATIO * size)
  const third = first === null || second === null ? null : cross(first, second)
  if (third !== null && ways.some((way) => Math.abs(dot(way, third)) > FLAT_PAIR_RATIO * size)) return false
  const motion = unit([vx, vy, vz])
  if (motion === null) return false
  let out = first === null ? motion : without(motion, first)
  if (second !== null) out = without(out, second)
  return Math.hypot(...out) > FLAT_SLOPE_RATIO
}

/** Vectors that span a bounded body without a skin: none of a point. */
function waysAcross({ kind, count, numbers, local }: Body): Vector[] {
  const [x, y, z] = numbers.subarray(LENGTHS, LENGTHS + 3)
  if (kind === ELLIPSOID) return [column(numbers, 0, x), column(numbers, 1, y), column(numbers, 2, z)]
  if (kind !== POINTS) return [column(numbers, 0, x), column(numbers, 1, y), column(numbers, 2, x)]
  const ways: Vector[] = []
  for (let i = 1; i < count; i++) {
    const at = local + 3 * i
    ways.push([numbers[at], numbers[at + 1], numbers[at + 2]])
  }
  return ways
}

/** An axis of the shape's own, so long. */
function column(numbers: Float64Array, k: number, length: number): Vector {
  return [length * numbers[ROTATION + k], length * numbers[ROTATION + 3 + k], length * numbers[ROTATION + 6 + k]]
}

function longest(ways: readonly Vector[]): Vector {
  let most: Vector = [0, 0, 0]
  for (const way of ways) if (sizeOf(way) > sizeOf(most)) most = way
  return most
}

function sizeOf([x, y, z]: Vector): number {
  return vectorLength3d(x, y, z)
}

/** The unit vector; null for a vector no longer than `least`. */
function unit(way: Vector, least = 0): Vector | null {
  const length = sizeOf(way)
  return length > least ? [way[0] / length, way[1] / length, way[2] / length] : null
}

function without(way: Vector, along: Vector): Vector {
  const share = dot(way, along)
  return [way[0] - share * along[0], way[1] - share * along[1], way[2] - share * along[2]]
}
