/**
 * Contact points of two bodies of which at least one is composite: some that span where the surfaces face each other along the normal.
 *
 * Method: each pair of leaves that the way out along the normal leads past each other gives the points of its own patches, seen along the
 * normal of the whole contact. Those no deeper than that, and no farther apart than asked for, are kept. Of these the deepest is taken, the
 * one farthest from it, then again and again the corner of their hull, seen along the normal, that adds most area; points that add none are
 * left out. Where none is as deep as the whole, as a corner over a slanted side is not, the deepest is where the bodies touch at the end of that way.
 * Frame: world; the normal points from the caller's first body to its second. Cost: that of the leaf pairs, and O(points · taken).
 */

import { spend } from '../../containers/budget.ts'
import { midway, scaleBy, scaleNumbers } from '../../numeric/safe-range.ts'
import { isSolidLeaf } from '../narrow-phase/composite-holding.ts'
import { normalOf } from '../narrow-phase/composite-interiors.ts'
import { createNearestLeaves, nearestLeaves } from '../narrow-phase/composite-relation.ts'
import { orderSecondMoved } from '../narrow-phase/composite-translation.ts'
import {
  type CompositeFrame,
  createCompositeFrame,
  farthestIn,
  gapMeasure,
  leafPair,
  orderComposites,
  visitLeafPairs,
  wayMeasure,
} from '../narrow-phase/composite-walk.ts'
import type { PairFrame } from '../narrow-phase/pair-frame.ts'
import { ANCHOR, type Body, COMPOSITE, HALFSPACE, POINTS, POSITION, type Vector } from '../shape/body.ts'
import {
  CONTACT_DEPTH_RATIO,
  LEAF_SWEEP_STEP_COUNT,
  PATCH_GAP_RATIO,
  SEPARATION_ERROR_RATIO,
  TOUCHING_COUNT,
} from '../tolerances.ts'
import type { ContactPoint, KnownContact } from './contact-patch.ts'
import { createDistance, distance } from './distance.ts'

/** The points of the patches of two convex bodies, in order and of a safe size. */
type PatchPoints = (frame: PairFrame, found: KnownContact, maxDistance: number, most: number) => ContactPoint[]

const frame = createCompositeFrame()

/** Points after which those that cannot be taken are let go. */
const MANY_POINTS = 2 ** 13

/** Points of one pair of leaves, as many as its patches have. */
const LEAF_POINTS = 64

/** The point of a contact of two convex bodies, with the features that face along its normal. */
type OnlyPoint = (frame: PairFrame, found: KnownContact) => ContactPoint

/** As `contactPoints`. */
export function pointsOfComposites(
  a: Body,
  b: Body,
  found: KnownContact,
  maxDistance: number,
  most: number,
  patchPoints: PatchPoints,
  onlyPoint: OnlyPoint,
): ContactPoint[] {
  orderComposites(a, b, frame)
  const { first, second, swapped, dx, dy, dz } = frame
  const size = Math.abs(dx) + Math.abs(dy) + Math.abs(dz) + farthestIn(first.box) + farthestIn(second.box)
  const error = TOUCHING_COUNT * SEPARATION_ERROR_RATIO * size
  const depth = Math.max(-found.separation, 0)
  const side = swapped ? -1 : 1
  const way: Vector = [side * found.nx, side * found.ny, side * found.nz]
  let points: ContactPoint[] = []
  const reach = depth + maxDistance + error
  const isEndless = first.body.kind === HALFSPACE || second.body.kind === HALFSPACE
  const column = wayMeasure(way, -maxDistance - error, depth + error, PATCH_GAP_RATIO * size + error, () => 0)
  visitLeafPairs(frame, reach, isEndless ? gapMeasure(frame) : column, (leafA, leafB) => {
    spend(LEAF_SWEEP_STEP_COUNT)
    const pair = leafPair(frame, leafA, leafB)
    if (!facesAlong(frame, pair, leafA, leafB, way)) return reach
    const isTurned = pair.swapped !== swapped
    const ofLeaves = pointsAtScale({ ...pair, swapped: isTurned }, found, maxDistance + error, patchPoints)
    if (!faceEachOther(pair, isTurned, found, ofLeaves, error)) return reach
    for (const point of ofLeaves) {
      if (!(point.separation >= found.separation - error)) continue
      const separation = Math.min(Math.max(point.separation, found.separation), maxDistance)
      points.push({ ...point, separation, leafA: swapped ? leafB : leafA, leafB: swapped ? leafA : leafB })
    }
    if (points.length > MANY_POINTS) points = thinned(points, found, size)
    return reach
  })
  if (!points.some(({ separation }) => separation <= found.separation + CONTACT_DEPTH_RATIO * size)) {
    const point = touchingPoint(way, depth, found, onlyPoint)
    if (point !== null) points.push(point)
  }
  return reduced(points, found, most, size)
}

