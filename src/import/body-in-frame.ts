/**
 * A body of a scene, of any shape and moving, as it is in another frame: mirrored if wanted, then scaled, then moved, exactly where
 * the factors are powers of two. What is absent stays absent where that means the same.
 */

import type { Body2d, MovingBody2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import type { Framing } from './drawing.ts'

// How a file's coordinates become the scene's: mirrored if wanted, then scaled, then moved.

export interface Frame {
  /** Whether y is mirrored, so that what points up on the editor's screen has the greater y. */
  yUp: boolean
  /** Greater than 0. */
  scale: number
  offsetX: number
  offsetY: number
}

export const PLAIN_FRAME: Frame = { yUp: false, scale: 1, offsetX: 0, offsetY: 0 }

/** Whether all bodies stay as they are. */
export function isPlainFrame({ yUp, scale, offsetX, offsetY }: Frame): boolean {
  return !yUp && scale === 1 && offsetX === 0 && offsetY === 0
}

export function framingOf(frame: Frame): Framing<MovingBody2d> {
  return {
    isPlain: isPlainFrame(frame),
    scale: frame.scale,
    moving: (body) => bodyInFrame(frame, body),
    drawn: (body) => placeInFrame(frame, body),
  }
}

/** The frame that undoes another. */
export function inverseFrame({ yUp, scale, offsetX, offsetY }: Frame): Frame {
  const factor = 1 / scale
  return { yUp, scale: factor, offsetX: 0 - factor * offsetX, offsetY: (yUp ? factor : -factor) * offsetY + 0 }
}

export function bodyInFrame<Moving extends MovingBody2d>(frame: Frame, body: Moving): Moving {
  if (isPlainFrame(frame)) return body
  const { velocity, angularVelocity } = body
  return {
    ...body,
    ...placedInFrame(frame, body),
    ...(velocity && { velocity: turned(frame, velocity) }),
    ...(angularVelocity !== undefined && { angularVelocity: angle(frame, angularVelocity) }),
  }
}

/** A body that does not move, in the frame. A position at the origin and a rotation of 0 are left out. */
export function placeInFrame(frame: Frame, { shape, position, rotation }: Body2d): Body2d {
  const placed = bodyInFrame(frame, { shape, ...(position && { position }), ...(rotation && { rotation }) })
  const { x, y } = placed.position ?? { x: 0, y: 0 }
  return {
    shape: placed.shape,
    ...((x !== 0 || y !== 0) && { position: { x: x + 0, y: y + 0 } }),
    ...(placed.rotation && { rotation: placed.rotation }),
  }
}

/** Whether scaling has made some of the shape's numbers 0, or too small for all of their digits. */
export function hasLostNumbers({ scale }: { scale: number }, before: object, after: object): boolean {
  return scale < 1 && tinyCount(after) > tinyCount(before)
}

/** The least number with all of its digits. */
const LEAST_NORMAL = 2 ** -1022

/** How many numbers are 0 or hardly more: mirroring may have exchanged some. */
function tinyCount(value: unknown): number {
  if (typeof value === 'number') return Math.abs(value) < LEAST_NORMAL ? 1 : 0
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const item of value) count += tinyCount(item)
  else for (const name in value) count += tinyCount((value as Record<string, unknown>)[name])
  return count
}

function placedInFrame(frame: Frame, { shape, position, rotation }: Body2d): Body2d {
  const { x, y } = turned(frame, position ?? { x: 0, y: 0 })
  const at = { x: x + frame.offsetX, y: y + frame.offsetY }
  return {
    shape: shapeInFrame(frame, shape),
    ...((position !== undefined || at.x !== 0 || at.y !== 0) && { position: at }),
    ...(rotation !== undefined && { rotation: angle(frame, rotation) }),
  }
}

/** + 0: no negative zeros. */
function angle({ yUp }: Frame, value: number): number {
  return (yUp ? -value : value) + 0
}

/** A vector, and what is counted from where it stands. */
function turned({ yUp, scale }: Frame, { x, y }: Vec2): Vec2 {
  return { x: scale * x + 0, y: (yUp ? -scale : scale) * y + 0 }
}

function shapeInFrame(frame: Frame, shape: Shape2d): Shape2d {
  const { yUp, scale } = frame
  const all = (points: readonly Vec2[]): Vec2[] => points.map((point) => turned(frame, point))
  switch (shape.type) {
    case 'point':
      return shape
    case 'circle':
      return { ...shape, radius: scale * shape.radius }
    case 'segment':
      return { ...shape, a: turned(frame, shape.a), b: turned(frame, shape.b) }
    case 'capsule':
      return { ...shape, a: turned(frame, shape.a), b: turned(frame, shape.b), radius: scale * shape.radius }
    case 'ellipse':
      return { ...shape, rx: scale * shape.rx, ry: scale * shape.ry }
    case 'box':
      return { ...shape, width: scale * shape.width, height: scale * shape.height, ...skin(shape, scale) }
    case 'aabb': {
      const p = turned(frame, shape.min)
      const q = turned(frame, shape.max)
      return yUp ? { ...shape, min: { x: p.x, y: q.y }, max: { x: q.x, y: p.y } } : { ...shape, min: p, max: q }
    }
    case 'polygon':
      return { ...shape, vertices: all(shape.vertices), ...skin(shape, scale) }
    case 'halfplane':
      return { ...shape, normal: turned({ ...PLAIN_FRAME, yUp }, shape.normal), offset: scale * shape.offset + 0 }
    case 'chain':
      return { ...shape, vertices: all(shape.vertices) }
    case 'region':
      return { ...shape, outer: all(shape.outer), ...(shape.holes && { holes: shape.holes.map(all) }) }
    case 'compound': {
      const inside = { ...frame, offsetX: 0, offsetY: 0 }
      return { ...shape, children: shape.children.map((child) => placedInFrame(inside, child)) }
    }
  }
}

function skin({ radius }: { radius?: number }, scale: number): { radius?: number } {
  return radius === undefined ? {} : { radius: scale * radius }
}
