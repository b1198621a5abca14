/**
 * Two bodies of core points: whether they meet, exactly, and their nearest points, rounded once.
 *
 * Method: bounds from GJK decide where they are clear, and its face where they are clearly apart (below); otherwise exact arithmetic
 * finds the nearest points of the cores, and compares their squared distance with that of the skins. Distances come from the exact
 * face as well, by quotients of twice the digits, so that neither offsets nor cancellation cost anything.
 * Frame: world.
 */

import { exactly, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { sumError } from '../../numeric/expansion.ts'
import { SMALLEST_SAFE_SQUARE } from '../../numeric/roundoff.ts'
import {
  addScaledDifference,
  addTwofold,
  divideTwofold,
  multiplyTwofold,
  negateTwofold,
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
  rootTwofold,
  roundTwofold,
  type Twofold,
  twofold,
  VECTOR_SIZE,
} from '../../numeric/twofold.ts'
import { ANCHOR, type Body, POSITION, RADIUS, REACH, VERTICES } from '../shape/body.ts'
import {
  type Exact,
  exactTriple,
  exactVertex,
  inputRangeOf,
  largestOf,
  minus,
  plus,
  times,
} from '../shape/exact-points.ts'
import {
  FACE_EXTENT_LIMIT,
  FACE_GAP_RATIO,
  FACE_SINE_SQUARE,
  FACE_STEP_COUNT,
  HEIGHT_ERROR_RATIO,
  LEAST_GAP_RATIO,
  SAFE_FACE_PRODUCT,
  TIE_RATIO,
} from '../tolerances.ts'
import { CORES_DEGREE, coresOverlap, type ExactCores, exactCores, INTERIOR_DEGREE } from './exact-cores.ts'
import { type Bounds, type Simplex, sharpenWeights } from './gjk.ts'
import type { PairFrame, Relation, Separation } from './pair-frame.ts'

/** Whether the pair meets, given what GJK found. Exact. */
export function pointsMeet({ first, second, error }: PairFrame, { lower, upper, simplex }: Bounds): boolean {
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  if (lower - skins > error) return false
  if (simplex.holds === 2 || upper + error < skins) return true
  return exactly(inputRangeOf(first, second), CORES_DEGREE, (ring) =>
    coresMeet(ring, first, second, exactCores(ring, first, second, simplex)),
  )
}

function coresMeet<T>(ring: Ring<T>, first: Body, second: Body, cores: ExactCores<T>): boolean {
  return cores.meet || skinsSign(ring, first, second, cores) <= 0
}

/** Sign of the distance of the skins, of cores that do not meet. */
function skinsSign<T>(ring: Ring<T>, first: Body, second: Body, { face }: ExactCores<T>): Sign {
  const skins = ring.add(ring.of(first.numbers[RADIUS]), ring.of(second.numbers[RADIUS]))
  return ring.sign(ring.sub(face.square.over, ring.mul(ring.mul(skins, skins), face.square.under)))
}

/** Whether the pair overlaps, touches or is apart, given what GJK found. Exact. */
export function relatePoints({ first, second, error }: PairFrame, { lower, upper, simplex }: Bounds): Relation {
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  if (lower - skins > error) return 1
  if (simplex.holds === 2 || upper + error < skins) return -1
  return exactly(inputRangeOf(first, second), INTERIOR_DEGREE, (ring) => {
    const cores = exactCores(ring, first, second, simplex)
    if (!cores.meet) return skinsSign(ring, first, second, cores)
    return skins > 0 || coresOverlap(ring, first, second, cores) ? -1 : 0
  })
}

interface Nearest {
  meet: boolean
  coresMeet: boolean
  /** Nearest core points relative to the first body's position, and the way from A to B in units. */
  a: Twofold[]
  b: Twofold[]
  way: Twofold[]
  /** 1, or the size of a way whose square no double holds. */
  unit: number
}

/** Sets everything about the pair. Exact sign, all numbers within about a unit in the last place. */
export function separatePoints(frame: PairFrame, bounds: Bounds, out: Separation): void {
  if (bounds.simplex.holds === 2) setCommonPoint(frame, bounds, out)
  else if (!separateByFace(frame, bounds, out)) separateExactly(frame, bounds, out)
}

/** Of cores whose difference surely holds the origin: the point of the first that lies there. */
function setCommonPoint({ first: { numbers }, extent }: PairFrame, { simplex }: Bounds, out: Separation): void {
  sharpenWeights(simplex, extent)
  out.meet = true
  out.distance = 0
  out.normal.fill(0)
  for (let k = 0; k < 3; k++) {
    let sum = 0
    for (let m = 0; m < 4; m++) sum += simplex.weights[m] * simplex.a[3 * m + k]
    out.a[k] = numbers[POSITION + k] + (numbers[ANCHOR + k] + sum)
    out.b[k] = out.a[k]
  }
}

export function separateExactly({ first, second, extent }: PairFrame, { simplex }: Bounds, out: Separation): void {
  const nearest = exactly(inputRangeOf(first, second), CORES_DEGREE, (ring) =>
    nearestPoints(ring, first, second, exactCores(ring, first, second, simplex)),
  )
  out.meet = nearest.meet
  const { a, b, way, unit } = nearest
  out.normal.fill(0)
  out.distance = 0
  const radiusA = first.numbers[RADIUS]
  const radiusB = second.numbers[RADIUS]
  if (nearest.coresMeet) {
    for (let k = 0; k < 3; k++) {
      out.a[k] = roundTwofold(a[k])
      out.b[k] = out.a[k]
    }
    return
  }
  const units = rootTwofold(addTwofold(addTwofold(squareOf(way[0]), squareOf(way[1])), squareOf(way[2])))
  const normal = way.map((component) => divideTwofold(component, units))
  const length = unit === 1 ? units : { high: units.high * unit, low: units.low * unit }
  if (nearest.meet) {
    // A point between the cores, so far from the first as its skin's share.
    const share = multiplyTwofold(length, divideTwofold(twofold(radiusA, 0), twofold(radiusA, radiusB)))
    for (let k = 0; k < 3; k++) {
      out.a[k] = roundTwofold(addTwofold(a[k], multiplyTwofold(normal[k], share)))
      out.b[k] = out.a[k]
    }
    return
  }
  const gap = roundTwofold(addTwofold(length, negateTwofold(twofold(radiusA, radiusB))))
  out.distance = gap > 0 ? gap : LEAST_GAP_RATIO * extent
  for (let k = 0; k < 3; k++) {
    out.normal[k] = roundTwofold(normal[k])
    out.a[k] = roundTwofold(addTwofold(a[k], multiplyTwofold(normal[k], { high: radiusA, low: 0 })))
    out.b[k] = roundTwofold(addTwofold(b[k], negateTwofold(multiplyTwofold(normal[k], { high: radiusB, low: 0 }))))
  }
}

function squareOf(a: Twofold): Twofold {
  return multiplyTwofold(a, a)
}

function nearestPoints<T>(ring: Ring<T>, first: Body, second: Body, cores: ExactCores<T>): Nearest {
  const { face, indexA, indexB } = cores
  const total = face.weights.reduce((sum, weight) => ring.add(sum, weight))
  const blend = (body: Body, indices: readonly number[]): Exact<T> => {
    const position = exactTriple(ring, body, POSITION)
    return indices
      .map((i, m) => times(ring, face.weights[m], plus(ring, position, exactVertex(ring, body, i))))
      .reduce((sum, term) => plus(ring, sum, term))
  }
  const a = blend(first, indexA)
  const b = blend(second, indexB)
  const rounded = (sum: Exact<T>): Twofold[] => sum.map((component) => ring.quotient(component, total, 1))
  const way = minus(ring, b, a)
  const nearest = {
    meet: coresMeet(ring, first, second, cores),
    coresMeet: cores.meet,
    a: rounded(a),
    b: rounded(b),
    way: rounded(way),
    unit: 1,
  }
  if (cores.meet || !isTiny(nearest.way)) return nearest
  const largest = largestOf(ring, way)
  return {
    ...nearest,
    way: way.map((component) => ring.quotient(component, largest, 0)),
    unit: Math.abs(ring.quotient(largest, total, 1).high),
  }
}

/** Whether the square of the vector leaves the range of doubles. */
function isTiny(vector: readonly Twofold[]): boolean {
  return vector.every(({ high }) => high * high < SMALLEST_SAFE_SQUARE)
}

// Two bodies of core points clearly apart: their nearest points by the face of the difference that GJK ended with, without exact
// arithmetic.
//
// Method: the nearest point of the face in numbers of twice the digits, and the proof that it is the nearest of all: no core point of
// either body lies beyond the plane through it. Points within rounding of the plane are compared in numbers of twice the digits. Pairs
// without such a proof are left to exact arithmetic (above), which finds the same to within a unit in the last place.
// Frame: world axes, from the position of the first body. Cost: O(points), some hundreds of products.

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
const r = new Float64Array(SHARE_1 + 20)

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
