/**
 * What can be said of a shape alone, wherever its bodies stand: whether it has an inside, what is wrong with it, how open its meshes are.
 *
 * A large shape is looked at by a worker, from its description: a look has no place to pause.
 */

import type { Shape2d } from '../../schemas/shapes2d.ts'
import type { MeshShape3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../schemas/vector.ts'
import { OutOfBudget } from '../containers/budget.ts'
import { callFar, type FarSlices, type FarTask } from '../containers/far-call.ts'
import { areInLine } from '../core2d/outline/orientation.ts'
import { openEdges } from '../core3d/mesh/mesh-check.ts'
import { spanOf } from '../core3d/shape/convex-hull.ts'
import { type DescribedBody, describeBody, shapeOfDescribed } from '../scene/queries/described-body.ts'
import type { SceneDimension } from '../scene/state/geometry.ts'
import { shapeAt, shapeNumbersAt, type View } from '../scene/state/view.ts'
import type { ShapeLimits } from './body.ts'
import { inspectShape } from './findings.ts'
import { coordinatesOf, listFindings } from './findings-3d.ts'

export type AnyShape = Shape2d | Shape3d

/** Of a finding of `validate`. */
export interface ShapeFinding {
  kind: string
  detail: string
  points: readonly (Vec2 & { z?: number })[]
}

interface Looks {
  /** The type of a part that should have an inside and has none; null without any. */
  flat: { flat: string | null }
  findings: { findings: readonly ShapeFinding[] }
  /** Open edges of meshes. */
  open: { open: number }
}

type LookName = keyof Looks

/** Numbers of the largest shapes that are looked at between two pauses: some milliseconds. */
const MAIN_NUMBERS = 2 ** 13

interface LookTask extends FarTask {
  readonly kind: 'look'
  readonly look: LookName
  readonly body: DescribedBody
  readonly limits: ShapeLimits
}

const LOOKS: {
  readonly [Name in LookName]: (shape: AnyShape, dimension: SceneDimension, limits: ShapeLimits) => Looks[Name]
} = {
  flat: (shape) => ({ flat: flatIn(shape) }),
  findings: (shape, dimension, limits) =>
    dimension === 2
      ? inspectShape({ shape: shape as Shape2d }, limits)
      : { findings: listFindings(shape as Shape3d, limits) },
  open: (shape) => ({ open: openEdgesIn(shape) }),
}

/** What a look at the shape of a body finds; null: it takes more steps than a look may. */
export function* lookAt<Name extends LookName>(
  view: View,
  slot: number,
  look: Name,
  limits: ShapeLimits,
): FarSlices<Looks[Name] | null> {
  const { dimension } = view.table.geometry
  if (shapeNumbersAt(view, slot) <= MAIN_NUMBERS) {
    return LOOKS[look](shapeAt(view, slot) as AnyShape, dimension, limits)
  }
  const task: LookTask = { kind: 'look', look, body: describeBody(view, slot), limits }
  return yield* callFar<Looks[Name] | null>(task)
}

export function isLookTask(task: FarTask): task is LookTask {
  return task.kind === 'look'
}

/** What `lookAt` finds, from the description. */
export function doLookTask({ look, body, limits }: LookTask): Looks[LookName] | null {
  try {
    return LOOKS[look](shapeOfDescribed(body.shape) as AnyShape, body.dimension, limits)
  } catch (error) {
    // not one that says that nobody waits any more, or that memory is short
    if (error instanceof OutOfBudget && error.constructor === OutOfBudget) return null
    throw error
  }
}

function flatIn(shape: AnyShape): string | null {
  if (shape.type !== 'compound') return isFlat(shape) ? shape.type : null
  for (const child of shape.children) {
    const flat = flatIn(child.shape)
    if (flat !== null) return flat
  }
  return null
}

/** Exactly. Kinds that have no inside by design, and meshes, which would not be taken as solids without one, are not. */
function isFlat(shape: AnyShape): boolean {
  switch (shape.type) {
    case 'circle':
    case 'sphere':
    case 'capsule':
      return shape.radius === 0
    case 'cylinder':
    case 'cone':
      return shape.radius === 0 || shape.height === 0
    case 'box': {
      const sides = 'size' in shape ? Object.values(shape.size) : [shape.width, shape.height]
      return (shape.radius ?? 0) === 0 && sides.includes(0)
    }
    case 'aabb': {
      const { min, max } = shape as { min: Vec3; max: Vec3 }
      return min.x === max.x || min.y === max.y || (min.z !== undefined && min.z === max.z)
    }
    case 'polygon':
      return (shape.radius ?? 0) === 0 && areInLine(shape.vertices)
    case 'region':
      return areInLine(shape.outer)
    case 'hull':
      return (shape.radius ?? 0) === 0 && spanOf(coordinatesOf(shape.points), shape.points.length).length < 4
    default:
      return false
  }
}

function openEdgesIn(shape: AnyShape): number {
  if (shape.type === 'compound') {
    let open = 0
    for (const child of shape.children) open += openEdgesIn(child.shape)
    return open
  }
  if (shape.type !== 'mesh') return 0
  const { vertices, triangles } = shape as MeshShape3d
  return openEdges(Float64Array.from(vertices), Uint32Array.from(triangles)).length / 2
}
