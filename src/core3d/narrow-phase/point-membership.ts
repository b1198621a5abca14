/**
 * Whether a convex body has a point, exactly, where signs of a few polynomials tell.
 *
 * Method: polynomials in the coordinates of the point and the body, in numbers of twice the digits with a bound on their error, and in
 * exact arithmetic where these leave a sign open. A turned box, whose sides rounding has bent, is the hull of its rounded corners: a side
 * is two triangles, cut so that they bulge outwards. What is left open is for a pair with a body of that point alone to decide: points
 * within rounding of a turned curved body or of the boundary of a half-space, most points inside hulls, and rounded boxes and hulls.
 * Frame: world axes, from the position of the body. Cost: some tens of products for each sign, for hulls and for what is near their
 * face besides O(points).
 */

import { spend } from '../../containers/budget.ts'
import { createInputRange, exactly, includeInput, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import {
  putCross,
  putDot,
  putExactDifference,
  putProduct,
  putRoot,
  putShiftedDifference,
  putSum,
  VECTOR_SIZE,
} from '../../numeric/twofold.ts'
import {
  ANCHOR,
  type Body,
  CONE,
  CYLINDER,
  ELLIPSOID,
  HALFSPACE,
  LENGTHS,
  NORMAL,
  OFFSET,
  POINTS,
  POSITION,
  RADIUS,
  REACH,
  ROTATION,
  VERTICES,
  type Vector,
} from '../shape/body.ts'
import { BOX_CORNERS, exactSurface, surfaceOf } from '../shape/core-surface.ts'
import {
  cross,
  dot,
  type Exact,
  exactTriple,
  exactVertex,
  includeBody,
  isZero,
  minus,
  ownVector,
} from '../shape/exact-points.ts'
import {
  CLEAR_VOLUME_ERROR,
  FACE_EXTENT_LIMIT,
  NEAR_CORNER_RATIO,
  SAFE_FACE_PRODUCT,
  SEPARATION_ERROR_RATIO,
} from '../tolerances.ts'
import { pointMeets } from './exact-quadric.ts'

/** Between this and its inverse the squares of products of three lengths stay in range, and so do their lower halves. */
const EXTENT_LIMIT = Math.sqrt(FACE_EXTENT_LIMIT)

// Slots: vectors first, then numbers.
const POINT = 0
const U = VECTOR_SIZE
const V = 2 * VECTOR_SIZE
const W = 3 * VECTOR_SIZE
const PRODUCT = 4 * VECTOR_SIZE
const SUM = 5 * VECTOR_SIZE
const TERM = SUM + 2
const FACTOR = SUM + 4
const r = new Float64Array(SUM + 6)

/** The point of the world that is asked about. */
let asked: Vector = [0, 0, 0]

const TRIANGLE = Int32Array.of(0, 1, 2)

/**
 * Whether the point of the world lies in the closed body, which is not composite; null where that is left open. `outward`: a unit vector
 * along which the point is about as far as any of the body; 0 0 0 where none is known.
 */
export function hasPoint(body: Body, point: Vector, outward: Vector): boolean | null {
  const { kind, numbers, count } = body
  const extent = ask(body, point)
  if (kind === POINTS) {
    for (let i = 0; i < count; i++) if (isCorner(body, i)) return true
    if (count === 1 && numbers[RADIUS] === 0) return false
  }
  if (!isInRange(extent)) return null
  if (kind === HALFSPACE) return isInHalfspace(body)
  if (kind !== POINTS) return body.aligned ? isInQuadric(body) : isInTurnedQuadric(body, extent)
  if (numbers[RADIUS] > 0) return count === 1 ? isInBall(body) : count === 2 ? isInCapsule(body) : null
  if (count === 2) return isOnSegment(body, 0, 1)
  if (count === 3) return isInPolygon(body, TRIANGLE)
  return body.isBox ? isInBox(body, extent) : isInHull(body, outward, extent)
}

/** Whether the point of the world lies in the hull of these core points, up to four and none superfluous; false too where that is left open. */
export function isInSimplex(body: Body, point: Vector, corners: Int32Array): boolean {
  if (!isInRange(ask(body, point))) return false
  const [a, b, c, d] = corners
  if (corners.length === 1) return isCorner(body, a)
  if (corners.length === 2) return isOnSegment(body, a, b)
  return (corners.length === 3 ? isInPolygon(body, corners) : isInTetrahedron(body, a, b, c, d)) ?? false
}

/** Places the point. Returns a bound on how far it and any of the body are from each other. */
function ask({ kind, numbers }: Body, point: Vector): number {
  asked = point
  let extent = kind === HALFSPACE ? Math.abs(numbers[OFFSET]) : 2 * numbers[REACH]
  for (let k = 0; k < 3; k++) {
    putExactDifference(r, POINT + 2 * k, point[k], numbers[POSITION + k])
    extent += Math.abs(r[POINT + 2 * k]) + Math.abs(numbers[ANCHOR + k])
  }
  return extent
}

function isInRange(extent: number): boolean {
  return extent < EXTENT_LIMIT && extent > 1 / EXTENT_LIMIT
}

function isCorner({ numbers }: Body, i: number): boolean {
  const at = VERTICES + 3 * i
  for (let k = 0; k < 3; k++) if (r[POINT + 2 * k] !== numbers[at + k] || r[POINT + 2 * k + 1] !== 0) return false
  return true
}

function putEdge({ numbers }: Body, i: number, j: number, out: number): void {
  for (let k = 0; k < 3; k++) {
    putExactDifference(r, out + 2 * k, numbers[VERTICES + 3 * j + k], numbers[VERTICES + 3 * i + k])
  }
}

/** The way from core point i to the point. */
function putWay({ numbers }: Body, i: number, out: number): void {
  for (let k = 0; k < 3; k++) putShiftedDifference(r, out + 2 * k, 0, numbers[VERTICES + 3 * i + k], POINT + 2 * k)
}

function sizeOf(at: number): number {
  return Math.abs(r[at]) + Math.abs(r[at + 2]) + Math.abs(r[at + 4])
}

/** The sign of a number that is made of terms of that size; 0 where numbers of twice the digits leave it open. */
function clearSign(at: number, size: number): Sign {
  const value = r[at]
  if (!(Math.abs(value) > CLEAR_VOLUME_ERROR * size && Math.abs(value) > SAFE_FACE_PRODUCT)) return 0
  return value > 0 ? 1 : -1
}

/** Runs a predicate of so high a degree on the way from the position of the body to the point. */
function exactlyAt<R>(body: Body, degree: number, predicate: <T>(ring: Ring<T>, point: Exact<T>) => R): R {
  const [x, y, z] = asked
  const range = createInputRange()
  includeBody(range, body)
  for (let k = 0; k < 3; k++) includeInput(range, asked[k])
  return exactly(range, degree, <T>(ring: Ring<T>) => {
    const { of } = ring
    return predicate(ring, minus(ring, [of(x), of(y), of(z)], exactTriple(ring, body, POSITION)))
  })
}

// Points and segments, with a skin or without.

function isOnSegment(body: Body, i: number, j: number): boolean {
  putEdge(body, i, j, U)
  putWay(body, i, W)
  const sides = sizeOf(U) * sizeOf(W)
  putCross(r, PRODUCT, U, W)
  for (let k = 0; k < VECTOR_SIZE; k += 2) if (clearSign(PRODUCT + k, sides) !== 0) return false
  return exactlyAt(body, 2, (ring, point) => {
    const from = exactVertex(ring, body, i)
    const edge = minus(ring, exactVertex(ring, body, j), from)
    const way = minus(ring, point, from)
    // One of no length has its ends alone.
    if (isZero(ring, edge) || !isZero(ring, cross(ring, edge, way))) return false
    const along = dot(ring, edge, way)
    return ring.sign(along) >= 0 && ring.sign(ring.sub(along, dot(ring, edge, edge))) <= 0
  })
}

/** Whether it is no farther than the skin from core point i; null where numbers of twice the digits leave that open. */
function isClearlyInBall(body: Body, i: number): boolean | null {
  putWay(body, i, W)
  putDot(r, SUM, W, W)
  const square = r[SUM]
  takeSquare(body.numbers[RADIUS], SUM)
  const sign = clearSign(SUM, square + body.numbers[RADIUS] ** 2)
  return sign === 0 ? null : sign < 0
}

function isInBall(body: Body): boolean {
  const isClear = isClearlyInBall(body, 0)
  if (isClear !== null) return isClear
  return exactlyAt(body, 2, (ring, point) => {
    const way = minus(ring, point, exactVertex(ring, body, 0))
    const radius = ring.of(body.numbers[RADIUS])
    return ring.sign(ring.sub(dot(ring, way, way), ring.mul(radius, radius))) <= 0
  })
}

/** Takes the square of a double from a slot. */
function takeSquare(value: number, at: number): void {
  putDouble(FACTOR, value)
  putProduct(r, TERM, FACTOR, FACTOR)
  putSum(r, at, at, TERM, -1)
}

function isInCapsule(body: Body): boolean {
  return isClearlyInCapsule(body) ?? exactlyAt(body, 4, (ring, point) => isByLine(ring, body, point))
}

/** Beside the segment by the distance from its line; where rounding leaves open which end it lies beyond, that is as far as the end. */
function isClearlyInCapsule(body: Body): boolean | null {
  putEdge(body, 0, 1, U)
  putWay(body, 0, W)
  putDot(r, SUM, U, W)
  putDot(r, TERM, U, U)
  if (!(r[SUM] > 0)) return isClearlyInBall(body, 0)
  if (!(r[SUM] < r[TERM])) return isClearlyInBall(body, 1)
  const radius = body.numbers[RADIUS]
  putDouble(FACTOR, radius)
  putProduct(r, FACTOR, FACTOR, FACTOR)
  putProduct(r, TERM, TERM, FACTOR)
  putCross(r, PRODUCT, U, W)
  putDot(r, SUM, PRODUCT, PRODUCT)
  putSum(r, SUM, SUM, TERM, -1)
  const sign = clearSign(SUM, sizeOf(U) ** 2 * (sizeOf(W) ** 2 + radius * radius))
  return sign === 0 ? null : sign < 0
}

function isByLine<T>(ring: Ring<T>, body: Body, point: Exact<T>): boolean {
  const { sign, sub, mul, of } = ring
  const from = exactVertex(ring, body, 0)
  const edge = minus(ring, exactVertex(ring, body, 1), from)
  const way = minus(ring, point, from)
  const along = dot(ring, edge, way)
  const square = mul(of(body.numbers[RADIUS]), of(body.numbers[RADIUS]))
  const length = dot(ring, edge, edge)
  if (sign(along) <= 0) return sign(sub(dot(ring, way, way), square)) <= 0
  if (sign(sub(along, length)) >= 0) {
    const rest = minus(ring, way, edge)
    return sign(sub(dot(ring, rest, rest), square)) <= 0
  }
  const normal = cross(ring, edge, way)
  return sign(sub(dot(ring, normal, normal), mul(square, length))) <= 0
}

// Triangles and boxes.

/** Of the flat polygon of these core points, no three of them on one line; null where they are on one. */
function isInPolygon(body: Body, corners: Int32Array): boolean | null {
  putEdge(body, corners[0], corners[1], U)
  putEdge(body, corners[0], corners[2], V)
  putWay(body, corners[0], W)
  if (clearVolume() !== 0) return false
  return exactlyAt(body, 4, (ring, point) => {
    const places = Array.from(corners, (i) => exactVertex(ring, body, i))
    const [a, b, c] = places
    const normal = cross(ring, minus(ring, b, a), minus(ring, c, a))
    if (isZero(ring, normal)) return null
    if (ring.sign(dot(ring, normal, minus(ring, point, a))) !== 0) return false
    return places.every((from, i) => {
      const edge = minus(ring, places[(i + 1) % places.length], from)
      return ring.sign(dot(ring, normal, cross(ring, edge, minus(ring, point, from)))) >= 0
    })
  })
}

/** Sign of (U × V) · W; 0 where numbers of twice the digits leave it open. */
function clearVolume(): Sign {
  putCross(r, PRODUCT, U, V)
  putDot(r, SUM, PRODUCT, W)
  return clearSign(SUM, sizeOf(U) * sizeOf(V) * sizeOf(W))
}

function isInBox(body: Body, extent: number): boolean | null {
  return body.aligned ? isInAlignedBox(body) : isInTurnedBox(body, extent)
}

function isInAlignedBox({ numbers }: Body): boolean {
  for (let k = 0; k < 3; k++) {
    const one = numbers[VERTICES + k]
    const other = numbers[VERTICES + 21 + k]
    const high = r[POINT + 2 * k]
    const low = r[POINT + 2 * k + 1]
    const least = Math.min(one, other)
    const most = Math.max(one, other)
    // On the side itself the rest tells that rounding has left.
    if (high < least || (high === least && low < 0) || high > most || (high === most && low > 0)) return false
  }
  return true
}

/** Null of boxes so thin that rounding may have turned their edges. */
function isInTurnedBox(body: Body, extent: number): boolean | null {
  const { numbers } = body
  const error = SEPARATION_ERROR_RATIO * extent
  let near = 0
  for (let k = 0; k < 3; k++) {
    let height = 0
    let length = 0
    for (let row = 0; row < 3; row++) {
      const from = numbers[VERTICES + row]
      const along = numbers[ROTATION + 3 * row + k]
      height += along * (r[POINT + 2 * row] - from)
      length += along * (numbers[VERTICES + 3 * (1 << k) + row] - from)
    }
    if (height < -error || height > length + error) return false
    if (length < NEAR_CORNER_RATIO * extent) return null
    if (height < error) near |= 1 << (2 * k)
    if (height > length - error) near |= 1 << (2 * k + 1)
  }
  for (let face = 0; face < 6; face++) if (((near >> face) & 1) !== 0 && isBeyondSide(body, 4 * face)) return false
  return true
}

/** Whether the point lies beyond one of the two triangles of a side, whose four corners go round counter-clockwise from `at` on. */
function isBeyondSide(body: Body, at: number): boolean {
  const a = BOX_CORNERS[at]
  const b = BOX_CORNERS[at + 1]
  const c = BOX_CORNERS[at + 2]
  const d = BOX_CORNERS[at + 3]
  return sideOf(body, a, b, c, d) > 0
    ? sideOf(body, a, b, d, -1) > 0 || sideOf(body, b, c, d, -1) > 0
    : sideOf(body, a, b, c, -1) > 0 || sideOf(body, a, c, d, -1) > 0
}

/** Sign of the height of a core point, or with −1 of the point, over the plane of three core points that go round counter-clockwise. */
function sideOf(body: Body, a: number, b: number, c: number, d: number): Sign {
  putEdge(body, a, b, U)
  putEdge(body, a, c, V)
  if (d < 0) putWay(body, a, W)
  else putEdge(body, a, d, W)
  const sign = clearVolume()
  if (sign !== 0) return sign
  return exactlyAt(body, 3, (ring, point) => {
    const from = exactVertex(ring, body, a)
    const normal = cross(
      ring,
      minus(ring, exactVertex(ring, body, b), from),
      minus(ring, exactVertex(ring, body, c), from),
    )
    return ring.sign(dot(ring, normal, minus(ring, d < 0 ? point : exactVertex(ring, body, d), from)))
  })
}

// Hulls.
//
// Method: flat ones are polygons, or where a turn has bent them all the faces of the solid that they then are. Of solid ones the few corners
// that lie farthest along a direction make triangles. A point in the tetrahedron of one of these and a corner far behind is in the
// body; one above a triangle that no corner is above is not. Others are left open.

/** More corners than that at a face are too many to be tried by threes. */
const MOST_TOPS = 5
const tops = new Int32Array(MOST_TOPS)

function isInHull(body: Body, outward: Vector, extent: number): boolean | null {
  const { count, hull, surface } = body
  if (count === 4 && !body.aligned) return isInTetrahedron(body, 0, 1, 2, 3)
  // Of late hulls, which are solid for certain, nothing but the points is known.
  if (surface === null && hull !== null && hull.corners === null) return isInSolid(body, outward, extent)
  const { dimension, isExact, corners, starts } = surfaceOf(body)
  if (dimension === 3) return isInSolid(body, outward, extent)
  if (dimension < 2) return null
  return isExact ? isInPolygon(body, corners.subarray(0, starts[1])) : isInBentPolygon(body)
}

/** Null where the four core points are in one plane. */
function isInTetrahedron(body: Body, a: number, b: number, c: number, d: number): boolean | null {
  const side = sideOf(body, a, b, c, d)
  if (side === 0) return null
  return (
    side * sideOf(body, a, b, c, -1) >= 0 &&
    side * sideOf(body, a, d, b, -1) >= 0 &&
    side * sideOf(body, b, d, c, -1) >= 0 &&
    side * sideOf(body, c, d, a, -1) >= 0
  )
}

function isInBentPolygon(body: Body): boolean | null {
  const { dimension, starts, corners } = exactSurface(body)
  if (dimension < 3) return null
  for (let f = 0; f + 1 < starts.length; f++) {
    const c = starts[f]
    if (sideOf(body, corners[c], corners[c + 1], corners[c + 2], -1) > 0) return false
  }
  return true
}

function isInSolid(body: Body, [x, y, z]: Vector, extent: number): boolean | null {
  const { numbers, count } = body
  if (x === 0 && y === 0 && z === 0) return null
  spend(1 + (count >> 2))
  let top = -Infinity
  let bottom = Infinity
  let low = 0
  for (let i = 0, at = VERTICES; i < count; i++, at += 3) {
    const height = numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z
    if (height > top) top = height
    if (height >= bottom) continue
    bottom = height
    low = i
  }
  if (r[POINT] * x + r[POINT + 2] * y + r[POINT + 4] * z > top + 2 * SEPARATION_ERROR_RATIO * extent) return false
  const least = top - NEAR_CORNER_RATIO * extent
  let found = 0
  for (let i = 0, at = VERTICES; i < count; i++, at += 3) {
    if (numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z < least) continue
    if (found === MOST_TOPS) return null
    tops[found++] = i
  }
  if (found === 2) return isOnSegment(body, tops[0], tops[1]) ? true : null
  for (let k = 2; k < found; k++) {
    for (let j = 1; j < k; j++) {
      for (let i = 0; i < j; i++) {
        const isIn = byTriangle(body, tops[i], tops[j], tops[k], low)
        if (isIn !== null) return isIn
      }
    }
  }
  return null
}

/** What a triangle and a corner behind it tell. */
function byTriangle(body: Body, i: number, j: number, k: number, low: number): boolean | null {
  const depth = sideOf(body, i, j, k, low)
  if (depth === 0) return null
  const b = depth < 0 ? j : k
  const c = depth < 0 ? k : j
  if (sideOf(body, i, b, c, -1) > 0) return isSupported(body, i, b, c) ? false : null
  const isIn = sideOf(body, i, low, b, -1) <= 0 && sideOf(body, b, low, c, -1) <= 0 && sideOf(body, c, low, i, -1) <= 0
  return isIn ? true : null
}

/** Whether no core point is above the plane of these. */
function isSupported(body: Body, a: number, b: number, c: number): boolean {
  for (let i = 0; i < body.count; i++) if (i !== a && i !== b && i !== c && sideOf(body, a, b, c, i) > 0) return false
  return true
}

/** Null on the boundary but for what numbers of twice the digits tell. */
function isInHalfspace({ numbers }: Body): boolean | null {
  for (let k = 0; k < 3; k++) putDouble(U + 2 * k, numbers[NORMAL + k])
  const length = sizeOf(U)
  if (!(length < EXTENT_LIMIT && length > 1 / EXTENT_LIMIT)) return null
  putDot(r, SUM, U, POINT)
  putDot(r, TERM, U, U)
  putRoot(r, TERM, TERM)
  putDouble(FACTOR, numbers[OFFSET])
  putProduct(r, TERM, TERM, FACTOR)
  putSum(r, SUM, SUM, TERM, -1)
  const sign = clearSign(SUM, length * (sizeOf(POINT) + Math.abs(numbers[OFFSET])))
  return sign === 0 ? null : sign < 0
}

// Cylinders, cones and ellipsoids, the axis of the first two being the second of their own.

function isInQuadric(body: Body): boolean {
  const { kind, numbers } = body
  for (let k = 0; k < 3; k++) putShiftedDifference(r, W + 2 * k, 0, numbers[ANCHOR + k], POINT + 2 * k)
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) {
      const entry = numbers[ROTATION + 3 * row + column]
      if (entry === 0) continue
      r[V + 2 * column] = entry * r[W + 2 * row]
      r[V + 2 * column + 1] = entry * r[W + 2 * row + 1]
    }
  }
  const over = kind === ELLIPSOID ? -1 : signBeyondEnds(numbers)
  if (over > 0) return false
  const beyond = signBeyondSurface(kind, numbers)
  if (beyond > 0) return false
  if (over < 0 && beyond < 0) return true
  return exactlyAt(body, QUADRIC_DEGREE, (ring, point) => {
    const quadric = { kind, lengths: exactTriple(ring, body, LENGTHS), isOpen: false }
    return pointMeets(ring, quadric, ownVector(ring, body, minus(ring, point, exactTriple(ring, body, ANCHOR))))
  })
}

