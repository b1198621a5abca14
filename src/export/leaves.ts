// The leaves of a shape: of a compound its children, and theirs, each with its pose.

import type { Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { areInLine } from '../core2d/outline/orientation.ts'
import { childPose, type Pose } from '../pictures/pose.ts'
import { hullOf } from '../pictures/shape-parts.ts'

type LeafShape = Exclude<Shape2d, { type: 'compound' }>

export interface Leaf {
  shape: LeafShape
  pose: Pose
}

export function* leavesOf(shape: Shape2d, pose: Pose): Generator<Leaf, void, undefined> {
  if (shape.type !== 'compound') yield { shape, pose }
  else for (const child of shape.children) yield* leavesOf(child.shape, childPose(pose, child))
}

export function leafCount(shape: Shape2d): number {
  if (shape.type !== 'compound') return 1
  let count = 0
  for (const child of shape.children) count += leafCount(child.shape)
  return count
}

/** Whether something of it has round sides. */
export function isRound(shape: Shape2d): boolean {
  switch (shape.type) {
    case 'compound':
      return shape.children.some((child) => isRound(child.shape))
    case 'ellipse':
      return true
    case 'circle':
    case 'capsule':
    case 'box':
    case 'polygon':
      return (shape.radius ?? 0) > 0
    default:
      return false
  }
}

export function hasHalfplane(shape: Shape2d): boolean {
  return shape.type === 'compound'
    ? shape.children.some((child) => hasHalfplane(child.shape))
    : shape.type === 'halfplane'
}

// Points that may all lie on a line, exactly or as rounding has left them.

/** The ends of the line that they lie on, one point of points that are all the same; null where they have an area around. */
export function flatEnds(points: readonly Vec2[]): Vec2[] | null {
  return areInLine(points) ? hullOf(points) : null
}
