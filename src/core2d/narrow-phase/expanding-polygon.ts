/**
 * The signed distance of two convex sets from supports alone, whether they meet or not, between a bound from either side.
 *
 * Method: support points of the Minkowski difference B − A span a polygon within it. The separation is the least height of the
 * difference over the origin, over all directions, with the other sign; that of the polygon is no greater. Where the polygon's is
 * attained, the difference is asked for its support, which bounds the height from the other side, and the polygon takes the new
 * point in, until the bounds are as good as one. For an origin within that is the expanding polytope of G. van den Bergen
 * ("Proximity Queries and Penetration Depth Computation on 3D Game Objects", GDC 2001), in the plane; for an origin outside it is
 * GJK, with its proof, the support plane, and all its points kept. The height is known to the square of the direction's error then; the
 * direction itself is brought to full precision by false position in its Illinois form (M. Dowell, P. Jarratt, BIT 11 (1971)) on the
 * derivative of the height, where the curves are smooth. Polygons apart have a GJK of their own (`gjk.ts`), which names
 * their vertices and is several times faster.
 * Frame: world axes, origin at A's anchor, B's anchor at (dx, dy). Skins are left out. Cost O(n²) for n support points.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import type { Body } from '../shape/body.ts'
import { createBoundaryPoint } from '../shape/ellipse.ts'
import { curveOf, isCurved } from '../shape/kinds.ts'
import { CURVE_GAP_RATIO, EXPANSION_COUNT, POLISH_COUNT } from '../tolerances.ts'
import { supportVertex } from './sat.ts'

/** What the polygon says; a0, a1, b0, b1: the support points between which the nearest point lies, by vertices of cores. */
export interface PolygonGap {
  /** The greatest and the least that the separation may be: −depth where the sets meet. */
  most: number
  least: number
  /** Unit vector from A to B. */
  nx: number
  ny: number
  ax: number
  ay: number
  bx: number
  by: number
  a0: number
  a1: number
  b0: number
  b1: number
}

export function createPolygonGap(): PolygonGap {
  return { most: 0, least: 0, nx: 1, ny: 0, ax: 0, ay: 0, bx: 0, by: 0, a0: 0, a1: 0, b0: 0, b1: 0 }
}

const CAPACITY = EXPANSION_COUNT + 5

/** The polygon, counter-clockwise: its points, and those of A and B that they are the differences of. */
let count = 0
const xs = new Float64Array(CAPACITY)
const ys = new Float64Array(CAPACITY)
const axs = new Float64Array(CAPACITY)
const ays = new Float64Array(CAPACITY)
const bxs = new Float64Array(CAPACITY)
const bys = new Float64Array(CAPACITY)
/** The directions along which they are the supports. */
const mxs = new Float64Array(CAPACITY)
const mys = new Float64Array(CAPACITY)
const vertexA = new Int32Array(CAPACITY)
const vertexB = new Int32Array(CAPACITY)
const COLUMNS = [xs, ys, axs, ays, bxs, bys, mxs, mys, vertexA, vertexB]

const rim = createBoundaryPoint()

/** Fills `out`. `extent`: of the pair. */
export function expandPolygon(a: Body, b: Body, dx: number, dy: number, extent: number, out: PolygonGap): void {
  startPolygon(a, b, dx, dy)
  const tolerance = CURVE_GAP_RATIO * extent
  for (;;) {
    spend(count)
    const edge = nearestEdge(tolerance)
    const { mx, my } = nearest
    const at = insertSupport(a, b, dx, dy, mx, my, edge + 1)
    const height = Math.max(mx * xs[at] + my * ys[at], nearest.height)
    if (height - nearest.height > tolerance && count < EXPANSION_COUNT) {
      settlePlace(at)
      continue
    }
    removePoint(at)
    out.most = -nearest.height
    out.least = -height
    write(edge, out)
    polish(a, b, dx, dy, edge, tolerance, out)
    return
  }
}

/**
 * A point that lies in both sets, relative to A's anchor, where they have an inside in common; false where none is found. The origin
 * lies in a triangle of the polygon, and is there what the point is of three points of A, and of three points of B.
 */
