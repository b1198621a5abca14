/**
 * Ray against capsules and rounded hulls, flat or solid.
 *
 * Method: the body is the union of its core, of prisms on the faces, of a cylinder about each edge and of a ball about each corner. Where
 * the line comes into the core's planes, moved out by the skin, over the face itself, it enters the body there; elsewhere through
 * the first of the cylinders and balls. Their chords are intervals, and so is the least of them, so what is seen twice at a seam makes
 * no difference.
 */

import { spend } from '../../containers/budget.ts'
import { type Body, type CoreSurface, RADIUS, REACH } from '../shape/body.ts'
import { edgesOf, planesOf, surfaceOf } from '../shape/core-surface.ts'
import { cross, dot, type Exact, exactVertex, isZero, minus } from '../shape/exact-points.ts'
import { RAY_PARALLEL_RATIO, SKIN_ERROR_RATIO, THIN_SKIN_RATIO } from '../tolerances.ts'
import { keepOutward } from './corner-normal.ts'
import {
  type Crossing,
  createStretch,
  cutBelow,
  cutBelowRoot,
  cutQuadric,
  type ExactRay,
  type ExactStretch,
  exactRay,
  faceNormal,
  fromFoot,
  isEmpty,
  roundedUnit,
  signFromOrigin,
  signPastEnd,
} from './exact-ray.ts'
import { clipByFaces, marginIn } from './ray-hull.ts'
import {
  createChord,
  createQuadric,
  createRaySpan,
  findChord,
  HIT,
  MISS,
  type Ray,
  type RayLine,
  type RaySpan,
  type SpanEnd,
  setFace,
  setFeature,
  setNormal,
  setPlace,
  settle,
  UNSURE,
  type Verdict,
} from './ray-line.ts'

const SEGMENT = Int32Array.of(0, 1)

const quadric = createQuadric()
const chord = createChord()
const outer = createRaySpan()

export function rayRounded(line: RayLine, body: Body, span: RaySpan): Verdict {
  const { count, numbers } = body
  span.enter.low = Infinity
  span.enter.high = Infinity
  span.enter.at = Infinity
  span.leave.low = -Infinity
  span.leave.high = -Infinity
  span.leave.at = -Infinity
  const surface = count > 2 ? surfaceOf(body) : null
  if (surface !== null && surface.dimension > 1) {
    const verdict = surface.dimension === 3 ? clipByFaces(line, body, surface, numbers[RADIUS], outer) : HIT
    if (verdict !== HIT) return verdict
    if (surface.dimension === 2 && !crossSheets(line, body, surface)) return UNSURE
    if (crossFaces(line, body, surface, span)) return settle(line, span, numbers[REACH])
  }
  const edges = surface === null ? SEGMENT : edgesOf(surface)
  spend((count + edges.length) >> 2)
  for (let i = 0; i < count; i++) addBall(line, body, i, span)
  for (let e = 0; e < edges.length; e += 2) addEdge(line, body, edges[e], edges[e + 1], span)
  if (span.enter.low === Infinity) return MISS
  if (!(span.enter.high < Infinity && span.leave.low > -Infinity)) return UNSURE
  const verdict = settle(line, span, numbers[REACH])
  if (verdict === HIT) {
    // A place that is sure may leave the normal of a thin skin open.
    const sure = THIN_SKIN_RATIO * numbers[RADIUS]
    if (span.enter.high - span.enter.low > sure) keepOutward(line, body, span.enter, -1)
    if (span.leave.high - span.leave.low > sure) keepOutward(line, body, span.leave, 1)
  }
  return verdict
}

/** Takes those ends of the outer span that lie over faces; true where both do. */
function crossFaces(line: RayLine, body: Body, surface: CoreSurface, span: RaySpan): boolean {
  const isSolid = surface.dimension === 3
  const enters = overFace(line, body, surface, outer.enter, isSolid && outer.enter.isTied)
  const leaves = overFace(line, body, surface, outer.leave, isSolid && outer.leave.isTied)
  if (enters === HIT) copyEnd(outer.enter, span.enter)
  else if (enters === UNSURE) span.enter.low = outer.enter.low
  if (leaves === HIT) copyEnd(outer.leave, span.leave)
  else if (leaves === UNSURE) span.leave.high = outer.leave.high
  return enters === HIT && leaves === HIT
}

/** Sets the outer span to where the line crosses the two planes of a flat core; false where it is too nearly parallel to them. */
function crossSheets(line: RayLine, body: Body, surface: CoreSurface): boolean {
  const radius = body.numbers[RADIUS]
  const planes = planesOf(body, surface)
  const slope = planes[0] * line.ux + planes[1] * line.uy + planes[2] * line.uz
  const height = planes[0] * line.qx + planes[1] * line.qy + planes[2] * line.qz - planes[3]
  const steep = Math.abs(slope)
  if (steep < RAY_PARALLEL_RATIO) return false
  const slack = (2 * (line.error + planes[4])) / steep
  const middle = -height / slope
  const side = slope < 0 ? 1 : -1
  setPlace(outer.enter, middle - radius / steep, slack)
  setPlace(outer.leave, middle + radius / steep, slack)
  setFace(outer.enter, slope < 0 ? 0 : 1)
  setFace(outer.leave, slope < 0 ? 1 : 0)
  setNormal(outer.enter, side * planes[0], side * planes[1], side * planes[2])
  setNormal(outer.leave, -side * planes[0], -side * planes[1], -side * planes[2])
  return true
}

