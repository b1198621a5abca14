/**
 * Two bodies of core points, by a face of their difference: nearest points of what is clearly apart, and what pairs within rounding of
 * touching do, without exact arithmetic.
 *
 * Method: the nearest point of the face that GJK ended with in numbers of twice the digits, and the proof that it is the nearest of all:
 * no core point of either body lies beyond the plane through it. Points within rounding of the plane are compared in numbers of twice
 * the digits. Pairs without such a proof are left to exact arithmetic (`points-points.ts`), which finds the same to within a unit in
 * the last place.
 * Frame: world axes, from the position of the first body. Cost: O(points), some hundreds of products.
 */

import { sumError } from '../../numeric/expansion.ts'
import {
  addScaledDifference,
  putAlong,
  putCross,
  putDot,
  putExactDifference,
  putExactDifferences,
  putMinor,
  putProduct,
  putQuotient,
  putRoot,
  putScaled,
  putShiftedDifference,
  putSum,
  VECTOR_SIZE,
} from '../../numeric/twofold.ts'
import { type Body, POSITION, RADIUS, REACH, VERTICES } from '../shape/body.ts'
import { topPoint } from '../shape/kinds.ts'
import {
  CLEAR_VOLUME_ERROR,
  CLOSE_HEIGHT_RATIO,
  CLOSE_LENGTH_RATIO,
  FACE_EXTENT_LIMIT,
  FACE_GAP_RATIO,
  FACE_SINE_SQUARE,
  FACE_STEP_COUNT,
  HEIGHT_ERROR_RATIO,
  SAFE_FACE_PRODUCT,
  TIE_RATIO,
  TRIANGLE_STEP_COUNT,
} from '../tolerances.ts'
import type { Bounds, Simplex } from './gjk.ts'
import { findFacingTriangle } from './inner-point.ts'
import type { PairFrame, Separation } from './pair-frame.ts'

// Slots: vectors first, then numbers.
const OFFSET = 0
/** The first corner of the face, and the edges to the others. */
const CORNER = VECTOR_SIZE
const EDGE_1 = 2 * VECTOR_SIZE
const EDGE_2 = 3 * VECTOR_SIZE
const SPARE_VECTOR = 4 * VECTOR_SIZE
/** From the nearest point of the second body to that of the first. */
const WAY = 5 * VECTOR_SIZE
const NORMAL = 6 * VECTOR_SIZE
const POINT = 7 * VECTOR_SIZE
const SHARE_1 = 8 * VECTOR_SIZE
const SHARE_2 = SHARE_1 + 2
const SPARE = SHARE_1 + 4
const LENGTH = SHARE_1 + 6
const SQUARE_1 = SHARE_1 + 8
const SQUARE_2 = SHARE_1 + 10
const ACROSS = SHARE_1 + 12
const UNDER = SHARE_1 + 14
const ALONG_1 = SHARE_1 + 16
const ALONG_2 = SHARE_1 + 18
/** Corners of a triangle near the origin, its centre, and one more corner. */
const CORNER_1 = SHARE_1 + 20
const CORNER_2 = CORNER_1 + VECTOR_SIZE
const MIDDLE = CORNER_2 + VECTOR_SIZE
const NEXT = MIDDLE + VECTOR_SIZE
/** The normal of a slab, from the second body to the first, and the heights along it from the first's position, between which it lies. */
const SLAB = NEXT + VECTOR_SIZE
const LOWEST = SLAB + VECTOR_SIZE
const HIGHEST = LOWEST + 2
const r = new Float64Array(HIGHEST + 2)

/** The corners of the face: core points of the first and of the second body. */
const faceA = new Int32Array(4)
const faceB = new Int32Array(4)
let faceCount = 0

/**
 * Sets everything about a pair whose cores GJK has found clearly apart, and which clearly meets by its skins or does not; false, with
 * nothing said, where it is not proven.
 */
