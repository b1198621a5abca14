/**
 * The cut of a plane through a curved or rounded convex body: a circle, an ellipse or a capsule where it is one, else a ring of points on its
 * outline.
 *
 * Method: closed forms in the shape's own axes. What has none is seen from a point within the cut: rays in the plane find its outline, and
 * the widest gaps between neighbours are halved until no part of the outline sticks out by more than the tolerance. The outline is convex:
 * between two neighbours it lies in the triangle that their chord makes with the chords on either side, which bounds the error but for
 * rounding.
 * Frame: in, the world; out, the plane's.
 */

import { spend } from '../../containers/budget.ts'
import { SMALLEST_SAFE_EXTENT, SMALLEST_SAFE_SQUARE } from '../../numeric/roundoff.ts'
import { evenExponent, scaleBy, scaleLimit, vectorLength, vectorLength3d } from '../../numeric/safe-range.ts'
import { createRay, createRayHit, rayCast } from '../ray/ray-cast.ts'
import { setDirection } from '../ray/ray-line.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  CYLINDER,
  dot,
  ELLIPSOID,
  LENGTHS,
  POINTS,
  POSITION,
  RADIUS,
  REACH,
  ROTATION,
  VERTICES,
  type Vector,
} from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import { OUTLINE_POINT_COUNT, OUTLINE_ROUND_COUNT } from '../tolerances.ts'
import type { CuttingPlane } from './cutting-plane.ts'

/** x, y in the plane's frame. */
export type PlanePoint = readonly [number, number]

export type CurvedCut =
  | { kind: 'circle'; center: PlanePoint; radius: number }
  /** `turn`: angle from the plane's x axis to the first radius. */
  | { kind: 'ellipse'; center: PlanePoint; radii: PlanePoint; turn: number }
  | { kind: 'capsule'; ends: readonly [PlanePoint, PlanePoint]; radius: number }
  | { kind: 'segment'; ends: readonly [PlanePoint, PlanePoint] }
  /** Counter-clockwise; `error`: the outline of the body sticks out of the ring nowhere by more. */
  | { kind: 'ring'; points: PlanePoint[]; error: number }

const middle = new Float64Array(3)

/** null where the plane does not meet the inside. `tolerance`: of rings; null for one that is `ratio` of their size. */
export function cutCurved(body: Body, plane: CuttingPlane, tolerance: number | null, ratio: number): CurvedCut | null {
  plane.project(body.numbers.subarray(POSITION, POSITION + 3), ORIGIN, 0, middle)
  const place: PlanePoint = [middle[0], middle[1]]
  const offset = -middle[2]
  const closed =
    body.kind === POINTS
      ? cutCapsule(body, plane)
      : body.kind === ELLIPSOID
        ? cutEllipsoid(body, plane, place, offset)
        : cutTurned(body, plane, place, offset)
  return closed === undefined ? outline(body, plane, { place, offset, tolerance, ratio }) : closed
}

const ORIGIN = [0, 0, 0]
const end = new Float64Array(3)

/** Of one or two points with a skin; undefined where there is no closed form. */
function cutCapsule({ numbers, count }: Body, plane: CuttingPlane): CurvedCut | null | undefined {
  if (count > 2) return undefined
  const position = numbers.subarray(POSITION, POSITION + 3)
  plane.project(position, numbers, VERTICES, end)
  const [ax, ay, heightA] = end
  plane.project(position, numbers, VERTICES + 3 * (count - 1), end)
  const [bx, by, heightB] = end
  const isUpright = ax === bx && ay === by
  if (heightA !== heightB && !isUpright) return undefined
  // How far the plane passes from the core.
  const far = Math.max(0, Math.min(heightA, heightB), -Math.max(heightA, heightB))
  const skin = numbers[RADIUS]
  if (far >= skin) return null
  const radius = halfChord(skin, far)
  if (isUpright) return { kind: 'circle', center: [ax, ay], radius }
  return { kind: 'capsule', ends: [[ax, ay], [bx, by]], radius } // biome-ignore format: two points
}

