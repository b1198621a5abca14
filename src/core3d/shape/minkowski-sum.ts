/**
 * Minkowski sum and difference of two bodies of core points: all a + b, and all a − b.
 *
 * Method: a corner of the sum is the sum of two core points that are the farthest along a common direction. Where the Gauss maps lie
 * over each other such directions meet in a node of either or in a crossing of two arcs, so these name all pairs of core points that
 * can make a corner, and some more. The pairs are summed with the error of each addition kept, and rounded once; their hull is exact
 * about these doubles, and what is flat up to that rounding becomes one face (`roundedFaces`).
 * Frame: world. Cost: O(arcs of A · arcs of B) comparisons, and the hull of what is left.
 */

import { spend } from '../../containers/budget.ts'
import { convexHull as shadowHull } from '../../core2d/outline/convex-hull.ts'
import { sumOfFour } from '../../numeric/expansion.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { ALL_SUMS_COUNT, ROUNDED_FACE_COUNT, SUM_CORNER_COUNT } from '../tolerances.ts'
import { type Body, cross, POSITION, RADIUS, REACH, VERTICES, type Vector } from './body.ts'
import { convexHull } from './convex-hull.ts'
import { type GaussArc, gaussMap, reflected, visitCrossings } from './gauss-map.ts'
import type { ConvexHull } from './hull-surface.ts'

// The faces of a hull whose corners have been rounded: what would be flat but for that is one face.
//
// Method: from the largest face on, faces next to each other are joined as long as their corners lie in its plane, to within what
// rounding has moved them, the farther off that face the more. Corners in which fewer than three of the joined faces meet lie within an
// edge or a face. A hull no thicker than that is flat: its outline is that of its shadow, without corners that lie on a line.
// Frame: that of the points. Cost: O(edges), and of sorting the faces.

interface RoundedFaces {
  /** Corners by x, then y, then z: x0, y0, z0, x1, … */
  vertices: Float64Array
  /** Corners of each face, counter-clockwise from outside. One face of either winding for what is flat, none for a segment or point. */
  faces: number[][]
}

type Errors = readonly [x: number, y: number, z: number]

/** The hull's corners from the first of them, in units of their extent. */
interface Corners {
  hull: ConvexHull
  at: Float64Array
  /** Of a coordinate, for each axis. */
  errors: Errors
}

/** `errors`: how far rounding may have moved a point along each axis. */
function roundedFaces(points: Float64Array, hull: ConvexHull, errors: Errors): RoundedFaces {
  const { dimension, vertices, faceStarts, origins } = hull
  const all = Array.from(vertices, (_, k) => k)
  spend(8 * (vertices.length + origins.length))
  if (dimension < 2) return pick(points, hull, all, [])
  const corners = cornersOf(points, hull, errors)
  const [one, other] = farEnds(corners)
  if (all.every((c) => !isOff(corners, one, c, other))) return pick(points, hull, [one, other], [])
  if (dimension === 2) return flat(points, corners, Array.from(origins.subarray(0, faceStarts[1])))
  const planes = Array.from({ length: faceStarts.length - 1 }, (_, f) => planeOf(corners, f))
  const widest = planes.reduce((best, plane) => (plane.area > best.area ? plane : best))
  if (all.every((c) => isIn(corners, c, widest))) return flat(points, corners, shadowRing(corners, widest))
  return pick(points, hull, all, joinFaces(corners, planes) ?? facesOf(hull))
}

function cornersOf(points: Float64Array, hull: ConvexHull, [x, y, z]: Errors): Corners {
  const { vertices } = hull
  const first = 3 * vertices[0]
  const at = new Float64Array(3 * vertices.length)
  let size = 0
  for (let k = 0; k < at.length; k++) {
    // Halves: a difference may lie beyond the largest double.
    at[k] = points[3 * vertices[(k / 3) | 0] + (k % 3)] / 2 - points[first + (k % 3)] / 2
    size = Math.max(size, Math.abs(at[k]))
  }
  for (let k = 0; k < at.length; k++) at[k] /= size
  return { hull, at, errors: [x / 2 / size, y / 2 / size, z / 2 / size] }
}

