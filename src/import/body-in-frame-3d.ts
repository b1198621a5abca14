/**
 * A body of space in another frame: turned by a quarter about x if wanted, so that another axis points up, then scaled, then moved.
 *
 * The turn exchanges coordinates, in shapes and poses alike, so it rounds nothing: a box along the axes stays one. What only an orientation
 * can turn, height fields whose rows would run backwards, gets one. What is absent stays absent where that means the same.
 */

import type { Body3d, MovingBody3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Quaternion, Vec3 } from '../../schemas/vector.ts'
import type { Framing } from './drawing.ts'

export interface Frame3d {
  /** The axis that comes to point up where another did: `y` takes (x, y, z) to (x, z, −y), `z` to (x, −z, y). Null: none. */
  up: 'y' | 'z' | null
  /** Greater than 0. */
  scale: number
  offset: Vec3
}

const ORIGIN: Vec3 = { x: 0, y: 0, z: 0 }
const NO_TURN: Quaternion = { x: 0, y: 0, z: 0, w: 1 }
export const PLAIN_FRAME_3D: Frame3d = { up: null, scale: 1, offset: ORIGIN }

export function framingOf3d(frame: Frame3d): Framing<MovingBody3d> {
  const { up, scale, offset } = frame
  const isPlain = up === null && scale === 1 && offset.x === 0 && offset.y === 0 && offset.z === 0
  // bodies that share a shape still do
  const shapes = new WeakMap<Shape3d, Shape3d>()
  const moving = <M extends MovingBody3d>(body: M): M => {
    if (isPlain) return body
    const { velocity, angularVelocity } = body
    return {
      ...body,
      ...placedInFrame(frame, shapes, body, offset),
      ...(velocity && { velocity: vector(frame, velocity) }),
      ...(angularVelocity && { angularVelocity: turned(up, angularVelocity) }),
    }
  }
  const drawn = ({ shape, position, orientation, velocity, angularVelocity }: MovingBody3d): MovingBody3d => {
    const placed = moving<MovingBody3d>({
      shape,
      ...(position && { position }),
      ...(orientation && { orientation }),
      ...(velocity && { velocity }),
      ...(angularVelocity && { angularVelocity }),
    })
    const { position: at = ORIGIN, orientation: turn, ...rest } = placed
    return {
      ...rest,
      ...((at.x !== 0 || at.y !== 0 || at.z !== 0) && { position: { x: at.x + 0, y: at.y + 0, z: at.z + 0 } }),
      ...(turn && (turn.x !== 0 || turn.y !== 0 || turn.z !== 0) && { orientation: turn }),
    }
  }
  return { isPlain, scale, moving, drawn }
}

type Shapes = WeakMap<Shape3d, Shape3d>

function placedInFrame(frame: Frame3d, shapes: Shapes, body: Body3d, offset: Vec3): Body3d {
  const { position, orientation } = body
  const { x, y, z } = vector(frame, position ?? ORIGIN)
  const at = { x: x + offset.x, y: y + offset.y, z: z + offset.z }
  const shape = shapes.get(body.shape) ?? shapeInFrame(frame, shapes, body.shape)
  shapes.set(body.shape, shape)
  const after = turnAfter(frame, body.shape)
  const turn = orientation && { ...turned(frame.up, orientation), w: orientation.w }
  const whole = after === NO_TURN ? turn : product(turn ?? NO_TURN, after)
  return {
    shape,
    ...((position !== undefined || at.x !== 0 || at.y !== 0 || at.z !== 0) && { position: at }),
    ...(whole && { orientation: whole }),
  }
}

/** + 0: no negative zeros. */
function turned(up: Frame3d['up'], { x, y, z }: Vec3): Vec3 {
  if (up === null) return { x, y, z }
  return up === 'y' ? { x, y: z, z: 0 - y } : { x, y: 0 - z, z: y }
}

/** Sizes along the axes. */
function exchanged({ up, scale }: Frame3d, { x, y, z }: Vec3): Vec3 {
  return up === null ? { x: scale * x, y: scale * y, z: scale * z } : { x: scale * x, y: scale * z, z: scale * y }
}

function vector({ up, scale }: Frame3d, from: Vec3): Vec3 {
  const { x, y, z } = turned(up, from)
  return { x: scale * x + 0, y: scale * y + 0, z: scale * z + 0 }
}

