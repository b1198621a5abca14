// What can be seen of bodies that the processor draws, whose cost is by the number of triangles and lines: nothing of what is out of
// sight, of convex bodies no side that looks away, and, as long as the view moves, edges of the largest bodies alone.

import { inverse, type Quaternion, turnedBy, type Vec3 } from '../sketch/vector.ts'
import type { Geometry } from './geometry.ts'
import { boundsOf } from './picking.ts'

/** Where all is seen from; lengths are relative to the base of the picture. */
export interface Sight {
  eye: Vec3
  /** Columns of the matrix to clip space. */
  clip: Float32Array
  /** Edges that are drawn at most; those of the bodies that look largest are. */
  mostEdges: number
}

interface Placed {
  geometry: Geometry
  position: Vec3
  orientation: Quaternion
  scale: number
}

/** The planes of all triangles of a convex solid, outward, four numbers each, and which two of them meet at each edge. */
interface Solid {
  planes: Float64Array
  /** Two triangles an edge. */
  sides: Int32Array
}

/** Of the extent: how far off a plane a corner may be that counts as in it. */
const FLAT_RATIO = 1e-6
/** Products of triangles and corners that are looked at: more would be seen as a pause, and are of curved bodies. */
const MOST_WORK = 20_000

const known = new WeakMap<Geometry, Solid | null>()

/** Null where sides that look away may be seen. */
function solidOf(geometry: Geometry): Solid | null {
  const before = known.get(geometry)
  if (before !== undefined) return before
  const { positions, triangles } = geometry
  const isLarge = triangles.length * positions.length > 9 * MOST_WORK
  const solid = triangles.length === 0 || isLarge ? null : convexSolid(geometry)
  known.set(geometry, solid)
  return solid
}

function convexSolid({ positions, triangles, edges, points }: Geometry): Solid | null {
  const planes = planesOf(positions, triangles)
  const above = (plane: number, i: number): number =>
    planes[plane]! * positions[i]! +
    planes[plane + 1]! * positions[i + 1]! +
    planes[plane + 2]! * positions[i + 2]! -
    planes[plane + 3]!
  const least = FLAT_RATIO * Math.max(...positions.map(Math.abs))
  for (let plane = 0; plane < planes.length; plane += 4)
    for (let i = 0; i < positions.length; i += 3) if (!(above(plane, i) <= least)) return null
  if (points.length > 0 || isFlat(planes)) return null
  const sides = new Int32Array(edges.length).fill(-1)
  for (let k = 0; k < edges.length; k += 2) {
    const [p, q] = [3 * edges[k]!, 3 * edges[k + 1]!]
    for (let i = 0; i < planes.length / 4 && sides[k + 1]! < 0; i++) {
      if (Math.abs(above(4 * i, p)) > least || Math.abs(above(4 * i, q)) > least) continue
      if (sides[k]! < 0) sides[k] = i
      else if (!isParallel(planes, sides[k]!, i)) sides[k + 1] = i
    }
  }
  // an edge of one side alone is that of a hole
  return sides.includes(-1) ? null : { planes, sides }
}

/** The unit normal and the distance from the origin along it. */
function planesOf(positions: readonly number[], triangles: readonly number[]): Float64Array {
  const planes = new Float64Array((4 * triangles.length) / 3)
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [3 * triangles[k]!, 3 * triangles[k + 1]!, 3 * triangles[k + 2]!]
    const [ux, uy, uz] = [0, 1, 2].map((i) => positions[b + i]! - positions[a + i]!) as [number, number, number]
    const [vx, vy, vz] = [0, 1, 2].map((i) => positions[c + i]! - positions[a + i]!) as [number, number, number]
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
    const size = Math.hypot(x, y, z)
    const offset = (x * positions[a]! + y * positions[a + 1]! + z * positions[a + 2]!) / size
    // what has no area is never seen, and at no edge
    planes.set(size === 0 ? [0, 0, 0, Infinity] : [x / size, y / size, z / size, offset], (4 * k) / 3)
  }
  return planes
}

const isParallel = (planes: Float64Array, i: number, j: number): boolean =>
  planes[4 * i]! * planes[4 * j]! + planes[4 * i + 1]! * planes[4 * j + 1]! + planes[4 * i + 2]! * planes[4 * j + 2]! >
  1 - FLAT_RATIO

/** Whether all sides lie in one plane: they are seen from both sides. */
const isFlat = (planes: Float64Array): boolean => planes.every((_, i) => i % 4 !== 0 || isParallel(planes, 0, i / 4))

export interface Counts {
  triangles: number
  edges: number
  points: number
}

/** Sizes that are told apart, each half as large again as the one before; the middle one is as large as it is far away. */
const SIZES = 64
const SIZE_BASE = 1.5

/** Bodies whose vertices lie one behind the other in a buffer. */
export class Culling {
  readonly #bodies: readonly Placed[]
  readonly #solids: readonly (Solid | null)[]
  /** The first vertex of each. */
  readonly #first: Uint32Array
  /** Balls around them: the middle and the radius. */
  readonly #balls: Float64Array
  /** How large each looks, from 1 on; 0 of one that is out of sight. */
  readonly #sizes: Uint8Array
  readonly #triangles: Uint32Array
  readonly #edges: Uint32Array
  readonly #points: Uint32Array
  /** Whether the triangles of one body look towards the eye. */
  #facing = new Uint8Array(64)

