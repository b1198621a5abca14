/**
 * Whether a piece of a boundary keeps out of the inside of a convex part, as far as rounded numbers tell for certain.
 *
 * Method: a line between the two, along an edge of the part or along the piece; for skins the distance of the cores; for ellipses
 * their support heights. What lies within the bound on rounding is left open.
 * Frame: rounded coordinates as `placed-parts.ts` has them.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import { ELLIPSE, HALFPLANE } from '../shape/body.ts'
import { preceding } from '../shape/edge.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import type { Piece } from './pieces.ts'
import { endOf, type PlacedPart } from './placed-parts.ts'
import { distanceFromSegment, ellipseReach, heightInHalfplane, quickDisc } from './quick.ts'

/** A segment and how far around it the piece may be. */
interface Span {
  ax: number
  ay: number
  bx: number
  by: number
  bulge: number
}

/** Whether the piece has no point within the convex part. */
export function keepsOutOf(part: PlacedPart, piece: Piece): boolean {
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
export function liesWithin(part: PlacedPart, piece: Piece): boolean {
  if (piece.kind === 'line') return false
  const { ax, ay, bx, by, bulge } = spanOf(piece)
  const error = 2 * (part.error + piece.part.error + SEPARATION_ERROR_RATIO * bulge)
  return quickDisc(part, ax, ay, bulge, error) > 0 && quickDisc(part, bx, by, bulge, error) > 0
}

/** Rounded ends of a straight piece; of another one, the point about which it is bent, twice. */
export function endsOf({ kind, part, index }: Piece): [number, number, number, number] {
  const { x, y, vertices, body } = part
  if (kind === 'ellipse' || kind === 'line') return [x, y, x, y]
  const ix = x + vertices[2 * index]
  const iy = y + vertices[2 * index + 1]
  if (kind === 'arc') return [ix, iy, ix, iy]
  const end = endOf(part, index)
  const jx = x + vertices[2 * end]
  const jy = y + vertices[2 * end + 1]
  if (part.outline !== null || body.radius === 0) return [ix, iy, jx, jy]
  const outX = body.radius * body.normals[2 * index]
  const outY = body.radius * body.normals[2 * index + 1]
  return [ix + outX, iy + outY, jx + outX, jy + outY]
}

function spanOf(piece: Piece): Span {
  const [ax, ay, bx, by] = endsOf(piece)
  const { body } = piece.part
  const bulge = piece.kind === 'ellipse' ? Math.max(body.rx, body.ry) : piece.kind === 'arc' ? body.radius : 0
  return { ax, ay, bx, by, bulge }
}

/** Whether an edge's line tells; with skins also the distance of the cores, where these are apart for certain. */
function isClearOfCore({ body, vertices, x, y }: PlacedPart, span: Span, error: number): boolean {
  const { count, normals, radius } = body
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
    const nx = normals[2 * i]
    const ny = normals[2 * i + 1]
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
  const { count, radius } = body
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
    const far = Math.abs(x - ax) + Math.abs(y - ay) + Math.max(body.rx, body.ry)
    return Math.abs(height) - ellipseReach(body, nx, ny) > error + (error * far) / length
  }
  const { body: owner } = piece.part
  if (piece.kind !== 'arc' || owner.count < 3) return false
  // The arc is above the chord between its ends, which lies across the middle of the two normals.
  const before = 2 * preceding(owner, piece.index)
  const at = 2 * piece.index
  const mx = owner.normals[before] + owner.normals[at]
  const my = owner.normals[before + 1] + owner.normals[at + 1]
  const length = vectorLength(mx, my)
  if (!(length > 1)) return false
  const level = (mx * (x - ax) + my * (y - ay)) / length + ellipseReach(body, mx / length, my / length)
  return level < (bulge * length) / 2 - error
}