const HALF_TURN: Quaternion = { x: 1, y: 0, z: 0, w: 0 }
const QUARTERS: Readonly<Record<'y' | 'z', Quaternion>> = {
  y: { x: -Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 },
  z: { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 },
}

/** The turn of the shape that its own numbers in the frame do not have. */
function turnAfter({ up }: Frame3d, shape: Shape3d): Quaternion {
  if (up === null) return NO_TURN
  if (shape.type === 'heightfield') return QUARTERS[up]
  // the apex comes to look the other way
  return shape.type === 'cone' && (shape.axis ?? 'y') === (up === 'y' ? 'y' : 'z') ? HALF_TURN : NO_TURN
}

/** The turn by b, then by a. */
function product(a: Quaternion, b: Quaternion): Quaternion {
  return {
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y + 0,
    y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x + 0,
    z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w + 0,
    w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z + 0,
  }
}

const OTHER = { x: 'x', y: 'z', z: 'y' } as const

function shapeInFrame(frame: Frame3d, shapes: Shapes, shape: Shape3d): Shape3d {
  const { up, scale } = frame
  if (up === null && scale === 1) return shape
  switch (shape.type) {
    case 'point':
      return shape
    case 'sphere':
      return { ...shape, radius: scale * shape.radius }
    case 'segment':
      return { ...shape, a: vector(frame, shape.a), b: vector(frame, shape.b) }
    case 'capsule':
      return { ...shape, a: vector(frame, shape.a), b: vector(frame, shape.b), radius: scale * shape.radius }
    case 'triangle':
      return { ...shape, a: vector(frame, shape.a), b: vector(frame, shape.b), c: vector(frame, shape.c) }
    case 'box':
      return { ...shape, size: exchanged(frame, shape.size), ...skin(shape, scale) }
    case 'aabb':
      return { ...shape, ...sidesInFrame(frame, shape) }
    case 'cylinder':
    case 'cone': {
      const axis = up === null || shape.axis === 'x' ? shape.axis : OTHER[shape.axis ?? 'y']
      return { ...shape, radius: scale * shape.radius, height: scale * shape.height, ...(axis && { axis }) }
    }
    case 'ellipsoid':
      return { ...shape, radii: exchanged(frame, shape.radii) }
    case 'hull':
      return { ...shape, points: shape.points.map((point) => vector(frame, point)), ...skin(shape, scale) }
    case 'halfspace':
      return { ...shape, normal: turned(up, shape.normal), offset: scale * shape.offset + 0 }
    case 'mesh':
      return { ...shape, vertices: coordinatesInFrame(frame, shape.vertices) }
    case 'heightfield': {
      const { heights, cellSize } = shape
      const higher = Array.from(heights, (height) => (height === null ? null : scale * height))
      return { ...shape, heights: higher, cellSize: { x: scale * cellSize.x, z: scale * cellSize.z } }
    }
    case 'compound':
      return { ...shape, children: shape.children.map((child) => placedInFrame(frame, shapes, child, ORIGIN)) }
  }
}

function skin({ radius }: { radius?: number }, scale: number): { radius?: number } {
  return radius === undefined ? {} : { radius: scale * radius }
}

function sidesInFrame(frame: Frame3d, { min, max }: { min: Vec3; max: Vec3 }): { min: Vec3; max: Vec3 } {
  const [a, b] = [vector(frame, min), vector(frame, max)]
  const pick = (least: (p: number, q: number) => number) => ({
    x: least(a.x, b.x),
    y: least(a.y, b.y),
    z: least(a.z, b.z),
  })
  return { min: pick(Math.min), max: pick(Math.max) }
}

function coordinatesInFrame({ up, scale }: Frame3d, from: ArrayLike<number>): ArrayLike<number> {
  // no places of vertices, which whoever checks them says
  if (from.length % 3 !== 0) return from
  const to = new Array<number>(from.length)
  for (let i = 0; i < from.length; i += 3) {
    const [x, y, z] = [scale * from[i], scale * from[i + 1], scale * from[i + 2]]
    // + 0: no negative zeros
    to[i] = x + 0
    to[i + 1] = (up === null ? y : up === 'y' ? z : -z) + 0
    to[i + 2] = (up === null ? z : up === 'y' ? -y : y) + 0
  }
  return to
}
