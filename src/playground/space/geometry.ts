// Shapes as triangles, edges and points to be drawn, in their local frame. Curves are cut into facets; the service knows the true ones.

import type { Body3d, HeightfieldShape3d, MeshShape3d, Shape3d } from '../../../schemas/shapes3d.ts'
import {
  cross,
  dot,
  inSpace,
  lengthOf,
  minus,
  plus,
  times,
  toWorld,
  turnedBy,
  unit,
  type Vec3,
} from '../sketch/vector.ts'
import { convexHull } from './convex-hull.ts'

export interface Geometry {
  /** x, y, z of one vertex after the other. */
  positions: number[]
  /** Of unit length, one a vertex. */
  normals: number[]
  /** Three indices of vertices each. */
  triangles: number[]
  /** Two indices each. */
  edges: number[]
  /** Indices of vertices that are drawn as dots. */
  points: number[]
}

/** Sides of a full circle. */
const SIDES = 32
/** Steps from pole to pole. */
const STEPS = 16
/** Cosine of the angle between two sides from which on their edge is drawn. */
const CREASE = 0.97

type Axis = 'x' | 'y' | 'z'

const emptyGeometry = (): Geometry => ({ positions: [], normals: [], triangles: [], edges: [], points: [] })

function addVertex({ positions, normals }: Geometry, at: Vec3, normal: Vec3): number {
  positions.push(at.x, at.y, at.z)
  normals.push(normal.x, normal.y, normal.z)
  return positions.length / 3 - 1
}

function addLine(geometry: Geometry, points: readonly Vec3[], isClosed: boolean): void {
  const indices = points.map((point) => addVertex(geometry, point, { x: 0, y: 0, z: 0 }))
  for (let i = 1; i < indices.length; i++) geometry.edges.push(indices[i - 1]!, indices[i]!)
  if (isClosed && indices.length > 2) geometry.edges.push(indices.at(-1)!, indices[0]!)
}

function addPoint(geometry: Geometry, at: Vec3): void {
  geometry.points.push(addVertex(geometry, at, { x: 0, y: 0, z: 0 }))
}

/** A convex flat side, by its corners in order. */
function addSide(geometry: Geometry, corners: readonly Vec3[], withEdges = true): void {
  const [p, q] = [corners[0]!, corners[1]!]
  const normal = corners
    .slice(2)
    .map((r) => cross(inSpace(minus(q, p)), inSpace(minus(r, p))))
    .reduce((best, n) => (lengthOf(n) > lengthOf(best) ? n : best))
  const indices = corners.map((corner) => addVertex(geometry, corner, inSpace(unit(normal))))
  for (let i = 2; i < indices.length; i++) geometry.triangles.push(indices[0]!, indices[i - 1]!, indices[i]!)
  if (withEdges) addLine(geometry, corners, true)
}

/** Triangles with flat sides; edges where two of them meet at an angle, or where one ends. */
function addTriangles(geometry: Geometry, points: readonly Vec3[], triangles: readonly (readonly number[])[]): void {
  const sides = new Map<number, Vec3>()
  const drawn: [number, number][] = []
  // corners of triangles that lie in one plane are one vertex, and so are those of all edges
  const known = new Map<string, number>()
  const cornerOf = (i: number, normal: Vec3, plane: string) => {
    const index = known.get(`${i} ${plane}`) ?? addVertex(geometry, points[i]!, normal)
    known.set(`${i} ${plane}`, index)
    return index
  }
  for (const [a, b, c] of triangles as readonly [number, number, number][]) {
    const [p, q, r] = [points[a]!, points[b]!, points[c]!]
    const raw = cross(inSpace(minus(q, p)), inSpace(minus(r, p)))
    if (lengthOf(raw) === 0) continue
    const normal = inSpace(unit(raw))
    const plane = [normal.x, normal.y, normal.z].map((value) => value.toFixed(3)).join()
    geometry.triangles.push(...[a, b, c].map((i) => cornerOf(i, normal, plane)))
    for (const [u, v] of [
      [a, b],
      [b, c],
      [c, a],
    ] as const) {
      const key = Math.min(u, v) * points.length + Math.max(u, v)
      const other = sides.get(key)
      if (other === undefined) sides.set(key, normal)
      else {
        sides.delete(key)
        if (dot(other, normal) < CREASE) drawn.push([u, v])
      }
    }
  }
  for (const key of sides.keys()) drawn.push([Math.floor(key / points.length), key % points.length])
  const none = { x: 0, y: 0, z: 0 }
  for (const [u, v] of drawn) geometry.edges.push(cornerOf(u, none, ''), cornerOf(v, none, ''))
}

