/**
 * A half-space and any other body: how far the other reaches down to its boundary.
 *
 * Method: the lowest point of the other along the normal, in closed form; where rounding leaves the sign open, the sign of
 * n·(difference of positions) + lowest height − offset·|n| in exact arithmetic. The heights of curved bodies are roots, so that is a
 * sum of a rational number and at most two roots.
 * Frame: world. The normal points from the half-space to the other body's side.
 */

import {
  exactly,
  type InputRange,
  includeInput,
  type Ring,
  type Sign,
  signOfTwoRootSum,
} from '../../numeric/exact-ring.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import {
  ANCHOR,
  type Body,
  CYLINDER,
  ELLIPSOID,
  HALFSPACE,
  LENGTHS,
  NORMAL,
  OFFSET,
  POINTS,
  POSITION,
  RADIUS,
  UNIT,
} from '../shape/body.ts'
import {
  cross,
  dot,
  type Exact,
  exactOffset,
  exactTriple,
  exactVertex,
  inputRangeOf,
  isZero,
  minus,
  ownVector,
  plus,
  times,
} from '../shape/exact-points.ts'
import { kindOf } from '../shape/kinds.ts'
import type { Motion } from '../shape/motion.ts'
import { FARTHEST_COMMON_POINT, LEAST_GAP_RATIO, WELL_INSIDE } from '../tolerances.ts'
import { lowest } from './exact-cores.ts'
import type { PairFrame, Relation, Separation } from './pair-frame.ts'

// How far bodies reach along a direction, exactly, and so whether the direction separates two of them.
//
// Heights of core points are rational in their coordinates; a skin, a disc or an ellipsoid adds the root of one. Directions
// may be of any length and degree.
// Frame: world; heights count from the bodies' positions. Of curved bodies only those whose own axes are axes of the world.

/** Degree of what is compared, for directions of up to the third degree. */
export const HEIGHT_DEGREE = 24

/** Least height of the core along the vector, which is rational − √square. */
export function lowestHeight<T>(ring: Ring<T>, body: Body, along: Exact<T>): { rational: T; square: T } {
  const { mul, sub, add, integer, sign } = ring
  const zero = integer(0)
  if (body.kind === POINTS) {
    const i = lowest(ring, body, along, 1)
    return { rational: dot(ring, along, exactVertex(ring, body, i)), square: zero }
  }
  const own = ownVector(ring, body, along)
  const [a, b, c] = exactTriple(ring, body, LENGTHS)
  const squared = (value: T): T => mul(value, value)
  if (body.kind === ELLIPSOID) {
    return {
      rational: zero,
      square: add(add(squared(mul(a, own[0])), squared(mul(b, own[1]))), squared(mul(c, own[2]))),
    }
  }
  const height = mul(own[1], b)
  const rim = mul(squared(a), add(squared(own[0]), squared(own[2])))
  if (body.kind === CYLINDER) return { rational: sign(height) > 0 ? sub(zero, height) : height, square: rim }
  // The apex, at +height, lies lower than the rim, at −height − √rim, where −2·height exceeds the root.
  const twice = add(height, height)
  const apex = sign(height) < 0 && sign(sub(squared(twice), rim)) > 0
  return apex ? { rational: height, square: zero } : { rational: sub(zero, height), square: rim }
}

/** Sign of the gap by which first lies beyond second along the vector. Bounded bodies. */
export function gapSignAlong<T>(ring: Ring<T>, first: Body, second: Body, along: Exact<T>): Sign {
  const { add, sub, integer } = ring
  const zero = integer(0)
  const low = lowestHeight(ring, first, along)
  const against = minus(ring, [zero, zero, zero], along)
  const high = lowestHeight(ring, second, against)
  const rational = add(add(dot(ring, along, exactOffset(ring, first, second)), low.rational), high.rational)
  const less = sub(zero, integer(1))
  if (second.kind !== POINTS && first.kind !== POINTS) {
    return signOfTwoRootSum(ring, rational, less, low.square, less, high.square)
  }
  // Only one of them is curved, or none: the other root is that of the skins.
  const skins = add(ring.of(first.numbers[RADIUS]), ring.of(second.numbers[RADIUS]))
  const square = first.kind === POINTS ? high.square : low.square
  return signOfTwoRootSum(ring, rational, sub(zero, skins), dot(ring, along, along), less, square)
}

/** Degree of the polynomials that come up, squares of squares of heights among them. */
const DEGREE = 24

const point = new Float64Array(3)

