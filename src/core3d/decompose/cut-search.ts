/**
 * The plane that cuts a part of a solid best.
 *
 * Method: planes come in families of one direction: across the axes and the diagonals of a cube, a few of each, and those of triangles
 * beside a reflex edge which the hull of the part rises above. A cut is as good as the hulls of its two sides are small together
 * (K. Mamou, F. Ghorbel, "A simple and efficient approach for 3D mesh approximate convex decomposition", ICIP 2009, measure
 * concavity so); of those as good, the one that halves is best. All hulls of a family are found in two sweeps, one from each end: each
 * hull takes over the corners of the one before. The best of a family is sought again between its neighbours, and then tilted.
 * Frame: coordinates below 2. Cost: O(n log n) for each family, of at most `MOST_POLYGONS` polygons.
 */

import { spend } from '../../containers/budget.ts'
import { acrossOf, unitOf } from '../fit/turned-box.ts'
import type { Mesh } from '../mesh/mesh.ts'
import { edgeClass, FREE_EDGE, REFLEX_EDGE } from '../mesh/mesh-check.ts'
import { cross, dot, type Vector } from '../shape/body.ts'
import { hullTriangles } from '../shape/convex-hull.ts'
import { CUT_SEAM, CUT_SHAKE, SAME_FAMILY_SHARE, SAME_PLANE, TIED_CUT_RATIO } from '../tolerances.ts'
import { axisPlane, CELL_FACE, type CutPlane, type Part, tiltedPlane, trianglePlane } from './cell-cut.ts'
import { type Cloud, hullVolume, type Solid, sideOfSolid } from './part-hull.ts'

/** Polygons of a part that are looked at; of more some are left out, evenly. */
const MOST_POLYGONS = 2 ** 9
/** Triangles whose planes are looked at, families that are made of them, and planes of each. */
const MOST_TRIANGLES = 2 ** 10
const MOST_FAMILIES = 8
const MOST_PLANES = 4
/** Planes of a family across an axis, and across another direction. */
const AXIS_PLANES = 7
const DIAGONAL_PLANES = 5
/** Slacks of a plane that what rises above it for certain rises at least. */
const LEAST_RISE_COUNT = 16

export interface FoundCut {
  plane: CutPlane
  /** Of what it was found among. */
  family: Family
  k: number
  /** Volumes of the hulls of its sides, together. */
  sum: number
}

interface Family {
  direction: Vector
  /** In order. */
  heights: number[]
  planes: (CutPlane | null)[]
}

/** Unit vectors along the diagonals of the faces of a cube, and of the cube. */
const DIAGONALS: readonly Vector[] = (
  [
    [1, 1, 0],
    [1, -1, 0],
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
    [1, 1, 1],
    [1, 1, -1],
    [1, -1, 1],
    [1, -1, -1],
  ] as Vector[]
).map(unitOf)

const AXES: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

export interface ReflexEdges {
  /** Of each triangle whether it has one; beside an edge of more than two triangles it may. */
  isBeside: Uint8Array
  count: number
}

/** The edges at which a mesh of coordinates below 2 is reflex by more than rounding. */
export function reflexEdges({ vertices, triangles, edges, triangleCount }: Mesh): ReflexEdges {
  const isBeside = new Uint8Array(triangleCount)
  const beyond = new Map<number, number>()
  let count = 0
  spend(triangleCount)
  const nextOf = (e: number): number => (e % 3 === 2 ? e - 2 : e + 1)
  const keyOf = (a: number, b: number): number => (a * vertices.length) / 3 + b
  for (let e = 0; e < triangles.length; e++) {
    if (edgeClass(edges, Math.floor(e / 3), e % 3) === REFLEX_EDGE)
      beyond.set(keyOf(triangles[e], triangles[nextOf(e)]), e)
  }
  for (let e = 0; e < triangles.length; e++) {
    const t = Math.floor(e / 3)
    const kind = edgeClass(edges, t, e % 3)
    if (kind === FREE_EDGE) isBeside[t] = 1
    if (kind !== REFLEX_EDGE) continue
    const other = beyond.get(keyOf(triangles[nextOf(e)], triangles[e]))
    const plane = trianglePlane(vertices, triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2])
    if (other === undefined || plane === null) continue
    const far = triangles[nextOf(nextOf(other))]
    if (heightOver(plane, vertices, 3 * far) <= LEAST_RISE_COUNT * plane.slack) continue
    isBeside[t] = 1
    if (e < other) count++
  }
  return { isBeside, count }
}

