// The query `hull`. Points: decoded, their hull found, and its corners taken from the request as they were sent.

import type { HullRequest, HullResponse } from '../../../schemas/queries/hull.ts'
import { spend } from '../../containers/budget.ts'
import { convexHull } from '../../core2d/points/convex-hull.ts'
import { type DecodeProblem, inRange, problemAt, vectorOutOfRange } from '../../wire/problems/decode-problem.ts'
import { REQUEST_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'

export const hullQuery: QueryOf<'hull'> = {
  tag: 'shapes',
  summary: 'What is the convex hull of these points?',
  description: 'Every turn is decided exactly, so the corners can be sent back as a polygon as they are.',
  advice: 'Send fewer points.',
  problems: [...REQUEST_PROBLEMS, 'too-many-vertices', 'coordinate-out-of-range'],
  answer: findHull,
}

/** The answer, or the first problem, with pointers into the request. */
function findHull({ points }: HullRequest, { maxVertices }: { maxVertices: number }): HullResponse | DecodeProblem {
  const count = points.length
  if (count > maxVertices) {
    const detail = `points must have at most ${maxVertices} items, got ${count}.`
    return problemAt('/points', 'too-many-vertices', detail, { limit: maxVertices, actual: count })
  }
  spend(2 * count)
  const coordinates = new Float64Array(2 * count)
  for (let i = 0; i < count; i++) {
    const { x, y } = points[i]
    if (!inRange(x) || !inRange(y)) return vectorOutOfRange(points[i], `/points/${i}`)
    coordinates[2 * i] = x
    coordinates[2 * i + 1] = y
  }
  const indices = new Int32Array(count)
  const size = convexHull(coordinates, count, indices)
  return { vertices: Array.from(indices.subarray(0, size), (i) => points[i]) }
}
