/**
 * Whether parts of one body cover a curve: exactly, stretch by stretch.
 *
 * Method: a curve is cut wherever the boundary of a part may pass. Between two cuts nothing changes, so one point with exact
 * coordinates tells for all of the stretch; and where the boundary of a part runs along it, which side that part is on. Closed
 * sets that cover all stretches cover the cuts as well.
 * Frame: as `placed-parts.ts` has it.
 */

import { spend } from '../../containers/budget.ts'
import type { Sign } from '../../numeric/exact-ring.ts'
import { createCuts, cutAt, cutAtRoots, type ParameterCuts, parametersBetween } from '../../numeric/parameter-cuts.ts'
import { addRoots, rootSign, scaleRoot, subtractRoots, whole } from '../../numeric/root-number.ts'
import { SMALLEST_SAFE_DETERMINANT } from '../../numeric/roundoff.ts'
import { type BoxTree, TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import { EDGES_PER_BAND, type Outline } from '../outline/outline.ts'
import { ELLIPSE, HALFPLANE, preceding, RADIUS } from '../shape/body.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import {
  createOutward,
  edgesPart,
  isOnEdge,
  type Outward,
  placeInConvex,
  productSign,
  setGradient,
  setRightOf,
} from './convex-part.ts'
import {
  type Conic,
  type Curve,
  circleConic,
  circleCurve,
  crossLineConic,
  ellipseConic,
  ellipseCurve,
  halfplaneConic,
  halfplaneCurve,
  lineConic,
  linePairConic,
  meetingPolynomial,
  type Spot,
  segmentCurve,
  spotAt,
} from './curve-spots.ts'
import {
  type Box,
  commonBox,
  type ExactPoint,
  edgeBox,
  edgeCountOf,
  endOf,
  exactVertex,
  type Grid,
  type PlacedBody,
  type PlacedPart,
  pieceBoxesMeet,
  spendExact,
} from './placed-parts.ts'

/** A part near some place, and of an outline those of its edges that are. */
export interface NearPart {
  part: PlacedPart
  edges: number[]
}

/** The leaves of a body whose boxes meet the box. */
export function visitLeavesNear(placed: PlacedBody, box: Box, visit: (leaf: number) => void): void {
  const { view, shiftX, shiftY, slack } = placed
  const { 0: minX, 1: minY, 2: maxX, 3: maxY } = box
  visitTree(
    view.tree,
    minX - shiftX - slack,
    minY - shiftY - slack,
    maxX - shiftX + slack,
    maxY - shiftY + slack,
    visit,
  )
}

function visitTree(
  { boxes, child, nodeCount }: BoxTree,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
  visit: (leaf: number) => void,
): void {
  if (nodeCount === 0) return
  const stack = new Int32Array(TREE_DEPTH_COUNT + 2)
  let top = 1
  while (top > 0) {
    spend(1)
    const node = stack[--top]
    const k = 4 * node
    if (boxes[k] > maxX || boxes[k + 2] < minX || boxes[k + 1] > maxY || boxes[k + 3] < minY) continue
    const first = child[node]
    if (first < 0) visit(~first)
    else {
      stack[top++] = first
      stack[top++] = first + 1
    }
  }
}

/** The parts of a body that have a point near the box, regions among them that may hold it. `isThick`: only those with an inside. */
export function partsNear(placed: PlacedBody, box: Box, isThick: boolean): NearPart[] {
  const found = new Map<number, NearPart>()
  const { leafPart, leafEdge } = placed.view
  visitLeavesNear(placed, box, (leaf) => {
    const index = leafPart[leaf]
    const part = placed.parts[index]
    if (isThick && !part.thick) return
    const near = found.get(index)
    const edge = leafEdge[leaf]
    if (near === undefined) found.set(index, { part, edges: part.outline === null ? [] : [edge] })
    else near.edges.push(edge)
  })
  const result = [...found.values()]
  if (placed.regions.length === 0) return result
  const met = new Set(result.map(({ part }) => part))
  visitTree(placed.regionTree, box[0], box[1], box[2], box[3], (region) => {
    const part = placed.regions[region]
    if (!met.has(part)) result.push({ part, edges: [] })
  })
  return result
}

