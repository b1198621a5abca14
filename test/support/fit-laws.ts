/** Laws of what encloses a body that hold in the plane and in space alike. */

import fc, { type Arbitrary } from 'fast-check'
import { expect } from 'vitest'
import type { runs } from './runs.ts'

type Runs = ReturnType<typeof runs>

interface Asked {
  shape: unknown
  least: unknown
}

/** The query of a dimension, and the exact test of what its answers hold. */
export interface Fitter<Body, Point, Question extends Asked> {
  ask(request: Question & { body?: Body; points?: Point[] }): { body: Body; measure: number; lower: number }
  /** Whether a body that was answered holds others. */
  heldBy(holder: Body): (guest: Body) => boolean
  question: Arbitrary<Question>
}

export function expectHeld<Body, Point, Question extends Asked>(
  { ask, heldBy, question }: Fitter<Body, Point, Question>,
  bodies: Arbitrary<Body>,
  count: Runs,
): void {
  fc.assert(
    fc.property(bodies, question, (body, asked) => {
      const { body: holder, measure, lower } = ask({ body, ...asked })
      expect(heldBy(holder)(body)).toBe(true)
      expect(lower).toBeLessThanOrEqual(measure)
    }),
    count,
  )
}

/** `places`: of points, of which each coordinate is brought to any size up to the largest that a request may have. */
export function expectPointsHeld<Body, Point extends object, Question extends Asked>(
  { ask, heldBy, question }: Fitter<Body, Point, Question>,
  { places, largest, pointAt }: { places: Arbitrary<Point>; largest: number; pointAt(position: Point): Body },
  count: Runs,
): void {
  const sizes = fc.constantFrom(1, 1e-300, Number.MIN_VALUE, 1e-320, largest, 1e9, 2 ** -52)
  const scale = (x: number, size: number) => (Math.abs(x * size) > 1e99 ? 1e99 * Math.sign(x) : x * size)
  const points = fc
    .tuple(places, sizes, sizes, sizes)
    .map(([place, ...factors]) =>
      Object.fromEntries(Object.entries(place).map(([name, x], k) => [name, scale(x as number, factors[k])])),
    ) as unknown as Arbitrary<Point>
  fc.assert(
    fc.property(fc.array(points, { minLength: 1, maxLength: 8 }), question, (cloud, asked) => {
      const { body, lower, measure } = ask({ points: cloud, ...asked })
      const isHeld = heldBy(body)
      for (const position of cloud) expect(isHeld(pointAt(position))).toBe(true)
      expect(lower).toBeLessThanOrEqual(measure)
    }),
    count,
  )
}

/** The answer hangs on the set of points, not on their order, or on which are repeated. */
export function expectOfTheSet<Body, Point, Question extends Asked>(
  { ask, question }: Fitter<Body, Point, Question>,
  clouds: Arbitrary<Point[]>,
  count: Runs,
): void {
  fc.assert(
    fc.property(clouds, question, (points, asked) => {
      const one = ask({ points, ...asked })
      expect(ask({ points: [...points].reverse(), ...asked })).toEqual(one)
      expect(ask({ points: [...points, ...points], ...asked })).toEqual(one)
    }),
    count,
  )
}
