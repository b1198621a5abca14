/**
 * A point of both bodies of a pair that meets: the certificate of an overlap.
 *
 * Method: where the cores are disjoint (skins meet) a point between the nearest core points. Where polygon cores meet,
 * the middle of the part of one core's edge that lies in the other core (clipping as M. Cyrus and J. Beck, Computers &
 * Graphics 3 (1978)), or a vertex when one core lies wholly inside the other. Against an ellipse, the core point nearest
 * to its centre in the ellipse's own metric. For two ellipses, the point where the larger of the two quadratic forms is
 * least: it lies on the curve of minimisers of λ·qA + (1 − λ)·qB, where both forms are equal.
 * Frame: world axes, origin at A's anchor, B's anchor at (dx, dy).
 */

import { binaryExponent } from '../../numeric/exact-ring.ts'
import { BISECTION_COUNT } from '../../numeric/roundoff.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  CENTER_X,
  CENTER_Y,
  CIRCLE,
  COS,
  createBody,
  ELLIPSE,
  following,
  HALFPLANE,
  isCored,
  isCurved,
  LOCAL,
  RADIUS,
  REACH,
  RX,
  RY,
  SIN,
  setCircle,
  setPose,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { ellipseContains } from '../shape/ellipse.ts'
import { NUDGE_RATIOS, PLACE_COUNTS } from '../tolerances.ts'
import { separate } from './dispatch.ts'
import { createSeparation, type Separation } from './separation.ts'

export interface Point {
  x: number
  y: number
}

export function createPoint(): Point {
  return { x: 0, y: 0 }
}

/** a, b: in the dispatcher's order; `s`: their separation (relation ≤ 0); `error`: bound on the rounding error of its distances. */
export function commonPoint(a: Body, b: Body, dx: number, dy: number, error: number, s: Separation, out: Point): void {
  if (b.kind === HALFPLANE) {
    // A's lowest point; of two half-planes, the middle of what they share.
    const share = a.kind === HALFPLANE ? 0.5 : 0
    setPoint(out, s.ax + share * (s.bx - s.ax), s.ay + share * (s.by - s.ay))
  } else if (a.kind === ELLIPSE && b.kind === ELLIPSE) inEllipses(a, b, dx, dy, s, out)
  else if (b.kind === ELLIPSE) inEllipse(a, b, dx, dy, s, out)
  else if (!inCores(a, b, dx, dy, error, out)) betweenCores(a, b, s, out)
}

function setPoint(out: Point, x: number, y: number): void {
  out.x = x
  out.y = y
}

/** Disjoint cores no farther apart than the skins: splits the way between the core points by the radii. */
function betweenCores(a: Body, b: Body, s: Separation, out: Point): void {
  const ax = s.ax - s.nx * a.numbers[RADIUS]
  const ay = s.ay - s.ny * a.numbers[RADIUS]
  const bx = s.bx + s.nx * b.numbers[RADIUS]
  const by = s.by + s.ny * b.numbers[RADIUS]
  const radius = a.numbers[RADIUS] + b.numbers[RADIUS]
  const share = radius > 0 ? a.numbers[RADIUS] / radius : 0.5
  setPoint(out, ax + share * (bx - ax), ay + share * (by - ay))
}

/** Part [from, to] of the last segment that lay within a body, as shares of its length; empty when from > to. */
let from = 0
let to = 0

/** Clips the segment (x0, y0)–(x1, y1) to the core of `body`, whose anchor stands at (ox, oy), widened by `error`. */
function clipToCore(
  body: Body,
  ox: number,
  oy: number,
  error: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): void {
  from = 0
  to = 1
  const { normals, offsets, count, numbers } = body
  for (let i = 0; i < count && from <= to; i++) {
    const nx = numbers[normals + 2 * i]
    const ny = numbers[normals + 2 * i + 1]
    clipToLine(nx, ny, numbers[offsets + i] + error, x0 - ox, y0 - oy, x1 - ox, y1 - oy)
    // A segment also ends: across its direction, at the far end of this edge.
    const j = following(body, i)
    const end = -ny * numbers[LOCAL + 2 * j] + nx * numbers[LOCAL + 2 * j + 1] + error
    if (count === 2) clipToLine(-ny, nx, end, x0 - ox, y0 - oy, x1 - ox, y1 - oy)
  }
}

function clipToLine(nx: number, ny: number, offset: number, x0: number, y0: number, x1: number, y1: number): void {
  const h0 = nx * x0 + ny * y0 - offset
  const h1 = nx * x1 + ny * y1 - offset
  if (h0 > 0 && h1 > 0) from = 2
  else if (h0 > 0) from = Math.max(from, h0 / (h0 - h1))
  else if (h1 > 0) to = Math.min(to, h0 / (h0 - h1))
}

