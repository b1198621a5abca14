/**
 * How deep two bodies of core points lie in each other where that is so little that rounding has the better part of it, to the last
 * digits.
 *
 * Method: cores that are apart by less than their skins by their exact distance. Others by the face of their difference that is
 * nearest to the origin: from the one that the polytope ended at, to the farthest point over its plane in exact arithmetic, as long as
 * there is one. Then the height of its plane is a quotient of exact numbers. In a half-space the lowest point counts.
 * Frame: world; the normal points from the first body to the second.
 */

import { spend } from '../../containers/budget.ts'
import { exactly, type Ring } from '../../numeric/exact-ring.ts'
import {
  addTwofold,
  divideTwofold,
  dotTwofold,
  multiplyTwofold,
  negateTwofold,
  rootTwofold,
  roundTwofold,
  twofold,
} from '../../numeric/twofold.ts'
import { vectorLength3d } from '../../numeric/vector-length.ts'
import { type Body, HALFSPACE, NORMAL, OFFSET, POINTS, RADIUS } from '../shape/body.ts'
import {
  cross,
  dot,
  type Exact,
  exactOffset,
  exactTriple,
  exactVertex,
  inputRangeOf,
  isZero,
  largestOf,
  minus,
  plus,
} from '../shape/exact-points.ts'
import { EXACT_FACE_COUNT } from '../tolerances.ts'
import type { Depth } from './depth.ts'
import { type ExactCores, exactCores, lowest } from './exact-cores.ts'
import { lowestHeight } from './exact-height.ts'
import { createPenetration, type Penetration, penetrate } from './expanding-polytope.ts'
import { boundDistance, createBounds } from './gjk.ts'
import type { PairFrame } from './pair-frame.ts'

/** Degree of the polynomials in the coordinates that come up. */
const DEGREE = 8

/** Steps of one exact face. */
const FACE_STEPS = 64

const bounds = createBounds()
const penetration = createPenetration()

/** Sets the depth of a pair that overlaps, and the normal where that is one of a face; false, with nothing said, where it is not of core points. */
export function setExactDepth(frame: PairFrame, out: Depth): boolean {
  const { first, second } = frame
  if (first.kind !== POINTS || (second.kind !== POINTS && second.kind !== HALFSPACE)) return false
  const depth = second.kind === HALFSPACE ? 0 - exactGap(first, second) : coreDepth(frame, out)
  if (!(depth > 0)) return false
  out.depth = depth
  return true
}

/** Height of the lowest point of a body of core points over the boundary of a half-space, rounded once but for a hair. */
function exactGap(body: Body, halfspace: Body): number {
  return exactly(inputRangeOf(body, halfspace), DEGREE, (ring) => {
    const normal = exactTriple(ring, halfspace, NORMAL)
    const offset = exactOffset(ring, body, halfspace)
    const height = ring.add(dot(ring, normal, offset), lowestHeight(ring, body, normal).rational)
    const largest = largestOf(ring, normal)
    const [x, y, z] = normal.map((component) => ring.quotient(component, largest, 0))
    const length = rootTwofold(addTwofold(dotTwofold(x, y, x, y), multiplyTwofold(z, z)))
    const gap = divideTwofold(ring.quotient(height, largest, 1), length)
    return roundTwofold(addTwofold(gap, negateTwofold(twofold(halfspace.numbers[OFFSET], body.numbers[RADIUS]))))
  })
}

/** 0 where it is not told. */
function coreDepth(frame: PairFrame, out: Depth): number {
  const { first, second } = frame
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  boundDistance(frame, bounds)
  penetrate(frame, bounds.simplex, penetration)
  return exactly(inputRangeOf(first, second), DEGREE, (ring) => {
    const cores = exactCores(ring, first, second, bounds.simplex)
    return cores.meet ? skins + faceDepth(ring, frame, penetration, out) : skinDepth(ring, frame, cores)
  })
}

