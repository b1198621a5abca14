/**
 * What of containment rounded numbers can tell for certain.
 *
 * Method: distances and support heights with a bound on their error; what lies within the bound is left open.
 * Frame: rounded coordinates as `placed-parts.ts` has them.
 */

import { spend } from '../../containers/budget.ts'
import { SMALLEST_SAFE_DETERMINANT, SMALLEST_SAFE_EXTENT, SMALLEST_SAFE_SQUARE } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import { type Body, CIRCLE, ELLIPSE, HALFPLANE } from '../shape/body.ts'
import { isCored, kindOf } from '../shape/kinds.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { endOf, type PlacedPart } from './placed-parts.ts'

/** A power of two that brings vectors whose squares underflow to where they do not. */
const UP = 2 ** 600

/** Distance of the point (px, py) from the segment that leads from the origin to (ex, ey), at any scale. */
export function distanceFromSegment(px: number, py: number, ex: number, ey: number): number {
  const square = ex * ex + ey * ey
  if (square < SMALLEST_SAFE_SQUARE && (ex !== 0 || ey !== 0)) {
    // Farther away than that, the segment is a point.
    if (Math.abs(px) + Math.abs(py) > SMALLEST_SAFE_EXTENT) return vectorLength(px, py)
    return distanceFromSegment(px * UP, py * UP, ex * UP, ey * UP) / UP
  }
  const share = square > 0 ? Math.min(Math.max((px * ex + py * ey) / square, 0), 1) : 0
  return vectorLength(px - share * ex, py - share * ey)
}

/** Whether two straight edges have no point in common for certain. */
export function edgesPart(part: PlacedPart, edge: number, other: PlacedPart, otherEdge: number): boolean {
  return isBeside(part, edge, other, otherEdge) || isBeside(other, otherEdge, part, edge)
}

/** Whether the other edge lies on one side of this one's line for certain. */
function isBeside(part: PlacedPart, edge: number, other: PlacedPart, otherEdge: number): boolean {
  const { vertices } = part
  const i = 2 * edge
  const j = 2 * endOf(part, edge)
  const ex = vertices[j] - vertices[i]
  const ey = vertices[j + 1] - vertices[i + 1]
  const error = 2 * (part.error + other.error) * (Math.abs(ex) + Math.abs(ey)) + SMALLEST_SAFE_DETERMINANT
  const dx = other.x - part.x - vertices[i]
  const dy = other.y - part.y - vertices[i + 1]
  const height = (k: number): number => ex * (other.vertices[k + 1] + dy) - ey * (other.vertices[k] + dx)
  const first = height(2 * otherEdge)
  const second = height(2 * endOf(other, otherEdge))
  return (first > error && second > error) || (first < -error && second < -error)
}

/** Whether two straight edges are one for the plain reason that they are made of the same numbers. */
export function areSameEdge(part: PlacedPart, edge: number, other: PlacedPart, otherEdge: number): boolean {
  if (part.exactX !== other.exactX || part.exactY !== other.exactY) return false
  const end = endOf(part, edge)
  const otherEnd = endOf(other, otherEdge)
  const areOne = (i: number, j: number): boolean =>
    part.vertices[2 * i] === other.vertices[2 * j] && part.vertices[2 * i + 1] === other.vertices[2 * j + 1]
  return areOne(edge, otherEdge) ? areOne(end, otherEnd) : areOne(edge, otherEnd) && areOne(end, otherEdge)
}

/** Whether both are one set for the plain reason that they are made of the same numbers. */
export function areSame(p: PlacedPart, q: PlacedPart): boolean {
  if (p.exactX !== q.exactX || p.exactY !== q.exactY) return false
  if ((p.outline === null) !== (q.outline === null)) return false
  const count = p.outline === null ? p.body.count : p.outline.vertexCount
  if (count !== (q.outline === null ? q.body.count : q.outline.vertexCount)) return false
  if (p.outline !== null && q.outline !== null) {
    if (p.outline.solid !== q.outline.solid || p.outline.edgeCount !== q.outline.edgeCount) return false
    for (let i = 0; i < p.outline.edgeCount; i++) if (p.outline.edgeEnd[i] !== q.outline.edgeEnd[i]) return false
  } else if (!haveSameSize(p.body, q.body)) return false
  spend(1 + (count >> 2))
  for (let i = 0; i < 2 * count; i++) if (p.vertices[i] !== q.vertices[i]) return false
  return true
}

function haveSameSize(a: Body, b: Body): boolean {
  if (a.kind !== b.kind) return false
  return a.radius === b.radius && kindOf(a).compare(a, b) === 0
}

/** Core points and skin of a part that has core points, or of an outline. */
export function pointCount({ body, outline }: PlacedPart): number {
  return outline === null ? body.count : outline.vertexCount
}

export function hasPoints({ body, outline }: PlacedPart): boolean {
  return outline !== null || isCored(body)
}

function skinOf({ body, outline }: PlacedPart): number {
  return outline === null ? body.radius : 0
}

/** 1 when the convex part `holder` contains the part `guest` for certain, −1 when it does not, 0 when rounding leaves it open. */
export function quickContainment(holder: PlacedPart, guest: PlacedPart): -1 | 0 | 1 {
  const { kind } = holder.body
  if (hasPoints(guest)) return quickPoints(holder, guest)
  if (guest.body.kind === HALFPLANE) return kind === HALFPLANE ? 0 : -1
  if (kind === HALFPLANE) {
    const { unitX, unitY } = holder.body
    const height = heightInHalfplane(holder, guest.x, guest.y) + ellipseReach(guest.body, unitX, unitY)
    return sideOf(height, errorOf(holder, guest))
  }
  return kind === ELLIPSE ? 0 : quickEllipseInCore(holder, guest)
}

