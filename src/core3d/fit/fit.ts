/**
 * The least box, sphere, capsule or cylinder that encloses a body in space, and a bound below which none is.
 *
 * Method: spheres exactly (`numeric/least-ball.ts`), of bent bodies in closed form. Boxes by a search over their axes (`turned-box.ts`), of
 * cylinders and ellipsoids in closed form: the extents of an ellipsoid along three axes across each other have the same sum of squares
 * however they are turned, those of a cylinder are concave functions of the squares of the axes' components along its own, of which
 * the sum is 1; so volume and surface are least where the box has the body's own axes. Capsules and cylinders by a search over
 * directions (`axis-search.ts`). What was found is rounded, and grown until it holds the body for certain (`enclosure.ts`). The
 * bound is the volume or the surface of the body's hull, of which what encloses it has no less, and of spheres their own.
 * Frame: world. Cost: that of the hull of the points, except for spheres and axis-aligned boxes, and that of the search, which does not
 * grow with the body.
 */

import { spend } from '../../containers/budget.ts'
import { leastBall } from '../../numeric/least-ball.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import { bounds, createBounds } from '../queries/bounds.ts'
import {
  ANCHOR,
  type Body,
  COMPOSITE,
  CONE,
  createBody,
  cross,
  dot,
  ELLIPSOID,
  isBare,
  LENGTHS,
  POINTS,
  POSITION,
  positionOf,
  RADIUS,
  setPose,
  VERTICES,
  type Vector,
} from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import type { AxisName } from '../shape/shapes.ts'
import { type AxisFit, fitAlong, leastAbout, type Round } from './axis-search.ts'
import { type Enclosure, grown, type Orientation, surfaceOf, volumeOf } from './enclosure.ts'
import { AXES, axesOf, convexBodies, outerPoints, ownPoints, type Span, spanOf, withoutInner } from './span.ts'
import { type Frame, type Least, leastFrame, WORLD } from './turned-box.ts'

export type FitKind = Enclosure['kind']

export interface Fit {
  enclosure: Enclosure
  /** Volume or surface area. */
  measure: number
  /** No enclosure of the kind has a smaller one. */
  lower: number
}

/** Rounds down what is good to some roundoffs. */
const BELOW = 1 - 16 * UNIT_ROUNDOFF

/** Null for a body without bounds. */
export function fit(body: Body, kind: FitKind, least: Least): Fit | null {
  const parts = convexBodies(body)
  if (parts === null) return null
  // Spheres and boxes along the axes take points as they come, for the others they have to be a hull anyway.
  const bodies = kind === 'aabb' || kind === 'sphere' ? parts : parts.map(withoutInner)
  // What is a compound of one is that one.
  const guest: Guest = { body, bodies, place: positionOf(bodies.length === 1 ? bodies[0] : body) }
  const { candidates, lower } = found(guest, kind, least)
  const extents = AXES.map((axis) => extentAlong(bodies, guest.place, axis))
  const size = Math.max(...extents.map(([low, high]) => high - low))
  // What is small and far away is rounded by its place.
  const far = Math.max(...guest.place.map(Math.abs), ...extents.flat().map(Math.abs))
  const unit = Math.max(size, UNIT_ROUNDOFF * far)
  const bound = lower * (body.kind === COMPOSITE ? certainty(guest, size) : 1)
  let best: Fit | null = null
  for (const candidate of candidates) {
    const enclosure = grown(candidate, bodies, unit)
    const measure = measureOf(enclosure, least)
    if (best === null || measure < best.measure) {
      best = { enclosure, measure, lower: Math.max(0, Math.min(bound, measure)) }
    }
  }
  return best
}

/** What is to be enclosed: the body, convex bodies that have its hull, and what they are counted from. */
interface Guest {
  body: Body
  bodies: readonly Body[]
  place: Vector
}

/** Points of parts are rounded sums: a bound stands for the exact ones when it is made less by this factor. */
function certainty({ bodies, place }: Guest, size: number): number {
  if (!(size > 0)) return 1
  let reach = size
  for (const { numbers } of bodies) {
    for (let k = 0; k < 3; k++) {
      reach = Math.max(reach, Math.abs(numbers[POSITION + k]) + Math.abs(place[k]) + Math.abs(numbers[ANCHOR + k]))
    }
  }
  return Math.max(0, 1 - (64 * UNIT_ROUNDOFF * reach) / size)
}