interface Plane {
  /** Outward unit normal, and a point of it. */
  n: readonly [number, number, number]
  p: readonly [number, number, number]
  area: number
  /** A length across the face where it is narrow. */
  width: number
}

function planeOf({ hull: { faceStarts, origins }, at }: Corners, f: number): Plane {
  const start = faceStarts[f]
  const end = faceStarts[f + 1]
  const o = 3 * origins[start]
  let nx = 0
  let ny = 0
  let nz = 0
  let round = 0
  for (let e = start; e < end; e++) {
    const a = 3 * origins[e]
    const b = 3 * origins[e + 1 < end ? e + 1 : start]
    const ax = at[a] - at[o]
    const ay = at[a + 1] - at[o + 1]
    const az = at[a + 2] - at[o + 2]
    const bx = at[b] - at[o]
    const by = at[b + 1] - at[o + 1]
    const bz = at[b + 2] - at[o + 2]
    nx += ay * bz - az * by
    ny += az * bx - ax * bz
    nz += ax * by - ay * bx
    round += Math.sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2)
  }
  const area = Math.sqrt(nx * nx + ny * ny + nz * nz)
  const share = area > 0 ? 1 / area : 0
  return { n: [nx * share, ny * share, nz * share], p: [at[o], at[o + 1], at[o + 2]], area, width: area / round }
}

/** The outlines of the joined faces; null where one has a hole or is no polygon. */
function joinFaces(corners: Corners, planes: readonly Plane[]): number[][] | null {
  const { faceStarts, twins, faces } = corners.hull
  const size = planes.length
  const order = planes.map((_, f) => f).sort((f, g) => planes[g].area - planes[f].area || f - g)
  const owner = new Int32Array(size).fill(-1)
  const stack: number[] = []
  let count = 0
  for (const seed of order) {
    if (owner[seed] >= 0) continue
    owner[seed] = count
    stack.push(seed)
    while (stack.length > 0) {
      const f = stack.pop() as number
      for (let e = faceStarts[f]; e < faceStarts[f + 1]; e++) {
        const g = faces[twins[e]]
        if (owner[g] >= 0 || !liesIn(corners, g, planes[seed])) continue
        owner[g] = count
        stack.push(g)
      }
    }
    count++
  }
  return outlines(corners.hull, owner, count)
}

/** Whether all corners of the face lie in the plane as far as rounding tells. */
function liesIn(corners: Corners, f: number, plane: Plane): boolean {
  const { faceStarts, origins } = corners.hull
  for (let e = faceStarts[f]; e < faceStarts[f + 1]; e++) if (!isIn(corners, origins[e], plane)) return false
  return true
}

function isIn({ at, errors }: Corners, corner: number, { n, p, width }: Plane): boolean {
  const x = at[3 * corner] - p[0]
  const y = at[3 * corner + 1] - p[1]
  const z = at[3 * corner + 2] - p[2]
  const height = Math.abs(n[0] * x + n[1] * y + n[2] * z)
  const error = errorAlong(errors, n[0], n[1], n[2])
  if (height <= 4 * error) return true
  // Rounding turns a plane by what it moves its corners by, over its width.
  const turned = 4 + (4 * Math.sqrt(x * x + y * y + z * z)) / width
  return height <= error * Math.min(turned, ROUNDED_FACE_COUNT)
}