export function separateByFace({ first, second, extent }: PairFrame, bounds: Bounds, out: Separation): boolean {
  const { lower, upper, simplex } = bounds
  const clear = FACE_GAP_RATIO * extent
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  if (!(lower > clear && (lower - skins > clear || skins - upper > clear))) return false
  if (!(extent < FACE_EXTENT_LIMIT && extent > 1 / FACE_EXTENT_LIMIT)) return false
  if (!proveFace(first, second, simplex)) return false
  setAnswer(first, second, out)
  return true
}

/**
 * Whether a pair within rounding of touching overlaps or is apart, where numbers of twice the digits tell; null where they do not, as of
 * what only touches. `commonByFace` then has a point for it.
 *
 * Bound: with cores clearly apart, the way across is off by some 2^-100 of the extent, and so its normal by that over its length L: no
 * plane across it is off by more than 2^-88 · extent² / L.
 */
export function relateClosely(frame: PairFrame, { lower, simplex }: Bounds): -1 | 1 | null {
  const { first, second, extent } = frame
  hasNormal = false
  if (!(extent < FACE_EXTENT_LIMIT && extent > 1 / FACE_EXTENT_LIMIT)) return null
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  if (skins === 0) return relateToTriangle(frame)
  if (!(lower > FACE_GAP_RATIO * extent) || simplex.count > 3 || !proveFace(first, second, simplex)) return null
  putExactDifference(r, SPARE, first.numbers[RADIUS], -second.numbers[RADIUS])
  putSum(r, SQUARE_1, LENGTH, SPARE, -1)
  const gap = r[SQUARE_1]
  if (!(Math.abs(gap) > (CLOSE_LENGTH_RATIO * extent * extent) / r[LENGTH])) return null
  hasNormal = true
  return gap > 0 ? 1 : -1
}

const center = new Float64Array(3)

/**
 * Whether the way from the centre of the difference to the origin ends before it leaves through a triangle of the boundary: which of
 * them, numbers of twice the digits tell, from one that rounding has found (`inner-point.ts`).
 *
 * Bound: corners count from the origin, and are off by 2^-104 of themselves; volumes are by less than 2^-96 of the product of their
 * sides.
 */
function relateToTriangle(frame: PairFrame): -1 | 1 | null {
  const { first, second, extent } = frame
  if (!findFacingTriangle(frame, faceA, faceB, center)) return null
  faceCount = 3
  for (let k = 0; k < 3; k++) {
    putExactDifference(r, OFFSET + 2 * k, first.numbers[POSITION + k], second.numbers[POSITION + k])
    r[MIDDLE + 2 * k] = center[k]
    r[MIDDLE + 2 * k + 1] = 0
  }
  for (let step = 0; step < TRIANGLE_STEP_COUNT; step++) {
    putCorner(first.numbers, second.numbers, faceA[0], faceB[0], CORNER)
    putCorner(first.numbers, second.numbers, faceA[1], faceB[1], CORNER_1)
    putCorner(first.numbers, second.numbers, faceA[2], faceB[2], CORNER_2)
    const side = outerSide()
    if (side === null) return null
    if (side >= 0) {
      turnAcross(first, second, side)
      continue
    }
    const volume = clearVolume(CORNER, CORNER_1, CORNER_2)
    if (volume === 0) {
      isFaced = setInnerNormal(first, second)
      return null
    }
    // The centre lies on the inner side of a triangle that goes round so.
    if (volume > 0) {
      const tie = TIE_RATIO * extent
      hasNormal =
        setInnerNormal(first, second) &&
        lowestBelow(first, -1, faceA[0], tie) < 0 &&
        lowestBelow(second, 1, faceB[0], tie) < 0
      return -1
    }
    const found = relateBeyond(first, second, extent)
    if (found !== null) return found
    if (nextA < 0) return null
  }
  return null
}
/** The side of the triangle that the way goes by outside of, −1 for none; null where that is open. */
function outerSide(): number | null {
  const volumes = [
    clearVolume(MIDDLE, CORNER, CORNER_1),
    clearVolume(MIDDLE, CORNER_1, CORNER_2),
    clearVolume(MIDDLE, CORNER_2, CORNER),
  ]
  const side = volumes.findIndex((volume) => volume > 0)
  return side < 0 && volumes.includes(0) ? null : side
}

