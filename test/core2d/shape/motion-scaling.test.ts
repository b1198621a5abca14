// Units for moving pairs: whatever the exponents of sizes, speeds, spins and durations, nothing overflows in them.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBody, REACH, setCapsule, setPose, X } from '../../../src/core2d/shape/body.ts'
import { type MotionScale, scaleMover, setMotionScale } from '../../../src/core2d/shape/motion.ts'

const number = (least: number, most: number) =>
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: least, max: most }).map((exponent) => 1.5 * 2 ** exponent),
  )

const mover = fc.record({
  x: number(-1074, 332),
  size: number(-1074, 331),
  vx: number(-1074, 332),
  vy: number(-1074, 332),
  spin: number(-1074, 332),
})

describe('units of motion', () => {
  it('keep speeds, places and ways finite', () => {
    fc.assert(
      fc.property(mover, mover, fc.boolean(), number(-1074, 332), (p, q, together, duration) => {
        const [a, b] = [p, q].map(({ x, size }) => {
          const body = createBody()
          setPose(body, x, 0, 0)
          setCapsule(body, 0, 0, size, 0, 0)
          return body
        })
        const [motionA, motionB] = [p, together ? { ...q, vx: p.vx, vy: p.vy } : q]
        const scale: MotionScale = { length: 0, time: 0, duration: 0 }
        if (!setMotionScale(a!, motionA, b!, motionB, duration, scale)) return
        const movers = [scaleMover(a!, motionA, scale), scaleMover(b!, motionB, scale)]
        const numbers = [scale.duration]
        for (const { body, motion } of movers) {
          numbers.push(body.numbers[X], body.numbers[REACH], motion.vx, motion.vy, motion.spin)
          numbers.push(scale.duration * motion.vx, scale.duration * motion.vy, scale.duration * motion.spin)
        }
        expect(numbers.filter((value) => !Number.isFinite(value))).toEqual([])
      }),
      { numRuns: 5000 },
    )
  })
})