/** Enclosures of which the least is the answer once they are grown. */
interface Found {
  candidates: Enclosure[]
  lower: number
}

function found(guest: Guest, kind: FitKind, least: Least): Found {
  switch (kind) {
    case 'aabb':
      return fitAabb(guest, least)
    case 'box':
      return fitBox(guest, least)
    case 'sphere':
      return fitSphere(guest, least)
    default:
      return fitRound(guest, kind, least)
  }
}

function measureOf(enclosure: Enclosure, least: Least): number {
  return least === 'volume' ? volumeOf(enclosure) : surfaceOf(enclosure)
}

const box = createBounds()

function fitAabb({ body, bodies, place }: Guest, least: Least): Found {
  bounds(body, box)
  // Core points without a skin are exact; the heights of others are rounded.
  const isExact = isBare(body)
  const size = AXES.map((axis) => {
    const [low, high] = extentAlong(bodies, place, axis)
    return Math.max(0, high - low - (isExact ? 0 : 8 * UNIT_ROUNDOFF * (Math.abs(low) + Math.abs(high))))
  }) as unknown as Vector
  const own: Enclosure = { kind: 'box', position: [0, 0, 0], orientation: null, size }
  return {
    candidates: [{ kind: 'aabb', min: [...box.min], max: [...box.max] }],
    lower: BELOW * measureOf(own, least),
  }
}

// Boxes.

function fitBox(guest: Guest, least: Least): Found {
  const { bodies, place } = guest
  const [body] = bodies
  const isBent = bodies.length === 1 && body.kind !== POINTS
  const own = boxIn(guest, body.aligned || !isBent ? WORLD : ownFrame(body))
  if (isBent && body.kind !== CONE) {
    return { candidates: [own], lower: (1 - 64 * UNIT_ROUNDOFF) * measureOf(own, least) }
  }
  const span = spanOf(bodies, place)
  return { candidates: [boxIn(guest, leastFrame(span, least)), own], lower: hullMeasure(span, least) }
}

function hullMeasure({ volume, area }: Span, least: Least): number {
  return least === 'volume' ? volume : area
}

function ownFrame(body: Body): Frame {
  const [first, second, third] = axesOf(body)
  // Columns are put in another order where an axis is given by name, which may make them left-handed.
  const isRight = dot(first, cross(second, third)) > 0
  return [first, second, isRight ? third : [-third[0], -third[1], -third[2]]]
}

const frameSlot = createBody()
const far = new Float64Array(3)

/** The least box with these axes, as they come out once they are a quaternion, about a centre that is rounded to doubles. */
function boxIn({ bodies, place }: Guest, frame: Frame): Enclosure {
  const orientation = orientationOf(frame)
  setPose(frameSlot, { position: [0, 0, 0], orientation: orientation ?? undefined })
  const axes = axesOf(frameSlot)
  const spans = axes.map((axis) => extentAlong(bodies, place, axis))
  const middles = spans.map(([low, high]) => low + (high - low) / 2)
  const position = [0, 1, 2].map(
    (k) => place[k] + (axes[0][k] * middles[0] + axes[1][k] * middles[1] + axes[2][k] * middles[2]),
  ) as unknown as Vector
  const size = axes.map((axis, k) => {
    const at =
      axis[0] * (position[0] - place[0]) + axis[1] * (position[1] - place[1]) + axis[2] * (position[2] - place[2])
    return 2 * Math.max(0, spans[k][1] - at, at - spans[k][0])
  }) as unknown as Vector
  return { kind: 'box', position, orientation, size }
}

/** The least and the greatest height of bodies over a place. */
function extentAlong(bodies: readonly Body[], place: Vector, axis: Vector): [number, number] {
  let [lowest, highest] = [Infinity, -Infinity]
  for (const body of bodies) {
    const { numbers } = body
    const shift =
      axis[0] * (numbers[POSITION] - place[0]) +
      axis[1] * (numbers[POSITION + 1] - place[1]) +
      axis[2] * (numbers[POSITION + 2] - place[2])
    const [low, high] = extentOf(body, axis)
    if (low + shift < lowest) lowest = low + shift
    if (high + shift > highest) highest = high + shift
  }
  return [lowest, highest]
}

