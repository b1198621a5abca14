/**
 * Exact ray against what is made of balls and of cylinders about edges: points, segments, spheres, capsules, and the skins of hulls.
 *
 * Method: the body is convex and the union of these, and of prisms on its faces. Each is met along a stretch that is told exactly; the
 * body from the least beginning to the greatest end of them, and where these lie from the origin and from the ray's end is asked of
 * each by itself: no two roots are ever compared. Without a skin the balls are points and the cylinders segments. The core itself is
 * left out: the line leaves it through its skin.
 * World vertex = position + vertex, taken exactly. Only pieces that rounding cannot rule out are looked at.
 */

import { spend } from '../../containers/budget.ts'
import { type Body, type CoreSurface, RADIUS } from '../shape/body.ts'
import { edgesOf } from '../shape/core-surface.ts'
import { cross, dot, type Exact, exactVertex, isZero, minus } from '../shape/exact-points.ts'
import { SKIN_ERROR_RATIO } from '../tolerances.ts'
import { keepOutward } from './corner-normal.ts'
import { type Crossing, type ExactRay, exactRay, fromFoot, signFromOrigin, signPastEnd } from './exact-ray.ts'
import { faceNormal, roundedUnit } from './exact-ray-hull.ts'
import { createStretch, cutBelow, cutBelowRoot, cutQuadric, type ExactStretch, isEmpty } from './exact-stretch.ts'
import type { Ray, RayLine } from './ray-line.ts'
import { type RaySpan, type SpanEnd, setFace, setFeature, setNormal, setPlace } from './ray-span.ts'

const DEGREE = 28

/** Steps of an exact piece. */
const PIECE_STEPS = 64

const SEGMENT = Int32Array.of(0, 1)
const NONE = new Int32Array(0)

/** Core points, edges and faces whose pieces may be met. */
interface Pieces {
  corners: number[]
  edges: number[]
  faces: number[]
}

/** What the pieces say together. */
interface Union {
  isMet: boolean
  /** Whether some piece begins at the origin or before it, some ends there or behind, some begins within the ray's length. */
  begins: boolean
  ends: boolean
  isReached: boolean
  /** Whether all of them end within the ray's length. */
  exits: boolean
}

/** `surface`: the exact one of a body of three core points or more. */
export function exactRayRounded(
  line: RayLine,
  ray: Ray,
  body: Body,
  surface: CoreSurface | null,
  span: RaySpan,
): boolean {
  const pieces = nearPieces(line, body, surface)
  const edges = coreEdges(body, surface)
  return exactRay(ray, body, [], DEGREE, (exact) => {
    const union: Union = { isMet: false, begins: false, ends: false, isReached: false, exits: true }
    setPlace(span.enter, Infinity, 0)
    setPlace(span.leave, -Infinity, 0)
    for (const i of pieces.corners) addBall(exact, line, body, i, union, span)
    // Without a skin the line goes through the segment's end, or along the segment from end to end.
    const isEnd = union.isMet && body.numbers[RADIUS] === 0
    if (!isEnd) for (const e of pieces.edges) addEdge(exact, line, body, edges[2 * e], edges[2 * e + 1], union, span)
    if (surface !== null) for (const f of pieces.faces) addPrism(exact, body, surface, f, union, span)
    span.inside = union.begins && union.ends
    span.exits = union.exits
    keepOutward(line, body, span.enter, -1)
    keepOutward(line, body, span.leave, 1)
    return union.isMet && union.ends && union.isReached
  })
}

function coreEdges({ count }: Body, surface: CoreSurface | null): Int32Array {
  return surface === null ? (count > 1 ? SEGMENT : NONE) : edgesOf(surface)
}

/** Pieces within reach of the line, by rounded arithmetic. */
function nearPieces(line: RayLine, body: Body, surface: CoreSurface | null): Pieces {
  const { numbers, local, count } = body
  const { qx, qy, qz, ux, uy, uz } = line
  const edges = coreEdges(body, surface)
  const limit = numbers[RADIUS] + 4 * line.error
  spend(count + edges.length)
  // Of each corner what leads from the line to it, and where its foot lies.
  const away = new Float64Array(4 * count)
  const near: number[] = []
  for (let i = 0; i < count; i++) {
    const x = numbers[local + 3 * i] - qx
    const y = numbers[local + 3 * i + 1] - qy
    const z = numbers[local + 3 * i + 2] - qz
    const along = x * ux + y * uy + z * uz
    away[4 * i] = x - along * ux
    away[4 * i + 1] = y - along * uy
    away[4 * i + 2] = z - along * uz
    away[4 * i + 3] = along
    if (!(Math.hypot(away[4 * i], away[4 * i + 1], away[4 * i + 2]) > limit)) near.push(i)
  }
  const nearEdges: number[] = []
  for (let e = 0; 2 * e < edges.length; e++) {
    if (!(edgeDistance(away, edges[2 * e], edges[2 * e + 1]) > limit)) nearEdges.push(e)
  }
  const faces: number[] = []
  if (surface !== null && surface.dimension > 1 && numbers[RADIUS] > 0) {
    for (let f = 0; f + 1 < surface.starts.length; f++) if (mayCross(line, body, surface, f)) faces.push(f)
  }
  return { corners: near, edges: nearEdges, faces }
}

