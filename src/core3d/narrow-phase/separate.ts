/**
 * Whether two convex bodies meet, and how far apart they are: the one way to ask about a pair.
 *
 * Method: pairs in one order (`pair-frame.ts`); half-spaces and pairs of core points have files of their own, the rest goes by the
 * bounds of GJK, and by exact algebra where these leave open which side of touching the pair is on (below, and `exact-quadric.ts`).
 * Frame: world.
 */

import { ANCHOR, type Body, HALFSPACE, POINTS, POSITION, RADIUS, UNIT } from '../shape/body.ts'
import { CLEAR_DEPTH_RATIO, FACE_GAP_RATIO, LEAST_GAP_RATIO, OPEN_GAP_RATIO } from '../tolerances.ts'
import { boundPointBox, meetBoxes, relateBoxes } from './box-box.ts'
import { createDepth, type Depth, measureDepth, measureHalfspaceDepth } from './depth.ts'
import { exactQuadric } from './exact-quadric.ts'
import { createPenetration, penetrate } from './expanding-polytope.ts'
import { type Bounds, boundDistance, boundSide, createBounds, type Simplex, sharpenWeights } from './gjk.ts'
import { relateHalfspace, separateHalfspace } from './halfspace-any.ts'
import { findInHalfspace, findInnerPoint, isClearlyInside } from './inner-point.ts'
import { createSeparation, type PairFrame, type Relation, type Separation } from './pair-frame.ts'
import { pointsMeet, relatePoints, separatePoints } from './points-points.ts'
import { boundCurved, boundCurvedSide, settle } from './smooth-contact.ts'
import { forgetSlab, keepSlab, putFacedNormal } from './twofold-face.ts'

const bounds = createBounds()
const separation = createSeparation()

/** Whether the closed sets meet. The pair is in order, and of a size whose products stay in range. */
export function meets(frame: PairFrame): boolean {
  if (frame.second.kind === HALFSPACE) {
    separateHalfspace(frame, separation)
    return separation.meet
  }
  const boxes = relateBoxes(frame)
  if (boxes !== 0) return boxes < 0
  boundSides(frame)
  return isCored(frame) ? pointsMeet(frame, bounds) : quadricMeets(frame, bounds)
}

/** Sets `bounds` so narrow that they tell on which side of touching the pair is, if rounding lets them: no distance is found. */
function boundSides(frame: PairFrame): void {
  const { first, second, error } = frame
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  const near = skins - 2 * error
  const far = skins + 2 * error
  if (isCored(frame)) boundSide(frame, bounds, near, far)
  else boundCurvedSide(frame, bounds, near, far)
}

/** Whether the pair overlaps, touches or is apart: the sign of its separation. As exact as whether it meets. */
export function relate(frame: PairFrame): Relation {
  if (frame.second.kind === HALFSPACE) return relateHalfspace(frame)
  const boxes = relateBoxes(frame)
  if (boxes !== 0) return boxes
  boundSides(frame)
  return isCored(frame) ? relatePoints(frame, bounds) : relateQuadric(frame, bounds)
}

/** Everything about the pair. */
export function separate(frame: PairFrame, out: Separation): void {
  if (frame.second.kind === HALFSPACE) {
    separateHalfspace(frame, out)
    return
  }
  if (isCored(frame)) {
    if (!isClearOfBox(frame)) boundDistance(frame, bounds)
    separatePoints(frame, bounds, out)
  } else separateQuadric(frame, bounds, boundCurved(frame, bounds, clearSkins(frame)), out)
}

/** The relation of a pair, and what proves it. */
export interface Proof {
  relation: Relation
  /** Whether `separation` has no more than a point of both, for certain; that of others that meet lies in both but for rounding. */
  isInside: boolean
  /** Everything about a pair that is apart; of others a common point. */
  separation: Separation
  /** Unit vector along which all of the second body lies below all of the first but for rounding; 0 0 0 where none is known. */
  across: Float64Array
  /** Whether `mayLieInSlab` knows where common points are. */
  hasSlab: boolean
  /** Whether `sharpen` finds a common point with more digits. */
  isRough: boolean
}

export function createProof(): Proof {
  return {
    relation: 1,
    isInside: false,
    separation: createSeparation(),
    across: new Float64Array(3),
    hasSlab: false,
    isRough: false,
  }
}

