// The two bodies of a pair query, decoded into the two slots that all pair queries share.

import type { Body2d } from '../../schemas/body.ts'
import { createBody } from '../core2d/body.ts'
import { type DecodeProblem, decodeBody } from './decode-body.ts'

/** What the last `decodePair` found: handlers run from decode to encode without a break. */
export const bodyA = createBody()
export const bodyB = createBody()

/** Fills `bodyA` and `bodyB`, or gives the first problem, with a pointer into the request. */
export function decodePair(request: { a: Body2d; b: Body2d }, maxVertices: number): DecodeProblem | null {
  return at('/a', decodeBody(request.a, bodyA, maxVertices)) ?? at('/b', decodeBody(request.b, bodyB, maxVertices))
}

function at(pointer: string, problem: DecodeProblem | null): DecodeProblem | null {
  return problem === null ? null : { ...problem, pointer: pointer + problem.pointer }
}
