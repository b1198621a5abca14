/**
 * Arcs of ellipses as SVG writes them, as points on them.
 *
 * Method: from end points to middle and angles, then equal parts of the angle; of an ellipse whose longer half axis is R, a chord over an
 * angle φ lies within R (1 − cos ½φ). Source: SVG 2, appendix B.2
 * (https://www.w3.org/TR/SVG2/implnote.html#ArcImplementationNotes). Frame: after the map that is given.
 */

import type { Vec2 } from '../../../schemas/vector.ts'
import { type Affine, after, apply, IDENTITY, translation, turn } from '../drawing/affine.ts'

/** Parts of one arc. */
const MOST_PARTS = 4096

/** Adds the points behind the first; `numbers`: as they stand behind `A`. */
export function addArc(points: Vec2[], from: Vec2, numbers: readonly number[], map: Affine, tolerance: number): void {
  const [, , degrees, isLarge, isClockwise, x, y] = numbers
  const to = { x, y }
  const end = apply(map, to)
  let [rx, ry] = [Math.abs(numbers[0]), Math.abs(numbers[1])]
  if (from.x === x && from.y === y) return
  if (rx === 0 || ry === 0) {
    points.push(end)
    return
  }
  // In the frame of its axes, halfway between its ends.
  const half = apply(turn(-degrees), { x: (from.x - x) / 2, y: (from.y - y) / 2 })
  const reach = Math.hypot(half.x / rx, half.y / ry)
  if (reach > 1) [rx, ry] = [rx * reach, ry * reach]
  // On the circle of radius 1: `u` is half of the chord, and the middle lies across it.
  const u = { x: half.x / rx, y: half.y / ry }
  const square = u.x * u.x + u.y * u.y
  const side = reach >= 1 ? 0 : (isLarge === isClockwise ? -1 : 1) * Math.sqrt(1 / square - 1)
  const middle = { x: side * u.y, y: -side * u.x }
  const start = Math.atan2(u.y - middle.y, u.x - middle.x)
  let sweep = Math.atan2(-u.y - middle.y, -u.x - middle.x) - start
  if (isClockwise && sweep < 0) sweep += 2 * Math.PI
  if (!isClockwise && sweep > 0) sweep -= 2 * Math.PI
  const axes = after(turn(degrees), { ...IDENTITY, a: rx, d: ry })
  const whole = after(
    after(map, translation((from.x + x) / 2, (from.y + y) / 2)),
    after(axes, translation(middle.x, middle.y)),
  )
  const parts = partsOf(sweep, longestOf(whole), tolerance)
  for (let k = 1; k < parts; k++) {
    const angle = start + (k / parts) * sweep
    points.push(apply(whole, { x: Math.cos(angle), y: Math.sin(angle) }))
  }
  points.push(end)
}

function partsOf(sweep: number, radius: number, tolerance: number): number {
  const cosine = 1 - tolerance / radius
  // No chord spans more than a third of a turn, however small it is.
  const widest = cosine <= -0.5 ? (2 * Math.PI) / 3 : 2 * Math.acos(cosine)
  return Math.min(MOST_PARTS, Math.max(1, Math.ceil(Math.abs(sweep) / Math.min(widest, (2 * Math.PI) / 3))))
}

/** The longer half axis of what the map makes of the circle of radius 1. */
function longestOf({ a, b, c, d }: Affine): number {
  return Math.hypot((a + d) / 2, (b - c) / 2) + Math.hypot((a - d) / 2, (b + c) / 2)
}
