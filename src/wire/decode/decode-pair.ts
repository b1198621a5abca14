// The two bodies of a pair query, decoded into the two slots that all pair queries share.

import type { Body2d, MovingBody2d } from '../../../schemas/shapes2d.ts'
import { createMotion } from '../../core2d/shape/motion.ts'
import { createSlot, decodeBody, decodeMovingBody, type ShapeLimits } from '../bodies/body.ts'
import { type DecodeProblem, under } from '../problems/decode-problem.ts'

/** What the last `decodePair` found: handlers run from decode to encode without a break. */
export const bodyA = createSlot()
export const bodyB = createSlot()
/** The same of `decodeMovingPair`. */
export const motionA = createMotion()
export const motionB = createMotion()

/** Fills `bodyA` and `bodyB`, or gives the first problem, with pointers into the request. */
export function decodePair(request: { a: Body2d; b: Body2d }, limits: ShapeLimits): DecodeProblem | null {
  return under('/a', decodeBody(request.a, bodyA, limits)) ?? under('/b', decodeBody(request.b, bodyB, limits))
}

export function decodeMovingPair(
  request: { a: MovingBody2d; b: MovingBody2d },
  limits: ShapeLimits,
): DecodeProblem | null {
  return (
    under('/a', decodeMovingBody(request.a, bodyA, motionA, limits)) ??
    under('/b', decodeMovingBody(request.b, bodyB, motionB, limits))
  )
}
