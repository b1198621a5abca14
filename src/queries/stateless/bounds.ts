// The query `bounds`: the box of a body, or of its motion.

import { bounds as bounds2d, createBounds as createBounds2d } from '../../core2d/queries/bounds.ts'
import { motionBounds as bounds3d, createBounds as createBounds3d } from '../../core3d/queries/bounds.ts'
import { checkDuration } from '../../wire/body.ts'
import { under } from '../../wire/decode-problem.ts'
import type { QueryLimits } from '../ask/query.ts'
import { type Geometry, type InBoth, type Kinds, PLANE, SPACE } from './geometry.ts'

interface Core<Body, Motion, Found, Answer> {
  bounds(body: Body, motion: Motion, duration: number, out: Found): void
  found: Found
  encode(found: Found): Answer
  description: string
}

function query<K extends Kinds, Found, Answer>(
  { createSlot, createMotion, decodeMovingBody, details, problems }: Geometry<K>,
  { bounds, found, encode, description }: Core<K['body'], K['motion'], Found, Answer>,
) {
  const slot = createSlot()
  const motion = createMotion()
  return {
    tag: 'shapes' as const,
    summary: 'Which box holds a body, or all of its motion?',
    description,
    advice: `Ask about shapes with fewer ${details}.`,
    problems,
    answer({ body, duration = 0 }: { body: K['moving']; duration?: number }, limits: QueryLimits) {
      const problem = checkDuration(duration) ?? under('/body', decodeMovingBody(body, slot, motion, limits))
      if (problem !== null) return problem
      bounds(slot, motion, duration, found)
      return encode(found)
    },
  }
}

export const boundsQuery: InBoth<'bounds'> = {
  '2d': query(PLANE, {
    bounds: bounds2d,
    found: createBounds2d(),
    encode: ({ minX, minY, maxX, maxY }) => ({
      min: { x: encodeSide(minX), y: encodeSide(minY) },
      max: { x: encodeSide(maxX), y: encodeSide(maxY) },
    }),
    description: 'The least axis-aligned box, also where the body turns: not that of a circle around it.',
  }),
  '3d': query(SPACE, {
    bounds: bounds3d,
    found: createBounds3d(),
    encode: ({ min, max }) => ({ min: encodeCorner3d(min), max: encodeCorner3d(max) }),
    description:
      'The least axis-aligned box, also where the body turns; rounded outward, so that it holds the body exactly where it stands or moves without turning.',
  }),
}

function encodeCorner3d([x, y, z]: readonly [number, number, number]) {
  return { x: encodeSide(x), y: encodeSide(y), z: encodeSide(z) }
}

/** Null for infinity: the box has no such side. NaN is a fault and throws. */
function encodeSide(value: number): number | null {
  if (Number.isNaN(value)) throw new RangeError('A bound is not a number')
  return Number.isFinite(value) ? value : null
}
