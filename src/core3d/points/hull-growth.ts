/**
 * The hull of points that are not all in one plane, as triangles.
 *
 * Method: C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The quickhull algorithm for convex hulls", ACM TOMS 22 (1996): each point still
 * outside is kept with one triangle that it sees; a point is added by taking off all triangles that see it and joining it to
 * the edge of the hole; points kept with these are given to the new triangles, or have come inside. Seeing is strict and
 * exact: a point in the plane of a triangle does not see it, as if it stood a little farther in, so that the hole is always one
 * simple loop and no triangle without area comes up. (A point that saw a triangle that fell, and is outside still, sees a new one:
 * the way from it to a point inside that triangle enters the new hull where the old one is not.)
 * The farthest points go first. Where they have made many faces that fell again, all that are left go in random order instead,
 * for which K. L. Clarkson, P. W. Shor, "Applications of random sampling in computational geometry, II", DCG 4 (1989), bound
 * the expected cost by O(n log n), whatever the points.
 */

import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/kept-entries.ts'
import { sortingSteps } from '../../containers/sorting-steps.ts'
import { addFan, coneTriangleSeen, type HullFan, resetFan } from './hull-fan.ts'
import { addTriangle, exactSideOf, type HullTriangles, joinEdges, PLANE_SIZE, spendLooks } from './hull-triangles.ts'
import type { ScaledPoints } from './scaled-points.ts'

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
export function growHull(t: HullTriangles, points: ScaledPoints, corners: Tetrahedron, farthestFirst: number): void {
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
export function giveBackGrowth(): void {
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
