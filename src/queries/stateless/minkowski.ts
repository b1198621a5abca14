// The query `minkowski`: the sum, or the difference, of two convex bodies.

import type { Minkowski3dResponse, MinkowskiResponse } from '../../../schemas/queries/minkowski.ts'
import { spend } from '../../containers/budget.ts'
import { type Body as Body2d, isCored } from '../../core2d/shape/body.ts'
import {
  createMinkowskiSum,
  minkowskiDifference,
  minkowskiSum as minkowskiSum2d,
} from '../../core2d/shape/minkowski-difference.ts'
import { type Body as Body3d, POINTS } from '../../core3d/shape/body.ts'
import { minkowskiSum as minkowskiSum3d } from '../../core3d/shape/minkowski-sum.ts'
import { SUM_CORNER_COUNT } from '../../core3d/tolerances.ts'
import { type DecodeProblem, problemAt } from '../../wire/decode-problem.ts'
import { encodeVec2, encodeVec3, finite } from '../../wire/encode.ts'
import type { QueryLimits } from '../ask/query.ts'
import { decodePair, type Geometry, type InBoth, type Kinds, PLANE, SPACE } from './geometry.ts'

interface Request<Wire> {
  a: Wire
  b: Wire
  operation?: 'sum' | 'difference'
}

interface Core<Body, Answer> {
  /** Whether the body has core points. */
  isTaken(body: Body): boolean
  /** The shapes that are. */
  taken: string
  combine(a: Body, b: Body, isDifference: boolean): Answer | DecodeProblem
  /** Last part of the description. */
  also: string
}

function query<K extends Kinds, Answer>(geometry: Geometry<K>, core: Core<K['body'], Answer>) {
  const { a, b, details, problems } = geometry
  const check = (body: K['body'], { shape: { type } }: K['wire'], pointer: string): DecodeProblem | null => {
    if (core.isTaken(body)) return null
    const detail = `A Minkowski sum takes ${core.taken}, but this shape is of type ${type}.`
    return problemAt(`${pointer}/shape/type`, 'minkowski-shape-unsupported', detail)
  }
  return {
    tag: 'pairs' as const,
    summary: 'What do all sums, or all differences, of the points of two bodies make?',
    description: `The sum is what a sweeps when its origin is put at every point of b: a body grown by another. The difference is where relative motion is read off: a and b meet where it holds the origin.${core.also}`,
    advice: `Ask about shapes with fewer ${details}.`,
    problems: [...problems, 'minkowski-shape-unsupported' as const],
    answer(request: Request<K['wire']>, limits: QueryLimits): Answer | DecodeProblem {
      const problem = decodePair(geometry, request, limits) ?? check(a, request.a, '/a') ?? check(b, request.b, '/b')
      return problem ?? core.combine(a, b, request.operation === 'difference')
    },
  }
}

export const minkowskiQuery: InBoth<'minkowski'> = {
  '2d': query(PLANE, {
    isTaken: isCored,
    taken: 'points, circles, segments, capsules, boxes, aabbs and polygons',
    combine: combine2d,
    also: '',
  }),
  '3d': query(SPACE, {
    isTaken: ({ kind }) => kind === POINTS,
    taken: 'points, spheres, segments, capsules, triangles, boxes, aabbs and hulls',
    combine: combine3d,
    also: ' The corners can be sent back as a hull as they are.',
  }),
}

const found2d = createMinkowskiSum()

function combine2d(a: Body2d, b: Body2d, isDifference: boolean): MinkowskiResponse {
  if (isDifference) minkowskiDifference(a, b, found2d)
  else minkowskiSum2d(a, b, found2d)
  const { vertices, count, radius } = found2d
  return {
    vertices: Array.from({ length: count }, (_, i) => encodeVec2(vertices[2 * i], vertices[2 * i + 1])),
    radius: finite(radius),
  }
}

function combine3d(a: Body3d, b: Body3d, isDifference: boolean): Minkowski3dResponse | DecodeProblem {
  const found = minkowskiSum3d(a, b, isDifference ? -1 : 1)
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
