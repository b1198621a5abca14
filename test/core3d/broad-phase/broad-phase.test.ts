import { describe, expect, it } from 'vitest'
import { createPairList, type PairList } from '../../../src/containers/pair-list.ts'
import { allPairs, type BroadPhaseMethod, broadPhase } from '../../../src/core3d/broad-phase/broad-phase.ts'
import { chooseCellSize } from '../../../src/core3d/broad-phase/spatial-hash.ts'
import { BOX_SETS_3D, boxSet3d } from '../../support/families/box-sets-3d.ts'
import { seed } from '../../support/runs.ts'

const METHODS = ['brute-force', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'auto'] as const

/** Sets in which nearly all pairs meet are kept smaller. */
const MANY_PAIRS = ['identical', 'nested', 'of subnormal size', 'at both ends of the doubles']
const sizeOf = (name: string) => (MANY_PAIRS.includes(name) ? 200 : 1000)

function expectSame(found: PairList, expected: PairList): void {
  expect(found.count).toBe(expected.count)
  let wrong = 0
  for (let k = 0; k < found.count; k++) {
    if (found.first[k] !== expected.first[k] || found.second[k] !== expected.second[k]) wrong++
  }
  expect(wrong).toBe(0)
}

describe.each(Object.keys(BOX_SETS_3D))('boxes %s', (name) => {
  const count = sizeOf(name)
  const boxes = boxSet3d(name, count, seed())
  const expected = createPairList(Infinity, Infinity)
  allPairs(boxes, count, expected)

  it('have pairs to be found', () => {
    expect(expected.count).toBeGreaterThan(0)
    const places = Array.from(expected.first.subarray(0, expected.count), (i, k) => i * count + expected.second[k])
    expect(places.every((place, k) => k === 0 || places[k - 1] < place)).toBe(true)
  })

  it.each(METHODS)('by %s', (method) => {
    const found = createPairList(Infinity, Infinity)
    const { truncated, reason } = broadPhase(boxes, count, method, 0, found)
    expect({ truncated, hasReason: reason !== '' }).toEqual({ truncated: false, hasReason: true })
    expectSame(found, expected)
  })

  it.each([1e-3, 0.7, 1000, 1e-320, 1e300])('by cells of size %s', (cellSize) => {
    const found = createPairList(Infinity)
    broadPhase(boxes, count, 'spatial-hash', cellSize, found)
    expectSame(found, expected)
  })

  it.each(METHODS)('by %s, cut short', (method) => {
    for (const limit of [0, Math.floor(expected.count / 2), expected.count - 1, expected.count]) {
      const found = createPairList(limit)
      expect(broadPhase(boxes, count, method, 0, found).truncated).toBe(limit < expected.count)
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
      expect(broadPhase(boxSet3d('uniform', count, 1), count, method, 0, found).truncated).toBe(false)
      expect(found.count).toBe(0)
    }
  })

  it.each<[string, number, BroadPhaseMethod]>([
    ['uniform', 20, 'brute-force'],
    ['uniform', 48, 'brute-force'],
    ['uniform', 49, 'sweep-and-prune'],
    ['uniform', 200, 'sweep-and-prune'],
    ['uniform', 2000, 'sweep-and-prune'],
    ['one huge among tiny', 2000, 'sweep-and-prune'],
    ['sizes of all scales', 256, 'sweep-and-prune'],
    ['sizes of all scales', 257, 'dynamic-tree'],
    ['sizes of all scales', 2000, 'dynamic-tree'],
  ])('picks for boxes %s, %i of them: %s', (name, count, expected) => {
    const { method, reason } = broadPhase(boxSet3d(name, count, 1), count, 'auto', 0, createPairList(1e6))
    expect(method).toBe(expected)
    expect(reason).toMatch(/box/)
  })

  it('bounds the work where everything shares one cell, or one line', () => {
    const count = 30_000
    const boxes = new Float64Array(6 * count)
    // three bars that cross: a third of the boxes along each axis
    for (let i = 0; i < count; i++) {
      const min = [0, 1, 2].map((axis) => (i % 3 === axis ? 2 * i : -5))
      boxes.set([...min, ...min.map((side) => side + 1)], 6 * i)
    }
    const expected = createPairList(100)
    broadPhase(boxes, count, 'dynamic-tree', 0, expected)
    for (const method of ['brute-force', 'spatial-hash'] as const) {
      const found = createPairList(100, 2 ** 22)
      expect(broadPhase(boxes, count, method, 1e6, found).method).toBe('dynamic-tree')
      expect(found.boxTests).toBeLessThan(2 ** 23)
      expectSame(found, expected)
    }
  })

  it('lays a cell for each point where boxes have no size', () => {
    const corners = Float64Array.from([0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8])
    expect(chooseCellSize(corners, 2)).toBeCloseTo(8 / Math.cbrt(2), 12)
    expect(chooseCellSize(corners, 1)).toBe(1)
  })
})
