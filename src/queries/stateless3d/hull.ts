// The query `hull`. Points: decoded, their hull found, and its corners taken from the request as they were sent.

import type { Hull3dRequest, Hull3dResponse } from '../../../schemas/queries/hull.ts'
import { spend } from '../../containers/budget.ts'
import { hullSize } from '../../core3d/measures/mass.ts'
import { convexHull } from '../../core3d/points/convex-hull.ts'
import type { ConvexHull } from '../../core3d/points/hull-surface.ts'
import { decodePoints } from '../../wire/bodies/body-3d.ts'
import { finite } from '../../wire/bodies/encode.ts'
import { type DecodeProblem, problemAt } from '../../wire/problems/decode-problem.ts'
import { REQUEST_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query3dOf } from '../ask/query.ts'

export const hull3dQuery: Query3dOf<'hull'> = {
  tag: 'shapes',
  summary: 'What is the convex hull of these points?',
  description:
    'Every sign is exact, whatever the points are: inner, repeated, collinear and coplanar ones are no trouble, and faces that lie in one plane are one. The corners can be sent back as a hull as they are.',
  advice: 'Send fewer points.',
  problems: [...REQUEST_PROBLEMS, 'too-many-vertices', 'coordinate-out-of-range'],
  answer: findHull,
}

/** The answer, or the first problem, with pointers into the request. */
function findHull({ points }: Hull3dRequest, { maxVertices }: { maxVertices: number }): Hull3dResponse | DecodeProblem {
  const count = points.length
  if (count > maxVertices) {
    const detail = `points must have at most ${maxVertices} items, got ${count}.`
    return problemAt('/points', 'too-many-vertices', detail, { limit: maxVertices, actual: count })
  }
  const coordinates = new Float64Array(3 * count)
  const problem = decodePoints(points, '/points', coordinates)
  if (problem !== null) return problem
  const hull = convexHull(coordinates, count)
  const { volume, area } = hullSize(coordinates, hull)
  spend(hull.vertices.length + hull.origins.length)
  return {
    vertices: Array.from(hull.vertices, (i) => points[i]),
    faces: facesOf(hull),
    volume: finite(volume),
    area: finite(area),
  }
}

/** Of what is flat one of the two, which are the same the other way round. */
function facesOf({ dimension, faceStarts, origins }: ConvexHull): number[][] {
  const count = dimension === 2 ? 1 : faceStarts.length - 1
  return Array.from({ length: count }, (_, f) => Array.from(origins.subarray(faceStarts[f], faceStarts[f + 1])))
}
