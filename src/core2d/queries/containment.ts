/**
 * Whether one closed body contains another, decided exactly.
 *
 * Method: B is in A when each part of B is. What rounded numbers prove (a convex part of A that holds a part of B, or lacks a
 * vertex of it) is told first. Otherwise, for a part of B with an inside: what of that A leaves open is itself open, so it is bounded
 * within the part by pieces of A's boundary, or it is all of the part. So the part is in A when one inner point is, and no piece
 * of A's boundary runs through the part's inside with nothing of A beside it (`coverage.ts`). This holds for unions whose
 * members cover the part only together, straight or curved. What has no inside adds nothing to that; it may hold points and
 * edges, which are covered stretch by stretch.
 * Frame: as `placed-parts.ts` has it.
 */

import { spend } from '../../containers/budget.ts'
import type { Sign } from '../../numeric/exact-ring.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { type Outline, pointInOutline } from '../outline/outline.ts'
import { type Body, ELLIPSE, HALFPLANE, isCored, OFFSET, preceding, RADIUS, RX, RY } from '../shape/body.ts'
import { pairExponent, scaleBody } from '../shape/body-scaling.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import {
  areSame,
  areSameEdge,
  convexContainment,
  distanceFromSegment,
  ellipseReach,
  heightInHalfplane,
  quickDisc,
} from './convex-part.ts'
import {
  coversEdge,
  coversInnerSide,
  edgePiece,
  holdsSpot,
  leavesGap,
  type NearPart,
  type Piece,
  partsNear,
  piecesOf,
  visitLeavesNear,
} from './coverage.ts'
import { type Spot, wholeSpot } from './curve-spots.ts'
import {
  type Box,
  commonBox,
  edgeCountOf,
  endOf,
  exactVertex,
  type Grid,
  gridOf,
  type PlacedBody,
  type PlacedPart,
  placeBody,
  toGrid,
} from './placed-parts.ts'

export interface Containment {
  aContainsB: boolean
  bContainsA: boolean
}

/** Both ways; `relation` is that of the pair. No body is empty, so what is apart does not contain. */
export function containment(a: Body, b: Body, relation: Sign): Containment {
  if (relation > 0) return { aContainsB: false, bContainsA: false }
  const { grid, first, second } = placePair(a, b)
  return { aContainsB: holdsAll(first, second, grid), bContainsA: holdsAll(second, first, grid) }
}

/**
 * Whether all points of `b` are points of `a`. Cost O(n log n) for bodies of n vertices as a rule; a point in a region takes a look at
 * each of its bands, and boundaries that cross each other k times take O(k log k) steps of exact arithmetic.
 */
export function contains(a: Body, b: Body): boolean {
  const { grid, first, second } = placePair(a, b)
  return holdsAll(first, second, grid)
}

interface PlacedPair {
  grid: Grid
  first: PlacedBody
  second: PlacedBody
}

function placePair(a: Body, b: Body): PlacedPair {
  const exponent = pairExponent(a, b)
  const one = exponent === 0 ? a : scaleBody(a, exponent)
  const other = exponent === 0 ? b : scaleBody(b, exponent)
  const grid = gridOf(one, other)
  return { grid, first: placeBody(one, grid), second: placeBody(other, grid) }
}

function holdsAll(holder: PlacedBody, guest: PlacedBody, grid: Grid): boolean {
  if (!mayHold(holder, guest)) return false
  return guest.parts.every((part, index) => containsPart(holder, guest, part, index, grid))
}

/** Boxes are wider than what they hold by no more than rounding: one that sticks out by twice that rules out. */
function mayHold({ box, parts }: PlacedBody, guest: PlacedBody): boolean {
  let error = 0
  spend(1 + (parts.length >> 3) + (guest.parts.length >> 3))
  for (const part of [...parts, ...guest.parts]) error = Math.max(error, part.error)
  const slack = 4 * error
  return (
    guest.box[0] + slack >= box[0] &&
    guest.box[1] + slack >= box[1] &&
    guest.box[2] - slack <= box[2] &&
    guest.box[3] - slack <= box[3]
  )
}

function containsPart(holder: PlacedBody, guest: PlacedBody, part: PlacedPart, index: number, grid: Grid): boolean {
  if (isHeldByOne(holder, part, grid)) return true
  const [only] = holder.parts
  if (holder.parts.length === 1 && only.outline === null && only.thick) {
    if (convexContainment(only, part, grid) < 0) return false
  }
  if (part.thick) return containsInside(holder, guest, part, index, grid)
  const edges = edgeCountOf(part)
  if (edges === 0) return holdsPoint(holder, part, vertexSpot(part, 0, grid), grid)
  for (let edge = 0; edge < edges; edge++) if (!containsEdge(holder, part, edge, grid)) return false
  return true
}

