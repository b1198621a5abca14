import { describe, expect, it } from 'vitest'
import { buildBoxTree, validateBoxTree } from '../../../src/core3d/broad-phase/box-tree.ts'
import { BOX_SETS_3D, boxSet3d } from '../../support/families/box-sets-3d.ts'
import { seed } from '../../support/runs.ts'

describe.each(Object.keys(BOX_SETS_3D))('a tree over boxes %s', (name) => {
  it('holds each once, and each node the boxes below it', () => {
    for (const count of [0, 1, 2, 3, 1000]) {
      const boxes = boxSet3d(name, count, seed())
      expect(validateBoxTree(buildBoxTree(boxes, count), boxes, count)).toBeNull()
    }
  })
})
