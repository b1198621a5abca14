/**
 * Nodes of space in scenes of Godot, and their collision shapes.
 *
 * What a node turns and stretches evenly keeps its shape and gets an orientation, so that instances of a scene share their shapes; what it
 * lays along the axes is exact, without an orientation; of what it shears or mirrors the points are mapped.
 * Source: the classes of Godot 4 (https://docs.godotengine.org), whose defaults a file does not say. Frame: metres of the scene, y up.
 */

import { MAX_POLYGON_VERTICES } from '../../schemas/shapes2d.ts'
import { type Body3d, MAX_HULL_POINTS, type MovingBody3d, type Shape3d } from '../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../schemas/vector.ts'
import { fewConvexPieces } from '../core2d/outline/convex-decomposition.ts'
import { createOutline } from '../core2d/outline/outline.ts'
import { createBody } from '../core2d/shape/body.ts'
import { decodeOutline, SCHEMA_LIMITS, type ShapeLimits } from '../wire/body.ts'
import {
  type Affine3d,
  after3d,
  appliedTo,
  determinant,
  dot,
  IDENTITY_3D,
  isAligned,
  isEven,
  normalAfter,
  type Turned,
  turnedOf,
} from './affine-3d.ts'
import type { GodotSpace } from './godot.ts'
import { GodotModels } from './godot-models.ts'
import {
  type GodotFiles,
  type GodotNode,
  type GodotResource,
  isOfDimension,
  NodeFault,
  numberOf,
  numbersOf,
  type Properties,
  planePoints,
  valuesOf,
} from './godot-scene.ts'

/** `isSolid`: closed meshes of models have an inside. */
export function godotSpace(isSolid: boolean, limits: ShapeLimits): GodotSpace<MovingBody3d, Affine3d> {
  const shapes = new PointShapes()
  return {
    identity: IDENTITY_3D,
    objects: /^(StaticBody3D|AnimatableBody3D|RigidBody3D|VehicleBody3D|CharacterBody3D|PhysicalBone3D|Area3D)$/,
    shapes: /^Collision(Shape|Polygon)3D$/,
    others: /^Collision(Shape|Polygon)2D$/,
    placed: placedNode,
    bodyOf: (node, map, files) => bodyOf(node, map, files, shapes),
    models: (files, drawing) => new GodotModels(files, isSolid, limits, drawing),
  }
}

/** Nodes that are nowhere in space: what lies in them is placed in the scene. */
const PLACELESS = /^(Node|Node2D|Control|CanvasLayer|Timer|AnimationPlayer|AnimationTree|AudioStreamPlayer)$/

function placedNode(node: GodotNode, around: Affine3d): Affine3d {
  if (PLACELESS.test(node.type) || isOfDimension(node, 2)) return IDENTITY_3D
  const own = ownMap(valuesOf(node))
  return node.properties.get('top_level')?.value === true ? own : after3d(around, own)
}

/** Numbers of a matrix that are this small against the largest are what single precision leaves of 0. */
const NOUGHT_RATIO = 2 ** -22

function ownMap(properties: Properties): Affine3d {
  const given = numbersOf(properties, 'transform', /^Transform3D$/, 12)
  if (given !== null) {
    const largest = Math.max(...given.slice(0, 9).map(Math.abs))
    const [a, b, c, d, e, f, g, h, i] = given.map((value) => (Math.abs(value) <= NOUGHT_RATIO * largest ? 0 : value))
    // rows in the file
    const origin = { x: given[9], y: given[10], z: given[11] }
    return { x: { x: a, y: d, z: g }, y: { x: b, y: e, z: h }, z: { x: c, y: f, z: i }, origin }
  }
  const scale = vectorOf(properties, 'scale') ?? { x: 1, y: 1, z: 1 }
  const { x, y, z } = turnOf(vectorOf(properties, 'rotation') ?? { x: 0, y: 0, z: 0 })
  const origin = vectorOf(properties, 'position') ?? { x: 0, y: 0, z: 0 }
  return { x: scaled(x, scale.x), y: scaled(y, scale.y), z: scaled(z, scale.z), origin }
}

/** + 0: no negative zeros. */
function scaled({ x, y, z }: Vec3, factor: number): Vec3 {
  return { x: x * factor + 0, y: y * factor + 0, z: z * factor + 0 }
}

