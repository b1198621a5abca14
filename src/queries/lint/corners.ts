/**
 * Corners and flat faces of shapes as they stand in the world, for rules that ask about grids, slopes and planes.
 *
 * Frame: world. Corners are rounded where the body is turned, or stands away from the origin, as its own numbers are in any program that takes it.
 */

import type { RegionShape, Shape2d } from '../../../schemas/shapes2d.ts'
import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import { type Leaf, leavesOf } from '../../export/leaves.ts'
import { boxCorners, placedVertices, trianglesOf } from '../../export/triangles.ts'
import { type Pose, placed } from '../../pictures/pose.ts'
import { poseAt, shapeAt, type View } from '../../scene/state/view.ts'
import { coordinatesOf } from '../../wire/findings-3d.ts'

/** Flat faces, each of as many corners. */
export class Faces {
  readonly axes: number
  /** Corners of each. */
  readonly size: number
  readonly count: number
  readonly #points: ArrayLike<number>
  readonly #indices: ArrayLike<number>

  /** `points`: so many numbers each as there are axes; `indices`: the corners of one face after the other. */
  constructor(axes: number, size: number, points: ArrayLike<number>, indices: ArrayLike<number>) {
    this.axes = axes
    this.size = size
    this.count = indices.length / size
    this.#points = points
    this.#indices = indices
  }

  /** One coordinate of a corner. */
  at(face: number, corner: number, axis: number): number {
    return this.#points[this.axes * this.#indices[this.size * face + corner] + axis]
  }

  corners(face: number): number[][] {
    const { axes, size } = this
    return Array.from({ length: size }, (_, i) => Array.from({ length: axes }, (__, k) => this.at(face, i, k)))
  }

  /** Puts the outward unit normal of a face into `out`; false for a face without any. */
  setNormal(face: number, out: Float64Array): boolean {
    const x = this.at(face, 1, 0) - this.at(face, 0, 0)
    const y = this.at(face, 1, 1) - this.at(face, 0, 1)
    if (this.axes === 2) {
      out[0] = y
      out[1] = -x
    } else {
      const z = this.at(face, 1, 2) - this.at(face, 0, 2)
      const vx = this.at(face, 2, 0) - this.at(face, 0, 0)
      const vy = this.at(face, 2, 1) - this.at(face, 0, 1)
      const vz = this.at(face, 2, 2) - this.at(face, 0, 2)
      // products of short sides leave the range
      const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) || 1
      const mostV = Math.max(Math.abs(vx), Math.abs(vy), Math.abs(vz)) || 1
      setCross(out, x / most, y / most, z / most, vx / mostV, vy / mostV, vz / mostV)
    }
    const length = this.axes === 2 ? Math.hypot(out[0], out[1]) : Math.hypot(out[0], out[1], out[2])
    for (let k = 0; k < this.axes; k++) out[k] /= length
    return length > 0
  }
}

function setCross(out: Float64Array, x: number, y: number, z: number, vx: number, vy: number, vz: number): void {
  out[0] = y * vz - z * vy
  out[1] = z * vx - x * vz
  out[2] = x * vy - y * vx
}

const NONE = new Float64Array(0)

/** All vertices of a body, so many numbers each as the dimension has axes; none where it has round sides or no end. */
export function cornersAt(view: View, slot: number): ArrayLike<number> {
  const shape = shapeAt(view, slot)
  if (view.table.geometry.dimension === 2) {
    const corners: number[] = []
    for (const leaf of leavesOf(shape as Shape2d, planePose(view, slot))) addPoints(corners, leaf, pointsOf(leaf.shape))
    return corners
  }
  if (!isFlatSided(shape as Shape3d)) return NONE
  const points = ownCorners(shape as Shape3d)
  return points === null ? placedTriangles(view, slot, shape as Shape3d).vertices : cornersPlaced(view, slot, points)
}

/** A point of the shape where the body stands. */
export function placedPoint(view: View, slot: number, { x, y, z = 0 }: { x: number; y: number; z?: number }): number[] {
  if (view.table.geometry.dimension === 3) return [...(cornersPlaced(view, slot, [{ x, y, z }]) as Float64Array)]
  const point = placed(planePose(view, slot), { x, y })
  return [point.x, point.y]
}

/** The flat faces of what has an inside, and of triangles that look one way; `isSharp`: only of shapes without a radius. */
export function facesAt(view: View, slot: number, isSharp: boolean): Faces {
  const shape = shapeAt(view, slot)
  const isRound = (part: object) => isSharp && ((part as { radius?: number }).radius ?? 0) > 0
  if (view.table.geometry.dimension === 2) {
    const points: number[] = []
    const indices: number[] = []
    for (const leaf of leavesOf(shape as Shape2d, planePose(view, slot))) {
      if (isRound(leaf.shape)) continue
      for (const ring of ringsOf(leaf.shape)) {
        const first = points.length / 2
        addPoints(points, leaf, ring)
        for (let k = 0; k < ring.length; k++) indices.push(first + k, first + ((k + 1) % ring.length))
      }
    }
    return new Faces(2, 2, points, indices)
  }
  if (!isFlatSided(shape as Shape3d) || isRound(shape)) return new Faces(3, 3, NONE, NONE)
  const box = sharpBox(shape as Shape3d)
  if (box !== null) return new Faces(3, 4, cornersPlaced(view, slot, box), BOX_FACES)
  const { vertices, triangles } = placedTriangles(view, slot, shape as Shape3d)
  return new Faces(3, 3, vertices, triangles)
}