const parted = createCompositeFrame()
const nearest = createNearestLeaves()
const apart = createDistance()

/** Where the nearest leaves are, once the second body has gone along the way by the depth; null of a piece that a solid holds even then. */
function touchingPoint(way: Vector, depth: number, found: KnownContact, onlyPoint: OnlyPoint): ContactPoint | null {
  orderSecondMoved(frame, way, depth, parted)
  nearestLeaves(parted, nearest)
  if (nearest.leafA < 0) return null
  const pair = leafPair(parted, nearest.leafA, nearest.leafB)
  distance(pair.first, pair.second, apart)
  const { ax, ay, az, bx, by, bz } = apart
  const isInOrder = parted.swapped === frame.swapped
  const swapped = isInOrder === pair.swapped
  // Halfway between the surfaces as they lie, before one of them goes along.
  const back = depth / 2
  const px = midway(ax, bx) - back * way[0]
  const py = midway(ay, by) - back * way[1]
  const pz = midway(az, bz) - back * way[2]
  const point = onlyPoint({ ...pair, swapped }, { ...found, px, py, pz })
  const names = [cornersAt(pair.first, ax, ay, az), cornersAt(pair.second, bx, by, bz)]
  if (swapped) names.reverse()
  return {
    ...point,
    featureA: names[0] ?? point.featureA,
    featureB: names[1] ?? point.featureB,
    leafA: isInOrder ? nearest.leafA : nearest.leafB,
    leafB: isInOrder ? nearest.leafB : nearest.leafA,
  }
}

/** The corners of the side, edge or corner of a triangle on which a point of it lies; null of a body that is none. */
function cornersAt(body: Body, x: number, y: number, z: number): number[] | null {
  const { kind, count, numbers, local, names } = body
  if (kind !== POINTS || count !== 3) return null
  const [nx, ny, nz] = normalOf(body)
  const place = [x, y, z].map((value, k) => value - numbers[POSITION + k] - numbers[ANCHOR + k])
  const heights: number[] = []
  for (let i = 0; i < 3; i++) {
    // Over the edge that faces the corner, as a share of the corner's own height.
    const p = local + 3 * ((i + 1) % 3)
    const q = local + 3 * ((i + 2) % 3)
    const [ex, ey, ez] = [numbers[q] - numbers[p], numbers[q + 1] - numbers[p + 1], numbers[q + 2] - numbers[p + 2]]
    const over = (at: ArrayLike<number>, k: number): number => {
      const [dx, dy, dz] = [at[k] - numbers[p], at[k + 1] - numbers[p + 1], at[k + 2] - numbers[p + 2]]
      return nx * (ey * dz - ez * dy) + ny * (ez * dx - ex * dz) + nz * (ex * dy - ey * dx)
    }
    heights.push(over(place, 0) / over(numbers, local + 3 * i))
  }
  const found = [0, 1, 2].filter((i) => heights[i] > CONTACT_DEPTH_RATIO).map((i) => names[i])
  if (found.length === 0) return null
  // Two triangles name the edge that they share in opposite orders.
  return found.length === 2 ? [Math.min(...found), Math.max(...found)] : found
}

