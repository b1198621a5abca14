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
import { type Body, CIRCLE, ELLIPSE, HALFPLANE } from './body.ts'
import { ellipseContains } from './ellipse.ts'
import type { Separation } from './separation.ts'
import { BISECTION_COUNT } from './tolerances.ts'

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
  } else if (a.kind === ELLIPSE) inEllipses(a, b, dx, dy, s, out)
  else if (b.kind === ELLIPSE) inEllipse(a, b, dx, dy, s, out)
  else if (!inCores(a, b, dx, dy, error, out)) betweenCores(a, b, s, out)
}

function setPoint(out: Point, x: number, y: number): void {
  out.x = x
  out.y = y
}

/** Disjoint cores no farther apart than the skins: splits the way between the core points by the radii. */
function betweenCores(a: Body, b: Body, s: Separation, out: Point): void {
  const ax = s.ax - s.nx * a.radius
  const ay = s.ay - s.ny * a.radius
  const bx = s.bx + s.nx * b.radius
  const by = s.by + s.ny * b.radius
  const radius = a.radius + b.radius
  const share = radius > 0 ? a.radius / radius : 0.5
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
  const { normals, offsets, local, count } = body
  for (let i = 0; i < count && from <= to; i++) {
    const nx = normals[2 * i]
    const ny = normals[2 * i + 1]
    clipToLine(nx, ny, offsets[i] + error, x0 - ox, y0 - oy, x1 - ox, y1 - oy)
    // A segment also ends: across its direction, at the far end of this edge.
    const j = i + 1 === count ? 0 : i + 1
    const end = -ny * local[2 * j] + nx * local[2 * j + 1] + error
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
    const j = i + 1 === a.count ? 0 : i + 1
    const x0 = a.local[2 * i]
    const y0 = a.local[2 * i + 1]
    const ex = a.local[2 * j] - x0
    const ey = a.local[2 * j + 1] - y0
    clipToCore(b, dx, dy, error, x0, y0, x0 + ex, y0 + ey)
    if (to - from <= widest || from > to) continue
    widest = to - from
    setPoint(out, x0 + ((from + to) / 2) * ex, y0 + ((from + to) / 2) * ey)
  }
  if (widest >= 0) return true
  const x = dx + b.centerX
  const y = dy + b.centerY
  clipToCore(a, 0, 0, error, x, y, x, y)
  setPoint(out, x, y)
  return from <= to
}

/** Core or circle A against ellipse B. */
function inEllipse(a: Body, b: Body, dx: number, dy: number, s: Separation, out: Point): void {
  if (a.kind === CIRCLE ? !ellipseContains(b, -dx, -dy) : s.value + a.radius >= 0) {
    // The ellipse's nearest point lies within the skin of A.
    setPoint(out, s.bx, s.by)
    return
  }
  // Ellipse axes scaled to the unit circle.
  const { cos, sin, rx, ry } = b
  let inside = a.count > 2
  let least = Infinity
  for (let i = 0; i < a.count; i++) {
    const j = i + 1 === a.count ? 0 : i + 1
    const x0 = a.local[2 * i] - dx
    const y0 = a.local[2 * i + 1] - dy
    const ex = a.local[2 * j] - a.local[2 * i]
    const ey = a.local[2 * j + 1] - a.local[2 * i + 1]
    const u = (cos * x0 + sin * y0) / rx
    const v = (cos * y0 - sin * x0) / ry
    const eu = (cos * ex + sin * ey) / rx
    const ev = (cos * ey - sin * ex) / ry
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

/** Quadratic form x²·xx + 2xy·xy + y²·yy of an ellipse about its centre, in units of `unit`; 1 on the boundary. */
function quadraticForm(e: Body, unit: number): { xx: number; xy: number; yy: number } {
  const p = (unit / e.rx) ** 2
  const q = (unit / e.ry) ** 2
  const { cos, sin } = e
  return { xx: p * cos * cos + q * sin * sin, xy: (p - q) * cos * sin, yy: p * sin * sin + q * cos * cos }
}

function inEllipses(a: Body, b: Body, dx: number, dy: number, s: Separation, out: Point): void {
  const unit = a.reach + b.reach
  const A = quadraticForm(a, unit)
  const B = quadraticForm(b, unit)
  const cx = dx / unit
  const cy = dy / unit
  let low = 0
  let high = 1
  let x = 0
  let y = 0
  for (let i = 0; i < BISECTION_COUNT; i++) {
    const share = (low + high) / 2
    if (share <= low || share >= high) break
    const xx = share * A.xx + (1 - share) * B.xx
    const xy = share * A.xy + (1 - share) * B.xy
    const yy = share * A.yy + (1 - share) * B.yy
    const u = (1 - share) * (B.xx * cx + B.xy * cy)
    const v = (1 - share) * (B.xy * cx + B.yy * cy)
    const determinant = xx * yy - xy * xy
    x = (yy * u - xy * v) / determinant
    y = (xx * v - xy * u) / determinant
    const formA = A.xx * x * x + 2 * A.xy * x * y + A.yy * y * y
    const formB = B.xx * (x - cx) ** 2 + 2 * B.xy * (x - cx) * (y - cy) + B.yy * (y - cy) ** 2
    if (formA > formB) low = share
    else high = share
  }
  const usable = s.relation < 0 && Number.isFinite(x) && Number.isFinite(y)
  if (usable) setPoint(out, x * unit, y * unit)
  else setPoint(out, (s.ax + s.bx) / 2, (s.ay + s.by) / 2)
}
