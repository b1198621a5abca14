/**
 * Closed forms are rounded once: gaps of, times of impact between, and rays at points, circles, segments, capsules, boxes and half-planes are within one unit
 * in the last place of the true value, which the oracle knows to hundreds of digits. What comes out whole in exact arithmetic
 * comes out whole.
 *
 * `TANGENT_RUNS=50` tries 100,000 of each form, over all kinds of numbers.
 */

import { describe, expect, it } from 'vitest'
import type { Body2d, MovingBody2d } from '../../schemas/shapes2d.ts'
import { createTimeOfImpact, timeOfImpact } from '../../src/core2d/motion/time-of-impact.ts'
import { contact, createContact } from '../../src/core2d/queries/contact.ts'
import { createDistance, distance } from '../../src/core2d/queries/distance.ts'
import { createRay, createRayHit, rayCast } from '../../src/core2d/ray/ray-cast.ts'
import { setDirection } from '../../src/core2d/ray/ray-line.ts'
import { exactGap, exactSpan, ulpsOff, wayOf } from '../oracle/closed-forms.ts'
import { prepare } from '../support/answers/slots.ts'
import {
  CLOSED_PAIRS,
  CLOSED_SHAPES,
  createDraw,
  type Draw,
  drawBody,
  NUMBERS,
  type Numbers,
} from '../support/families/closed-pairs.ts'
import { runCount, seed } from '../support/runs.ts'

const found = createContact()
const apart = createDistance()
const impact = createTimeOfImpact()
const ray = createRay()
const hit = createRayHit()
const ORIGIN = { x: 0, y: 0 }
const families = Object.keys(NUMBERS)
const count = Math.ceil(runCount(2000) / families.length)

/** The pair, or the same pair moved until it touches but for a few roundoffs. */
function nearer(a: Body2d, b: MovingBody2d, draw: Draw): MovingBody2d {
  contact(prepare(a), prepare(b), 0, found)
  if (!Number.isFinite(found.separation)) return b
  const step = found.separation * (1 + (Math.floor(draw() * 9) - 4) * 2 ** -52)
  const { x, y } = b.position ?? { x: 0, y: 0 }
  return { ...b, position: { x: x - step * found.nx, y: y - step * found.ny } }
}

describe('gaps', () => {
  it.each(CLOSED_PAIRS)('%s–%s', (typeA, typeB) => {
    for (const family of families) {
      const draw = createDraw(seed())
      for (let run = 0; run < count; run++) {
        const numbers = NUMBERS[family](draw)
        const a = drawBody(typeA, numbers, draw)
        const drawn = drawBody(typeB, numbers, draw)
        const b = draw() < 0.3 && !family.startsWith('short') ? nearer(a, drawn, draw) : drawn
        const bodyA = prepare(a)
        const bodyB = prepare(b)
        contact(bodyA, bodyB, 0, found)
        const off = ulpsOff(found.separation, exactGap(bodyA, bodyB))
        if (off > 1) expect.fail(`${family}: ${off} ulps, ${JSON.stringify({ a, b })}`)
        distance(bodyA, bodyB, apart)
        if (apart.distance !== Math.max(0, found.separation)) expect.fail(JSON.stringify({ a, b }))
      }
    }
  })

  it('come out whole', () => {
    const gap = (a: Body2d, b: Body2d): number => {
      contact(prepare(a), prepare(b), 0, found)
      return found.separation
    }
    const circle: Body2d = { shape: { type: 'circle', radius: 0.5 }, position: { x: 3, y: 4 } }
    const slope: Body2d = { shape: { type: 'segment', a: { x: -8, y: 6 }, b: { x: 8, y: -6 } } }
    const floor: Body2d = { shape: { type: 'halfplane', normal: { x: 3, y: 4 }, offset: 1 } }
    expect(gap(circle, { shape: { type: 'point' } })).toBe(4.5)
    expect(gap(circle, slope)).toBe(4.5)
    expect(gap(circle, floor)).toBe(3.5)
    expect(gap(slope, { ...slope, position: { x: 3, y: 4 } })).toBe(5)
  })
})

/** Mostly sent towards the other body, so that they meet as often as not. */
function aimed(a: MovingBody2d, b: MovingBody2d, numbers: Numbers, draw: Draw): MovingBody2d {
  const [from, to] = [a.position ?? ORIGIN, b.position ?? ORIGIN]
  const rate = 2 ** -Math.floor(draw() * 6)
  const past = draw() < 0.5 ? 0 : numbers.size()
  return draw() < 0.4 ? a : { ...a, velocity: { x: (to.x - from.x + past) * rate, y: (to.y - from.y) * rate } }
}