export function setCommonPoint(
  a: Body,
  b: Body,
  dx: number,
  dy: number,
  extent: number,
  out: { x: number; y: number },
): boolean {
  expandPolygon(a, b, dx, dy, extent, gap)
  for (let i = 1; i + 1 < count; i++) {
    const first = xs[i] * ys[i + 1] - ys[i] * xs[i + 1]
    const second = xs[i + 1] * ys[0] - ys[i + 1] * xs[0]
    const third = xs[0] * ys[i] - ys[0] * xs[i]
    const sum = first + second + third
    if (!(first >= 0 && second >= 0 && third >= 0 && sum > 0)) continue
    out.x = (first * axs[0] + second * axs[i] + third * axs[i + 1]) / sum
    out.y = (first * ays[0] + second * ays[i] + third * ays[i + 1]) / sum
    return true
  }
  return false
}

const gap = createPolygonGap()

/** Supports along four directions, in their order. */
function startPolygon(a: Body, b: Body, dx: number, dy: number): void {
  count = 0
  for (let k = 0; k < 4; k++) {
    const x = k === 0 ? 1 : k === 2 ? -1 : 0
    const y = k === 1 ? 1 : k === 3 ? -1 : 0
    insertSupport(a, b, dx, dy, x, y, count)
    const same = count > 1 && xs[count - 1] === xs[count - 2] && ys[count - 1] === ys[count - 2]
    if (same || (k === 3 && count > 1 && xs[count - 1] === xs[0] && ys[count - 1] === ys[0])) count--
  }
}

/** Puts the support of the difference along (mx, my) at place `at`, which it returns. */
function insertSupport(a: Body, b: Body, dx: number, dy: number, mx: number, my: number, at: number): number {
  for (const column of COLUMNS) column.copyWithin(at + 1, at, count)
  count++
  mxs[at] = mx
  mys[at] = my
  vertexA[at] = putSupport(a, -mx, -my)
  axs[at] = rim.x
  ays[at] = rim.y
  vertexB[at] = putSupport(b, mx, my)
  bxs[at] = dx + rim.x
  bys[at] = dy + rim.y
  xs[at] = dx + (rim.x - axs[at])
  ys[at] = dy + (rim.y - ays[at])
  return at
}

function removePoint(at: number): void {
  count--
  for (const column of COLUMNS) column.copyWithin(at, at + 1, count + 1)
}

/** Sets `rim` to the point of a core or a curve that is farthest along (x, y); returns which vertex it is, 0 of a curve. */
function putSupport(body: Body, x: number, y: number): number {
  if (isCurved(body)) {
    curveOf(body).support(body, x, y, rim)
    return 0
  }
  spend(body.count >> 3)
  const vertex = supportVertex(body, x, y)
  rim.x = body.local[2 * vertex]
  rim.y = body.local[2 * vertex + 1]
  return vertex
}

/** Where the polygon's height over the origin is least: the direction, the height, and the share of the edge. Module scratch. */
const nearest = { mx: 1, my: 0, height: 0, share: 0 }

/** Sets `nearest` and returns the edge, by its first point. `tolerance`: a distance below which rounding hides directions. */
function nearestEdge(tolerance: number): number {
  if (count > 2) {
    const edge = lowestEdge()
    if (nearest.height >= 0) return edge
  }
  let least = Infinity
  let found = 0
  for (let i = 0; i < count; i++) {
    const j = i + 1 < count ? i + 1 : 0
    const ex = xs[j] - xs[i]
    const ey = ys[j] - ys[i]
    const square = ex * ex + ey * ey
    const share = square > 0 ? Math.min(Math.max(-(xs[i] * ex + ys[i] * ey) / square, 0), 1) : 0
    const x = xs[i] + share * ex
    const y = ys[i] + share * ey
    const distance = vectorLength(x, y)
    // Beside a flat side its end may be as near by rounding: the side tells the better direction.
    const slack = (share > 0 && share < 1 ? 4 : -4) * UNIT_ROUNDOFF * distance
    if (distance - slack > least) continue
    least = distance
    found = i
    nearest.share = share
    nearest.height = -distance
    const length = vectorLength(ex, ey)
    // The longer of the two vectors says the direction to more digits.
    if (distance > length || (distance > tolerance && (share === 0 || share === 1))) {
      nearest.mx = -x / distance
      nearest.my = -y / distance
    } else {
      nearest.mx = length > 0 ? ey / length : 1
      nearest.my = length > 0 ? -ex / length : 0
    }
  }
  if (nearest.share < 1) return found
  // The end of one edge is the start of the next.
  nearest.share = 0
  return found + 1 < count ? found + 1 : 0
}

