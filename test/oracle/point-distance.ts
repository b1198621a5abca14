/** Signed distance of a point to a body's boundary (negative inside), in doubles, any rotation. */
import type { Vec2 } from '../../schemas/vector.ts'
import type { MeasuredBody, MeasuredEllipse } from './measured-bodies.ts'

export function signedDistance(body: MeasuredBody, point: Vec2): number {
  if (body.kind === 'halfplane') return body.normal.x * point.x + body.normal.y * point.y - body.offset
  if (body.kind === 'ellipse') return ellipseDistance(body, point)
  const { ring, radius } = body
  let nearest = Number.POSITIVE_INFINITY
  let inside = ring.length > 2 && withinBounds(ring, point)
  ring.forEach((p, i) => {
    const q = ring[(i + 1) % ring.length]
    nearest = Math.min(nearest, segmentDistance(point, p, q))
    if ((q.x - p.x) * (point.y - p.y) - (q.y - p.y) * (point.x - p.x) < 0) inside = false
  })
  return (inside ? -nearest : nearest) - radius
}

/** A ring without area has every point of its line on the left of all its edges: the bounds rule most of them out. */
function withinBounds(ring: readonly Vec2[], point: Vec2): boolean {
  const xs = ring.map((p) => p.x)
  const ys = ring.map((p) => p.y)
  return (
    point.x >= Math.min(...xs) && point.x <= Math.max(...xs) && point.y >= Math.min(...ys) && point.y <= Math.max(...ys)
  )
}

export function segmentDistance(point: Vec2, p: Vec2, q: Vec2): number {
  const ex = q.x - p.x
  const ey = q.y - p.y
  const length = Math.hypot(ex, ey)
  if (length === 0) return Math.hypot(point.x - p.x, point.y - p.y)
  const ux = ex / length
  const uy = ey / length
  const along = (point.x - p.x) * ux + (point.y - p.y) * uy
  if (along <= 0) return Math.hypot(point.x - p.x, point.y - p.y)
  if (along >= length) return Math.hypot(point.x - q.x, point.y - q.y)
  return Math.abs((point.x - p.x) * uy - (point.y - p.y) * ux)
}

/** Nearest point by bisection, after Eberly, "Distance from a Point to an Ellipse" (Geometric Tools, 2013). */
function ellipseDistance(e: MeasuredEllipse, point: Vec2): number {
  const dx = point.x - e.center.x
  const dy = point.y - e.center.y
  const px = Math.abs(e.cos * dx + e.sin * dy)
  const py = Math.abs(e.cos * dy - e.sin * dx)
  const [major, minor, u, v] = e.rx >= e.ry ? [e.rx, e.ry, px, py] : [e.ry, e.rx, py, px]
  const inside = Math.hypot(u / major, v / minor) <= 1
  const distance = firstQuadrant(major, minor, u, v)
  return inside ? -distance : distance
}

function firstQuadrant(major: number, minor: number, u: number, v: number): number {
  if (v === 0) {
    const reach = (major * major - minor * minor) / major
    if (u < reach) {
      const x = (major * u) / reach
      return Math.hypot((x / major) * major - u, minor * Math.sqrt(Math.max(0, 1 - (x / major) ** 2)))
    }
    return Math.abs(u - major)
  }
  const a = u / minor
  const b = v / minor
  const ratio2 = (major / minor) ** 2
  // The root of Eberly's F(t), found as s = t + 1 > 0 so that points near the major axis keep their digits.
  let low = b
  let high = Math.hypot((major / minor) * a, b)
  for (let i = 0; i < 200; i++) {
    const s = (low + high) / 2
    if (s === low || s === high) break
    const f = (((major / minor) * a) / (s - 1 + ratio2)) ** 2 + (b / s) ** 2 - 1
    if (f > 0) low = s
    else high = s
  }
  const s = (low + high) / 2
  return Math.hypot((ratio2 * u) / (s - 1 + ratio2) - u, v / s - v)
}
