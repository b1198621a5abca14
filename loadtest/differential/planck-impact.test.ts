/**
 * Times of impact against planck's TimeOfImpact (conservative advancement with a separating-axis root finder, double
 * precision) and ShapeCast (GJK ray cast), on well-conditioned random input.
 *
 * Set aside: pairs that overlap at the start, where planck tells no more than that; searches that planck gives up
 * (`e_failed`), which are counted; grazes, which may come out either way; misses with spin: planck looks at the end of
 * the motion along the axis that separates its start, and lets pass what went through in between while the axis turned.
 */
import fc from 'fast-check'
import {
  Settings,
  ShapeCast,
  ShapeCastInput,
  ShapeCastOutput,
  type Sweep,
  TimeOfImpact,
  TOIInput,
  TOIOutput,
  TOIOutputState,
} from 'planck'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { MovingBody2d } from '../../schemas/shapes2d.ts'
import { contactAnswer } from '../../test/support/answers/answers.ts'
import { AT_REST, advancedPair, impactAnswer, type MovingPair } from '../../test/support/answers/impact-answers.ts'
import { runs } from '../../test/support/runs.ts'
import { peer, SLOP } from './planck-peer.ts'
import { plainMotion } from './well-conditioned.ts'

const TOLERANCE = 1e-5
const slop = Settings.linearSlop

beforeAll(() => {
  Settings.linearSlop = SLOP
})
afterAll(() => {
  Settings.linearSlop = slop
})

function setSweep(sweep: Sweep, body: MovingBody2d, duration: number): void {
  const { position = AT_REST, rotation = 0, velocity = AT_REST, angularVelocity = 0 } = body
  sweep.c0.set(position.x, position.y)
  sweep.c.set(position.x + velocity.x * duration, position.y + velocity.y * duration)
  sweep.a0 = rotation
  sweep.a = rotation + angularVelocity * duration
}

/** Time, null for a miss, undefined when planck does not know. */
function peerImpact({ a, b, duration }: MovingPair): number | null | undefined {
  const input = new TOIInput()
  input.proxyA.set(peer(a).shape, 0)
  input.proxyB.set(peer(b).shape, 0)
  setSweep(input.sweepA, a, duration)
  setSweep(input.sweepB, b, duration)
  input.tMax = 1
  const output = new TOIOutput()
  TimeOfImpact(output, input)
  if (output.state === TOIOutputState.e_touching) return output.t * duration
  return output.state === TOIOutputState.e_separated ? null : undefined
}

/** Deepest separation of the two on their way. */
function deepest(pair: MovingPair): number {
  const samples = Array.from({ length: 200 }, (_, i) => (pair.duration * i) / 199)
  return Math.min(...samples.map((t) => contactAnswer(advancedPair(pair, t)).separation))
}

function compare(pair: MovingPair, expected: number | null): void {
  const answer = impactAnswer(pair)
  if ((answer === null) !== (expected === null)) {
    expect(Math.abs(deepest(pair))).toBeLessThanOrEqual(1e-2)
    return
  }
  if (answer === null || expected === null || Math.abs(answer.time - expected) <= TOLERANCE) return
  // A graze first: between the two times they hardly leave each other.
  const middle = advancedPair(pair, (answer.time + expected) / 2)
  expect(Math.abs(contactAnswer(middle).separation)).toBeLessThanOrEqual(1e-3)
}

const TYPES = ['circle', 'segment', 'box', 'polygon'] as const

it.each([
  ['without spin', 0],
  ['with spin', 3],
])('TimeOfImpact %s', (_name, spin) => {
  let known = 0
  let asked = 0
  fc.assert(
    fc.property(plainMotion(TYPES, spin), (pair) => {
      asked++
      if (contactAnswer(pair).separation <= 0) return
      const expected = peerImpact(pair)
      if (expected === undefined || (expected === null && spin > 0)) return
      known++
      compare(pair, expected)
    }),
    runs(1500),
  )
  expect(known).toBeGreaterThan(asked / 4)
})

it('ShapeCast', () => {
  fc.assert(
    fc.property(plainMotion(TYPES), (pair) => {
      const { a, b, duration } = pair
      if (contactAnswer(pair).separation <= 0) return
      const [first, second] = [peer(a), peer(b)]
      const { velocity: v = AT_REST } = a
      const { velocity: w = AT_REST } = b
      const input = new ShapeCastInput()
      input.proxyA.set(first.shape, 0)
      input.proxyB.set(second.shape, 0)
      input.transformA.set(first.transform)
      input.transformB.set(second.transform)
      input.translationB.set((w.x - v.x) * duration, (w.y - v.y) * duration)
      const output = new ShapeCastOutput()
      compare(pair, ShapeCast(output, input) ? output.lambda * duration : null)
    }),
    runs(1500),
  )
})