/**
 * Whether the leaves touch when the second body is moved along the normal until the deepest of their points has no separation. The patch of a
 * leaf that touches elsewhere, or nowhere, as a side that is seen edge-on does, may lie beside the other body.
 */
function faceEachOther(
  { first, second }: PairFrame,
  isTurned: boolean,
  { nx, ny, nz }: KnownContact,
  points: readonly ContactPoint[],
  error: number,
): boolean {
  if (points.length === 0) return false
  const least = points.reduce((depth, { separation }) => Math.min(depth, separation), Infinity)
  const { numbers } = isTurned ? first : second
  const [x, y, z] = numbers.subarray(POSITION, POSITION + 3)
  try {
    numbers[POSITION] = x - least * nx
    numbers[POSITION + 1] = y - least * ny
    numbers[POSITION + 2] = z - least * nz
    distance(first, second, apart)
    return apart.distance <= error
  } finally {
    numbers[POSITION] = x
    numbers[POSITION + 1] = y
    numbers[POSITION + 2] = z
  }
}

function pointsAtScale(
  pair: PairFrame,
  found: KnownContact,
  maxDistance: number,
  patchPoints: PatchPoints,
): ContactPoint[] {
  const { exponent } = pair
  if (exponent === 0) return patchPoints(pair, found, maxDistance, LEAF_POINTS)
  const scaled = { ...found }
  scaleNumbers(scaled, ['separation', 'px', 'py', 'pz'], -exponent)
  const points = patchPoints(pair, scaled, scaleBy(maxDistance, -exponent), LEAF_POINTS)
  for (const point of points) scaleNumbers(point, ['x', 'y', 'z', 'separation'], exponent)
  return points
}

/** Whether the sides of solids that face each other along the way do; bare triangles have two. */
function facesAlong(
  { first, second }: CompositeFrame,
  pair: PairFrame,
  leafA: number,
  leafB: number,
  way: Vector,
): boolean {
  const a = pair.swapped ? pair.second : pair.first
  const b = pair.swapped ? pair.first : pair.second
  return looksAlong(first.body, leafA, a, way, 1) && looksAlong(second.body, leafB, b, way, -1)
}

function looksAlong(body: Body, leaf: number, own: Body, [x, y, z]: Vector, side: 1 | -1): boolean {
  if (body.kind !== COMPOSITE || own.count !== 3 || !isSolidLeaf(body, leaf)) return true
  const n = normalOf(own)
  return side * (n[0] * x + n[1] * y + n[2] * z) >= -CONTACT_DEPTH_RATIO
}

/** The deepest, and those that span the most with it; of equal ones those that come first in space. */
function reduced(points: ContactPoint[], found: KnownContact, most: number, size: number): ContactPoint[] {
  if (points.length === 0) return points
  spend(points.length * Math.ceil(Math.log2(points.length + 1)))
  points.sort(inOrder)
  const least = CONTACT_DEPTH_RATIO * size
  const [deepest] = points
  const ring = ringAround(points, found, least)
  const start = ring.findIndex(
    ({ point: { x, y, z } }) => Math.hypot(x - deepest.x, y - deepest.y, z - deepest.z) <= least,
  )
  const taken: Seen[] = start < 0 ? [] : [ring[start]]
  const chosen = [deepest]
  while (chosen.length < most) {
    spend(1 + ring.length)
    const next = taken.length < 2 ? farthestFrom(ring, taken[0]?.point ?? deepest, least) : widest(ring, taken, least)
    if (next === null) break
    taken.push(next)
    taken.sort((p, q) => p.at - q.at)
    chosen.push(next.point)
  }
  return chosen.sort((p, q) => p.separation - q.separation)
}

/** The deepest, and those that span what all of them do. */
function thinned(points: ContactPoint[], found: KnownContact, size: number): ContactPoint[] {
  points.sort(inOrder)
  return [points[0], ...ringAround(points, found, CONTACT_DEPTH_RATIO * size).map(({ point }) => point)]
}

