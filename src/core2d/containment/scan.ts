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
import { createCuts, type ParameterCuts, parametersBetween } from '../../numeric/parameter-cuts.ts'
import { type BoxTree, TREE_DEPTH_COUNT } from '../bvh/box-tree.ts'
import {
  curveOfPiece,
  cutAtEnds,
  cutByPiece,
  edgePiece,
  isBounded,
  isOnPiece,
  type Piece,
  piecesOf,
  setOutward,
} from './pieces.ts'
import { createOutward, isOnEdge, type Outward, placeInConvex, productSign } from './place-in-convex.ts'
import { placeInRegion } from './place-in-region.ts'
import { type Box, commonBox, type Grid, type PlacedBody, type PlacedPart } from './placed-parts.ts'
import { type Curve, type Spot, spotAt } from './spots.ts'

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
export function placeIn(part: PlacedPart, spot: Spot, grid: Grid, out: Outward): Sign {
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