/** The best of planes anywhere; null where none leaves something on both sides. */
export function bestCut(part: Part, cloud: Cloud, solid: Solid, isReflex: Uint8Array): FoundCut | null {
  const seen = seenOf(part)
  const families = raisedPlanes(part, cloud, solid, isReflex, MOST_TRIANGLES)
  for (const [k, direction] of [...AXES, ...DIAGONALS].entries()) {
    const count = k < 3 ? AXIS_PLANES : DIAGONAL_PLANES
    const [low, high] = extentOf(cloud, direction)
    const heights = Array.from({ length: count }, (_, i) => low + ((high - low) * (i + 1)) / (count + 1))
    families.push({ direction, heights, planes: heights.map(() => null) })
  }
  return bestOf(seen, cloud, solid, families)
}

/**
 * The best of the planes of triangles that the part rises above, beside reflex edges if there are such; null where there are none at
 * all: then the part is its hull.
 */
export function bestExactCut(part: Part, cloud: Cloud, solid: Solid, isReflex: Uint8Array): FoundCut | null {
  let families = raisedPlanes(part, cloud, solid, isReflex, Infinity)
  if (families.length === 0) families = raisedPlanes(part, cloud, solid, null, Infinity)
  if (families.length === 0) return null
  const [first] = families
  return (
    bestOf(seenOf(part), cloud, solid, families) ?? { plane: planeOf(first, 0), family: first, k: 0, sum: cloud.volume }
  )
}

function extentOf({ points }: Cloud, [x, y, z]: Vector): [number, number] {
  let [low, high] = [Infinity, -Infinity]
  for (let i = 0; i < points.length; i += 3) {
    const height = x * points[i] + y * points[i + 1] + z * points[i + 2]
    if (height < low) low = height
    if (height > high) high = height
  }
  return [low, high]
}

function planeOf({ direction, heights, planes }: Family, k: number): CutPlane {
  const axis = direction.indexOf(1)
  return planes[k] ?? (axis >= 0 ? axisPlane(axis as 0 | 1 | 2, heights[k]) : tiltedPlane(direction, heights[k]))
}

// Planes of triangles.

interface Raised {
  direction: Vector
  height: number
  plane: CutPlane
  weight: number
}

/** Families of the planes that the part rises above, those first that most of it does. `isReflex`: which triangles count; null for all. */
function raisedPlanes(part: Part, cloud: Cloud, solid: Solid, isReflex: Uint8Array | null, most: number): Family[] {
  const { sources, polygonCount } = part
  const { triangles, vertices } = solid.mesh
  const from: number[] = []
  let last = -1
  for (let p = 0; p < polygonCount; p++) {
    const t = sources[p]
    if (t < 0 || t === last || (isReflex !== null && isReflex[t] === 0)) continue
    from.push(t)
    last = t
  }
  const stride = Math.max(1, Math.ceil(from.length / most))
  const groups = new Map<string, Raised[]>()
  for (let n = 0; n < from.length; n += stride) {
    const t = from[n]
    const [i, j, k] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]]
    const plane = trianglePlane(vertices, i, j, k)
    if (plane === null || part.planes.some((used) => isSame(used, plane))) continue
    const rise = riseOver(cloud, plane)
    if (rise <= 0) continue
    addRaised(groups, plane, rise * plane.area)
  }
  const families = [...groups.values()].map((group) => ({
    group,
    weight: group.reduce((sum, { weight }) => sum + weight, 0),
  }))
  families.sort((a, b) => b.weight - a.weight)
  return families.slice(0, MOST_FAMILIES).map(({ group }) => {
    const kept = group.sort((a, b) => b.weight - a.weight).slice(0, MOST_PLANES)
    kept.sort((a, b) => a.height - b.height)
    const { direction } = kept[0]
    return { direction, heights: kept.map(({ height }) => height), planes: kept.map(({ plane }) => plane) }
  })
}