/** Whether the end lies over its face; `isTied`: if not, it may lie over another, in the same plane but for rounding. */
function overFace(line: RayLine, body: Body, surface: CoreSurface, end: SpanEnd, isTied: boolean): Verdict {
  const slack = 4 * (end.high - end.low + line.error)
  const margin = marginIn(line, body, surface, end.face, end.at)
  return margin < -slack ? HIT : margin > slack && !isTied ? MISS : UNSURE
}

function copyEnd(from: SpanEnd, to: SpanEnd): void {
  to.at = from.at
  to.low = from.low
  to.high = from.high
  setNormal(to, from.nx, from.ny, from.nz)
  setFace(to, from.face)
}

function addBall(line: RayLine, { numbers, local }: Body, i: number, span: RaySpan): void {
  const at = local + 3 * i
  const radius = numbers[RADIUS]
  quadric.px = line.qx - numbers[at]
  quadric.py = line.qy - numbers[at + 1]
  quadric.pz = line.qz - numbers[at + 2]
  quadric.ux = line.ux
  quadric.uy = line.uy
  quadric.uz = line.uz
  quadric.error = line.error
  setRound(radius)
  const verdict = findChord(quadric, chord)
  if (verdict === MISS) return
  if (verdict === UNSURE) {
    setDoubt(radius)
    widen(span, chord.low, chord.high)
    return
  }
  if (comesFirst(span.enter, chord.low, chord.low - chord.slack, chord.low + chord.slack)) {
    setFeature(span.enter, i, -1)
    setRadial(span.enter)
  }
  if (comesLast(span.leave, chord.high, chord.high - chord.slack, chord.high + chord.slack)) {
    setFeature(span.leave, i, -1)
    setRadial(span.leave)
  }
}

function setRound(radius: number): void {
  quadric.wx = 1
  quadric.wy = 1
  quadric.wz = 1
  quadric.k = radius * radius
}

/** The normal from the middle of the quadric. */
function setRadial(end: SpanEnd): void {
  const { px, py, pz, ux, uy, uz } = quadric
  const x = px + end.at * ux
  const y = py + end.at * uy
  const z = pz + end.at * uz
  const length = Math.sqrt(x * x + y * y + z * z)
  setNormal(end, x / length, y / length, z / length)
}

/** Sets the chord to more than a line has that only just meets the round, if at all: that of what rounding may have added to the radius. */
function setDoubt(radius: number): void {
  const { px, py, pz, ux, uy, uz, error } = quadric
  const square = ux * ux + uy * uy + uz * uz
  const middle = -(px * ux + py * uy + pz * uz) / square
  const half = Math.sqrt((64 * error * (radius + error)) / square)
  chord.low = middle - half
  chord.high = middle + half
  chord.slack = 0
}

/** Takes into account what may be met between these. */
function widen({ enter, leave }: RaySpan, low: number, high: number): void {
  if (low < enter.low) enter.low = low
  if (high > leave.high) leave.high = high
}

/** Takes an end into account that the body is met at; true where that is the first so far. */
function comesFirst(end: SpanEnd, at: number, low: number, high: number): boolean {
  if (low < end.low) end.low = low
  if (high < end.high) end.high = high
  if (at >= end.at) return false
  end.at = at
  return true
}

function comesLast(end: SpanEnd, at: number, low: number, high: number): boolean {
  if (high > end.high) end.high = high
  if (low > end.low) end.low = low
  if (at <= end.at) return false
  end.at = at
  return true
}

