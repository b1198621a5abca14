// Bodies that come down on a half-space: whether they reach it within the duration is decided exactly.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTimeOfImpact, timeOfImpact } from '../../../src/core3d/motion/time-of-impact.ts'
import { createMotion } from '../../../src/core3d/shape/motion.ts'
import { gridFor, leastOf, signOfRadical, toGrid } from '../../oracle/exact-numbers.ts'
import { bodyOf, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { nextAfter } from '../../support/families/next-after.ts'
import { isLongRun, runs } from '../../support/runs.ts'

const out = createTimeOfImpact()

interface Fall {
  shape: CaseShape
  position: Triple
  velocity: Triple
  normal: Triple
  offset: number
}

function reaches({ shape, position, velocity: [vx, vy, vz], normal, offset }: Fall, duration: number): boolean {
  const ground = bodyOf({ shape: { type: 'halfspace', normal, offset }, position: [0, 0, 0] })
  timeOfImpact(
    ground,
    createMotion(),
    bodyOf({ shape, position }),
    { ...createMotion(), vx, vy, vz },
    duration,
    false,
    'exit',
    out,
  )
  return out.hit
}

/** The same in integers: n·(position + lowest corner + duration · velocity) − (offset + radius)·|n| ≤ 0. */
function reachesExactly({ shape, position, velocity, normal, offset }: Fall, duration: number): boolean {
  const { radius = 0 } = shape
  const corners = shape.points ?? [[0, 0, 0]]
  const grid = gridFor([1, duration, radius, offset, ...position, ...velocity, ...normal, ...corners.flat()])
  const of = (x: number): bigint => toGrid(grid, x)
  const one = of(1)
  const heights = corners.map((corner) =>
    corner.reduce(
      (sum, x, k) => sum + of(normal[k]) * ((of(position[k]) + of(x)) * one + of(duration) * of(velocity[k])),
      0n,
    ),
  )
  const lowest = leastOf(heights)
  const square = normal.reduce((sum, x) => sum + of(x) * of(x), 0n)
  return signOfRadical(lowest, -(of(offset) + of(radius)) * one, square) <= 0
}

const short = fc.integer({ min: -4, max: 4 })
const triples = fc.tuple(short, short, short) as fc.Arbitrary<Triple>
const shapes = fc.oneof(
  fc.record({ type: fc.constant('sphere'), radius: fc.constantFrom(0, 0.1, 1, 1.5) }),
  fc.record({
    type: fc.constant('hull'),
    points: fc.array(triples, { minLength: 1, maxLength: 5 }),
    radius: fc.constantFrom(0, 0.3, 1),
  }),
) as fc.Arbitrary<CaseShape>
const speeds = fc.oneof(short, fc.double({ min: -4, max: 4, noNaN: true }))
const falls: fc.Arbitrary<Fall> = fc.record({
  shape: shapes,
  position: fc.tuple(
    fc.integer({ min: -20, max: 20 }),
    fc.integer({ min: -20, max: 20 }),
    fc.integer({ min: 5, max: 40 }),
  ),
  velocity: fc.tuple(speeds, speeds, speeds) as fc.Arbitrary<Triple>,
  normal: triples.filter((n) => n.some((x) => x !== 0)),
  offset: short,
})

describe('a body that comes down on a half-space', () => {
  it('hits it just if it reaches it by the last instant', () => {
    let close = 0
    fc.assert(
      fc.property(falls, (fall) => {
        if (!reaches(fall, 1000) || out.startedOverlapping) return
        const { time } = out
        for (let steps = -3; steps <= 3; steps++) {
          const duration = nextAfter(time, steps)
          const is = reachesExactly(fall, duration)
          expect(reaches(fall, duration)).toBe(is)
          if (!is) close++
        }
      }),
      runs(1000),
    )
    if (isLongRun) expect(close).toBeGreaterThan(100)
  })

  it.each(['sphere', 'box', 'cylinder', 'ellipsoid', 'cone'])(
    '%s that comes down one unit in the last place too late does not',
    (type) => {
      const shape = { type, radius: 1, size: [2, 2, 2], height: 2, radii: [3, 1, 2], axis: 'y' } as CaseShape
      if (type === 'box') shape.radius = 0
      for (const [height, speed] of [
        [4, 1.5],
        [1.75, 0.75],
        [30, 7.25],
      ]) {
        const fall: Fall = { shape, position: [0.5, height, 2], velocity: [0, -speed, 0], normal: [0, 2, 0], offset: 0 }
        const time = (height - 1) / speed
        expect(reaches(fall, time)).toBe(true)
        expect(reaches(fall, nextAfter(time, -1))).toBe(false)
        expect(reaches(fall, nextAfter(time, 1))).toBe(true)
      }
    },
  )

  it('where nothing parts the two, has a point of both, whatever was asked before', () => {
    const ground: CaseShape = { type: 'halfspace', normal: [0, 1, 0], offset: 1 }
    const pairs: [Triple, number][] = [
      [[1, 2, 3], -2],
      [[-1, 1, 0], 5],
      [[2, -1, 0], 0.5],
    ]
    const ask = ([normal, offset]: [Triple, number]) => {
      const roof = bodyOf({ shape: { type: 'halfspace', normal, offset }, position: [3, -1, 2] })
      const still = createMotion()
      timeOfImpact(bodyOf({ shape: ground, position: [0, 0, 0] }), still, roof, still, 1, false, 'exit', out)
      const { startedOverlapping, hasNormal, ax, ay, az } = out
      expect([startedOverlapping, hasNormal]).toEqual([true, false])
      const above = normal[0] * (ax - 3) + normal[1] * (ay + 1) + normal[2] * (az - 2)
      expect(above).toBeLessThanOrEqual(offset * Math.hypot(...normal) + 1e-12)
      expect(ay).toBeLessThanOrEqual(1)
      return [ax, ay, az]
    }
    const first = pairs.map(ask)
    reaches(
      { shape: { type: 'sphere', radius: 1 }, position: [9, 9, 9], velocity: [0, -9, 0], normal: [0, 1, 0], offset: 0 },
      2,
    )
    expect(pairs.map(ask)).toEqual(first)
  })
})
