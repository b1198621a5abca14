/**
 * A shape of space and where it stands → the parts that are drawn: its outline, the edges before it, and those that it hides.
 *
 * Method: the outline of points with a skin is the rounded hull of the seen points; of cylinders and cones the rims and the lines that
 * touch them, of ellipsoids an ellipse, all in closed form. An edge of a convex body is hidden where both of its faces look away.
 * Half-spaces are no part here: how much of one is shown hangs on all the rest (`plane-patch.ts`).
 */

import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { convexHull } from '../../core3d/points/convex-hull.ts'
import type { ConvexHull } from '../../core3d/points/hull-surface.ts'
import { type DrawnPart, type DrawnRing, polyRing } from '../marks/outline.ts'
import { hullOf, roundedRing } from '../marks/shape-parts.ts'
import { coneParts, cylinderParts, ellipsoidParts } from './bent-parts.ts'
import { linesOf } from './part-lines.ts'
import { openRing, type Rim, rimArc } from './rims.ts'
import { across, along3d, cross, placed3d, type Stand, scaled, unit3d } from './stand.ts'
import { dot, seen, type View } from './view.ts'

/** Faces are lists of corners, counter-clockwise seen from outside. */
export interface Polytope {
  points: readonly Vec3[]
  faces: readonly (readonly number[])[]
}

const BOX_FACES = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
]

export function solidParts(shape: Shape3d, stand: Stand, view: View): DrawnPart[] {
  switch (shape.type) {
    case 'halfspace':
      return []
    case 'sphere':
      return ellipsoidParts({ x: shape.radius, y: shape.radius, z: shape.radius }, stand, view)
    case 'ellipsoid':
      return ellipsoidParts(shape.radii, stand, view)
    case 'cylinder':
      return cylinderParts(shape, stand, view)
    case 'cone':
      return coneParts(shape, stand, view)
    case 'point':
      return [{ kind: 'point', ...seen(view, stand.at) }]
    case 'segment':
    case 'capsule': {
      const ends = [shape.a, shape.b].map((end) => placed3d(stand, end))
      const radius = shape.type === 'capsule' ? shape.radius : 0
      return [outline(ends, radius, view), ...capRims(ends, radius, view)]
    }
    default:
      return polytopeParts(placedPolytope(shape, stand), roundness(shape), view)
  }
}

type FlatSided = Extract<Shape3d, { type: 'triangle' | 'box' | 'aabb' | 'hull' }>

function roundness(shape: FlatSided): number {
  return shape.type === 'box' || shape.type === 'hull' ? (shape.radius ?? 0) : 0
}

function placedPolytope(shape: FlatSided, stand: Stand): Polytope {
  const place = (points: readonly Vec3[]) => points.map((point) => placed3d(stand, point))
  switch (shape.type) {
    case 'triangle':
      return { points: place([shape.a, shape.b, shape.c]), faces: [] }
    case 'box': {
      const half = scaled(shape.size, 0.5)
      return { points: place(boxCorners(scaled(half, -1), half)), faces: BOX_FACES }
    }
    case 'aabb':
      return { points: place(boxCorners(shape.min, shape.max)), faces: BOX_FACES }
    case 'hull': {
      const { vertices, faces } = hullFaces(shape.points)
      return { points: place(vertices.map((i) => shape.points[i])), faces }
    }
  }
}

/** Corner i lies at the greater x if bit 0 of i is set, the greater y by bit 1, the greater z by bit 2. */
export function boxCorners(min: Vec3, max: Vec3): Vec3[] {
  return Array.from({ length: 8 }, (_, i) => ({
    x: (i & 1) === 0 ? min.x : max.x,
    y: (i & 2) === 0 ? min.y : max.y,
    z: (i & 4) === 0 ? min.z : max.z,
  }))
}

function hullFaces(points: readonly Vec3[]) {
  const numbers = new Float64Array(3 * points.length)
  points.forEach(({ x, y, z }, i) => {
    numbers.set([x, y, z], 3 * i)
  })
  const { vertices, faceStarts, origins }: ConvexHull = convexHull(numbers, points.length)
  const faces = Array.from({ length: faceStarts.length - 1 }, (_, f) =>
    Array.from(origins.subarray(faceStarts[f], faceStarts[f + 1])),
  )
  return { vertices: Array.from(vertices), faces }
}

