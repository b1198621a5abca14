/**
 * A shape of space and its placement → the parts that are drawn: its outline, its visible edges, and its hidden ones.
 *
 * Method: the outline of points with a skin is the rounded hull of the projected points; that of cylinders and cones consists of the
 * rims and their common tangents, that of an ellipsoid is an ellipse, all in closed form. An edge of a convex body is hidden if both of
 * its faces look away. A mesh is its triangles, a compound its children. A half-space is drawn as a square patch, once the extent of
 * everything else is known.
 */

import type { ConeShape3d, CylinderShape3d, HeightfieldShape3d, MeshShape3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../schemas/vector.ts'
import { gridTriangles, gridVertices } from '../core3d/mesh/height-field.ts'
import { convexHull } from '../core3d/shape/convex-hull.ts'
import type { ConvexHull } from '../core3d/shape/hull-surface.ts'
import { arcPoint, arcSteps, type DrawnArc, type DrawnPart, type DrawnRing, polyRing } from './outline.ts'
import type { ShapeMark } from './picture.ts'
import { hullOf, roundedRing } from './shape-parts.ts'
import {
  across,
  along3d,
  boxCorners,
  childStand,
  cross,
  dot,
  isNowhere,
  measured,
  placed3d,
  type Reach,
  type Stand,
  scaled,
  seen,
  turned,
  unit3d,
  type View,
} from './stand.ts'

// Projections of circles and ellipses are ellipses and their arcs, in closed form.
//
// A curve c + p·cos θ + q·sin θ projects to a curve of that form. Its principal axes lie at the angle that makes its two conjugate
// half diameters perpendicular (Rytz's construction, as a formula). Lengths are scaled to 1 before they are squared.

/** c + p·cos θ + q·sin θ. */
interface Rim {
  centre: Vec3
  p: Vec3
  q: Vec3
}

const TURN = 2 * Math.PI

/** The arc from the angle `start` to `start + turn`. */
function rimArc(rim: Rim, view: View, start: number, turn: number): DrawnArc {
  const centre = seen(view, rim.centre)
  return conjugateArc(centre, seen(view, rim.p), seen(view, rim.q), start, turn)
}

function conjugateArc({ x: cx, y: cy }: Vec2, p: Vec2, q: Vec2, start: number, turn: number): DrawnArc {
  const size = Math.max(Math.abs(p.x), Math.abs(p.y), Math.abs(q.x), Math.abs(q.y))
  if (size === 0) return { cx, cy, rx: 0, ry: 0, axis: 0, start, turn }
  const [px, py, qx, qy] = [p.x / size, p.y / size, q.x / size, q.y / size]
  const shift = Math.atan2(2 * (px * qx + py * qy), px * px + py * py - qx * qx - qy * qy) / 2
  const cos = Math.cos(shift)
  const sin = Math.sin(shift)
  const [ax, ay, bx, by] = [px * cos + qx * sin, py * cos + qy * sin, qx * cos - px * sin, qy * cos - py * sin]
  const sense = ax * by - ay * bx < 0 ? -1 : 1
  return {
    cx,
    cy,
    rx: Math.hypot(ax, ay) * size,
    ry: Math.hypot(bx, by) * size,
    axis: Math.atan2(ay, ax),
    start: sense * (start - shift),
    turn: sense * turn,
  }
}

function openRing(arc: DrawnArc): DrawnRing {
  return { ...arcPoint(arc, 0), steps: arcSteps(arc), closed: false }
}

function wholeRing(rim: Rim, view: View): DrawnRing {
  return { ...openRing(rimArc(rim, view, 0, TURN)), closed: true }
}

/** The projection of the ellipsoid with these half axes: the outline of all c + (p, q, s)·u with |u| = 1. */
function ellipsoidRing(centre: Vec3, halfAxes: readonly Vec3[], view: View): DrawnRing {
  const flat = halfAxes.map((axis) => seen(view, axis))
  const size = Math.max(...flat.map(({ x, y }) => Math.max(Math.abs(x), Math.abs(y))))
  const { x: cx, y: cy } = seen(view, centre)
  let [xx, xy, yy] = [0, 0, 0]
  for (const axis of flat) {
    const [x, y] = size === 0 ? [0, 0] : [axis.x / size, axis.y / size]
    xx += x * x
    xy += x * y
    yy += y * y
  }
  // The squares of the half axes are the eigenvalues of the matrix.
  const middle = (xx + yy) / 2
  const half = Math.hypot((xx - yy) / 2, xy)
  const rx = Math.sqrt(middle + half) * size
  const ry = Math.sqrt(Math.max(0, middle - half)) * size
  const axis = Math.atan2(2 * xy, xx - yy) / 2
  return { ...openRing({ cx, cy, rx, ry, axis, start: 0, turn: TURN }), closed: true }
}

/** The edges inside an outline as one part; none without rings. */
function linesOf(rings: DrawnRing[], line: 'inner' | 'hidden'): DrawnPart[] {
  return rings.length === 0 ? [] : [{ kind: 'path', filled: false, rings, line }]
}

// Patches of planes: a square around everything near the plane, with lines across and short strokes into the solid side.

/** The half-space of a body. */
export interface Plane {
  mark: ShapeMark
  stand: Stand
  /** Unit vector, local frame. */
  normal: Vec3
  offset: number
}

/** Half a side of the square, and the length of the strokes, relative to the size of everything else. */
const HALF_SIDE = 0.6
const STROKE = 0.1
/** Squares along each side. */
const SQUARES = 6
/** Planes farther away than this, relative to the size of everything else, are not drawn. */
const NEAR = 2.5

export function addPatch({ mark, stand, normal, offset }: Plane, reach: Reach, view: View): void {
  const out = turned(stand, normal)
  const onPlane = along3d(stand.at, out, offset)
  const { centre, size } = isNowhere(reach) ? { centre: onPlane, size: 0 } : measured(reach)
  const scale = size > 0 ? size : Math.abs(offset) || 1
  const height = dot(along3d(onPlane, centre, -1), out)
  if (size > 0 && Math.abs(height) > NEAR * size) return
  mark.parts = patchParts(along3d(centre, out, height), out, HALF_SIDE * scale, view, STROKE * scale)
}

/** A square about `middle`. `stroke`: length of the strokes on the side that `out` points away from. */
export function patchParts(middle: Vec3, out: Vec3, half: number, view: View, stroke: number): DrawnPart[] {
  const p = across(out)
  const q = cross(out, p)
  const at = (s: number, t: number, depth = 0) =>
    along3d(along3d(along3d(middle, p, s * half), q, t * half), out, -depth)
  const flat = (...points: Vec3[]): DrawnRing =>
    polyRing(
      points.map((point) => seen(view, point)),
      points.length > 2,
    )
  const lines: DrawnRing[] = []
  const strokes: DrawnRing[] = []
  for (let k = 0; k <= SQUARES; k++) {
    const s = (2 * k) / SQUARES - 1
    if (k > 0 && k < SQUARES) lines.push(flat(at(s, -1), at(s, 1)), flat(at(-1, s), at(1, s)))
    for (const [u, v] of [
      [s, -1],
      [s, 1],
      [-1, s],
      [1, s],
    ]) {
      strokes.push(flat(at(u, v), at(u, v, stroke)))
    }
  }
  const square: DrawnPart = { kind: 'path', filled: true, rings: [flat(at(-1, -1), at(1, -1), at(1, 1), at(-1, 1))] }
  const sides = stroke > 0 ? linesOf(strokes, 'inner') : []
  return [square, ...linesOf(lines, 'hidden'), ...sides]
}

// Cylinders, cones and ellipsoids → outlines and rims, in closed form.
//
// Method: the rim of radius r about an axis a that leans by c = a·w to the viewer w is an ellipse with the half axes r, across a, and
// r·|c|, along what is seen of a. So the lines that touch both rims of a cylinder touch them at the ends of r; those from the apex of a
// cone, at h·√(1−c²) from the middle of its base, touch the base where sin θ = r·|c| / (h·√(1−c²)).

/** Number of generators drawn on a cone that is seen from above or below. */
const GENERATORS = 4

interface Turned {
  /** Unit vector. */
  axis: Vec3
  /** In the plane of the picture, of length r. */
  p: Vec3
  /** Seen along the axis, of length r. */
  q: Vec3
  /** Cosine of the angle between the axis and the direction to the viewer. */
  lean: number
}

function turnedAbout(axis: Vec3, radius: number, view: View): Turned {
  const lean = dot(axis, view.toward)
  const p = unit3d(cross(axis, view.toward)) ?? across(axis)
  // q must project to the side of the axis' own end.
  const q = cross(axis, p)
  const side = seen(view, q)
  const own = seen(view, axis)
  const sense = side.x * own.x + side.y * own.y < 0 ? -1 : 1
  return { axis, p: scaled(p, radius), q: scaled(q, sense * radius), lean }
}

function cylinderParts({ radius, height, axis = 'y' }: CylinderShape3d, stand: Stand, view: View): DrawnPart[] {
  const about = turnedAbout(stand[axis], radius, view)
  const { p, q, lean } = about
  const end = (sign: number): Rim => ({ centre: along3d(stand.at, about.axis, (sign * height) / 2), p, q })
  const [top, bottom] = [end(1), end(-1)]
  // Along the seen axis q leads on, so the far half of each rim is that of θ from 0 to π at the top.
  const upper = rimArc(top, view, 0, Math.PI)
  const lower = rimArc(bottom, view, Math.PI, Math.PI)
  const start = arcPoint(upper, 0)
  const steps = [...arcSteps(upper), { ...arcPoint(lower, 0), arc: null }, ...arcSteps(lower)]
  const outline: DrawnPart = { kind: 'path', filled: true, rings: [{ ...start, steps, closed: true }] }
  const topInner = openRing(rimArc(top, view, Math.PI, Math.PI))
  const bottomInner = openRing(rimArc(bottom, view, 0, Math.PI))
  const [before, behind] = lean > 0 ? [topInner, bottomInner] : [bottomInner, topInner]
  return [outline, ...linesOf([before], 'inner'), ...linesOf([behind], 'hidden')]
}

function coneParts({ radius, height, axis = 'y' }: ConeShape3d, stand: Stand, view: View): DrawnPart[] {
  const about = turnedAbout(stand[axis], radius, view)
  const { p, q, lean } = about
  const base: Rim = { centre: along3d(stand.at, about.axis, -height / 2), p, q }
  const apex = seen(view, along3d(stand.at, about.axis, height / 2))
  const rise = height * Math.hypot(dot(about.axis, view.right), dot(about.axis, view.up))
  const reach = radius * Math.abs(lean)
  if (rise <= reach) {
    const whole = rimArc(base, view, 0, TURN)
    const slopes = Array.from({ length: GENERATORS }, (_, k) =>
      polyRing([apex, arcPoint(whole, (whole.turn * k) / GENERATORS)], false),
    )
    const outline: DrawnPart = { kind: 'path', filled: true, rings: [wholeRing(base, view)] }
    return [outline, ...linesOf(slopes, lean > 0 ? 'inner' : 'hidden')]
  }
  const touch = Math.asin(reach / rise)
  const near: DrawnArc = rimArc(base, view, touch, Math.PI - 2 * touch)
  const far: DrawnArc = rimArc(base, view, Math.PI - touch, Math.PI + 2 * touch)
  const steps = [{ ...arcPoint(far, 0), arc: null }, ...arcSteps(far)]
  const outline: DrawnPart = { kind: 'path', filled: true, rings: [{ ...apex, steps, closed: true }] }
  return [outline, ...linesOf([openRing(near)], lean < 0 ? 'inner' : 'hidden')]
}

/** With the equator about the local axis y, which shows the orientation. */
function ellipsoidParts(radii: Vec3, stand: Stand, view: View): DrawnPart[] {
  const halfAxes = (['x', 'y', 'z'] as const).map((name) => scaled(stand[name], radii[name]))
  const outline: DrawnPart = { kind: 'path', filled: true, rings: [ellipsoidRing(stand.at, halfAxes, view)] }
  if (radii.x === 0 || radii.z === 0) return [outline]
  const equator: Rim = { centre: stand.at, p: halfAxes[0], q: halfAxes[2] }
  const least = Math.min(radii.x, radii.z)
  // Outward normals are those of the unit ball over the radii; a point is visible if its normal leans towards the viewer.
  const facing = Math.atan2(
    dot(stand.z, view.toward) * (least / radii.z),
    dot(stand.x, view.toward) * (least / radii.x),
  )
  const half = (middle: number) => openRing(rimArc(equator, view, middle - Math.PI / 2, Math.PI))
  return [outline, ...linesOf([half(facing)], 'inner'), ...linesOf([half(facing + Math.PI)], 'hidden')]
}

/** Faces are lists of corners, counter-clockwise seen from outside. */
interface Polytope {
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
    case 'mesh':
    case 'heightfield':
      return meshParts(shape, stand, view)
    case 'compound':
      return shape.children.flatMap((child) => solidParts(child.shape, childStand(stand, child), view))
    default:
      return polytopeParts(placedPolytope(shape, stand), roundness(shape), view)
  }
}