/** The same with normals that go round: what is rounded has no edges. */
function addSmooth(geometry: Geometry, points: readonly Vec3[], triangles: readonly (readonly number[])[]): void {
  const normals = points.map(() => ({ x: 0, y: 0, z: 0 }))
  for (const corners of triangles) {
    const [p, q, r] = corners.map((i) => points[i]!) as [Vec3, Vec3, Vec3]
    const raw = cross(inSpace(minus(q, p)), inSpace(minus(r, p)))
    for (const i of corners) normals[i] = inSpace(plus(normals[i]!, raw))
  }
  const indices = points.map((point, i) => addVertex(geometry, point, inSpace(unit(normals[i]!))))
  for (const corners of triangles) geometry.triangles.push(...corners.map((i) => indices[i]!))
}

/** A ring of a body of revolution: its radius and height, and the normal there, outward and up. */
type Ring = [radius: number, height: number, out: number, rise: number]

/** Turned about y; two rings at the same place are a crease, which is drawn. */
function addRevolved(geometry: Geometry, rings: readonly Ring[], place: (p: Vec3) => Vec3): void {
  const origin = place({ x: 0, y: 0, z: 0 })
  const rows = rings.map(([radius, height, out, rise]) =>
    Array.from({ length: SIDES }, (_, k) => {
      const [c, s] = [Math.cos((2 * Math.PI * k) / SIDES), Math.sin((2 * Math.PI * k) / SIDES)]
      const normal = minus(place({ x: out * c, y: rise, z: out * s }), origin)
      return addVertex(geometry, place({ x: radius * c, y: height, z: radius * s }), inSpace(unit(normal)))
    }),
  )
  for (const [i, row] of rows.slice(1).entries()) {
    const before = rows[i]!
    const isCrease = rings[i]![0] === rings[i + 1]![0] && rings[i]![1] === rings[i + 1]![1]
    for (const [k, index] of row.entries()) {
      const next = (k + 1) % SIDES
      if (isCrease) geometry.edges.push(index, row[next]!)
      else geometry.triangles.push(before[k]!, before[next]!, index, index, before[next]!, row[next]!)
    }
  }
}

const turnedTo =
  (axis: Axis) =>
  ({ x, y, z }: Vec3): Vec3 =>
    axis === 'y' ? { x, y, z } : axis === 'x' ? { x: y, y: z, z: x } : { x: z, y: x, z: y }

/** From the upper pole to the lower; a capsule stands on two half balls. */
function ballRings(radius: number, bottom: number, top: number): Ring[] {
  return Array.from({ length: STEPS + 2 }, (_, i): Ring => {
    const angle = Math.PI * ((i > STEPS / 2 ? i - 1 : i) / STEPS - 1 / 2)
    const [out, rise] = [Math.cos(angle), Math.sin(angle)]
    return [radius * out, radius * rise + (i > STEPS / 2 ? top : bottom), out, rise]
  }).reverse()
}

