/**
 * The convex hull of a body in space as fits see it: points with a skin, their faces and edges.
 *
 * Method: core points have the hull of their corners. Cylinders, cones and ellipsoids are seen by points on their surface, which lie
 * within them: what is found about these is grown afterwards. A union is seen by the points of its parts, those of a skin that is
 * thicker than others by points on it. A body of many corners is seen by those that lie farthest in many directions. Points are counted
 * from the first, in units of a power of two near the size of the body, and in the order of x, y, z, so that nothing depends on the
 * order in which they came.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { nearPoints, scaleBy } from '../../numeric/safe-range.ts'
import { type Mesh, putPlacedVertex } from '../mesh/mesh.ts'
import { coneMass, cylinderMass, ellipsoidMass, hullMass } from '../queries/mass.ts'
import {
  type Body,
  COMPOSITE,
  CONE,
  type Composite,
  CYLINDER,
  createBody,
  HALFSPACE,
  LENGTHS,
  opposite,
  type Part,
  POINTS,
  POSITION,
  RADIUS,
  ROTATION,
  reservePoints,
  setPose,
  VERTICES,
  type Vector,
} from '../shape/body.ts'
import { convexHull } from '../shape/convex-hull.ts'
import type { ConvexHull } from '../shape/hull-surface.ts'
import { finishPoints } from '../shape/shapes.ts'

export interface Span {
  /** x, y, z of each point, and how many they are. */
  points: Float64Array
  count: number
  skin: number
  /** The first point, relative to the position of the body, and the exponent of the unit of length. */
  first: Vector
  power: number
  /** Unit normals of faces, as many as a search looks at, and the own axes of bent bodies. */
  normals: Vector[]
  edges: HullEdge[]
  /** Volume and surface of the hull of the body, rounded down, in units of the caller. */
  volume: number
  area: number
}

export const AXES: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

/** An edge of the points: its direction, and the unit normals of the faces on both sides. */
export interface HullEdge {
  along: Vector
  from: Vector
  to: Vector
}

/** As many corners are looked at, and as many faces and edges of theirs. */
const MOST_CORNERS = 512
const MOST_NORMALS = 96
const RIM_COUNT = 64
const SURFACE_COUNT = 400

/** Rounds down what is good to some roundoffs. */
const BELOW = 1 - 1024 * UNIT_ROUNDOFF
const LOST = 1024 * UNIT_ROUNDOFF

/** Of bounded convex bodies together, relative to a place. Cost that of the hull of their points. */
export function spanOf(bodies: readonly Body[], place: Vector): Span {
  const [body] = bodies
  const bent = bodies.filter(({ kind }) => kind !== POINTS)
  const skin = bent.length > 0 ? 0 : bodies.reduce((least, { numbers }) => Math.min(least, numbers[RADIUS]), Infinity)
  const given = bodies.length === 1 ? ownPoints(body, skin) : allPoints(bodies, place, skin)
  const hull = convexHull(given, given.length / 3)
  const corners = new Float64Array(3 * hull.vertices.length)
  spend(1 + (hull.vertices.length >> 1))
  for (let i = 0; i < hull.vertices.length; i++) {
    corners.set(given.subarray(3 * hull.vertices[i], 3 * hull.vertices[i] + 3), 3 * i)
  }
  const first: Vector = [corners[0], corners[1], corners[2]]
  const { near, power } = nearPoints(corners, 3, skin)
  const points = fewCorners(near)
  const isBent = bodies.length === 1 && bent.length === 1
  const { volume, area } = isBent ? massOf(body) : massNear(hull, near, skin, power)
  const size = scaleBy(2, -power)
  const normals = normalsOf(hull, near)
  return {
    points,
    count: points.length / 3,
    skin: scaleBy(skin, power),
    first,
    power,
    normals: [...bent.slice(0, MOST_BENT).flatMap(axesOf), ...someOf(normals)],
    edges: edgesOf(hull, near, normals),
    // Sums over faces are good to some roundoffs of the size, not of what is thin.
    volume: Math.max(0, volume * BELOW - LOST * size ** 3),
    area: Math.max(0, area * BELOW - LOST * size ** 2),
  }
}

