/**
 * Whether a convex part contains points with a skin, decided exactly.
 *
 * Method: a disc of radius r lies in a core with a skin R ≥ r when its centre is no farther than R − r from the core; with R < r
 * when the centre is at least r − R inside every edge of the core; in a half-plane when its highest point is.
 * Frame: as `placed-parts.ts` has it.
 */

import { signBesideRoot, whole } from '../../numeric/root-number.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { ELLIPSE, HALFPLANE } from '../shape/body.ts'
import { createOutward, placeInConvex } from './place-in-convex.ts'
import { endOf, exactVertex, type Grid, type PlacedPart, spendExact, toGrid } from './placed-parts.ts'
import { hasPoints, pointCount, quickContainment, quickDisc } from './quick.ts'
import { wholeSpot } from './spots.ts'

const outward = createOutward()

/** 1 when the convex part `holder`, which has an inside, contains `guest`, −1 when it does not, 0 where that is left open. */
export function convexContainment(holder: PlacedPart, guest: PlacedPart, grid: Grid): -1 | 0 | 1 {
  const { kind, count, radius } = holder.body
  if (kind === HALFPLANE && guest.outline === null && guest.body.kind === HALFPLANE) {
    return halfplaneContainment(holder, guest, grid)
  }
  const quick = quickContainment(holder, guest)
  if (quick !== 0 || !hasPoints(guest)) return quick
  if (kind === ELLIPSE) return guest.radius === 0n ? holdsPoints(holder, guest, grid) : 0
  if (kind === HALFPLANE) return holdsSkin(holder, guest, grid, heightOverBoundary)
  if (guest.radius <= holder.radius) {
    const rest = holder.radius - guest.radius
    const eroded = { ...holder, body: { ...holder.body, radius: radius - skinOf(guest) }, radius: rest }
    // What has no inside any more is asked as what it is.
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
  const level = toGrid(grid, holder.body.offset) - toGrid(grid, guest.body.offset)
  return signBesideRoot(whole(height), 0n, level, x * x + y * y) <= 0 ? 1 : -1
}

/** Exactly as given; up to rounding where a rotation has rounded them, as where two half-planes are measured. */
function areParallel({ body: a, direction: p }: PlacedPart, { body: b, direction: q }: PlacedPart): boolean {
  if (a.unitX * b.unitX + a.unitY * b.unitY <= 0) return false
  if (a.sin === 0 && b.sin === 0) return p.x * q.y === p.y * q.x
  return Math.abs(a.unitX * b.unitY - a.unitY * b.unitX) <= 8 * UNIT_ROUNDOFF
}

function skinOf({ body, outline }: PlacedPart): number {
  return outline === null ? body.radius : 0
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
  return signBesideRoot(whole(height), 0n, toGrid(grid, body.offset) - radius, square) <= 0
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