function addBall(geometry: Geometry, { x, y, z }: Vec3): void {
  const first = geometry.normals.length
  addRevolved(geometry, ballRings(1, 0, 0).toSpliced(STEPS / 2, 1), (p) => ({ x: p.x * x, y: p.y * y, z: p.z * z }))
  // a normal is scaled the other way round
  const { normals, positions } = geometry
  for (let i = first; i < normals.length; i += 3) {
    const normal = unit({
      x: positions[i]! / x ** 2 || 0,
      y: positions[i + 1]! / y ** 2 || 0,
      z: positions[i + 2]! / z ** 2 || 0,
    })
    ;[normals[i], normals[i + 1], normals[i + 2]] = [normal.x, normal.y, normal.z!]
  }
}

function addCapsule(geometry: Geometry, a: Vec3, b: Vec3, radius: number): void {
  const along = inSpace(minus(b, a))
  const length = lengthOf(along)
  const up = length === 0 ? { x: 0, y: 1, z: 0 } : inSpace(unit(along))
  const side = inSpace(unit(Math.abs(up.x) < 0.9 ? cross({ x: 1, y: 0, z: 0 }, up) : cross({ x: 0, y: 1, z: 0 }, up)))
  const third = cross(side, up)
  const place = ({ x, y, z }: Vec3) => inSpace(plus(a, plus(times(side, x), plus(times(up, y), times(third, z)))))
  if (radius === 0) addLine(geometry, [a, b], false)
  else addRevolved(geometry, ballRings(radius, 0, length), place)
}

/** Directions that go round evenly: the hull of a rounded shape's corners, moved along them, is what is drawn. */
const ROUND: readonly Vec3[] = Array.from({ length: 80 }, (_, i) => {
  const y = 1 - (2 * i + 1) / 80
  const out = Math.sqrt(1 - y * y)
  return { x: out * Math.cos(i * 2.399963), y, z: out * Math.sin(i * 2.399963) }
})
const FEW_ROUND = ROUND.filter((_, i) => i % 5 === 0)
/** Corners of a hull from which on it is rounded by fewer directions. */
const MANY_CORNERS = 24

function addHull(geometry: Geometry, points: readonly Vec3[], radius: number): void {
  const hull = convexHull(points)
  if (radius > 0) {
    const corners = [...new Set('outline' in hull ? hull.outline : hull.triangles.flat())].map((i) => points[i]!)
    const ways = corners.length > MANY_CORNERS ? FEW_ROUND : ROUND
    const around = corners.flatMap((corner) => ways.map((way) => inSpace(plus(corner, times(way, radius)))))
    const rounded = convexHull(around)
    if ('triangles' in rounded) addSmooth(geometry, ...compacted(around, rounded.triangles))
    return
  }
  if ('triangles' in hull) addTriangles(geometry, points, hull.triangles)
  else if (hull.outline.length > 2)
    addSide(
      geometry,
      hull.outline.map((i) => points[i]!),
    )
  else if (hull.outline.length === 2)
    addLine(
      geometry,
      hull.outline.map((i) => points[i]!),
      false,
    )
  else addPoint(geometry, points[hull.outline[0]!]!)
}

/** Without the points that no triangle has. */
function compacted(points: readonly Vec3[], triangles: number[][]): [points: Vec3[], triangles: number[][]] {
  const used = [...new Set(triangles.flat())]
  const at = new Map(used.map((i, k) => [i, k]))
  return [used.map((i) => points[i]!), triangles.map((corners) => corners.map((i) => at.get(i)!))]
}

const boxCorners = (min: Vec3, max: Vec3): Vec3[] =>
  Array.from({ length: 8 }, (_, i) => ({
    x: i & 1 ? max.x : min.x,
    y: i & 2 ? max.y : min.y,
    z: i & 4 ? max.z : min.z,
  }))
const BOX_SIDES = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
]

