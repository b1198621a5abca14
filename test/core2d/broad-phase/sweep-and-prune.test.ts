import { describe, expect, it } from 'vitest'
import { createPairList, type PairList, sortPairs } from '../../../src/containers/pair-list.ts'
import { allPairs } from '../../../src/core2d/broad-phase/broad-phase.ts'
import { stripPairs } from '../../../src/core2d/broad-phase/sweep-and-prune.ts'
import { BOX_SETS, boxSet, seededRandom } from '../../support/families/box-sets.ts'
import { runCount, seed } from '../../support/runs.ts'

const listed = (list: PairList) => Array.from({ length: list.count }, (_, k) => [list.first[k], list.second[k]])

function expectAllPairs(boxes: Float64Array, count: number): void {
  const found = createPairList(Infinity)
  expect(stripPairs(boxes, count, found)).toBe(true)
  sortPairs(found, count)
  const expected = createPairList(Infinity)
  allPairs(boxes, count, expected)
  expect(listed(found)).toEqual(listed(expected))
}

describe('a sweep in strips', () => {
  it.each(Object.keys(BOX_SETS))('finds all pairs: boxes %s, lying and standing', (name) => {
    for (const count of [0, 1, 2, 3, 50, 700]) {
      const boxes = boxSet(name, count, seed())
      expectAllPairs(boxes, count)
      const standing = new Float64Array(boxes.length)
      for (let k = 0; k < boxes.length; k += 2) standing.set([boxes[k + 1], boxes[k]], k)
      expectAllPairs(standing, count)
    }
  })

  it('finds all pairs of boxes on a small grid, some of them unbounded or without size', () => {
    const random = seededRandom(seed())
    for (let run = 0; run < runCount(2000); run++) {
      const count = Math.floor(30 * random())
      const boxes = new Float64Array(4 * count)
      const side = () => {
        const kind = random()
        return kind < 0.05 ? -Infinity : kind < 0.1 ? Infinity : Math.floor(12 * random()) - 6
      }
      for (let i = 0; i < count; i++) {
        const [x, y, u, v] = [side(), side(), side(), side()]
        boxes.set([Math.min(x, u), Math.min(y, v), Math.max(x, u), Math.max(y, v)], 4 * i)
      }
      expectAllPairs(boxes, count)
    }
  })

  it('looks at few boxes that do not meet', () => {
    const boxes = boxSet('uniform', 20_000, 1)
    const found = createPairList(Infinity)
    stripPairs(boxes, 20_000, found)
    expect(found.boxTests).toBeLessThan(4 * found.count)
  })

  it('stops where the list is full or the budget spent', () => {
    const boxes = boxSet('identical', 100, 1)
    const full = createPairList(10)
    expect(stripPairs(boxes, 100, full)).toBe(false)
    expect(full.count).toBe(10)
    expect(stripPairs(boxes, 100, createPairList(4950))).toBe(true)
    expect(stripPairs(boxes, 100, createPairList(Infinity, 1000))).toBe(false)
  })
})
