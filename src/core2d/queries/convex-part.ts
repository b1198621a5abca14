/**
 * Containment in a convex part: in rounded numbers as far as these are certain, then exactly.
 *
 * Method: distances and support heights with a bound on their error; what lies within the bound is left open.
 * Frame: rounded coordinates as `placed-parts.ts` has them.
 */

import { spend } from '../../containers/budget.ts'
import type { Sign } from '../../numeric/exact-ring.ts'
import {
  addRoots,
  multiplyRoots,
  NOTHING,
  type RootNumber,
  rootSign,
  scaleRoot,
  signBesideRoot,
  subtractRoots,
  whole,
} from '../../numeric/root-number.ts'
import {
  SMALLEST_SAFE_DETERMINANT,
  SMALLEST_SAFE_EXTENT,
  SMALLEST_SAFE_SQUARE,
  UNIT_ROUNDOFF,
} from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import {
  type Body,
  CIRCLE,
  COS,
  copyConvex,
  createBody,
  ELLIPSE,
  HALFPLANE,
  isCored,
  OFFSET,
  RADIUS,
  RX,
  RY,
  SIN,
  UNIT_X,
  UNIT_Y,
} from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { type Conic, ellipseConic, type Spot, wholeSpot } from './curve-spots.ts'
import { edgeCountOf, endOf, exactVertex, type Grid, type PlacedPart, spendExact, toGrid } from './placed-parts.ts'

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
  return a.numbers[RADIUS] === b.numbers[RADIUS] && kindOf(a).compare(a, b) === 0
}

/** Core points and skin of a part that has core points, or of an outline. */
function pointCount({ body, outline }: PlacedPart): number {
  return outline === null ? body.count : outline.vertexCount
}

function hasPoints({ body, outline }: PlacedPart): boolean {
  return outline !== null || isCored(body)
}

function skinOf({ body, outline }: PlacedPart): number {
  return outline === null ? body.numbers[RADIUS] : 0
}

