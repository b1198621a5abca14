/**
 * Whether one closed body contains another, decided exactly.
 *
 * Method: B is in A when each part of B is. What rounded numbers prove (a convex part of A that holds a part of B, or lacks a
 * vertex of it) is told first. Otherwise, for a part of B with an inside: what of that A leaves open is itself open, so it is bounded
 * within the part by pieces of A's boundary, or it is all of the part. So the part is in A when one inner point is, and no piece
 * of A's boundary runs through the part's inside with nothing of A beside it (`scan.ts`). This holds for unions whose
 * members cover the part only together, straight or curved. What has no inside adds nothing to that; it may hold points and
 * edges, which are covered stretch by stretch.
 * Frame: as `placed-parts.ts` has it.
 */
import { spend } from '../../containers/budget.ts'
import type { Sign } from '../../numeric/exact-ring.ts'
import type { Outline } from '../outline/outline.ts'
import { pointInOutline } from '../outline/point-in-outline.ts'
import { type Body, ELLIPSE, HALFPLANE } from '../shape/body.ts'
import { pairExponent, scaleBody } from '../shape/body-scaling.ts'
import { isCored } from '../shape/kinds.ts'
import { endsOf, keepsOutOf, liesWithin } from './clear.ts'
import { convexContainment } from './convex.ts'
import { edgePiece, type Piece, piecesOf } from './pieces.ts'
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
import { areSame, areSameEdge, quickDisc } from './quick.ts'
import { coversEdge, coversInnerSide, holdsSpot, leavesGap, type NearPart, partsNear, visitLeavesNear } from './scan.ts'
import { type Spot, wholeSpot } from './spots.ts'

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
    // What is within another member of the union is no boundary of it.
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
    const offset = toGrid(grid, body.offset)
    const depth = offset < 0n ? 1n - offset : 1n
    return wholeSpot(x - depth * direction.x, y - depth * direction.y, 1n, grid)
  }
  if (body.radius > 0) return vertexSpot(part, 0, grid)
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
