/**
 * Exact ray against a convex hull without a skin, flat or solid, where rounding leaves the clip of `ray-hull.ts` open.
 *
 * Method: the same clipping over rational numbers, by the faces of the hull of the core points as they are. What is flat lies between
 * its two faces and the planes through its edges. Only faces that rounding cannot rule out are looked at. All conditions that hold
 * with equality where the ray enters tell whether it does so over a face, an edge or a corner.
 * World vertex = position + vertex, taken exactly.
 */

import { spend } from '../../containers/budget.ts'
import { type Body, type CoreSurface, REACH } from '../shape/body.ts'
import { PLANE_SIZE, planesOf } from '../shape/core-surface.ts'
import { cross, dot, type Exact, exactVertex, minus } from '../shape/exact-points.ts'
import { RAY_PARALLEL_RATIO } from '../tolerances.ts'
import { type Crossing, type ExactRay, exactRay, setCrossing, settleExactly } from './exact-ray.ts'
import { createStretch, cutBelow, isEmpty } from './exact-stretch.ts'
import type { Ray, RayLine } from './ray-line.ts'
import { type RaySpan, type SpanEnd, setFace, setFeature, setNormal } from './ray-span.ts'

const DEGREE = 16

/** Steps of an exact condition. */
const CONDITION_STEPS = 16

/** A condition: height + slope·t ≤ 0, of a face or of an edge of a flat core; core points on its boundary. */
interface Condition<T> {
  height: T
  slope: T
  normal: Exact<T>
  corners: Int32Array
  face: number
}

/** `surface`: the exact one of the body, flat or solid. */
export function exactRayHull(line: RayLine, ray: Ray, body: Body, surface: CoreSurface, span: RaySpan): boolean {
  const faces = nearFaces(line, body, surface)
  return exactRay(ray, body, [], DEGREE, (exact) => {
    const found = clip(exact, body, surface, faces, span)
    if (found !== null) return found
    const all = Array.from({ length: surface.starts.length - 1 }, (_, f) => f)
    return clip(exact, body, surface, all, span) === true
  })
}

/** The faces that may bound the stretch, by rounded arithmetic; all of a flat core. */
function nearFaces(line: RayLine, body: Body, surface: CoreSurface): number[] {
  const planes = planesOf(body, surface)
  spend(planes.length >> 3)
  const { ux, uy, uz, qx, qy, qz, error } = line
  const margin = 4 * RAY_PARALLEL_RATIO * body.numbers[REACH]
  let enterLow = -Infinity
  let leaveHigh = Infinity
  const lows: number[] = []
  const highs: number[] = []
  for (let at = 0; at < planes.length; at += PLANE_SIZE) {
    const height = planes[at] * qx + planes[at + 1] * qy + planes[at + 2] * qz - planes[at + 3]
    const slope = planes[at] * ux + planes[at + 1] * uy + planes[at + 2] * uz
    const bound = 2 * (error + planes[at + 4]) + margin
    const isSteep = Math.abs(slope) > RAY_PARALLEL_RATIO && bound < Infinity
    const place = -height / slope
    const slack = bound / Math.abs(slope)
    lows.push(isSteep ? place - slack : -Infinity)
    highs.push(isSteep ? place + slack : Infinity)
    if (isSteep && slope < 0) enterLow = Math.max(enterLow, place - slack)
    if (isSteep && slope > 0) leaveHigh = Math.min(leaveHigh, place + slack)
  }
  const near: number[] = []
  for (let f = 0; f < lows.length; f++) {
    const slope = planes[PLANE_SIZE * f] * ux + planes[PLANE_SIZE * f + 1] * uy + planes[PLANE_SIZE * f + 2] * uz
    // Nearly parallel ones stay: nothing is known of them.
    if (lows[f] === -Infinity || (slope < 0 ? highs[f] >= enterLow : lows[f] <= leaveHigh)) near.push(f)
  }
  return near
}

