/**
 * The C-obstacle of a pair of leaves: the translations t at which leaf B + t meets leaf A, as a convex polygon with a skin.
 *
 * Method: the Minkowski difference of two convex loops is the merge of their edges by direction (M. de Berg et al.,
 * "Computational Geometry", 13.3). Not all of its boundary is an outside of the whole pair: an edge is OUTER where it is part
 * of the convolution of the two bodies' boundaries (L. Guibas, L. Ramshaw, J. Stolfi, "A kinetic framework for computational
 * geometry", FOCS 1983), INNER where the bodies go on beyond it (the joints of outlines, the inner side of a region's edge).
 * SEAM marks outer edges along which a flat leaf lies against the other: between two such obstacles there is no way through, but
 * for what lies between two wedges of one region that touch in a point.
 * Rounding: an obstacle's inside ends a tolerance before its outer edges, so that a slot of exactly B's width lets B in,
 * and a tolerance beyond its inner edges and seams, so that there is no slot between neighbours.
 * Frame: translations of B from where it stands.
 */
import { vectorLength } from '../../numeric/safe-range.ts'
import { ALIKE_COSINE_RATIO } from '../tolerances.ts'
import { CONVEX, isOuterDirection, isParallel, type Leaf, SOLID } from './leaf-loop.ts'

export const INNER = 0
const OUTER = 1
const SEAM = 2

/**
 * Directions are doubted for vertices that are off by one in so many of the tolerance: a slot that a wrong side would open is
 * then far narrower than the tolerance by which its walls overlap it.
 */
const ROUNDING_SHARE_COUNT = 4

export interface CObstacle {
  leafA: number
  leafB: number
  /** Parts of the leaves. */
  partA: number
  partB: number
  /** Whether the path in question is of a region that touches itself, and this obstacle of the same: no seam is one to it. */
  seamless: boolean
  /** Vertices; a loop of `count` edges with outward normals, none (and one vertex) when both leaves are points. */
  count: number
  x: Float64Array
  y: Float64Array
  nx: Float64Array
  ny: Float64Array
  /** normal · vertex */
  height: Float64Array
  border: Uint8Array
  /** Whether this pair is to trace the edge: one that two neighbouring leaves share belongs to one of them. */
  owned: Uint8Array
  /** The points of the leaves that vertex i is the difference of. */
  pointA: Int32Array
  pointB: Int32Array
  radius: number
  /** The core is a segment, or so thin that it may as well be. */
  flat: boolean
  /** Without an inside: forbids nothing. */
  hollow: boolean
}

export function createCObstacle(): CObstacle {
  return {
    leafA: -1,
    leafB: -1,
    partA: -1,
    partB: -1,
    seamless: false,
    count: 0,
    ...createArrays(16),
    radius: 0,
    flat: true,
    hollow: true,
  }
}

type ObstacleArrays = Pick<CObstacle, 'x' | 'y' | 'nx' | 'ny' | 'height' | 'border' | 'owned' | 'pointA' | 'pointB'>

function createArrays(capacity: number): ObstacleArrays {
  return {
    x: new Float64Array(capacity),
    y: new Float64Array(capacity),
    nx: new Float64Array(capacity),
    ny: new Float64Array(capacity),
    height: new Float64Array(capacity),
    border: new Uint8Array(capacity),
    owned: new Uint8Array(capacity),
    pointA: new Int32Array(capacity),
    pointB: new Int32Array(capacity),
  }
}

/** `tolerance`: bound on the rounding error of heights. Cost O(points of both). */
export function setCObstacle(o: CObstacle, a: Leaf, b: Leaf, tolerance: number): void {
  const edgesA = a.count > 1 ? a.count : 0
  const edgesB = b.count > 1 ? b.count : 0
  const count = edgesA + edgesB
  if (o.x.length < count) Object.assign(o, createArrays(2 ** Math.ceil(Math.log2(count))))
  const { x, y, nx, ny, height, pointA, pointB } = o
  o.leafA = a.index
  o.leafB = b.index
  o.partA = a.part
  o.partB = b.part
  o.count = count
  o.radius = a.radius + b.radius
  let i = a.firstEdge
  let j = b.firstEdge
  let leftA = edgesA
  let leftB = edgesB
  x[0] = a.x[i] - b.x[j]
  y[0] = a.y[i] - b.y[j]
  pointA[0] = i
  pointB[0] = j
  for (let k = 0; k < count; k++) {
    x[k] = a.x[i] - b.x[j]
    y[k] = a.y[i] - b.y[j]
    pointA[k] = i
    pointB[k] = j
    const fromA = leftA > 0 && (leftB === 0 || a.turns[i] <= b.turns[j])
    const n = fromA ? a.nx[i] : -b.nx[j]
    const m = fromA ? a.ny[i] : -b.ny[j]
    nx[k] = n
    ny[k] = m
    height[k] = n * x[k] + m * y[k]
    markEdge(o, k, a, b, fromA, tolerance / ROUNDING_SHARE_COUNT)
    if (fromA) {
      i = i + 1 === a.count ? 0 : i + 1
      leftA--
    } else {
      j = j + 1 === b.count ? 0 : j + 1
      leftB--
    }
  }
  o.flat = count < 3 || isThin(a, b, tolerance)
  o.hollow = o.radius === 0 && o.flat
  if (o.hollow && a.outline === SOLID && b.outline === SOLID && a.nx[0] * b.nx[0] + a.ny[0] * b.ny[0] > 0) {
    setSharedStretch(o, a, b)
  }
}