function addBox(geometry: Geometry, min: Vec3, max: Vec3): void {
  const corners = boxCorners(min, max)
  // flat boxes are what is left of them
  if (min.x === max.x || min.y === max.y || min.z === max.z) addHull(geometry, corners, 0)
  else {
    for (const side of BOX_SIDES)
      addSide(
        geometry,
        side.map((i) => corners[i]!),
        false,
      )
    const indices = corners.map((corner) => addVertex(geometry, corner, { x: 0, y: 0, z: 0 }))
    for (const bit of [1, 2, 4])
      for (let i = 0; i < 8; i++) if ((i & bit) === 0) geometry.edges.push(indices[i]!, indices[i | bit]!)
  }
}

function addMesh(geometry: Geometry, { vertices, triangles }: MeshShape3d): void {
  const points = Array.from({ length: Math.floor(vertices.length / 3) }, (_, i) => ({
    x: vertices[3 * i]!,
    y: vertices[3 * i + 1]!,
    z: vertices[3 * i + 2]!,
  }))
  const corners = Array.from({ length: Math.floor(triangles.length / 3) }, (_, i) => [
    triangles[3 * i]!,
    triangles[3 * i + 1]!,
    triangles[3 * i + 2]!,
  ])
  addTriangles(geometry, points, corners)
}

function addHeightfield(geometry: Geometry, { heights, columns, cellSize, axis = 'y' }: HeightfieldShape3d): void {
  const at = (i: number): Vec3 => {
    const [u, h, v] = [(i % columns) * cellSize.x, heights[i] ?? 0, Math.floor(i / columns) * cellSize.z]
    return axis === 'y' ? { x: u, y: h, z: v } : axis === 'z' ? { x: u, y: v, z: h } : { x: h, y: u, z: v }
  }
  const points = Array.from({ length: heights.length }, (_, i) => at(i))
  const triangles: number[][] = []
  for (let i = 0; i + columns + 1 < heights.length; i++) {
    if ((i + 1) % columns === 0) continue
    const [a, b, c, d] = [i, i + 1, i + columns, i + columns + 1]
    for (const corners of [
      [a, c, d],
      [a, d, b],
    ])
      if (corners.every((k) => heights[k] !== null)) triangles.push(corners)
  }
  addTriangles(geometry, points, triangles)
}

/** Lines of the grid on a half-space, on each side of its middle. */
const HALFSPACE_LINES = 10

/** A square of the plane, `reach` lengths from its middle to its sides. */
function addPlane(geometry: Geometry, on: Vec3, normal: Vec3, reach: number): void {
  const u = inSpace(
    unit(
      Math.abs(normal.y) > 0.9 * lengthOf(normal)
        ? cross({ x: 1, y: 0, z: 0 }, normal)
        : cross({ x: 0, y: 1, z: 0 }, normal),
    ),
  )
  const v = inSpace(unit(cross(inSpace(unit(normal)), u)))
  const at = (s: number, t: number) => inSpace(plus(on, plus(times(u, s * reach), times(v, t * reach))))
  addSide(geometry, [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)])
  for (let i = 1 - HALFSPACE_LINES; i < HALFSPACE_LINES; i++) {
    const part = i / HALFSPACE_LINES
    addLine(geometry, [at(part, -1), at(part, 1)], false)
    addLine(geometry, [at(-1, part), at(1, part)], false)
  }
}

function addChild(geometry: Geometry, child: Body3d, reach: number): void {
  const part = tessellated(child.shape, reach)
  const first = geometry.positions.length / 3
  const { orientation } = child
  const inPart = (list: number[], i: number): Vec3 => ({ x: list[i]!, y: list[i + 1]!, z: list[i + 2]! })
  for (let i = 0; i < part.positions.length; i += 3) {
    const normal = inPart(part.normals, i)
    addVertex(
      geometry,
      inSpace(toWorld(child, inPart(part.positions, i))),
      orientation ? turnedBy(orientation, normal) : normal,
    )
  }
  for (const list of ['triangles', 'edges', 'points'] as const)
    for (const index of part[list]) geometry[list].push(index + first)
}