/** How far the line is from the edge, seen along the line. */
function edgeDistance(away: Float64Array, i: number, j: number): number {
  const x = away[4 * i]
  const y = away[4 * i + 1]
  const z = away[4 * i + 2]
  const ex = away[4 * j] - x
  const ey = away[4 * j + 1] - y
  const ez = away[4 * j + 2] - z
  const square = ex * ex + ey * ey + ez * ez
  const t = square > 0 ? Math.min(Math.max(-(x * ex + y * ey + z * ez) / square, 0), 1) : 0
  return Math.hypot(x + t * ex, y + t * ey, z + t * ez)
}

/** Whether the line may come through the prism of the face: its balls' shadow about the face's middle tells most that it does not. */
function mayCross(line: RayLine, body: Body, { starts, corners }: CoreSurface, f: number): boolean {
  const { numbers, local } = body
  spend(1 + ((starts[f + 1] - starts[f]) >> 2))
  const size = starts[f + 1] - starts[f]
  let x = 0
  let y = 0
  let z = 0
  for (let c = starts[f]; c < starts[f + 1]; c++) {
    const at = local + 3 * corners[c]
    x += numbers[at] / size
    y += numbers[at + 1] / size
    z += numbers[at + 2] / size
  }
  let reach = 0
  for (let c = starts[f]; c < starts[f + 1]; c++) {
    const at = local + 3 * corners[c]
    reach = Math.max(reach, Math.hypot(numbers[at] - x, numbers[at + 1] - y, numbers[at + 2] - z))
  }
  const wayX = x - line.qx
  const wayY = y - line.qy
  const wayZ = z - line.qz
  const along = wayX * line.ux + wayY * line.uy + wayZ * line.uz
  const apart = Math.hypot(wayX - along * line.ux, wayY - along * line.uy, wayZ - along * line.uz)
  return !(apart > reach + numbers[RADIUS] + 4 * line.error)
}

/** Takes a piece into account; `setFound` is told of an end where it is the first or last so far. */
function addStretch<T>(
  exact: ExactRay<T>,
  stretch: ExactStretch<T>,
  union: Union,
  span: RaySpan,
  setFound: (end: SpanEnd, side: -1 | 1) => void,
): void {
  const { enter, leave } = stretch
  if (enter === null || leave === null || isEmpty(exact, stretch)) return
  union.isMet = true
  const begins = signFromOrigin(exact, enter) <= 0
  if (begins) union.begins = true
  if (signFromOrigin(exact, leave) >= 0) union.ends = true
  if (begins || signPastEnd(exact, enter) <= 0) union.isReached = true
  if (signPastEnd(exact, leave) > 0) union.exits = false
  takeEnd(exact, enter, span.enter, -1, setFound)
  takeEnd(exact, leave, span.leave, 1, setFound)
}

function takeEnd<T>(
  exact: ExactRay<T>,
  crossing: Crossing<T>,
  end: SpanEnd,
  side: -1 | 1,
  setFound: (end: SpanEnd, side: -1 | 1) => void,
): void {
  const at = fromFoot(exact, crossing)
  if (side * at <= side * end.at) return
  setPlace(end, at, 0)
  setFound(end, side)
}

function addBall<T>(exact: ExactRay<T>, line: RayLine, body: Body, i: number, union: Union, span: RaySpan): void {
  spend(PIECE_STEPS)
  const { ring, origin, direction, square } = exact
  const way = minus(ring, origin, exactVertex(ring, body, i))
  const radius = ring.of(body.numbers[RADIUS])
  const stretch = createStretch<T>()
  const constant = ring.sub(dot(ring, way, way), ring.mul(radius, radius))
  cutQuadric(exact, stretch, square, dot(ring, way, direction), constant, false, 0)
  addStretch(exact, stretch, union, span, (end, side) => {
    setFeature(end, body.count === 1 && body.numbers[RADIUS] > 0 ? -1 : i, -1)
    setRadial(line, body, i, i, end, side)
  })
}

