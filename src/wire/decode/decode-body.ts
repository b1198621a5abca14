/**
 * Wire body → core body, or the geometric problem with the place it lies at (relative to the body).
 *
 * Convex shapes fill the slot itself; chains, regions and compounds become its parts. The schema has already settled how
 * deep compounds nest. After this nothing is malformed, so the core never checks again.
 */

import type {
  Body2d,
  ChainShape,
  CompoundShape,
  MovingBody2d,
  RegionShape,
  Shape2d,
} from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import { type Body, type Composite, setPose } from '../../core2d/shape/body.ts'
import {
  addConvexPart,
  addOutlinePart,
  beginComposite,
  createPose,
  finishComposite,
  type Pose,
  setChildPose,
} from '../../core2d/shape/composite.ts'
import type { Motion } from '../../core2d/shape/motion.ts'
import {
  type DecodeProblem,
  inRange,
  outOfRange,
  problemAt,
  under,
  vectorOutOfRange,
} from '../problems/decode-problem.ts'
import { decodeConvex } from './decode-convex.ts'
import { decodeOutline } from './decode-outline.ts'
import { SCHEMA_LIMITS, type ShapeLimits } from './shape-limits.ts'
import { isLarge, releaseLarge } from './slots.ts'

/** What a body takes to decode, and twice that a part of one, for its place in the tree; each vertex is a step more. */
const STEPS_PER_BODY = 8

const ORIGIN: Vec2 = { x: 0, y: 0 }
const NO_PATH: readonly number[] = []

/** Fills `slot`; null when all is well. */
export function decodeBody(wire: Body2d, slot: Body, limits: ShapeLimits = SCHEMA_LIMITS): DecodeProblem | null {
  const { shape, position = ORIGIN, rotation = 0 } = wire
  spend(STEPS_PER_BODY)
  releaseLarge(slot)
  const misplaced = checkPlacement(position, rotation)
  if (misplaced !== null) return misplaced
  setPose(slot, position.x, position.y, rotation)
  switch (shape.type) {
    case 'chain':
    case 'region':
    case 'compound':
      return decodeComposite(shape, slot, placed(position, rotation), limits)
    case 'aabb':
      if (rotation !== 0) return rotatedAabb()
  }
  return under('/shape', decodeConvex(shape, slot, limits.maxVertices))
}

/** The same for a body that may move. */
export function decodeMovingBody(
  wire: MovingBody2d,
  slot: Body,
  motion: Motion,
  limits: ShapeLimits,
): DecodeProblem | null {
  return decodeMotion(wire, motion) ?? decodeBody(wire, slot, limits)
}

/** How a body moves; the problem, or null. */
export function decodeMotion(
  { velocity = ORIGIN, angularVelocity = 0 }: MovingBody2d,
  out: Motion,
): DecodeProblem | null {
  if (!inRange(velocity.x) || !inRange(velocity.y)) return vectorOutOfRange(velocity, '/velocity', 'Velocities')
  if (!inRange(angularVelocity)) return outOfRange(angularVelocity, '/angularVelocity', 'Angular velocities')
  out.vx = velocity.x
  out.vy = velocity.y
  out.spin = angularVelocity
  return null
}

function checkPlacement(position: Vec2, rotation: number): DecodeProblem | null {
  if (!inRange(position.x) || !inRange(position.y)) return vectorOutOfRange(position, '/position')
  return inRange(rotation) ? null : outOfRange(rotation, '/rotation', 'Angles')
}

function placed({ x, y }: Vec2, rotation: number): Pose {
  return { x, xLow: 0, y, yLow: 0, rotation }
}

export function rotatedAabb(): DecodeProblem {
  const detail = 'A body with an aabb takes no rotation: leave rotation out, or use a box or a polygon.'
  return problemAt('/rotation', 'aabb-rotated', detail)
}

export function aabbInRotated(): DecodeProblem {
  const detail = 'An aabb takes no rotation, but a compound around it has one: use a box or a polygon.'
  return problemAt('/shape', 'aabb-rotated', detail)
}

function decodeComposite(
  shape: ChainShape | RegionShape | CompoundShape,
  slot: Body,
  pose: Pose,
  limits: ShapeLimits,
): DecodeProblem | null {
  const tooMany = shape.type === 'compound' ? checkParts(shape, limits.maxParts) : null
  if (tooMany !== null) return under('/shape', tooMany)
  if (isLarge(countParts(shape), countLeaves(shape))) slot.composite = null
  const composite = beginComposite(slot)
  // whatever ends the work, no slot has half of one
  slot.composite = null
  const problem =
    shape.type === 'compound'
      ? addChildren(composite, shape, pose, NO_PATH, limits)
      : decodeOutline(shape, addOutlinePart(composite, pose, NO_PATH), limits)
  if (problem !== null) return under('/shape', problem)
  slot.composite = composite
  finishComposite(slot)
  return null
}

/** Counts the shapes of a compound that no other is around. */
export function checkParts(shape: CompoundShape, limit: number): DecodeProblem | null {
  const actual = countParts(shape)
  if (actual <= limit) return null
  const detail = `A compound may have at most ${limit} parts, got ${actual}.`
  return problemAt('/children', 'too-many-parts', detail, { limit, actual })
}

function countParts(shape: Shape2d): number {
  if (shape.type !== 'compound') return 1
  let count = 0
  for (const child of shape.children) count += countParts(child.shape)
  return count
}

/** At most so many; what a chain or a region repeats is counted too. */
function countLeaves(shape: Shape2d): number {
  let count = 0
  switch (shape.type) {
    case 'compound':
      for (const child of shape.children) count += countLeaves(child.shape)
      return count
    case 'chain':
      return shape.vertices.length
    case 'region':
      count = shape.outer.length
      for (const hole of shape.holes ?? []) count += hole.length
      return count
    default:
      return 1
  }
}

/** The problem's pointer is relative to the compound's shape. */
function addChildren(
  composite: Composite,
  { children }: CompoundShape,
  pose: Pose,
  path: readonly number[],
  limits: ShapeLimits,
): DecodeProblem | null {
  for (let i = 0; i < children.length; i++) {
    const problem = addChild(composite, children[i], pose, [...path, i], limits)
    if (problem !== null) return under(`/children/${i}`, problem)
  }
  return null
}

function addChild(
  composite: Composite,
  { shape, position = ORIGIN, rotation = 0 }: Body2d,
  parent: Pose,
  path: readonly number[],
  limits: ShapeLimits,
): DecodeProblem | null {
  spend(2 * STEPS_PER_BODY)
  const misplaced = checkPlacement(position, rotation)
  if (misplaced !== null) return misplaced
  const pose = createPose()
  setChildPose(pose, parent, position.x, position.y, rotation)
  switch (shape.type) {
    case 'compound':
      return under('/shape', addChildren(composite, shape, pose, path, limits))
    case 'chain':
    case 'region':
      return under('/shape', decodeOutline(shape, addOutlinePart(composite, pose, path), limits))
    case 'aabb':
      if (rotation !== 0) return rotatedAabb()
      if (parent.rotation !== 0) return aabbInRotated()
  }
  return under('/shape', decodeConvex(shape, addConvexPart(composite, pose, path), limits.maxVertices))
}
