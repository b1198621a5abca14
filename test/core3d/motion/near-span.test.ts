// The time in which balls around two bodies meet: it holds every contact, of balls that only graze as well.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { advancingPair } from '../../../src/core3d/motion/advancing-pair.ts'
import { movingPair } from '../../../src/core3d/motion/moving-pair.ts'
import { orderPair } from '../../../src/core3d/narrow-phase/pair-frame.ts'
import { createMotion, type Motion } from '../../../src/core3d/shape/motion.ts'
import { bodyOf, type CaseBody, type Triple } from '../../support/convex-cases-3d.ts'
import { runs } from '../../support/runs.ts'

const ball = (radius: number, position: Triple): CaseBody => ({
  shape: { type: 'sphere', radius },
  position,
  orientation: [0, 0, 0, 1],
})

function spanOf(a: CaseBody, b: CaseBody, motion: Motion): readonly [number, number] {
  return advancingPair(movingPair(orderPair(bodyOf(a), bodyOf(b)), createMotion(), motion)).span
}

const whole = (most: number) => fc.integer({ min: -most, max: most })

describe('balls that touch at a known time', () => {
  it('do so within the span, wherever they are, whatever their size, and if they graze', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.tuple(whole(1000), whole(1000), whole(1000)),
        fc.integer({ min: 0, max: 2 ** 20 }),
        fc.integer({ min: 1, max: 999 }),
        fc.integer({ min: -120, max: 120 }),
        fc.tuple(whole(2 ** 30), whole(2 ** 30), whole(2 ** 30)),
        fc.boolean(),
        (m, v, time, share, exponent, place, grazes) => {
          const s = 2 ** exponent
          const way = grazes ? [4 * v[0], -3 * v[0], v[2]] : v
          // Of length 5 · 1000 m: it touches there.
          const touch = [3000 * m, 4000 * m, 0]
          const at = touch.map((c, k) => s * (place[k] + c - way[k] * time)) as unknown as Triple
          const from = place.map((c) => s * c) as unknown as Triple
          const a = ball(s * 5 * m * share, from)
          const b = ball(s * 5 * m * (1000 - share), at)
          const motion = { ...createMotion(), vx: s * way[0], vy: s * way[1], vz: s * way[2] }
          const [soonest, latest] = spanOf(a, b, motion)
          expect(soonest).toBeLessThanOrEqual(time)
          expect(latest).toBeGreaterThanOrEqual(time)
        },
      ),
      runs(3000),
    )
  })
})

describe('what never comes near', () => {
  const still = ball(1, [0, 0, 0])
  const passing = { ...createMotion(), vx: 1 }

  it('has no such time', () => {
    expect(spanOf(still, ball(1, [-9, 3, 0]), passing)).toEqual([Infinity, -Infinity])
    expect(spanOf(still, ball(1, [9, 0, 0]), passing)).toEqual([Infinity, -Infinity])
    expect(spanOf(still, ball(1, [9, 0, 0]), createMotion())).toEqual([Infinity, -Infinity])
  })

  it('has all times where it is too slow to tell', () => {
    expect(spanOf(still, ball(1, [9, 0, 0]), { ...passing, vx: Number.MIN_VALUE })).toEqual([0, Infinity])
  })
})

it('is about as long as the balls meet', () => {
  const [soonest, latest] = spanOf(ball(1, [0, 0, 0]), ball(2, [-9, 0, 0]), { ...createMotion(), vx: 3 })
  expect(soonest).toBeCloseTo(2)
  expect(latest).toBeCloseTo(4)
})

it('goes by the middle of what does not turn, and by the position of what does', () => {
  const arm: CaseBody = {
    shape: { type: 'segment', a: [9, 0, 0], b: [11, 0, 0] },
    position: [0, 0, 0],
    orientation: [0, 0, 0, 1],
  }
  const by = { ...createMotion(), vy: 1 }
  expect(spanOf(ball(1, [0, 5, 0]), arm, by)).toEqual([Infinity, -Infinity])
  expect(spanOf(ball(1, [0, 5, 0]), arm, { ...by, wz: 1 })[0]).toBe(0)
})
