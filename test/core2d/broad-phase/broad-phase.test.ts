import { describe, expect, it } from 'vitest'
import { createPairList, type PairList } from '../../../src/containers/pair-list.ts'
import { allPairs, type BroadPhaseMethod, broadPhase } from '../../../src/core2d/broad-phase/broad-phase.ts'
import { BOX_SETS, boxSet } from '../../support/families/box-sets.ts'
import { runCount, seed } from '../../support/runs.ts'

const METHODS = ['brute-force', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'auto'] as const

const full = runCount(1) >= 10
/** Sets in which nearly all pairs meet are kept smaller. */
const MANY_PAIRS = ['identical', 'nested', 'of subnormal size']
const sizeOf = (name: string) => (MANY_PAIRS.includes(name) ? (full ? 2000 : 500) : full ? 20_000 : 2000)

function expectSame(found: PairList, expected: PairList): void {
  expect(found.count).toBe(expected.count)
  let wrong = 0
  for (let k = 0; k < found.count; k++) {
    if (found.first[k] !== expected.first[k] || found.second[k] !== expected.second[k]) wrong++
  }
  expect(wrong).toBe(0)
}

describe.each(Object.keys(BOX_SETS))('boxes %s', (name) => {
  const count = sizeOf(name)
  const boxes = boxSet(name, count, seed())
  const expected = createPairList(Infinity, Infinity)
  allPairs(boxes, count, expected)

  it('have pairs to be found', () => {
    expect(expected.count).toBeGreaterThan(0)
    const places = Array.from(expected.first.subarray(0, expected.count), (i, k) => i * count + expected.second[k])
    const sorted = places.every(
      (place, k) => expected.first[k] < expected.second[k] && (k === 0 || places[k - 1] < place),
    )
    expect(sorted).toBe(true)
  })

  it.each(METHODS)('by %s', (method) => {
    const found = createPairList(Infinity, Infinity)
    const { truncated, reason } = broadPhase(boxes, count, method, 0, found)
    expect(truncated).toBe(false)
    expect(reason).not.toBe('')
    expectSame(found, expected)
  })

  it.each([1e-3, 0.7, 1000])('by cells of size %s', (cellSize) => {
    const found = createPairList(Infinity)
    broadPhase(boxes, count, 'spatial-hash', cellSize, found)
    expectSame(found, expected)
  })

  it.each(METHODS)('by %s, cut short', (method) => {
    const half = Math.floor(expected.count / 2)
    for (const limit of full ? [half] : [0, 1, half, expected.count - 1, expected.count]) {
      const found = createPairList(limit)
      expect(broadPhase(boxes, count, method, 0, found).truncated).toBe(limit < expected.count)
      expect(found.count).toBe(limit)
      expectSame(found, { ...expected, count: limit })
    }
  })

  it.each(METHODS)('by %s, on a budget', (method) => {
    const found = createPairList(Infinity, 100)
    const { method: used, truncated, reason } = broadPhase(boxes, count, method, 0, found)
    expect({ used, truncated }).toEqual({ used: 'dynamic-tree', truncated: false })
    expect(reason).toMatch(/given up after 100 box tests$/)
    expectSame(found, expected)
  })
})

describe('broadPhase', () => {
  it.each(METHODS)('takes no boxes, and one: %s', (method) => {
    for (const count of [0, 1]) {
      const found = createPairList(10)
      expect(broadPhase(boxSet('uniform', count, 1), count, method, 0, found).truncated).toBe(false)
      expect(found.count).toBe(0)
    }
  })

  it.each<[string, number, BroadPhaseMethod]>([
    ['uniform', 20, 'brute-force'],
    ['uniform', 48, 'brute-force'],
    ['uniform', 49, 'sweep-and-prune'],
    ['uniform', 200, 'sweep-and-prune'],
    ['uniform', 2000, 'sweep-and-prune'],
    ['huge and tiny', 2000, 'sweep-and-prune'],
    ['points', 2000, 'sweep-and-prune'],
    ['unbounded', 2000, 'sweep-and-prune'],
    ['sizes of all scales', 256, 'sweep-and-prune'],
    ['sizes of all scales', 257, 'dynamic-tree'],
    ['sizes of all scales', 2000, 'dynamic-tree'],
    ['out of all bounds', 2000, 'dynamic-tree'],
  ])('picks for boxes %s, %i of them: %s', (name, count, expected) => {
    const { method, reason } = broadPhase(boxSet(name, count, 1), count, 'auto', 0, createPairList(1e6))
    expect(method).toBe(expected)
    expect(reason).toMatch(/box/)
  })

  it('bounds the work where everything shares one cell, or one line', () => {
    const count = 30_000
    const boxes = new Float64Array(4 * count)
    // a plus sign: half the boxes in a row, half in a column
    for (let i = 0; i < count; i++) {
      const x = i % 2 === 0 ? 2 * i : -5
      const y = i % 2 === 0 ? -5 : 2 * i
      boxes.set([x, y, x + 1, y + 1], 4 * i)
    }
    const expected = createPairList(100)
    broadPhase(boxes, count, 'dynamic-tree', 0, expected)
    for (const method of ['brute-force', 'sweep-and-prune', 'spatial-hash'] as const) {
      const found = createPairList(100, 2 ** 24)
      const { method: used } = broadPhase(boxes, count, method, 1e6, found)
      // strips see that the row is far from the column
      expect(used).toBe(method === 'sweep-and-prune' ? method : 'dynamic-tree')
      expect(found.boxTests).toBeLessThan(2 ** 25)
      expectSame(found, expected)
    }
  })
})
