/**
 * Whether one unrotated body with straight edges and no skins contains another, by taking the pieces of the one away from each
 * piece of the other, in fractions. Slow and obviously right; shares nothing with src/.
 *
 * What is left of a piece with an area when closed pieces are taken away is open in it, so it is nothing or it has an area; what
 * is left of a segment is nothing or it has a length. Thin pieces take nothing away from what has an area.
 */
import type { Body2d } from '../../schemas/shapes2d.ts'
import { commonGrid } from './exact-bodies.ts'
import { signOf } from './exact-numbers.ts'
import { exactParts, type Piece, piecesOf } from './exact-parts.ts'

/** (x, y)/w, w > 0. */
interface Place {
  x: bigint
  y: bigint
  w: bigint
}

function gcd(a: bigint, b: bigint): bigint {
  let u = a < 0n ? -a : a
  let v = b < 0n ? -b : b
  while (v !== 0n) [u, v] = [v, u % v]
  return u
}

function place(x: bigint, y: bigint, w: bigint): Place {
  const common = gcd(gcd(x, y), w) * (w < 0n ? -1n : 1n)
  return { x: x / common, y: y / common, w: w / common }
}

/** Positive to the left of the way from a to b; linear in the coordinates of p. */
function turn(a: Place, b: Place, p: Place): bigint {
  return a.x * (b.y * p.w - b.w * p.y) - a.y * (b.x * p.w - b.w * p.x) + a.w * (b.x * p.y - b.y * p.x)
}

/** The part of a convex polygon, or of a segment, to the left of the way from a to b. */
function leftOf(shape: readonly Place[], a: Place, b: Place): Place[] {
  const result: Place[] = []
  const closed = shape.length > 2
  for (let i = 0; i < shape.length; i++) {
    const p = shape[i]
    const q = shape[(i + 1) % shape.length]
    const sp = turn(a, b, p)
    const sq = turn(a, b, q)
    if (sp >= 0n) result.push(p)
    if ((closed || i + 1 < shape.length) && signOf(sp) * signOf(sq) < 0) {
      result.push(place(sp * q.x - sq * p.x, sp * q.y - sq * p.y, sp * q.w - sq * p.w))
    }
  }
  return result
}

function areSame(p: Place, q: Place): boolean {
  return p.x * q.w === q.x * p.w && p.y * q.w === q.y * p.w
}

/** Whether the polygon has an area, or the segment (`isThin`) a length. */
function hasExtent(shape: readonly Place[], isThin: boolean): boolean {
  if (isThin) return shape.length === 2 && !areSame(shape[0], shape[1])
  return shape.some((p, i) => i + 1 < shape.length && turn(shape[0], p, shape[i + 1]) !== 0n)
}

/** The lines that bound a piece, which lies to the left of them. A segment lies between the lines across its ends. */
function boundsOf(hull: readonly Place[]): [Place, Place][] {
  if (hull.length > 2) return hull.map((p, i) => [p, hull[(i + 1) % hull.length]])
  const [p, q] = hull
  const dx = q.x * p.w - p.x * q.w
  const dy = q.y * p.w - p.y * q.w
  const across = (at: Place, sign: bigint): [Place, Place] => [
    at,
    place(at.x * p.w * q.w + sign * dy * at.w, at.y * p.w * q.w - sign * dx * at.w, at.w * p.w * q.w),
  ]
  return [across(p, 1n), across(q, -1n)]
}

/** What of the shape the closed piece leaves open. */
function remainders(shape: readonly Place[], hull: readonly Place[], isThin: boolean): Place[][] {
  if (hull.length === 1) return [[...shape]]
  if (hull.length === 2) {
    const isAlong = isThin && shape.every((p) => turn(hull[0], hull[1], p) === 0n)
    if (!isAlong) return [[...shape]]
  }
  const result: Place[][] = []
  let rest = [...shape]
  for (const [a, b] of boundsOf(hull)) {
    // What lies along the line is not outside.
    const outside = rest.some((p) => turn(a, b, p) < 0n) ? leftOf(rest, b, a) : []
    if (hasExtent(outside, isThin)) result.push(outside)
    rest = leftOf(rest, a, b)
    if (!hasExtent(rest, isThin)) return result
  }
  return result
}

function holdsPoint(hull: readonly Place[], point: Place): boolean {
  if (hull.length === 1) return areSame(hull[0], point)
  if (hull.length === 2 && turn(hull[0], hull[1], point) !== 0n) return false
  return boundsOf(hull).every(([a, b]) => turn(a, b, point) >= 0n)
}

function hullOf({ scale, body }: Piece): Place[] {
  if (body.kind !== 'hull' || body.radius !== 0n) throw new Error('the oracle knows only straight edges without skins')
  return body.hull.map(({ x, y }) => place(x, y, scale))
}

function isCovered(guest: readonly Place[], hulls: readonly Place[][]): boolean {
  if (guest.length === 1) return hulls.some((hull) => holdsPoint(hull, guest[0]))
  const isThin = guest.length === 2
  let left = [[...guest]]
  for (const hull of hulls) left = left.flatMap((shape) => remainders(shape, hull, isThin))
  return left.length === 0
}

export function exactlyContains(a: Body2d, b: Body2d): boolean {
  const grid = commonGrid([a, b])
  const hulls = piecesOf(exactParts(grid, a)).map(hullOf)
  return piecesOf(exactParts(grid, b)).every((piece) => isCovered(hullOf(piece), hulls))
}