/** The body's own axes. */
export function axesOf({ numbers }: Body): [Vector, Vector, Vector] {
  const column = (k: number): Vector => [numbers[ROTATION + k], numbers[ROTATION + 3 + k], numbers[ROTATION + 6 + k]]
  return [column(0), column(1), column(2)]
}

/** Bent bodies of a union whose axes are tried. */
const MOST_BENT = 8
/** Points on a ball that is rounder than the others. */
const BALL_COUNT = 32

/** Points whose hull, with the skin, lies in the body, and is the body where it is bent by no more than that; from its position. */
export function ownPoints(body: Body, skin: number): Float64Array {
  const { kind, numbers, count } = body
  if (kind !== POINTS) return surfacePoints(body)
  const more = numbers[RADIUS] - skin
  if (more === 0) return numbers.slice(VERTICES, VERTICES + 3 * count)
  const points: number[] = []
  spend(BALL_COUNT * count)
  for (let at = VERTICES; at < VERTICES + 3 * count; at += 3) {
    for (const way of BALL) for (let k = 0; k < 3; k++) points.push(numbers[at + k] + more * way[k])
  }
  return Float64Array.from(points)
}

const BALL: readonly Vector[] = [...AXES, ...AXES.map(opposite), ...evenDirections(BALL_COUNT - 6)]

function allPoints(bodies: readonly Body[], place: Vector, skin: number): Float64Array {
  const lists = bodies.map((body) => {
    const points = ownPoints(body, skin)
    for (let i = 0; i < points.length; i++) points[i] += body.numbers[POSITION + (i % 3)] - place[i % 3]
    return points
  })
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const list of lists) {
    spend(1 + list.length)
    all.set(list, at)
    at += list.length
  }
  return all
}

/** Of the hull of points that are near 1, where no moment of it overflows; in units of the caller, as the skin. */
function massNear(hull: ConvexHull, near: Float64Array, skin: number, power: number): { volume: number; area: number } {
  const ordered = { ...hull, vertices: hull.vertices.map((_, i) => i) }
  const { volume, area } = hullMass(near, ordered, scaleBy(skin, power), 1)
  return { volume: scaleBy(volume, -3 * power), area: scaleBy(area, -2 * power) }
}

function massOf({ kind, numbers }: Body): { volume: number; area: number } {
  const [a, b, c] = numbers.subarray(LENGTHS, LENGTHS + 3)
  if (kind === CYLINDER) return cylinderMass(a, 2 * b, 1, 1)
  return kind === CONE ? coneMass(a, 2 * b, 1, 1) : ellipsoidMass([a, b, c], 1)
}

/** Points on the surface of a cylinder, cone or ellipsoid, the ends of its axes among them. */
function surfacePoints({ kind, numbers }: Body): Float64Array {
  const [a, b, c] = numbers.subarray(LENGTHS, LENGTHS + 3)
  const own: Vector[] = []
  if (kind === CYLINDER || kind === CONE) {
    for (let i = 0; i < RIM_COUNT; i++) {
      const angle = (2 * Math.PI * i) / RIM_COUNT
      const [x, z] = [a * Math.cos(angle), a * Math.sin(angle)]
      own.push([x, -b, z])
      if (kind === CYLINDER) own.push([x, b, z])
    }
    if (kind === CONE) own.push([0, b, 0])
  } else {
    own.push([a, 0, 0], [-a, 0, 0], [0, b, 0], [0, -b, 0], [0, 0, c], [0, 0, -c])
    for (const [x, y, z] of evenDirections(SURFACE_COUNT)) own.push([a * x, b * y, c * z])
  }
  return turnedPoints(numbers, own)
}

/** Points in the body's own axes, turned into the world's. */
function turnedPoints(numbers: Float64Array, own: readonly Vector[]): Float64Array {
  const points = new Float64Array(3 * own.length)
  spend(1 + own.length)
  own.forEach(([x, y, z], i) => {
    for (let k = 0; k < 3; k++) {
      const row = ROTATION + 3 * k
      points[3 * i + k] = numbers[row] * x + numbers[row + 1] * y + numbers[row + 2] * z
    }
  })
  return points
}