describe('times of impact', () => {
  it.each(CLOSED_PAIRS)('%s–%s', (typeA, typeB) => {
    for (const family of families) {
      const draw = createDraw(seed())
      for (let run = 0; run < count; run++) {
        const numbers = NUMBERS[family](draw)
        const drawn = drawBody(typeA, numbers, draw)
        const b = drawBody(typeB, numbers, draw)
        const a = aimed(drawn, b, numbers, draw)
        const bodyA = prepare(a)
        const bodyB = prepare(b)
        const [from, to] = [a.velocity ?? ORIGIN, b.velocity ?? ORIGIN]
        const motionA = { vx: from.x, vy: from.y, spin: 0 }
        timeOfImpact(bodyA, motionA, bodyB, { vx: to.x, vy: to.y, spin: 0 }, 1000, false, 'exit', impact)
        if (!impact.hit) continue
        const span = exactSpan(bodyA, bodyB, [from.x, from.y], [to.x, to.y])
        if (span === null) continue
        const off = Math.max(
          impact.startedOverlapping ? 0 : ulpsOff(impact.time, span.enter),
          impact.hasExit ? ulpsOff(impact.exitTime, span.leave) : 0,
        )
        if (off > 1) expect.fail(`${family}: ${off} ulps, ${JSON.stringify({ a, b })}`)
      }
    }
  })

  it('come out whole', () => {
    const circle: Body2d = { shape: { type: 'circle', radius: 1 } }
    const slope: Body2d = { shape: { type: 'segment', a: { x: -8, y: 6 }, b: { x: 8, y: -6 } } }
    const times = (a: Body2d, b: Body2d, vx: number, vy: number): number[] => {
      const still = { vx: 0, vy: 0, spin: 0 }
      timeOfImpact(prepare(a), { vx, vy, spin: 0 }, prepare(b), still, 1000, false, 'exit', impact)
      return [impact.time, impact.exitTime]
    }
    expect(times({ ...circle, position: { x: -5, y: 0 } }, circle, 1, 0)).toEqual([3, 7])
    expect(times({ ...circle, position: { x: 0.3, y: -5 } }, { ...circle, position: { x: 0.3, y: 0 } }, 0, 1)).toEqual([
      3, 7,
    ])
    expect(times({ ...circle, position: { x: 9, y: 12 } }, slope, -3, -4)).toEqual([2.8, 3.2])
    expect(times({ ...circle, position: { x: 9, y: 12 } }, circle, -3, -4)).toEqual([2.6, 3.4])
  })
})

describe('rays', () => {
  it.each(CLOSED_SHAPES)('%s', (type) => {
    for (const family of families) {
      const draw = createDraw(seed())
      for (let run = 0; run < count; run++) {
        const numbers = NUMBERS[family](draw)
        const from = drawBody('point', numbers, draw)
        const target = drawBody(type, numbers, draw)
        const { position: at = ORIGIN, velocity: way = ORIGIN } = aimed(from, target, numbers, draw)
        if (way.x === 0 && way.y === 0) continue
        const body = prepare(target)
        ray.ox = at.x
        ray.oy = at.y
        setDirection(ray, way.x, way.y)
        if (!rayCast(ray, body, 'hit', hit)) continue
        const span = exactSpan(prepare({ ...from, position: at }), body, [way.x, way.y], [0, 0])
        if (span === null) continue
        const { enter, leave } = span
        const off = Math.max(
          hit.startedInside ? 0 : ulpsOff(hit.distance, wayOf(enter, way.x, way.y)),
          hit.startedInside || hit.fraction === Number.MAX_VALUE ? 0 : ulpsOff(hit.fraction, enter),
          hit.hasExit ? ulpsOff(hit.exitDistance, wayOf(leave, way.x, way.y)) : 0,
        )
        if (off > 1) expect.fail(`${family}: ${off} ulps, ${JSON.stringify({ at, way, target })}`)
      }
    }
  })

  it('come out whole', () => {
    const cast = (shape: Body2d['shape'], ox: number, oy: number, dx: number, dy: number): number[] => {
      Object.assign(ray, { ox, oy })
      setDirection(ray, dx, dy)
      expect(rayCast(ray, prepare({ shape }), 'hit', hit)).toBe(true)
      return [hit.distance, hit.fraction, hit.x, hit.y, hit.exitDistance]
    }
    expect(cast({ type: 'circle', radius: 5 }, 9, 12, -3, -4)).toEqual([10, 2, 3, 4, 20])
    expect(cast({ type: 'box', width: 6, height: 8 }, 9, 12, -3, -4)).toEqual([10, 2, 3, 4, 20])
    expect(cast({ type: 'segment', a: { x: -4, y: 3 }, b: { x: 4, y: -3 } }, 9, 12, -3, -4)).toEqual([15, 3, 0, 0, 15])
  })

  it.each([Number.MIN_VALUE, 1e-310, 1e-200, 1, 1e200, Number.MAX_VALUE])(
    'go along directions of length %d',
    (length) => {
      const target = prepare({ shape: { type: 'box', width: 2, height: 2 } })
      Object.assign(ray, { ox: -5, oy: 1 })
      setDirection(ray, length, 0)
      expect(rayCast(ray, target, 'hit', hit)).toBe(true)
      expect([hit.distance, hit.x, hit.y, hit.exitDistance]).toEqual([4, -1, 1, 6])
      expect(hit.fraction).toBe(Math.min(4 / length, Number.MAX_VALUE))
      setDirection(ray, length, length)
      expect(rayCast(ray, target, 'hit', hit)).toBe(false)
    },
  )
})