function isSame({ normal, anchor }: CutPlane, other: CutPlane): boolean {
  return [0, 1, 2].every((k) => normal[k] === other.normal[k] && anchor[k] === other.anchor[k])
}

function addRaised(groups: Map<string, Raised[]>, plane: CutPlane, weight: number): void {
  const { normal, anchor, length, axis } = plane
  const turn = normal.find((x) => Math.abs(x) > SAME_FAMILY_SHARE * length) as number
  const scale = (turn < 0 ? -1 : 1) / length
  const unit: Vector = axis >= 0 ? AXES[axis] : [normal[0] * scale, normal[1] * scale, normal[2] * scale]
  const key = unit.map((x) => Math.round(x / SAME_FAMILY_SHARE) + 0).join()
  const group = groups.get(key)
  if (group === undefined) {
    groups.set(key, [{ direction: unit, height: dot(unit, anchor), plane, weight }])
    return
  }
  const height = dot(group[0].direction, anchor)
  const known = group.find(
    (other) =>
      Math.abs(other.height - height) < SAME_PLANE &&
      other.direction.every((x, k) => Math.abs(x - unit[k]) < SAME_PLANE),
  )
  if (known === undefined) group.push({ direction: unit, height, plane, weight })
  else {
    known.weight += weight
    if (plane.slack < known.plane.slack) known.plane = plane
  }
}

/** How far the hull rises above the plane; 0 where that is so little that cuts could not tell it from rounding. */
function riseOver({ points, isRounded }: Cloud, plane: CutPlane): number {
  let most = LEAST_RISE_COUNT * plane.slack
  spend(1 + (isRounded.length >> 3))
  for (let i = 0; i < points.length; i += 3) most = Math.max(most, heightOver(plane, points, i))
  return most > LEAST_RISE_COUNT * plane.slack ? most : 0
}

/** Of the point whose coordinates begin at `at`. */
function heightOver({ normal, anchor, length }: CutPlane, points: Float64Array, at: number): number {
  return (
    (normal[0] * (points[at] - anchor[0]) +
      normal[1] * (points[at + 1] - anchor[1]) +
      normal[2] * (points[at + 2] - anchor[2])) /
    length
  )
}

// Hulls of both sides of all planes of a family.

/** What is looked at of a part: points, and edges between them. */
interface Seen {
  points: Float64Array
  used: Int32Array
  edges: Int32Array
  /** Edges of the cell. */
  cellEdges: Int32Array
  /** Of each point where it lies among the planes of the family under way. */
  lies: Int16Array
}

function seenOf({ points, count, rings, starts, sources, polygonCount }: Part): Seen {
  const isUsed = new Uint8Array(count)
  const edges: number[] = []
  const cellEdges: number[] = []
  // Of many polygons some are left out, evenly.
  const stride = Math.max(1, Math.ceil(polygonCount / MOST_POLYGONS))
  spend(polygonCount)
  for (let p = 0; p < polygonCount; p++) {
    if (sources[p] !== CELL_FACE && (sources[p] < 0 || p % stride !== 0)) continue
    for (let k = starts[p]; k < starts[p + 1]; k++) {
      const [a, b] = [rings[k], rings[k + 1 === starts[p + 1] ? starts[p] : k + 1]]
      if (sources[p] === CELL_FACE) {
        if (a < b) cellEdges.push(a, b)
        continue
      }
      isUsed[a] = 1
      edges.push(a, b)
    }
  }
  const used: number[] = []
  for (let i = 0; i < count; i++) if (isUsed[i] === 1) used.push(i)
  return {
    points,
    used: Int32Array.from(used),
    edges: Int32Array.from(edges),
    cellEdges: Int32Array.from(cellEdges),
    lies: new Int16Array(count),
  }
}