/** Where the spot lies in a part with an inside. */
function placeIn(part: PlacedPart, spot: Spot, grid: Grid, out: Outward): Sign {
  return part.outline === null ? placeInConvex(part, spot, grid, out) : placeInRegion(part, spot, grid, out)
}

/** Whether the spot lies in a closed part; of line work, on one of the given edges. */
export function holdsSpot({ part, edges }: NearPart, spot: Spot, grid: Grid): boolean {
  if (part.outline === null || part.outline.solid) return placeIn(part, spot, grid, beside) <= 0
  return edges.some((edge) => isOnEdge(part, edge, spot, grid))
}

const outward = createOutward()
const beside = createOutward()

/** Cuts a piece where the boundary of the part passes it. */
function cutByPart(cuts: ParameterCuts, piece: Piece, curve: Curve, near: NearPart, clip: Box, grid: Grid): void {
  const { part, edges } = near
  if (part.outline === null) {
    for (const other of piecesOf(part, clip)) cutByPiece(cuts, piece, curve, other, grid)
    return
  }
  for (const edge of edges) cutByPiece(cuts, piece, curve, edgePiece(part, edge), grid)
}

/** Whether the part covers what lies just beside the spot, on the side that `outward` leads to. */
function coversBeside(part: PlacedPart, spot: Spot, grid: Grid): boolean {
  const place = placeIn(part, spot, grid, beside)
  return place < 0 || (place === 0 && productSign(beside, outward, spot.root) < 0)
}

/**
 * Whether some stretch of the piece lies inside `guest` with nothing beside it that covers the guest there. `others`: all parts
 * with an inside that come near the piece within the guest, but for the piece's own.
 */
export function leavesGap(piece: Piece, guest: NearPart, others: readonly NearPart[], grid: Grid): boolean {
  const clip = commonBox(piece.box, guest.part.box)
  const curve = curveOfPiece(piece, grid)
  const cuts = createCuts(isBounded(piece))
  cutAtEnds(cuts, piece, curve, grid)
  cutByPart(cuts, piece, curve, guest, clip, grid)
  for (const other of others) cutByPart(cuts, piece, curve, other, clip, grid)
  for (const parameter of parametersBetween(cuts)) {
    const spot = spotAt(curve, parameter, grid)
    if (!isOnPiece(piece, spot, grid) || placeIn(guest.part, spot, grid, beside) >= 0) continue
    setOutward(piece, spot, grid, outward)
    if (!others.some(({ part }) => coversBeside(part, spot, grid))) return true
  }
  return false
}

/** Whether what lies just inside an edge of `piece`, anywhere, is covered by the parts. */
export function coversInnerSide(piece: Piece, parts: readonly NearPart[], grid: Grid): boolean {
  const curve = curveOfPiece(piece, grid)
  const cuts = createCuts(isBounded(piece))
  for (const part of parts) cutByPart(cuts, piece, curve, part, piece.box, grid)
  const spot = spotAt(curve, parametersBetween(cuts)[0], grid)
  setOutward(piece, spot, grid, outward)
  outward.x = { a: -outward.x.a, b: -outward.x.b }
  outward.y = { a: -outward.y.a, b: -outward.y.b }
  return parts.some(({ part }) => coversBeside(part, spot, grid))
}

/** Whether the parts cover a straight piece, which is all there is of it. */
export function coversEdge(piece: Piece, parts: readonly NearPart[], grid: Grid): boolean {
  const curve = curveOfPiece(piece, grid)
  const cuts = createCuts(true)
  for (const part of parts) cutByPart(cuts, piece, curve, part, piece.box, grid)
  return parametersBetween(cuts).every((parameter) => {
    const spot = spotAt(curve, parameter, grid)
    return parts.some((part) => holdsSpot(part, spot, grid))
  })
}

