/**
 * A cylinder, cone or ellipsoid near touching another body: which side of touching they are on.
 *
 * Method: core points without a skin, by algebra with the few of them that lie at the contact; a ball against a cylinder or cone, by
 * its regions; two bodies of revolution about parallel axes, by their radii at the heights they share. What is left is apart if one
 * of some directions separates it exactly: the one that the search ended with and round ones near it, and normals of the face or
 * edges at the contact. A curved body's height along a direction that is off by a little is off by
 * the square of that, so these tell gaps from contacts at one unit in the last place; what no direction separates meets. Whether the
 * insides meet is asked in the same ways, of bodies without their boundary and of directions that leave no gap.
 * Frame: world. Only of bodies whose own axes are axes of the world, so that nothing was rounded by turning them.
 */

import { spend } from '../../containers/budget.ts'
import { exactly, includeInput, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { type Body, CYLINDER, ELLIPSOID, LENGTHS, POINTS, RADIUS, ROTATION } from '../shape/body.ts'
import {
  cross,
  type Exact,
  exactOffset,
  exactTriple,
  exactVertex,
  inputRangeOf,
  isZero,
  minus,
  ownVector,
  plus,
} from '../shape/exact-points.ts'
import { CONTACT_DEPTH_RATIO, STAR_CORNER_COUNT } from '../tolerances.ts'
import { contactRing } from './contact-ring.ts'
import { directionsNear } from './directions-near.ts'
import { gapSignAlong, HEIGHT_DEGREE } from './exact-height.ts'
import type { Bounds } from './gjk.ts'
import type { PairFrame } from './pair-frame.ts'
import { ALGEBRA_DEGREE, type ExactQuadric, pointMeets, segmentMeets, triangleMeets } from './quadric-algebra.ts'
import { relateBallCone, relateBallCylinder } from './quadric-sphere.ts'
import { relateTurned } from './turned-turned.ts'

/**
 * Whether the pair, of which the second is curved, meets, or with `isOpen` whether it overlaps; null where something was rounded by
 * turning a curved body.
 */
export function exactQuadric(frame: PairFrame, bounds: Bounds, isOpen: boolean): boolean | null {
  const { first, second } = frame
  const isMet = (sign: Sign): boolean => (isOpen ? sign < 0 : sign <= 0)
  if (!second.aligned || (first.kind !== POINTS && !first.aligned)) return null
  if (first.kind === POINTS) {
    if (first.numbers[RADIUS] === 0 && !(isOpen && isDisc(second))) return coreMeets(frame, bounds, isOpen)
    if (first.numbers[RADIUS] > 0 && second.kind !== ELLIPSOID) {
      const near = nearRing(frame, bounds)
      if (near.length === 1) return isMet(relateBall(first, second, near[0]))
    }
  } else if (second.kind !== ELLIPSOID && isParallel(first, second)) return isMet(relateTurned(first, second))
  return !isSeparated(frame, bounds, isOpen)
}

/** Core points of the first body at the contact. */
function nearRing({ first, extent }: PairFrame, { nx, ny, nz }: Bounds): number[] {
  return contactRing(first, -nx, -ny, -nz, CONTACT_DEPTH_RATIO * extent)
}

function isDisc({ kind, numbers }: Body): boolean {
  return kind === CYLINDER && numbers[LENGTHS + 1] === 0
}

function isParallel(first: Body, second: Body): boolean {
  for (let row = 0; row < 3; row++) {
    const at = ROTATION + 3 * row + 1
    if (Math.abs(first.numbers[at]) !== Math.abs(second.numbers[at])) return false
  }
  return true
}

/** Core point `i` of the first body in the axes of the second. */
function ownPoint<T>(ring: Ring<T>, first: Body, second: Body, i: number): Exact<T> {
  return ownVector(ring, second, plus(ring, exactOffset(ring, first, second), exactVertex(ring, first, i)))
}

/** Of the ball about a core point, the only one at the contact. */
function relateBall(first: Body, second: Body, i: number): Sign {
  return exactly(inputRangeOf(first, second), ALGEBRA_DEGREE, (ring) => {
    const [radius, half] = exactTriple(ring, second, LENGTHS)
    const pair = { center: ownPoint(ring, first, second, i), ball: ring.of(first.numbers[RADIUS]), radius, half }
    return second.kind === CYLINDER ? relateBallCylinder(ring, pair) : relateBallCone(ring, pair)
  })
}

/** Core points without a skin: those at the contact, and what they span. */
function coreMeets(frame: PairFrame, bounds: Bounds, isOpen: boolean): boolean {
  const { first, second } = frame
  const near = nearRing(frame, bounds)
  return exactly(inputRangeOf(first, second), ALGEBRA_DEGREE, (ring) => {
    const quadric = { kind: second.kind, lengths: exactTriple(ring, second, LENGTHS), isOpen }
    return ringMeets(ring, first, second, near, quadric)
  })
}

/** Whether the second body meets the flat polygon of these core points, or what leads from it into the first body. */
function ringMeets<T>(
  ring: Ring<T>,
  first: Body,
  second: Body,
  near: readonly number[],
  quadric: ExactQuadric<T>,
): boolean {
  const points = near.map((i) => ownPoint(ring, first, second, i))
  if (points.some((point) => pointMeets(ring, quadric, point))) return true
  const { length } = points
  for (let i = 0; i < length; i++) {
    for (let j = 0; j < i; j++) if (segmentMeets(ring, quadric, points[j], points[i])) return true
  }
  for (let i = 1; i + 1 < length; i++) {
    if (triangleMeets(ring, quadric, [points[0], points[i], points[i + 1]])) return true
  }
  return starMeets(ring, first, second, near, quadric)
}

/**
 * Whether the second body meets a segment from a contact point into the first body: a contact that lies within rounding of a corner
 * may be on any edge there. Not asked of many points.
 */
function starMeets<T>(
  ring: Ring<T>,
  first: Body,
  second: Body,
  near: readonly number[],
  quadric: ExactQuadric<T>,
): boolean {
  const { count } = first
  if (count > STAR_CORNER_COUNT) return false
  const others = Array.from({ length: count }, (_, i) => i).filter((i) => !near.includes(i))
  const ends = others.map((i) => ownPoint(ring, first, second, i))
  const starts = near.map((i) => ownPoint(ring, first, second, i))
  return starts.some((start) =>
    ends.some((end) => {
      spend(STAR_STEPS)
      return segmentMeets(ring, quadric, start, end)
    }),
  )
}

/** Steps of an exact segment. */
const STAR_STEPS = 64

/** Whether some direction separates the pair exactly, with a gap or, if `isOpen`, without one. */
function isSeparated(frame: PairFrame, bounds: Bounds, isOpen: boolean): boolean {
  const { first, second } = frame
  const near = first.kind === POINTS ? nearRing(frame, bounds) : []
  const candidates = directionsNear([bounds.nx, bounds.ny, bounds.nz])
  const range = inputRangeOf(first, second)
  for (const direction of candidates) for (const component of direction) includeInput(range, component)
  return exactly(range, HEIGHT_DEGREE, (ring) =>
    separatesAny(ring, first, second, isOpen, [
      ...candidates.map(([x, y, z]): Exact<ReturnType<typeof ring.of>> => [ring.of(x), ring.of(y), ring.of(z)]),
      ...contactNormals(ring, frame, bounds, near),
    ]),
  )
}

function separatesAny<T>(
  ring: Ring<T>,
  first: Body,
  second: Body,
  isOpen: boolean,
  directions: readonly Exact<T>[],
): boolean {
  return directions.some((along) => {
    const sign = isZero(ring, along) ? -1 : gapSignAlong(ring, first, second, along)
    return sign > 0 || (isOpen && sign === 0)
  })
}

/** Normals of the first body's face at the contact, and of planes along one of its edges there and an axis of the second. */
function contactNormals<T>(
  ring: Ring<T>,
  { first, second }: PairFrame,
  _bounds: Bounds,
  near: readonly number[],
): Exact<T>[] {
  const { integer } = ring
  if (near.length < 2) return []
  const zero = integer(0)
  const points = near.map((i) => exactVertex(ring, first, i))
  const edge = minus(ring, points[1], points[0])
  const normals: Exact<T>[] = []
  if (near.length > 2) normals.push(cross(ring, edge, minus(ring, points[2], points[0])))
  const axis = [0, 1, 2].map((row) => integer(second.numbers[ROTATION + 3 * row + 1]))
  if (second.kind !== ELLIPSOID) normals.push(cross(ring, edge, [axis[0], axis[1], axis[2]]))
  return normals.flatMap((normal) => [normal, minus(ring, [zero, zero, zero], normal)])
}
