/**
 * Paths: pieces of the boundary of what is forbidden, followed away from the origin in search of a free translation.
 *
 * A path is a stretch of a straight line or of a circle on which the distance from the origin grows: it begins at its
 * point nearest to the origin. Where that lies between the ends, one path stands for both directions at first, and is split
 * when its beginning turns out to be forbidden.
 * Frame: translations of B from where it stands.
 */

import { LEAST_NORMAL } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { type CObstacle, coreDistance, distanceAlong, endAlongLine, endHeight, startAlongLine } from './c-obstacle.ts'

/** Flat storage: FIELDS numbers for each path. */
export interface Paths {
  /** Places in use, those of paths that have ended among them. */
  count: number
  data: Float64Array
  /** The place given back last, whose first field names the one before; −1: none. */
  free: number
  /** The paths that have been added since this list was emptied. */
  added: number[]
  /** The parts of both bodies that the paths added next belong to; −1: none. */
  partA: number
  partB: number
}

const FIELDS = 13
/** Of a line its beginning and unit direction, of a circle its centre and the unit direction of the beginning. */
const X = 0
const Y = 1
const UX = 2
const UY = 3
/** Of a line its unit normal on the free side; of a circle its radius (> 0) and 1 or −1, counter-clockwise or clockwise. */
const NX = 4
const NY = 5
const IS_ARC = 6
/** Length, or angle: how far the path goes, how far in the other direction (0: it does not), and where the search stands. */
const END = 7
const BACK = 8
const AT = 9
/** AT without the tolerance by which a path goes beyond the obstacle that it leaves. */
const TRUE_AT = 10
const PART_A = 11
const PART_B = 12

export function createPaths(): Paths {
  return { count: 0, data: new Float64Array(64 * FIELDS), free: -1, added: [], partA: -1, partB: -1 }
}

/** Paths for which the memory is kept. */
const KEPT_COUNT = 2 ** 12

/** Forgets all paths; what a long search needed is given back. */
export function clearPaths(paths: Paths): void {
  if (paths.data.length > KEPT_COUNT * FIELDS) Object.assign(paths, createPaths())
  paths.count = 0
  paths.free = -1
  paths.added.length = 0
  paths.partA = -1
  paths.partB = -1
}

/** Gives a path's place to the next one. */
export function endPath(paths: Paths, path: number): void {
  paths.data[path * FIELDS] = paths.free
  paths.free = path
}

/** Forgets the path that was added last. */
export function takeBack(paths: Paths, path: number): void {
  paths.added.pop()
  endPath(paths, path)
}

function newPath(paths: Paths): number {
  if (paths.free >= 0) {
    const path = paths.free
    paths.free = paths.data[path * FIELDS]
    return path
  }
  const path = paths.count++
  if (paths.count * FIELDS > paths.data.length) {
    const grown = new Float64Array(2 * paths.data.length)
    grown.set(paths.data)
    paths.data = grown
  }
  return path
}

/** The fields of a stored path, in their order. */
interface PathFields {
  isArc: number
  x: number
  y: number
  ux: number
  uy: number
  nx: number
  ny: number
  end: number
  back: number
}

function putPath(paths: Paths, { isArc, x, y, ux, uy, nx, ny, end, back }: PathFields): number {
  const path = newPath(paths)
  paths.added.push(path)
  const { data } = paths
  const f = path * FIELDS
  data[f + X] = x
  data[f + Y] = y
  data[f + UX] = ux
  data[f + UY] = uy
  data[f + NX] = nx
  data[f + NY] = ny
  data[f + IS_ARC] = isArc
  data[f + END] = end
  data[f + BACK] = back
  data[f + AT] = 0
  data[f + TRUE_AT] = 0
  data[f + PART_A] = paths.partA
  data[f + PART_B] = paths.partB
  return path
}

/** A segment of `length` (Infinity both ways: the line) from (x, y) to the left of the free side (nx, ny). */
interface Segment {
  x: number
  y: number
  nx: number
  ny: number
  length: number
}