/** Sign of a · (b × c); 0 where numbers of twice the digits leave it open. */
function clearVolume(a: number, b: number, c: number): -1 | 0 | 1 {
  putCross(r, SPARE_VECTOR, b, c)
  putDot(r, UNDER, a, SPARE_VECTOR)
  const size = sizeOf(a) * sizeOf(b) * sizeOf(c)
  const volume = r[UNDER]
  if (!(Math.abs(volume) > CLEAR_VOLUME_ERROR * size && Math.abs(volume) > SAFE_FACE_PRODUCT)) return 0
  return volume > 0 ? 1 : -1
}

function sizeOf(at: number): number {
  return Math.abs(r[at]) + Math.abs(r[at + 2]) + Math.abs(r[at + 4])
}

/** Goes over to a triangle across a side: with the farthest point beyond the plane through the side and the centre. */
function turnAcross(first: Body, second: Body, side: number): void {
  const i = side
  const j = side === 2 ? 0 : side + 1
  const p = i === 0 ? CORNER : i === 1 ? CORNER_1 : CORNER_2
  const q = j === 0 ? CORNER : j === 1 ? CORNER_1 : CORNER_2
  const ux = r[p] - r[MIDDLE]
  const uy = r[p + 2] - r[MIDDLE + 2]
  const uz = r[p + 4] - r[MIDDLE + 4]
  const vx = r[q] - r[MIDDLE]
  const vy = r[q + 2] - r[MIDDLE + 2]
  const vz = r[q + 4] - r[MIDDLE + 4]
  const x = uz * vy - uy * vz
  const y = ux * vz - uz * vx
  const z = uy * vx - ux * vy
  const third = 3 - i - j
  const a = faceA[i]
  const b = faceB[i]
  faceA[i] = faceA[j]
  faceB[i] = faceB[j]
  faceA[j] = a
  faceB[j] = b
  faceA[third] = topPoint(first, x, y, z)
  faceB[third] = topPoint(second, -x, -y, -z)
}

/**
 * 1 where the triangle's plane has all of the difference on its other side than the origin; null where it is open whether it has,
 * with a corner in its place that lies beyond it, if there is one.
 */
function relateBeyond(first: Body, second: Body, extent: number): 1 | null {
  nextA = -1
  if (!setInnerNormal(first, second)) return null
  putDot(r, LENGTH, CORNER, NORMAL)
  const height = r[LENGTH]
  if (!(height > CLOSE_HEIGHT_RATIO * extent)) return null
  const i = lowestBelow(first, -1, faceA[0], height / 4)
  const j = lowestBelow(second, 1, faceB[0], height / 4)
  if (i < 0 && j < 0) return 1
  nextA = i < 0 ? faceA[0] : i
  const nextB = j < 0 ? faceB[0] : j
  // The part of the triangle with it that the way goes through.
  const across = (at: number): boolean => clearVolume(MIDDLE, at, NEXT) > 0
  putCorner(first.numbers, second.numbers, nextA, nextB, NEXT)
  const left = across(CORNER) ? (across(CORNER_1) ? 0 : 2) : across(CORNER_2) ? 1 : 0
  faceA[left] = nextA
  faceB[left] = nextB
  return null
}

/** Sets the unit normal of the triangle that points to the side of the centre; false of slivers. */
function setInnerNormal({ numbers: a }: Body, { numbers: b }: Body): boolean {
  putEdge(a, b, 1, EDGE_1)
  putEdge(a, b, 2, EDGE_2)
  putDot(r, SQUARE_1, EDGE_1, EDGE_1)
  putDot(r, SQUARE_2, EDGE_2, EDGE_2)
  putCross(r, NORMAL, EDGE_2, EDGE_1)
  putDot(r, UNDER, NORMAL, NORMAL)
  if (!(r[UNDER] > SAFE_FACE_PRODUCT && r[UNDER] > FACE_SINE_SQUARE * r[SQUARE_1] * r[SQUARE_2])) return false
  putRoot(r, LENGTH, UNDER)
  for (let k = 0; k < VECTOR_SIZE; k += 2) putQuotient(r, NORMAL + k, NORMAL + k, LENGTH)
  return true
}