/** Sides of a polygon about a rim, and of a sphere's circles of longitude. */
const OUTER_RIM_COUNT = 512
const OUTER_COUNT = 96

/**
 * Corners of a polytope about a cylinder, cone or ellipsoid. A ball of 1 lies in the hull of points on circles of latitude, n around and m
 * from pole to pole, of radius 1 / (cos(π/n)·cos(π/2m)): n corners leave the circle that they are about within, and so does the
 * profile.
 */
export function outerPoints({ kind, numbers }: Body): Float64Array {
  const [a, b, c] = numbers.subarray(LENGTHS, LENGTHS + 3)
  const own: Vector[] = []
  if (kind === CYLINDER || kind === CONE) {
    const radius = a / Math.cos(Math.PI / OUTER_RIM_COUNT)
    for (let i = 0; i < OUTER_RIM_COUNT; i++) {
      const angle = (2 * Math.PI * i) / OUTER_RIM_COUNT
      own.push([radius * Math.cos(angle), -b, radius * Math.sin(angle)])
      if (kind === CYLINDER) own.push([radius * Math.cos(angle), b, radius * Math.sin(angle)])
    }
    if (kind === CONE) own.push([0, b, 0])
    return turnedPoints(numbers, own)
  }
  const rows = OUTER_COUNT / 2
  const scale = 1 / (Math.cos(Math.PI / OUTER_COUNT) * Math.cos(Math.PI / (2 * rows)))
  for (let row = 0; row <= rows; row++) {
    const polar = (Math.PI * row) / rows
    const [y, ring] = [scale * Math.cos(polar), scale * Math.sin(polar)]
    for (let i = 0; i < OUTER_COUNT; i++) {
      const angle = (2 * Math.PI * i) / OUTER_COUNT
      own.push([a * ring * Math.cos(angle), b * y, c * ring * Math.sin(angle)])
    }
  }
  return turnedPoints(numbers, own)
}

/** Unit vectors spread evenly over the sphere, along a spiral (R. Swinbank, R. Purser, "Fibonacci grids", 2006). */
export function evenDirections(count: number): Vector[] {
  const turn = Math.PI * (3 - Math.sqrt(5))
  return Array.from({ length: count }, (_, i) => {
    const z = 1 - (2 * i + 1) / count
    const radius = Math.sqrt(1 - z * z)
    return [radius * Math.cos(turn * i), radius * Math.sin(turn * i), z]
  })
}

/** The corners, or those of them that lie farthest in as many directions as a search may look at. */
function fewCorners(near: Float64Array): Float64Array {
  const count = near.length / 3
  if (count <= MOST_CORNERS) return near
  const kept = new Set<number>()
  for (const direction of [...AXES, ...AXES.map(opposite), ...evenDirections(MOST_CORNERS - 6)]) {
    spend(1 + (count >> 2))
    const [x, y, z] = direction
    let best = 0
    let highest = -Infinity
    for (let i = 0; i < count; i++) {
      const height = x * near[3 * i] + y * near[3 * i + 1] + z * near[3 * i + 2]
      if (height <= highest) continue
      highest = height
      best = i
    }
    kept.add(best)
  }
  return Float64Array.from([...kept].sort((i, j) => i - j).flatMap((i) => [...near.subarray(3 * i, 3 * i + 3)]))
}

/** Evenly chosen ones of a long list. */
function someOf<T>(list: readonly T[]): T[] {
  const stride = Math.max(1, Math.ceil(list.length / MOST_NORMALS))
  return list.filter((_, i) => i % stride === 0)
}