/** Over its position. */
function extentOf(body: Body, [x, y, z]: Vector): [number, number] {
  const { kind, numbers, count } = body
  if (kind === POINTS) {
    spend(1 + (count >> 2))
    let [low, high] = [Infinity, -Infinity]
    for (let at = VERTICES; at < VERTICES + 3 * count; at += 3) {
      const height = x * numbers[at] + y * numbers[at + 1] + z * numbers[at + 2]
      if (height < low) low = height
      if (height > high) high = height
    }
    return [low - numbers[RADIUS], high + numbers[RADIUS]]
  }
  const heightAlong = (sign: number): number => {
    far.fill(0)
    kindOf(body).support(body, sign * x, sign * y, sign * z, far)
    return sign * (x * far[0] + y * far[1] + z * far[2])
  }
  return [-heightAlong(-1), heightAlong(1)]
}

/** The quaternion of a frame, null where its axes are those of the world in turn. S. Shepperd, "Quaternion from rotation matrix", 1978. */
function orientationOf(frame: Frame): Orientation {
  const entry = (row: number, column: number): number => frame[column][row]
  const trace = entry(0, 0) + entry(1, 1) + entry(2, 2)
  const diagonal = [entry(0, 0), entry(1, 1), entry(2, 2)]
  const largest = Math.max(trace, ...diagonal)
  if (trace === 3) return null
  const q = [0, 0, 0, 0]
  if (largest === trace) {
    q[3] = 1 + trace
    q[0] = entry(2, 1) - entry(1, 2)
    q[1] = entry(0, 2) - entry(2, 0)
    q[2] = entry(1, 0) - entry(0, 1)
  } else {
    const i = diagonal.indexOf(largest)
    const [j, k] = [(i + 1) % 3, (i + 2) % 3]
    q[i] = 1 + diagonal[i] - diagonal[j] - diagonal[k]
    q[j] = entry(i, j) + entry(j, i)
    q[k] = entry(i, k) + entry(k, i)
    q[3] = entry(k, j) - entry(j, k)
  }
  const length = Math.hypot(...q) * (q[3] < 0 ? -1 : 1)
  const [x, y, z, w] = q.map((value) => value / length)
  return x === 0 && y === 0 && z === 0 ? null : [x, y, z, w]
}

// Spheres.

function fitSphere({ bodies, place }: Guest, least: Least): Found {
  const sphere = (center: Vector, radius: number): Enclosure => ({ kind: 'sphere', position: center, radius })
  const measured = (radius: number): number => BELOW * measureOf(sphere(place, radius), least)
  const [{ kind, numbers }] = bodies
  if (bodies.length > 1 || kind === POINTS) {
    const balls = ballsOf(bodies, place)
    const { center, radius, around } = leastBall(balls, balls.length / 4, 3, place)
    return { candidates: [sphere([center[0], center[1], center[2]], around)], lower: measured(radius) }
  }
  const [a, b, c] = numbers.subarray(LENGTHS, LENGTHS + 3)
  if (kind !== CONE) {
    const radius = kind === ELLIPSOID ? Math.max(a, b, c) : Math.hypot(a, b)
    return { candidates: [sphere(place, radius)], lower: measured(radius) }
  }
  // Through apex and rim, or of a flat cone about the middle of its base.
  const height = 2 * b
  const isFlat = height <= a
  const radius = isFlat ? a : (a * (a / height) + height) / 2
  const up = isFlat ? -b : b - radius
  const axis = axesOf(bodies[0])[1]
  const center = [0, 1, 2].map((k) => place[k] + up * axis[k]) as unknown as Vector
  return { candidates: [sphere(center, radius)], lower: measured(radius) }
}

/** Of bent bodies points on their surface: the sphere about them is grown until it holds the bodies. */
function ballsOf(bodies: readonly Body[], place: Vector): Float64Array {
  const lists = bodies.map((body) => {
    const points = ownPoints(body, body.numbers[RADIUS])
    const count = points.length / 3
    const balls = new Float64Array(4 * count)
    spend(1 + (count >> 1))
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) balls[4 * i + k] = points[3 * i + k] + (body.numbers[POSITION + k] - place[k])
      balls[4 * i + 3] = body.numbers[RADIUS]
    }
    return balls
  })
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const list of lists) {
    all.set(list, at)
    at += list.length
  }
  return all
}

