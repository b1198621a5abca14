// The query `mass`. A shape and its density: decoded, weighed, and its mass properties encoded.

import type { MassRequest, MassResponse } from '../../../schemas/queries/mass.ts'
import type { Shape2d } from '../../../schemas/shapes2d.ts'
import { spend } from '../../containers/budget.ts'
import { createMass, mass } from '../../core2d/measures/mass.ts'
import { createSlot, decodeBody, type ShapeLimits } from '../../wire/bodies/body.ts'
import { encodeVec2 } from '../../wire/bodies/encode.ts'
import { type DecodeProblem, inRange, outOfRange, problemAt } from '../../wire/problems/decode-problem.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'

export const massQuery: QueryOf<'mass'> = {
  tag: 'shapes',
  summary: 'What does a shape weigh, where is its centre, and how hard is it to turn?',
  description:
    'In closed form for every shape, rounded ones and regions with holes included. A compound weighs what its children weigh together: what two of them cover counts twice.',
  advice: 'Ask about shapes with fewer vertices or parts.',
  problems: [...QUERY_PROBLEMS, 'shape-unbounded', 'answer-out-of-range'],
  answer: weigh,
}

const DEFAULT_DENSITY = 1

const slot = createSlot()
const found = createMass()

/** The answer, or the first problem, with pointers into the request. */
function weigh({ shape, density = DEFAULT_DENSITY }: MassRequest, limits: ShapeLimits): MassResponse | DecodeProblem {
  if (!inRange(density)) return outOfRange(density, '/density', 'Densities')
  const problem = decodeBody({ shape }, slot, { ...limits, asDrawn: true })
  if (problem !== null) return problem
  const pointer = halfplaneIn(shape, '/shape')
  if (pointer !== null) {
    return problemAt(`${pointer}/type`, 'shape-unbounded', 'A halfplane has no end, and so neither area nor mass.')
  }
  mass(slot, density, found)
  const { area, inertia } = found
  if (!Number.isFinite(inertia) || !Number.isFinite(found.mass)) {
    const detail = 'Mass or inertia of the shape exceed the largest double: use a larger unit of length or of mass.'
    return problemAt('/shape', 'answer-out-of-range', detail)
  }
  return { area, mass: found.mass, centroid: encodeVec2(found.x, found.y), inertia }
}

/** Where the first half-plane is, if there is one. */
function halfplaneIn(shape: Shape2d, pointer: string): string | null {
  spend(1)
  if (shape.type === 'halfplane') return pointer
  if (shape.type !== 'compound') return null
  for (let i = 0; i < shape.children.length; i++) {
    const inChild = halfplaneIn(shape.children[i].shape, `${pointer}/children/${i}/shape`)
    if (inChild !== null) return inChild
  }
  return null
}