function outlines(hull: ConvexHull, owner: Int32Array, count: number): number[][] | null {
  const { origins, twins, faces, faceStarts, vertices } = hull
  const isKept = (e: number): boolean => owner[faces[e]] !== owner[faces[twins[e]]]
  const degrees = new Int32Array(vertices.length)
  for (let e = 0; e < origins.length; e++) if (isKept(e)) degrees[origins[e]]++
  const after = (e: number): number => (e + 1 < faceStarts[faces[e] + 1] ? e + 1 : faceStarts[faces[e]])
  const isTaken = new Uint8Array(origins.length)
  const loops: number[][] = Array.from({ length: count }, () => [])
  for (let first = 0; first < origins.length; first++) {
    if (isTaken[first] === 1 || !isKept(first)) continue
    const loop = loops[owner[faces[first]]]
    // A second outline of the same face is a hole.
    if (loop.length > 0) return null
    let edge = first
    do {
      isTaken[edge] = 1
      if (degrees[origins[edge]] > 2) loop.push(origins[edge])
      edge = after(edge)
      while (!isKept(edge)) edge = after(twins[edge])
    } while (edge !== first)
    if (loop.length < 3) return null
  }
  return loops.every((loop) => loop.length > 0) ? loops : null
}

function facesOf({ faceStarts, origins }: ConvexHull): number[][] {
  return Array.from({ length: faceStarts.length - 1 }, (_, f) =>
    Array.from(origins.subarray(faceStarts[f], faceStarts[f + 1])),
  )
}

/** The outline of all corners seen along the plane's normal. */
function shadowRing({ hull: { vertices }, at }: Corners, { n }: Plane): number[] {
  const sizes = n.map(Math.abs)
  const axis = sizes.indexOf(Math.max(...sizes))
  const shadow = new Float64Array(2 * vertices.length)
  for (let k = 0; k < vertices.length; k++) {
    shadow[2 * k] = at[3 * k + ((axis + 1) % 3)]
    shadow[2 * k + 1] = at[3 * k + ((axis + 2) % 3)]
  }
  const ring = new Int32Array(vertices.length)
  return Array.from(ring.subarray(0, shadowHull(shadow, vertices.length, ring)))
}

/** A flat set with this outline. */
function flat(points: Float64Array, corners: Corners, ring: readonly number[]): RoundedFaces {
  const kept: number[] = []
  ring.forEach((corner, k) => {
    const before = kept.length > 0 ? kept[kept.length - 1] : ring[ring.length - 1]
    if (isOff(corners, before, corner, ring[k + 1 < ring.length ? k + 1 : 0])) kept.push(corner)
  })
  // Of corners that rounding has left on a coarse grid none may be off the line through its neighbours.
  return kept.length > 2 ? pick(points, corners.hull, kept, [kept]) : pick(points, corners.hull, farEnds(corners), [])
}

/** Whether a corner lies off the line through two others by more than rounding. */
function isOff({ at, errors }: Corners, before: number, corner: number, after: number): boolean {
  const [ex, ey, ez] = [0, 1, 2].map((k) => at[3 * after + k] - at[3 * before + k])
  const [wx, wy, wz] = [0, 1, 2].map((k) => at[3 * corner + k] - at[3 * before + k])
  const square = ex * ex + ey * ey + ez * ez
  const share = square > 0 ? (wx * ex + wy * ey + wz * ez) / square : 0
  const x = wx - share * ex
  const y = wy - share * ey
  const z = wz - share * ez
  const off = Math.sqrt(x * x + y * y + z * z)
  return off > 4 * errorAlong(errors, x / off, y / off, z / off)
}

/** Of a height along a unit vector. */
function errorAlong([ex, ey, ez]: Errors, x: number, y: number, z: number): number {
  return Math.abs(x) * ex + Math.abs(y) * ey + Math.abs(z) * ez
}

/** The first and the last corner along the axis that they extend most along. */
function farEnds({ at }: Corners): [number, number] {
  let best: [number, number] = [0, 0]
  let longest = -1
  for (let k = 0; k < 3; k++) {
    let low = 0
    let high = 0
    for (let c = 1; 3 * c < at.length; c++) {
      if (at[3 * c + k] < at[3 * low + k]) low = c
      if (at[3 * c + k] > at[3 * high + k]) high = c
    }
    const length = at[3 * high + k] - at[3 * low + k]
    if (length <= longest) continue
    longest = length
    best = [low, high]
  }
  return best
}