/** `radius`: of the skin around it. */
export function polytopeParts({ points, faces }: Polytope, radius: number, view: View): DrawnPart[] {
  const flat = points.map((point) => seen(view, point))
  const front: DrawnRing[] = []
  const back: DrawnRing[] = []
  const drawn = new Set<string>()
  // Front faces first: an edge that both kinds share is of the outline, and drawn once.
  const looks = faces.map((face) => ({ face, area: areaSign(face, flat) }))
  for (const { face, area } of looks.sort((p, q) => q.area - p.area)) {
    if (area === 0 || face.length < 3) continue
    const rings = area > 0 ? front : back
    if (radius > 0) {
      const out = scaled(faceNormal(face, points), radius)
      rings.push(
        polyRing(
          face.map((i) => seen(view, along3d(points[i], out, 1))),
          true,
        ),
      )
      continue
    }
    face.forEach((i, k) => {
      const j = face[(k + 1) % face.length]
      const name = i < j ? `${i} ${j}` : `${j} ${i}`
      if (drawn.has(name)) return
      drawn.add(name)
      rings.push(polyRing([flat[i], flat[j]], false))
    })
  }
  return [outline(points, radius, view), ...linesOf(front, 'inner'), ...linesOf(back, 'hidden')]
}

/** Of the seen face, in proportion to its size, so that no product overflows. */
function areaSign(face: readonly number[], flat: readonly Vec2[]): number {
  const o = flat[face[0]]
  const size = Math.max(...face.map((i) => Math.max(Math.abs(flat[i].x - o.x), Math.abs(flat[i].y - o.y))))
  if (size === 0) return 0
  let area = 0
  for (let k = 2; k < face.length; k++) {
    const [p, q] = [flat[face[k - 1]], flat[face[k]]]
    area += ((p.x - o.x) / size) * ((q.y - o.y) / size) - ((p.y - o.y) / size) * ((q.x - o.x) / size)
  }
  return Math.abs(area) < EDGE_ON ? 0 : Math.sign(area)
}

/** Faces of less, in proportion, are seen from the side: their corners may have been rounded when they were turned. */
const EDGE_ON = 1e-9

function faceNormal(face: readonly number[], points: readonly Vec3[]): Vec3 {
  const [o, p, q] = [0, 1, 2].map((k) => points[face[Math.floor((k * face.length) / 3)]])
  const sides = [p, q].map((end) => unit3d(along3d(end, o, -1)) ?? { x: 0, y: 0, z: 0 })
  return unit3d(cross(sides[0], sides[1])) ?? { x: 0, y: 0, z: 0 }
}

/** What is seen of everything within `radius` of the points. */
function outline(points: readonly Vec3[], radius: number, view: View): DrawnPart {
  const flat = hullOf(points.map((point) => seen(view, point)))
  if (radius > 0) return { kind: 'path', filled: true, rings: [roundedRing(flat, radius)] }
  if (flat.length === 1) return { kind: 'point', ...flat[0] }
  return { kind: 'path', filled: flat.length > 2, rings: [polyRing(flat, flat.length > 2)] }
}

/** Where the caps of a capsule begin, one circle at each end; of a ball one. */
function capRims(ends: readonly Vec3[], radius: number, view: View): DrawnPart[] {
  const axis = unit3d(along3d(ends[1], ends[0], -1)) ?? { x: 0, y: 1, z: 0 }
  const p = unit3d(cross(axis, view.toward)) ?? across(axis)
  const q = cross(axis, p)
  if (radius === 0 || Math.abs(dot(q, view.toward)) < EDGE_ON) return []
  const start = dot(q, view.toward) > 0 ? 0 : Math.PI
  const rims = ends.map((centre): Rim => ({ centre, p: scaled(p, radius), q: scaled(q, radius) }))
  const half = (from: number) => rims.map((rim) => openRing(rimArc(rim, view, from, Math.PI)))
  return [...linesOf(half(start), 'inner'), ...linesOf(half(start + Math.PI), 'hidden')]
}