/**
 * Adds a segment. Returns the path, or −1 when the origin lies on the free side of it: a way that begins within what is forbidden does not end there.
 */
export function addLine(paths: Paths, { x, y, nx, ny, length }: Segment, tolerance: number): number {
  const height = nx * x + ny * y
  if (height < -tolerance) return -1
  const ux = -ny
  const uy = nx
  const foot = length === Infinity ? length : -(ux * x + uy * y)
  if (foot <= 0) return putPath(paths, { isArc: 0, x, y, ux, uy, nx, ny, end: length, back: 0 })
  if (foot >= length && length < Infinity) {
    const far = { x: x + length * ux, y: y + length * uy, ux: -ux, uy: -uy }
    return putPath(paths, { isArc: 0, ...far, nx, ny, end: length, back: 0 })
  }
  const rest = length === Infinity ? length : length - foot
  return putPath(paths, { isArc: 0, x: height * nx, y: height * ny, ux, uy, nx, ny, end: rest, back: foot })
}

/** A circle about (x, y), and a unit direction from there. */
interface CircleFrom {
  x: number
  y: number
  radius: number
  fx: number
  fy: number
}

/** Adds the arc of a circle from its direction counter-clockwise over `span` radians (2π: all of it), as one or two paths. */
export function addArc(paths: Paths, circle: CircleFrom, span: number): void {
  const { x, y, radius, fx, fy } = circle
  // By what lies below the normal doubles there is no unit direction: a power of two brings it above them.
  const raised = vectorLength(x, y) < LEAST_NORMAL ? 1 / LEAST_NORMAL : 1
  const away = vectorLength(x * raised, y * raised)
  // Where the arc is nearest to the origin; any direction will do about the origin itself.
  const nearX = away > 0 ? (-x * raised) / away : fx
  const nearY = away > 0 ? (-y * raised) / away : fy
  let near = Math.atan2(fx * nearY - fy * nearX, fx * nearX + fy * nearY)
  if (near < 0) near += 2 * Math.PI
  if (span >= 2 * Math.PI) {
    putPath(paths, { isArc: 1, x, y, ux: nearX, uy: nearY, nx: radius, ny: 1, end: Math.PI, back: Math.PI })
    return
  }
  const far = near < Math.PI ? near + Math.PI : near - Math.PI
  if (near <= span) {
    // Beyond the farthest point the distance shrinks again: that is the other path's share.
    const end = far > near && far < span ? far : span
    const back = far < near ? far : 0
    putPath(paths, { isArc: 1, x, y, ux: nearX, uy: nearY, nx: radius, ny: 1, end: end - near, back: near - back })
    if (end < span) addArcFrom(paths, circle, span, -1, span - end)
    else if (back > 0) addArcFrom(paths, circle, 0, 1, back)
    return
  }
  const middle = far > near ? 0 : Math.min(far, span)
  if (middle > 0) addArcFrom(paths, circle, 0, 1, middle)
  if (middle < span) addArcFrom(paths, circle, span, -1, span - middle)
}

/** A path that begins at `angle` from (fx, fy) and turns counter-clockwise (`turn` 1) or clockwise (−1). */
function addArcFrom(paths: Paths, circle: CircleFrom, angle: number, turn: number, end: number): void {
  const { x, y, radius, fx, fy } = circle
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const ux = fx * cos - fy * sin
  const uy = fx * sin + fy * cos
  putPath(paths, { isArc: 1, x, y, ux, uy, nx: radius, ny: turn, end, back: 0 })
}

/** A point of a path: the translation, the free side there, and the direction in which the path goes on. */
export interface PathPoint {
  x: number
  y: number
  nx: number
  ny: number
  ux: number
  uy: number
  /** The parts whose obstacle the path bounds; −1 beside a half-plane. */
  partA: number
  partB: number
}