/** Euler angles in Godot's order: about z, then x, then y. */
function turnOf({ x, y, z }: Vec3): Affine3d {
  const about = (angle: number): [number, number] => [Math.cos(angle), Math.sin(angle)]
  const [[cx, sx], [cy, sy], [cz, sz]] = [about(x), about(y), about(z)]
  const aboutX = { ...IDENTITY_3D, y: { x: 0, y: cx, z: sx }, z: { x: 0, y: -sx, z: cx } }
  const aboutY = { ...IDENTITY_3D, x: { x: cy, y: 0, z: -sy }, z: { x: sy, y: 0, z: cy } }
  const aboutZ = { ...IDENTITY_3D, x: { x: cz, y: sz, z: 0 }, y: { x: -sz, y: cz, z: 0 } }
  return after3d(aboutY, after3d(aboutX, aboutZ))
}

function vectorOf(properties: Properties, name: string): Vec3 | null {
  const given = numbersOf(properties, name, /^Vector3i?$/, 3)
  return given && { x: given[0], y: given[1], z: given[2] }
}

function pointsOf(properties: Properties, name: string): Vec3[] {
  const given = numbersOf(properties, name, /^PackedVector3Array$/) ?? []
  if (given.length % 3 !== 0) throw new NodeFault(`Its ${name} are not three numbers each.`)
  return Array.from({ length: given.length / 3 }, (_, k) => {
    const [x, y, z] = given.slice(3 * k, 3 * k + 3)
    return { x, y, z }
  })
}

function bodyOf(node: GodotNode, map: Affine3d, files: GodotFiles, shapes: PointShapes): Body3d | string {
  if (node.type === 'CollisionPolygon3D') {
    const values = valuesOf(node)
    const points = planePoints(values, 'polygon')
    const prism = prismOf(points, numberOf(values, 'depth', 1))
    return typeof prism === 'string' ? prism : shapes.placed(prism, map)
  }
  const property = node.properties.get('shape')
  const resource = property === undefined ? null : files.resource(property)
  if (resource === null) return 'It has no shape.'
  return typeof resource === 'string' ? resource : shapeIn(map, resource, shapes)
}

const SHEARED = 'Its node shears it, which leaves no shape that is known here.'
const STRETCHED = 'Its node stretches it unevenly, which leaves no shape that is known here.'

function shapeIn(map: Affine3d, resource: GodotResource, shapes: PointShapes): Body3d | string {
  const { type, properties } = resource
  const number = (name: string, fallback: number): number => {
    const value = numberOf(properties, name, fallback)
    if (value >= 0) return value
    throw new NodeFault(`Its ${name} is less than 0.`)
  }
  switch (type) {
    case 'BoxShape3D':
      return boxIn(map, vectorOf(properties, 'size') ?? { x: 1, y: 1, z: 1 }, shapes)
    case 'SphereShape3D':
      return ballIn(map, number('radius', 0.5))
    case 'CapsuleShape3D':
      return capsuleIn(map, number('radius', 0.5), number('height', 2))
    case 'CylinderShape3D':
      return cylinderIn(map, number('radius', 0.5), number('height', 2))
    case 'SeparationRayShape3D':
      return {
        shape: { type: 'segment', a: { x: 0, y: 0, z: 0 }, b: scaled(map.z, numberOf(properties, 'length', 1)) },
        position: map.origin,
      }
    case 'WorldBoundaryShape3D':
      return boundaryIn(map, numbersOf(properties, 'plane', /^Plane$/, 4) ?? [0, 1, 0, 0])
    case 'HeightMapShape3D':
      return heightsIn(map, properties)
    case 'ConvexPolygonShape3D':
    case 'ConcavePolygonShape3D': {
      const shape = shapes.of(resource)
      return typeof shape === 'string' ? shape : shapes.placed(shape, map)
    }
    default:
      return `Shapes of the type ${type.slice(0, 60)} are not known.`
  }
}

function boxIn(map: Affine3d, { x, y, z }: Vec3, shapes: PointShapes): Body3d {
  if (!(x >= 0 && y >= 0 && z >= 0)) throw new NodeFault('Its size is less than 0.')
  if (isAligned(map)) {
    const size = {
      x: Math.abs(map.x.x) * x + Math.abs(map.y.x) * y + Math.abs(map.z.x) * z,
      y: Math.abs(map.x.y) * x + Math.abs(map.y.y) * y + Math.abs(map.z.y) * z,
      z: Math.abs(map.x.z) * x + Math.abs(map.y.z) * y + Math.abs(map.z.z) * z,
    }
    return { shape: { type: 'box', size }, position: map.origin }
  }
  const turned = turnedOf(map)
  if (turned !== null) {
    const { scale } = turned
    return posed({ type: 'box', size: { x: scale.x * x, y: scale.y * y, z: scale.z * z } }, map, turned)
  }
  const sides = [-0.5, 0.5]
  const points = sides.flatMap((i) => sides.flatMap((j) => sides.map((k) => ({ x: i * x, y: j * y, z: k * z }))))
  return shapes.placed({ type: 'hull', points }, map)
}

