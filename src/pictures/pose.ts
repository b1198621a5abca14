/**
 * Placement of bodies in a picture of the plane.
 *
 * Frame: y up, lengths in the caller's unit, relative to the picture's origin, so that shapes far from the world's origin
 * keep their digits.
 */
import type { Body2d, MovingBody2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'

export interface Pose {
  x: number
  y: number
  angle: number
}

const ZERO: Vec2 = { x: 0, y: 0 }

/** A point of the world relative to the picture's origin. */
export function from(origin: Vec2, { x, y }: Vec2): Vec2 {
  return { x: x - origin.x, y: y - origin.y }
}

export function poseOf({ position = ZERO, rotation = 0 }: Body2d, origin: Vec2): Pose {
  return { ...from(origin, position), angle: rotation }
}

/** The pose after `time` seconds. */
export function poseAt(body: MovingBody2d, origin: Vec2, time: number): Pose {
  const { velocity = ZERO, angularVelocity = 0 } = body
  const { x, y, angle } = poseOf(body, origin)
  return { x: x + velocity.x * time, y: y + velocity.y * time, angle: angle + angularVelocity * time }
}

export function childPose(parent: Pose, { position = ZERO, rotation = 0 }: Body2d): Pose {
  return { ...placed(parent, position), angle: parent.angle + rotation }
}

export function placed({ x, y, angle }: Pose, point: Vec2): Vec2 {
  if (angle === 0) return { x: x + point.x, y: y + point.y }
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  return { x: x + cos * point.x - sin * point.y, y: y + sin * point.x + cos * point.y }
}

/** `vector` at length 1, or null for a zero vector; any magnitude. */
export function unit({ x, y }: Vec2): Vec2 | null {
  const size = Math.max(Math.abs(x), Math.abs(y))
  if (size === 0) return null
  const length = Math.hypot(x / size, y / size)
  return { x: x / size / length, y: y / size / length }
}

export function lengthBetween(p: Vec2, q: Vec2): number {
  return Math.hypot(q.x - p.x, q.y - p.y)
}

export function along(p: Vec2, direction: Vec2, distance: number): Vec2 {
  return { x: p.x + direction.x * distance, y: p.y + direction.y * distance }
}

export function midway(p: Vec2, q: Vec2): Vec2 {
  return { x: p.x + (q.x - p.x) / 2, y: p.y + (q.y - p.y) / 2 }
}
