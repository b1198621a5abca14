import { describe, expect, it } from 'vitest'
import { createPairList, type PairList, sortPairs } from '../../../src/containers/pair-list.ts'
import { allPairs } from '../../../src/core2d/broad-phase/broad-phase.ts'
import {
  chooseCellSize,
  createSpatialHash,
  fillHash,
  hashPairs,
  type SpatialHash,
  validateSpatialHash,
} from '../../../src/core2d/broad-phase/spatial-hash.ts'
import { BOX_SETS, boxSet } from '../../support/families/box-sets.ts'
import { seed } from '../../support/runs.ts'

const listed = (list: PairList) => Array.from({ length: list.count }, (_, k) => [list.first[k], list.second[k]])

describe.each(Object.keys(BOX_SETS))('a spatial hash of boxes %s', (name) => {
  const count = 300
  const boxes = boxSet(name, count, seed())

  it('finds every pair, whatever the size of its cells', () => {
    const expected = createPairList(Infinity)
    allPairs(boxes, count, expected)
    for (const cellSize of [chooseCellSize(boxes, count), 0.01, 3, 1e-300, 1e300]) {
      const hash = createSpatialHash(cellSize, 0.25, -7)
      fillHash(hash, boxes, count)
      expect(validateSpatialHash(hash)).toBeNull()
      const found = createPairList(Infinity)
      expect(hashPairs(hash, found)).toBe(true)
      sortPairs(found, count)
      expect(listed(found)).toEqual(listed(expected))
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
    fillHash(hash, boxes, count)
    expect(hash.smallCount).toBe(count - 1)
    expect(hash.entryBox.length).toBeLessThan(8 * count)
    const found = createPairList(Infinity)
    hashPairs(hash, found)
    expect(found.boxTests).toBeLessThan(10 * count)
  })

  it('stops where the list is full or the budget spent', () => {
    const boxes = boxSet('identical', 100, 1)
    const hash = createSpatialHash(10, 0, 0)
    fillHash(hash, boxes, 100)
    expect(hashPairs(hash, createPairList(10))).toBe(false)
    expect(hashPairs(hash, createPairList(Infinity, 10))).toBe(false)
  })

  it('notices damage', () => {
    const boxes = boxSet('uniform', 20, 1)
    for (const damage of [
      (hash: SpatialHash) => hash.entryBox[0]++,
      (hash: SpatialHash) => hash.entryX[0]++,
      (hash: SpatialHash) => hash.starts[2]++,
      (hash: SpatialHash) => hash.smallCount--,
      (hash: SpatialHash) => (hash.order[3] = hash.order[4]),
      (hash: SpatialHash) => (hash.boxes[7] += 100),
      (hash: SpatialHash) => (hash.stride += 2),
    ]) {
      const hash = createSpatialHash(2, 0, 0)
      fillHash(hash, boxes, 20)
      expect(validateSpatialHash(hash)).toBeNull()
      damage(hash)
      expect(validateSpatialHash(hash)).not.toBeNull()
    }
  })
})