/** `second` is the half-space. */
export function separateHalfspace(frame: PairFrame, out: Separation): void {
  const { first, second, extent } = frame
  if (first.kind === HALFSPACE) {
    separateHalfspaces(first, second, out)
    return
  }
  const { numbers } = second
  const gap = findLowest(frame)
  const radius = first.numbers[RADIUS]
  out.meet = relationAt(frame, gap) <= 0
  out.distance = out.meet ? 0 : Math.max(gap, LEAST_GAP_RATIO * extent)
  for (let k = 0; k < 3; k++) {
    const n = numbers[UNIT + k]
    const place = first.numbers[POSITION + k] + first.numbers[ANCHOR + k]
    out.a[k] = place + (point[k] - radius * n)
    out.b[k] = out.meet ? out.a[k] : place + (point[k] - (radius + out.distance) * n)
    out.normal[k] = out.meet ? 0 : -n
  }
}

/** Whether the pair overlaps, touches or is apart. `second` is the half-space. */
export function relateHalfspace(frame: PairFrame): Relation {
  const { first, second } = frame
  return first.kind === HALFSPACE ? relateHalfspaces(first, second, null) : relationAt(frame, findLowest(frame))
}

/** Height of the body's lowest point, which is left in `point`, over the boundary. */
function findLowest({ first, second: { numbers }, dx, dy, dz }: PairFrame): number {
  const nx = numbers[UNIT]
  const ny = numbers[UNIT + 1]
  const nz = numbers[UNIT + 2]
  point.fill(0)
  kindOf(first).support(first, -nx, -ny, -nz, point)
  return (point[0] - dx) * nx + (point[1] - dy) * ny + (point[2] - dz) * nz - numbers[OFFSET] - first.numbers[RADIUS]
}

/** Points are decided as placed; of curved bodies only those whose axes are the world's are so to the last bit. */
function relationAt({ first, second, error }: PairFrame, gap: number): Relation {
  if (Math.abs(gap) > error) return gap > 0 ? 1 : -1
  if (first.kind === POINTS || first.aligned) return signOfGap(first, second, null)
  // A sign that rounding leaves open counts as touching.
  return gap > 0 ? 1 : 0
}

/** How the first body of a pair moves against the second in some time: the numbers that the way is made of. */
interface ExactWay {
  first: Motion
  second: Motion
  time: number
}

/**
 * Whether the pair, of which the second is a half-space, meets after a motion without spin: exact for core points and curved bodies
 * in line with the axes, of others within rounding.
 */
export function meetsHalfspaceAfter(frame: PairFrame, way: ExactWay): boolean {
  const { first, second } = frame
  if (first.kind === HALFSPACE) return relateHalfspaces(first, second, way) <= 0
  if (first.kind === POINTS || first.aligned) return signOfGap(first, second, way) <= 0
  const { numbers } = second
  const along = (k: number, x: number, y: number): number => numbers[UNIT + k] * (x - y) * way.time
  const { first: v, second: w } = way
  return findLowest(frame) + (along(0, v.vx, w.vx) + along(1, v.vy, w.vy) + along(2, v.vz, w.vz)) <= 0
}

function rangeOf(first: Body, second: Body, way: ExactWay | null): InputRange {
  const range = inputRangeOf(first, second)
  if (way === null) return range
  const { first: v, second: w, time } = way
  for (const value of [1, time, v.vx, v.vy, v.vz, w.vx, w.vy, w.vz]) includeInput(range, value)
  return range
}

/**
 * From the position of the second to that of the first after the way, and the number by which all other lengths are multiplied: ways
 * are one degree higher than lengths, which the number one, as a length, evens out.
 */
function offsetAfter<T>(ring: Ring<T>, a: Body, b: Body, way: ExactWay | null): { one: T; offset: Exact<T> } {
  const { of, sub } = ring
  const start = exactOffset(ring, a, b)
  if (way === null) return { one: ring.integer(1), offset: start }
  const { first: v, second: w, time } = way
  const velocity: Exact<T> = [sub(of(v.vx), of(w.vx)), sub(of(v.vy), of(w.vy)), sub(of(v.vz), of(w.vz))]
  return { one: of(1), offset: plus(ring, times(ring, of(1), start), times(ring, of(time), velocity)) }
}

/** Exact sign of the height of the body's lowest point over the boundary. */
function signOfGap(body: Body, halfspace: Body, way: ExactWay | null): Sign {
  return exactly(rangeOf(body, halfspace, way), DEGREE, (ring) => {
    const { add, sub, mul, of, integer } = ring
    const { one, offset } = offsetAfter(ring, body, halfspace, way)
    const normal = exactTriple(ring, halfspace, NORMAL)
    const height = lowestHeight(ring, body, normal)
    const rational = add(dot(ring, normal, offset), mul(one, height.rational))
    // (offset + radius)·|n| is taken away, and what curvature reaches down.
    const shift = mul(one, add(of(halfspace.numbers[OFFSET]), of(body.numbers[RADIUS])))
    const minus = (value: typeof rational): typeof rational => sub(integer(0), value)
    return signOfTwoRootSum(ring, rational, minus(shift), dot(ring, normal, normal), minus(one), height.square)
  })
}

