/**
 * The triangles of a shape of space: its own, or those of a solid near it, for programs that know nothing else.
 *
 * Meshes, height fields, boxes, hulls and triangles without rounding are exact. What is curved has corners on its surface, so its triangles
 * lie inside; rounded corners are left sharp, a radius out. Points, segments and half-spaces have none.
 * Frame: the shape's own.
 */

import type { Body3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Quaternion, Vec3 } from '../../schemas/vector.ts'
import { gridTriangles, gridVertices } from '../core3d/mesh/height-field.ts'
import { convexHull } from '../core3d/shape/convex-hull.ts'

export interface Triangles {
  /** x, y, z of each vertex. */
  readonly vertices: ArrayLike<number>
  readonly triangles: ArrayLike<number>
  /** A number for each triangle; null where all have one. */
  readonly groups: ArrayLike<number> | null
}

/** Corners of a full turn, and of a half. */
const AROUND = 24
const ALONG = 12

const ORIGIN: Vec3 = { x: 0, y: 0, z: 0 }
const NO_TURN: Quaternion = { x: 0, y: 0, z: 0, w: 1 }

/** Null of shapes without any. */
export function trianglesOf(shape: Shape3d): Triangles | null {
  switch (shape.type) {
    case 'mesh':
      return { vertices: shape.vertices, triangles: shape.triangles, groups: shape.groups ?? null }
    case 'heightfield':
      return { vertices: gridVertices(shape), triangles: gridTriangles(shape).triangles, groups: null }
    case 'triangle':
      return { vertices: flat([shape.a, shape.b, shape.c]), triangles: [0, 1, 2], groups: null }
    case 'compound':
      return union(shape.children)
    case 'point':
    case 'segment':
    case 'halfspace':
      return null
    default:
      return hullTriangles(cornersOf(shape))
  }
}

type Solid = Exclude<
  Shape3d,
  { type: 'mesh' | 'heightfield' | 'triangle' | 'compound' | 'point' | 'segment' | 'halfspace' }
>

function cornersOf(shape: Solid): Vec3[] {
  switch (shape.type) {
    case 'box': {
      const { size, radius = 0 } = shape
      const half = { x: size.x / 2 + radius, y: size.y / 2 + radius, z: size.z / 2 + radius }
      return boxCorners({ x: -half.x, y: -half.y, z: -half.z }, half)
    }
    case 'aabb':
      return boxCorners(shape.min, shape.max)
    case 'hull':
      return shape.points
    case 'sphere':
      return ballCorners(ORIGIN, { x: shape.radius, y: shape.radius, z: shape.radius })
    case 'ellipsoid':
      return ballCorners(ORIGIN, shape.radii)
    case 'capsule': {
      const radii = { x: shape.radius, y: shape.radius, z: shape.radius }
      return [...ballCorners(shape.a, radii), ...ballCorners(shape.b, radii)]
    }
    case 'cylinder':
      return [
        ...ringCorners(shape, -shape.height / 2, shape.radius),
        ...ringCorners(shape, shape.height / 2, shape.radius),
      ]
    case 'cone':
      return [...ringCorners(shape, -shape.height / 2, shape.radius), ...ringCorners(shape, shape.height / 2, 0)]
  }
}

export function boxCorners(min: Vec3, max: Vec3): Vec3[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => ({
    x: k & 1 ? max.x : min.x,
    y: k & 2 ? max.y : min.y,
    z: k & 4 ? max.z : min.z,
  }))
}

function ballCorners(centre: Vec3, radii: Vec3): Vec3[] {
  const corners: Vec3[] = []
  for (let i = 0; i <= ALONG; i++) {
    const [y, ring] = [-Math.cos((Math.PI * i) / ALONG), Math.sin((Math.PI * i) / ALONG)]
    const count = i === 0 || i === ALONG ? 1 : AROUND
    for (let k = 0; k < count; k++) {
      const angle = (2 * Math.PI * k) / AROUND
      corners.push({
        x: centre.x + radii.x * ring * Math.cos(angle),
        y: centre.y + radii.y * y,
        z: centre.z + radii.z * ring * Math.sin(angle),
      })
    }
  }
  return corners
}

function ringCorners({ axis = 'y' }: { axis?: 'x' | 'y' | 'z' }, height: number, radius: number): Vec3[] {
  return Array.from({ length: radius === 0 ? 1 : AROUND }, (_, k) => {
    const angle = (2 * Math.PI * k) / AROUND
    const [p, q] = [radius * Math.cos(angle), radius * Math.sin(angle)]
    if (axis === 'y') return { x: p, y: height, z: q }
    return axis === 'x' ? { x: height, y: p, z: q } : { x: p, y: q, z: height }
  })
}

function flat(points: readonly Vec3[]): number[] {
  const numbers: number[] = []
  for (const { x, y, z } of points) numbers.push(x, y, z)
  return numbers
}

/** Each face as a fan. A flat one is seen from both sides. */
function hullTriangles(points: readonly Vec3[]): Triangles | null {
  const coordinates = Float64Array.from(flat(points))
  const { dimension, vertices, faceStarts, origins } = convexHull(coordinates, points.length)
  if (dimension < 2) return null
  const triangles: number[] = []
  for (let f = 0; f + 1 < faceStarts.length; f++) {
    for (let k = faceStarts[f] + 1; k + 1 < faceStarts[f + 1]; k++) {
      triangles.push(origins[faceStarts[f]], origins[k], origins[k + 1])
    }
  }
  return { vertices: flat(Array.from(vertices, (vertex) => points[vertex])), triangles, groups: null }
}

function union(children: readonly Body3d[]): Triangles | null {
  const vertices: number[] = []
  const triangles: number[] = []
  for (const child of children) {
    const own = trianglesOf(child.shape)
    if (own === null) continue
    const first = vertices.length / 3
    const placed = placedVertices(own.vertices, child)
    for (let k = 0; k < placed.length; k++) vertices.push(placed[k])
    for (let k = 0; k < own.triangles.length; k++) triangles.push(first + own.triangles[k])
  }
  return triangles.length === 0 ? null : { vertices, triangles, groups: null }
}

/** The vertices where the body stands. */
export function placedVertices(
  vertices: ArrayLike<number>,
  { position, orientation }: Omit<Body3d, 'shape'>,
): ArrayLike<number> {
  if (position === undefined && orientation === undefined) return vertices
  const { x: px, y: py, z: pz } = position ?? ORIGIN
  const { x: qx, y: qy, z: qz, w: qw } = orientation ?? NO_TURN
  const isTurned = qx !== 0 || qy !== 0 || qz !== 0
  const scale = 2 / (qx * qx + qy * qy + qz * qz + qw * qw)
  const placed = new Float64Array(vertices.length)
  for (let k = 0; k + 2 < vertices.length; k += 3) {
    let [x, y, z] = [vertices[k], vertices[k + 1], vertices[k + 2]]
    if (isTurned) {
      const [cx, cy, cz] = [qy * z - qz * y, qz * x - qx * z, qx * y - qy * x]
      x += scale * (qw * cx + qy * cz - qz * cy)
      y += scale * (qw * cy + qz * cx - qx * cz)
      z += scale * (qw * cz + qx * cy - qy * cx)
    }
    placed[k] = px + x
    placed[k + 1] = py + y
    placed[k + 2] = pz + z
  }
  return placed
}
