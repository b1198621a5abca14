/**
 * Ray against capsule or rounded polygon.
 *
 * Method: the boundary is one straight piece per edge, offset by the radius, and one arc per vertex; being convex, it is
 * crossed inward once and outward once (C. Ericson, "Real-Time Collision Detection", 5.3.7 for capsules). A crossing of
 * an offset edge within its length is the answer; otherwise it is the first (last) crossing of a vertex's circle.
 * What rounding leaves open goes to `ray-exact-rounded.ts`.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import type { Body } from '../shape/body.ts'
import { following } from '../shape/edge.ts'
import { CLIMB_COUNT, RAY_GRAZING_RATIO, RAY_PARALLEL_RATIO, RAY_POINT_RATIO } from '../tolerances.ts'
import { exactRayRounded } from './ray-exact-rounded.ts'
import { locate, type Ray, type RayLine } from './ray-line.ts'
import { HIT, MISS, type RaySpan, setEnter, setLeave, settleSpan, UNSURE, type Verdict } from './ray-span.ts'

export function rayRounded(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  const verdict = crossBoundary(line, body, span)
  return verdict === UNSURE ? exactRayRounded(line, ray, body, span) : verdict === HIT
}

/** Cost O(vertices). */
function crossBoundary(line: RayLine, body: Body, span: RaySpan): Verdict {
  const { count, normals, offsets, local, radius, reach } = body
  if (count > CLIMB_COUNT) spend(count >> 1)
  const { qx, qy, ux, uy, error } = line
  const parallelError = error + 2 * RAY_PARALLEL_RATIO * reach
  let enterSlack = -1
  let leaveSlack = -1
  let endSlack = 0
  for (let i = 0; i < count; i++) {
    const nx = normals[2 * i]
    const ny = normals[2 * i + 1]
    const height = nx * qx + ny * qy - offsets[i] - radius
    const slope = nx * ux + ny * uy
    if (Math.abs(slope) <= RAY_PARALLEL_RATIO) {
      if (height > parallelError) return MISS
      if (height > -parallelError) return UNSURE
      continue
    }
    const at = -height / slope
    const j = following(body, i)
    const x = qx + at * ux
    const y = qy + at * uy
    const slack = (2 * error) / Math.abs(slope)
    const past = (y - local[2 * i + 1]) * nx - (x - local[2 * i]) * ny
    const left = (local[2 * j + 1] - y) * nx - (local[2 * j] - x) * ny
    if (past < 2 * slack || left < 2 * slack) {
      if (past < -2 * slack || left < -2 * slack) continue
      // Perhaps past the edge's end. There the end's circle is crossed at nearly the same point, unless it is tiny.
      if (8 * slack > Math.abs(slope) * radius) return UNSURE
      endSlack = Math.max(endSlack, slack)
      continue
    }
    if (slope < 0) {
      enterSlack = slack
      setEnter(span, at, nx, ny, body.edgeFeatures[i])
    } else {
      leaveSlack = slack
      setLeave(span, at, nx, ny, body.edgeFeatures[i])
    }
  }
  if (enterSlack < 0 || leaveSlack < 0) {
    const verdict = crossCircles(line, body)
    if (verdict !== HIT) return verdict
    if (enterSlack < 0) enterSlack = endSlack + setArc(line, body, span, firstVertex, -1)
    if (leaveSlack < 0) leaveSlack = endSlack + setArc(line, body, span, lastVertex, 1)
  }
  if (Math.max(enterSlack, leaveSlack) > RAY_POINT_RATIO * reach) return UNSURE
  return settleSpan(line, span, enterSlack, leaveSlack, reach)
}

/** Vertices whose circles the line enters first and leaves last; module scratch, set by `crossCircles`. */
let firstVertex = 0
let lastVertex = 0

function crossCircles(line: RayLine, body: Body): Verdict {
  const { count, local, radius } = body
  const { ux, uy, side, error } = line
  const grazing = RAY_GRAZING_RATIO * radius + error
  let first = Infinity
  let last = -Infinity
  let lowest = Infinity
  let highest = -Infinity
  for (let i = 0; i < count; i++) {
    const x = local[2 * i]
    const y = local[2 * i + 1]
    const vertexSide = side + ux * y - uy * x
    if (vertexSide < lowest) lowest = vertexSide
    if (vertexSide > highest) highest = vertexSide
    const depth = radius - Math.abs(vertexSide)
    if (depth < -grazing) continue
    if (depth < grazing) return UNSURE
    const half = Math.sqrt(depth) * Math.sqrt(radius + Math.abs(vertexSide))
    const along = ux * x + uy * y
    if (along - half < first) {
      first = along - half
      firstVertex = i
    }
    if (along + half > last) {
      last = along + half
      lastVertex = i
    }
  }
  if (first < Infinity) return HIT
  return lowest > radius + error || highest < -radius - error ? MISS : UNSURE
}

/** Sets the first (end −1) or last (end 1) point of the line on the circle about vertex i. Returns its uncertainty. */
function setArc(line: RayLine, body: Body, span: RaySpan, i: number, end: -1 | 1): number {
  const { radius, local, vertices } = body
  const { ux, uy } = line
  // Measured from the vertex itself: the normal of a small radius needs more than an error relative to the body's size.
  locate(line, body, vertices, i)
  const side = line.pointSide
  const h = Math.abs(side)
  const depth = radius - h
  if (depth <= 0) return Infinity
  const half = Math.sqrt(depth) * Math.sqrt(radius + h)
  const at = ux * local[2 * i] + uy * local[2 * i + 1] + end * half
  const length = vectorLength(half, side)
  const nx = (end * half * ux + side * uy) / length
  const ny = (end * half * uy - side * ux) / length
  if (end < 0) setEnter(span, at, nx, ny, body.vertexFeatures[i])
  else setLeave(span, at, nx, ny, body.vertexFeatures[i])
  return (2 * (8 * UNIT_ROUNDOFF * h + line.floor) * (radius + h)) / half + line.error
}