interface Scored extends FoundCut {
  larger: number
}

function bestOf(seen: Seen, cloud: Cloud, solid: Solid, families: readonly Family[]): Scored | null {
  let best: Scored | null = null
  const slack = TIED_CUT_RATIO * cloud.volume
  for (const family of families) {
    const { below, above } = sidesOf(seen, cloud, solid, family)
    for (let k = 0; k < family.heights.length; k++) {
      // What leaves nothing on a side cuts nothing.
      if (!(below[k] > 0) || !(above[k] > 0)) continue
      const [sum, larger] = [below[k] + above[k], Math.max(below[k], above[k])]
      if (best !== null && (sum > best.sum + slack || (sum > best.sum - slack && larger >= best.larger))) continue
      best = { family, k, sum, larger, plane: planeOf(family, k) }
    }
  }
  return best
}

/** Volumes of the hulls of what lies below each plane of a family, and of what lies above. */
function sidesOf(seen: Seen, cloud: Cloud, solid: Solid, family: Family): { below: number[]; above: number[] } {
  const { direction, heights: offsets } = family
  const size = offsets.length
  const slabs: number[][] = Array.from({ length: size + 1 }, () => [])
  const seams: number[][] = Array.from({ length: size }, () => [])
  const { points, used, edges, cellEdges, lies } = seen
  const [dx, dy, dz] = direction
  /** 2k between the planes k − 1 and k, 2k + 1 on plane k. */
  const lieOf = (from: Float64Array, i: number): number => {
    const height = dx * from[3 * i] + dy * from[3 * i + 1] + dz * from[3 * i + 2]
    let slab = 0
    while (slab < size && height > offsets[slab] + CUT_SEAM) slab++
    return 2 * slab + (slab < size && height >= offsets[slab] - CUT_SEAM ? 1 : 0)
  }
  const add = (list: number[], from: Float64Array, i: number): void => {
    list.push(from[3 * i], from[3 * i + 1], from[3 * i + 2])
  }
  spend(used.length + (edges.length >> 2))
  for (const i of used) {
    lies[i] = lieOf(points, i)
    if ((lies[i] & 1) === 0) add(slabs[lies[i] >> 1], points, i)
  }
  // Corners of the cell in the solid are in the cloud, and so is what a stride leaves out.
  for (let i = 0; i < cloud.isRounded.length; i++) {
    const lie = lieOf(cloud.points, i)
    if ((lie & 1) === 0) add(slabs[lie >> 1], cloud.points, i)
  }
  const cutEdge = (a: number, b: number, isCell: boolean): void => {
    const [from, to] = [lies[a], lies[b]]
    if (from === to) return
    // A point on a plane is of the side to which an edge leads from it.
    if (!isCell && (from & 1) === 1) add(slabs[to > from ? (from + 1) >> 1 : from >> 1], points, a)
    if (!isCell && (to & 1) === 1) add(slabs[from > to ? (to + 1) >> 1 : to >> 1], points, b)
    for (let lie = Math.min(from, to) + 1; lie < Math.max(from, to); lie++) {
      if ((lie & 1) === 0) continue
      const k = lie >> 1
      const low = dx * points[3 * a] + dy * points[3 * a + 1] + dz * points[3 * a + 2] - offsets[k]
      const high = dx * points[3 * b] + dy * points[3 * b + 1] + dz * points[3 * b + 2] - offsets[k]
      const share = low / (low - high)
      const x = points[3 * a] + share * (points[3 * b] - points[3 * a])
      const y = points[3 * a + 1] + share * (points[3 * b + 1] - points[3 * a + 1])
      const z = points[3 * a + 2] + share * (points[3 * b + 2] - points[3 * a + 2])
      if (!isCell || sideOfSolid(solid, x, y, z) > 0) seams[k].push(x, y, z)
    }
  }
  for (let e = 0; e < edges.length; e += 2) cutEdge(edges[e], edges[e + 1], false)
  for (const i of cellEdges) lies[i] = lieOf(points, i)
  for (let e = 0; e < cellEdges.length; e += 2) cutEdge(cellEdges[e], cellEdges[e + 1], true)
  const [below, above]: [number[], number[]] = [[], []]
  let corners: number[] = []
  for (let k = 0; k < size; k++) {
    const hull = hullOf([...corners, ...slabs[k], ...seams[k]])
    corners = hull.corners
    below[k] = hull.volume
  }
  corners = []
  for (let k = size - 1; k >= 0; k--) {
    const hull = hullOf([...corners, ...slabs[k + 1], ...seams[k]])
    corners = hull.corners
    above[k] = hull.volume
  }
  return { below, above }
}