/** How far apart the pair is, or a point of both. */
export function prove(frame: PairFrame, out: Proof): void {
  const { first, second } = frame
  const { separation, across } = out
  out.isInside = false
  out.hasSlab = false
  out.isRough = false
  if (second.kind === HALFSPACE) {
    if (findInHalfspace(frame, separation.a)) setPierced(isClearlyInside(frame) ? -1 : relateHalfspace(frame), out)
    else {
      separateHalfspace(frame, separation)
      out.relation = separation.meet ? relateHalfspace(frame) : 1
      for (let k = 0; k < 3; k++) across[k] = first.kind === HALFSPACE ? 0 : second.numbers[UNIT + k]
    }
    return
  }
  if (isCored(frame)) boundDistance(frame, bounds)
  const isSettled = !isCored(frame) && boundCurved(frame, bounds, clearSkins(frame))
  if (bounds.lower <= first.numbers[RADIUS] + second.numbers[RADIUS] && findInnerPoint(frame, bounds, separation.a)) {
    if (isClearlyInside(frame)) setPierced(-1, out)
    else setPierced(isCored(frame) ? relatePoints(frame, bounds) : relate(frame), out)
    return
  }
  let isFaced = false
  if (!isCored(frame)) {
    separateQuadric(frame, bounds, isSettled, separation)
    out.relation = separation.meet ? relate(frame) : 1
  } else {
    forgetSlab()
    out.relation = relatePoints(frame, bounds)
    isFaced = out.relation === 0 && putFacedNormal(across)
    // What meets needs no more digits as a rule: a common point is tried, and others near it.
    if (out.relation <= 0 && bounds.simplex.holds < 2) setCommonPoint(frame, bounds, separation)
    else separatePoints(frame, bounds, separation)
    out.hasSlab = out.relation < 0 && keepSlab(frame, separation)
    out.isRough = out.relation === 0
  }
  if (isFaced) return
  across[0] = bounds.nx
  across[1] = bounds.ny
  across[2] = bounds.nz
}

/** Sets the common point of a pair of cores that touches as if rounded once. */
export function sharpen(frame: PairFrame, { separation }: Proof): void {
  boundDistance(frame, bounds)
  separatePoints(frame, bounds, separation)
}

function setPierced(relation: Relation, out: Proof): void {
  out.relation = relation
  out.isInside = true
}

/** How far apart or how deep in each other they are: of a pair that meets the depth, of others all else. Returns whether they meet. */
export function measure(frame: PairFrame, apart: Separation, depth: Depth): boolean {
  if (frame.second.kind === HALFSPACE) {
    separateHalfspace(frame, apart)
    if (apart.meet) measureHalfspaceDepth(frame, depth)
    return apart.meet
  }
  if (meetBoxes(frame, depth)) return true
  if (!isCored(frame)) {
    const isSettled = boundCurved(frame, bounds)
    separateQuadric(frame, bounds, isSettled, apart)
    if (apart.meet) measureDepth(frame, bounds, depth, isSettled)
    return apart.meet
  }
  if (isClearOfBox(frame)) {
    separatePoints(frame, bounds, apart)
    return false
  }
  boundDistance(frame, bounds)
  const isMet = pointsMeet(frame, bounds)
  if (isMet) measureDepth(frame, bounds, depth)
  else separatePoints(frame, bounds, apart)
  return isMet
}

/** Sets `bounds` of a point or ball that is clearly apart from a box. */
function isClearOfBox(frame: PairFrame): boolean {
  const { first, second, extent } = frame
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  return boundPointBox(frame, bounds) && bounds.lower - skins > FACE_GAP_RATIO * extent
}

/** Cores that are nearer to each other than that meet by their skins for certain. */
function clearSkins({ first, second, error }: PairFrame): number {
  return first.numbers[RADIUS] + second.numbers[RADIUS] - error
}

function isCored({ first, second }: PairFrame): boolean {
  return first.kind === POINTS && second.kind === POINTS
}

// A cylinder, cone or ellipsoid and any other bounded body.
//
// Method: the bounds of GJK, between which the distance lies for certain, decide where they are clear. Where they are not, exact
// algebra decides the pairs that a user builds on purpose (`exact-quadric.ts`); what is left is within rounding of touching.
// Frame: world.

/** Whether the pair meets: exact where the algebra reaches, else to within rounding. */
function quadricMeets(frame: PairFrame, bounds: Bounds): boolean {
  return clearMeeting(frame, bounds) ?? meetsClosely(frame, bounds)
}

/** Whether it overlaps, touches or is apart, as exactly; what rounding leaves open of a turned body that meets, touches. */
function relateQuadric(frame: PairFrame, bounds: Bounds): Relation {
  const clear = clearMeeting(frame, bounds)
  if (clear !== null) return clear ? -1 : 1
  if (!meetsClosely(frame, bounds)) return 1
  const isInside = exactQuadric(frame, bounds, true)
  if (isInside !== null) return isInside ? -1 : 0
  measureDepth(frame, bounds, depth)
  return depth.depth > frame.error ? -1 : 0
}

const depth = createDepth()

