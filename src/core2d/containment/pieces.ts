/**
 * The pieces that parts are bounded by: straight edges, pushed out where there is a skin, arcs about corners, whole ellipses,
 * lines of half-planes; and where one piece cuts another.
 *
 * What: a piece has a curve (`spots.ts`), the polynomial whose zero set it lies on, a way out of its part, and a box.
 * Frame: as `placed-parts.ts` has it.
 */
import { spend } from '../../containers/budget.ts'
import { cutAt, cutAtRoots, type ParameterCuts } from '../../numeric/parameter-cuts.ts'
import { addRoots, rootSign, scaleRoot, subtractRoots, whole } from '../../numeric/root-number.ts'
import { ELLIPSE, HALFPLANE } from '../shape/body.ts'
import { preceding } from '../shape/edge.ts'
import { type Outward, setGradient, setRightOf } from './place-in-convex.ts'
import {
  type Box,
  type ExactPoint,
  edgeBox,
  edgeCountOf,
  endOf,
  exactVertex,
  type Grid,
  type PlacedPart,
  pieceBoxesMeet,
  spendExact,
} from './placed-parts.ts'
import { edgesPart } from './quick.ts'
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
} from './spots.ts'

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
  const { count, radius } = body
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
export function isBounded({ kind }: Piece): boolean {
  return kind === 'edge'
}

export function curveOfPiece({ kind, part, index }: Piece, grid: Grid): Curve {
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
export function setOutward({ kind, part, index }: Piece, spot: Spot, grid: Grid, out: Outward): void {
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
export function cutAtEnds(cuts: ParameterCuts, piece: Piece, curve: Curve, grid: Grid): void {
  if (piece.kind !== 'arc') return
  const corner = exactVertex(piece.part, piece.index, grid)
  for (const neighbour of neighboursOf(piece, grid)) {
    cutAtRoots(cuts, meetingPolynomial(curve, crossLineConic(corner, neighbour)))
  }
}

/** Whether a spot of the piece's curve lies on the piece: an arc leads away from both edges. */
export function isOnPiece(piece: Piece, spot: Spot, grid: Grid): boolean {
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
export function cutByPiece(cuts: ParameterCuts, piece: Piece, curve: Curve, other: Piece, grid: Grid): void {
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