/** The cylinder about the edge, between the planes through its ends. */
function addEdge(line: RayLine, { numbers, local }: Body, i: number, j: number, span: RaySpan): void {
  const a = local + 3 * i
  const b = local + 3 * j
  let ex = numbers[b] - numbers[a]
  let ey = numbers[b + 1] - numbers[a + 1]
  let ez = numbers[b + 2] - numbers[a + 2]
  const length = Math.sqrt(ex * ex + ey * ey + ez * ez)
  // The ball about either end is all there is.
  if (length === 0) return
  ex /= length
  ey /= length
  ez /= length
  const { ux, uy, uz, error } = line
  const radius = numbers[RADIUS]
  const reach = numbers[REACH]
  const px = line.qx - numbers[a]
  const py = line.qy - numbers[a + 1]
  const pz = line.qz - numbers[a + 2]
  const height = px * ex + py * ey + pz * ez
  const slope = ux * ex + uy * ey + uz * ez
  quadric.px = px - height * ex
  quadric.py = py - height * ey
  quadric.pz = pz - height * ez
  quadric.ux = ux - slope * ex
  quadric.uy = uy - slope * ey
  quadric.uz = uz - slope * ez
  quadric.error = 2 * error
  setRound(radius)
  const across = quadric.ux * quadric.ux + quadric.uy * quadric.uy + quadric.uz * quadric.uz
  const verdict = across < RAY_PARALLEL_RATIO ? alongside(radius, reach, across) : findChord(quadric, chord)
  if (verdict === MISS) return
  if (verdict === UNSURE && across >= RAY_PARALLEL_RATIO) setDoubt(radius)
  // Between the planes through the ends.
  let low = -Infinity
  let high = Infinity
  let slack = 0
  const steep = Math.abs(slope)
  let isSure = verdict === HIT
  if (steep < RAY_PARALLEL_RATIO) {
    const margin = 2 * error + 4 * RAY_PARALLEL_RATIO * reach
    if (height < -margin || height > length + margin) return
    if (height < margin || height > length - margin) isSure = false
  } else {
    const first = -height / slope
    const last = (length - height) / slope
    low = Math.min(first, last)
    high = Math.max(first, last)
    slack = (4 * error) / steep
  }
  const enter = Math.max(chord.low, low)
  const leave = Math.min(chord.high, high)
  const enterSlack = slackOf(chord.low - low, slack)
  const leaveSlack = slackOf(high - chord.high, slack)
  if (enter - enterSlack > leave + leaveSlack) return
  if (!isSure || enter + enterSlack > leave - leaveSlack) {
    widen(span, enter - enterSlack, leave + leaveSlack)
    return
  }
  // A cut through the cylinder is no end of the body: a ball lies beyond it, or another edge.
  if (comesFirst(span.enter, enter, enter - enterSlack, enter + enterSlack)) {
    setFeature(span.enter, i, j)
    setRadial(span.enter)
  }
  if (comesLast(span.leave, leave, leave - leaveSlack, leave + leaveSlack)) {
    setFeature(span.leave, i, j)
    setRadial(span.leave)
  }
}

/** Of an end of both the chord and a stretch of that slack, by how far the chord's lies within. */
function slackOf(within: number, slack: number): number {
  const both = slack + chord.slack
  return within > both ? chord.slack : within < -both ? slack : both
}

/** The chord of a line along the edge: all of it, or nothing. */
function alongside(radius: number, reach: number, across: number): Verdict {
  const { px, py, pz, error } = quadric
  const margin = error + 4 * Math.sqrt(across) * reach
  const beyond = Math.sqrt(px * px + py * py + pz * pz) - radius
  chord.low = -Infinity
  chord.high = Infinity
  chord.slack = 0
  return beyond > margin ? MISS : beyond > -margin ? UNSURE : HIT
}

// Exact ray against what is made of balls and of cylinders about edges: points, segments, spheres, capsules, and the skins of hulls.
//
// Method: the body is convex and the union of these, and of prisms on its faces. The ray meets each along an exact stretch; the
// body from the least beginning to the greatest end of them, and where these lie from the origin and from the ray's end is asked of
// each by itself: no two roots are ever compared. Without a skin the balls are points and the cylinders segments. The core itself is
// left out: the line leaves it through its skin.
// World vertex = position + vertex, taken exactly. Only pieces that rounding cannot rule out are looked at.

const DEGREE = 28

/** Steps of an exact piece. */
const PIECE_STEPS = 64

const NONE = new Int32Array(0)

/** Core points, edges and faces whose pieces may be met. */
interface Pieces {
  corners: number[]
  edges: number[]
  faces: number[]
}

/** The union of the pieces met so far. */
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
    for (const i of pieces.corners) addExactBall(exact, line, body, i, union, span)
    // Without a skin the line goes through the segment's end, or along the segment from end to end.
    const isEnd = union.isMet && body.numbers[RADIUS] === 0
    if (!isEnd)
      for (const e of pieces.edges) addExactEdge(exact, line, body, edges[2 * e], edges[2 * e + 1], union, span)
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

/** Takes a piece into account; calls `setFound` for an end that is the first or last so far. */
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

function addExactBall<T>(exact: ExactRay<T>, line: RayLine, body: Body, i: number, union: Union, span: RaySpan): void {
  spend(PIECE_STEPS)
  const { ring, origin, direction, square } = exact
  const way = minus(ring, origin, exactVertex(ring, body, i))
  const radius = ring.of(body.numbers[RADIUS])
  const stretch = createStretch<T>()
  const constant = ring.sub(dot(ring, way, way), ring.mul(radius, radius))
  cutQuadric(exact, stretch, square, dot(ring, way, direction), constant, false, 0)
  addStretch(exact, stretch, union, span, (end, side) => {
    setFeature(end, body.count === 1 && body.numbers[RADIUS] > 0 ? -1 : i, -1)
    setExactRadial(line, body, i, i, end, side)
  })
}

/** The cylinder about the edge, between the planes through its ends. */
function addExactEdge<T>(
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
    setExactRadial(line, body, i, j, end, side)
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
function setExactRadial(line: RayLine, body: Body, i: number, j: number, end: SpanEnd, side: -1 | 1): void {
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
