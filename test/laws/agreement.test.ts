// overlap ⇔ distance = 0 ⇔ separation ≤ 0, and touching ⇔ separation = 0: the queries agree on every pair.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contactAnswer, distanceAnswer, overlapAnswer } from '../support/answers/answers.ts'
import { SHAPE_TYPES } from '../support/families/arbitraries.ts'
import { lawPairs, type Pair, pairFamilies } from '../support/families/pair-families.ts'
import { runs } from '../support/runs.ts'

function check(pair: Pair): void {
  const { relation } = overlapAnswer(pair)
  const { distance, normal } = distanceAnswer(pair)
  const contact = contactAnswer(pair)
  expect(contact.relation).toBe(relation)
  expect(Math.sign(contact.separation)).toBe(relation)
  expect(Math.sign(distance)).toBe(Math.max(0, relation))
  expect(normal !== null).toBe(relation > 0)
  if (relation > 0) {
    expect([contact.points.length, contact.translation]).toEqual([0, { x: 0, y: 0 }])
    // Two ways to the same length, neither of which is rounded twice.
    expect(Math.abs(contact.separation / distance - 1)).toBeLessThanOrEqual(1e-6)
  } else if (contact.separation !== Number.NEGATIVE_INFINITY) {
    // Half-planes that no translation separates have no contact point either.
    expect(contact.points.length).toBeGreaterThan(0)
    const { translation } = contact
    expect(translation !== null && (translation.x !== 0 || translation.y !== 0)).toBe(relation < 0)
  }
}

it('any pair', () => {
  fc.assert(fc.property(lawPairs(), check), runs(5000))
})

describe('pairs that are hard to decide', () => {
  it.each(Object.entries(pairFamilies(SHAPE_TYPES)).slice(1))('%s', (_name, pairs) => {
    fc.assert(fc.property(pairs, check), runs(400))
  })
})

describe('pairs within an ulp of touching', () => {
  it.each(SHAPE_TYPES)('a %s, brought there along a line', (type) => {
    const pairs = pairFamilies([type])
    const [, anyPair] = Object.entries(pairs)[0]
    const angles = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true })
    fc.assert(
      fc.property(anyPair, angles, ({ a, b }, angle) => {
        const { x, y } = a.position ?? { x: 0, y: 0 }
        const placed = (t: number): Pair => ({
          a,
          b: { ...b, position: { x: x + t * Math.cos(angle), y: y + t * Math.sin(angle) } },
        })
        let [low, high] = [0, 1e3]
        for (let step = 0; step < 60; step++) {
          const middle = (low + high) / 2
          if (overlapAnswer(placed(middle)).relation > 0) high = middle
          else low = middle
        }
        for (const t of [low, high, low * (1 - 1e-15), low - 3 * (high - low)]) check(placed(t))
      }),
      runs(30),
    )
  })
})

it.each<Pair>([
  {
    a: {
      shape: {
        type: 'compound',
        children: [
          { shape: { type: 'box', width: 1, height: 0.3 } },
          { shape: { type: 'circle', radius: 0.3 }, position: { x: 0, y: 0.4 } },
        ],
      },
      position: { x: -0.41490095667541027, y: 0.8998257992789149 },
    },
    b: { shape: { type: 'point' }, position: { x: 0.08509904332458967, y: 0.9730948998658714 } },
  },
  {
    a: {
      shape: {
        type: 'chain',
        vertices: [
          { x: 0.0028571090660989285, y: -0.9860370978713036 },
          { x: 0.6423438745550811, y: 0.6965664424933493 },
          { x: -0.3781013395637274, y: 0.7827321062795818 },
          { x: 0.9093478797003627, y: -0.7804929339326918 },
        ],
      },
      position: { x: -0.5031139260186362, y: 1.8849811684340239 },
    },
    b: {
      shape: { type: 'box', width: 0.30663781585171823, height: 0.6277263809461147 },
      position: { x: -0.6483806101605296, y: 1.8849811684340239 },
    },
  },
])('a composite whose depth is less than rounding leaves of the way out is still moved', ({ a, b }) => {
  expect(overlapAnswer({ a, b }).relation).toBe(-1)
  check({ a, b })
  check({ a: b, b: a })
})
