// For how long an overlap surely lasts: as dense samples say, whichever point of it one looks from.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AdvancingPair, advancingPair, look, nearGap, pose } from '../../../src/core3d/motion/advancing-pair.ts'
import { holdFromContact, holdFromInside } from '../../../src/core3d/motion/held-overlap.ts'
import { movingPair } from '../../../src/core3d/motion/moving-pair.ts'
import { createTimeOfImpact, timeOfImpact } from '../../../src/core3d/motion/time-of-impact.ts'
import { orderPair } from '../../../src/core3d/narrow-phase/pair-frame.ts'
import { RADIUS } from '../../../src/core3d/shape/body.ts'
import { bodyOf } from '../../support/convex-cases-3d.ts'
import { convexBodies } from '../../support/families/convex-bodies.ts'
import { runCount, runs } from '../../support/runs.ts'

const short = fc.integer({ min: -4, max: 4 })
const vector = fc.tuple(short, short, short)

const motions = fc.tuple(vector, vector).map(([[vx, vy, vz], [wx, wy, wz]]) => ({ vx, vy, vz, wx, wy, wz }))

const pairs = fc.tuple(convexBodies, convexBodies, motions, motions)

/** The greatest gap of the cores, less the skins, at samples of a stretch of time. */
function widestGap(state: AdvancingPair, from: number, to: number): number {
  let widest = -Infinity
  for (let k = 0; k <= 16; k++) {
    look(state, from + (to - from) * (k / 16))
    widest = Math.max(widest, state.gap)
  }
  return widest
}

describe('an overlap that is held', () => {
  it('lasts from its inside', () => {
    let held = 0
    fc.assert(
      fc.property(pairs, fc.double({ min: 0, max: 1, noNaN: true }), ([one, other, motionA, motionB], time) => {
        const state = advancingPair(movingPair(orderPair(bodyOf(one), bodyOf(other)), motionA, motionB))
        look(state, time)
        if (state.gap > 0) return
        const span = { before: 0, after: 0 }
        const isHeld = holdFromInside(state, time, 1 - time, true, span)
        expect(isHeld).toBe(span.before > 0 || span.after > 0)
        expect(span.before).toBeLessThanOrEqual(time)
        expect(span.after).toBeLessThanOrEqual(1 - time)
        if (!isHeld) return
        held++
        expect(widestGap(state, time - span.before, time + span.after)).toBeLessThanOrEqual(4 * state.now.error)
      }),
      runs(400),
    )
    expect(held).toBeGreaterThan(runCount(10))
  })

  it('lasts from its contact', () => {
    let held = 0
    fc.assert(
      fc.property(pairs, vector, ([one, other, motionA, motionB], place) => {
        const away = { ...other, position: other.position.map((x, k) => x + 3 * place[k]) as [number, number, number] }
        const a = bodyOf(one)
        const b = bodyOf(away)
        const out = createTimeOfImpact()
        timeOfImpact(a, motionA, b, motionB, 4, false, 'contact', out)
        if (!out.hit || !out.hasNormal || out.time === 0) return
        const frame = orderPair(a, b)
        const state = advancingPair(movingPair(frame, motionA, motionB))
        const side = frame.swapped ? -1 : 1
        pose(state, out.time)
        state.gap = nearGap(state, side * out.nx, side * out.ny, side * out.nz)
        // Skins that are thick keep the cores apart: the nearest points are the cores' own.
        if (a.numbers[RADIUS] + b.numbers[RADIUS] > 0 || Math.abs(state.gap) > 4 * state.now.error) return
        const time = holdFromContact(state, state.near, 1, 4 - out.time)
        if (time === 0) return
        held++
        expect(time).toBeLessThanOrEqual(4 - out.time)
        expect(widestGap(state, out.time, out.time + time)).toBeLessThanOrEqual(8 * state.now.error)
      }),
      runs(400),
    )
    expect(held).toBeGreaterThan(0)
  })
})
