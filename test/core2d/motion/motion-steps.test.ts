// Motion counts its steps: what has too many to take is given up, and leaves nothing behind.

import { expect, it } from 'vitest'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import { countSteps, OutOfBudget, within } from '../../../src/containers/budget.ts'
import { trajectory } from '../../../src/core2d/motion/trajectory.ts'
import { createRay, createRayHit, rayCast } from '../../../src/core2d/ray/ray-cast.ts'
import { exactly, type Ring, type Sign } from '../../../src/numeric/exact-ring.ts'
import { sharedSteps } from '../../../src/numeric/step-budget.ts'
import { impactAnswer, type MovingPair, motionOf } from '../../support/answers/impact-answers.ts'
import { prepare } from '../../support/answers/slots.ts'
import { comb, gear, spiral, star } from '../../support/families/jagged-shapes.ts'

const still = (shape: MovingBody2d['shape'], x = 0): MovingBody2d => ({ shape, position: { x, y: 0.1 } })
const moving = (shape: MovingBody2d['shape'], x = 0, angularVelocity = 0): MovingBody2d => ({
  ...still(shape, x),
  velocity: { x: -1, y: 0.1 },
  ...(angularVelocity === 0 ? {} : { angularVelocity }),
})

const pairs: [string, MovingPair][] = [
  ['stars on their way', { a: still(star(200)), b: moving(star(200), 3), duration: 5 }],
  ['stars that turn', { a: still(star(100)), b: moving(star(100), 3, 1), duration: 5 }],
  ['spirals that overlap', { a: still(spiral(200)), b: moving(spiral(200), 0.2), duration: 5 }],
  ['gears that overlap and turn', { a: still(gear(100)), b: moving(gear(100), 0.2, 1), duration: 5 }],
  ['combs', { a: still(comb(50)), b: moving(comb(50), 2), duration: 5 }],
]

it.each(pairs)('%s: takes steps, and stops where there are none left', (_, pair) => {
  const { result, steps } = countSteps(() => impactAnswer(pair))
  expect(result).not.toBeNull()
  expect(steps).toBeGreaterThan(200)
  // Wherever it is given up, the next answer is the same.
  for (const share of [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99]) {
    expect(() => within(Math.floor(steps * share), () => impactAnswer(pair))).toThrow(OutOfBudget)
    expect(sharedSteps()).toBe(Infinity)
  }
  expect(countSteps(() => impactAnswer(pair))).toEqual({ result, steps })
})

it('gives up a turn in which too many leaves are near, and says so alike whatever was asked before', () => {
  const pair = { a: still(star(12000)), b: moving(star(12000), 3, 1), duration: 5 }
  const { result, steps } = countSteps(() => impactAnswer(pair))
  expect(result?.converged).toBe(false)
  // The discs around them meet just before 1.
  expect(result?.time).toBeGreaterThan(0.5)
  expect(result?.time).toBeLessThan(1)
  expect(steps).toBeLessThan(2 ** 22)
  for (const [, other] of pairs.slice(0, 2)) {
    impactAnswer(other)
    expect(impactAnswer(pair)).toEqual(result)
  }
})

it('counts the events of a trajectory', () => {
  const walls = [
    { normal: { x: 0, y: 1 }, offset: 0 },
    { normal: { x: 0, y: -1 }, offset: -1 },
  ].map((plane) => ({ body: prepare({ shape: { type: 'halfplane', ...plane } }), motion: motionOf(still(star(3))) }))
  const ball: MovingBody2d = {
    shape: { type: 'circle', radius: 0.1 },
    position: { x: 0, y: 0.5 },
    velocity: { x: 1, y: 1 },
  }
  const stepsOf = (bounces: number): number =>
    countSteps(() => trajectory(prepare(ball), motionOf(ball), walls, 1e6, 1, bounces)).steps
  const few = stepsOf(10)
  expect(few).toBeGreaterThan(10)
  expect(stepsOf(100)).toBeGreaterThan(5 * few)
  expect(() => within(few, () => trajectory(prepare(ball), motionOf(ball), walls, 1e6, 1, 1000))).toThrow(OutOfBudget)
})

it('counts the leaves that a ray meets', () => {
  const body = prepare(still(comb(500)))
  const ray = { ...createRay(), ox: -1, oy: 0.5, dx: 1, dy: 0 }
  expect(countSteps(() => rayCast(ray, body, 'hit', createRayHit())).steps).toBeGreaterThan(1000)
  ray.oy = 5
  expect(countSteps(() => rayCast(ray, body, 'hit', createRayHit())).steps).toBeLessThan(100)
})

it('counts exact arithmetic by the size of its numbers', () => {
  const stepsOf = (small: number): number => {
    const predicate = <T>({ of, add, mul, sign }: Ring<T>): Sign => sign(mul(add(of(1 / 3), of(small)), of(1 / 3)))
    return countSteps(() => exactly({ smallest: small, largest: 1 / 3 }, 12, predicate)).steps
  }
  expect(stepsOf(1e-300)).toBeGreaterThan(2 * stepsOf(1e-3))
})