/** What the skins reach beyond the distance d of the cores: from e = d²/R² − 1, so that nothing cancels. */
function skinDepth<T>(ring: Ring<T>, { first, second }: PairFrame, { face }: ExactCores<T>): number {
  const skins = ring.add(ring.of(first.numbers[RADIUS]), ring.of(second.numbers[RADIUS]))
  if (ring.sign(skins) <= 0) return 0
  const { over, under } = face.square
  const square = ring.mul(ring.mul(skins, skins), under)
  const excess = ring.ratio(ring.sub(over, square), square)
  const radius = first.numbers[RADIUS] + second.numbers[RADIUS]
  return (-radius * excess) / (1 + Math.sqrt(Math.max(1 + excess, 0)))
}

/** Of three corners of the difference, with the normal of their plane out of it. */
interface Face<T> {
  corners: readonly [Exact<T>, Exact<T>, Exact<T>]
  normal: Exact<T>
}

/** Height of the face of the difference that is nearest to the origin, or of a plane that is no farther. */
function faceDepth<T>(ring: Ring<T>, { first, second }: PairFrame, near: Penetration, out: Depth): number {
  const offset = exactOffset(ring, first, second)
  const corner = (i: number, j: number): Exact<T> =>
    minus(ring, plus(ring, offset, exactVertex(ring, first, i)), exactVertex(ring, second, j))
  const [p, q, r] = [0, 1, 2].map((m) => corner(near.indexA[m], near.indexB[m]))
  let face = faceOf(ring, p, q, r)
  for (let step = 0; face !== null && step < EXACT_FACE_COUNT; step++) {
    spend(FACE_STEPS)
    const { corners, normal } = face
    const top = corner(lowest(ring, first, normal, -1), lowest(ring, second, normal, 1))
    if (ring.sign(dot(ring, normal, minus(ring, top, corners[0]))) <= 0) return takeFace(ring, face, near, out)
    face = lowestBelow(ring, face, top)
  }
  return 0
}

function faceOf<T>(ring: Ring<T>, p: Exact<T>, q: Exact<T>, r: Exact<T>): Face<T> | null {
  const normal = cross(ring, minus(ring, q, p), minus(ring, r, p))
  return isZero(ring, normal) ? null : { corners: [p, q, r], normal }
}

/** Of the faces from the sides of one to a point above it the lowest that looks the same way. */
function lowestBelow<T>(ring: Ring<T>, { corners: [p, q, r], normal }: Face<T>, top: Exact<T>): Face<T> | null {
  let best: Face<T> | null = null
  let least = Infinity
  for (const face of [faceOf(ring, p, q, top), faceOf(ring, q, r, top), faceOf(ring, r, p, top)]) {
    if (face === null || ring.sign(dot(ring, face.normal, normal)) <= 0) continue
    const { height } = measureFace(ring, face)
    if (height >= least) continue
    least = height
    best = face
  }
  return best
}

/** Height of the plane, with the unit normal. */
function measureFace<T>(ring: Ring<T>, { corners, normal }: Face<T>): { height: number; unit: readonly number[] } {
  const largest = largestOf(ring, normal)
  const side = ring.sign(largest)
  const [x, y, z] = normal.map((component) => side * ring.ratio(component, largest))
  const length = vectorLength3d(x, y, z)
  const height = (side * ring.length(dot(ring, normal, corners[0]), largest)) / length
  return { height, unit: [x / length, y / length, z / length] }
}

function takeFace<T>(ring: Ring<T>, face: Face<T>, near: Penetration, out: Depth): number {
  const { height, unit } = measureFace(ring, face)
  // The corners may run round the polytope's face either way.
  const side = unit[0] * near.nx + unit[1] * near.ny + unit[2] * near.nz < 0 ? -1 : 1
  out.nx = side * unit[0]
  out.ny = side * unit[1]
  out.nz = side * unit[2]
  return side * height
}