function meetsClosely(frame: PairFrame, bounds: Bounds): boolean {
  const skins = frame.first.numbers[RADIUS] + frame.second.numbers[RADIUS]
  return exactQuadric(frame, bounds, false) ?? bounds.lower <= skins
}

/** True where the pair overlaps for certain, false where it is apart; null within rounding of touching, with bounds that have a direction. */
function clearMeeting(frame: PairFrame, bounds: Bounds): boolean | null {
  const { first, second, error, extent } = frame
  const { lower, upper, simplex } = bounds
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  if (lower - skins > error) return false
  if (simplex.holds === 2 || upper + error < skins) return true
  if (upper - lower > OPEN_GAP_RATIO * extent || lower < -error) {
    // The search ran into the origin before it knew a direction; of thin bodies none that looks so bad.
    penetrate(frame, simplex, penetration)
    // The lower bound may be rounding's where slivers were left out; both must be clear.
    if (Math.min(penetration.lower, penetration.upper) > CLEAR_DEPTH_RATIO * extent) return true
    bounds.lower = -penetration.upper
    bounds.nx = -penetration.nx
    bounds.ny = -penetration.ny
    bounds.nz = -penetration.nz
    if (isNearer(frame, simplex)) {
      simplex.count = 1
      simplex.weights[0] = 1
      simplex.a.set(penetration.a)
      simplex.b.set(penetration.b)
    }
  }
  return null
}

/** Whether the points of the penetration are nearer to each other than those of the simplex: of a difference that is flat they may be any. */
function isNearer({ dx, dy, dz }: PairFrame, { count, weights, a, b }: Simplex): boolean {
  let own = 0
  let other = 0
  for (let k = 0; k < 3; k++) {
    const d = k === 0 ? dx : k === 1 ? dy : dz
    let apart = -d
    for (let i = 0; i < count; i++) apart += weights[i] * (a[3 * i + k] - b[3 * i + k])
    own = Math.max(own, Math.abs(apart))
    other = Math.max(other, Math.abs(penetration.a[k] - penetration.b[k] - d))
  }
  return other < own
}

const penetration = createPenetration()

/** Sets everything about the pair; `isSettled`: its bounds are those of a contact that is proven. */
function separateQuadric(frame: PairFrame, bounds: Bounds, isSettled: boolean, out: Separation): void {
  const { first, second, error } = frame
  const meet = quadricMeets(frame, bounds)
  // Any two points of the cores that the skins reach across have one of both bodies between them.
  const isClear = bounds.simplex.holds === 2 || bounds.upper + error < first.numbers[RADIUS] + second.numbers[RADIUS]
  if (!isSettled && !isClear) settle(frame, bounds)
  if (meet) setCommonPoint(frame, bounds, out)
  else setApart(frame, bounds, out)
}

/** Of a pair that is apart, with bounds as narrow as they get. */
function setApart({ first, second, extent }: PairFrame, bounds: Bounds, out: Separation): void {
  const { simplex, lower, nx, ny, nz } = bounds
  const radiusA = first.numbers[RADIUS]
  const radiusB = second.numbers[RADIUS]
  out.meet = false
  // Of the two bounds the lower one is off by the square of what the direction is off, the upper one by what the points are.
  out.distance = Math.max(lower - (radiusA + radiusB), LEAST_GAP_RATIO * extent)
  out.normal[0] = -nx
  out.normal[1] = -ny
  out.normal[2] = -nz
  setNearest(first, simplex.a, bounds, out.a)
  setNearest(second, simplex.b, bounds, out.b)
  for (let k = 0; k < 3; k++) {
    out.a[k] += radiusA * out.normal[k]
    out.b[k] -= radiusB * out.normal[k]
  }
}

/** Of bodies that meet: a point of both, which of those that meet by their skins lies between the cores. */
function setCommonPoint({ first, second, extent }: PairFrame, bounds: Bounds, out: Separation): void {
  if (bounds.simplex.holds === 2) sharpenWeights(bounds.simplex, extent)
  const { x, y, z, a } = bounds.simplex
  const radius = first.numbers[RADIUS]
  const skins = radius + second.numbers[RADIUS]
  const share = skins > 0 ? radius / skins : 0
  out.meet = true
  out.distance = 0
  out.normal.fill(0)
  setNearest(first, a, bounds, out.a)
  out.a[0] -= share * x
  out.a[1] -= share * y
  out.a[2] -= share * z
  out.b.set(out.a)
}

function setNearest({ numbers }: Body, points: Float64Array, { simplex }: Bounds, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    let sum = 0
    for (let i = 0; i < simplex.count; i++) sum += simplex.weights[i] * points[3 * i + k]
    out[k] = numbers[POSITION + k] + (numbers[ANCHOR + k] + sum)
  }
}