/** An ellipsoid is the image of the unit ball, and its cut that of a disc of the ball. */
function cutEllipsoid(body: Body, plane: CuttingPlane, [px, py]: PlanePoint, offset: number): CurvedCut | null {
  const lengths = [0, 1, 2].map((k) => body.numbers[LENGTHS + k])
  const axes = [0, 1, 2].map((k) => ownAxis(body, k))
  // The normal and both axes of the plane, as the unit ball sees them.
  const seen = (along: Vector): Vector => [
    lengths[0] * dot(along, axes[0]),
    lengths[1] * dot(along, axes[1]),
    lengths[2] * dot(along, axes[2]),
  ]
  const n = seen(plane.normal)
  const reach = vectorLength3d(...n)
  const far = Math.abs(offset)
  if (far >= reach) return null
  const share = halfChord(reach, far) / reach
  const m: Vector = [n[0] / reach, n[1] / reach, n[2] / reach]
  const x = seen(plane.x)
  const y = seen(plane.y)
  const center: PlanePoint = [px + (dot(x, m) * offset) / reach, py + (dot(y, m) * offset) / reach]
  // On that disc only their parts across the normal count.
  const u = across(x, m)
  const v = across(y, m)
  // Of these only ratios count, and products of small numbers would be lost.
  const exponent = evenExponent(Math.max(vectorLength3d(...u), vectorLength3d(...v)))
  const [nearU, nearV] = [scaled(u, -exponent), scaled(v, -exponent)]
  const [xx, xy, yy] = [dot(nearU, nearU), dot(nearU, nearV), dot(nearV, nearV)]
  if (xy === 0) {
    const [rx, ry] = [share * vectorLength3d(...u), share * vectorLength3d(...v)]
    if (rx === 0 || ry === 0) return null
    return rx === ry ? { kind: 'circle', center, radius: rx } : { kind: 'ellipse', center, radii: [rx, ry], turn: 0 }
  }
  const turn = Math.atan2(2 * xy, xx - yy) / 2
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const long = vectorLength3d(cos * u[0] + sin * v[0], cos * u[1] + sin * v[1], cos * u[2] + sin * v[2])
  const short = vectorLength3d(cos * v[0] - sin * u[0], cos * v[1] - sin * u[1], cos * v[2] - sin * u[2])
  // A radius below the least double is as good as none.
  return share * short > 0 ? { kind: 'ellipse', center, radii: [share * long, share * short], turn } : null
}

/** Half of the chord of a circle that passes so far from its centre. */
function halfChord(radius: number, far: number): number {
  const square = (radius - far) * (radius + far)
  return square > SMALLEST_SAFE_SQUARE ? Math.sqrt(square) : Math.sqrt(radius - far) * Math.sqrt(radius + far)
}

function across(vector: Vector, unit: Vector): Vector {
  const along = dot(vector, unit)
  return [vector[0] - along * unit[0], vector[1] - along * unit[1], vector[2] - along * unit[2]]
}

