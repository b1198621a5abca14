// Everything that is worth saying about a shape: what queries refuse it for, and what they take otherwise than it is written.

import type { ValidateRequest, ValidateResponse } from '../../../schemas/queries/validate.ts'
import type { Body2d, CompoundShape, Shape2d } from '../../../schemas/shapes2d.ts'
import { spend } from '../../containers/budget.ts'
import { createPose, setChildPose } from '../../core2d/shape/composite.ts'
import { aabbInRotated, checkParts, rotatedAabb, type ShapeLimits } from '../bodies/body.ts'
import { inspectChain, inspectPolygon, inspectRegion } from './inspect-outline.ts'
import { inspectPlain, numbersInRange } from './inspect-plain.ts'
import { addProblem, closeShape, createShapeFindings, type ShapeScope } from './shape-findings.ts'

/** What a child of a compound takes by itself. */
const STEPS_PER_SHAPE = 16

/** All findings. The shape is valid if and only if `decodeBody` takes it. */
export function inspectShape({ shape }: ValidateRequest, { maxVertices, maxParts }: ShapeLimits): ValidateResponse {
  const findings = createShapeFindings()
  const scope: ShapeScope = { findings, pointer: '#/shape', pose: createPose(), maxVertices }
  const tooMany = shape.type === 'compound' ? checkParts(shape, maxParts) : null
  if (tooMany === null) inspect(shape, scope)
  else addProblem(scope, 0, 'too-many-parts', tooMany)
  closeShape(findings)
  const { listed, refused, truncated } = findings
  return { valid: !refused, findings: listed, truncated }
}

function inspect(shape: Shape2d, scope: ShapeScope): void {
  switch (shape.type) {
    case 'compound':
      inspectChildren(shape, scope)
      return
    case 'polygon':
      inspectPolygon(shape, scope)
      break
    case 'region':
      inspectRegion(shape, scope)
      break
    case 'chain':
      inspectChain(shape, scope)
      break
    default:
      inspectPlain(shape, scope)
  }
  closeShape(scope.findings)
}

function inspectChildren({ children }: CompoundShape, scope: ShapeScope): void {
  for (let i = 0; i < children.length; i++) {
    spend(STEPS_PER_SHAPE)
    inspectChild(children[i], { ...scope, pointer: `${scope.pointer}/children/${i}` })
  }
}

/** `scope` is that of the child, with the pose of what holds it. */
function inspectChild({ shape, position, rotation = 0 }: Body2d, scope: ShapeScope): void {
  const { pose: parent, findings } = scope
  const isPlaced = position === undefined || numbersInRange(scope, { position })
  const isTurned = numbersInRange(scope, { rotation }, 2, 'Angles')
  if (shape.type === 'aabb' && rotation !== 0) addProblem(scope, 4, 'aabb-rotated', rotatedAabb())
  else if (shape.type === 'aabb' && parent.rotation !== 0) addProblem(scope, 4, 'aabb-rotated', aabbInRotated())
  closeShape(findings)
  // Nothing can be said about the places of what is nowhere.
  if (!isPlaced || !isTurned) return
  const pose = createPose()
  setChildPose(pose, parent, position?.x ?? 0, position?.y ?? 0, rotation)
  inspect(shape, { ...scope, pointer: `${scope.pointer}/shape`, pose })
}