/** Of every face; of one too thin to have one the x axis. */
function normalsOf({ faceStarts, origins }: ConvexHull, near: Float64Array): Vector[] {
  const normals: Vector[] = []
  spend(1 + origins.length)
  for (let f = 0; f + 1 < faceStarts.length; f++) {
    let [x, y, z] = [0, 0, 0]
    const a = 3 * origins[faceStarts[f]]
    for (let e = faceStarts[f] + 1; e + 1 < faceStarts[f + 1]; e++) {
      const [b, c] = [3 * origins[e], 3 * origins[e + 1]]
      const [ux, uy, uz] = [near[b] - near[a], near[b + 1] - near[a + 1], near[b + 2] - near[a + 2]]
      const [vx, vy, vz] = [near[c] - near[a], near[c + 1] - near[a + 1], near[c + 2] - near[a + 2]]
      x += uy * vz - uz * vy
      y += uz * vx - ux * vz
      z += ux * vy - uy * vx
    }
    normals.push(unitOr(x, y, z))
  }
  return normals
}

/** Of every edge, or of evenly chosen ones. */
function edgesOf({ origins, twins, faces }: ConvexHull, near: Float64Array, normals: readonly Vector[]): HullEdge[] {
  const halves = someOf(Array.from(origins.keys()).filter((e) => e < twins[e]))
  return halves.map((e) => {
    const [a, b] = [3 * origins[e], 3 * origins[twins[e]]]
    const along = unitOr(near[b] - near[a], near[b + 1] - near[a + 1], near[b + 2] - near[a + 2])
    // A segment has no faces.
    return { along, from: normals[faces[e]] ?? along, to: normals[faces[twins[e]]] ?? along }
  })
}

function unitOr(x: number, y: number, z: number): Vector {
  const length = Math.hypot(x, y, z)
  return length > 0 ? [x / length, y / length, z / length] : AXES[0]
}

// What a body is made of, for fits: convex bodies, of a mesh the corners of its hull, which the mesh does not leave.

/** Convex bodies with the hull of the body; null where one has no bounds. Cost O(n log n). */
export function convexBodies(body: Body): Body[] | null {
  if (body.kind === HALFSPACE) return null
  if (body.kind !== COMPOSITE) return [body]
  const { parts, partCount } = body.composite as Composite
  const bodies: Body[] = []
  for (let p = 0; p < partCount; p++) {
    spend(1)
    const { mesh } = parts[p]
    if (mesh === null && parts[p].body.kind === HALFSPACE) return null
    bodies.push(mesh === null ? parts[p].body : hullOfMesh(mesh, parts[p]))
  }
  return bodies
}

function hullOfMesh(mesh: Mesh, { placement }: Part): Body {
  const { triangles, triangleCount, vertexCount } = mesh
  spend(triangleCount + vertexCount)
  const isUsed = new Uint8Array(vertexCount)
  for (let i = 0; i < 3 * triangleCount; i++) isUsed[triangles[i]] = 1
  const points = new Float64Array(3 * vertexCount)
  let count = 0
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    if (isUsed[vertex] === 1) putPlacedVertex(mesh, placement, vertex, points, 3 * count++)
  }
  const { position: p } = placement
  return cornersOf(points, count, [p[0] + p[3], p[1] + p[4], p[2] + p[5]], 0)
}

/** Points of a body without faces beyond which it is worth to leave out those that are no corners. */
const MANY_POINTS = 1024

/** The body, or one of its corners alone where it has very many points. */
export function withoutInner(body: Body): Body {
  const { kind, count, numbers } = body
  if (kind !== POINTS || count <= MANY_POINTS) return body
  const place: Vector = [numbers[POSITION], numbers[POSITION + 1], numbers[POSITION + 2]]
  return cornersOf(numbers.slice(VERTICES, VERTICES + 3 * count), count, place, numbers[RADIUS])
}

function cornersOf(points: Float64Array, count: number, position: Vector, radius: number): Body {
  const { vertices } = convexHull(points, count)
  const body = createBody()
  setPose(body, { position })
  reservePoints(body, vertices.length)
  for (let i = 0; i < vertices.length; i++) {
    body.numbers.set(points.subarray(3 * vertices[i], 3 * vertices[i] + 3), VERTICES + 3 * i)
  }
  finishPoints(body, radius)
  return body
}