/** Two half-spaces meet unless their normals are opposite. */
function separateHalfspaces(first: Body, second: Body, out: Separation): void {
  out.meet = relateHalfspaces(first, second, null) <= 0
  const a = first.numbers
  const b = second.numbers
  let along = 0
  for (let k = 0; k < 3; k++) along += (b[POSITION + k] - a[POSITION + k]) * a[UNIT + k]
  const gap = along - b[OFFSET] - a[OFFSET]
  const least = LEAST_GAP_RATIO * (Math.abs(along) + Math.abs(a[OFFSET]) + Math.abs(b[OFFSET]))
  out.distance = out.meet ? 0 : Math.max(gap, least)
  out.normal.fill(0)
  if (out.meet) {
    setCommonPoint(first, second, out)
    return
  }
  for (let k = 0; k < 3; k++) {
    out.normal[k] = a[UNIT + k]
    out.a[k] = a[POSITION + k] + a[OFFSET] * a[UNIT + k]
    out.b[k] = out.a[k] + out.distance * a[UNIT + k]
  }
}

function relateHalfspaces(first: Body, second: Body, way: ExactWay | null): Relation {
  return exactly(rangeOf(first, second, way), DEGREE, (ring) => signBetween(ring, first, second, way))
}

/** Sign of the gap between the two; −1 where they are not opposite. */
function signBetween<T>(ring: Ring<T>, first: Body, second: Body, way: ExactWay | null): Sign {
  const a = exactTriple(ring, first, NORMAL)
  const b = exactTriple(ring, second, NORMAL)
  if (!isZero(ring, cross(ring, a, b)) || ring.sign(dot(ring, a, b)) > 0) return -1
  // (pB − pA)·nA − (offsetA + offsetB)·|nA| > 0: apart.
  const { one, offset } = offsetAfter(ring, first, second, way)
  const zero = ring.integer(0)
  const sum = ring.mul(one, ring.add(ring.of(first.numbers[OFFSET]), ring.of(second.numbers[OFFSET])))
  const along = ring.sub(zero, dot(ring, a, offset))
  return signOfTwoRootSum(ring, along, ring.sub(zero, sum), dot(ring, a, a), zero, zero)
}

/** A point of both: from the middle of the positions down to the boundary of A, and along or below it as far as B asks. */
function setCommonPoint(first: Body, second: Body, out: Separation): void {
  const a = first.numbers
  const b = second.numbers
  let cosine = 0
  let gapA = -a[OFFSET]
  let gapB = -b[OFFSET]
  for (let k = 0; k < 3; k++) {
    cosine += a[UNIT + k] * b[UNIT + k]
    // The middle of the two positions, seen from either.
    const half = (b[POSITION + k] - a[POSITION + k]) / 2
    gapA += half * a[UNIT + k]
    gapB -= half * b[UNIT + k]
  }
  const { sine, along } = boundaryWay(first, second)
  // Nearly opposite ones come nearest at the boundary.
  let down = gapB > 0 && cosine < 0 ? gapA : Math.max(gapA, 0)
  const rest = Math.max(gapB - down * cosine, 0)
  const isAlong = rest > 0 && sine > cosine
  if (!isAlong && rest > 0) down += rest / cosine
  const far = isAlong ? Math.min((rest / sine) * WELL_INSIDE, FARTHEST_COMMON_POINT) : 0
  for (let k = 0; k < 3; k++) {
    const middle = a[POSITION + k] + (b[POSITION + k] - a[POSITION + k]) / 2
    out.a[k] = middle - down * a[UNIT + k] - far * along[k]
    out.b[k] = out.a[k]
  }
}

/** The sine of the angle between the normals, to the last digits however small, and the unit way along A's boundary on which B's height rises. */
function boundaryWay(first: Body, second: Body): { sine: number; along: readonly number[] } {
  return exactly(inputRangeOf(first, second), DEGREE, (ring) => {
    const a = exactTriple(ring, first, NORMAL)
    const b = exactTriple(ring, second, NORMAL)
    const product = cross(ring, a, b)
    const squareA = dot(ring, a, a)
    const squareB = dot(ring, b, b)
    const [px, py, pz] = product.map((component) => ring.ratio(component, squareB))
    const sine = vectorLength3d(px, py, pz) * Math.sqrt(ring.ratio(squareB, squareA))
    const way = cross(ring, product, a)
    const largest = way.reduce((most, component) =>
      ring.sign(ring.sub(ring.mul(component, component), ring.mul(most, most))) > 0 ? component : most,
    )
    if (ring.sign(largest) === 0) return { sine: 0, along: [0, 0, 0] }
    const [x, y, z] = way.map((component) => ring.sign(largest) * ring.ratio(component, largest))
    const length = vectorLength3d(x, y, z)
    return { sine, along: [x / length, y / length, z / length] }
  })
}