/** 1 when the convex part `holder` contains the part `guest` for certain, −1 when it does not, 0 when rounding leaves it open. */
function quickContainment(holder: PlacedPart, guest: PlacedPart): -1 | 0 | 1 {
  const { kind } = holder.body
  if (hasPoints(guest)) return quickPoints(holder, guest)
  if (guest.body.kind === HALFPLANE) return kind === HALFPLANE ? 0 : -1
  if (kind === HALFPLANE) {
    const { numbers } = holder.body
    const unitX = numbers[UNIT_X]
    const unitY = numbers[UNIT_Y]
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
  return body.numbers[UNIT_X] * (px - x) + body.numbers[UNIT_Y] * (py - y) - body.numbers[OFFSET]
}

/** Greatest height of an ellipse over its centre along a unit vector. */
export function ellipseReach({ numbers }: Body, nx: number, ny: number): number {
  const rx = numbers[RX]
  const ry = numbers[RY]
  const cos = numbers[COS]
  const sin = numbers[SIN]
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
  return sideOf(heightOverCore(holder, x, y) + skin - body.numbers[RADIUS], error)
}

/** Rounded signed distance from the core of a convex part: negative inside. */
function heightOverCore({ body, vertices, x, y }: PlacedPart, px: number, py: number): number {
  const { count, normals, numbers } = body
  const qx = px - x
  const qy = py - y
  if (body.kind === CIRCLE) return vectorLength(qx - vertices[0], qy - vertices[1])
  let highest = -Infinity
  let nearest = Infinity
  for (let i = 0; i < count; i++) {
    const nx = numbers[normals + 2 * i]
    const ny = numbers[normals + 2 * i + 1]
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
  const { numbers } = body
  const rx = numbers[RX]
  const ry = numbers[RY]
  const cos = numbers[COS]
  const sin = numbers[SIN]
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
  const { count, normals, kind, numbers } = body
  const radius = numbers[RADIUS]
  const error = errorOf(holder, guest)
  const { numbers: bodyNumbers } = guest.body
  const rx = bodyNumbers[RX]
  const ry = bodyNumbers[RY]
  if (kind === CIRCLE) {
    const far = vectorLength(guest.x - x - vertices[0], guest.y - y - vertices[1])
    if (far + Math.max(rx, ry) < radius - error) return 1
    return far + Math.min(rx, ry) > radius + error ? -1 : 0
  }
  let result: -1 | 0 | 1 = count > 2 ? 1 : 0
  spend(1 + (count >> 2))
  for (let i = 0; i < count; i++) {
    const nx = numbers[normals + 2 * i]
    const ny = numbers[normals + 2 * i + 1]
    const height =
      nx * (guest.x - x - vertices[2 * i]) + ny * (guest.y - y - vertices[2 * i + 1]) + ellipseReach(guest.body, nx, ny)
    if (height > radius + error) return -1
    if (height >= -error) result = 0
  }
  return result
}

// Whether a convex part contains points with a skin, decided exactly.
//
// Method: a disc of radius r lies in a core with a skin R ≥ r when its centre is no farther than R − r from the core; with R < r
// when the centre is at least r − R inside every edge of the core; in a half-plane when its highest point is.
// Frame: as `placed-parts.ts` has it.

const outward = createOutward()

/** 1 when the convex part `holder`, which has an inside, contains `guest`, −1 when it does not, 0 where that is left open. */
export function convexContainment(holder: PlacedPart, guest: PlacedPart, grid: Grid): -1 | 0 | 1 {
  const { kind, count, numbers } = holder.body
  const radius = numbers[RADIUS]
  if (kind === HALFPLANE && guest.outline === null && guest.body.kind === HALFPLANE) {
    return halfplaneContainment(holder, guest, grid)
  }
  const quick = quickContainment(holder, guest)
  if (quick !== 0 || !hasPoints(guest)) return quick
  if (kind === ELLIPSE) return guest.radius === 0n ? holdsPoints(holder, guest, grid) : 0
  if (kind === HALFPLANE) return holdsSkin(holder, guest, grid, heightOverBoundary)
  if (guest.radius <= holder.radius) {
    const rest = holder.radius - guest.radius
    const body = createBody()
    copyConvex(holder.body, body)
    body.numbers[RADIUS] = radius - skinOf(guest)
    const eroded = { ...holder, body, radius: rest }
    // A part that erosion leaves without an inside is decided by its points.
    eroded.thick = rest > 0n || count > 2
    return holdsPoints(eroded, guest, grid)
  }
  if (count <= 2) return -1
  return holdsSkin(holder, guest, grid, heightOverEdges)
}

/** Parallel ones compare by their offsets; others reach out of each other. */
function halfplaneContainment(holder: PlacedPart, guest: PlacedPart, grid: Grid): -1 | 1 {
  if (!areParallel(holder, guest)) return -1
  const { x, y } = holder.direction
  const height = x * (guest.exactX - holder.exactX) + y * (guest.exactY - holder.exactY)
  const level = toGrid(grid, holder.body.numbers[OFFSET]) - toGrid(grid, guest.body.numbers[OFFSET])
  return signBesideRoot(whole(height), 0n, level, x * x + y * y) <= 0 ? 1 : -1
}

/** Exactly as given; up to rounding where a rotation has rounded them, as where two half-planes are measured. */
function areParallel({ body: a, direction: p }: PlacedPart, { body: b, direction: q }: PlacedPart): boolean {
  if (a.numbers[UNIT_X] * b.numbers[UNIT_X] + a.numbers[UNIT_Y] * b.numbers[UNIT_Y] <= 0) return false
  if (a.numbers[SIN] === 0 && b.numbers[SIN] === 0) return p.x * q.y === p.y * q.x
  return Math.abs(a.numbers[UNIT_X] * b.numbers[UNIT_Y] - a.numbers[UNIT_Y] * b.numbers[UNIT_X]) <= 8 * UNIT_ROUNDOFF
}

function holdsPoints(holder: PlacedPart, guest: PlacedPart, grid: Grid): -1 | 1 {
  const error = 2 * (holder.error + guest.error)
  for (let i = 0; i < pointCount(guest); i++) {
    const side = holder.thick
      ? quickDisc(holder, guest.x + guest.vertices[2 * i], guest.y + guest.vertices[2 * i + 1], 0, error)
      : 0
    if (side > 0) continue
    const { x, y } = exactVertex(guest, i, grid)
    if (side < 0 || placeInConvex(holder, wholeSpot(x, y, 1n, grid), grid, outward) > 0) return -1
  }
  return 1
}

/** Whether each disc about a point of the guest keeps below what `isBelow` is asked about. */
function holdsSkin(
  holder: PlacedPart,
  guest: PlacedPart,
  grid: Grid,
  isBelow: (holder: PlacedPart, x: bigint, y: bigint, radius: bigint, grid: Grid) => boolean,
): -1 | 1 {
  const error = 2 * (holder.error + guest.error)
  const skin = skinOf(guest)
  for (let i = 0; i < pointCount(guest); i++) {
    const px = guest.x + guest.vertices[2 * i]
    const py = guest.y + guest.vertices[2 * i + 1]
    const side = quickDisc(holder, px, py, skin, error)
    if (side > 0) continue
    const { x, y } = exactVertex(guest, i, grid)
    if (side < 0 || !isBelow(holder, x, y, guest.radius, grid)) return -1
  }
  return 1
}

function heightOverBoundary(holder: PlacedPart, x: bigint, y: bigint, radius: bigint, grid: Grid): boolean {
  spendExact(grid, 1)
  const { direction, exactX, exactY, body } = holder
  const height = direction.x * (x - exactX) + direction.y * (y - exactY)
  const square = direction.x * direction.x + direction.y * direction.y
  return signBesideRoot(whole(height), 0n, toGrid(grid, body.numbers[OFFSET]) - radius, square) <= 0
}

function heightOverEdges(holder: PlacedPart, x: bigint, y: bigint, radius: bigint, grid: Grid): boolean {
  for (let i = 0; i < holder.body.count; i++) {
    spendExact(grid, 1)
    const p = exactVertex(holder, i, grid)
    const q = exactVertex(holder, endOf(holder, i), grid)
    const ex = q.x - p.x
    const ey = q.y - p.y
    const height = ey * (x - p.x) - ex * (y - p.y)
    if (signBesideRoot(whole(height), 0n, holder.radius - radius, ex * ex + ey * ey) > 0) return false
  }
  return true
}

// Where an exact point lies in a convex part, and which way leads out of the part there.
//
// Method: a rounded height or distance with a bound on its error; what that leaves open is decided by integers.
// Frame: as `placed-parts.ts` has it. −1 inside, 0 on the boundary, 1 outside; what has no inside is its own boundary.

/** A direction out of a part, of any length. */
export interface Outward {
  x: RootNumber
  y: RootNumber
}

export function createOutward(): Outward {
  return { x: NOTHING, y: NOTHING }
}

/** Fills `out` where the answer is 0 and the point is not a corner. Cost O(vertices). */
export function placeInConvex(part: PlacedPart, spot: Spot, grid: Grid, out: Outward): Sign {
  const { body } = part
  spend(1 + (body.count >> 2))
  if (body.kind === HALFPLANE) return placeInHalfplane(part, spot, grid, out)
  if (body.kind === ELLIPSE) return placeInEllipse(part, spot, grid, out)
  if (!part.thick) return isOnEdges(part, spot, grid) ? 0 : 1
  return body.numbers[RADIUS] === 0 ? placeInPolygon(part, spot, grid, out) : placeInSkin(part, spot, grid, out)
}

/** Exact vector from core point i to the spot, times the spot's w. */
function fromVertex(part: PlacedPart, i: number, spot: Spot, grid: Grid): Outward {
  spendExact(grid, 1)
  const { x, y } = exactVertex(part, i, grid)
  return { x: subtractRoots(spot.x, whole(x * spot.w)), y: subtractRoots(spot.y, whole(y * spot.w)) }
}

/** Exact height of the spot over the edge's line, times the edge's length and the spot's w; positive to the right of the edge. */
function heightOver(part: PlacedPart, edge: number, spot: Spot, grid: Grid): RootNumber {
  const p = exactVertex(part, edge, grid)
  const q = exactVertex(part, endOf(part, edge), grid)
  const { x, y } = fromVertex(part, edge, spot, grid)
  return subtractRoots(scaleRoot(x, q.y - p.y), scaleRoot(y, q.x - p.x))
}

/** Sets `out` to the way out to the right of the edge. */
export function setRightOf(part: PlacedPart, edge: number, grid: Grid, out: Outward): void {
  const p = exactVertex(part, edge, grid)
  const q = exactVertex(part, endOf(part, edge), grid)
  out.x = whole(q.y - p.y)
  out.y = whole(p.x - q.x)
}

/** The highest edge that rounding leaves no doubt of decides; the others are asked exactly. */
function placeInPolygon(part: PlacedPart, spot: Spot, grid: Grid, out: Outward): Sign {
  const { count } = part.body
  const error = part.error + spot.slack
  let place: Sign = -1
  for (let i = 0; i < count; i++) {
    const height = roundedHeight(part, i, spot)
    if (height > error) return 1
    if (height < -error) continue
    const sign = rootSign(heightOver(part, i, spot, grid), spot.root)
    if (sign > 0) return 1
    if (sign < 0) continue
    place = 0
    setRightOf(part, i, grid, out)
  }
  return place
}

/** Whether the spot lies on one of the edges of a part without inside, or is its only point. */
function isOnEdges(part: PlacedPart, spot: Spot, grid: Grid): boolean {
  const edges = edgeCountOf(part)
  if (edges === 0) return isVertex(part, 0, spot, grid)
  for (let i = 0; i < edges; i++) if (isOnEdge(part, i, spot, grid)) return true
  return false
}

function isVertex(part: PlacedPart, i: number, spot: Spot, grid: Grid): boolean {
  const error = part.error + spot.slack
  if (Math.abs(part.x + part.vertices[2 * i] - spot.roundedX) > error) return false
  if (Math.abs(part.y + part.vertices[2 * i + 1] - spot.roundedY) > error) return false
  const { x, y } = fromVertex(part, i, spot, grid)
  return rootSign(x, spot.root) === 0 && rootSign(y, spot.root) === 0
}

/** Whether the spot lies on an edge of the part, ends included. */
export function isOnEdge(part: PlacedPart, edge: number, spot: Spot, grid: Grid): boolean {
  const end = endOf(part, edge)
  if (end === edge) return isVertex(part, edge, spot, grid)
  if (distanceToEdge(part, edge, spot) > part.error + spot.slack) return false
  if (rootSign(heightOver(part, edge, spot, grid), spot.root) !== 0) return false
  return sideAlong(part, edge, spot, grid) === 0
}

/** −1 when the spot lies before the start of the edge, 1 beyond its end, 0 beside it or level with an end. */
function sideAlong(part: PlacedPart, edge: number, spot: Spot, grid: Grid): -1 | 0 | 1 {
  const end = endOf(part, edge)
  const p = exactVertex(part, edge, grid)
  const q = exactVertex(part, end, grid)
  const along = ({ x, y }: Outward): Sign =>
    rootSign(addRoots(scaleRoot(x, q.x - p.x), scaleRoot(y, q.y - p.y)), spot.root)
  if (along(fromVertex(part, edge, spot, grid)) < 0) return -1
  return along(fromVertex(part, end, spot, grid)) > 0 ? 1 : 0
}

/** Rounded distance of the spot from an edge. */
function distanceToEdge(part: PlacedPart, edge: number, spot: Spot): number {
  const { vertices } = part
  const i = 2 * edge
  const j = 2 * endOf(part, edge)
  const px = spot.roundedX - part.x - vertices[i]
  const py = spot.roundedY - part.y - vertices[i + 1]
  return distanceFromSegment(px, py, vertices[j] - vertices[i], vertices[j + 1] - vertices[i + 1])
}

/** A core with a skin: the distance from the core against the radius. */
function placeInSkin(part: PlacedPart, spot: Spot, grid: Grid, out: Outward): Sign {
  const { count, numbers } = part.body
  const radius = numbers[RADIUS]
  const error = part.error + spot.slack
  let highest = count > 2 ? -Infinity : Infinity
  let nearest = Infinity
  const edges = Math.max(count - (count === 2 ? 1 : 0), 1)
  for (let i = 0; i < edges; i++) {
    nearest = Math.min(nearest, distanceToEdge(part, i, spot))
    if (count > 2) highest = Math.max(highest, roundedHeight(part, i, spot))
  }
  if (highest < -error || nearest < radius - error) return -1
  if (highest > error && nearest > radius + error) return 1
  if (count > 2 && highest <= error && isInCore(part, spot, error, grid)) return -1
  let place: Sign = 1
  for (let i = 0; i < edges; i++) {
    if (distanceToEdge(part, i, spot) > radius + error) continue
    const sign = placeAtEdge(part, i, spot, grid, out)
    if (sign < 0) return -1
    if (sign === 0) place = 0
  }
  return place
}

/** Rounded height of the spot over the line of an edge of the core. */
function roundedHeight({ body, vertices, x, y }: PlacedPart, edge: number, { roundedX, roundedY }: Spot): number {
  const { normals, numbers } = body
  const px = roundedX - x - vertices[2 * edge]
  const py = roundedY - y - vertices[2 * edge + 1]
  return numbers[normals + 2 * edge] * px + numbers[normals + 2 * edge + 1] * py
}

/** Whether the spot, which is above no edge by more than the error, lies in the core. */
function isInCore(part: PlacedPart, spot: Spot, error: number, grid: Grid): boolean {
  for (let i = 0; i < part.body.count; i++) {
    if (roundedHeight(part, i, spot) < -error) continue
    if (rootSign(heightOver(part, i, spot, grid), spot.root) > 0) return false
  }
  return true
}

/** Sign of the spot's distance from one edge of the core, or from its only point, against the radius. */
function placeAtEdge(part: PlacedPart, edge: number, spot: Spot, grid: Grid, out: Outward): Sign {
  const { root, w } = spot
  const side = part.body.count === 1 ? -1 : sideAlong(part, edge, spot, grid)
  const level = part.radius * w
  if (side !== 0) {
    const { x, y } = fromVertex(part, side < 0 ? edge : endOf(part, edge), spot, grid)
    const square = addRoots(multiplyRoots(x, x, root), multiplyRoots(y, y, root))
    const sign = rootSign(subtractRoots(square, whole(level * level)), root)
    if (sign === 0) {
      out.x = x
      out.y = y
    }
    return sign
  }
  const height = heightOver(part, edge, spot, grid)
  const p = exactVertex(part, edge, grid)
  const q = exactVertex(part, endOf(part, edge), grid)
  const length = (q.x - p.x) ** 2n + (q.y - p.y) ** 2n
  const sign = rootSign(subtractRoots(multiplyRoots(height, height, root), whole(level * level * length)), root)
  if (sign === 0) {
    const isRight = rootSign(height, root) > 0
    out.x = whole(isRight ? q.y - p.y : p.y - q.y)
    out.y = whole(isRight ? p.x - q.x : q.x - p.x)
  }
  return sign
}

function placeInHalfplane(part: PlacedPart, spot: Spot, grid: Grid, out: Outward): Sign {
  const { numbers } = part.body
  const unitX = numbers[UNIT_X]
  const unitY = numbers[UNIT_Y]
  const offset = numbers[OFFSET]
  const height = unitX * (spot.roundedX - part.x) + unitY * (spot.roundedY - part.y) - offset
  const size = Math.abs(spot.roundedX) + Math.abs(spot.roundedY)
  const error = part.error + spot.slack + SEPARATION_ERROR_RATIO * size
  if (height > error) return 1
  if (height < -error) return -1
  spendExact(grid, 1)
  const { x, y } = part.direction
  const above = addRoots(
    scaleRoot(subtractRoots(spot.x, whole(part.exactX * spot.w)), x),
    scaleRoot(subtractRoots(spot.y, whole(part.exactY * spot.w)), y),
  )
  out.x = whole(x)
  out.y = whole(y)
  return signBesideRoot(above, spot.root, toGrid(grid, offset) * spot.w, x * x + y * y)
}

function placeInEllipse(part: PlacedPart, spot: Spot, grid: Grid, out: Outward): Sign {
  const { numbers } = part.body
  const rx = numbers[RX]
  const ry = numbers[RY]
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const x = spot.roundedX - part.x
  const y = spot.roundedY - part.y
  const u = (cos * x + sin * y) / rx
  const v = (cos * y - sin * x) / ry
  const error = part.error + spot.slack
  const doubt = 2 * (Math.abs(u) / rx + Math.abs(v) / ry) * error + (error / rx) ** 2 + (error / ry) ** 2
  const value = u * u + v * v - 1
  const bound = doubt + SEPARATION_ERROR_RATIO * (1 + u * u + v * v)
  if (value > bound) return 1
  if (value < -bound) return -1
  spendExact(grid, 2)
  const conic = ellipseConic(part, grid)
  const sign = rootSign(conicValue(conic, spot), spot.root)
  if (sign === 0) setGradient(conic, spot, out)
  return sign
}

/** Value of the conic at the spot, times w². */
function conicValue(conic: Conic, { x, y, w, root }: Spot): RootNumber {
  const terms: [bigint, RootNumber, RootNumber][] = [
    [conic.xx, x, x],
    [conic.xy, x, y],
    [conic.yy, y, y],
    [conic.x, x, whole(w)],
    [conic.y, y, whole(w)],
    [conic.one, whole(w), whole(w)],
  ]
  return terms.reduce((sum, [by, u, v]) => addRoots(sum, scaleRoot(multiplyRoots(u, v, root), by)), NOTHING)
}

/** Sets `out` to where the conic grows fastest. */
export function setGradient(conic: Conic, { x, y, w }: Spot, out: Outward): void {
  out.x = addRoots(addRoots(scaleRoot(x, 2n * conic.xx), scaleRoot(y, conic.xy)), whole(conic.x * w))
  out.y = addRoots(addRoots(scaleRoot(y, 2n * conic.yy), scaleRoot(x, conic.xy)), whole(conic.y * w))
}

/** Sign of the scalar product of two directions at one spot. */
export function productSign(u: Outward, v: Outward, root: bigint): Sign {
  return rootSign(addRoots(multiplyRoots(u.x, v.x, root), multiplyRoots(u.y, v.y, root)), root)
}
