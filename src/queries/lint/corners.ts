/**
 * Corners and flat faces of shapes as they stand in the world, for rules that ask about grids, slopes and planes.
 *
 * Frame: world. Corners are rounded where the body is turned, or stands away from the origin, as its own numbers are in any program that takes it.
 */

import type { RegionShape, Shape2d } from '../../../schemas/shapes2d.ts'
import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import { leavesOf } from '../../export/leaves.ts'
import { boxCorners, placedVertices, trianglesOf } from '../../export/triangles.ts'
import { type Pose, placed } from '../../pictures/pose.ts'
import { poseAt, shapeAt, type View } from '../../scene/state/view.ts'

/** A flat face: an edge in the plane, a triangle in space. */
export interface Face {
  /** Its corners, so many numbers each as the dimension has axes. */
  readonly corners: readonly (readonly number[])[]
  /** Outward unit normal. */
  readonly normal: readonly number[]
}

/** All vertices of a body; none where it has round sides or no end. */
export function cornersAt(view: View, slot: number): number[][] {
  const shape = shapeAt(view, slot)
  if (view.table.geometry.dimension === 2) {
    const corners: number[][] = []
    for (const leaf of leavesOf(shape as Shape2d, planePose(view, slot))) {
      for (const point of pointsOf(leaf.shape)) corners.push(cornerOf(leaf.pose, point))
    }
    spend(corners.length)
    return corners
  }
  if (!isFlatSided(shape as Shape3d)) return []
  if ((shape as Shape3d).type !== 'compound') {
    const points = ownCorners(shape as Shape3d)
    if (points !== null) return points.length === 0 ? [] : cornersPlaced(view, slot, points)
  }
  const { vertices } = placedTriangles(view, slot, shape as Shape3d)
  spend(vertices.length)
  return Array.from({ length: vertices.length / 3 }, (_, k) => cornerAt(vertices, k))
}

/** A point of the shape where the body stands. */
export function placedPoint(view: View, slot: number, { x, y, z = 0 }: { x: number; y: number; z?: number }): number[] {
  if (view.table.geometry.dimension === 2) return cornerOf(planePose(view, slot), { x, y })
  return cornersPlaced(view, slot, [{ x, y, z }])[0]
}

/** The flat faces of what has an inside, and of triangles that look one way; `isSharp`: only of shapes without a radius. */
export function facesAt(view: View, slot: number, isSharp: boolean): Face[] {
  const shape = shapeAt(view, slot)
  const faces: Face[] = []
  if (view.table.geometry.dimension === 2) {
    for (const leaf of leavesOf(shape as Shape2d, planePose(view, slot))) {
      if (isSharp && ((leaf.shape as { radius?: number }).radius ?? 0) > 0) continue
      for (const ring of ringsOf(leaf.shape))
        addEdges(
          faces,
          ring.map((point) => cornerOf(leaf.pose, point)),
        )
    }
    spend(faces.length)
    return faces
  }
  if (!isFlatSided(shape as Shape3d) || (isSharp && ((shape as { radius?: number }).radius ?? 0) > 0)) return faces
  const box = sharpBox(shape as Shape3d)
  if (box !== null) return boxFaces(cornersPlaced(view, slot, box))
  const { vertices, triangles } = placedTriangles(view, slot, shape as Shape3d)
  spend(triangles.length)
  for (let k = 0; k + 2 < triangles.length; k += 3) {
    const corners = [0, 1, 2].map((i) => cornerAt(vertices, triangles[k + i]))
    const normal = normalOf(corners)
    if (normal !== null) faces.push({ corners, normal })
  }
  return faces
}

function planePose(view: View, slot: number): Pose {
  const [x, y, angle] = poseAt(view, slot)
  return { x, y, angle }
}

function cornerOf(pose: Pose, point: Vec2): number[] {
  const { x, y } = placed(pose, point)
  return [x, y]
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

function addEdges(faces: Face[], ring: readonly number[][]): void {
  for (let k = 0; k < ring.length; k++) {
    const [p, q] = [ring[k], ring[(k + 1) % ring.length]]
    const [dx, dy] = [q[0] - p[0], q[1] - p[1]]
    const length = Math.hypot(dx, dy)
    if (length > 0) faces.push({ corners: [p, q], normal: [dy / length, -dx / length] })
  }
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
  const [x, y, z, qx, qy, qz, w] = poseAt(view, slot)
  const { vertices, triangles } = trianglesOf(shape) ?? { vertices: [], triangles: [] }
  const pose = { position: { x, y, z }, orientation: { x: qx, y: qy, z: qz, w } }
  return { vertices: placedVertices(vertices, pose), triangles }
}

/** Corners that need no hull: of boxes in the order of `BOX_FACES`; null of shapes that have triangles. */
function ownCorners(shape: Shape3d): readonly Vec3[] | null {
  switch (shape.type) {
    case 'aabb':
    case 'box':
      return 'radius' in shape && (shape.radius ?? 0) > 0 ? [] : sharpBox(shape)
    case 'hull':
      return (shape.radius ?? 0) > 0 ? [] : shape.points
    default:
      return null
  }
}

/** The corners of a box, with rounding a radius out, where its sides would meet; null of other shapes. */
function sharpBox(shape: Shape3d): readonly Vec3[] | null {
  if (shape.type === 'aabb') return boxCorners(shape.min, shape.max)
  if (shape.type !== 'box') return null
  const { size, radius = 0 } = shape
  const half = { x: size.x / 2 + radius, y: size.y / 2 + radius, z: size.z / 2 + radius }
  return boxCorners({ x: -half.x, y: -half.y, z: -half.z }, half)
}

/** Corners of each side of a box, counter-clockwise as seen from outside. */
const BOX_FACES = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
] as const

function boxFaces(corners: readonly (readonly number[])[]): Face[] {
  return BOX_FACES.flatMap((face) => {
    const ring = face.map((k) => corners[k])
    const normal = normalOf(ring)
    return normal === null ? [] : [{ corners: ring, normal }]
  })
}

function cornersPlaced(view: View, slot: number, points: readonly Vec3[]): number[][] {
  spend(points.length)
  const [x, y, z, qx, qy, qz, w] = poseAt(view, slot)
  const pose = { position: { x, y, z }, orientation: { x: qx, y: qy, z: qz, w } }
  const placed = placedVertices(
    points.flatMap((point) => [point.x, point.y, point.z]),
    pose,
  )
  return points.map((_, k) => cornerAt(placed, k))
}

function cornerAt(vertices: ArrayLike<number>, k: number): number[] {
  return [vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2]]
}

/** Products of short sides leave the range. */
function unit(way: readonly number[]): number[] {
  const most = Math.max(...way.map(Math.abs))
  return way.map((x) => (most > 0 ? x / most : x))
}

/** Null of a triangle without area. */
function normalOf([a, b, c]: readonly (readonly number[])[]): number[] | null {
  const [ux, uy, uz] = unit(b.map((x, k) => x - a[k]))
  const [vx, vy, vz] = unit(c.map((x, k) => x - a[k]))
  const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
  const length = Math.hypot(...normal)
  return length > 0 ? normal.map((x) => x / length) : null
}
