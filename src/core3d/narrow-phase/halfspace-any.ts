/**
 * A half-space and any other body: how far the other reaches down to its boundary.
 *
 * Method: the lowest point of the other along the normal, in closed form; where rounding leaves the sign open, the sign of
 * n·(difference of positions) + lowest height − offset·|n| in exact arithmetic. The heights of curved bodies are roots, so that is a
 * sum of a rational number and at most two roots.
 * Frame: world. The normal points from the half-space to the other body's side.
 */

import { exactly, type Ring, type Sign, signOfTwoRootSum } from '../../numeric/exact-ring.ts'
import { vectorLength3d } from '../../numeric/vector-length.ts'
import { ANCHOR, type Body, HALFSPACE, NORMAL, OFFSET, POINTS, POSITION, RADIUS, UNIT } from '../shape/body.ts'
import { cross, dot, exactOffset, exactTriple, inputRangeOf, isZero } from '../shape/exact-points.ts'
import { kindOf } from '../shape/kinds.ts'
import { FARTHEST_COMMON_POINT, LEAST_GAP_RATIO, WELL_INSIDE } from '../tolerances.ts'
import { lowestHeight } from './exact-height.ts'
import type { PairFrame } from './pair-frame.ts'
import type { Relation, Separation } from './separation.ts'

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
  return first.kind === HALFSPACE ? relateHalfspaces(first, second) : relationAt(frame, findLowest(frame))
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
  if (first.kind === POINTS || first.aligned) return signOfGap(first, second)
  // What rounding leaves open touches.
  return gap > 0 ? 1 : 0
}

/** Exact sign of the height of the body's lowest point over the boundary. */
function signOfGap(body: Body, halfspace: Body): Sign {
  return exactly(inputRangeOf(body, halfspace), DEGREE, (ring) => {
    const normal = exactTriple(ring, halfspace, NORMAL)
    const height = lowestHeight(ring, body, normal)
    const rational = ring.add(dot(ring, normal, exactOffset(ring, body, halfspace)), height.rational)
    // (offset + radius)·|n| is taken away, and what curvature reaches down.
    const shift = ring.add(ring.of(halfspace.numbers[OFFSET]), ring.of(body.numbers[RADIUS]))
    const minus = (value: typeof rational): typeof rational => ring.sub(ring.integer(0), value)
    const one = ring.integer(1)
    return signOfTwoRootSum(ring, rational, minus(shift), dot(ring, normal, normal), minus(one), height.square)
  })
}

/** Two half-spaces meet unless their normals are opposite. */
function separateHalfspaces(first: Body, second: Body, out: Separation): void {
  out.meet = relateHalfspaces(first, second) <= 0
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

function relateHalfspaces(first: Body, second: Body): Relation {
  return exactly(inputRangeOf(first, second), DEGREE, (ring) => signBetween(ring, first, second))
}

/** Sign of the gap between the two; −1 where they are not opposite. */
function signBetween<T>(ring: Ring<T>, first: Body, second: Body): Sign {
  const a = exactTriple(ring, first, NORMAL)
  const b = exactTriple(ring, second, NORMAL)
  if (!isZero(ring, cross(ring, a, b)) || ring.sign(dot(ring, a, b)) > 0) return -1
  // (pB − pA)·nA − (offsetA + offsetB)·|nA| > 0: apart.
  const offset = exactOffset(ring, second, first)
  const zero = ring.integer(0)
  const sum = ring.add(ring.of(first.numbers[OFFSET]), ring.of(second.numbers[OFFSET]))
  return signOfTwoRootSum(ring, dot(ring, a, offset), ring.sub(zero, sum), dot(ring, a, a), zero, zero)
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
