/**
 * The least rectangle about a convex polygon with a skin, by area or by perimeter, exactly.
 *
 * Method: it has a side along an edge of the polygon (H. Freeman, R. Shapira, "Determining the minimum-area encasing rectangle for an
 * arbitrary closed curve", Communications of the ACM 18 (1975)): between two edges in turn, both extents are concave functions of the
 * angle and stay so with a skin, so their sum is concave and their product is log-concave. The edges are visited by rotating calipers
 * (G. Toussaint, "Solving geometric problems with the rotating calipers", MELECON 1983). The calipers step on by exact signs, and
 * candidates that doubles do not tell apart are compared exactly: areas and perimeters are sums of a rational number and two roots.
 * Frame: that of the polygon. Cost O(corners).
 */

import { spend } from '../../containers/budget.ts'
import {
  createInputRange,
  exactly,
  type InputRange,
  includeInput,
  type Ring,
  signOfTwoRootSum,
} from '../../numeric/exact-ring.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { nearPoints, scaleBy } from '../../numeric/safe-range.ts'

export interface Polygon {
  /** Corners x0, y0, x1, y1, … counter-clockwise, none collinear; one or two corners are a point or a segment. */
  hull: Float64Array
  hullCount: number
  /** Skin around it. */
  skin: number
}

export type Least = 'area' | 'perimeter'

export interface Turn {
  /** Unit vector along the first side, within 45 degrees of x. */
  x: number
  y: number
  /** The measure of the exact rectangle, rounded down. */
  lower: number
}

/** Steps of an exact comparison, and how many of them are made at most. */
const EXACT_STEPS = 64
const EXACT_COUNT = 4096
/** Degrees of the polynomials of candidates. */
const DEGREE = 24

/** A candidate: the edge, and the corners that lie farthest along it, across it and against it. */
interface Candidate {
  edge: number
  right: number
  top: number
  left: number
  measure: number
  /** How far its edge is from an axis: of equal rectangles the one that is turned least. */
  tilt: number
}

export function leastTurn(polygon: Polygon, least: Least): Turn {
  const { hull, hullCount: n } = polygon
  const range = createInputRange()
  for (let i = 0; i < 2 * n; i++) includeInput(range, hull[i])
  includeInput(range, polygon.skin)
  const { near, power } = nearPoints(hull, 2, polygon.skin)
  const skin = scaleBy(polygon.skin, power)
  if (n === 1) return { x: 1, y: 0, lower: lowerOf(0, 0, polygon.skin, least) }
  const finder = { polygon, range, near, skin, least, left: EXACT_COUNT }
  const best = search(finder)
  const j = (best.edge + 1) % n
  const ex = hull[2 * j] - hull[2 * best.edge]
  const ey = hull[2 * j + 1] - hull[2 * best.edge + 1]
  const [width, height] = sidesOf(polygon, range, best)
  return { ...turnedLeast(scaleBy(ex, power), scaleBy(ey, power)), lower: lowerOf(width, height, polygon.skin, least) }
}

/** Rounds down what is good to some roundoffs. */
const BELOW = 1 - 32 * UNIT_ROUNDOFF

function lowerOf(width: number, height: number, skin: number, least: Least): number {
  const [a, b] = [width + 2 * skin, height + 2 * skin]
  return BELOW * (least === 'area' ? a * b : 2 * (a + b))
}

/** The exact extents along and across the edge, each good to some roundoffs of itself. */
function sidesOf(polygon: Polygon, range: InputRange, best: Candidate): [number, number] {
  const { hull, hullCount } = polygon
  const j = (best.edge + 1) % hullCount
  const ex = hull[2 * j] - hull[2 * best.edge]
  const ey = hull[2 * j + 1] - hull[2 * best.edge + 1]
  const isFlat = Math.abs(ex) >= Math.abs(ey)
  spend(EXACT_STEPS)
  // Extents over the longer component of the edge, times that over its length.
  const [along, across] = exactly(range, 3, (ring): [number, number] => {
    const { along, across, edge } = exactExtents(ring, polygon, best)
    const component = isFlat ? edge[0] : edge[1]
    return [ring.length(along, component), ring.length(across, component)]
  })
  const cosine = 1 / Math.hypot(1, isFlat ? ey / ex : ex / ey)
  return [Math.abs(along) * cosine, Math.abs(across) * cosine]
}

/** The unit vector along, across or against (x, y) that is nearest to the x axis. */
export function turnedLeast(x: number, y: number): { x: number; y: number } {
  const length = Math.hypot(x, y)
  if (!(length > 0)) return { x: 1, y: 0 }
  const [a, b] = [x / length, y / length]
  if (Math.abs(a) >= Math.abs(b)) return a > 0 ? { x: a, y: b } : { x: -a, y: -b }
  return b > 0 ? { x: b, y: -a } : { x: -b, y: a }
}

interface Finder {
  polygon: Polygon
  range: InputRange
  /** Corners from the first, times a power of two that brings the largest near 1; the skin likewise. */
  near: Float64Array
  skin: number
  least: Least
  /** Exact comparisons that are left. */
  left: number
}

function search(finder: Finder): Candidate {
  const { hullCount: n } = finder.polygon
  let best: Candidate | null = null
  let [right, top, left] = [1, 1, 1]
  for (let edge = 0; edge < n; edge++) {
    spend(4)
    // Each corner moves on in turn with the edge, and never back.
    right = farthest(finder, edge, Math.max(right, edge + 1), 0)
    top = farthest(finder, edge, Math.max(top, right), 1)
    left = farthest(finder, edge, Math.max(left, top), 2)
    const candidate = measured(finder, edge, right % n, top % n, left % n)
    if (best === null || isLess(finder, candidate, best)) best = candidate
  }
  return best as Candidate
}