/** Triangles that face the viewer, of bare surfaces all; of those of a solid that look away the edges. */
function meshParts(shape: MeshShape3d | HeightfieldShape3d, stand: Stand, view: View): DrawnPart[] {
  const { vertices, triangles } =
    shape.type === 'mesh' ? shape : { vertices: gridVertices(shape), ...gridTriangles(shape) }
  const place = (vertex: number) =>
    seen(view, placed3d(stand, { x: vertices[3 * vertex], y: vertices[3 * vertex + 1], z: vertices[3 * vertex + 2] }))
  const isSolid = shape.type === 'mesh' && shape.solid === true
  const front: DrawnPart[] = []
  const back: DrawnRing[] = []
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const corners = [place(triangles[t]), place(triangles[t + 1]), place(triangles[t + 2])]
    // pictures of `validate` may have triangles that name no vertex
    if (!corners.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))) continue
    const ring = polyRing(corners, true)
    if (isSolid && areaSign(CORNERS, corners) < 0) back.push(ring)
    else front.push({ kind: 'path', filled: true, rings: [ring] })
  }
  return [...linesOf(back, 'hidden'), ...front]
}

const CORNERS = [0, 1, 2]

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
  // Front faces first: an edge between a front and a back face is on the outline, and drawn once.
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

/** Signed area of the projected face relative to its size, so that no product overflows. */
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

/** Faces with a smaller relative area are seen edge-on: rotation may have rounded their corners. */
const EDGE_ON = 1e-9

function faceNormal(face: readonly number[], points: readonly Vec3[]): Vec3 {
  const [o, p, q] = [0, 1, 2].map((k) => points[face[Math.floor((k * face.length) / 3)]])
  const sides = [p, q].map((end) => unit3d(along3d(end, o, -1)) ?? { x: 0, y: 0, z: 0 })
  return unit3d(cross(sides[0], sides[1])) ?? { x: 0, y: 0, z: 0 }
}

/** The projection of everything within `radius` of the points. */
function outline(points: readonly Vec3[], radius: number, view: View): DrawnPart {
  const flat = hullOf(points.map((point) => seen(view, point)))
  if (radius > 0) return { kind: 'path', filled: true, rings: [roundedRing(flat, radius)] }
  if (flat.length === 1) return { kind: 'point', ...flat[0] }
  return { kind: 'path', filled: flat.length > 2, rings: [polyRing(flat, flat.length > 2)] }
}

/** The circles where the caps of a capsule begin; one circle for a ball. */
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
