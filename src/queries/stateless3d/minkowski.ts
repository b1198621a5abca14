// The query `minkowski`.

import type { Minkowski3dRequest, Minkowski3dResponse } from '../../../schemas/queries/minkowski.ts'
import type { Body3d } from '../../../schemas/shapes3d.ts'
import { spend } from '../../containers/budget.ts'
import { type Body, POINTS } from '../../core3d/shape/body.ts'
import { minkowskiSum } from '../../core3d/shape/minkowski-sum.ts'
import { SUM_CORNER_COUNT } from '../../core3d/tolerances.ts'
import { encodeVec3, finite } from '../../wire/bodies/encode.ts'
import { bodyA, bodyB, decodePair } from '../../wire/decode3d/decode-pair.ts'
import { type DecodeProblem, problemAt } from '../../wire/problems/decode-problem.ts'
import { QUERY_3D_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query3dOf } from '../ask/query.ts'

export const minkowski3dQuery: Query3dOf<'minkowski'> = {
  tag: 'pairs',
  summary: 'What do all sums, or all differences, of the points of two bodies make?',
  description:
    'The sum is what a sweeps when its origin is put at every point of b: a body grown by another. The difference is where relative motion is read off: a and b meet where it holds the origin. The corners can be sent back as a hull as they are.',
  advice: 'Ask about shapes with fewer points.',
  problems: [...QUERY_3D_PROBLEMS, 'minkowski-shape-unsupported'],
  answer: combine,
}

/** The answer, or the first problem, with pointers into the request. */
function combine(
  request: Minkowski3dRequest,
  limits: { readonly maxVertices: number },
): Minkowski3dResponse | DecodeProblem {
  const problem =
    decodePair(request, limits) ?? checkShape(bodyA, request.a, '/a') ?? checkShape(bodyB, request.b, '/b')
  if (problem !== null) return problem
  const found = minkowskiSum(bodyA, bodyB, request.operation === 'difference' ? -1 : 1)
  if (found === null) {
    const detail = `The answer may have more than ${SUM_CORNER_COUNT} corners. Send shapes with fewer points.`
    return problemAt('', 'too-many-vertices', detail)
  }
  const { vertices, faces, radius } = found
  spend(vertices.length)
  return {
    vertices: Array.from({ length: vertices.length / 3 }, (_, k) =>
      encodeVec3(vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2]),
    ),
    faces,
    radius: finite(radius),
  }
}

function checkShape({ kind }: Body, { shape: { type } }: Body3d, pointer: string): DecodeProblem | null {
  if (kind === POINTS) return null
  const detail = `A Minkowski sum takes points, spheres, segments, capsules, triangles, boxes, aabbs and hulls, but this shape is of type ${type}.`
  return problemAt(`${pointer}/shape/type`, 'minkowski-shape-unsupported', detail)
}
