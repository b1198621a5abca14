/**
 * Circles and ellipses in space as they are seen: ellipses and arcs of them, in closed form.
 *
 * A curve c + p·cos θ + q·sin θ is seen as such a curve of the plane. Method: its principal axes lie at the angle that makes its two
 * conjugate half diameters upright on each other (Rytz's construction, as a formula). Lengths are brought to 1 before they are squared.
 * Frame: that of `view.ts`.
 */

import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { arcPoint, arcSteps, type DrawnArc, type DrawnRing } from '../marks/outline.ts'
import { seen, type View } from './view.ts'

/** c + p·cos θ + q·sin θ. */
export interface Rim {
  centre: Vec3
  p: Vec3
  q: Vec3
}

const TURN = 2 * Math.PI

/** From the angle `start` on, over `turn`. */
export function rimArc(rim: Rim, view: View, start: number, turn: number): DrawnArc {
  const centre = seen(view, rim.centre)
  return conjugateArc(centre, seen(view, rim.p), seen(view, rim.q), start, turn)
}

function conjugateArc({ x: cx, y: cy }: Vec2, p: Vec2, q: Vec2, start: number, turn: number): DrawnArc {
  const size = Math.max(Math.abs(p.x), Math.abs(p.y), Math.abs(q.x), Math.abs(q.y))
  if (size === 0) return { cx, cy, rx: 0, ry: 0, axis: 0, start, turn }
  const [px, py, qx, qy] = [p.x / size, p.y / size, q.x / size, q.y / size]
  const shift = Math.atan2(2 * (px * qx + py * qy), px * px + py * py - qx * qx - qy * qy) / 2
  const cos = Math.cos(shift)
  const sin = Math.sin(shift)
  const [ax, ay, bx, by] = [px * cos + qx * sin, py * cos + qy * sin, qx * cos - px * sin, qy * cos - py * sin]
  const sense = ax * by - ay * bx < 0 ? -1 : 1
  return {
    cx,
    cy,
    rx: Math.hypot(ax, ay) * size,
    ry: Math.hypot(bx, by) * size,
    axis: Math.atan2(ay, ax),
    start: sense * (start - shift),
    turn: sense * turn,
  }
}

export function openRing(arc: DrawnArc): DrawnRing {
  return { ...arcPoint(arc, 0), steps: arcSteps(arc), closed: false }
}

export function wholeRing(rim: Rim, view: View): DrawnRing {
  return { ...openRing(rimArc(rim, view, 0, TURN)), closed: true }
}

/** What is seen of the ellipsoid with these half axes: the outline of all c + (p, q, s)·u with |u| = 1. */
export function ellipsoidRing(centre: Vec3, halfAxes: readonly Vec3[], view: View): DrawnRing {
  const flat = halfAxes.map((axis) => seen(view, axis))
  const size = Math.max(...flat.map(({ x, y }) => Math.max(Math.abs(x), Math.abs(y))))
  const { x: cx, y: cy } = seen(view, centre)
  let [xx, xy, yy] = [0, 0, 0]
  for (const axis of flat) {
    const [x, y] = size === 0 ? [0, 0] : [axis.x / size, axis.y / size]
    xx += x * x
    xy += x * y
    yy += y * y
  }
  // The squares of the half axes are the eigenvalues of the matrix.
  const middle = (xx + yy) / 2
  const half = Math.hypot((xx - yy) / 2, xy)
  const rx = Math.sqrt(middle + half) * size
  const ry = Math.sqrt(Math.max(0, middle - half)) * size
  const axis = Math.atan2(2 * xy, xx - yy) / 2
  return { ...openRing({ cx, cy, rx, ry, axis, start: 0, turn: TURN }), closed: true }
}