// The slab that all common points of a pair lie in: between the planes across the normal of a contact that either body lies behind.

/** Whether the last pair that was decided in numbers of twice the digits has left its normal, and the corners farthest along it. */
let hasNormal = false

/** Whether it is left open because the origin lies in the plane of a triangle of the difference, whose normal it has left. */
let isFaced = false

export function forgetSlab(): void {
  hasNormal = false
  isFaced = false
}

/**
 * Sets the normal, from the second body to the first, of the plane in which the pair touches that has been related since `forgetSlab`; false
 * where it is not known.
 */
export function putFacedNormal(out: Float64Array): boolean {
  if (isFaced) for (let k = 0; k < 3; k++) out[k] = r[NORMAL + 2 * k]
  return isFaced
}

/**
 * Keeps the slab of the pair that has been related since `forgetSlab`, and sets a common point, rounded once; false where there is no slab that
 * is known so well.
 */
export function keepSlab({ first, second }: PairFrame, out: Separation): boolean {
  if (!hasNormal) return false
  const a = first.numbers
  const b = second.numbers
  if (a[RADIUS] + b[RADIUS] > 0) setAnswer(first, second, out)
  for (let k = 0; k < VECTOR_SIZE; k++) r[SLAB + k] = r[NORMAL + k]
  for (let k = 0; k < 3; k++) {
    r[SPARE_VECTOR + 2 * k] = a[VERTICES + 3 * faceA[0] + k]
    r[SPARE_VECTOR + 2 * k + 1] = 0
  }
  putDot(r, LOWEST, SPARE_VECTOR, SLAB)
  putSkin(LOWEST, a[RADIUS], -1)
  for (let k = 0; k < 3; k++) {
    putExactDifference(r, OFFSET + 2 * k, b[POSITION + k], a[POSITION + k])
    putShiftedDifference(r, SPARE_VECTOR + 2 * k, b[VERTICES + 3 * faceB[0] + k], 0, OFFSET + 2 * k)
  }
  putDot(r, HIGHEST, SPARE_VECTOR, SLAB)
  putSkin(HIGHEST, b[RADIUS], 1)
  if (a[RADIUS] + b[RADIUS] === 0) setFoot(first, second, out)
  return true
}

/** The point of the first body under the origin, where the triangle has one. */
function setFoot(first: Body, second: Body, out: Separation): void {
  if (!findWay(first, second)) return
  r[SPARE] = 0
  setPoint(first, faceA, SPARE, out.a)
}

function putSkin(height: number, radius: number, side: 1 | -1): void {
  r[SPARE] = radius
  r[SPARE + 1] = 0
  putSum(r, height, height, SPARE, side)
}

/** Whether a point of the world may lie in the slab that has been kept of this pair. */
export function mayLieInSlab({ first, extent }: PairFrame, point: readonly number[]): boolean {
  const { numbers } = first
  for (let k = 0; k < 3; k++) putExactDifference(r, SPARE_VECTOR + 2 * k, point[k], numbers[POSITION + k])
  putDot(r, ALONG_1, SPARE_VECTOR, SLAB)
  putSum(r, ALONG_2, ALONG_1, LOWEST, -1)
  const slack = CLOSE_HEIGHT_RATIO * extent
  if (r[ALONG_2] < -slack) return false
  putSum(r, ALONG_2, ALONG_1, HIGHEST, -1)
  return r[ALONG_2] <= slack
}

/** The core point of the next corner of the difference, −1 for none. */
let nextA = -1

/** The core point that lies farthest along side · normal over one of the triangle's, by more than `least`; −1 for none. */
function lowestBelow({ numbers, local, count }: Body, side: 1 | -1, top: number, least: number): number {
  const x = side * r[NORMAL]
  const y = side * r[NORMAL + 2]
  const z = side * r[NORMAL + 4]
  const topAt = local + 3 * top
  const height = numbers[topAt] * x + numbers[topAt + 1] * y + numbers[topAt + 2] * z
  const margin = 2 * HEIGHT_ERROR_RATIO * numbers[REACH]
  let most = least
  let found = -1
  for (let i = 0, at = local; i < count; i++, at += 3) {
    const over = numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z - height
    if (over < -margin) continue
    const exact = over > margin ? over : rise(numbers, VERTICES + 3 * top, VERTICES + 3 * i, side)
    if (!(exact > most)) continue
    most = exact
    found = i
  }
  return found
}

