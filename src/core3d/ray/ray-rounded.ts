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
import { RAY_PARALLEL_RATIO, THIN_SKIN_RATIO } from '../tolerances.ts'
import { createChord, createQuadric, findChord } from './chord.ts'
import { keepOutward } from './corner-normal.ts'
import { marginIn } from './face-margin.ts'
import { clipByFaces } from './ray-hull.ts'
import type { RayLine } from './ray-line.ts'
import {
  createRaySpan,
  HIT,
  MISS,
  type RaySpan,
  type SpanEnd,
  setFace,
  setFeature,
  setNormal,
  setPlace,
  settle,
  UNSURE,
  type Verdict,
} from './ray-span.ts'

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
  const enters = overFace(line, body, surface, outer.enter)
  const leaves = overFace(line, body, surface, outer.leave)
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

/** Whether the end lies over its face. */
function overFace(line: RayLine, body: Body, surface: CoreSurface, end: SpanEnd): Verdict {
  const slack = 4 * (end.high - end.low + line.error)
  const margin = marginIn(line, body, surface, end.face, end.at)
  return margin < -slack ? HIT : margin > slack ? MISS : UNSURE
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
