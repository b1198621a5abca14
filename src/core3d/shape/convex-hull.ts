/**
 * The convex hull of points in space, whatever they are.
 *
 * Method: the dimension first, by four points that span it, exactly. Points of a plane are those of their shadow along an axis
 * (`core2d/outline/convex-hull.ts`); all others are joined in triangles (below), of which `hull-surface.ts` makes faces.
 * Every sign is exact, so the hull is that of the given doubles, to the last bit.
 * Frame: that of the points.
 */

import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/scratch.ts'
import { sortingSteps } from '../../containers/sorting.ts'
import { convexHull as flatConvexHull } from '../../core2d/outline/convex-hull.ts'
import { orientation } from '../../core2d/outline/orientation.ts'
import type { Sign } from '../../numeric/exact-ring.ts'
import { FARTHEST_FIRST_COUNT, WIDE_FAN_COUNT } from '../tolerances.ts'
import {
  type ConvexHull,
  flatHull,
  giveBackSurface,
  type HullCorners,
  hullFaces,
  pointHull,
  type SolidFaces,
  segmentHull,
  solidCorners,
  solidFaces,
  withoutMesh,
} from './hull-surface.ts'
import {
  addTriangle,
  clearTriangles,
  comparePoints,
  createHullTriangles,
  createScaledPoints,
  exactSideOf,
  type HullTriangles,
  joinEdges,
  nextEdge,
  PLANE_SIZE,
  releaseScaledPoints,
  removeTriangle,
  reserveTriangles,
  type ScaledPoints,
  setScaledPoints,
  sideOf,
  sideOfThree,
  spendLooks,
} from './hull-triangles.ts'

// A point joined to a hull: the triangles that it sees fall, and a fan of new ones goes from it to the edge of the hole.
//
// Method: a walk over neighbours from one triangle that is seen; the edges between seen and unseen triangles, put in order by where
// they start. The fan is the mantle of a convex cone. Which of its triangles another point sees is found, where they are many, by
// halving: the point stands in one of the wedges between the half-planes from the line of one mantle edge through the others, and
// is outside the cone exactly if it is outside that wedge's triangle, or outside a triangle at that line.

interface HullFan {
  /** The new triangles in order, counter-clockwise seen from the point; triangle k joins foot k and the next with the point. */
  triangles: Int32Array
  count: number
  feet: Int32Array
  /** The point that all meet in. */
  tip: number
  /** Whether they are so many that `coneTriangleSeen` is the quicker way. */
  isWide: boolean
  /** The first ones of the lists of points that saw what has fallen. */
  orphans: Int32Array
  orphanCount: number
  /** Of each foot, the edge of the hole that starts there. */
  edgeFrom: Int32Array
  /** The triangles that the point sees. */
  found: Int32Array
  stamp: number
}

/** A fan for so many points. */
function resetFan(points: number, fan: HullFan = {} as HullFan): HullFan {
  fan.count = 0
  fan.orphanCount = 0
  fan.tip = -1
  fan.isWide = false
  fan.stamp = 0
  if (fan.edgeFrom !== undefined && fan.edgeFrom.length >= points && fan.edgeFrom.length <= 8 * points + 256) return fan
  fan.edgeFrom = new Int32Array(2 * points)
  fan.triangles = new Int32Array(32)
  fan.feet = new Int32Array(32)
  fan.orphans = new Int32Array(32)
  fan.found = new Int32Array(32)
  return fan
}

/** Joins point p, which sees triangle `first`, and sets `fan`; returns how many triangles were looked at or made. */
function addFan(t: HullTriangles, points: ScaledPoints, p: number, first: number, fan: HullFan): number {
  if (fan.found.length < t.end) fan.found = new Int32Array(2 * t.end)
  const looks = findSeen(t, points, p, first, fan)
  return looks + 4 * fillHole(t, points, p, fan)
}