/** Sets the face, the way across and its normal. */
function proveFace(first: Body, second: Body, { count, indexA, indexB }: Simplex): boolean {
  faceCount = count
  for (let m = 0; m < count; m++) {
    faceA[m] = indexA[m]
    faceB[m] = indexB[m]
  }
  if (!findWay(first, second)) return false
  for (let step = 0; step < FACE_STEP_COUNT; step++) {
    putDot(r, LENGTH, WAY, WAY)
    putRoot(r, LENGTH, LENGTH)
    for (let k = 0; k < VECTOR_SIZE; k += 2) putQuotient(r, NORMAL + k, WAY + k, LENGTH)
    const i = farther(first, -1, faceA, faceB)
    const j = farther(second, 1, faceB, faceA)
    if (i === faceA[0] && j === faceB[0]) return true
    if (!exchange(first, second, i, j)) return false
  }
  return false
}

const oldA = new Int32Array(3)
const oldB = new Int32Array(3)

/** Goes over to the face with this corner that lies nearer: rounding has taken another of a nearly flat patch. */
function exchange(first: Body, second: Body, i: number, j: number): boolean {
  const count = faceCount
  for (let m = 0; m < count; m++) {
    oldA[m] = faceA[m]
    oldB[m] = faceB[m]
  }
  const all = 2 ** count - 1
  // Largest faces first; of a triangle and a point all four are none.
  for (let mask = count === 3 ? all - 1 : all; mask >= 0; mask--) {
    faceA[0] = i
    faceB[0] = j
    faceCount = 1
    for (let m = 0; m < count; m++) {
      if (((mask >> m) & 1) === 0) continue
      faceA[faceCount] = oldA[m]
      faceB[faceCount++] = oldB[m]
    }
    if (findWay(first, second) && !isPassed(first, second, mask, count)) return true
  }
  return false
}

/** Whether one of the corners left out lies nearer along the way. */
function isPassed(first: Body, second: Body, mask: number, count: number): boolean {
  putDot(r, LENGTH, WAY, WAY)
  for (let m = 0; m < count; m++) {
    if (((mask >> m) & 1) === 1) continue
    putCorner(first.numbers, second.numbers, oldA[m], oldB[m], SPARE_VECTOR)
    putDot(r, UNDER, SPARE_VECTOR, WAY)
    if (r[UNDER] < r[LENGTH] * (1 - TIE_RATIO) || (r[UNDER] === r[LENGTH] && r[UNDER + 1] < r[LENGTH + 1])) return true
  }
  return false
}

function setAnswer(first: Body, second: Body, out: Separation): void {
  const radiusA = first.numbers[RADIUS]
  const radiusB = second.numbers[RADIUS]
  putExactDifference(r, SPARE, radiusA, -radiusB)
  putSum(r, SQUARE_1, LENGTH, SPARE, -1)
  out.meet = r[SQUARE_1] < 0
  if (out.meet) {
    // A point between the cores, so far from the first as its skin's share.
    r[SQUARE_1] = -radiusA
    r[SQUARE_1 + 1] = 0
    putQuotient(r, SQUARE_1, SQUARE_1, SPARE)
    putProduct(r, SQUARE_1, SQUARE_1, LENGTH)
    setPoint(first, faceA, SQUARE_1, out.a)
    out.b.set(out.a)
    out.distance = 0
    out.normal.fill(0)
    return
  }
  out.distance = r[SQUARE_1] + r[SQUARE_1 + 1]
  r[SQUARE_1] = -radiusA
  r[SQUARE_2] = radiusB
  r[SQUARE_1 + 1] = 0
  r[SQUARE_2 + 1] = 0
  setPoint(first, faceA, SQUARE_1, out.a)
  setPoint(second, faceB, SQUARE_2, out.b)
  for (let k = 0; k < 3; k++) out.normal[k] = -(r[NORMAL + 2 * k] + r[NORMAL + 2 * k + 1])
}

