/**
 * Where an exact point lies in a convex part, and which way leads out of the part there.
 *
 * Method: a rounded height or distance with a bound on its error; what that leaves open is decided by integers.
 * Frame: as `placed-parts.ts` has it. −1 inside, 0 on the boundary, 1 outside; what has no inside is its own boundary.
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
import { ELLIPSE, HALFPLANE } from '../shape/body.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { edgeCountOf, endOf, exactVertex, type Grid, type PlacedPart, spendExact, toGrid } from './placed-parts.ts'
import { distanceFromSegment } from './quick.ts'
import { type Conic, ellipseConic, type Spot } from './spots.ts'

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
  return body.radius === 0 ? placeInPolygon(part, spot, grid, out) : placeInSkin(part, spot, grid, out)
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
  const { count, radius } = part.body
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
  const { normals } = body
  const px = roundedX - x - vertices[2 * edge]
  const py = roundedY - y - vertices[2 * edge + 1]
  return normals[2 * edge] * px + normals[2 * edge + 1] * py
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
  const { unitX, unitY, offset } = part.body
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
  const { rx, ry, cos, sin } = part.body
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