/** Takes off the triangles that p sees, keeps their lists, and sets the feet. */
function findSeen(t: HullTriangles, points: ScaledPoints, p: number, first: number, fan: HullFan): number {
  const { found, edgeFrom } = fan
  const { mark, twin, origin, firstSeer } = t
  // An even number says seen, the odd one after it unseen.
  fan.stamp += 2
  const { stamp } = fan
  let size = 0
  let looks = 0
  found[size++] = first
  mark[first] = stamp
  let feet = 0
  let foot = -1
  for (let i = 0; i < size; i++) {
    const end = 3 * found[i] + 3
    for (let edge = end - 3; edge < end; edge++) {
      const neighbour = (twin[edge] / 3) | 0
      if (mark[neighbour] === stamp) continue
      if (mark[neighbour] !== stamp + 1) {
        looks++
        if (sideOf(t, points, neighbour, p) > 0) {
          mark[neighbour] = stamp
          found[size++] = neighbour
          continue
        }
        mark[neighbour] = stamp + 1
      }
      foot = origin[edge]
      edgeFrom[foot] = edge
      feet++
    }
  }
  makeRoom(fan, Math.max(feet, size))
  fan.orphanCount = 0
  for (let i = 0; i < size; i++) {
    const seer = firstSeer[found[i]]
    if (seer >= 0) fan.orphans[fan.orphanCount++] = seer
  }
  fan.count = feet
  fan.feet[0] = foot
  walkHole(t, fan)
  for (let i = 0; i < size; i++) removeTriangle(t, found[i])
  return looks + size
}

/** Puts the feet in order, from the first on, each with the half-edge outside the hole that ends there. */
function walkHole({ twin, origin }: HullTriangles, { feet, count, edgeFrom, triangles }: HullFan): void {
  let foot = feet[0]
  for (let k = 0; k < count; k++) {
    const edge = edgeFrom[foot]
    feet[k] = foot
    // The neighbour stands here until its triangle is made.
    triangles[k] = twin[edge]
    foot = origin[nextEdge(edge)]
  }
}

function makeRoom(fan: HullFan, size: number): void {
  if (fan.feet.length >= size && fan.orphans.length >= size) return
  fan.triangles = new Int32Array(2 * size)
  fan.feet = new Int32Array(2 * size)
  fan.orphans = new Int32Array(2 * size)
}

function fillHole(t: HullTriangles, points: ScaledPoints, p: number, fan: HullFan): number {
  const { feet, triangles, count } = fan
  reserveTriangles(t, count)
  for (let k = 0; k < count; k++) {
    const f = addTriangle(t, points, feet[k], feet[k + 1 === count ? 0 : k + 1], p)
    joinEdges(t, 3 * f, triangles[k])
    triangles[k] = f
    if (k > 0) joinEdges(t, 3 * triangles[k - 1] + 1, 3 * f + 2)
  }
  joinEdges(t, 3 * triangles[count - 1] + 1, 3 * triangles[0] + 2)
  fan.tip = p
  fan.isWide = count > WIDE_FAN_COUNT
  return count
}

/** The place of a triangle of a wide fan that point q sees, −1 for none: then it sees no triangle of the hull. */
function coneTriangleSeen(t: HullTriangles, points: ScaledPoints, fan: HullFan, q: number): number {
  const found = triangleSeenFrom(t, points, fan, q, 0)
  // A point on the line of one mantle edge is not on that of another, unless it is the tip.
  return found === UNDECIDED ? Math.max(-1, triangleSeenFrom(t, points, fan, q, fan.count >> 1)) : found
}

const UNDECIDED = -2

/** `coneTriangleSeen` by the wedges about the line from foot `base` to the tip; undecided on that line. */
function triangleSeenFrom(t: HullTriangles, points: ScaledPoints, fan: HullFan, q: number, base: number): number {
  const { feet, triangles, count, tip } = fan
  const before = base === 0 ? count - 1 : base - 1
  if (sideOf(t, points, triangles[base], q) > 0) return base
  if (sideOf(t, points, triangles[before], q) > 0) return before
  let low = 1
  let high = count - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    const side = sideOfThree(points, feet[base], feet[(base + middle) % count], tip, q)
    if (side === 0 && sideOf(t, points, triangles[base], q) === 0) return UNDECIDED
    if (side > 0) high = middle
    else low = middle
  }
  const place = (base + low) % count
  return sideOf(t, points, triangles[place], q) > 0 ? place : -1
}

