import { describe, expect, it } from 'vitest'
import { boxesMeet, buildBoxTree, leavesAt, validateBoxTree } from '../../../src/core3d/broad-phase/box-tree.ts'
import { BOX_SETS_3D, boxSet3d } from '../../support/families/box-sets-3d.ts'
import { seed } from '../../support/runs.ts'

describe.each(Object.keys(BOX_SETS_3D))('a tree over boxes %s', (name) => {
  it('holds each once, and each node the boxes below it', () => {
    for (const count of [0, 1, 2, 3, 1000]) {
      const boxes = boxSet3d(name, count, seed())
      expect(validateBoxTree(buildBoxTree(boxes, count), boxes, count)).toBeNull()
    }
  })

  it('gives those that meet a box', () => {
    const count = 300
    const boxes = boxSet3d(name, count, seed())
    const tree = buildBoxTree(boxes, count)
    for (let i = 0; i < count; i += 17) {
      const found: number[] = []
      expect(leavesAt(tree, boxes, i, found)).toBeGreaterThan(0)
      const expected = Array.from({ length: count }, (_, j) => j).filter((j) => boxesMeet(boxes, i, boxes, j) === 1)
      expect(found.sort((a, b) => a - b)).toEqual(expected)
    }
  })
})
