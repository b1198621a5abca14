/**
 * Closed forms are rounded once: gaps and times of points, circles, segments, capsules, boxes and half-planes are within one unit
 * in the last place of the true value, which the oracle knows to hundreds of digits. What comes out whole in exact arithmetic
 * comes out whole.
 *
 * `TANGENT_RUNS=50` tries 100,000 of each form, over all kinds of numbers.
 */
import { describe, expect, it } from 'vitest'
import type { Body2d, MovingBody2d } from '../../schemas/body.ts'
import { contact, createContact } from '../../src/core2d/contact.ts'
import { createDistance, distance } from '../../src/core2d/distance.ts'
import { exactGap, ulpsOff } from '../oracle/closed-forms.ts'
import { CLOSED_PAIRS, createDraw, type Draw, drawBody, NUMBERS } from '../support/closed-pairs.ts'
import { runCount, seed } from '../support/runs.ts'
import { prepare } from '../support/slots.ts'

const found = createContact()
const apart = createDistance()

/** The pair, or the same pair moved until it touches but for a few roundoffs. */
function nearer(a: Body2d, b: MovingBody2d, draw: Draw): MovingBody2d {
  contact(prepare(a), prepare(b), 0, found)
  if (!Number.isFinite(found.separation)) return b
  const step = found.separation * (1 + (Math.floor(draw() * 9) - 4) * 2 ** -52)
  const { x, y } = b.position ?? { x: 0, y: 0 }
  return { ...b, position: { x: x - step * found.nx, y: y - step * found.ny } }
}

describe('gaps', () => {
  const families = Object.keys(NUMBERS)
  const count = Math.ceil(runCount(2000) / families.length)

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
