// A build with pauses keeps what it needs to itself: other builds in its pauses, or one that is given up, change nothing.

import { expect, it } from 'vitest'
import { OutOfBudget, Pace, within } from '../../../src/containers/budget.ts'
import { createDynamicTree, validateDynamicTree } from '../../../src/core2d/broad-phase/dynamic-tree.ts'
import { buildDynamicTree, buildDynamicTreeInSlices } from '../../../src/core2d/broad-phase/dynamic-tree-build.ts'

const COUNT = 9000

/** Boxes in no order, every tenth at one place, so that ranges are sorted again. */
function boxesOf(seed: number, count: number): Float64Array {
  const boxes = new Float64Array(4 * count)
  for (let i = 0; i < count; i++) {
    const x = i % 10 === 0 ? 5 : ((i * seed) % 7919) / 10
    const y = i % 10 === 0 ? 5 : ((i * seed * seed) % 6007) / 10
    boxes.set([x, y, x + 1, y + 1], 4 * i)
  }
  return boxes
}

function treeOf(boxes: Float64Array) {
  const tree = createDynamicTree(0)
  buildDynamicTree(tree, boxes, boxes.length / 4)
  return tree
}

it('is not disturbed by builds in its pauses', () => {
  const lists = [boxesOf(17, COUNT), boxesOf(23, COUNT), boxesOf(31, COUNT / 2)]
  const alone = lists.map(treeOf)
  const trees = lists.map(() => createDynamicTree(0))
  let underWay = trees.map((tree, k) => buildDynamicTreeInSlices(tree, lists[k], lists[k].length / 4, new Pace()))
  let pauses = 0
  while (underWay.length > 0) {
    underWay = underWay.filter((build) => build.next().done !== true)
    pauses++
    treeOf(boxesOf(pauses + 40, 500))
    expect(() => within(100, () => treeOf(lists[0]))).toThrow(OutOfBudget)
  }
  expect(pauses).toBeGreaterThan(4)
  for (const [k, tree] of trees.entries()) {
    expect(validateDynamicTree(tree)).toBeNull()
    expect(tree.child.join()).toBe(alone[k].child.join())
    expect(tree.boxes.join()).toBe(alone[k].boxes.join())
  }
})