// The hull of points that are not all in one plane, as triangles.
//
// Method: C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The quickhull algorithm for convex hulls", ACM TOMS 22 (1996): each point still
// outside is kept with one triangle that it sees; a point is added by taking off all triangles that see it and joining it to
// the edge of the hole; points kept with these are given to the new triangles, or have come inside. Seeing is strict and
// exact: a point in the plane of a triangle does not see it, as if it stood a little farther in, so that the hole is always one
// simple loop and no triangle without area comes up. (A point that saw a triangle that fell, and is outside still, sees a new one:
// the way from it to a point inside that triangle enters the new hull where the old one is not.)
// The farthest points go first. Where they have made many faces that fell again, all that are left go in random order instead,
// for which K. L. Clarkson, P. W. Shor, "Applications of random sampling in computational geometry, II", DCG 4 (1989), bound
// the expected cost by O(n log n), whatever the points.

/** Of each point the next that sees the same triangle. */
let next = new Int32Array(32)
/** The triangle that a point is kept with, −1 for none. */
let seen = new Int32Array(32)
/** Triangles that may have points to see them, the next to be looked at last. Some have fallen, or are others by now. */
let waiting = new Int32Array(32)
let waitingCount = 0
/** The triangles about the point that was added last. */
const fan: HullFan = resetFan(0)

/** Points a, b, c counter-clockwise seen from outside, and d below their plane. */
type Tetrahedron = readonly [a: number, b: number, c: number, d: number]

/**
 * Sets `t` to the triangles of the hull, given four points of it. Of points that are the same the one of least index becomes a
 * corner, if those four are such. `farthestFirst`: see `FARTHEST_FIRST_COUNT`.
 */
function growHull(t: HullTriangles, points: ScaledPoints, corners: Tetrahedron, farthestFirst: number): void {
  const { count } = points
  if (next.length < count) {
    next = new Int32Array(2 * count)
    seen = new Int32Array(2 * count)
  }
  waitingCount = 0
  resetFan(count, fan)
  setTetrahedron(t, points, corners)
  if (!growFarthestFirst(t, points, farthestFirst * sortingSteps(count))) growAtRandom(t, points)
}

/** Gives back room that only many points need. */
function giveBackGrowth(): void {
  if (next.length <= KEPT_ENTRIES) return
  next = new Int32Array(32)
  seen = new Int32Array(32)
  waiting = new Int32Array(32)
  resetFan(0, fan)
}

function setTetrahedron(t: HullTriangles, points: ScaledPoints, [a, b, c, d]: Tetrahedron): void {
  const top = 3 * addTriangle(t, points, a, b, c)
  const ab = 3 * addTriangle(t, points, b, a, d)
  const bc = 3 * addTriangle(t, points, c, b, d)
  const ca = 3 * addTriangle(t, points, a, c, d)
  joinEdges(t, top, ab)
  joinEdges(t, top + 1, bc)
  joinEdges(t, top + 2, ca)
  joinEdges(t, ab + 1, ca + 2)
  joinEdges(t, bc + 1, ab + 2)
  joinEdges(t, ca + 1, bc + 2)
  fan.triangles[0] = top / 3
  fan.triangles[1] = ab / 3
  fan.triangles[2] = bc / 3
  fan.triangles[3] = ca / 3
  fan.count = 4
  const last = points.count - 1
  for (let p = 0; p < last; p++) next[p] = p + 1
  next[last] = -1
  spendLooks(giveAway(t, points, 0, -1))
  queueFan(t)
}

/** Adds points until none is outside; false where that takes more than so many looks. */
function growFarthestFirst(t: HullTriangles, points: ScaledPoints, most: number): boolean {
  let looks = 0
  while (waitingCount > 0) {
    const f = waiting[--waitingCount]
    if (t.origin[3 * f] < 0 || t.firstSeer[f] < 0) continue
    looks += addPoint(t, points, t.farthest[f], f)
    if (looks > most) return false
    queueFan(t)
  }
  return true
}