/** The cylinder about the edge, between the planes through its ends. */
function addEdge<T>(
  exact: ExactRay<T>,
  line: RayLine,
  body: Body,
  i: number,
  j: number,
  union: Union,
  span: RaySpan,
): void {
  spend(PIECE_STEPS)
  const { ring, origin, direction } = exact
  const { sub, mul, sign, integer } = ring
  const start = exactVertex(ring, body, i)
  const edge = minus(ring, exactVertex(ring, body, j), start)
  if (isZero(ring, edge)) return
  const zero = integer(0)
  const way = minus(ring, origin, start)
  const radius = ring.of(body.numbers[RADIUS])
  const length = dot(ring, edge, edge)
  const around = cross(ring, edge, way)
  const across = cross(ring, edge, direction)
  const square = dot(ring, across, across)
  const constant = sub(dot(ring, around, around), mul(mul(radius, radius), length))
  const stretch = createStretch<T>()
  const height = dot(ring, edge, way)
  const slope = dot(ring, edge, direction)
  cutBelow(exact, stretch, sub(zero, height), sub(zero, slope), 1)
  cutBelow(exact, stretch, sub(height, length), slope, 1)
  if (sign(square) === 0) {
    if (sign(constant) > 0) stretch.isEmpty = true
  } else cutQuadric(exact, stretch, square, dot(ring, around, across), constant, false, 0)
  addStretch(exact, stretch, union, span, (end, side) => {
    setFeature(end, i, j)
    setRadial(line, body, i, j, end, side)
  })
}

/** Where the line comes through the prism of face `f`, from the face to its plane moved out by the skin. */
function addPrism<T>(
  exact: ExactRay<T>,
  body: Body,
  surface: CoreSurface,
  f: number,
  union: Union,
  span: RaySpan,
): void {
  const { ring, origin, direction } = exact
  const { sub, integer } = ring
  const zero = integer(0)
  const { starts, corners } = surface
  const around = corners.subarray(starts[f], starts[f + 1])
  spend(PIECE_STEPS * around.length)
  const normal = faceNormal(ring, body, around)
  const stretch = createStretch<T>()
  const height = dot(ring, normal, minus(ring, origin, exactVertex(ring, body, around[0])))
  const slope = dot(ring, normal, direction)
  for (let c = 0; c < around.length; c++) {
    const start = exactVertex(ring, body, around[c])
    const edge = minus(ring, exactVertex(ring, body, around[(c + 1) % around.length]), start)
    const outward: Exact<T> = cross(ring, edge, normal)
    cutBelow(exact, stretch, dot(ring, outward, minus(ring, origin, start)), dot(ring, outward, direction), 1)
  }
  cutBelow(exact, stretch, sub(zero, height), sub(zero, slope), 1)
  const radius = ring.of(body.numbers[RADIUS])
  cutBelowRoot(exact, stretch, height, slope, radius, dot(ring, normal, normal), 0)
  addStretch(exact, stretch, union, span, (end) => {
    setFace(end, f)
    const [x, y, z] = roundedUnit(ring, normal)
    setNormal(end, x, y, z)
  })
}

/** The normal away from the line through core points i and j, which may be one; without a skin the ray's way itself, across that line. */
function setRadial(line: RayLine, body: Body, i: number, j: number, end: SpanEnd, side: -1 | 1): void {
  const { numbers, local } = body
  const a = local + 3 * i
  const b = local + 3 * j
  const radius = numbers[RADIUS]
  const x = line.qx + end.at * line.ux - numbers[a]
  const y = line.qy + end.at * line.uy - numbers[a + 1]
  const z = line.qz + end.at * line.uz - numbers[a + 2]
  const ex = numbers[b] - numbers[a]
  const ey = numbers[b + 1] - numbers[a + 1]
  const ez = numbers[b + 2] - numbers[a + 2]
  const square = ex * ex + ey * ey + ez * ez
  const along = square > 0 ? (x * ex + y * ey + z * ez) / square : 0
  const length = Math.hypot(x - along * ex, y - along * ey, z - along * ez)
  // A skin that is next to nothing beside the body has no side that rounding could tell.
  if (radius > 0 && Math.abs(length - radius) < SKIN_ERROR_RATIO * radius) {
    setNormal(end, (x - along * ex) / length, (y - along * ey) / length, (z - along * ez) / length)
  } else setNormal(end, side * line.ux, side * line.uy, side * line.uz)
}