function posed(shape: Shape3d, { origin }: Affine3d, { orientation }: Pick<Turned, 'orientation'>): Body3d {
  return { shape, position: origin, ...(orientation && { orientation }) }
}

function ballIn(map: Affine3d, radius: number): Body3d | string {
  const turned = turnedOf(map)
  if (turned === null) return SHEARED
  const { x, y, z } = turned.scale
  if (isEven(x, y) && isEven(y, z)) return { shape: { type: 'sphere', radius: radius * x }, position: map.origin }
  return posed({ type: 'ellipsoid', radii: { x: radius * x, y: radius * y, z: radius * z } }, map, turned)
}

/** Along y; stretched along it, its ends are halves of ellipsoids. */
function capsuleIn(map: Affine3d, radius: number, height: number): Body3d | string {
  const turned = turnedOf(map)
  if (turned === null) return SHEARED
  const { x, y, z } = turned.scale
  if (!isEven(x, z)) return STRETCHED
  const half = Math.max(height / 2 - radius, 0)
  if (isEven(x, y)) {
    const [a, b] = [scaled(map.y, -half), scaled(map.y, half)]
    return { shape: { type: 'capsule', a, b, radius: radius * x }, position: map.origin }
  }
  const end = (side: number): Body3d => ({
    shape: { type: 'ellipsoid', radii: { x: radius * x, y: radius * y, z: radius * z } },
    position: { x: 0, y: side * half * y, z: 0 },
  })
  const middle: Body3d = { shape: { type: 'cylinder', radius: radius * x, height: 2 * half * y } }
  return posed({ type: 'compound', children: [middle, end(-1), end(1)] }, map, turned)
}

function cylinderIn(map: Affine3d, radius: number, height: number): Body3d | string {
  const turned = turnedOf(map)
  if (turned === null) return SHEARED
  const { x, y, z } = turned.scale
  if (!isEven(x, z)) return STRETCHED
  const axis = isAligned(map) ? (['x', 'y', 'z'] as const).find((name) => map.y[name] !== 0) : undefined
  const shape: Shape3d = { type: 'cylinder', radius: radius * x, height: height * y }
  if (axis !== undefined) return { shape: { ...shape, ...(axis !== 'y' && { axis }) }, position: map.origin }
  return posed(shape, map, turned)
}

/** Of a plane n · x = d, which is solid where n · x is less. */
function boundaryIn(map: Affine3d, [x, y, z, d]: readonly number[]): Body3d | string {
  const side = Math.sign(determinant(map))
  const normal = scaled(normalAfter(map, { x, y, z }), side)
  const square = x * x + y * y + z * z
  const length = Math.hypot(normal.x, normal.y, normal.z)
  if (!(square > 0 && length > 0)) return 'Its plane has no direction.'
  const on = appliedTo(map, scaled({ x, y, z }, d / square))
  const outward = { x: normal.x + 0, y: normal.y + 0, z: normal.z + 0 }
  return { shape: { type: 'halfspace', normal: outward, offset: dot(normal, on) / length + 0 }, position: map.origin }
}

/** A metre from point to point, about the middle. */
function heightsIn(map: Affine3d, properties: Properties): Body3d | string {
  const [columns, rows] = [numberOf(properties, 'map_width', 2), numberOf(properties, 'map_depth', 2)]
  const given = numbersOf(properties, 'map_data', /^PackedFloat(32|64)Array$/) ?? [0, 0, 0, 0]
  const isGrid = Number.isInteger(columns) && Number.isInteger(rows) && columns >= 2 && rows >= 2
  if (!isGrid || given.length !== columns * rows) return `It has ${given.length} heights, not ${columns} × ${rows}.`
  const turned = turnedOf(map)
  if (turned === null) return SHEARED
  if (turned.isMirrored) return 'Its node mirrors it, which leaves no height field.'
  const { x, y, z } = turned.scale
  const corner = appliedTo(map, { x: (1 - columns) / 2, y: 0, z: (1 - rows) / 2 })
  const { origin } = map
  const position = { x: origin.x + corner.x, y: origin.y + corner.y, z: origin.z + corner.z }
  const heights = y === 1 ? given : given.map((height) => height * y)
  const { orientation } = turned
  return {
    shape: { type: 'heightfield', heights: [...heights], columns, cellSize: { x, z } },
    position,
    ...(orientation && { orientation }),
  }
}