/** Adds all points that are outside, in random order, the same for the same points. */
function growAtRandom(t: HullTriangles, points: ScaledPoints): void {
  const { count, scaled } = points
  const order = new Int32Array(count)
  spend(count)
  let size = 0
  for (let p = 0; p < count; p++) if (seen[p] >= 0) order[size++] = p
  let random = 1
  for (let k = size - 1; k > 0; k--) {
    // G. Marsaglia, "Xorshift RNGs", 2003.
    random ^= random << 13
    random ^= random >>> 17
    random ^= random << 5
    const j = (random >>> 0) % (k + 1)
    const kept = order[k]
    order[k] = order[j]
    order[j] = kept
  }
  for (let k = 0; k < size; k++) {
    const p = order[k]
    const f = seen[p]
    if (f < 0) continue
    // Points that are the same see the same, and are kept together.
    let least = p
    let looks = 0
    for (let q = t.firstSeer[f]; q >= 0; q = next[q]) {
      looks++
      if (q < least && isSamePoint(scaled, p, q) && isSamePoint(points.given, p, q)) least = q
    }
    spendLooks(looks)
    addPoint(t, points, least, f)
  }
}

function isSamePoint(points: Float64Array, p: number, q: number): boolean {
  return (
    points[3 * p] === points[3 * q] &&
    points[3 * p + 1] === points[3 * q + 1] &&
    points[3 * p + 2] === points[3 * q + 2]
  )
}

/** Adds a point that sees triangle `f`; returns how many looks that took. */
function addPoint(t: HullTriangles, points: ScaledPoints, p: number, f: number): number {
  let looks = addFan(t, points, p, f, fan)
  const { orphans, orphanCount } = fan
  for (let k = 0; k < orphanCount; k++) looks += giveAway(t, points, orphans[k], p)
  seen[p] = -1
  spendLooks(looks)
  return looks
}

/** Gives each point of a list, but for `added`, to a triangle of the fan that it sees, or to none; returns how many looks that took. */
function giveAway(t: HullTriangles, points: ScaledPoints, first: number, added: number): number {
  const { planes, firstSeer, farthest, farthestHeight } = t
  const { local } = points
  const { triangles, count } = fan
  const isWide = fan.isWide
  const nextOf = next
  const seenBy = seen
  let looks = 0
  let q = first
  while (q >= 0) {
    const following = nextOf[q]
    seenBy[q] = -1
    if (q !== added) {
      const x = local[3 * q]
      const y = local[3 * q + 1]
      const z = local[3 * q + 2]
      let start = 0
      let end = count
      if (isWide) {
        start = coneTriangleSeen(t, points, fan, q)
        end = start < 0 ? -1 : start + 1
        looks += 8
      }
      for (let k = start; k < end; k++) {
        const f = triangles[k]
        const at = PLANE_SIZE * f
        const height = planes[at] * x + planes[at + 1] * y + planes[at + 2] * z - planes[at + 3]
        const bound = planes[at + 4]
        looks++
        if (height < -bound || (height <= bound && exactSideOf(t, points, f, q) <= 0)) continue
        seenBy[q] = f
        const head = firstSeer[f]
        nextOf[q] = head
        firstSeer[f] = q
        if (
          head < 0 ||
          height > farthestHeight[f] ||
          (height === farthestHeight[f] && isBefore(local, q, farthest[f]))
        ) {
          farthest[f] = q
          farthestHeight[f] = height
        }
        break
      }
    }
    q = following
  }
  return looks
}

/** Of points as far out one at a corner is best; of the same points, the one of least index. */
function isBefore(local: Float64Array, p: number, q: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const difference = local[3 * p + axis] - local[3 * q + axis]
    if (difference !== 0) return difference < 0
  }
  return p < q
}

function queueFan(t: HullTriangles): void {
  if (waiting.length < waitingCount + fan.count) {
    const longer = new Int32Array(2 * (waitingCount + fan.count))
    longer.set(waiting)
    waiting = longer
  }
  for (let k = 0; k < fan.count; k++) {
    if (t.firstSeer[fan.triangles[k]] >= 0) waiting[waitingCount++] = fan.triangles[k]
  }
}