export function createPathPoint(): PathPoint {
  return { x: 0, y: 0, nx: 0, ny: 0, ux: 0, uy: 0, partA: -1, partB: -1 }
}

/** Where the search stands on the path; with `exact`, where the obstacle behind it truly ends. */
export function setPathPoint({ data }: Paths, path: number, exact: boolean, out: PathPoint): void {
  const f = path * FIELDS
  const at = data[f + (exact ? TRUE_AT : AT)]
  const x = data[f + X]
  const y = data[f + Y]
  const ux = data[f + UX]
  const uy = data[f + UY]
  out.partA = data[f + PART_A]
  out.partB = data[f + PART_B]
  if (data[f + IS_ARC] === 0) {
    out.x = x + at * ux
    out.y = y + at * uy
    out.nx = data[f + NX]
    out.ny = data[f + NY]
    out.ux = ux
    out.uy = uy
    return
  }
  const radius = data[f + NX]
  const turn = data[f + NY]
  const cos = Math.cos(at)
  const sin = turn * Math.sin(at)
  out.nx = ux * cos - uy * sin
  out.ny = ux * sin + uy * cos
  out.x = x + radius * out.nx
  out.y = y + radius * out.ny
  out.ux = -turn * out.ny
  out.uy = turn * out.nx
}

/** Where a path ends that has just begun, in the direction that it has first or in the other one; it is a straight one. */
export function setLineEnd({ data }: Paths, path: number, back: boolean, out: PathPoint): void {
  const f = path * FIELDS
  const at = back ? -data[f + BACK] : data[f + END]
  out.x = data[f + X] + at * data[f + UX]
  out.y = data[f + Y] + at * data[f + UY]
}

export function isLine({ data }: Paths, path: number): boolean {
  return data[path * FIELDS + IS_ARC] === 0
}

/** Centre and radius of a circular path. */
export function setCircleOf({ data }: Paths, path: number, out: { x: number; y: number; radius: number }): void {
  const f = path * FIELDS
  out.x = data[f + X]
  out.y = data[f + Y]
  out.radius = data[f + NX]
}

/** Whether the search stands where the path began. */
export function isAtBeginning({ data }: Paths, path: number): boolean {
  return data[path * FIELDS + AT] === 0
}

/** Makes the other direction of the path, if it has one, a path of its own; −1 when not. */
export function splitPath(paths: Paths, path: number): number {
  const { data } = paths
  const f = path * FIELDS
  const back = data[f + BACK]
  if (back === 0) return -1
  data[f + BACK] = 0
  const turn = data[f + IS_ARC] === 0 ? -1 : 1
  const ny = data[f + IS_ARC] === 0 ? data[f + NY] : -data[f + NY]
  const ux = turn * data[f + UX]
  const uy = turn * data[f + UY]
  paths.partA = data[f + PART_A]
  paths.partB = data[f + PART_B]
  const place = { x: data[f + X], y: data[f + Y] }
  return putPath(paths, { isArc: data[f + IS_ARC], ...place, ux, uy, nx: data[f + NX], ny, end: back, back: 0 })
}

const arc: Arc = { cx: 0, cy: 0, radius: 0, dx: 0, dy: 0, turn: 1 }

/** Sets `arc` to go on from `point` of a circular path. */
function setArc({ data }: Paths, path: number, point: PathPoint): void {
  const f = path * FIELDS
  arc.cx = data[f + X]
  arc.cy = data[f + Y]
  arc.radius = data[f + NX]
  arc.turn = data[f + NY]
  arc.dx = point.nx
  arc.dy = point.ny
}

/** Moves the search on by `step`, truly `trueStep`; false when that is beyond the end of the path. */
function advance({ data }: Paths, path: number, step: number, trueStep: number, least: number): boolean {
  const f = path * FIELDS
  const at = data[f + AT]
  data[f + TRUE_AT] = at + (trueStep > 0 && trueStep < 2 * step ? trueStep : step)
  // Rounding must not hold the search up.
  data[f + AT] = at + Math.max(step, least)
  return data[f + AT] <= data[f + END]
}