/** The deepest first; of equal points by what names them, and not by where a mesh has its triangle. */
function inOrder(p: ContactPoint, q: ContactPoint): number {
  return (
    p.separation - q.separation ||
    p.x - q.x ||
    p.y - q.y ||
    p.z - q.z ||
    compareNames(p.featureA, q.featureA) ||
    compareNames(p.featureB, q.featureB)
  )
}

/** Negative where the first list comes before the second. */
export function compareNames(p: readonly number[], q: readonly number[]): number {
  const k = p.findIndex((name, i) => name !== q[i])
  return k < 0 ? p.length - q.length : p[k] - (q[k] ?? -1)
}

/** A point as seen against the normal, and its place on the way round all of them. */
interface Seen {
  point: ContactPoint
  u: number
  v: number
  at: number
}

/** The corners of the hull of the points, counter-clockwise (A. Andrew's chains); those nearer than `least` to a side are left out. */
function ringAround(points: readonly ContactPoint[], found: KnownContact, least: number): Seen[] {
  // From one side, whichever of the bodies is first.
  const side = found.nx < 0 || (found.nx === 0 && (found.ny < 0 || (found.ny === 0 && found.nz < 0))) ? -1 : 1
  const [nx, ny, nz] = [side * found.nx, side * found.ny, side * found.nz]
  const isFlat = Math.abs(nx) < Math.abs(ny)
  const length = isFlat ? Math.hypot(ny, nz) : Math.hypot(nx, nz)
  const [ux, uy, uz] = isFlat ? [0, nz / length, -ny / length] : [-nz / length, 0, nx / length]
  const [vx, vy, vz] = [ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux]
  const [origin] = points
  const seen = points.map((point): Seen => {
    const x = point.x - origin.x
    const y = point.y - origin.y
    const z = point.z - origin.z
    return { point, u: x * ux + y * uy + z * uz, v: x * vx + y * vy + z * vz, at: 0 }
  })
  seen.sort((p, q) => p.u - q.u || p.v - q.v || inOrder(p.point, q.point))
  const ring = [...chain(seen, least), ...chain(seen.reverse(), least)]
  for (const [k, corner] of ring.entries()) corner.at = k
  return ring
}

/** From the first to before the last, with all others to the left. */
function chain(seen: readonly Seen[], least: number): Seen[] {
  const kept: Seen[] = []
  for (const next of seen) {
    while (kept.length > 1 && !(turnOf(kept[kept.length - 2], kept[kept.length - 1], next) > 0)) kept.pop()
    const last = kept[kept.length - 1]
    if (last === undefined || Math.hypot(next.u - last.u, next.v - last.v) > least) kept.push(next)
  }
  if (kept.length > 1) kept.pop()
  return kept
}

function turnOf(p: Seen, q: Seen, r: Seen): number {
  return (q.u - p.u) * (r.v - p.v) - (q.v - p.v) * (r.u - p.u)
}

function farthestFrom(ring: readonly Seen[], { x, y, z }: ContactPoint, least: number): Seen | null {
  let found: Seen | null = null
  let farthest = least
  for (const seen of ring) {
    const far = Math.hypot(seen.point.x - x, seen.point.y - y, seen.point.z - z)
    if (!(far > farthest)) continue
    farthest = far
    found = seen
  }
  return found
}

/** The corner that adds most area to those taken, which are in order. */
function widest(ring: readonly Seen[], taken: readonly Seen[], least: number): Seen | null {
  let found: Seen | null = null
  let largest = least * least
  let after = 0
  for (const seen of ring) {
    while (after < taken.length && taken[after].at < seen.at) after++
    const next = taken[after % taken.length]
    if (next.at === seen.at) continue
    const before = taken[(after + taken.length - 1) % taken.length]
    const area = Math.abs(turnOf(before, seen, next))
    if (!(area > largest)) continue
    largest = area
    found = seen
  }
  return found
}
