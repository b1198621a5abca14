import { describe, expect, it } from 'vitest'
import { createPairList, type PairList, sortPairs } from '../../../src/containers/pair-list.ts'
import { allPairs } from '../../../src/core2d/broad-phase/brute-force.ts'
import {
  createSweep,
  type Sweep,
  sweepPairs,
  updateSweep,
  validateSweep,
} from '../../../src/core2d/broad-phase/incremental-sweep.ts'
import { boxSet, seededRandom } from '../../support/families/box-sets.ts'
import { runCount, seed } from '../../support/runs.ts'

const listed = (list: PairList) => Array.from({ length: list.count }, (_, k) => [list.first[k], list.second[k]])

function expectAllPairs(sweep: Sweep, boxes: Float64Array, count: number): void {
  const found = createPairList(Infinity)
  expect(sweepPairs(sweep, boxes, count, found)).toBe(true)
  sortPairs(found, count)
  const expected = createPairList(Infinity)
  allPairs(boxes, count, expected)
  expect(listed(found)).toEqual(listed(expected))
}

describe('a sweep', () => {
  it('is valid after each of 100,000 operations, and finds all pairs', () => {
    const random = seededRandom(seed())
    const boxes = new Float64Array(4 * 40)
    const sweep = createSweep()
    let count = 0
    for (let k = 0; k < runCount(100_000); k++) {
      const grows = random() < (k % 1000 < 500 ? 0.7 : 0.3)
      if (random() < 0.1 && grows && count < 40) count++
      else if (random() < 0.1 && !grows && count > 0) count--
      if (count > 0) {
        const i = random() < 0.3 ? count - 1 : Math.floor(count * random())
        const x = random() < 0.02 ? -Infinity : Math.floor(20 * random()) / 2
        const y = Math.floor(20 * random()) / 2
        boxes.set([x, y, Math.max(x, 0) + Math.floor(4 * random()) / 2, y + Math.floor(4 * random()) / 2], 4 * i)
      }
      updateSweep(sweep, boxes, count)
      const wrong = validateSweep(sweep, boxes, count)
      if (wrong !== null) throw new Error(`after operation ${k}: ${wrong}`)
      if (k % 50 === 0) expectAllPairs(sweep, boxes, count)
    }
  })

  it('is near linear where little has changed, and sorts anew where much has', () => {
    const count = 5000
    const boxes = boxSet('uniform', count, 1)
    const sweep = createSweep()
    updateSweep(sweep, boxes, count)
    expect(sweep.shifts).toBe(-1)
    updateSweep(sweep, boxes, count)
    expect(sweep.shifts).toBe(0)
    const random = seededRandom(2)
    for (let i = 0; i < count; i++) {
      const step = 0.01 * (random() - 0.5)
      for (let side = 0; side < 4; side++) boxes[4 * i + side] += step
    }
    updateSweep(sweep, boxes, count)
    expect(sweep.shifts).toBeGreaterThan(0)
    expect(sweep.shifts).toBeLessThan(2 * count)
    expect(validateSweep(sweep, boxes, count)).toBeNull()
    const others = boxSet('uniform', count, 2)
    updateSweep(sweep, others, count)
    expect(sweep.shifts).toBe(-1)
    expect(validateSweep(sweep, others, count)).toBeNull()
    expectAllPairs(sweep, others, count)
  })

  it('takes the axis along which centres vary most', () => {
    const column = boxSet('in a column', 300, 1)
    const row = new Float64Array(column.length)
    for (let k = 0; k < column.length; k += 2) row.set([column[k + 1], column[k]], k)
    const sweep = createSweep()
    updateSweep(sweep, column, 300)
    expect(sweep.axis).toBe(1)
    updateSweep(sweep, row, 300)
    expect(sweep.axis).toBe(0)
    expectAllPairs(sweep, row, 300)
    expectAllPairs(sweep, column, 300)
    expect(sweep.axis).toBe(1)
  })

  it('notices damage', () => {
    const boxes = boxSet('uniform', 10, 1)
    for (const damage of [
      (sweep: Sweep) => sweep.count++,
      (sweep: Sweep) => (sweep.ends[0] = sweep.ends[1]),
      (sweep: Sweep) => (sweep.ends[0] = 99),
      (sweep: Sweep) => sweep.places[3]++,
      (sweep: Sweep) => {
        sweep.ends.subarray(0, 20).reverse()
        sweep.places.subarray(0, 20).reverse()
      },
    ]) {
      const sweep = createSweep()
      updateSweep(sweep, boxes, 10)
      expect(validateSweep(sweep, boxes, 10)).toBeNull()
      damage(sweep)
      expect(validateSweep(sweep, boxes, 10)).not.toBeNull()
    }
  })
})
