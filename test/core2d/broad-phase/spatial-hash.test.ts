import { describe, expect, it } from 'vitest'
import { createPairList, type PairList, sortPairs } from '../../../src/containers/pair-list.ts'
import { allPairs } from '../../../src/core2d/broad-phase/brute-force.ts'
import {
  chooseCellSize,
  createSpatialHash,
  fillFixed,
  fillMoving,
  hashPairs,
  type SpatialHash,
  validateSpatialHash,
} from '../../../src/core2d/broad-phase/spatial-hash.ts'
import { BOX_SETS, boxSet, seededRandom } from '../../support/families/box-sets.ts'
import { seed } from '../../support/runs.ts'

const listed = (list: PairList) => Array.from({ length: list.count }, (_, k) => [list.first[k], list.second[k]])

describe.each(Object.keys(BOX_SETS))('a spatial hash of boxes %s', (name) => {
  const count = 300
  const boxes = boxSet(name, count, seed())

  it.each([0, 120, 299, 300])('finds every pair that is not of two fixed boxes: %i fixed', (fixed) => {
    for (const cellSize of [chooseCellSize(boxes, count), 0.01, 3, 1e-300, 1e300]) {
      const hash = createSpatialHash(cellSize, 0.25, -7)
      fillFixed(hash, boxes, fixed)
      const expected = createPairList(Infinity)
      // twice, because the moving layer is filled again and again
      const random = seededRandom(1)
      for (let step = 0; step < 2; step++) {
        const moved = boxes.map((side, k) => (k < 4 * fixed ? side : side + (step === 0 ? 0 : Math.round(random()))))
        for (let i = fixed; i < count; i++) {
          for (const low of [4 * i, 4 * i + 1]) moved[low + 2] = Math.max(moved[low], moved[low + 2])
        }
        fillMoving(hash, moved.subarray(4 * fixed), count - fixed)
        expect(validateSpatialHash(hash)).toBeNull()
        const found = createPairList(Infinity)
        expect(hashPairs(hash, found)).toBe(true)
        sortPairs(found, count)
        expected.count = 0
        allPairs(moved, count, expected)
        expect(listed(found)).toEqual(listed(expected).filter(([, j]) => j >= fixed))
      }
    }
  })

  it('has a cell size that is a length', () => {
    const size = chooseCellSize(boxes, count)
    expect(size).toBeGreaterThan(0)
    expect(size).toBeLessThan(Infinity)
  })
})

describe('a spatial hash', () => {
  it('keeps boxes over many cells out of them', () => {
    const count = 2000
    const boxes = boxSet('uniform', count, 1)
    boxes.set([-1e9, -1e9, 1e9, 1e9], 40)
    const hash = createSpatialHash(chooseCellSize(boxes, count), 0, 0)
    fillMoving(hash, boxes, count)
    expect(hash.moving.smallCount).toBe(count - 1)
    expect(hash.moving.entryBox.length).toBeLessThan(8 * count)
    const found = createPairList(Infinity)
    hashPairs(hash, found)
    expect(found.boxTests).toBeLessThan(10 * count)
  })

  it('stops where the list is full or the budget spent', () => {
    const boxes = boxSet('identical', 100, 1)
    for (const fixed of [0, 50]) {
      const hash = createSpatialHash(10, 0, 0)
      fillFixed(hash, boxes, fixed)
      fillMoving(hash, boxes, 100 - fixed)
      expect(hashPairs(hash, createPairList(10))).toBe(false)
      expect(hashPairs(hash, createPairList(Infinity, 10))).toBe(false)
    }
  })

  it('notices damage', () => {
    const boxes = boxSet('uniform', 20, 1)
    for (const damage of [
      ({ moving }: SpatialHash) => moving.entryBox[0]++,
      ({ moving }: SpatialHash) => moving.entryX[0]++,
      ({ moving }: SpatialHash) => moving.starts[2]++,
      ({ moving }: SpatialHash) => moving.smallCount--,
      ({ moving }: SpatialHash) => (moving.order[3] = moving.order[4]),
      ({ moving }: SpatialHash) => (moving.boxes[7] += 100),
      ({ fixed }: SpatialHash) => (fixed.stride += 2),
    ]) {
      const hash = createSpatialHash(2, 0, 0)
      fillFixed(hash, boxes, 20)
      fillMoving(hash, boxes, 20)
      expect(validateSpatialHash(hash)).toBeNull()
      damage(hash)
      expect(validateSpatialHash(hash)).not.toBeNull()
    }
  })
})
