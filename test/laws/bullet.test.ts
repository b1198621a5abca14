// Bullet through paper: however fast and however thin, what crosses hits.
import { expect, it } from 'vitest'
import type { Body2d, MovingBody2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { impactAnswer, type MovingPair, swappedPair } from '../support/answers/impact-answers.ts'
import { runCount, seed } from '../support/runs.ts'

const RADIUS = 1e-6
const SPEED = 1e6
const COUNT = 10_000

/** A small generator of our own, so that a set-up is found again by its number (T. Ettinger, mulberry32). */
function numbers(start: number): (low: number, high: number) => number {
  let state = start >>> 0
  return (low, high) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return low + (high - low) * (((t ^ (t >>> 14)) >>> 0) / 2 ** 32)
  }
}

interface Shot {
  pair: MovingPair
  /** When the bullet's centre is on the paper. */
  through: number
}

function unit(angle: number): Vec2 {
  return { x: Math.cos(angle), y: Math.sin(angle) }
}

function bullet(target: Vec2, direction: Vec2, distance: number): MovingBody2d {
  return {
    shape: { type: 'circle', radius: RADIUS },
    position: { x: target.x - direction.x * distance, y: target.y - direction.y * distance },
    velocity: { x: direction.x * SPEED, y: direction.y * SPEED },
  }
}

/** `spin` 0: the paper hangs still. */
function shot(index: number, spins: boolean): Shot {
  const random = numbers(seed() + 7919 * index)
  const half = unit(random(0, 2 * Math.PI))
  const length = 10 ** random(-2, 2)
  const distance = 10 ** random(-1, 3)
  const through = distance / SPEED
  const spin = spins ? random(-3, 3) / through : 0
  const rotation = random(-3, 3)
  const center = { x: random(-100, 100), y: random(-100, 100) }
  const paper: Body2d = {
    shape: {
      type: 'segment',
      a: { x: -half.x * length, y: -half.y * length },
      b: { x: half.x * length, y: half.y * length },
    },
    position: center,
    rotation,
  }
  const angle = Math.atan2(half.y, half.x) + rotation + spin * through
  const place = random(-0.98, 0.98) * length
  const along = unit(angle)
  const target = { x: center.x + along.x * place, y: center.y + along.y * place }
  // Not along the paper: anything from 3 degrees on.
  const direction = unit(angle + (random(0, 1) < 0.5 ? 1 : -1) * random(0.05, Math.PI - 0.05))
  const pair = {
    a: spin === 0 ? paper : { ...paper, angularVelocity: spin },
    b: bullet(target, direction, distance),
    duration: through * random(1.001, 2),
  }
  return { pair, through }
}

function missed(spins: boolean): number[] {
  const misses: number[] = []
  for (let i = 0; i < runCount(COUNT); i++) {
    const { pair, through } = shot(i, spins)
    const answer = impactAnswer(i % 2 === 0 ? pair : swappedPair(pair))
    if (answer === null || !(answer.time <= through * (1 + 1e-9))) misses.push(i)
  }
  return misses
}

it('through a sheet of paper', () => {
  expect(missed(false)).toEqual([])
  for (let i = 0; i < runCount(2000); i++) {
    const { pair, through } = shot(i, false)
    const answer = impactAnswer(pair)
    // At 3 degrees the rim comes 20 radii before the centre.
    expect(Math.abs((answer?.time ?? 0) - through) * SPEED).toBeLessThanOrEqual(25 * RADIUS + 1e-9 * through * SPEED)
  }
})

it('through a turning sheet of paper', () => {
  expect(missed(true)).toEqual([])
})