const QUADRIC_DEGREE = 6

/** Of the point in V. */
function signBeyondEnds(numbers: Float64Array): Sign {
  const half = numbers[LENGTHS + 1]
  const side = r[V + 2] < 0 ? -1 : 1
  putDouble(SUM, -half)
  putSum(r, SUM, SUM, V + 2, side)
  return clearSign(SUM, half + Math.abs(r[V + 2]))
}

/** Of the point in V: the sign of the form of the surface, which is a sum of squares less one. */
function signBeyondSurface(kind: number, numbers: Float64Array): Sign {
  const a = numbers[LENGTHS]
  const b = numbers[LENGTHS + 1]
  const c = numbers[LENGTHS + 2]
  r[SUM] = 0
  r[SUM + 1] = 0
  size = 0
  if (kind === ELLIPSOID) {
    addSquareTimes(b, c, V, 1)
    addSquareTimes(a, c, V + 2, 1)
    addSquareTimes(a, b, V + 4, 1)
    putDouble(PRODUCT, c)
    addSquareTimes(a, b, PRODUCT, -1)
  } else if (kind === CONE) {
    // The radius at a height is to the way down from the apex as that of the base is to the whole height.
    addSquareTimes(2, b, V, 1)
    addSquareTimes(2, b, V + 4, 1)
    putDouble(PRODUCT, b)
    putSum(r, PRODUCT, PRODUCT, V + 2, -1)
    addSquareTimes(1, a, PRODUCT, -1)
  } else {
    addSquareTimes(1, 1, V, 1)
    addSquareTimes(1, 1, V + 4, 1)
    putDouble(PRODUCT, a)
    addSquareTimes(1, 1, PRODUCT, -1)
  }
  return clearSign(SUM, size)
}