// Where an exact point lies in a region, and which way leads out of the region there.
//
// Method: the crossing number of the ray to the right, as in `outline/outline.ts`; integers decide about edges in doubt.
// −1 inside, 0 on the boundary, 1 outside.

/** Fills `out` where the answer is 0 and the point is not a corner. Cost O(edges), with a small factor. */
function placeInRegion(part: PlacedPart, spot: Spot, grid: Grid, out: Outward): Sign {
  const { bands, edgeCount } = part.outline as Outline
  const error = part.error + spot.slack
  const left = spot.roundedX - part.x - error
  const low = spot.roundedY - part.y - error
  const high = spot.roundedY - part.y + error
  let crossings = 0
  spend(1 + (edgeCount >>> 5))
  for (let start = 0, band = 0; start < edgeCount; start += EDGES_PER_BAND, band += 3) {
    if (bands[band] > high || bands[band + 1] < low || bands[band + 2] < left) continue
    spend(EDGES_PER_BAND >>> 3)
    const end = Math.min(start + EDGES_PER_BAND, edgeCount)
    for (let edge = start; edge < end; edge++) {
      const count = crossingsOf(part, edge, spot, error, grid)
      if (count < 0) {
        setRightOf(part, edge, grid, out)
        return 0
      }
      crossings += count
    }
  }
  return crossings % 2 === 1 ? -1 : 1
}

/** 1 when the ray from the spot to the right crosses the edge, −1 when the spot is on it. */
function crossingsOf(part: PlacedPart, edge: number, spot: Spot, error: number, grid: Grid): number {
  const { vertices } = part
  const x = spot.roundedX - part.x
  const y = spot.roundedY - part.y
  const end = endOf(part, edge)
  const ay = vertices[2 * edge + 1] - y
  const by = vertices[2 * end + 1] - y
  if ((ay > error && by > error) || (ay < -error && by < -error)) return 0
  const ax = vertices[2 * edge] - x
  const bx = vertices[2 * end] - x
  if (ax < -error && bx < -error) return 0
  const heightA = ay > error ? 1 : ay < -error ? -1 : compareY(part, edge, spot, grid)
  const heightB = by > error ? 1 : by < -error ? -1 : compareY(part, end, spot, grid)
  if (heightA <= 0 && heightB <= 0) {
    if (heightA < 0 && heightB < 0) return 0
    return isOnLevelEnd(part, edge, heightA, end, heightB, spot, grid) ? -1 : 0
  }
  if (heightA > 0 && heightB > 0) return 0
  if (ax > error && bx > error) return 1
  const first = ax * by
  const second = ay * bx
  const turn = first - second
  const doubt =
    SEPARATION_ERROR_RATIO * (Math.abs(first) + Math.abs(second)) +
    2 * error * (Math.abs(ax) + Math.abs(ay) + Math.abs(bx) + Math.abs(by) + error) +
    SMALLEST_SAFE_DETERMINANT
  const side = turn > doubt ? 1 : turn < -doubt ? -1 : exactSide(part, edge, end, spot, grid)
  if (side === 0) return -1
  return side > 0 === heightB > 0 ? 1 : 0
}

/** Sign of the vertex's y minus the spot's. */
function compareY(part: PlacedPart, i: number, spot: Spot, grid: Grid): Sign {
  spendExact(grid, 1)
  return rootSign(subtractRoots(whole(exactVertex(part, i, grid).y * spot.w), spot.y), spot.root)
}

function compareX(part: PlacedPart, i: number, spot: Spot, grid: Grid): Sign {
  spendExact(grid, 1)
  return rootSign(subtractRoots(whole(exactVertex(part, i, grid).x * spot.w), spot.x), spot.root)
}

/** Whether the spot is on an edge with both ends at or below its height (−1 below, 0 level), one of them level. */
function isOnLevelEnd(
  part: PlacedPart,
  edge: number,
  heightA: Sign,
  end: number,
  heightB: Sign,
  spot: Spot,
  grid: Grid,
): boolean {
  if (heightA < 0) return compareX(part, end, spot, grid) === 0
  const a = compareX(part, edge, spot, grid)
  if (heightB < 0) return a === 0
  return a === 0 || a !== compareX(part, end, spot, grid)
}

