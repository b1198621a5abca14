// The query `mass`.

import type { Mass3dRequest, Mass3dResponse } from '../../../schemas/queries/mass.ts'
import type { Shape3d } from '../../../schemas/shapes3d.ts'
import { type Axis, coneMass, cylinderMass, ellipsoidMass, hullMass, type Mass } from '../../core3d/measures/mass.ts'
import { convexHull } from '../../core3d/points/convex-hull.ts'
import { type Body, createBody, RADIUS, VERTICES } from '../../core3d/shape/body.ts'
import { AXES_3D, decodeBody } from '../../wire/bodies/body-3d.ts'
import { encodeQuaternion, encodeVec3 } from '../../wire/bodies/encode.ts'
import { type DecodeProblem, inRange, outOfRange, problemAt } from '../../wire/problems/decode-problem.ts'
import { QUERY_3D_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query3dOf, QueryLimits } from '../ask/query.ts'

export const mass3dQuery: Query3dOf<'mass'> = {
  tag: 'shapes',
  summary: 'What does a shape weigh, where is its centre, and how hard is it to turn?',
  description:
    'In closed form for every shape, rounded ones included: volume, area, centroid, and the matrix of inertia about it, also by its principal axes.',
  advice: 'Ask about shapes with fewer points.',
  problems: [...QUERY_3D_PROBLEMS, 'shape-unbounded', 'answer-out-of-range'],
  answer: weigh,
}

const DEFAULT_DENSITY = 1

const slot = createBody()

/** The answer, or the first problem, with pointers into the request. */
function weigh(
  { shape, density = DEFAULT_DENSITY }: Mass3dRequest,
  limits: QueryLimits,
): Mass3dResponse | DecodeProblem {
  if (!inRange(density)) return outOfRange(density, '/density', 'Densities')
  const problem = decodeBody({ shape }, slot, limits)
  if (problem !== null) return problem
  const found = massOf(shape, slot, density)
  if (found === null) {
    return problemAt('/shape/type', 'shape-unbounded', 'A halfspace has no end, and so neither volume nor mass.')
  }
  const { inertia, principal } = found
  if (![found.volume, found.mass, ...Object.values(inertia), ...principal.moments].every(Number.isFinite)) {
    const detail = 'Mass or inertia of the shape exceed the largest double: use a larger unit of length or of mass.'
    return problemAt('/shape', 'answer-out-of-range', detail)
  }
  return {
    volume: found.volume,
    area: found.area,
    mass: found.mass,
    centroid: encodeVec3(found.x, found.y, found.z),
    inertia,
    principal: { moments: encodeVec3(...principal.moments), orientation: encodeQuaternion(principal.orientation) },
  }
}

/** Null where it has no end. `body`: the shape where it was drawn, so that its core points are those of the shape. */
function massOf(shape: Shape3d, { numbers, count }: Body, density: number): Mass | null {
  switch (shape.type) {
    case 'halfspace':
      return null
    case 'cylinder':
      return cylinderMass(shape.radius, shape.height, axisOf(shape), density)
    case 'cone':
      return coneMass(shape.radius, shape.height, axisOf(shape), density)
    case 'ellipsoid':
      return ellipsoidMass([shape.radii.x, shape.radii.y, shape.radii.z], density)
    default: {
      const corners = numbers.subarray(VERTICES, VERTICES + 3 * count)
      return hullMass(corners, convexHull(corners, count), numbers[RADIUS], density)
    }
  }
}

function axisOf({ axis = 'y' }: { axis?: 'x' | 'y' | 'z' }): Axis {
  return AXES_3D.indexOf(axis) as Axis
}