/** The sum of the magnitudes of the squares so far. */
let size = 0

/** Adds side · (p · q · number at a slot)² to `SUM`. */
function addSquareTimes(p: number, q: number, at: number, side: 1 | -1): void {
  putDouble(FACTOR, p)
  putDouble(TERM, q)
  putProduct(r, TERM, TERM, FACTOR)
  putProduct(r, TERM, TERM, at)
  putProduct(r, TERM, TERM, TERM)
  size += r[TERM]
  putSum(r, SUM, SUM, TERM, side)
}

function putDouble(at: number, value: number): void {
  r[at] = value
  r[at + 1] = 0
}

/** Null within rounding of the surface. */
function isInTurnedQuadric(body: Body, extent: number): boolean | null {
  const { numbers } = body
  const along = (column: number): number => {
    let sum = 0
    for (let row = 0; row < 3; row++) {
      sum += numbers[ROTATION + 3 * row + column] * (r[POINT + 2 * row] - numbers[ANCHOR + row])
    }
    return sum
  }
  const beyond = pointBeyond(body, [along(0), along(1), along(2)])
  return Math.abs(beyond) > SEPARATION_ERROR_RATIO * extent ? beyond < 0 : null
}

/** A length by which a point, in the axes of the curved body, lies beyond its surface, or within it; no more than its distance. */
export function pointBeyond({ kind, numbers }: Body, [x, y, z]: Vector): number {
  const [a, b, c] = [numbers[LENGTHS], numbers[LENGTHS + 1], numbers[LENGTHS + 2]]
  const distance = Math.hypot(x, z)
  if (kind === CYLINDER) return Math.max(Math.abs(y) - b, distance - a)
  if (kind === CONE) return Math.max(-b - y, (2 * b * distance + a * (y - b)) / Math.hypot(2 * b, a))
  return (Math.hypot(x / a, y / b, z / c) - 1) * Math.min(a, b, c)
}