/** A corner of the difference. */
function putCorner(a: Float64Array, b: Float64Array, i: number, j: number, out: number): void {
  const atA = VERTICES + 3 * i
  const atB = VERTICES + 3 * j
  for (let k = 0; k < 3; k++) putShiftedDifference(r, out + 2 * k, a[atA + k], b[atB + k], OFFSET + 2 * k)
}

/** Sets the way across, and the shares of the second and third corner in it; false where the face has no such point. */
function findWay({ numbers: a }: Body, { numbers: b }: Body): boolean {
  for (let k = 0; k < 3; k++) putExactDifference(r, OFFSET + 2 * k, a[POSITION + k], b[POSITION + k])
  putCorner(a, b, faceA[0], faceB[0], CORNER)
  if (faceCount === 1) {
    for (let k = 0; k < VECTOR_SIZE; k++) r[WAY + k] = r[CORNER + k]
    return true
  }
  putEdge(a, b, 1, EDGE_1)
  putDot(r, SQUARE_1, EDGE_1, EDGE_1)
  putDot(r, ALONG_1, CORNER, EDGE_1)
  if (faceCount === 2) return findOnSegment()
  putEdge(a, b, 2, EDGE_2)
  return findOnTriangle()
}

/** The edge of the difference from its first corner to another. */
function putEdge(a: Float64Array, b: Float64Array, to: 1 | 2, out: number): void {
  const i = VERTICES + 3 * faceA[0]
  const j = VERTICES + 3 * faceB[0]
  const toI = VERTICES + 3 * faceA[to]
  const toJ = VERTICES + 3 * faceB[to]
  for (let k = 0; k < 3; k++) putExactDifferences(r, out + 2 * k, a[toI + k], a[i + k], b[toJ + k], b[j + k])
}

function findOnSegment(): boolean {
  if (!(r[SQUARE_1] > SAFE_FACE_PRODUCT)) return false
  putQuotient(r, SHARE_1, ALONG_1, SQUARE_1)
  r[SHARE_1] = -r[SHARE_1]
  r[SHARE_1 + 1] = -r[SHARE_1 + 1]
  for (let k = 0; k < VECTOR_SIZE; k += 2) putAlong(r, WAY + k, CORNER + k, SHARE_1, EDGE_1 + k)
  return r[SHARE_1] >= 0 && r[SHARE_1] <= 1
}

function findOnTriangle(): boolean {
  putDot(r, SQUARE_2, EDGE_2, EDGE_2)
  putCross(r, NORMAL, EDGE_1, EDGE_2)
  putDot(r, UNDER, NORMAL, NORMAL)
  if (!(r[UNDER] > SAFE_FACE_PRODUCT && r[UNDER] > FACE_SINE_SQUARE * r[SQUARE_1] * r[SQUARE_2])) return false
  putDot(r, ACROSS, EDGE_1, EDGE_2)
  putDot(r, ALONG_2, CORNER, EDGE_2)
  putShare(SHARE_1, ALONG_1, SQUARE_2, ALONG_2)
  putShare(SHARE_2, ALONG_2, SQUARE_1, ALONG_1)
  if (!(r[SHARE_1] >= 0 && r[SHARE_2] >= 0 && r[SHARE_1] + r[SHARE_2] <= 1)) return false
  putDot(r, LENGTH, CORNER, NORMAL)
  putQuotient(r, LENGTH, LENGTH, UNDER)
  putScaled(r, WAY, LENGTH, NORMAL)
  return true
}

/** (across · other − along · square) / under: Cramer's rule. */
function putShare(out: number, along: number, square: number, other: number): void {
  putMinor(r, out, ACROSS, other, along, square)
  putQuotient(r, out, out, UNDER)
}

