/**
 * The overlap query: do two closed bodies meet, and their insides, decided exactly, with a certificate that can be checked by itself.
 * Frame: the answer is in world coordinates; the axis points from A to B.
 */

import { spend } from '../../containers/budget.ts'
import { binaryExponent } from '../../numeric/exact-ring.ts'
import { scaleBy, scaleNumbers, scaleSigned } from '../../numeric/safe-range.ts'
import {
  compositesMeet,
  createNearestLeaves,
  nearestLeaves,
  relateComposites,
} from '../narrow-phase/composite-relation.ts'
import { createCompositeFrame, gapAlong, leafPair, orderComposites } from '../narrow-phase/composite-walk.ts'
import { createSeparation, orderPair, type PairFrame, pairInRange, type Relation } from '../narrow-phase/pair-frame.ts'
import { meets, relate as relatePair, separateOrPierce } from '../narrow-phase/separate.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  COMPOSITE,
  HALFSPACE,
  POSITION,
  RADIUS,
  VERTICES,
  type Vector,
} from '../shape/body.ts'
import { FLAT_CORNER_COUNT, NEAR_CORNER_RATIO, NUDGE_RATIOS, PLACE_COUNTS } from '../tolerances.ts'
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
function certified({ first, second, extent }: PairFrame, relation: Relation, point: Vector): Vector {
  // The only point of a body without extent is the position it was given.
  if (first.count === 1 && first.numbers[RADIUS] === 0 && point.every((x, k) => x === first.numbers[POSITION + k]))
    return point
  const isCommon = (candidate: Vector): boolean => holdsPoint(first, candidate) && holdsPoint(second, candidate)
  if (isCommon(point)) return point
  return candidatesNear(first, second, extent, relation, point).find(isCommon) ?? point
}

function holdsPoint(body: Body, [x, y, z]: Vector): boolean {
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
const separation = createSeparation()
const inner = new Float64Array(3)
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
  nearestLeaves(composites, nearestPair)
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
  const relation = separateOrPierce(frame, separation, inner)
  if (relation !== null) {
    setCommon(frame, relation, out)
    return
  }
  setDistance(frame, separation, nearest)
  out.relation = nearest.hasNormal ? 1 : relatePair(frame)
  out.hasAxis = out.relation > 0
  out.nx = nearest.nx
  out.ny = nearest.ny
  out.nz = nearest.nz
  out.gap = nearest.distance
  const point = [nearest.ax, nearest.ay, nearest.az] as const
  const [x, y, z] = out.relation > 0 ? point : certified(frame, out.relation, point)
  out.px = x
  out.py = y
  out.pz = z
  if (frame.exponent === 0) return
  out.gap = out.relation > 0 ? scaleSigned(out.gap, frame.exponent) : 0
  scaleNumbers(out, ['px', 'py', 'pz'], frame.exponent)
}

/** The pair, whose common point is in `inner`. */
function setCommon({ exponent }: PairFrame, relation: Relation, out: Overlap): void {
  out.relation = relation
  out.hasAxis = false
  out.nx = 0
  out.ny = 0
  out.nz = 0
  out.gap = 0
  out.px = inner[0]
  out.py = inner[1]
  out.pz = inner[2]
  if (exponent !== 0) scaleNumbers(out, ['px', 'py', 'pz'], exponent)
}