function sideOf(height: number, error: number): -1 | 0 | 1 {
  return height < -error ? 1 : height > error ? -1 : 0
}

function errorOf(holder: PlacedPart, guest: PlacedPart): number {
  return 2 * (holder.error + guest.error)
}

export function heightInHalfplane({ x, y, body }: PlacedPart, px: number, py: number): number {
  return body.unitX * (px - x) + body.unitY * (py - y) - body.offset
}

/** Greatest height of an ellipse over its centre along a unit vector. */
export function ellipseReach({ rx, ry, cos, sin }: Body, nx: number, ny: number): number {
  return vectorLength(rx * (cos * nx + sin * ny), ry * (cos * ny - sin * nx))
}

/** The guest is points with a skin. */
function quickPoints(holder: PlacedPart, guest: PlacedPart): -1 | 0 | 1 {
  const skin = skinOf(guest)
  const error = errorOf(holder, guest)
  const count = pointCount(guest)
  let result: -1 | 0 | 1 = 1
  for (let i = 0; i < count; i++) {
    const x = guest.x + guest.vertices[2 * i]
    const y = guest.y + guest.vertices[2 * i + 1]
    const side = quickDisc(holder, x, y, skin, error)
    if (side < 0) return -1
    if (side === 0) result = 0
  }
  return result
}

/** 1 when the convex part `holder`, which has an inside, holds the disc for certain, −1 when it does not. */
export function quickDisc(holder: PlacedPart, x: number, y: number, skin: number, error: number): -1 | 0 | 1 {
  const { body } = holder
  spend(1 + (body.count >> 3))
  if (body.kind === HALFPLANE) return sideOf(heightInHalfplane(holder, x, y) + skin, error)
  if (body.kind === ELLIPSE) return quickDiscInEllipse(holder, x, y, skin, error)
  return sideOf(heightOverCore(holder, x, y) + skin - body.radius, error)
}

/** Rounded signed distance from the core of a convex part: negative inside. */
function heightOverCore({ body, vertices, x, y }: PlacedPart, px: number, py: number): number {
  const { count, normals } = body
  const qx = px - x
  const qy = py - y
  if (body.kind === CIRCLE) return vectorLength(qx - vertices[0], qy - vertices[1])
  let highest = -Infinity
  let nearest = Infinity
  for (let i = 0; i < count; i++) {
    const nx = normals[2 * i]
    const ny = normals[2 * i + 1]
    const dx = qx - vertices[2 * i]
    const dy = qy - vertices[2 * i + 1]
    const height = nx * dx + ny * dy
    if (height > highest) highest = height
    if (height < 0 && count > 2) continue
    const j = i + 1 === count ? 0 : 2 * i + 2
    const along = nx * dy - ny * dx
    const length = vectorLength(vertices[j] - vertices[2 * i], vertices[j + 1] - vertices[2 * i + 1])
    const beyond = along < 0 ? -along : along > length ? along - length : 0
    nearest = Math.min(nearest, beyond === 0 ? Math.abs(height) : vectorLength(height, beyond))
  }
  // A segment has no inside; the distance from it is the height over its line only beside it.
  return count > 2 && highest <= 0 ? highest : nearest
}

/** A disc is surely inside where its distance from the boundary, in any direction, is; a point is asked for itself. */
function quickDiscInEllipse(
  { body, x, y }: PlacedPart,
  px: number,
  py: number,
  skin: number,
  error: number,
): -1 | 0 | 1 {
  const { rx, ry, cos, sin } = body
  const dx = px - x
  const dy = py - y
  const u = Math.abs(cos * dx + sin * dy)
  const v = Math.abs(cos * dy - sin * dx)
  const outer = sideInEllipse(u, v, rx, ry, error)
  if (outer < 0 || u + skin > rx + error || v + skin > ry + error) return -1
  if (skin === 0) return outer
  // The farthest corner of the square around the disc.
  return sideInEllipse(u + skin, v + skin, rx, ry, error) > 0 ? 1 : 0
}

function sideInEllipse(u: number, v: number, rx: number, ry: number, error: number): -1 | 0 | 1 {
  const s = u / rx
  const t = v / ry
  const doubt = 2 * (s / rx + t / ry) * error + (error / rx) ** 2 + (error / ry) ** 2
  return sideOf(s * s + t * t - 1, doubt + SEPARATION_ERROR_RATIO * (1 + s * s + t * t))
}

/** An ellipse against a core with a skin: all edges pushed out must be above it, and all edges as they are suffice. */
function quickEllipseInCore(holder: PlacedPart, guest: PlacedPart): -1 | 0 | 1 {
  const { body, vertices, x, y } = holder
  const { count, normals, radius, kind } = body
  const error = errorOf(holder, guest)
  const { rx, ry } = guest.body
  if (kind === CIRCLE) {
    const far = vectorLength(guest.x - x - vertices[0], guest.y - y - vertices[1])
    if (far + Math.max(rx, ry) < radius - error) return 1
    return far + Math.min(rx, ry) > radius + error ? -1 : 0
  }
  let result: -1 | 0 | 1 = count > 2 ? 1 : 0
  spend(1 + (count >> 2))
  for (let i = 0; i < count; i++) {
    const nx = normals[2 * i]
    const ny = normals[2 * i + 1]
    const height =
      nx * (guest.x - x - vertices[2 * i]) + ny * (guest.y - y - vertices[2 * i + 1]) + ellipseReach(guest.body, nx, ny)
    if (height > radius + error) return -1
    if (height >= -error) result = 0
  }
  return result
}
