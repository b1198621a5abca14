/**
 * The overlap query: do two closed bodies meet, and their insides, decided exactly, with a certificate that can be checked by itself.
 * Frame: the answer is in world coordinates; the axis points from A to B.
 */

import { spend } from '../../containers/budget.ts'
import { binaryExponent } from '../../numeric/exact-ring.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { scaleBy, scaleNumbers, scaleSigned } from '../../numeric/safe-range.ts'
import {
  compositesMeet,
  createNearestLeaves,
  nearestLeaves,
  relateComposites,
} from '../narrow-phase/composite-relation.ts'
import { createCompositeFrame, gapAlong, leafPair, orderComposites } from '../narrow-phase/composite-walk.ts'
import { isUncurved } from '../narrow-phase/inner-point.ts'
import { orderPair, type PairFrame, pairInRange, type Relation, type Separation } from '../narrow-phase/pair-frame.ts'
import { hasPoint } from '../narrow-phase/point-membership.ts'
import { createProof, meets, type Proof, prove, relate as relatePair, sharpen } from '../narrow-phase/separate.ts'
import { mayLieInSlab } from '../narrow-phase/twofold-face.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  COMPOSITE,
  HALFSPACE,
  OFFSET,
  POSITION,
  RADIUS,
  VERTICES,
  type Vector,
} from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import { CURVED_ERROR_COUNT, FLAT_CORNER_COUNT, NEAR_CORNER_RATIO, NUDGE_RATIOS, PLACE_COUNTS } from '../tolerances.ts'
import { createProbe, setProbeAt } from './containment.ts'
import { createDistance, setDistance } from './distance.ts'

// A common point that lies in both bodies exactly, as the certificate of an overlap should.
//
// Method: a point that is computed lies in both but for rounding. Where it does not to the last bit, points next to it are tried,
// each decided as exactly as any pair: with fewer digits, because where bodies touch, the one point that will do is short if any
// double is; corners next to it; a little way towards the middle of either body, which leads off a face into an overlap; and all
// corners of a body of few, whose plane or line may have no other point in doubles. If no such point is found, the computed one is as
// good as rounding allows.

const probe = createProbe()

/** A point of both bodies next to the one given, which lies in both but for rounding. The pair is of a size whose products stay in range. */
function certified(frame: PairFrame, proof: Proof, rough: Vector): Vector {
  const { relation, across, hasSlab, isRough, separation } = proof
  const { first, second, extent } = frame
  // The only point of a body without extent is the position it was given.
  if (first.count === 1 && first.numbers[RADIUS] === 0 && rough.every((x, k) => x === first.numbers[POSITION + k]))
    return rough
  setSlab(frame, across)
  const [x, y, z] = across
  const isCommon = (candidate: Vector): boolean =>
    isInSlab(frame, across, candidate) &&
    !(hasSlab && !mayLieInSlab(frame, candidate)) &&
    holdsPoint(first, candidate, [-x, -y, -z]) &&
    holdsPoint(second, candidate, [x, y, z])
  if (isCommon(rough)) return rough
  let point = rough
  if (isRough) {
    const near = shortPoints(extent, rough).find(isCommon)
    if (near !== undefined) return near
    sharpen(frame, proof)
    point = vectorOf(separation.a)
    if (isCommon(point)) return point
  }
  return candidatesNear(first, second, extent, relation, point).find(isCommon) ?? point
}

function vectorOf([x, y, z]: Float64Array): Vector {
  return [x, y, z]
}

/** Heights along `across`, from the anchor of the first body, between which all common points lie, but for rounding. */
let lowest = -Infinity
let highest = Infinity

function setSlab({ first, second, dx, dy, dz }: PairFrame, [x, y, z]: Float64Array): void {
  lowest = -Infinity
  highest = Infinity
  if (x === 0 && y === 0 && z === 0) return
  lowest = -reachAlong(first, -x, -y, -z)
  const shift = dx * x + dy * y + dz * z
  highest = second.kind === HALFSPACE ? shift + second.numbers[OFFSET] : shift + reachAlong(second, x, y, z)
}

