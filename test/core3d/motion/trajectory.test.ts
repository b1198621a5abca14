// Bodies of every kind thrown at one of every other: each bounces once at most, and flies on.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../../../src/core3d/motion/time-of-impact.ts'
import { type Trajectory, trajectory } from '../../../src/core3d/motion/trajectory.ts'
import { relate } from '../../../src/core3d/queries/overlap.ts'
import { createMotion, type Motion } from '../../../src/core3d/shape/motion.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { moveBody, scaleBody, TURNS, turnBody, turned } from '../../support/families/moved-bodies-3d.ts'
import { runCount, runs } from '../../support/runs.ts'

const motionOf = ([vx, vy, vz]: Triple): Motion => ({ ...createMotion(), vx, vy, vz })

function fly(body: CaseBody, velocity: Triple, obstacles: CaseBody[], duration = 9): Trajectory {
  const still = obstacles.map((each) => ({ body: bodyOf(each), motion: createMotion() }))
  return trajectory(bodyOf(body), motionOf(velocity), still, duration, 1, 100)
}

/** Without what parts at the start, or slides. */
function impact(a: CaseBody, b: CaseBody, velocity: Triple): TimeOfImpact {
  const out = createTimeOfImpact()
  timeOfImpact(bodyOf(a), createMotion(), bodyOf(b), motionOf(velocity), 5, true, 'exit', out)
  return out
}

const drum: CaseBody = { shape: { type: 'cylinder', radius: 1, height: 2 }, position: [0, 0, 0] }
const ball: CaseBody = { shape: { type: 'sphere', radius: 1 }, position: [3, 0, 2] }

describe('a ball at a cylinder', () => {
  it.each(TURNS)('bounces once and flies on, turned $order $sign', (turn) => {
    const { status, bounces, time } = fly(turnBody(turn, ball), turned(turn, [-1, 0, -1]), [turnBody(turn, drum)])
    expect({ status, time, count: bounces.length }).toEqual({ status: 'completed', time: 9, count: 1 })
    expect(bounces[0].time).toBeCloseTo(1.1771243444677, 12)
  })

  it.each([2 ** -10, 2 ** 10, 1e-3, 1e3])('does so at %f times the size', (factor) => {
    const velocity: Triple = [-factor, 0, -factor]
    const { status, bounces } = fly(scaleBody(ball, factor), velocity, [scaleBody(drum, factor)])
    expect({ status, count: bounces.length }).toEqual({ status: 'completed', count: 1 })
  })

  it('does so a million units away', () => {
    const by = [1e6, -1e6, 1e6]
    const { status, bounces } = fly(moveBody(ball, by)!, [-1, 0, -1], [moveBody(drum, by)!])
    expect({ status, count: bounces.length }).toEqual({ status: 'completed', count: 1 })
  })

  // Apart by 8e-17, and parting.
  const near: CaseBody = { ...ball, position: [1.8228756555322954, 0, 0.8228756555322954] }

  it('that has just left it does not hit it', () => {
    expect(impact(drum, near, [1.4, 0, 0.1]).hit).toBe(false)
    expect(impact(near, drum, [-1.4, 0, -0.1]).hit).toBe(false)
    expect(impact(drum, near, [-0.1, 0, 0.3]).hit).toBe(false)
  })

  it('that is as near and comes nearer hits it at once', () => {
    for (const velocity of [
      [-1, 0, 0],
      [-0.5, 0, 0.5],
      [0.5, 0, -1.5],
    ] as Triple[]) {
      const { hit, time } = impact(drum, near, velocity)
      expect(hit).toBe(true)
      expect(time).toBeLessThan(1e-14)
    }
  })
})

const SHAPES: Record<string, CaseShape> = {
  point: { type: 'point' },
  sphere: { type: 'sphere', radius: 0.75 },
  segment: { type: 'segment', a: [-1, 0.5, 0], b: [1, -0.25, 0.5] },
  capsule: { type: 'capsule', a: [-0.5, 0, 0.25], b: [0.75, 0.5, 0], radius: 0.5 },
  triangle: { type: 'triangle', a: [-1, 0, 0], b: [1, 0.5, -0.5], c: [0, -0.5, 1] },
  box: { type: 'box', size: [1.5, 1, 0.75] },
  'rounded box': { type: 'box', size: [0.5, 1, 0.75], radius: 0.25 },
  aabb: { type: 'aabb', min: [-1, -0.5, -0.25], max: [0.5, 0.75, 1] },
  cylinder: { type: 'cylinder', radius: 0.75, height: 1.5, axis: 'x' },
  cone: { type: 'cone', radius: 1, height: 1.25, axis: 'z' },
  ellipsoid: { type: 'ellipsoid', radii: [1, 0.5, 0.75] },
  hull: {
    type: 'hull',
    points: [
      [-1, -1, 0],
      [1, 0, 0],
      [0, 1, 0.25],
      [0, 0, 1],
      [0.25, 0, -1],
    ],
  },
  halfspace: { type: 'halfspace', normal: [1, 2, 3], offset: -1 },
}

const KINDS = Object.keys(SHAPES)
const PAIRS = KINDS.flatMap((one) => KINDS.map((other) => [one, other])).filter(
  ([one, other]) => one !== 'halfspace' || other !== 'halfspace',
)

const direction = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -16, max: 16 }))) as fc.Arbitrary<Triple>
const turns = fc.option(fc.tuple(...[0, 1, 2, 3].map(() => fc.double({ min: 0.1, max: 1, noNaN: true }))))

describe('thrown at one obstacle', () => {
  let count = 0

  it.each(PAIRS)('%s at %s flies on', (one, other) => {
    const throws = fc.tuple(direction, direction, turns, fc.constantFrom(2 ** -10, 1, 1000))
    fc.assert(
      fc.property(throws, ([from, aim, turn, size]) => {
        const place = from.map((x) => x / 2) as Triple
        const length = turn === null ? 1 : Math.hypot(...turn)
        const orientation = turn?.map((x) => x / length) as [number, number, number, number] | undefined
        const turned = (name: string): CaseBody['orientation'] => (name === 'aabb' ? undefined : orientation)
        const body = { shape: SHAPES[one], position: place, orientation: turned(one) } as CaseBody
        const obstacle = { shape: SHAPES[other], position: [0, 0, 0], orientation: turned(other) } as CaseBody
        const a = scaleBody(body, size)
        const b = scaleBody(obstacle, size)
        if (relate(bodyOf(a), bodyOf(b)) <= 0) return
        const velocity = place.map((x, k) => ((aim[k] / 16 - x) / 4) * size) as Triple
        const { status, bounces, position } = fly(a, velocity, [b], 16)
        expect(status).toBe('completed')
        expect(bounces.length).toBeLessThanOrEqual(1)
        expect(relate(bodyOf({ ...a, position: [...position] as Triple }), bodyOf(b))).toBeGreaterThanOrEqual(0)
        count += bounces.length
      }),
      runs(24),
    )
  })

  it('bodies bounce off it as a rule', () => {
    expect(count).toBeGreaterThan((PAIRS.length * runCount(24)) / 4)
  })
})