/** Whether the ray meets the body; null when the faces do not bound the stretch on both sides. */
function clip<T>(
  exact: ExactRay<T>,
  body: Body,
  surface: CoreSurface,
  faces: readonly number[],
  span: RaySpan,
): boolean | null {
  const conditions = conditionsOf(exact, body, surface, faces)
  const stretch = createStretch<T>()
  for (let i = 0; i < conditions.length; i++) cutBelow(exact, stretch, conditions[i].height, conditions[i].slope, i)
  if (stretch.isEmpty) return false
  const { enter, leave } = stretch
  if (enter === null || leave === null) return null
  if (isEmpty(exact, stretch)) return false
  if (!settleExactly(exact, span, enter, leave)) return false
  setCrossing(exact, span.enter, enter)
  setCrossing(exact, span.leave, leave)
  setEnd(exact, surface, conditions, enter, -1, span.enter)
  setEnd(exact, surface, conditions, leave, 1, span.leave)
  return true
}

function conditionsOf<T>(
  exact: ExactRay<T>,
  body: Body,
  surface: CoreSurface,
  faces: readonly number[],
): Condition<T>[] {
  const { ring, origin, direction } = exact
  const { starts, corners, dimension } = surface
  const conditions: Condition<T>[] = []
  const add = (normal: Exact<T>, i: number, on: Int32Array, face: number): void => {
    spend(CONDITION_STEPS)
    const height = dot(ring, normal, minus(ring, origin, exactVertex(ring, body, i)))
    conditions.push({ height, slope: dot(ring, normal, direction), normal, corners: on, face })
  }
  for (const f of faces) {
    const around = corners.subarray(starts[f], starts[f + 1])
    add(faceNormal(ring, body, around), around[0], around, f)
  }
  if (dimension === 3) return conditions
  const around = corners.subarray(starts[0], starts[1])
  const normal = faceNormal(ring, body, around)
  for (let c = 0; c < around.length; c++) {
    const i = around[c]
    const j = around[(c + 1) % around.length]
    const edge = minus(ring, exactVertex(ring, body, j), exactVertex(ring, body, i))
    add(cross(ring, edge, normal), i, Int32Array.of(i, j), -1)
  }
  return conditions
}

/** Of any three corners of a face: no three of them are on one line. */
export function faceNormal<T>(ring: ExactRay<T>['ring'], body: Body, around: Int32Array): Exact<T> {
  const a = exactVertex(ring, body, around[0])
  const b = exactVertex(ring, body, around[1])
  const c = exactVertex(ring, body, around[2])
  return cross(ring, minus(ring, b, a), minus(ring, c, a))
}

/** What the ray crosses there, and a normal of it: the middle of those of all that it crosses to that side. */
function setEnd<T>(
  exact: ExactRay<T>,
  surface: CoreSurface,
  conditions: readonly Condition<T>[],
  crossing: Crossing<T>,
  side: -1 | 1,
  end: SpanEnd,
): void {
  const { ring } = exact
  const isCrossed = surface.dimension === 2 && ring.sign(conditions[0].slope) !== 0
  let common: number[] = []
  let isFirst = true
  let face = -1
  let x = 0
  let y = 0
  let z = 0
  for (const { height, slope, normal, corners, face: own } of conditions) {
    // height + slope·p/w = 0.
    if (ring.sign(ring.add(ring.mul(height, crossing.w), ring.mul(slope, crossing.p))) !== 0) continue
    common = isFirst ? Array.from(corners) : common.filter((corner) => corners.includes(corner))
    isFirst = false
    face = own
    // A flat core faces the ray, at its edges too, unless the ray lies in its plane.
    if (ring.sign(slope) !== side || (isCrossed && own < 0)) continue
    const [nx, ny, nz] = roundedUnit(ring, normal)
    x += nx
    y += ny
    z += nz
  }
  const length = Math.hypot(x, y, z)
  setNormal(end, x / length, y / length, z / length)
  if (common.length > 2) setFace(end, face)
  else setFeature(end, common[0] ?? -1, common[1] ?? -1)
  // A flat face is seen from the side that the ray comes from.
  if (surface.dimension === 2 && end.face >= 0) {
    const { slope } = conditions[end.face]
    if (ring.sign(slope) !== side) setFace(end, 1 - end.face)
  }
}

/** The vector at unit length, to a few roundoffs. */
export function roundedUnit<T>(ring: ExactRay<T>['ring'], vector: Exact<T>): readonly [number, number, number] {
  const square = dot(ring, vector, vector)
  const component = (k: number): number =>
    ring.sign(vector[k]) * Math.sqrt(ring.ratio(ring.mul(vector[k], vector[k]), square))
  return [component(0), component(1), component(2)]
}
