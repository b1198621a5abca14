// The two bodies of a Minkowski sum: a pair of which both have core points.

import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Body } from '../../core2d/shape/body.ts'
import { isCored } from '../../core2d/shape/kinds.ts'
import type { ShapeLimits } from '../bodies/body.ts'
import { type DecodeProblem, problemAt } from '../problems/decode-problem.ts'
import { bodyA, bodyB, decodePair } from './decode-pair.ts'

/** Fills `bodyA` and `bodyB`, or gives the first problem, with pointers into the request. */
export function decodeMinkowski(request: { a: Body2d; b: Body2d }, limits: ShapeLimits): DecodeProblem | null {
  return decodePair(request, limits) ?? checkShape(bodyA, request.a, '/a') ?? checkShape(bodyB, request.b, '/b')
}

function checkShape(body: Body, { shape: { type } }: Body2d, pointer: string): DecodeProblem | null {
  if (isCored(body)) return null
  const detail = `A Minkowski sum takes points, circles, segments, capsules, boxes, aabbs and polygons, but this shape is of type ${type}.`
  return problemAt(`${pointer}/shape/type`, 'minkowski-shape-unsupported', detail)
}