/** The corner from which the polygon no longer goes along the edge, turned by so many quarter turns. */
function farthest(finder: Finder, edge: number, from: number, quarters: 0 | 1 | 2): number {
  const { hullCount: n } = finder.polygon
  let at = from
  // Twice around at most, and then something is wrong with the corners.
  for (let steps = 0; steps < n && goesOn(finder, edge, at % n, quarters); steps++) {
    spend(1)
    at++
  }
  return at
}

/** Whether the edge that leaves a corner goes along another edge, turned by so many quarter turns. */
function goesOn({ near, polygon, range }: Finder, edge: number, corner: number, quarters: 0 | 1 | 2): boolean {
  const { hullCount: n, hull } = polygon
  const [i, j, k, l] = [edge, (edge + 1) % n, corner, (corner + 1) % n].map((index) => 2 * index)
  const ex = near[j] - near[i]
  const ey = near[j + 1] - near[i + 1]
  const fx = near[l] - near[k]
  const fy = near[l + 1] - near[k + 1]
  const [one, two] = quarters === 1 ? [ex * fy, -ey * fx] : [ex * fx, ey * fy]
  const sum = one + two
  const size = Math.abs(one) + Math.abs(two)
  // Corners are rounded by a roundoff of 1 each, products by one of themselves.
  const bound = 16 * UNIT_ROUNDOFF * (size + Math.abs(ex) + Math.abs(ey) + Math.abs(fx) + Math.abs(fy))
  if (Math.abs(sum) > bound) return quarters === 2 ? sum < 0 : sum > 0
  spend(EXACT_STEPS)
  const sign = exactly(range, 2, (ring) => {
    const { of, sub, mul, add } = ring
    const side = (from: number, to: number) => sub(of(hull[to]), of(hull[from]))
    const [x, y, u, v] = [side(i, j), side(i + 1, j + 1), side(k, l), side(k + 1, l + 1)]
    return ring.sign(quarters === 1 ? sub(mul(x, v), mul(y, u)) : add(mul(x, u), mul(y, v)))
  })
  return quarters === 2 ? sign < 0 : sign > 0
}

function measured(
  { near, polygon, skin, least }: Finder,
  edge: number,
  right: number,
  top: number,
  left: number,
): Candidate {
  const next = (edge + 1) % polygon.hullCount
  const ex = near[2 * next] - near[2 * edge]
  const ey = near[2 * next + 1] - near[2 * edge + 1]
  const length = Math.hypot(ex, ey)
  const along = (ex * (near[2 * right] - near[2 * left]) + ey * (near[2 * right + 1] - near[2 * left + 1])) / length
  const across = (ex * (near[2 * top + 1] - near[2 * edge + 1]) - ey * (near[2 * top] - near[2 * edge])) / length
  const width = along + 2 * skin
  const height = across + 2 * skin
  return {
    edge,
    right,
    top,
    left,
    measure: least === 'area' ? width * height : 2 * (width + height),
    tilt: Math.min(Math.abs(ex), Math.abs(ey)) / length,
  }
}

/** Whether one candidate is less than another, exactly. */
function isLess(finder: Finder, one: Candidate, other: Candidate): boolean {
  const difference = one.measure - other.measure
  // Extents are good to some roundoffs of 1, which is the size of the polygon.
  const doubt = 64 * UNIT_ROUNDOFF * (1 + one.measure + other.measure)
  if (Math.abs(difference) > doubt) return difference < 0
  if (finder.left <= 0) return difference < 0
  finder.left--
  spend(EXACT_STEPS)
  const { range, least, polygon } = finder
  const sign = exactly(range, DEGREE, (ring) => {
    const [a, b] = [exactExtents(ring, polygon, one), exactExtents(ring, polygon, other)]
    const { mul, sub, of, integer } = ring
    if (least === 'perimeter') {
      return signOfTwoRootSum(ring, integer(0), a.both, b.square, sub(integer(0), b.both), a.square)
    }
    // (w + 2r√N)(h + 2r√N) / N = wh / N + 2r (w + h) / √N + 4r², over both N.
    const twice = mul(integer(2), of(polygon.skin))
    const rational = sub(mul(a.product, b.square), mul(b.product, a.square))
    const first = mul(mul(twice, a.both), b.square)
    const second = sub(integer(0), mul(mul(twice, b.both), a.square))
    return signOfTwoRootSum(ring, rational, first, a.square, second, b.square)
  })
  return sign < 0 || (sign === 0 && one.tilt < other.tilt)
}

/** Extents along and across the edge, both times its length, their product and sum, and the edge and the square of its length. */
function exactExtents<T>({ of, sub, mul, add }: Ring<T>, { hull, hullCount }: Polygon, candidate: Candidate) {
  const { edge, right, top, left } = candidate
  const side = (from: number, to: number): [T, T] => [
    sub(of(hull[2 * to]), of(hull[2 * from])),
    sub(of(hull[2 * to + 1]), of(hull[2 * from + 1])),
  ]
  const [ex, ey] = side(edge, (edge + 1) % hullCount)
  const [wx, wy] = side(left, right)
  const [hx, hy] = side(edge, top)
  const along = add(mul(ex, wx), mul(ey, wy))
  const across = sub(mul(ex, hy), mul(ey, hx))
  const square = add(mul(ex, ex), mul(ey, ey))
  return { edge: [ex, ey], along, across, product: mul(along, across), both: add(along, across), square }
}