/** A polygon in x and y, as thick as `depth` along z, about the middle: its convex pieces as hulls. */
function prismOf(points: readonly Vec2[], depth: number): Shape3d | string {
  if (points.length < 3) return 'Its polygon has fewer than three points.'
  const outline = createOutline()
  const part = { body: createBody(), outline, path: [], firstLeaf: 0 }
  const problem = decodeOutline({ type: 'region', outer: [...points] }, part, { ...SCHEMA_LIMITS, asDrawn: true })
  if (problem !== null) return problem.detail
  if (!outline.solid) return 'Its polygon has no area.'
  const hulls = fewConvexPieces(outline, MAX_POLYGON_VERTICES).map((piece): Body3d => {
    const ring = piece.map((vertex) => ({ x: outline.vertices[2 * vertex], y: outline.vertices[2 * vertex + 1] }))
    const both = [-depth / 2, depth / 2].flatMap((z) => ring.map(({ x, y }) => ({ x, y, z })))
    return { shape: { type: 'hull', points: both } }
  })
  return hulls.length === 1 ? hulls[0].shape : { type: 'compound', children: hulls }
}

/** Shapes of points: each resource is one, however often it is used. */
class PointShapes {
  readonly #known = new Map<GodotResource, Shape3d | string>()

  of(resource: GodotResource): Shape3d | string {
    const known = this.#known.get(resource)
    if (known !== undefined) return known
    const shape = resource.type === 'ConvexPolygonShape3D' ? hullOf(resource) : meshOf(resource)
    this.#known.set(resource, shape)
    return shape
  }

  /** A hull, a mesh, or a compound of hulls. */
  placed(shape: Shape3d, map: Affine3d): Body3d {
    const turned = isAligned(map) ? null : turnedOf(map)
    if (turned !== null && !turned.isMirrored) {
      const { x, y, z } = turned.scale
      if (isEven(x, y) && isEven(y, z)) {
        const along = {
          ...IDENTITY_3D,
          x: scaled(IDENTITY_3D.x, x),
          y: scaled(IDENTITY_3D.y, x),
          z: scaled(IDENTITY_3D.z, x),
        }
        return posed(mapped(shape, along), map, turned)
      }
    }
    return { shape: mapped(shape, map), position: map.origin }
  }
}

function mapped(shape: Shape3d, map: Affine3d): Shape3d {
  if (isAligned(map) && map.x.x === 1 && map.y.y === 1 && map.z.z === 1) return shape
  if (shape.type === 'hull') return { ...shape, points: shape.points.map((point) => appliedTo(map, point)) }
  if (shape.type === 'compound') {
    return { ...shape, children: shape.children.map((child) => ({ ...child, shape: mapped(child.shape, map) })) }
  }
  if (shape.type !== 'mesh') return shape
  const vertices: number[] = []
  for (let k = 0; k < shape.vertices.length; k += 3) {
    const { x, y, z } = appliedTo(map, { x: shape.vertices[k], y: shape.vertices[k + 1], z: shape.vertices[k + 2] })
    vertices.push(x, y, z)
  }
  // a mirror turns triangles round
  const triangles = determinant(map) < 0 ? Array.from(shape.triangles).reverse() : shape.triangles
  return { ...shape, vertices, triangles }
}

function hullOf({ properties }: GodotResource): Shape3d | string {
  const points = pointsOf(properties, 'points')
  if (points.length === 0) return 'Its shape has no points.'
  if (points.length > MAX_HULL_POINTS) return `It has ${points.length} points; a hull has at most ${MAX_HULL_POINTS}.`
  return { type: 'hull', points }
}

/** Three points a triangle; equal ones are one vertex. */
function meshOf({ properties }: GodotResource): Shape3d | string {
  const points = pointsOf(properties, 'data')
  if (points.length < 3) return 'Its shape has no triangles.'
  const vertices: number[] = []
  const places = new Map<string, number>()
  const indices = points.map(({ x, y, z }) => {
    const key = `${x} ${y} ${z}`
    const known = places.get(key) ?? vertices.push(x, y, z) / 3 - 1
    places.set(key, known)
    return known
  })
  return { type: 'mesh', vertices, triangles: indices.slice(0, indices.length - (indices.length % 3)) }
}