/** How far a path goes from a point, a length or an angle: until it is clear of an obstacle, and until that truly ends. */
export interface Way {
  step: number
  trueStep: number
  /** The length of 1. */
  unit: number
}

/** Sets `way` from `point` of a path to where it leaves the obstacle. */
export function measureWay(
  paths: Paths,
  path: number,
  point: PathPoint,
  o: CObstacle,
  tolerance: number,
  way: Way,
): void {
  const { nx, ny } = point
  way.unit = 1
  if (paths.data[path * FIELDS + IS_ARC] === 0) {
    way.step = endAlongLine(o, point, nx, ny, tolerance, 1)
    way.trueStep = endAlongLine(o, point, nx, ny, tolerance, 0)
    return
  }
  setArc(paths, path, point)
  way.step = endAlongArc(o, arc, 0, tolerance, 1)
  // Where the path has only just entered, the true boundary is crossed there too.
  way.trueStep = endAlongArc(o, arc, way.step / 2, tolerance, 0)
  way.unit = arc.radius
}

/** Moves the search on by a way found so; false when that is beyond the end of the path. */
export function leaveObstacle(paths: Paths, path: number, { step, trueStep, unit }: Way, tolerance: number): boolean {
  return advance(paths, path, step, trueStep, tolerance / (4 * unit))
}

/** Goes on until the path leaves the half-plane of all t with n·t < height. */
export function leaveHalfplane(
  paths: Paths,
  path: number,
  point: PathPoint,
  nx: number,
  ny: number,
  height: number,
  tolerance: number,
): boolean {
  const gap = height - (nx * point.x + ny * point.y)
  if (paths.data[path * FIELDS + IS_ARC] === 0) {
    const rate = nx * point.ux + ny * point.uy
    if (rate <= 0) return false
    return advance(paths, path, (gap - tolerance / 2) / rate, gap / rate, tolerance / 4)
  }
  setArc(paths, path, point)
  const { cx, cy, radius, dx, dy, turn } = arc
  // The nearer of the two directions of the circle that reach the height.
  const level = (height - tolerance / 2 - (nx * cx + ny * cy)) / radius
  if (Math.abs(level) > 1) return false
  const half = Math.acos(level)
  const toNormal = turn * Math.atan2(dx * ny - dy * nx, dx * nx + dy * ny)
  const step = toNormal >= 0 ? toNormal - half : toNormal + 2 * Math.PI - half
  return advance(paths, path, step, step, tolerance / (4 * radius))
}

/** How far beyond `point` the path first meets the obstacle's boundary (a length or an angle); Infinity when it does not. */
export function wayToObstacle(paths: Paths, path: number, point: PathPoint, o: CObstacle, tolerance: number): number {
  if (paths.data[path * FIELDS + IS_ARC] === 0) {
    return startAlongLine(o, point, 4 * tolerance, tolerance)
  }
  setArc(paths, path, point)
  return startAlongArc(o, arc, (4 * tolerance) / arc.radius, tolerance)
}

/** Moves the search on by a way found so; false when that is beyond the end of the path. */
export function goToObstacle(paths: Paths, path: number, way: number): boolean {
  return way < Infinity && advance(paths, path, way, way, 0)
}

// Where a circular path of translations leaves or meets an obstacle.
//
// Method: every crossing of the path's circle with the lines and circles that bound the obstacle, and of those the first that
// is on the boundary itself.
// Frame: as the obstacle's.

/** A circle about (cx, cy), gone along from the unit direction (dx, dy) counter-clockwise (`turn` 1) or clockwise (−1). */
interface Arc {
  cx: number
  cy: number
  radius: number
  dx: number
  dy: number
  turn: number
}

/** Direction of the last crossing. */
let crossX = 0
let crossY = 0