/** 1 when the spot lies to the left of the edge, 0 on its line. */
function exactSide(part: PlacedPart, edge: number, end: number, spot: Spot, grid: Grid): Sign {
  spendExact(grid, 1)
  const p = exactVertex(part, edge, grid)
  const q = exactVertex(part, end, grid)
  const x = subtractRoots(spot.x, whole(p.x * spot.w))
  const y = subtractRoots(spot.y, whole(p.y * spot.w))
  return rootSign(subtractRoots(scaleRoot(y, q.x - p.x), scaleRoot(x, q.y - p.y)), spot.root)
}

// The pieces that parts are bounded by: straight edges, pushed out where there is a skin, arcs about corners, whole ellipses,
// lines of half-planes; and where one piece cuts another.
//
// A piece has a curve (`curve-spots.ts`), the polynomial whose zero set it lies on, a way out of its part, and a box.
// Frame: as `placed-parts.ts` has it.

export interface Piece {
  kind: 'edge' | 'arc' | 'ellipse' | 'line'
  part: PlacedPart
  /** The edge, or the corner of the arc. */
  index: number
  box: Box
}

/** The pieces of a convex part whose boxes meet `clip`. Cost O(vertices). */
export function piecesOf(part: PlacedPart, clip: Box): Piece[] {
  const { body, box } = part
  if (!pieceBoxesMeet(box, clip)) return []
  if (body.kind === ELLIPSE) return [{ kind: 'ellipse', part, index: 0, box }]
  if (body.kind === HALFPLANE) return [{ kind: 'line', part, index: 0, box }]
  const pieces: Piece[] = []
  const { count, numbers } = body
  const radius = numbers[RADIUS]
  spend(1 + (count >> 2))
  // A segment without a skin is one piece, not both of its sides.
  const edges = count === 2 && !part.thick ? 1 : edgeCountOf(part)
  for (let i = 0; i < edges; i++) {
    const around = edgeBox(part, i, endOf(part, i), radius)
    if (pieceBoxesMeet(around, clip)) pieces.push({ kind: 'edge', part, index: i, box: around })
  }
  for (let i = 0; i < count && radius > 0; i++) {
    const around = edgeBox(part, i, i, radius)
    if (pieceBoxesMeet(around, clip)) pieces.push({ kind: 'arc', part, index: i, box: around })
  }
  return pieces
}

/** One edge of an outline. */
export function edgePiece(part: PlacedPart, edge: number): Piece {
  return { kind: 'edge', part, index: edge, box: edgeBox(part, edge, endOf(part, edge), 0) }
}

/** Whether parameters run from 0 to 1. */
function isBounded({ kind }: Piece): boolean {
  return kind === 'edge'
}

function curveOfPiece({ kind, part, index }: Piece, grid: Grid): Curve {
  spendExact(grid, 2)
  if (kind === 'line') return halfplaneCurve(part, grid)
  if (kind === 'ellipse') return ellipseCurve(part, grid)
  const p = exactVertex(part, index, grid)
  if (kind === 'arc') return circleCurve(p, part.radius)
  return segmentCurve(p, exactVertex(part, endOf(part, index), grid), part.radius)
}

/** A polynomial that vanishes on the piece. */
function conicOf({ kind, part, index }: Piece, grid: Grid): Conic {
  if (kind === 'line') return halfplaneConic(part, grid)
  if (kind === 'ellipse') return ellipseConic(part, grid)
  const p = exactVertex(part, index, grid)
  if (kind === 'arc') return circleConic(p, part.radius)
  const q = exactVertex(part, endOf(part, index), grid)
  const line = lineConic(p, q)
  if (part.radius === 0n) return line
  return linePairConic(line, part.radius ** 2n * ((q.x - p.x) ** 2n + (q.y - p.y) ** 2n))
}