/** Edges of two regions that face the same way: where they share a stretch, so do the insides behind it. */
function setSharedStretch(o: CObstacle, a: Leaf, b: Leaf): void {
  const { x, y, nx, ny, height, border, owned } = o
  const n = a.nx[0]
  const m = a.ny[0]
  // Along the edge (−m, n), from A's beginning less B's end to A's end less B's beginning.
  for (let k = 0; k < 4; k++) {
    const cap = k === 1 || k === 3
    const side = k < 2 ? 1 : -1
    nx[k] = side * (cap ? -m : n)
    ny[k] = side * (cap ? n : m)
    const late = k === 1 || k === 2
    x[k] = a.x[late ? 1 : 0] - b.x[late ? 0 : 1]
    y[k] = a.y[late ? 1 : 0] - b.y[late ? 0 : 1]
    height[k] = nx[k] * x[k] + ny[k] * y[k]
    border[k] = cap ? OUTER : INNER
    owned[k] = 0
  }
  o.count = 4
  o.hollow = false
}

/** Two segments so nearly parallel that what lies between their sums is rounding. */
function isThin(a: Leaf, b: Leaf, tolerance: number): boolean {
  if (a.count > 2 || b.count > 2) return false
  const sine = Math.abs(a.nx[0] * b.ny[0] - a.ny[0] * b.nx[0])
  const lengthA = vectorLength(a.x[1] - a.x[0], a.y[1] - a.y[0])
  const lengthB = vectorLength(b.x[1] - b.x[0], b.y[1] - b.y[0])
  return sine * Math.min(lengthA, lengthB) <= 4 * tolerance
}

function markEdge(o: CObstacle, k: number, a: Leaf, b: Leaf, fromA: boolean, error: number): void {
  const { border, owned, pointA, pointB } = o
  const n = o.nx[k]
  const m = o.ny[k]
  border[k] = INNER
  owned[k] = 0
  // The edge's own side must be an outer one, and the other leaf's point must turn an outer side to it.
  const source = fromA ? a : b
  const other = fromA ? b : a
  const point = fromA ? pointB[k] : pointA[k]
  const side = fromA ? -1 : 1
  if (source.outline === SOLID && (fromA ? pointA[k] : pointB[k]) !== 0) return
  const length = lengthOf(source, fromA ? pointA[k] : pointB[k])
  if (other.outline !== CONVEX) {
    if (!isOuterDirection(other, point, side * n, side * m, length, error)) return
    owned[k] = point === 0 || other.ownsEnd ? 1 : 0
  } else owned[k] = 1
  border[k] = isAlong(a, n, m, length, error) || isAlong(b, n, m, length, error) ? SEAM : OUTER
}

function lengthOf({ x, y, count }: Leaf, edge: number): number {
  const next = edge + 1 === count ? 0 : edge + 1
  return vectorLength(x[next] - x[edge], y[next] - y[edge])
}

/** Whether a flat leaf lies wholly along an edge so long with this normal. */
function isAlong(leaf: Leaf, n: number, m: number, length: number, error: number): boolean {
  if (!leaf.flat || leaf.count === 1) return leaf.flat
  return isParallel(Math.abs(n * leaf.ny[0] - m * leaf.nx[0]), lengthOf(leaf, 0), length, error)
}

/**
 * Height over edge k at which the obstacle ends, for a path whose free side is (wx, wy): below it a translation is forbidden.
 * A seam is none for a path along its own free side.
 */
export function endHeight(o: CObstacle, k: number, wx: number, wy: number, tolerance: number): number {
  const border = o.border[k]
  if (border === INNER) return tolerance
  return border === SEAM && !o.seamless && o.nx[k] * wx + o.ny[k] * wy <= 0 ? tolerance : -tolerance
}

/** Whether the translation is forbidden. (wx, wy): the free side of the path it lies on. Cost O(edges). */
export function forbids(o: CObstacle, tx: number, ty: number, wx: number, wy: number, tolerance: number): boolean {
  const { count, nx, ny, height } = o
  if (o.hollow) return false
  if (o.radius > 0) return coreDistance(o, tx, ty) < o.radius - tolerance
  for (let k = 0; k < count; k++) {
    if (nx[k] * tx + ny[k] * ty - height[k] >= endHeight(o, k, wx, wy, tolerance)) return false
  }
  return true
}

/**
 * Whether a translation on a path whose free side is (wx, wy) lies no deeper than a tolerance behind an inner edge that faces the
 * same way. Cost O(edges).
 */