  constructor(bodies: readonly Placed[]) {
    this.#bodies = bodies
    this.#solids = bodies.map(({ geometry }) => solidOf(geometry))
    this.#first = new Uint32Array(bodies.length)
    this.#balls = new Float64Array(4 * bodies.length)
    this.#sizes = new Uint8Array(bodies.length)
    let vertices = 0
    const counts: Counts = { triangles: 0, edges: 0, points: 0 }
    for (const [i, { geometry, position, orientation, scale }] of bodies.entries()) {
      const { middle, radius } = boundsOf(geometry)
      const { x, y, z } = turnedBy(orientation, middle)
      this.#balls.set([position.x + scale * x, position.y + scale * y, position.z + scale * z, scale * radius], 4 * i)
      this.#first[i] = vertices
      vertices += geometry.positions.length / 3
      for (const list of ['triangles', 'edges', 'points'] as const) counts[list] += geometry[list].length
    }
    this.#triangles = new Uint32Array(counts.triangles)
    this.#edges = new Uint32Array(counts.edges)
    this.#points = new Uint32Array(counts.points)
  }

  /** Lists of indices of vertices, good until the next call. */
  seen(sight: Sight): Record<keyof Counts, Uint32Array> {
    const least = this.#measure(sight)
    const counts: Counts = { triangles: 0, edges: 0, points: 0 }
    for (const [i, size] of this.#sizes.entries()) if (size > 0) this.#add(i, sight.eye, size >= least, counts)
    return {
      triangles: this.#triangles.subarray(0, counts.triangles),
      edges: this.#edges.subarray(0, counts.edges),
      points: this.#points.subarray(0, counts.points),
    }
  }

  /** Sets the sizes, and returns the least of those whose edges are drawn. */
  #measure({ eye, clip, mostEdges }: Sight): number {
    const planes = sidesOfSight(clip)
    const balls = this.#balls
    const edges = new Float64Array(SIZES + 1)
    for (const [i, { geometry }] of this.#bodies.entries()) {
      const k = 4 * i
      const radius = balls[k + 3]!
      const away = Math.hypot(balls[k]! - eye.x, balls[k + 1]! - eye.y, balls[k + 2]! - eye.z)
      const size = SIZES / 2 + Math.round(Math.log(radius / away) / Math.log(SIZE_BASE))
      this.#sizes[i] = isOutside(planes, balls, k) ? 0 : Math.max(1, Math.min(SIZES, size || 1))
      edges[this.#sizes[i]!]! += geometry.edges.length / 2
    }
    let least = SIZES + 1
    for (let sum = 0; least > 1; least--) {
      sum += edges[least - 1]!
      if (sum > mostEdges) break
    }
    return least
  }

  #add(i: number, eye: Vec3, hasEdges: boolean, counts: Counts): void {
    const { geometry, position, orientation, scale } = this.#bodies[i]!
    const { triangles, edges, points } = geometry
    const first = this.#first[i]!
    const solid = this.#solids[i]!
    if (solid === null || !this.#face(solid, inFrame(eye, position, orientation, scale))) {
      for (const index of triangles) this.#triangles[counts.triangles++] = index + first
      if (hasEdges) for (const index of edges) this.#edges[counts.edges++] = index + first
      for (const index of points) this.#points[counts.points++] = index + first
      return
    }
    const facing = this.#facing
    for (let k = 0; k < triangles.length; k += 3) {
      if (facing[k / 3] === 0) continue
      for (let j = k; j < k + 3; j++) this.#triangles[counts.triangles++] = triangles[j]! + first
    }
    if (!hasEdges) return
    for (let k = 0; k < edges.length; k += 2) {
      if (facing[solid.sides[k]!] === 0 && facing[solid.sides[k + 1]!] === 0) continue
      this.#edges[counts.edges++] = edges[k]! + first
      this.#edges[counts.edges++] = edges[k + 1]! + first
    }
  }

  /** Which sides look towards the eye, in the frame of the body. False where none does: the eye is within, and sees all from there. */
  #face({ planes }: Solid, { x, y, z }: Vec3): boolean {
    const count = planes.length / 4
    if (this.#facing.length < count) this.#facing = new Uint8Array(2 * count)
    let some = false
    for (let i = 0; i < count; i++) {
      const k = 4 * i
      const isFacing = planes[k]! * x + planes[k + 1]! * y + planes[k + 2]! * z > planes[k + 3]!
      this.#facing[i] = Number(isFacing)
      some ||= isFacing
    }
    return some
  }
}

function inFrame(at: Vec3, { x, y, z }: Vec3, orientation: Quaternion, scale: number): Vec3 {
  return turnedBy(inverse(orientation), { x: (at.x - x) / scale, y: (at.y - y) / scale, z: (at.z - z) / scale })
}

/** The left, right, lower, upper and near sides of what is seen, inward, with unit normals: sums and differences of rows of the matrix. */
function sidesOfSight(clip: Float32Array): Float64Array {
  const row = (i: number): number[] => [clip[i]!, clip[4 + i]!, clip[8 + i]!, clip[12 + i]!]
  const w = row(3)
  const sides = [
    [1, 0],
    [-1, 0],
    [1, 1],
    [-1, 1],
    [1, 2],
  ] as const
  return Float64Array.from(
    sides.flatMap(([sense, i]) => {
      const side = row(i).map((value, k) => w[k]! + sense * value)
      const size = Math.hypot(side[0]!, side[1]!, side[2]!) || 1
      return side.map((value) => value / size)
    }),
  )
}

function isOutside(planes: Float64Array, balls: Float64Array, k: number): boolean {
  for (let i = 0; i < planes.length; i += 4) {
    const above =
      planes[i]! * balls[k]! + planes[i + 1]! * balls[k + 1]! + planes[i + 2]! * balls[k + 2]! + planes[i + 3]!
    if (above < -balls[k + 3]!) return true
  }
  return false
}
