/**
 * Nodes of the plane in scenes of Godot, and their collision shapes.
 *
 * Source: the classes of Godot 4 (https://docs.godotengine.org), whose defaults a file does not say. Frame: pixels of the scene, y down.
 */

import type { Body2d, MovingBody2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { type Affine, after, apply, IDENTITY, mappedBox, mappedCapsule, mappedEllipse, mappedPoints } from './affine.ts'
import { closedShape, compoundOf } from './closed-shape.ts'
import type { GodotSpace } from './godot.ts'
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
  planeVector,
  valuesOf,
} from './godot-scene.ts'
import { drawTileMap } from './godot-tiles.ts'

export const GODOT_PLANE: GodotSpace<MovingBody2d, Affine> = {
  identity: IDENTITY,
  objects: /^(StaticBody2D|AnimatableBody2D|RigidBody2D|CharacterBody2D|PhysicalBone2D|Area2D)$/,
  shapes: /^Collision(Shape|Polygon)2D$/,
  others: /^Collision(Shape|Polygon)3D$/,
  placed: placedNode,
  bodyOf,
  drawMany: drawTileMap,
}

/** Nodes that are in no plane: what lies in them is placed in the scene. */
const PLACELESS = /^(Node|CanvasLayer|Node3D|Timer|AnimationPlayer|AnimationTree|AudioStreamPlayer)$/

function placedNode(node: GodotNode, around: Affine): Affine {
  if (PLACELESS.test(node.type) || isOfDimension(node, 3)) return IDENTITY
  const own = ownMap(valuesOf(node))
  return node.properties.get('top_level')?.value === true ? own : after(around, own)
}

function ownMap(properties: Properties): Affine {
  const given = numbersOf(properties, 'transform', /^Transform2D$/, 6)
  if (given !== null) {
    const [a, b, c, d, e, f] = given
    return { a, b, c, d, e, f }
  }
  const at = planeVector(properties, 'position') ?? {
    x: numberOf(properties, 'offset_left', 0),
    y: numberOf(properties, 'offset_top', 0),
  }
  const scale = planeVector(properties, 'scale') ?? { x: 1, y: 1 }
  const rotation = numberOf(properties, 'rotation', 0)
  const along = turned(rotation)
  const down = turned(rotation + numberOf(properties, 'skew', 0))
  return { a: along.x * scale.x, b: along.y * scale.x, c: 0 - down.y * scale.y, d: down.x * scale.y, e: at.x, f: at.y }
}

/** How far from a quarter turn an angle may be that is one: Godot writes six digits. */
const QUARTER_ERROR = 1e-5

/** The direction of +x after the turn. */
function turned(angle: number): Vec2 {
  const quarters = Math.round(angle / (Math.PI / 2))
  if (Math.abs(angle - (quarters * Math.PI) / 2) > QUARTER_ERROR) return { x: Math.cos(angle), y: Math.sin(angle) }
  const [x, y] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ][((quarters % 4) + 4) % 4]
  return { x, y }
}

function bodyOf(node: GodotNode, map: Affine, files: GodotFiles): Body2d | string {
  const values = valuesOf(node)
  if (node.type === 'CollisionPolygon2D') {
    const points = mappedPoints(map, planePoints(values, 'polygon'))
    const position = { x: map.e, y: map.f }
    if (points.length < 2) return 'Its polygon has no points.'
    if (numberOf(values, 'build_mode', 0) === 0) return { shape: closedShape(points), position }
    return { shape: { type: 'chain', vertices: points, loop: points.length > 2 }, position }
  }
  const property = node.properties.get('shape')
  const resource = property === undefined ? null : files.resource(property)
  if (resource === null) return 'It has no shape.'
  return typeof resource === 'string' ? resource : shapeIn(map, resource)
}

function shapeIn(map: Affine, { type, properties }: GodotResource): Body2d | string {
  const position = { x: map.e, y: map.f }
  const number = (name: string, fallback: number) => size(numberOf(properties, name, fallback), name)
  switch (type) {
    case 'RectangleShape2D': {
      const { x, y } = planeVector(properties, 'size') ?? { x: 20, y: 20 }
      return mappedBox(map, size(x, 'size'), size(y, 'size'))
    }
    case 'CircleShape2D': {
      const radius = number('radius', 10)
      return mappedEllipse(map, radius, radius)
    }
    case 'CapsuleShape2D': {
      const radius = number('radius', 10)
      return mappedCapsule(map, 2 * radius, Math.max(number('height', 30), 2 * radius))
    }
    case 'SegmentShape2D': {
      const [a, b] = mappedPoints(map, [
        planeVector(properties, 'a') ?? { x: 0, y: 0 },
        planeVector(properties, 'b') ?? { x: 0, y: 10 },
      ])
      return { shape: { type: 'segment', a, b }, position }
    }
    case 'SeparationRayShape2D': {
      const [b] = mappedPoints(map, [{ x: 0, y: numberOf(properties, 'length', 20) }])
      return { shape: { type: 'segment', a: { x: 0, y: 0 }, b }, position }
    }
    case 'ConvexPolygonShape2D': {
      const points = mappedPoints(map, planePoints(properties, 'points'))
      return points.length < 2 ? 'Its shape has no points.' : { shape: closedShape(points), position }
    }
    case 'ConcavePolygonShape2D':
      return segmentsIn(map, planePoints(properties, 'segments'))
    case 'WorldBoundaryShape2D':
      return boundaryIn(map, planeVector(properties, 'normal') ?? { x: 0, y: -1 }, numberOf(properties, 'distance', 0))
    default:
      return `Shapes of the type ${type.slice(0, 60)} are not known.`
  }
}

function size(value: number, name: string): number {
  if (value >= 0) return value
  throw new NodeFault(`Its ${name} is less than 0.`)
}

/** Two points each; those that go on where the one before ends are a chain. */
function segmentsIn(map: Affine, points: readonly Vec2[]): Body2d | string {
  const ends = mappedPoints(map, points)
  const chains: Vec2[][] = []
  for (let k = 0; k + 1 < ends.length; k += 2) {
    const [a, b] = [ends[k], ends[k + 1]]
    const last = chains.at(-1)
    const end = last?.at(-1)
    if (last !== undefined && end !== undefined && end.x === a.x && end.y === a.y) last.push(b)
    else chains.push([a, b])
  }
  if (chains.length === 0) return 'Its shape has no segments.'
  const parts = chains.map((vertices): Body2d => ({ shape: { type: 'chain', vertices } }))
  return { ...compoundOf(parts), position: { x: map.e, y: map.f } }
}

/** Of a plane n · x = distance, which is solid where n · x is less. */
function boundaryIn(map: Affine, normal: Vec2, distance: number): Body2d | string {
  const { a, b, c, d, e, f } = map
  const turn = Math.sign(a * d - b * c)
  const across = { x: turn * (d * normal.x - b * normal.y), y: turn * (a * normal.y - c * normal.x) }
  const length = Math.hypot(across.x, across.y)
  const square = normal.x ** 2 + normal.y ** 2
  if (!(length > 0 && square > 0)) return 'Its plane has no direction.'
  const on = apply({ ...map, e: 0, f: 0 }, { x: (normal.x * distance) / square, y: (normal.y * distance) / square })
  const offset = (across.x * on.x + across.y * on.y) / length + 0
  return {
    shape: { type: 'halfplane', normal: { x: across.x + 0, y: across.y + 0 }, offset },
    position: { x: e, y: f },
  }
}