/** `reach`: how far half-spaces are drawn, lengths. */
export function tessellated(shape: Shape3d, reach: number): Geometry {
  const geometry = emptyGeometry()
  const zero = { x: 0, y: 0, z: 0 }
  switch (shape.type) {
    case 'point':
      addPoint(geometry, zero)
      break
    case 'sphere':
      if (shape.radius === 0) addPoint(geometry, zero)
      else addBall(geometry, { x: shape.radius, y: shape.radius, z: shape.radius })
      break
    case 'ellipsoid':
      addBall(geometry, shape.radii)
      break
    case 'segment':
      addLine(geometry, [shape.a, shape.b], false)
      addPoint(geometry, shape.a)
      addPoint(geometry, shape.b)
      break
    case 'capsule':
      addCapsule(geometry, shape.a, shape.b, shape.radius)
      break
    case 'triangle':
      addHull(geometry, [shape.a, shape.b, shape.c], 0)
      break
    case 'box': {
      const half = times(shape.size, 1 / 2) as Vec3
      if (shape.radius) addHull(geometry, boxCorners(times(half, -1) as Vec3, half), shape.radius)
      else addBox(geometry, times(half, -1) as Vec3, half)
      break
    }
    case 'aabb':
      addBox(geometry, shape.min, shape.max)
      break
    case 'cylinder': {
      const { radius, height, axis = 'y' } = shape
      const [r, h] = [radius, height / 2]
      const rings: Ring[] = [
        [0, h, 0, 1],
        [r, h, 0, 1],
        [r, h, 1, 0],
        [r, -h, 1, 0],
        [r, -h, 0, -1],
        [0, -h, 0, -1],
      ]
      addRevolved(geometry, rings, turnedTo(axis))
      break
    }
    case 'cone': {
      const { radius, height, axis = 'y' } = shape
      const [r, h] = [radius, height / 2]
      const slope = Math.hypot(radius, height) || 1
      const [out, rise] = [height / slope, radius / slope]
      const rings: Ring[] = [
        [0, h, out, rise],
        [r, -h, out, rise],
        [r, -h, 0, -1],
        [0, -h, 0, -1],
      ]
      addRevolved(geometry, rings, turnedTo(axis))
      break
    }
    case 'hull':
      addHull(geometry, shape.points, shape.radius ?? 0)
      break
    case 'halfspace': {
      const normal = inSpace(unit(shape.normal))
      addPlane(geometry, times(normal, shape.offset) as Vec3, normal, reach)
      break
    }
    case 'mesh':
      addMesh(geometry, shape)
      break
    case 'heightfield':
      addHeightfield(geometry, shape)
      break
    case 'compound':
      for (const child of shape.children) addChild(geometry, child, reach)
  }
  return geometry
}

const known = new WeakMap<object, { reach: number; geometry: Geometry }>()

/** The same once for each shape: shapes are values that are never written to. */
export function geometryOf(shape: Shape3d, reach: number): Geometry {
  const before = known.get(shape)
  if (before !== undefined && (before.reach === reach || !isEndless(shape))) return before.geometry
  const geometry = tessellated(shape, reach)
  known.set(shape, { reach, geometry })
  return geometry
}

/** A shape whose numbers are sent by their digest alone has none here until they are fetched. */
export function isEndless(shape: Shape3d): boolean {
  return (
    shape.type === 'halfspace' || (shape.type === 'compound' && shape.children.some((child) => isEndless(child.shape)))
  )
}

/** Whether a value from a form or a link has all parts that the drawing of a shape needs; the service decides whether it is valid. */
export function isDrawable(shape: unknown): boolean {
  try {
    const { positions, triangles } = tessellated(shape as Shape3d, 1)
    const last = positions.length / 3
    return positions.length > 0 && positions.every(Number.isFinite) && triangles.every((index) => index < last)
  } catch {
    return false
  }
}
