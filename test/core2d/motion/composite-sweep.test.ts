// When composites part again: decided by few of the pairs of leaves that meet on the way, as by all of them.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import { countSteps } from '../../../src/containers/budget.ts'
import { endOfContact, firstLeafContact, leafSpans, leafSpansFrom } from '../../../src/core2d/motion/composite-sweep.ts'
import { orderComposites } from '../../../src/core2d/narrow-phase/leaf-pairs.ts'
import { impactAnswer, type MovingPair, motionOf } from '../../support/answers/impact-answers.ts'
import { prepare } from '../../support/answers/slots.ts'
import { comb, gear, spiral, star } from '../../support/families/jagged-shapes.ts'
import { runCount, runs } from '../../support/runs.ts'

const jagged = fc.oneof(
  fc.integer({ min: 3, max: 40 }).map((n) => star(2 * n)),
  fc.integer({ min: 3, max: 20 }).map((n) => gear(4 * n)),
  fc.integer({ min: 20, max: 60 }).map((n) => spiral(2 * n, 3)),
  fc.integer({ min: 2, max: 12 }).map(comb),
)
const coordinate = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.double({ min: -4, max: 4, noNaN: true }))
const vector = fc.record({ x: coordinate, y: coordinate })
const bodies = fc.record({ shape: jagged, position: vector, velocity: vector })

/** Ends of the contact from `start` on: by the few and by all. */
function ends({ a, b, duration }: MovingPair, start: number | null): [number, number] | null {
  const bodyA = prepare(a)
  const bodyB = prepare(b)
  const frame = orderComposites(bodyA, bodyB)
  const [motionA, motionB] = frame.swapped ? [motionOf(b), motionOf(a)] : [motionOf(a), motionOf(b)]
  const given = { frame, motionA, motionB, duration }
  const earliest = { time: 0, leafA: 0, leafB: 0 }
  if (start === null && !firstLeafContact(given, earliest)) return null
  const from = start ?? earliest.time
  return [endOfContact(given, leafSpansFrom(given, from), from), endOfContact(given, leafSpans(given), from)]
}

it('the contact ends when it does by all spans', () => {
  let parted = 0
  fc.assert(
    fc.property(bodies, bodies, fc.constantFrom(0.5, 2, 100), (a, b, duration) => {
      fc.pre(a.velocity.x !== b.velocity.x || a.velocity.y !== b.velocity.y)
      const found = ends({ a, b, duration }, null)
      if (found === null) return
      expect(found[0]).toBe(found[1])
      if (found[1] < Infinity) parted++
    }),
    runs(200),
  )
  expect(parted).toBeGreaterThan(runCount(20))
})

it('takes a small share of the leaves that meet', () => {
  const still = (x: number): MovingBody2d => ({ shape: star(200), position: { x, y: 0.1 } })
  const pair = { a: still(0), b: { ...still(3), velocity: { x: -1, y: 0.1 } }, duration: 10 }
  const all = countSteps(() => ends(pair, null)).steps
  const answered = countSteps(() => impactAnswer(pair))
  expect(answered.result?.exitTime).not.toBeNull()
  expect(answered.steps).toBeLessThan(all / 5)
})