function inCores(a: Body, b: Body, dx: number, dy: number, error: number, out: Point): boolean {
  if (a.kind === CIRCLE) {
    if (b.kind === CIRCLE) return false
    clipToCore(b, dx, dy, error, 0, 0, 0, 0)
    setPoint(out, 0, 0)
    return from <= to
  }
  let widest = -1
  for (let i = 0; i < a.count && widest < 0.5; i++) {
    const j = following(a, i)
    const x0 = a.numbers[LOCAL + 2 * i]
    const y0 = a.numbers[LOCAL + 2 * i + 1]
    const ex = a.numbers[LOCAL + 2 * j] - x0
    const ey = a.numbers[LOCAL + 2 * j + 1] - y0
    clipToCore(b, dx, dy, error, x0, y0, x0 + ex, y0 + ey)
    if (to - from <= widest || from > to) continue
    widest = to - from
    setPoint(out, x0 + ((from + to) / 2) * ex, y0 + ((from + to) / 2) * ey)
  }
  if (widest >= 0) return true
  const x = dx + b.numbers[CENTER_X]
  const y = dy + b.numbers[CENTER_Y]
  clipToCore(a, 0, 0, error, x, y, x, y)
  setPoint(out, x, y)
  return from <= to
}

/** Core or circle A against ellipse B. */
function inEllipse(a: Body, b: Body, dx: number, dy: number, s: Separation, out: Point): void {
  if (a.kind === CIRCLE ? !ellipseContains(b, -dx, -dy) : s.value + a.numbers[RADIUS] >= 0) {
    // The ellipse's nearest point lies within the skin of A.
    setPoint(out, s.bx, s.by)
    return
  }
  // Axes scaled so that the ellipse is a circle; by the other axis, because its own may be too short to divide by.
  const { numbers } = b
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const major = Math.max(b.numbers[RX], b.numbers[RY])
  const scaleU = b.numbers[RY] / major
  const scaleV = b.numbers[RX] / major
  const unit = Math.abs(dx) + Math.abs(dy) + a.numbers[REACH] + b.numbers[REACH]
  let inside = a.count > 2
  let least = Infinity
  for (let i = 0; i < a.count; i++) {
    const j = following(a, i)
    const x0 = a.numbers[LOCAL + 2 * i] - dx
    const y0 = a.numbers[LOCAL + 2 * i + 1] - dy
    const ex = a.numbers[LOCAL + 2 * j] - a.numbers[LOCAL + 2 * i]
    const ey = a.numbers[LOCAL + 2 * j + 1] - a.numbers[LOCAL + 2 * i + 1]
    const u = ((cos * x0 + sin * y0) / unit) * scaleU
    const v = ((cos * y0 - sin * x0) / unit) * scaleV
    const eu = ((cos * ex + sin * ey) / unit) * scaleU
    const ev = ((cos * ey - sin * ex) / unit) * scaleV
    if (ev * u - eu * v < 0) inside = false
    const square = eu * eu + ev * ev
    const t = square > 0 ? Math.min(Math.max(-(u * eu + v * ev) / square, 0), 1) : 0
    const distance = Math.hypot(u + t * eu, v + t * ev)
    if (distance >= least) continue
    least = distance
    setPoint(out, dx + x0 + t * ex, dy + y0 + t * ey)
  }
  if (inside) setPoint(out, dx, dy)
}

/**
 * Ellipses A and B: in coordinates where A is the unit circle and B's axes are the coordinate axes (one-sided Jacobi on
 * the map between them), the minimiser of λ·qA + (1 − λ)·qB is one quotient per coordinate, free of cancellation.
 */
function inEllipses(a: Body, b: Body, dx: number, dy: number, s: Separation, out: Point): void {
  // Columns: A's half axes in the coordinates that make B the unit circle. p, q: B's centre in those that make A one.
  const cos = a.numbers[COS] * b.numbers[COS] + a.numbers[SIN] * b.numbers[SIN]
  const sin = a.numbers[SIN] * b.numbers[COS] - a.numbers[COS] * b.numbers[SIN]
  let g0x = (a.numbers[RX] * cos) / b.numbers[RX]
  let g0y = (a.numbers[RX] * sin) / b.numbers[RY]
  let g1x = (-a.numbers[RY] * sin) / b.numbers[RX]
  let g1y = (a.numbers[RY] * cos) / b.numbers[RY]
  const p = (a.numbers[COS] * dx + a.numbers[SIN] * dy) / a.numbers[RX]
  const q = (a.numbers[COS] * dy - a.numbers[SIN] * dx) / a.numbers[RY]
  const angle = Math.atan2(2 * (g0x * g1x + g0y * g1y), g0x * g0x + g0y * g0y - g1x * g1x - g1y * g1y) / 2
  const c = Math.cos(angle)
  const d = Math.sin(angle)
  ;[g0x, g1x] = [c * g0x + d * g1x, c * g1x - d * g0x]
  ;[g0y, g1y] = [c * g0y + d * g1y, c * g1y - d * g0y]
  const weight0 = g0x * g0x + g0y * g0y
  const weight1 = g1x * g1x + g1y * g1y
  const center0 = c * p + d * q
  const center1 = c * q - d * p
  let low = 0
  let high = 1
  let y0 = 0
  let y1 = 0
  for (let i = 0; i < BISECTION_COUNT; i++) {
    const share = (low + high) / 2
    if (share <= low || share >= high) break
    y0 = ((1 - share) * weight0 * center0) / (share + (1 - share) * weight0)
    y1 = ((1 - share) * weight1 * center1) / (share + (1 - share) * weight1)
    const formB = weight0 * (y0 - center0) ** 2 + weight1 * (y1 - center1) ** 2
    if (y0 * y0 + y1 * y1 > formB) low = share
    else high = share
  }
  const u = a.numbers[RX] * (c * y0 - d * y1)
  const v = a.numbers[RY] * (d * y0 + c * y1)
  const x = a.numbers[COS] * u - a.numbers[SIN] * v
  const y = a.numbers[SIN] * u + a.numbers[COS] * v
  // Axes too short to divide by, or touching: the witness points know better.
  const usable = s.relation < 0 && Number.isFinite(x) && Number.isFinite(y)
  if (usable) setPoint(out, x, y)
  else setPoint(out, (s.ax + s.bx) / 2, (s.ay + s.by) / 2)
}