/** How far the body reaches from its anchor along a unit vector. */
function reachAlong(body: Body, x: number, y: number, z: number): number {
  reached.fill(0)
  kindOf(body).support(body, x, y, z, reached)
  return reached[0] * x + reached[1] * y + reached[2] * z + body.numbers[RADIUS]
}

const reached = new Float64Array(3)

/** Whether the point lies where both bodies do, to within rounding: most others do not, which costs little to tell. */
function isInSlab({ first, second, error }: PairFrame, across: Float64Array, point: Vector): boolean {
  const { numbers } = first
  let height = 0
  let size = 0
  for (let k = 0; k < 3; k++) {
    height += across[k] * (point[k] - numbers[POSITION + k] - numbers[ANCHOR + k])
    size += Math.abs(point[k]) + Math.abs(numbers[POSITION + k]) + Math.abs(numbers[ANCHOR + k])
  }
  const slack = (isUncurved(first, second) ? error / 4 : CURVED_ERROR_COUNT * error) + 8 * UNIT_ROUNDOFF * size
  return height >= lowest - slack && height <= highest + slack
}

function holdsPoint(body: Body, point: Vector, outward: Vector): boolean {
  return hasPoint(body, point, outward) ?? meetsPoint(body, point)
}

function meetsPoint(body: Body, [x, y, z]: Vector): boolean {
  setProbeAt(probe, x, y, z)
  return meets(orderPair(probe, body))
}

/** Where the insides meet, first those that need no exact arithmetic as a rule: the farther from a surface, the clearer. */
function candidatesNear(first: Body, second: Body, extent: number, relation: Relation, point: Vector): Vector[] {
  const bodies = [first, second]
  const inner = NUDGE_RATIOS.flatMap((ratio) => bodies.flatMap((body) => towardMiddle(body, ratio, point)))
  const corners = bodies.flatMap((body) => cornersNear(body, NEAR_CORNER_RATIO * extent, point))
  const all = bodies.flatMap((body) => (body.count <= FLAT_CORNER_COUNT ? cornersNear(body, extent, point) : []))
  const short = shortPoints(extent, point)
  return relation < 0 ? [...all, ...inner, ...corners, ...short] : [...short, ...corners, ...inner, ...all]
}

/** The point rounded to fewer binary places, counted from the size of the pair, so that answers scale by powers of two. */
function shortPoints(extent: number, [x, y, z]: Vector): Vector[] {
  const size = binaryExponent(Math.max(extent, Math.abs(x), Math.abs(y), Math.abs(z)))
  return PLACE_COUNTS.map((places): Vector => {
    const short = (value: number): number => scaleBy(Math.round(scaleBy(value, places - size)), size - places) + 0
    return [short(x), short(y), short(z)]
  })
}

/** Corners within a distance along each axis, four at most. */
function cornersNear({ numbers, count }: Body, near: number, [x, y, z]: Vector): Vector[] {
  spend(1 + (count >> 2))
  const found: Vector[] = []
  for (let i = VERTICES; i < VERTICES + 3 * count && found.length < FLAT_CORNER_COUNT; i += 3) {
    const place = (k: number): number => numbers[POSITION + k] + numbers[i + k]
    const [px, py, pz] = [place(0), place(1), place(2)]
    if (Math.abs(px - x) <= near && Math.abs(py - y) <= near && Math.abs(pz - z) <= near) found.push([px, py, pz])
  }
  return found
}

function towardMiddle({ kind, numbers }: Body, ratio: number, point: Vector): Vector[] {
  if (kind === HALFSPACE) return []
  const along = (k: number): number => {
    const middle = numbers[POSITION + k] + (numbers[ANCHOR + k] + numbers[CENTER + k])
    return point[k] + ratio * (middle - point[k])
  }
  return [[along(0), along(1), along(2)]]
}