function hullOf(list: number[]): { volume: number; corners: number[] } {
  const count = list.length / 3
  const points = new Float64Array(list.length)
  let random = 1
  for (let i = 0; i < list.length; i++) {
    // G. Marsaglia, "Xorshift RNGs", 2003.
    random ^= random << 13
    random ^= random >>> 17
    random ^= random << 5
    points[i] = list[i] + random * CUT_SHAKE
  }
  const faces = count < 4 ? null : hullTriangles(points, count)
  if (faces === null) return { volume: 0, corners: list }
  const corners: number[] = []
  const isTaken = new Uint8Array(count)
  for (const i of faces) {
    if (isTaken[i] === 1) continue
    isTaken[i] = 1
    corners.push(points[3 * i], points[3 * i + 1], points[3 * i + 2])
  }
  return { volume: hullVolume(points, faces), corners }
}

// The best plane of a family moved and tilted.

const TILTS = [0.2]
const FINER_PLANES = 5

/** The cut, or a better one near it. */
export function refined(part: Part, cloud: Cloud, solid: Solid, start: FoundCut): FoundCut {
  const seen = seenOf(part)
  let best = start
  const isGain = (found: FoundCut): boolean => found.sum < best.sum - TIED_CUT_RATIO * cloud.volume
  const nearHeights = (direction: Vector, middle: number, width: number): Family => {
    const heights = Array.from(
      { length: FINER_PLANES },
      (_, i) => middle + width * ((2 * (i + 1)) / (FINER_PLANES + 1) - 1),
    )
    return { direction, heights, planes: heights.map(() => null) }
  }
  const [low, high] = extentOf(cloud, best.family.direction)
  let width = (high - low) / (AXIS_PLANES + 1)
  const moved = bestOf(seen, cloud, solid, [nearHeights(best.family.direction, best.family.heights[best.k], width)])
  if (moved !== null && isGain(moved)) best = moved
  for (const tilt of TILTS) {
    width /= 2
    const { direction, heights } = best.family
    const middle = middleOf(cloud)
    const u = acrossOf(direction)
    const v = cross(direction, u)
    const families = [0, 1, 2, 3, 4, 5].map((n) => {
      const [a, b] = [tilt * Math.cos((n * Math.PI) / 3), tilt * Math.sin((n * Math.PI) / 3)]
      const turned = unitOf([0, 1, 2].map((k) => direction[k] + a * u[k] + b * v[k]) as unknown as Vector)
      // About the point of the plane that is nearest to the middle.
      const at = heights[best.k] - dot(direction, middle)
      const about = [0, 1, 2].map((k) => middle[k] + at * direction[k]) as unknown as Vector
      return nearHeights(turned, dot(turned, about), width)
    })
    const found = bestOf(seen, cloud, solid, families)
    if (found !== null && isGain(found)) best = found
  }
  return best
}

function middleOf({ points }: Cloud): Vector {
  const sum = [0, 0, 0]
  for (let i = 0; i < points.length; i++) sum[i % 3] += points[i]
  return sum.map((x) => (3 * x) / points.length) as unknown as Vector
}