// A common point that lies in both bodies exactly, as the certificate of an overlap should.
//
// Method: a point that is computed lies in both but for rounding. Where it does not to the last bit, points next to it are tried,
// each decided exactly: with fewer digits, because where shapes touch, the one point that will do is short if any double
// is; the corners that touch; and a little way towards the middle of either body, which leads off an edge into an overlap.
// If no such point is found, the computed one is as good as rounding allows.
// Frame: world.

const probe = createBody()
const relation = createSeparation()

/** Moves the world point `p`, which lies in both bodies but for rounding. `s`: their separation in the dispatcher's order. */
export function certify(a: Body, b: Body, extent: number, s: Separation, p: Point): void {
  const { x, y } = p
  if (liesInBoth(a, b, x, y)) return
  if (tryShort(a, b, extent, p) || tryCorners(a, b, s, p)) return
  for (const ratio of NUDGE_RATIOS) {
    for (const body of [a, b]) {
      if (body.kind === HALFPLANE) continue
      const toX =
        body.numbers[X] + (body.numbers[X_LOW] + body.numbers[ANCHOR_X]) + (body.count > 0 ? body.numbers[CENTER_X] : 0)
      const toY =
        body.numbers[Y] + (body.numbers[Y_LOW] + body.numbers[ANCHOR_Y]) + (body.count > 0 ? body.numbers[CENTER_Y] : 0)
      if (take(a, b, x + ratio * (toX - x), y + ratio * (toY - y), p)) return
    }
  }
}

function liesInBoth(a: Body, b: Body, x: number, y: number): boolean {
  return liesIn(a, x, y) && liesIn(b, x, y)
}

function liesIn(body: Body, x: number, y: number): boolean {
  setPose(probe, x, y, 0)
  setCircle(probe, 0)
  separate(probe, body, relation)
  return relation.relation <= 0
}

function take(a: Body, b: Body, x: number, y: number, out: Point): boolean {
  if (!liesInBoth(a, b, x, y)) return false
  out.x = x
  out.y = y
  return true
}

/** Rounds the point to fewer binary places, counted from the size of the pair, so that answers scale by powers of two. */
function tryShort(a: Body, b: Body, extent: number, p: Point): boolean {
  const { x, y } = p
  const size = binaryExponent(Math.max(extent, Math.abs(x), Math.abs(y)))
  for (const places of PLACE_COUNTS) {
    const shortX = roundTo(x, size - places)
    const shortY = roundTo(y, size - places)
    if ((shortX !== x || shortY !== y) && take(a, b, shortX, shortY, p)) return true
  }
  return false
}

/** To a multiple of 2^exponent. */
function roundTo(value: number, exponent: number): number {
  return scaleBy(Math.round(scaleBy(value, -exponent)), exponent) + 0
}

/** The corners that the separation names. */
function tryCorners(a: Body, b: Body, { a0, a1, b0, b1 }: Separation, p: Point): boolean {
  if (!isCored(a) || isCurved(b)) return false
  if (tryCorner(a, b, a, a0, p) || tryCorner(a, b, a, a1, p)) return true
  return isCored(b) && (tryCorner(a, b, b, b0, p) || tryCorner(a, b, b, b1, p))
}

function tryCorner(a: Body, b: Body, owner: Body, i: number, p: Point): boolean {
  if (owner.kind === CIRCLE || i >= owner.count) return false
  const { vertices, numbers } = owner
  const x = numbers[X]
  const y = numbers[Y]
  const xLow = numbers[X_LOW]
  const yLow = numbers[Y_LOW]
  return take(a, b, x + (xLow + numbers[vertices + 2 * i]), y + (yLow + numbers[vertices + 2 * i + 1]), p)
}