/** The corners that are among `kept`, or in a face, in their order; faces from their first corner on, by that and their second. */
function pick(
  points: Float64Array,
  { vertices }: ConvexHull,
  kept: readonly number[],
  loops: number[][],
): RoundedFaces {
  const used = Array.from(new Set(loops.length > 0 ? loops.flat() : kept)).sort((k, l) => k - l)
  const ranks = new Map(used.map((corner, rank) => [corner, rank]))
  const faces = loops.map((loop) => {
    const own = loop.map((corner) => ranks.get(corner) as number)
    const first = own.indexOf(own.reduce((least, rank) => Math.min(least, rank)))
    return [...own.slice(first), ...own.slice(0, first)]
  })
  faces.sort((f, g) => f[0] - g[0] || f[1] - g[1])
  const out = new Float64Array(3 * used.length)
  used.forEach((corner, rank) => {
    for (let k = 0; k < 3; k++) out[3 * rank + k] = points[3 * vertices[corner] + k]
  })
  return { vertices: out, faces }
}

export interface MinkowskiSum extends RoundedFaces {
  /** Skin around them. */
  radius: number
}

/**
 * A + B, or with side −1 A − B, of bodies of core points. The sum of B and A is the same bit for bit. Null where more than
 * `SUM_CORNER_COUNT` pairs of core points may make corners.
 */
export function minkowskiSum(a: Body, b: Body, side: 1 | -1): MinkowskiSum | null {
  const pairs = a.count * b.count <= ALL_SUMS_COUNT ? allPairs(a, b) : cornerPairs(a, b, side)
  if (pairs === null) return null
  const points = sumsOf(a, b, side, pairs)
  const reaches = a.numbers[REACH] + b.numbers[REACH]
  // A turn has rounded the core points, and the sum is rounded once more.
  const errorOf = (axis: number): number => {
    let largest = 0
    for (let i = axis; i < points.length; i += 3) largest = Math.max(largest, Math.abs(points[i]))
    return 2 * UNIT_ROUNDOFF * (2 * reaches + largest)
  }
  const hull = convexHull(points, pairs.length)
  return {
    ...roundedFaces(points, hull, [errorOf(0), errorOf(1), errorOf(2)]),
    radius: a.numbers[RADIUS] + b.numbers[RADIUS],
  }
}

/** Pairs as one number each: that of A times the count of B, and that of B. */
type Pairs = number[]

function allPairs(a: Body, b: Body): Pairs {
  return Array.from({ length: a.count * b.count }, (_, k) => k)
}

function cornerPairs(a: Body, b: Body, side: 1 | -1): Pairs | null {
  const mapA = gaussMap(a)
  const mapB = side > 0 ? gaussMap(b) : reflected(gaussMap(b))
  const found = new Set<number>()
  const slack = mapA.slack + mapB.slack
  for (const { direction } of [...mapA.nodes, ...mapB.nodes]) {
    const topsA = topsAlong(a, direction, 1, slack)
    const topsB = topsAlong(b, direction, side, slack)
    if (topsA.length * topsB.length <= ALL_SUMS_COUNT) addAll(topsA, topsB, b.count, found)
    else addRound(a, topsA, b, topsB, direction, side, slack, found)
    if (found.size > SUM_CORNER_COUNT) return null
  }
  return crossArcs(mapA.arcs, mapB.arcs, b.count, found) ? Array.from(found).sort((p, q) => p - q) : null
}

function addAll(topsA: Iterable<number>, topsB: readonly number[], countB: number, found: Set<number>): void {
  for (const i of topsA) for (const j of topsB) found.add(i * countB + j)
}