/** Whether a part of the holder is the same set or, being convex, holds the part. */
function isHeldByOne(holder: PlacedBody, part: PlacedPart, grid: Grid): boolean {
  const [x, y] = somePoint(part)
  const { error } = part
  let isHeld = false
  let last = -1
  visitLeavesNear(holder, [x - error, y - error, x + error, y + error], (leaf) => {
    const index = holder.view.leafPart[leaf]
    if (isHeld || index === last) return
    last = index
    const one = holder.parts[index]
    isHeld = areSame(one, part) || (one.thick && one.outline === null && convexContainment(one, part, grid) > 0)
  })
  return isHeld
}

/** Rounded coordinates of a point of the part; of a half-plane its position. */
function somePoint({ body, outline, x, y, vertices }: PlacedPart): [number, number] {
  const isCentred = outline === null && !isCored(body)
  return isCentred ? [x, y] : [x + vertices[0], y + vertices[1]]
}

function vertexSpot(part: PlacedPart, i: number, grid: Grid): Spot {
  const { x, y } = exactVertex(part, i, grid)
  return wholeSpot(x, y, 1n, grid)
}

function boxAround({ roundedX: x, roundedY: y, slack }: Spot, part: PlacedPart): Box {
  const around = slack + part.error
  return [x - around, y - around, x + around, y + around]
}

function holdsPoint(holder: PlacedBody, part: PlacedPart, spot: Spot, grid: Grid): boolean {
  return partsNear(holder, boxAround(spot, part), false).some((near) => holdsSpot(near, spot, grid))
}

/** A straight edge of a part without inside. */
function containsEdge(holder: PlacedBody, part: PlacedPart, edge: number, grid: Grid): boolean {
  if (endOf(part, edge) === edge) return holdsPoint(holder, part, vertexSpot(part, edge, grid), grid)
  const piece = edgePiece(part, edge)
  const parts = partsNear(holder, piece.box, false)
  return parts.some((near) => quickEdge(near, piece) > 0) || coversEdge(piece, parts, grid)
}

/** 1 when a part with an inside holds a straight piece for certain, −1 when it does not. */
function quickEdge({ part, edges }: NearPart, piece: Piece): -1 | 0 | 1 {
  if (edges.some((edge) => areSameEdge(part, edge, piece.part, piece.index))) return 1
  if (!part.thick) return 0
  if (part.outline !== null) return edges.length > 0 ? 0 : sideOfRegion(part, piece)
  const error = 2 * (part.error + piece.part.error)
  const first = endsOf(piece)
  const from = quickDisc(part, first[0], first[1], 0, error)
  const to = quickDisc(part, first[2], first[3], 0, error)
  return from < 0 || to < 0 ? -1 : from > 0 && to > 0 ? 1 : 0
}

/** Which side of a region a piece is on that no edge of it comes near. */
function sideOfRegion(region: PlacedPart, piece: Piece): -1 | 0 | 1 {
  const [x, y] = endsOf(piece)
  return -pointInOutline(region.outline as Outline, x - region.x, y - region.y) as -1 | 0 | 1
}

/** Whether the piece keeps out of the inside of the guest for certain. */
function keepsOut(piece: Piece, guest: NearPart): boolean {
  const { part, edges } = guest
  if (part.outline === null) return keepsOutOf(part, piece)
  if (piece.kind !== 'edge') return false
  if (edges.length === 0) return sideOfRegion(part, piece) < 0
  return piece.part.radius === 0n && edges.some((edge) => areSameEdge(part, edge, piece.part, piece.index))
}

/** A part of the guest with an inside. */
function containsInside(holder: PlacedBody, guest: PlacedBody, part: PlacedPart, index: number, grid: Grid): boolean {
  const pieces: Piece[] = []
  const { leafPart, leafEdge } = holder.view
  visitLeavesNear(holder, part.box, (leaf) => {
    const owner = holder.parts[leafPart[leaf]]
    if (!owner.thick) return
    if (owner.outline === null) for (const piece of piecesOf(owner, part.box)) pieces.push(piece)
    else pieces.push(edgePiece(owner, leafEdge[leaf]))
  })
  for (const piece of pieces) {
    const near: NearPart = { part, edges: part.outline === null ? [] : edgesNear(guest, index, piece.box) }
    if (keepsOut(piece, near)) continue
    const others = partsNear(holder, commonBox(piece.box, part.box), true).filter((other) => other.part !== piece.part)
    // A piece within another member of the union is no boundary of the union.
    if (others.some(({ part: other }) => other.outline === null && liesWithin(other, piece))) continue
    if (leavesGap(piece, near, others, grid)) return false
  }
  return holdsInnerPoint(holder, part, grid)
}