// Whether three points lie on a line, and how the plane through them lies, decided exactly for any finite doubles.
//
// Method: the three shadows of the points along the axes, each a turn in two dimensions (`core2d/outline/orientation.ts`), which are
// the signs of the coordinates of the plane's normal.

/** The sign of the coordinate `axis` of (b − a) × (c − a), for points of a list x0, y0, z0, x1, … */
export function normalSignAt(points: Float64Array, a: number, b: number, c: number, axis: number): Sign {
  const u = axis === 2 ? 0 : axis + 1
  const v = axis === 0 ? 2 : axis - 1
  return orientation(
    points[3 * a + u],
    points[3 * a + v],
    points[3 * b + u],
    points[3 * b + v],
    points[3 * c + u],
    points[3 * c + v],
  )
}

/** Whether the points lie on one line, or are two, or one. */
export function areCollinearAt(points: Float64Array, a: number, b: number, c: number): boolean {
  return (
    normalSignAt(points, a, b, c, 0) === 0 &&
    normalSignAt(points, a, b, c, 1) === 0 &&
    normalSignAt(points, a, b, c, 2) === 0
  )
}

const cloud = createScaledPoints()
const triangles = createHullTriangles()

/**
 * The hull of so many points x0, y0, z0, x1, … (finite). It does not depend on the order of the points, but for the indices that
 * name them: of equal points the least one. Cost O(n log n) expected.
 * `farthestFirst`: how much to do before points go at random, in the measure of `FARTHEST_FIRST_COUNT`; no matter for the hull.
 */
export function convexHull(points: Float64Array, count: number, farthestFirst = FARTHEST_FIRST_COUNT): ConvexHull {
  try {
    return hullFaces(hullCorners(points, count, farthestFirst))
  } finally {
    giveBackSurface()
  }
}

/** The corners of the same hull, whose faces may be asked for later. */
export function hullCorners(points: Float64Array, count: number, farthestFirst = FARTHEST_FIRST_COUNT): HullCorners {
  if (count === 0) return withoutMesh(pointHull(-1, new Int32Array(0)))
  return growing(points, count, () => growSpanned(cloud, farthestFirst) ?? solidCorners(triangles, cloud))
}

/** The faces of the same hull, with so many numbers for each; null where it has no volume. */
export function hullFacesByPoint(points: Float64Array, count: number, numbers: number): SolidFaces | null {
  return growing(points, count, () =>
    growSpanned(cloud, FARTHEST_FIRST_COUNT) === null ? solidFaces(triangles, cloud, numbers) : null,
  )
}

/** Three points for each triangle of the surface of the hull, of which several may lie in one plane; null where it has no volume. */
export function hullTriangles(points: Float64Array, count: number): Int32Array | null {
  return growing(points, count, () => {
    if (growSpanned(cloud, FARTHEST_FIRST_COUNT) !== null) return null
    const { origin, end } = triangles
    let size = 0
    const standing = new Int32Array(3 * end)
    for (let f = 0; f < 3 * end; f += 3) {
      if (origin[f] < 0) continue
      standing.set(origin.subarray(f, f + 3), size)
      size += 3
    }
    return standing.subarray(0, size)
  })
}

/** Up to four of the points that span what all do: one more than the dimension of the hull. None of no points. */
export function spanOf(points: Float64Array, count: number): readonly number[] {
  return count === 0 ? [] : growing(points, count, () => spanIn(cloud))
}

/** However it ends: what many points need is given back. */
function growing<Result>(points: Float64Array, count: number, grow: () => Result): Result {
  try {
    setScaledPoints(cloud, points, count)
    clearTriangles(triangles)
    reserveTriangles(triangles, 4)
    return grow()
  } finally {
    releaseScaledPoints(cloud)
    clearTriangles(triangles)
    giveBackGrowth()
  }
}

