// The query `hull`: the convex hull of points. The corners of the answer are taken from the request as they were sent.

import type { Hull3dRequest, Hull3dResponse, HullRequest, HullResponse } from '../../../schemas/queries/hull.ts'
import { spend } from '../../containers/budget.ts'
import { convexHull as convexHull2d } from '../../core2d/outline/convex-hull.ts'
import { hullSize } from '../../core3d/queries/mass.ts'
import { convexHull as convexHull3d } from '../../core3d/shape/convex-hull.ts'
import type { ConvexHull } from '../../core3d/shape/hull-surface.ts'
import { decodePoints } from '../../wire/body-3d.ts'
import { checkLength, type DecodeProblem, inRange, vectorOutOfRange } from '../../wire/decode-problem.ts'
import { finite } from '../../wire/encode.ts'
import { REQUEST_PROBLEMS } from '../../wire/problem-lists.ts'
import type { QueryLimits } from '../ask/query.ts'
import type { InBoth } from './geometry.ts'

function query<Request extends { points: readonly unknown[] }, Answer>(
  description: string,
  findHull: (request: Request) => Answer | DecodeProblem,
) {
  return {
    tag: 'shapes' as const,
    summary: 'What is the convex hull of these points?',
    description,
    advice: 'Send fewer points.',
    problems: [...REQUEST_PROBLEMS, 'too-many-vertices' as const, 'coordinate-out-of-range' as const],
    answer(request: Request, { maxVertices: limit }: Pick<QueryLimits, 'maxVertices'>): Answer | DecodeProblem {
      return checkLength('points', request.points, 'too-many-vertices', limit) ?? findHull(request)
    },
  }
}

export const hullQuery: InBoth<'hull'> = {
  '2d': query('Every turn is decided exactly, so the corners can be sent back as a polygon as they are.', findHull2d),
  '3d': query(
    'Every sign is exact, whatever the points are: inner, repeated, collinear and coplanar ones are no trouble, and faces that lie in one plane are one. The corners can be sent back as a hull as they are.',
    findHull3d,
  ),
}

function findHull2d({ points }: HullRequest): HullResponse | DecodeProblem {
  const { length: count } = points
  spend(2 * count)
  const coordinates = new Float64Array(2 * count)
  for (let i = 0; i < count; i++) {
    const { x, y } = points[i]
    if (!inRange(x) || !inRange(y)) return vectorOutOfRange(points[i], `/points/${i}`)
    coordinates[2 * i] = x
    coordinates[2 * i + 1] = y
  }
  const indices = new Int32Array(count)
  const size = convexHull2d(coordinates, count, indices)
  return { vertices: Array.from(indices.subarray(0, size), (i) => points[i]) }
}

function findHull3d({ points }: Hull3dRequest): Hull3dResponse | DecodeProblem {
  const { length: count } = points
  const coordinates = new Float64Array(3 * count)
  const problem = decodePoints(points, '/points', coordinates)
  if (problem !== null) return problem
  const hull = convexHull3d(coordinates, count)
  const { volume, area } = hullSize(coordinates, hull)
  spend(hull.vertices.length + hull.origins.length)
  return {
    vertices: Array.from(hull.vertices, (i) => points[i]),
    faces: facesOf(hull),
    volume: finite(volume),
    area: finite(area),
  }
}

/** A flat hull has one face of the two, which are equal but for their direction. */
export function facesOf({ dimension, faceStarts, origins }: ConvexHull): number[][] {
  const count = dimension === 2 ? 1 : faceStarts.length - 1
  return Array.from({ length: count }, (_, f) => Array.from(origins.subarray(faceStarts[f], faceStarts[f + 1])))
}