/** The edges of one outline of the body that come near the box. */
function edgesNear(placed: PlacedBody, index: number, box: Box): number[] {
  const edges: number[] = []
  const { view } = placed
  visitLeavesNear(placed, box, (leaf) => {
    if (view.leafPart[leaf] === index) edges.push(view.leafEdge[leaf])
  })
  return edges
}

/** Whether an inner point of the part, one for each piece of it that hangs together, lies in the closed holder. */
function holdsInnerPoint(holder: PlacedBody, part: PlacedPart, grid: Grid): boolean {
  if (part.outline !== null) {
    return part.outline.loops.every((edge) => {
      const piece = edgePiece(part, edge)
      return coversInnerSide(piece, partsNear(holder, piece.box, true), grid)
    })
  }
  const spot = innerSpot(part, grid)
  return partsNear(holder, boxAround(spot, part), true).some((near) => holdsSpot(near, spot, grid))
}

function innerSpot(part: PlacedPart, grid: Grid): Spot {
  const { body, exactX: x, exactY: y, direction } = part
  if (body.kind === ELLIPSE) return wholeSpot(x, y, 1n, grid)
  if (body.kind === HALFPLANE) {
    // The normal is at least one unit long.
    const offset = toGrid(grid, body.numbers[OFFSET])
    const depth = offset < 0n ? 1n - offset : 1n
    return wholeSpot(x - depth * direction.x, y - depth * direction.y, 1n, grid)
  }
  if (body.numbers[RADIUS] > 0) return vertexSpot(part, 0, grid)
  let sumX = 0n
  let sumY = 0n
  spend(body.count)
  for (let i = 0; i < body.count; i++) {
    const vertex = exactVertex(part, i, grid)
    sumX += vertex.x
    sumY += vertex.y
  }
  return wholeSpot(sumX, sumY, BigInt(body.count), grid)
}

// Whether a piece of a boundary keeps out of the inside of a convex part, as far as rounded numbers tell for certain.
//
// Method: a line between the two, along an edge of the part or along the piece; for skins the distance of the cores; for ellipses
// their support heights. What lies within the bound on rounding is left open.
// Frame: rounded coordinates as `placed-parts.ts` has them.

/** A segment and how far around it the piece may be. */
interface Span {
  ax: number
  ay: number
  bx: number
  by: number
  bulge: number
}

/** Whether the piece has no point within the convex part. */
function keepsOutOf(part: PlacedPart, piece: Piece): boolean {
  if (piece.kind === 'line') return false
  const span = spanOf(piece)
  const error = 2 * (part.error + piece.part.error + SEPARATION_ERROR_RATIO * span.bulge)
  if (part.body.kind === HALFPLANE) {
    const { ax, ay, bx, by, bulge } = span
    return Math.min(heightInHalfplane(part, ax, ay), heightInHalfplane(part, bx, by)) - bulge > error
  }
  if (part.body.kind === ELLIPSE) return isClearOfEllipse(part, piece, span, error)
  return isClearOfCore(part, span, error) || isBeyondPiece(part, span, error)
}

/** Whether all of the piece lies within a convex part for certain, off its boundary. */
function liesWithin(part: PlacedPart, piece: Piece): boolean {
  if (piece.kind === 'line') return false
  const { ax, ay, bx, by, bulge } = spanOf(piece)
  const error = 2 * (part.error + piece.part.error + SEPARATION_ERROR_RATIO * bulge)
  return quickDisc(part, ax, ay, bulge, error) > 0 && quickDisc(part, bx, by, bulge, error) > 0
}

/** Rounded ends of a straight piece; of another one, the point about which it is bent, twice. */
function endsOf({ kind, part, index }: Piece): [number, number, number, number] {
  const { x, y, vertices, body } = part
  if (kind === 'ellipse' || kind === 'line') return [x, y, x, y]
  const ix = x + vertices[2 * index]
  const iy = y + vertices[2 * index + 1]
  if (kind === 'arc') return [ix, iy, ix, iy]
  const end = endOf(part, index)
  const jx = x + vertices[2 * end]
  const jy = y + vertices[2 * end + 1]
  if (part.outline !== null || body.numbers[RADIUS] === 0) return [ix, iy, jx, jy]
  const outX = body.numbers[RADIUS] * body.numbers[body.normals + 2 * index]
  const outY = body.numbers[RADIUS] * body.numbers[body.normals + 2 * index + 1]
  return [ix + outX, iy + outY, jx + outX, jy + outY]
}