/** The edge whose line is lowest over the origin. */
function lowestEdge(): number {
  let lowest = Infinity
  let found = 0
  for (let i = 0; i < count; i++) {
    const j = i + 1 < count ? i + 1 : 0
    const ex = xs[j] - xs[i]
    const ey = ys[j] - ys[i]
    const length = vectorLength(ex, ey)
    if (length === 0) continue
    const height = (ey * xs[i] - ex * ys[i]) / length
    if (height >= lowest) continue
    lowest = height
    found = i
    nearest.height = height
    nearest.mx = ey / length
    nearest.my = -ex / length
    nearest.share = Math.min(Math.max(-(xs[i] * ex + ys[i] * ey) / (length * length), 0), 1)
  }
  return found
}

/** A support that was put behind a corner may belong before it. */
function settlePlace(at: number): void {
  const corner = at - 1
  if (nearest.share !== 0) return
  const next = at + 1 < count ? at + 1 : 0
  const ex = xs[next] - xs[corner]
  const ey = ys[next] - ys[corner]
  if (ex * (ys[at] - ys[corner]) - ey * (xs[at] - xs[corner]) <= 0) return
  for (const column of COLUMNS) {
    const point = column[at]
    column[at] = column[corner]
    column[corner] = point
  }
}

/**
 * Replaces direction and points by those of the least height between the directions of the points beside the nearest, if the supports
 * there lie over one another: beside a flat side they do not, and the polygon's own points are right.
 */
function polish(a: Body, b: Body, dx: number, dy: number, edge: number, tolerance: number, out: PolygonGap): void {
  const low = nearest.share === 0 ? (edge > 0 ? edge : count) - 1 : edge
  const high = edge + 1 < count ? edge + 1 : 0
  const lowX = mxs[low]
  const lowY = mys[low]
  const highX = mxs[high]
  const highY = mys[high]
  let lowSlope = lowX * ys[low] - lowY * xs[low]
  let highSlope = highX * ys[high] - highY * xs[high]
  if (!(lowSlope <= 0 && highSlope >= 0 && lowX * highX + lowY * highY > 0)) return
  let from = 0
  let to = 1
  let side = 0
  for (let i = 0; i < POLISH_COUNT && highSlope > lowSlope; i++) {
    const share = from - ((to - from) * lowSlope) / (highSlope - lowSlope)
    const x = lowX + share * (highX - lowX)
    const y = lowY + share * (highY - lowY)
    const length = vectorLength(x, y)
    const at = insertSupport(a, b, dx, dy, x / length, y / length, count)
    count--
    const slope = mxs[at] * ys[at] - mys[at] * xs[at]
    const height = mxs[at] * xs[at] + mys[at] * ys[at]
    if (Math.abs(slope) <= tolerance && height <= tolerance - out.least) writePoint(at, height, out)
    if (slope === 0 || share <= from || share >= to) return
    if (slope < 0) {
      from = share
      lowSlope = slope
      if (side < 0) highSlope /= 2
      side = -1
    } else {
      to = share
      highSlope = slope
      if (side > 0) lowSlope /= 2
      side = 1
    }
  }
}

function writePoint(at: number, height: number, out: PolygonGap): void {
  out.most = -height
  out.least = -height
  out.nx = -mxs[at]
  out.ny = -mys[at]
  out.ax = axs[at]
  out.ay = ays[at]
  out.bx = bxs[at]
  out.by = bys[at]
  out.a0 = vertexA[at]
  out.a1 = out.a0
  out.b0 = vertexB[at]
  out.b1 = out.b0
}

/** What the polygon says where it is nearest. */
function write(edge: number, out: PolygonGap): void {
  const next = edge + 1 < count ? edge + 1 : 0
  const { share, mx, my } = nearest
  const i = share === 1 ? next : edge
  const j = share === 0 ? edge : next
  out.nx = -mx
  out.ny = -my
  out.ax = axs[edge] + share * (axs[next] - axs[edge])
  out.ay = ays[edge] + share * (ays[next] - ays[edge])
  out.bx = bxs[edge] + share * (bxs[next] - bxs[edge])
  out.by = bys[edge] + share * (bys[next] - bys[edge])
  out.a0 = vertexA[i]
  out.a1 = vertexA[j]
  out.b0 = vertexB[i]
  out.b1 = vertexB[j]
}