export type { Relation }

export interface Overlap {
  /** −1 overlapping, 0 touching, 1 separated. */
  relation: Relation
  /** When separated, but for concave bodies that no one axis separates. */
  hasAxis: boolean
  /** With an axis: unit vector and the gap between the two bodies' supports along it. */
  nx: number
  ny: number
  nz: number
  gap: number
  /** When not separated: a point of both. */
  px: number
  py: number
  pz: number
}

export function createOverlap(): Overlap {
  return { relation: 1, hasAxis: false, nx: 0, ny: 0, nz: 0, gap: 0, px: 0, py: 0, pz: 0 }
}

const nearest = createDistance()
const proof = createProof()
const composites = createCompositeFrame()
const nearestPair = createNearestLeaves()

function isComposite(a: Body, b: Body): boolean {
  return a.kind === COMPOSITE || b.kind === COMPOSITE
}

/** Whether the closed sets meet. */
export function bodiesMeet(a: Body, b: Body): boolean {
  if (isComposite(a, b)) {
    orderComposites(a, b, composites)
    return compositesMeet(composites)
  }
  return meets(pairInRange(a, b))
}

/** Whether the pair overlaps, touches or is separated: the sign of its separation. */
export function relate(a: Body, b: Body): Relation {
  if (isComposite(a, b)) {
    orderComposites(a, b, composites)
    return relateComposites(composites)
  }
  return relatePair(pairInRange(a, b))
}

/** The relation with a certificate: the direction of the nearest points is the axis of the widest gap, which is the distance. */
export function overlap(a: Body, b: Body, out: Overlap): void {
  if (isComposite(a, b)) overlapComposites(a, b, out)
  else overlapConvex(pairInRange(a, b), out)
}

/** That of the nearest leaves, or of some that meet, with the relation of the whole and an axis for the whole. */
function overlapComposites(a: Body, b: Body, out: Overlap): void {
  orderComposites(a, b, composites)
  const relation = relateComposites(composites)
  nearestLeaves(composites, nearestPair, relation > 0)
  const { leafA, leafB, held } = nearestPair
  if (leafA >= 0) overlapConvex(leafPair(composites, leafA, leafB), out)
  if (relation > 0) {
    // The pair of leaves is not in the order of the bodies.
    const side = composites.swapped ? -1 : 1
    out.nx = side * out.nx
    out.ny = side * out.ny
    out.nz = side * out.nz
    const gap = gapAlong(composites, out.nx, out.ny, out.nz)
    out.hasAxis = gap > 0
    out.gap = out.hasAxis ? gap : 0
    return
  }
  out.relation = relation
  out.hasAxis = false
  if (leafA >= 0) return
  out.px = held[0]
  out.py = held[1]
  out.pz = held[2]
}

function overlapConvex(frame: PairFrame, out: Overlap): void {
  prove(frame, proof)
  const { relation, separation } = proof
  out.relation = relation
  out.hasAxis = relation > 0
  if (relation > 0) setAxis(frame, separation, out)
  else {
    const point = vectorOf(separation.a)
    setCommon(proof.isInside ? point : certified(frame, proof, point), out)
  }
  if (frame.exponent === 0) return
  if (relation > 0) out.gap = scaleSigned(out.gap, frame.exponent)
  scaleNumbers(out, ['px', 'py', 'pz'], frame.exponent)
}

function setAxis(frame: PairFrame, separation: Separation, out: Overlap): void {
  setDistance(frame, separation, nearest)
  out.nx = nearest.nx
  out.ny = nearest.ny
  out.nz = nearest.nz
  out.gap = nearest.distance
  out.px = nearest.ax
  out.py = nearest.ay
  out.pz = nearest.az
}

function setCommon([x, y, z]: Vector, out: Overlap): void {
  out.nx = 0
  out.ny = 0
  out.nz = 0
  out.gap = 0
  out.px = x
  out.py = y
  out.pz = z
}