/** Of two faces across the same direction: the pairs that are the farthest along a way across it, as edges of either have. */
function addRound(
  a: Body,
  topsA: number[],
  b: Body,
  topsB: number[],
  n: Vector,
  side: 1 | -1,
  slack: number,
  found: Set<number>,
): void {
  const ringA = ringOf(a, topsA, n)
  const ringB = ringOf(b, topsB, n)
  ringA.forEach((i, k) => {
    const j = ringA[k + 1 < ringA.length ? k + 1 : 0]
    addAll([i, j], topsAlong(b, wayOut(a, i, j, n), side, slack, ringB), b.count, found)
  })
  ringB.forEach((i, k) => {
    const j = ringB[k + 1 < ringB.length ? k + 1 : 0]
    const [x, y, z] = wayOut(b, i, j, n)
    addAll(topsAlong(a, [side * x, side * y, side * z], 1, slack, ringA), [i, j], b.count, found)
  })
}

/** Those of the core points that are on the outline of them all seen against the direction, counter-clockwise. */
function ringOf({ numbers, local }: Body, tops: readonly number[], n: Vector): number[] {
  const sizes = n.map(Math.abs)
  const axis = sizes.indexOf(Math.max(...sizes))
  const shadow = new Float64Array(2 * tops.length)
  tops.forEach((top, k) => {
    shadow[2 * k] = numbers[local + 3 * top + ((axis + 1) % 3)]
    shadow[2 * k + 1] = numbers[local + 3 * top + ((axis + 2) % 3)]
  })
  const ring = new Int32Array(tops.length)
  const size = shadowHull(shadow, tops.length, ring)
  const around = Array.from(ring.subarray(0, size), (k) => tops[k])
  return n[axis] < 0 ? around.reverse() : around
}

/** The unit vector out of a face across its edge from one core point to the next. */
function wayOut({ numbers, local }: Body, i: number, j: number, n: Vector): Vector {
  const at = (k: number): number => numbers[local + 3 * j + k] - numbers[local + 3 * i + k]
  const [x, y, z] = cross([at(0), at(1), at(2)], n)
  const length = vectorLength3d(x, y, z)
  return [x / length, y / length, z / length]
}

/** Of the core points, or of those `among` them, the ones that are the farthest along the direction, or may be within the slack. */
function topsAlong(
  body: Body,
  [x, y, z]: Vector,
  side: 1 | -1,
  slack: number,
  among: number[] | null = null,
): number[] {
  const { numbers, local } = body
  const count = among === null ? body.count : among.length
  spend(1 + (count >> 1))
  if (heights.length < count) heights = new Float64Array(2 * count)
  let top = -Infinity
  for (let k = 0; k < count; k++) {
    const at = local + 3 * (among === null ? k : among[k])
    const height = side * (x * numbers[at] + y * numbers[at + 1] + z * numbers[at + 2])
    heights[k] = height
    if (height > top) top = height
  }
  const least = top - 4 * slack * numbers[REACH]
  const tops: number[] = []
  for (let k = 0; k < count; k++) if (heights[k] >= least) tops.push(among === null ? k : among[k])
  return tops
}

let heights = new Float64Array(64)

/** Adds the ends of edges whose arcs cross; false where there are too many. */
function crossArcs(
  arcsA: readonly GaussArc[],
  arcsB: readonly GaussArc[],
  countB: number,
  found: Set<number>,
): boolean {
  return visitCrossings(arcsA, arcsB, (arc, other) => {
    addAll([arc.i, arc.j], [other.i, other.j], countB, found)
    return found.size <= SUM_CORNER_COUNT
  })
}

function sumsOf({ numbers: a }: Body, { numbers: b, count }: Body, side: 1 | -1, pairs: Pairs): Float64Array {
  spend(pairs.length)
  const points = new Float64Array(3 * pairs.length)
  pairs.forEach((pair, n) => {
    const i = VERTICES + 3 * Math.floor(pair / count)
    const j = VERTICES + 3 * (pair % count)
    // + 0: no negative zeros.
    for (let k = 0; k < 3; k++) {
      points[3 * n + k] = sumOfFour(a[POSITION + k], a[i + k], side * b[POSITION + k], side * b[j + k]) + 0
    }
  })
  return points
}
