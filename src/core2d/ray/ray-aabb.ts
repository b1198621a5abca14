/**
 * Ray against axis-aligned box: the intersection of two slabs.
 *
 * Method: T. L. Kay, J. T. Kajiya, "Ray Tracing Complex Scenes", SIGGRAPH 1986. The offsets of the four faces from the
 * ray's origin are summed without rounding the terms, so their signs are exact: a ray along an axis, on a face's plane or
 * not, needs no tolerance (and no division by zero), and an origin is inside or not for certain.
 * Precondition: `isAxisAligned(body)`.
 */

import { sumError } from '../../numeric/expansion.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import type { Body } from '../shape/body.ts'
import { RAY_PARALLEL_RATIO } from '../tolerances.ts'
import type { Ray, RayLine } from './ray-line.ts'
import { HIT, MISS, type RaySpan, setEnter, setLeave, UNSURE, type Verdict } from './ray-span.ts'

/** Whether the polygon is a rectangle along the axes whose first vertex is (min, min), and its corners plain sums. */
export function isAxisAligned(body: Body): boolean {
  const { vertices: v } = body
  if (body.count !== 4 || body.xLow !== 0 || body.yLow !== 0 || body.difference !== null) return false
  return v[1] === v[3] && v[2] === v[4] && v[5] === v[7] && v[6] === v[0] && v[2] > v[0]
}

/** position + vertex − origin, correctly signed and right to a roundoff of itself. */
function faceOffset(position: number, vertex: number, origin: number): number {
  const sum = position + vertex
  const difference = sum - origin
  const e = sumError(position, vertex, sum)
  const f = sumError(sum, -origin, difference)
  const rest = e + f
  const total = difference + rest
  return total + (sumError(difference, rest, total) + sumError(e, f, rest))
}

export function rayAabb(line: RayLine, ray: Ray, body: Body, span: RaySpan): Verdict {
  const { ux, uy, along, floor, maxDistance } = line
  const { vertices, edgeFeatures } = body
  const minX = faceOffset(body.x, vertices[0], ray.ox)
  const minY = faceOffset(body.y, vertices[1], ray.oy)
  const maxX = faceOffset(body.x, vertices[4], ray.ox)
  const maxY = faceOffset(body.y, vertices[5], ray.oy)
  const upright = ray.dx === 0
  const level = ray.dy === 0
  if ((upright && (minX > 0 || maxX < 0)) || (level && (minY > 0 || maxY < 0))) return MISS
  if ((!upright && Math.abs(ux) < RAY_PARALLEL_RATIO) || (!level && Math.abs(uy) < RAY_PARALLEL_RATIO)) return UNSURE
  const enterX = upright ? -Infinity : (ux > 0 ? minX : maxX) / ux
  const leaveX = upright ? Infinity : (ux > 0 ? maxX : minX) / ux
  const enterY = level ? -Infinity : (uy > 0 ? minY : maxY) / uy
  const leaveY = level ? Infinity : (uy > 0 ? maxY : minY) / uy
  const enter = Math.max(enterX, enterY)
  const leave = Math.min(leaveX, leaveY)
  const enterSlack = 8 * UNIT_ROUNDOFF * Math.abs(enter) + floor
  const leaveSlack = 8 * UNIT_ROUNDOFF * Math.abs(leave) + floor
  if (enter - leave > enterSlack + leaveSlack) return MISS
  if (enter - leave > -enterSlack - leaveSlack) return UNSURE
  // Within rounding of a corner the exact test tells vertex and edge apart.
  if (Math.abs(enterX - enterY) <= 2 * enterSlack) return UNSURE
  const inside = minX <= 0 && maxX >= 0 && minY <= 0 && maxY >= 0
  if (!inside) {
    if (enter <= 0 || enter > maxDistance + enterSlack) return MISS
    if (enter > maxDistance - enterSlack) return UNSURE
  }
  if (Math.abs(leave - maxDistance) <= leaveSlack) return UNSURE
  span.inside = inside
  span.exits = leave < maxDistance
  const enterEdge = enterX > enterY ? (ux > 0 ? LEFT : RIGHT) : uy > 0 ? BOTTOM : TOP
  const leaveEdge = leaveX < leaveY ? (ux > 0 ? RIGHT : LEFT) : uy > 0 ? TOP : BOTTOM
  const corner = upright ? cornerOn(enterEdge, minX, maxX) : level ? cornerOn(enterEdge, minY, maxY) : -1
  const feature = corner < 0 ? edgeFeatures[enterEdge] : body.vertexFeatures[corner]
  setEnter(span, enter - along, NORMAL_X[enterEdge], NORMAL_Y[enterEdge], feature)
  setLeave(span, leave - along, NORMAL_X[leaveEdge], NORMAL_Y[leaveEdge], edgeFeatures[leaveEdge])
  return HIT
}

const BOTTOM = 0
const RIGHT = 1
const TOP = 2
const LEFT = 3
/** Outward normals of the edges. */
const NORMAL_X = [0, 1, 0, -1]
const NORMAL_Y = [-1, 0, 1, 0]
/** Ends of each edge at the smaller and at the larger coordinate. */
const LOWER_END = [0, 1, 3, 0]
const UPPER_END = [1, 2, 2, 3]

/** The vertex at which a ray meets `edge` head-on while it runs on the plane of a face beside it; -1 when on none. */
function cornerOn(edge: number, min: number, max: number): number {
  return min === 0 ? LOWER_END[edge] : max === 0 ? UPPER_END[edge] : -1
}