function spanOf(piece: Piece): Span {
  const [ax, ay, bx, by] = endsOf(piece)
  const { body } = piece.part
  const bulge =
    piece.kind === 'ellipse'
      ? Math.max(body.numbers[RX], body.numbers[RY])
      : piece.kind === 'arc'
        ? body.numbers[RADIUS]
        : 0
  return { ax, ay, bx, by, bulge }
}

/** Whether an edge's line tells; with skins also the distance of the cores, where these are apart for certain. */
function isClearOfCore({ body, vertices, x, y }: PlacedPart, span: Span, error: number): boolean {
  const { count, normals, numbers } = body
  const radius = numbers[RADIUS]
  const ax = span.ax - x
  const ay = span.ay - y
  const bx = span.bx - x
  const by = span.by - y
  const reach = radius + span.bulge + error
  const isRound = radius + span.bulge > 0
  // A point is apart from what it has a distance from.
  let isApart = count === 1
  let least = Infinity
  spend(1 + (count >> 2))
  for (let i = 0; i < count; i++) {
    const px = vertices[2 * i]
    const py = vertices[2 * i + 1]
    const j = i + 1 === count ? 0 : 2 * i + 2
    if (isRound) {
      least = Math.min(
        least,
        distanceToSegment(px, py, ax, ay, bx, by),
        distanceToSegment(ax, ay, px, py, vertices[j], vertices[j + 1]),
        distanceToSegment(bx, by, px, py, vertices[j], vertices[j + 1]),
      )
    }
    if (count === 1) break
    const nx = numbers[normals + 2 * i]
    const ny = numbers[normals + 2 * i + 1]
    const gap = Math.min(nx * (ax - px) + ny * (ay - py), nx * (bx - px) + ny * (by - py))
    if (gap > reach) return true
    if (gap > error) isApart = true
  }
  return isApart && isRound && least > reach
}

function distanceToSegment(px: number, py: number, ax: number, ay: number, bx: number, by: number): number {
  return distanceFromSegment(px - ax, py - ay, bx - ax, by - ay)
}

/** Whether all of the part lies on one side of the segment's line, whose direction is known to the digits of its length. */
function isBeyondPiece({ body, vertices, x, y }: PlacedPart, span: Span, error: number): boolean {
  const { count, numbers } = body
  const radius = numbers[RADIUS]
  const { ax, ay, bx, by, bulge } = span
  const length = vectorLength(bx - ax, by - ay)
  const nx = (by - ay) / length
  const ny = (ax - bx) / length
  let least = Infinity
  let most = -Infinity
  let far = 0
  for (let i = 0; i < count; i++) {
    const dx = x + vertices[2 * i] - ax
    const dy = y + vertices[2 * i + 1] - ay
    const height = nx * dx + ny * dy
    far = Math.max(far, Math.abs(dx) + Math.abs(dy))
    least = Math.min(least, height)
    most = Math.max(most, height)
  }
  // Nothing is known of a segment without length: what is not a number compares false.
  const margin = radius + bulge + error + (error * far) / length
  return least > margin || most < -margin
}

/** Whether the ellipse lies on one side of a line that the piece is on the other side of. */
function isClearOfEllipse({ body, x, y }: PlacedPart, piece: Piece, span: Span, error: number): boolean {
  const { ax, ay, bx, by, bulge } = span
  if (piece.kind === 'edge') {
    const length = vectorLength(bx - ax, by - ay)
    const nx = (by - ay) / length
    const ny = (ax - bx) / length
    const height = nx * (x - ax) + ny * (y - ay)
    const far = Math.abs(x - ax) + Math.abs(y - ay) + Math.max(body.numbers[RX], body.numbers[RY])
    return Math.abs(height) - ellipseReach(body, nx, ny) > error + (error * far) / length
  }
  const { body: owner } = piece.part
  if (piece.kind !== 'arc' || owner.count < 3) return false
  // The arc is above the chord between its ends, which lies across the middle of the two normals.
  const before = 2 * preceding(owner, piece.index)
  const at = 2 * piece.index
  const mx = owner.numbers[owner.normals + before] + owner.numbers[owner.normals + at]
  const my = owner.numbers[owner.normals + before + 1] + owner.numbers[owner.normals + at + 1]
  const length = vectorLength(mx, my)
  if (!(length > 1)) return false
  const level = (mx * (x - ax) + my * (y - ay)) / length + ellipseReach(body, mx / length, my / length)
  return level < (bulge * length) / 2 - error
}