/** Of cylinders and cones; undefined where there is no closed form. */
function cutTurned(
  body: Body,
  plane: CuttingPlane,
  [px, py]: PlanePoint,
  offset: number,
): CurvedCut | null | undefined {
  const { numbers, kind } = body
  const radius = numbers[LENGTHS]
  const half = numbers[LENGTHS + 1]
  const axis = ownAxis(body, 1)
  const [ax, ay, rise] = [dot(plane.x, axis), dot(plane.y, axis), dot(plane.normal, axis)]
  const place = (along: number, aside: number): PlanePoint => [px + along, py + aside]
  if (ax === 0 && ay === 0) {
    // Of both ends in the plane the one that lies below it counts.
    if (offset > half || offset <= -half) return null
    const share = kind === CYLINDER ? 1 : (half - offset * Math.sign(rise)) / (2 * half)
    return share > 0 ? { kind: 'circle', center: [px, py], radius: radius * share } : null
  }
  const slope = vectorLength(ax, ay)
  if (half === 0) {
    // A disc gives a chord of itself, which runs across the axis as it is seen in the plane.
    const far = offset / slope
    if (Math.abs(far) >= radius) return null
    const chord = halfChord(radius, Math.abs(far))
    const [cx, cy] = [(-far * rise * ax) / slope, (-far * rise * ay) / slope]
    const [dx, dy] = [(-chord * ay) / slope, (chord * ax) / slope]
    return { kind: 'segment', ends: [place(cx - dx, cy - dy), place(cx + dx, cy + dy)] }
  }
  if (kind !== CYLINDER) return undefined
  if (rise === 0) {
    if (Math.abs(offset) >= radius) return null
    const wide = halfChord(radius, Math.abs(offset))
    const corner = (along: number, aside: number): PlanePoint =>
      place(along * half * ax - aside * wide * ay, along * half * ay + aside * wide * ax)
    return { kind: 'ring', points: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], error: 0 }
  }
  const at = offset / rise
  if (Math.abs(at) + (radius * slope) / Math.abs(rise) > half) return undefined
  return {
    kind: 'ellipse',
    center: place(at * ax, at * ay),
    radii: [radius / Math.abs(rise), radius],
    turn: Math.atan2(ay, ax),
  }
}

function scaled([x, y, z]: Vector, exponent: number): Vector {
  return [scaleBy(x, exponent), scaleBy(y, exponent), scaleBy(z, exponent)]
}

function ownAxis({ numbers }: Body, k: number): Vector {
  return [numbers[ROTATION + k], numbers[ROTATION + 3 + k], numbers[ROTATION + 6 + k]]
}

// Outlines that rays find.

interface Seen {
  /** Of the body's position in the plane's frame. */
  place: PlanePoint
  /** How far from the body's position the plane passes along its normal. */
  offset: number
  tolerance: number | null
  ratio: number
}

const ray = createRay()
const hit = createRayHit()
const top = new Float64Array(3)

function outline(body: Body, plane: CuttingPlane, { place, offset, tolerance, ratio }: Seen): CurvedCut | null {
  const { numbers } = body
  const position = numbers.slice(POSITION, POSITION + 3)
  // Rays count from the body, so that what they find does not depend on where it is.
  numbers.fill(0, POSITION, POSITION + 3)
  try {
    const inner = innerPoint(body, plane, offset)
    if (inner === null) return null
    ray.ox = inner[0]
    ray.oy = inner[1]
    ray.oz = inner[2]
    const center: PlanePoint = [dot(plane.x, inner), dot(plane.y, inner)]
    const { points, error } = refine(
      (dx, dy) => {
        spend(body.kind === POINTS ? 16 + body.count : 32)
        const toward = (k: number) => dx * plane.x[k] + dy * plane.y[k]
        setDirection(ray, toward(0), toward(1), toward(2))
        const way = rayCast(ray, body, 'exit', hit) ? hit.fraction : 0
        return [dx * way, dy * way]
      },
      tolerance,
      ratio,
      2 * numbers[REACH],
    )
    return {
      kind: 'ring',
      points: points.map(([x, y]) => [place[0] + (center[0] + x), place[1] + (center[1] + y)]),
      error,
    }
  } finally {
    numbers.set(position, POSITION)
  }
}

/** A point of the plane within a body that stands at the origin: on the way from its middle to its end beyond the plane. */
function innerPoint(body: Body, { normal }: CuttingPlane, offset: number): Vector | null {
  const { numbers } = body
  const from = [0, 1, 2].map((k) => numbers[ANCHOR + k] + numbers[CENTER + k]) as unknown as Vector
  const height = dot(normal, from) - offset
  if (height === 0) return from
  const side = height > 0 ? -1 : 1
  top.fill(0)
  kindOf(body).support(body, side * normal[0], side * normal[1], side * normal[2], top)
  const to = [0, 1, 2].map(
    (k) => numbers[ANCHOR + k] + top[k] + side * numbers[RADIUS] * normal[k],
  ) as unknown as Vector
  const beyond = dot(normal, to) - offset
  if (beyond * side <= 0) return null
  const share = height / (height - beyond)
  return [0, 1, 2].map((k) => from[k] + share * (to[k] - from[k])) as unknown as Vector
}