/** The core point that lies farthest along side · normal: the first of the face’s corners unless another surely lies farther. */
function farther(body: Body, side: 1 | -1, own: Int32Array, others: Int32Array): number {
  const { numbers, local, count } = body
  if (count === 1) return 0
  const x = side * r[NORMAL]
  const y = side * r[NORMAL + 2]
  const z = side * r[NORMAL + 4]
  const topAt = local + 3 * own[0]
  const height = numbers[topAt] * x + numbers[topAt + 1] * y + numbers[topAt + 2] * z
  // No local coordinate is more than twice the reach, some no less than a sixth of it: beyond these margins all is clear.
  const reach = HEIGHT_ERROR_RATIO * (numbers[REACH] - numbers[RADIUS])
  const near = height - 3 * reach
  const level = height + reach / 8
  for (let i = 0, at = local; i < count; i++, at += 3) {
    const other = numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z
    if (!(other < near || (other <= level && isLevel(own, others, i)))) return fartherNear(body, side, own, others)
  }
  return own[0]
}

/** `farther` where another point lies as far but for rounding, or farther. */
function fartherNear({ numbers, local, count }: Body, side: 1 | -1, own: Int32Array, others: Int32Array): number {
  const top = own[0]
  const x = side * r[NORMAL]
  const y = side * r[NORMAL + 2]
  const z = side * r[NORMAL + 4]
  let largest = 0
  let highest = -Infinity
  let best = 0
  for (let i = 0; i < count; i++) {
    const at = local + 3 * i
    const height = numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z
    if (height > highest) {
      highest = height
      best = i
    }
    const size = Math.max(Math.abs(numbers[at]), Math.abs(numbers[at + 1]), Math.abs(numbers[at + 2]))
    if (size > largest) largest = size
  }
  const margin = HEIGHT_ERROR_RATIO * largest
  const topAt = local + 3 * top
  const height = numbers[topAt] * x + numbers[topAt + 1] * y + numbers[topAt + 2] * z
  if (highest > height + margin) return best
  best = top
  let greatest = TIE_RATIO * largest
  for (let i = 0; i < count; i++) {
    const at = local + 3 * i
    if (isLevel(own, others, i) || numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z < height - margin)
      continue
    const higher = rise(numbers, VERTICES + 3 * top, VERTICES + 3 * i, side)
    if (higher > greatest) {
      greatest = higher
      best = i
    }
  }
  return best
}

/** Whether the point lies as far as the first of the face’s corners by how the normal was found: across to the edge between them. */
function isLevel(own: Int32Array, others: Int32Array, i: number): boolean {
  if (i === own[0]) return true
  for (let m = 1; m < faceCount; m++) if (own[m] === i && others[m] === others[0]) return true
  return false
}

/** How much farther along side · normal point `to` lies than point `from`. */
function rise(numbers: Float64Array, from: number, to: number, side: 1 | -1): number {
  for (let k = 0; k < 3; k++) putExactDifference(r, SPARE_VECTOR + 2 * k, numbers[to + k], numbers[from + k])
  putDot(r, UNDER, SPARE_VECTOR, NORMAL)
  return side * r[UNDER]
}

/** The nearest point of the core, and from there along the normal by the number in a slot, in the world. */
function setPoint({ numbers }: Body, index: Int32Array, along: number, out: Float64Array): void {
  const corner = VERTICES + 3 * index[0]
  const second = VERTICES + 3 * index[1]
  const third = VERTICES + 3 * index[2]
  for (let k = 0; k < 3; k++) {
    const from = numbers[corner + k]
    r[POINT] = from
    r[POINT + 1] = 0
    if (faceCount > 1 && numbers[second + k] !== from) addScaledDifference(r, POINT, SHARE_1, numbers[second + k], from)
    if (faceCount > 2 && numbers[third + k] !== from) addScaledDifference(r, POINT, SHARE_2, numbers[third + k], from)
    if (r[along] !== 0) putAlong(r, POINT, POINT, along, NORMAL + 2 * k)
    out[k] = roundedSum(r[POINT], r[POINT + 1], numbers[POSITION + k])
  }
}

/** (high + low) + value, rounded once but for a hair. */
function roundedSum(high: number, low: number, value: number): number {
  const sum = high + value
  const rest = sumError(high, value, sum) + low
  const first = sum + rest
  return first + (rest - (first - sum))
}