/** Sets `out` to the way out of the piece's part at a spot of the piece. */
function setOutward({ kind, part, index }: Piece, spot: Spot, grid: Grid, out: Outward): void {
  if (kind === 'edge') setRightOf(part, index, grid, out)
  else if (kind === 'line') {
    out.x = whole(part.direction.x)
    out.y = whole(part.direction.y)
  } else if (kind === 'ellipse') setGradient(ellipseConic(part, grid), spot, out)
  else setGradient(circleConic(exactVertex(part, index, grid), part.radius), spot, out)
}

/** The corners before and after the corner of an arc; none where the core is a point. */
function neighboursOf({ part, index }: Piece, grid: Grid): ExactPoint[] {
  const { body } = part
  if (body.count === 1) return []
  const next = exactVertex(part, endOf(part, index), grid)
  return body.count === 2 ? [next] : [exactVertex(part, preceding(body, index), grid), next]
}

/** Cuts the whole circle of an arc where the arc ends. */
function cutAtEnds(cuts: ParameterCuts, piece: Piece, curve: Curve, grid: Grid): void {
  if (piece.kind !== 'arc') return
  const corner = exactVertex(piece.part, piece.index, grid)
  for (const neighbour of neighboursOf(piece, grid)) {
    cutAtRoots(cuts, meetingPolynomial(curve, crossLineConic(corner, neighbour)))
  }
}

/** Whether a spot of the piece's curve lies on the piece: an arc leads away from both edges. */
function isOnPiece(piece: Piece, spot: Spot, grid: Grid): boolean {
  if (piece.kind !== 'arc') return true
  const corner = exactVertex(piece.part, piece.index, grid)
  const x = subtractRoots(spot.x, whole(corner.x * spot.w))
  const y = subtractRoots(spot.y, whole(corner.y * spot.w))
  return neighboursOf(piece, grid).every((neighbour) => {
    const along = addRoots(scaleRoot(x, neighbour.x - corner.x), scaleRoot(y, neighbour.y - corner.y))
    return rootSign(along, spot.root) <= 0
  })
}

function isStraight({ kind, part }: Piece): boolean {
  return kind === 'edge' && part.radius === 0n
}

/** Cuts a piece, whose curve is given, where another one meets it, and perhaps elsewhere. */
function cutByPiece(cuts: ParameterCuts, piece: Piece, curve: Curve, other: Piece, grid: Grid): void {
  if (!pieceBoxesMeet(piece.box, other.box)) return
  if (!isStraight(piece) || !isStraight(other)) {
    spendExact(grid, 2)
    cutAtRoots(cuts, meetingPolynomial(curve, conicOf(other, grid)))
    return
  }
  if (edgesPart(piece.part, piece.index, other.part, other.index)) return
  spendExact(grid, 2)
  cutByEdge(
    cuts,
    exactVertex(piece.part, piece.index, grid),
    exactVertex(piece.part, endOf(piece.part, piece.index), grid),
    exactVertex(other.part, other.index, grid),
    exactVertex(other.part, endOf(other.part, other.index), grid),
  )
}

/** Cuts the segment p q where the segment r s crosses it, or begins or ends on its line. */
function cutByEdge(cuts: ParameterCuts, p: ExactPoint, q: ExactPoint, r: ExactPoint, s: ExactPoint): void {
  const ex = q.x - p.x
  const ey = q.y - p.y
  const height = ({ x, y }: ExactPoint): bigint => ex * (y - p.y) - ey * (x - p.x)
  const heightR = height(r)
  const heightS = height(s)
  if ((heightR > 0n && heightS > 0n) || (heightR < 0n && heightS < 0n)) return
  if (heightR === 0n && heightS === 0n) {
    const square = ex * ex + ey * ey
    for (const { x, y } of [r, s]) cutAt(cuts, (x - p.x) * ex + (y - p.y) * ey, square)
    return
  }
  const fx = s.x - r.x
  const fy = s.y - r.y
  cutAt(cuts, (r.x - p.x) * fy - (r.y - p.y) * fx, ex * fy - ey * fx)
}
