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