/** Points about the origin, counter-clockwise, `see` giving the one in a direction. Nothing sticks out by more than `most`. */
function refine(
  see: (dx: number, dy: number) => PlanePoint,
  tolerance: number | null,
  ratio: number,
  most: number,
): { points: PlanePoint[]; error: number } {
  let points = [see(1, 0), see(0, 1), see(-1, 0), see(0, -1)]
  const size = sizeOf(points)
  if (size > 0 && size < SMALLEST_SAFE_EXTENT) {
    const exponent = evenExponent(size)
    const times = ([x, y]: PlanePoint, power: number): PlanePoint => [scaleBy(x, power), scaleBy(y, power)]
    const limit = tolerance === null ? null : scaleLimit(tolerance, exponent)
    const near = refine((dx, dy) => times(see(dx, dy), -exponent), limit, ratio, scaleBy(most, -exponent))
    return { points: near.points.map((point) => times(point, exponent)), error: scaleBy(near.error, exponent) }
  }
  let error = Infinity
  let allowed = tolerance ?? 0
  for (let round = 0; round < OUTLINE_ROUND_COUNT && error > allowed && points.length < OUTLINE_POINT_COUNT; round++) {
    if (tolerance === null) allowed = ratio * sizeOf(points)
    const gaps = points.map((_, i) => gapAt(points, i, most))
    error = gaps.reduce((widest, gap) => Math.max(widest, gap))
    const fits = (least: number) => points.length + gaps.filter((gap) => gap > least).length <= OUTLINE_POINT_COUNT
    // Where there is no room to halve all, the widest go first: at corners a halving takes away half, elsewhere three quarters.
    const least = fits(allowed) ? allowed : Math.max(allowed, error / 2)
    if (!fits(least)) break
    const more: PlanePoint[] = []
    for (let i = 0; i < points.length; i++) {
      more.push(points[i])
      const next = points[(i + 1) % points.length]
      const [dx, dy] = [points[i][0] + next[0], points[i][1] + next[1]]
      const length = vectorLength(dx, dy)
      if (gaps[i] <= least || length === 0) continue
      const found = see(dx / length, dy / length)
      if (!isSame(found, points[i]) && !isSame(found, next)) more.push(found)
    }
    spend(16 * points.length)
    if (more.length === points.length) break
    points = more
  }
  return { points, error }
}

function isSame(a: PlanePoint, b: PlanePoint): boolean {
  return a[0] === b[0] && a[1] === b[1]
}

function sizeOf(points: readonly PlanePoint[]): number {
  let size = 0
  for (const [x, y] of points) size = Math.max(size, Math.abs(x), Math.abs(y))
  return size
}

/** How far a convex outline may stick out between point i and the next one, at most `most`. */
function gapAt(points: readonly PlanePoint[], i: number, most: number): number {
  const count = points.length
  const [p, q, r, s] = [points[(i + count - 1) % count], points[i], points[(i + 1) % count], points[(i + 2) % count]]
  const [ex, ey] = [r[0] - q[0], r[1] - q[1]]
  const length = vectorLength(ex, ey)
  if (length === 0) return 0
  const before = slopeOf(q[0] - p[0], q[1] - p[1], ex, ey)
  const after = slopeOf(ex, ey, s[0] - r[0], s[1] - r[1])
  if (before === Infinity || after === Infinity) return 0
  // Between chords that do not meet beyond this one it may stick out far.
  return before + after > 0 ? Math.min(most, length / (before + after)) : most
}

/** Cotangent of the turn to the left from one vector to another; Infinity where there is none, −Infinity where it is half a turn. */
function slopeOf(ax: number, ay: number, bx: number, by: number): number {
  const turn = ax * by - ay * bx
  const along = ax * bx + ay * by
  return turn > 0 ? along / turn : along < 0 ? -Infinity : Infinity
}
