// The query `support`: the point of a body that lies farthest along a direction.

import { createSupport as createSupport2d, support as support2d } from '../../core2d/queries/support.ts'
import { createSupport as createSupport3d, support as support3d } from '../../core3d/queries/support.ts'
import { checkVector, type DecodeProblem, isZeroVector, problemAt, under } from '../../wire/decode-problem.ts'
import { encodeFeature, encodeFeature3d } from '../../wire/encode.ts'
import { encodeLeafFeature } from '../../wire/leaf-feature-3d.ts'
import type { QueryLimits } from '../ask/query.ts'
import { type Geometry, type InBoth, type Kinds, PLANE, SPACE } from './geometry.ts'

/** Result of the core in either dimension. */
interface Found {
  bounded: boolean
  x: number
  y: number
  z?: number
}

interface Core<Body, Direction, F, Feature> {
  support(body: Body, direction: Direction, out: F): void
  found: F
  encodeFeature(found: F, body: Body): Feature
  /** Between which other corners the decision is exact, in the description. */
  also: string
}

function query<K extends Kinds, F extends Found, Feature>(
  { createSlot, decodeBody, details, problems, vector }: Geometry<K>,
  { support, found, encodeFeature, also }: Core<K['body'], K['vector'], F, Feature>,
) {
  const slot = createSlot()
  return {
    tag: 'shapes' as const,
    summary: 'Which point of a body lies farthest along a direction?',
    description: `The support mapping, for shapes of every type. Which of several corners is the farthest is decided exactly${also}.`,
    advice: `Ask about shapes with fewer ${details}.`,
    problems: [...problems, 'direction-zero' as const],
    answer({ body, direction }: { body: K['wire']; direction: K['vector'] }, limits: QueryLimits) {
      const problem = checkDirection(direction) ?? under('/body', decodeBody(body, slot, limits))
      if (problem !== null) return problem
      support(slot, direction, found)
      if (!found.bounded) return { point: null, feature: null }
      return { point: vector(found.x, found.y, found.z), feature: encodeFeature(found, slot) }
    },
  }
}

export const supportQuery: InBoth<'support'> = {
  '2d': query(PLANE, {
    support: (body, { x, y }, out) => support2d(body, x, y, out),
    found: createSupport2d(),
    encodeFeature: (found, body) => encodeFeature(found.feature, body, found.part),
    also: ', also between the parts of a compound that have the same radius',
  }),
  '3d': query(SPACE, {
    support: (body, { x, y, z }, out) => support3d(body, x, y, z, out),
    found: createSupport3d(),
    encodeFeature: (found, body) => {
      const feature = encodeFeature3d(found.feature)
      return feature === null ? null : encodeLeafFeature(feature, body, found.leaf, found)
    },
    also: '',
  }),
}

/** The problem of a direction, whose length may be any but 0, or null. */
export function checkDirection(direction: { x: number; y: number; z?: number }): DecodeProblem | null {
  const problem = checkVector(direction, '/direction', 'Directions')
  if (problem !== null || !isZeroVector(direction)) return problem
  return problemAt('/direction', 'direction-zero', 'The direction must not be the zero vector.')
}