// Capsules and cylinders.

function fitRound(guest: Guest, round: Round, least: Least): Found {
  const { bodies, place } = guest
  const span = spanOf(bodies, place)
  const directions = [...AXES, ...leastFrame(span, 'volume'), ...span.normals, ...span.edges.map(({ along }) => along)]
  const fits = [leastAbout(span, directions, round, least)]
  const bent = bodies.filter(({ kind }) => kind !== POINTS)
  // Of a bent body, points on its surface are seen: its own axes may be better than they tell.
  if (bent.length > 0) for (const axis of axesOf(bent[0])) fits.push(fitAlong(span, axis, round, least, 1))
  const candidates = fits.map((found) =>
    round === 'capsule' ? capsuleOf(place, span, found) : cylinderOf(place, span, found),
  )
  if (round === 'capsule') {
    // The test of containment goes by pieces of a surface: what holds a polytope about bent bodies spares it the most of them.
    for (const capsule of candidates)
      for (const one of bent) widen(capsule as Enclosure & { kind: 'capsule' }, one, place)
    const sphere = fitSphere(guest, least).candidates[0] as Enclosure & { kind: 'sphere' }
    const at = [0, 1, 2].map((k) => sphere.position[k] - place[k]) as unknown as Vector
    candidates.push({ kind: 'capsule', position: place, a: at, b: at, radius: sphere.radius })
  }
  return { candidates, lower: hullMeasure(span, least) }
}

/** A point of the span, relative to the position of the body. */
function placed({ first, power }: Span, middle: Vector): Vector {
  return [0, 1, 2].map((k) => first[k] + scaleBy(middle[k], -power)) as unknown as Vector
}

function capsuleOf(position: Vector, span: Span, { axis, middle, radius, half }: AxisFit): Enclosure {
  const center = placed(span, middle)
  const end = (sign: number): Vector =>
    [0, 1, 2].map((k) => center[k] + sign * scaleBy(half * axis[k], -span.power)) as unknown as Vector
  return { kind: 'capsule', position, a: end(-1), b: end(1), radius: scaleBy(radius, -span.power) }
}

/** Makes the radius no less than the distance of the corners of a polytope about a bent body. */
function widen(capsule: Enclosure & { kind: 'capsule' }, body: Body, place: Vector): void {
  const { a, b } = capsule
  const points = outerPoints(body)
  const way: Vector = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
  const length = Math.hypot(...way)
  const [dx, dy, dz] = [0, 1, 2].map((k) => body.numbers[POSITION + k] - place[k] - a[k])
  spend(points.length >> 2)
  let farthest = 0
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = [points[i] + dx, points[i + 1] + dy, points[i + 2] + dz]
    const along = length > 0 ? (x * (way[0] / length) + y * (way[1] / length) + z * (way[2] / length)) / length : 0
    const t = Math.max(0, Math.min(1, along))
    farthest = Math.max(farthest, Math.hypot(x - t * way[0], y - t * way[1], z - t * way[2]))
  }
  capsule.radius = Math.max(capsule.radius, farthest * (1 + 64 * UNIT_ROUNDOFF))
}

const NAMES: readonly AxisName[] = ['x', 'y', 'z']

function cylinderOf(place: Vector, span: Span, { axis, middle, radius, half }: AxisFit): Enclosure {
  const center = placed(span, middle)
  const position: Vector = [place[0] + center[0], place[1] + center[1], place[2] + center[2]]
  const named = axis.findIndex((value) => Math.abs(value) === 1)
  return {
    kind: 'cylinder',
    position,
    orientation: named < 0 ? turnOfY(axis) : null,
    axis: named < 0 ? 'y' : NAMES[named],
    radius: scaleBy(radius, -span.power),
    height: scaleBy(2 * half, -span.power),
  }
}

/** The shortest turn that takes the y axis to a unit vector, or to its opposite if that is nearer. */
function turnOfY(axis: Vector): Orientation {
  const [x, y, z] = axis[1] < 0 ? [-axis[0], -axis[1], -axis[2]] : axis
  const length = Math.hypot(z, 1 + y, x)
  return [z / length, 0, -x / length, (1 + y) / length]
}