/** The hull of points in a plane, on a line or in one place; null where `triangles` are that of a volume. */
function growSpanned(points: ScaledPoints, farthestFirst: number): HullCorners | null {
  const { given } = points
  const [a, b, c, d] = spanIn(points)
  if (b === undefined) return withoutMesh(pointHull(0, Int32Array.of(a)))
  if (c === undefined) return withoutMesh(segmentHull(given, a, b))
  if (d === undefined) return withoutMesh(flatHull(given, ringOf(points, a, b, c)))
  const isBelow = sideOf(triangles, points, 0, d) < 0
  clearTriangles(triangles)
  growHull(triangles, points, [a, isBelow ? b : c, isBelow ? c : b, d], farthestFirst)
  return null
}

/** Points that span what all do, far from each other; the first triangle is that of the first three. */
function spanIn(points: ScaledPoints): readonly number[] {
  const [a, b] = farEnds(points)
  if (a === b) return [a]
  const c = offLine(points, a, b)
  if (c < 0) return [a, b]
  const d = offPlane(points, addTriangle(triangles, points, a, b, c))
  return d < 0 ? [a, b, c] : [a, b, c, d]
}

/** The first and the last point along x, of these along y, of these along z; two that are the same if all points are. */
function farEnds({ given, count }: ScaledPoints): [first: number, last: number] {
  spend(count)
  let first = 0
  let last = 0
  for (let p = 1; p < count; p++) {
    if (comparePoints(given, p, first) < 0) first = p
    if (comparePoints(given, p, last) > 0) last = p
  }
  return [first, last]
}

/** A point far off the line through a and b, −1 where all are on it. */
function offLine({ given, scaled, count }: ScaledPoints, a: number, b: number): number {
  spend(count)
  const ux = scaled[3 * b] - scaled[3 * a]
  const uy = scaled[3 * b + 1] - scaled[3 * a + 1]
  const uz = scaled[3 * b + 2] - scaled[3 * a + 2]
  let best = 0
  let farthest = -1
  for (let p = 0; p < count; p++) {
    const vx = scaled[3 * p] - scaled[3 * a]
    const vy = scaled[3 * p + 1] - scaled[3 * a + 1]
    const vz = scaled[3 * p + 2] - scaled[3 * a + 2]
    const x = uy * vz - uz * vy
    const y = uz * vx - ux * vz
    const z = ux * vy - uy * vx
    const square = x * x + y * y + z * z
    if (square > farthest) {
      farthest = square
      best = p
    }
  }
  if (!areCollinearAt(given, a, b, best)) return best
  for (let p = 0; p < count; p++) if (!areCollinearAt(given, a, b, p)) return p
  return -1
}

/** A point far off the plane of a triangle, −1 where all are in it. */
function offPlane(points: ScaledPoints, probe: number): number {
  const { local, count } = points
  const { planes } = triangles
  const at = PLANE_SIZE * probe
  spend(count)
  let best = 0
  let farthest = -1
  for (let p = 0; p < count; p++) {
    const height = Math.abs(
      planes[at] * local[3 * p] +
        planes[at + 1] * local[3 * p + 1] +
        planes[at + 2] * local[3 * p + 2] -
        planes[at + 3],
    )
    if (height > farthest) {
      farthest = height
      best = p
    }
  }
  if (sideOf(triangles, points, probe, best) !== 0) return best
  for (let p = 0; p < count; p++) if (sideOf(triangles, points, probe, p) !== 0) return p
  return -1
}

/** The corners of points in a plane, in order around them. */
function ringOf({ given, count }: ScaledPoints, a: number, b: number, c: number): Int32Array {
  let axis = 0
  while (normalSignAt(given, a, b, c, axis) === 0) axis++
  const u = (axis + 1) % 3
  const v = (axis + 2) % 3
  const shadow = new Float64Array(2 * count)
  for (let p = 0; p < count; p++) {
    shadow[2 * p] = given[3 * p + u]
    shadow[2 * p + 1] = given[3 * p + v]
  }
  const ring = new Int32Array(count)
  return ring.slice(0, flatConvexHull(shadow, count, ring))
}