function addPoints(out: number[], { pose }: Leaf, points: readonly Vec2[]): void {
  spend(points.length)
  for (const point of points) {
    const { x, y } = placed(pose, point)
    out.push(x, y)
  }
}

function planePose(view: View, slot: number): Pose {
  const [x, y, angle] = poseAt(view, slot)
  return { x, y, angle }
}

function pointsOf(shape: Shape2d): readonly Vec2[] {
  switch (shape.type) {
    case 'point':
      return [{ x: 0, y: 0 }]
    case 'segment':
      return [shape.a, shape.b]
    case 'chain':
      return shape.vertices
    case 'box':
    case 'polygon':
      return (shape.radius ?? 0) > 0 ? [] : ringsOf(shape).flat()
    default:
      return ringsOf(shape).flat()
  }
}

/** Outlines with the inside on the left; none of what has no straight sides. */
function ringsOf(shape: Shape2d): (readonly Vec2[])[] {
  switch (shape.type) {
    case 'aabb': {
      const { min, max } = shape
      return [[min, { x: max.x, y: min.y }, max, { x: min.x, y: max.y }]]
    }
    case 'box': {
      const { width, height } = shape
      const [x, y] = [width / 2, height / 2]
      return [
        [
          { x: -x, y: -y },
          { x, y: -y },
          { x, y },
          { x: -x, y },
        ],
      ]
    }
    case 'polygon':
      return [leftwards(shape.vertices, true)]
    case 'region':
      return regionRings(shape)
    default:
      return []
  }
}

function regionRings({ outer, holes = [] }: RegionShape): (readonly Vec2[])[] {
  return [leftwards(outer, true), ...holes.map((hole) => leftwards(hole, false))]
}

/** Counter-clockwise, or clockwise. */
function leftwards(ring: readonly Vec2[], isOuter: boolean): readonly Vec2[] {
  const [o] = ring
  let area = 0
  for (let k = 0; k < ring.length; k++) {
    const [p, q] = [ring[k], ring[(k + 1) % ring.length]]
    area += (p.x - o.x) * (q.y - o.y) - (q.x - o.x) * (p.y - o.y)
  }
  return area > 0 === isOuter ? ring : [...ring].reverse()
}

function isFlatSided(shape: Shape3d): boolean {
  switch (shape.type) {
    case 'compound':
      return shape.children.every((child) => isFlatSided(child.shape))
    case 'aabb':
    case 'box':
    case 'hull':
    case 'mesh':
    case 'heightfield':
    case 'triangle':
      return true
    default:
      return false
  }
}

function placedTriangles(view: View, slot: number, shape: Shape3d) {
  const { vertices, triangles } = trianglesOf(shape) ?? { vertices: NONE, triangles: NONE }
  spend(vertices.length + triangles.length)
  return { vertices: placedVertices(vertices, spacePose(view, slot)), triangles }
}

function spacePose(view: View, slot: number) {
  const [x, y, z, qx, qy, qz, w] = poseAt(view, slot)
  return { position: { x, y, z }, orientation: { x: qx, y: qy, z: qz, w } }
}

/** Corners that need no hull, none of what has round sides; null of shapes that have triangles. */
function ownCorners(shape: Shape3d): readonly Vec3[] | null {
  if (shape.type !== 'hull' && shape.type !== 'box') return sharpBox(shape)
  if ((shape.radius ?? 0) > 0) return []
  return shape.type === 'hull' ? shape.points : sharpBox(shape)
}

/** The corners of a box as `BOX_FACES` counts them, with rounding a radius out, where its sides would meet; null of other shapes. */
function sharpBox(shape: Shape3d): readonly Vec3[] | null {
  if (shape.type === 'aabb') return boxCorners(shape.min, shape.max)
  if (shape.type !== 'box') return null
  const { size, radius = 0 } = shape
  const half = { x: size.x / 2 + radius, y: size.y / 2 + radius, z: size.z / 2 + radius }
  return boxCorners({ x: -half.x, y: -half.y, z: -half.z }, half)
}

/** Corners of each side of a box, counter-clockwise as seen from outside. */
const BOX_FACES = [0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6]

function cornersPlaced(view: View, slot: number, points: readonly Vec3[]): ArrayLike<number> {
  if (points.length === 0) return NONE
  spend(points.length)
  return placedVertices(coordinatesOf(points), spacePose(view, slot))
}