export function isBehindInner(
  o: CObstacle,
  tx: number,
  ty: number,
  wx: number,
  wy: number,
  tolerance: number,
): boolean {
  const { count, nx, ny, height, border } = o
  for (let k = 0; k < count; k++) {
    if (border[k] !== INNER || nx[k] * wx + ny[k] * wy < ALIKE_COSINE_RATIO) continue
    if (nx[k] * tx + ny[k] * ty - height[k] > -tolerance) return true
  }
  return false
}

/** Distance of a translation from the core, 0 within. */
export function coreDistance(o: CObstacle, tx: number, ty: number): number {
  const { count, x, y, nx, ny, height } = o
  if (count === 0) return vectorLength(tx - x[0], ty - y[0])
  let least = Infinity
  let outside = o.flat
  for (let k = 0; k < count; k++) {
    const h = nx[k] * tx + ny[k] * ty - height[k]
    if (h > 0) outside = true
    // Edges that look away count too: of two in one line rounding may turn either away.
    if (Math.abs(h) >= least) continue
    const next = k + 1 === count ? 0 : k + 1
    const dx = tx - x[k]
    const dy = ty - y[k]
    const ex = tx - x[next]
    const ey = ty - y[next]
    let distance = Math.abs(h)
    if (dx * -ny[k] + dy * nx[k] < 0) distance = vectorLength(dx, dy)
    else if (ex * -ny[k] + ey * nx[k] > 0) distance = vectorLength(ex, ey)
    if (distance < least) least = distance
  }
  return outside ? least : 0
}

/** Where a way begins, and its unit direction. */
export interface StraightWay {
  x: number
  y: number
  ux: number
  uy: number
}

/**
 * How far along a way from a forbidden translation the obstacle ends; Infinity when it does not. (wx, wy): the free side there.
 * `share` of the tolerance: 0 for the true end, else for one that `forbids` no longer counts as inside.
 */
export function endAlongLine(
  o: CObstacle,
  { x: tx, y: ty, ux, uy }: StraightWay,
  wx: number,
  wy: number,
  tolerance: number,
  share: number,
): number {
  const { count, x, y, nx, ny, height, radius } = o
  if (radius === 0) {
    let end = Infinity
    for (let k = 0; k < count; k++) {
      const rate = nx[k] * ux + ny[k] * uy
      if (rate <= 0) continue
      const bound = endHeight(o, k, wx, wy, tolerance)
      const slack = share * (bound > 0 ? 2 * bound : bound / 2)
      const way = (height[k] + slack - (nx[k] * tx + ny[k] * ty)) / rate
      if (way < end) end = way
    }
    return end
  }
  // The last point within a rounded polygon is the last point within one of its corner discs or on one of its offset edges.
  const reach = radius - (share * tolerance) / 2
  let end = 0
  for (let k = 0; k < Math.max(count, 1); k++) {
    end = Math.max(end, discEnd(tx - x[k], ty - y[k], ux, uy, reach))
    if (count === 0) break
    const rate = nx[k] * ux + ny[k] * uy
    if (rate <= 0) continue
    const way = (height[k] + reach - (nx[k] * tx + ny[k] * ty)) / rate
    if (distanceAlong(o, k, tx + way * ux, ty + way * uy) <= tolerance) end = Math.max(end, way)
  }
  return end
}

/** Where a line from (x, y) leaves a disc about the origin; −Infinity when it misses it. */
function discEnd(x: number, y: number, ux: number, uy: number, radius: number): number {
  const across = ux * y - uy * x
  if (Math.abs(across) > radius) return -Infinity
  return -(x * ux + y * uy) + Math.sqrt((radius - across) * (radius + across))
}

/** How far along a way the obstacle's boundary is first met, at more than `from`; Infinity when it is not. */
export function startAlongLine(
  o: CObstacle,
  { x: tx, y: ty, ux, uy }: StraightWay,
  from: number,
  tolerance: number,
): number {
  const { count, x, y, nx, ny, height, radius } = o
  let start = Infinity
  for (let k = 0; k < Math.max(count, 1); k++) {
    if (radius > 0) {
      const px = tx - x[k]
      const py = ty - y[k]
      const end = discEnd(px, py, ux, uy, radius)
      const begin = -2 * (px * ux + py * uy) - end
      if (begin > from && begin < start) start = begin
    }
    if (count === 0) break
    const rate = nx[k] * ux + ny[k] * uy
    if (rate === 0) continue
    const way = (height[k] + radius - (nx[k] * tx + ny[k] * ty)) / rate
    if (way > from && way < start && distanceAlong(o, k, tx + way * ux, ty + way * uy) <= tolerance) start = way
  }
  return start
}

/** How far beyond the ends of edge k a point lies, along it; 0 between them. */
export function distanceAlong(o: CObstacle, k: number, px: number, py: number): number {
  const next = k + 1 === o.count ? 0 : k + 1
  const ux = -o.ny[k]
  const uy = o.nx[k]
  const before = -((px - o.x[k]) * ux + (py - o.y[k]) * uy)
  const beyond = (px - o.x[next]) * ux + (py - o.y[next]) * uy
  return Math.max(before, beyond, 0)
}
