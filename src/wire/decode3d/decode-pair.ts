// The two bodies of a pair query in space, decoded into the two slots that all pair queries share.

import type { Body3d, MovingBody3d } from '../../../schemas/shapes3d.ts'
import { createBody } from '../../core3d/shape/body.ts'
import { createMotion } from '../../core3d/shape/motion.ts'
import { decodeBody, decodeMovingBody } from '../bodies/body-3d.ts'
import { type DecodeProblem, under } from '../problems/decode-problem.ts'

/** What the last `decodePair` found: handlers run from decode to encode without a break. */
export const bodyA = createBody()
export const bodyB = createBody()
/** The same of `decodeMovingPair`. */
export const motionA = createMotion()
export const motionB = createMotion()

/** Fills `bodyA` and `bodyB`, or gives the first problem, with pointers into the request. */
export function decodePair(
  request: { a: Body3d; b: Body3d },
  limits: { readonly maxVertices: number },
): DecodeProblem | null {
  return under('/a', decodeBody(request.a, bodyA, limits)) ?? under('/b', decodeBody(request.b, bodyB, limits))
}

export function decodeMovingPair(
  request: { a: MovingBody3d; b: MovingBody3d },
  limits: { readonly maxVertices: number },
): DecodeProblem | null {
  return (
    under('/a', decodeMovingBody(request.a, bodyA, motionA, limits)) ??
    under('/b', decodeMovingBody(request.b, bodyB, motionB, limits))
  )
}