/** Angle along the arc to the direction that is arccos(cosine) to the left (`side` 1) or right (−1) of (nx, ny). */
function angleTo({ dx, dy, turn }: Arc, nx: number, ny: number, cosine: number, side: number): number {
  const sine = side * Math.sqrt((1 - cosine) * (1 + cosine))
  crossX = cosine * nx - sine * ny
  crossY = cosine * ny + sine * nx
  const angle = Math.atan2(turn * (dx * crossY - dy * crossX), dx * crossX + dy * crossY)
  return angle < 0 ? angle + 2 * Math.PI : angle
}

/**
 * The first angle, `from` or more, at which the arc, which begins within the obstacle, leaves it; Infinity when it does not.
 * `share`: see `endAlongLine`.
 */
function endAlongArc(o: CObstacle, arc: Arc, from: number, tolerance: number, share: number): number {
  const { cx, cy, radius } = arc
  const reach = o.radius - (share * tolerance) / 2
  let end = Infinity
  for (let k = 0; k < o.count; k++) {
    const nx = o.nx[k]
    const ny = o.ny[k]
    const bound = endHeight(o, k, arc.dx, arc.dy, tolerance)
    const slack = o.radius > 0 ? reach : share * (bound > 0 ? 2 * bound : bound / 2)
    const cosine = (o.height[k] + slack - (nx * cx + ny * cy)) / radius
    if (Math.abs(cosine) > 1) continue
    for (let side = -1; side <= 1; side += 2) {
      const angle = angleTo(arc, nx, ny, cosine, side)
      if (angle >= from && angle < end && (o.radius === 0 || isOnSkin(o, arc, reach, tolerance))) end = angle
    }
  }
  return o.radius > 0 ? firstCornerCrossing(o, arc, from, reach, tolerance, end) : end
}

/** Whether the last crossing is as far from the core as the skin reaches: elsewhere the whole line or circle is no boundary. */
function isOnSkin(o: CObstacle, { cx, cy, radius }: Arc, reach: number, tolerance: number): boolean {
  return Math.abs(coreDistance(o, cx + radius * crossX, cy + radius * crossY) - reach) <= 4 * tolerance
}

/** The first crossing, at `from` or more and less than `end`, with the skins of the corners; else `end`. */
function firstCornerCrossing(
  o: CObstacle,
  arc: Arc,
  from: number,
  reach: number,
  tolerance: number,
  end: number,
): number {
  const { cx, cy, radius } = arc
  let first = end
  for (let k = 0; k < Math.max(o.count, 1); k++) {
    const ox = o.x[k] - cx
    const oy = o.y[k] - cy
    const apart = vectorLength(ox, oy)
    const cosine = (apart * apart + (radius - reach) * (radius + reach)) / (2 * apart * radius)
    if (!(Math.abs(cosine) <= 1)) continue
    for (let side = -1; side <= 1; side += 2) {
      const angle = angleTo(arc, ox / apart, oy / apart, cosine, side)
      if (angle >= from && angle < first && isOnSkin(o, arc, reach, tolerance)) first = angle
    }
  }
  return first
}

/** The angle, more than `from`, at which the arc first meets the obstacle's boundary; Infinity when it does not. */
function startAlongArc(o: CObstacle, arc: Arc, from: number, tolerance: number): number {
  const { cx, cy, radius } = arc
  let start = Infinity
  for (let k = 0; k < o.count; k++) {
    const nx = o.nx[k]
    const ny = o.ny[k]
    const cosine = (o.height[k] + o.radius - (nx * cx + ny * cy)) / radius
    if (Math.abs(cosine) > 1) continue
    for (let side = -1; side <= 1; side += 2) {
      const angle = angleTo(arc, nx, ny, cosine, side)
      if (angle <= from || angle >= start) continue
      if (distanceAlong(o, k, cx + radius * crossX, cy + radius * crossY) <= tolerance) start = angle
    }
  }
  return o.radius > 0 ? firstCornerCrossing(o, arc, from, o.radius, tolerance, start) : start
}
