import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodiesMeet, relate } from '../../../src/core2d/queries/overlap.ts'
import { createBody } from '../../../src/core2d/shape/body.ts'
import { decodeBody } from '../../../src/wire/body.ts'
import { SHAPE_TYPES } from '../../support/families/arbitraries.ts'
import { CLOSED_PAIRS, createDraw, drawBody, NUMBERS } from '../../support/families/closed-pairs.ts'
import { lawPairs, manyVertexPairs, type Pair } from '../../support/families/pair-families.ts'
import { isLongRun, runCount, runs, seed } from '../../support/runs.ts'

const slotA = createBody()
const slotB = createBody()

describe('bodiesMeet', () => {
  it.each([
    ['any pair', lawPairs(), 3000],
    ['many corners', manyVertexPairs(['polygon', 'circle', 'capsule']), 500],
    ['many corners and ellipses', manyVertexPairs(['polygon', 'ellipse']), 1500],
    ['ellipses', lawPairs(SHAPE_TYPES.filter((type) => type === 'ellipse')), 1000],
  ])('says what relate says: %s', (_name, pairs, count) => {
    const seen = new Set<boolean>()
    fc.assert(
      fc.property(pairs, ({ a, b }: Pair) => {
        expect(decodeBody(a, slotA)).toBeNull()
        expect(decodeBody(b, slotB)).toBeNull()
        const expected = relate(slotA, slotB) <= 0
        seen.add(expected)
        expect(bodiesMeet(slotA, slotB)).toBe(expected)
        expect(bodiesMeet(slotB, slotA)).toBe(expected)
      }),
      runs(count),
    )
    if (isLongRun) expect(seen.size).toBe(2)
  })

  it.each(Object.keys(NUMBERS))('says what relate says of closed shapes: %s', (family) => {
    const draw = createDraw(seed())
    for (const [typeA, typeB] of CLOSED_PAIRS) {
      for (let run = 0; run < runCount(60); run++) {
        const numbers = NUMBERS[family](draw)
        const a = drawBody(typeA, numbers, draw)
        const b = drawBody(typeB, numbers, draw)
        expect(decodeBody(a, slotA)).toBeNull()
        expect(decodeBody(b, slotB)).toBeNull()
        const expected = relate(slotA, slotB) <= 0
        const found = [bodiesMeet(slotA, slotB), bodiesMeet(slotB, slotA)]
        if (found[0] !== expected || found[1] !== expected) expect.fail(JSON.stringify({ a, b, expected, found }))
      }
    }
  })
})
