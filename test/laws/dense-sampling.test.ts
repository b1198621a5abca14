// Times of impact against dense sampling of the motion, measured by the oracle: nothing is entered before, and it is at the time.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { measuredParts, partsSeparation } from '../oracle/measured-parts.ts'
import { advancedPair, impactAnswer, type MovingPair } from '../support/answers/impact-answers.ts'
import { anyBody, BOUNDED_TYPES, UNIFORM, vec2 } from '../support/families/arbitraries.ts'
import { hasAabb, rotatedComposite } from '../support/families/composite-arbitraries.ts'
import { pairTolerance, reach } from '../support/families/extent.ts'
import { unshrunk } from '../support/runs.ts'

function separationAt(pair: MovingPair, t: number): number {
  const { a, b } = advancedPair(pair, t)
  return partsSeparation(measuredParts(a, a.position), measuredParts(b, a.position))
}

function check(pair: MovingPair, samples: number): void {
  const answer = impactAnswer(pair)
  const { a, b, duration } = pair
  const end = advancedPair(pair, duration)
  const tolerance = 4 * (pairTolerance(a, b) + pairTolerance(end.a, end.b))
  const until = answer?.time ?? duration
  for (let i = 0; i < samples; i++) {
    const t = (duration * i) / samples
    if (t < until) expect(separationAt(pair, t)).toBeGreaterThanOrEqual(-tolerance)
  }
  if (answer === null || answer.startedOverlapping) return
  expect(answer.converged).toBe(true)
  expect(Math.abs(separationAt(pair, answer.time))).toBeLessThanOrEqual(tolerance)
}

const motion = fc.record({ velocity: vec2(UNIFORM), spin: UNIFORM.coordinate })

/** Apart by a little more than their sizes, drifting and turning. */
const pairs = (bodies: ReturnType<typeof anyBody>): fc.Arbitrary<MovingPair> =>
  fc.record({ a: bodies, b: bodies, one: motion, two: motion, angle: UNIFORM.coordinate }).map((given) => {
    const { a, b, one, two, angle } = given
    const gap = reach(a) + reach(b) + 0.5
    const position = {
      x: (a.position?.x ?? 0) + gap * Math.cos(angle),
      y: (a.position?.y ?? 0) + gap * Math.sin(angle),
    }
    return {
      a: { ...a, velocity: one.velocity, ...(hasAabb(a.shape) ? {} : { angularVelocity: one.spin }) },
      b: {
        ...b,
        position,
        velocity: { x: two.velocity.x - Math.cos(angle) * 3, y: two.velocity.y - Math.sin(angle) * 3 },
        ...(hasAabb(b.shape) ? {} : { angularVelocity: two.spin }),
      },
      duration: 2,
    }
  })

it('of convex bodies that spin', () => {
  fc.assert(
    fc.property(pairs(anyBody(BOUNDED_TYPES.filter((type) => type !== 'ellipse'))), (pair) => check(pair, 1000)),
    unshrunk(200),
  )
})

it('of ellipses that spin', () => {
  fc.assert(
    fc.property(pairs(anyBody(['ellipse', 'box', 'circle'])), (pair) => check(pair, 40)),
    unshrunk(40),
  )
})

it('of composite bodies that spin', () => {
  const bodies = rotatedComposite(UNIFORM, ['circle', 'capsule', 'box', 'polygon', 'segment', 'point'])
  fc.assert(
    fc.property(pairs(bodies), (pair) => check(pair, 200)),
    unshrunk(60),
  )
})
