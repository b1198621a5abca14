// A build with pauses keeps what it needs to itself: other builds in its pauses, or one that is given up, change nothing.

import { expect, it } from 'vitest'
import { OutOfBudget, Pace, within } from '../../src/containers/budget.ts'
import { type DynamicTree, validateDynamicTree } from '../../src/core/dynamic-tree.ts'
import { buildDynamicTree, buildDynamicTreeInSlices } from '../../src/core/dynamic-tree-build.ts'
import { DIMENSIONS, type Dimension } from '../support/tree-spaces.ts'

const COUNT = 9000
const PRIMES = [7919, 6007, 5003]

/** Boxes in no order, every tenth at one place, so that ranges are sorted again. */
function boxesOf({ axes }: Dimension, seed: number, count: number): Float64Array {
  const boxes = new Float64Array(2 * axes * count)
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < axes; k++) {
      const place = i % 10 === 0 ? 5 : ((i * seed ** (k + 1)) % PRIMES[k]) / 10
      boxes[2 * axes * i + k] = place
      boxes[2 * axes * i + axes + k] = place + 1
    }
  }
  return boxes
}

const countOf = ({ axes }: Dimension, boxes: Float64Array) => boxes.length / (2 * axes)

function treeOf(dimension: Dimension, boxes: Float64Array): DynamicTree {
  const tree = dimension.createDynamicTree(0)
  buildDynamicTree(tree, boxes, countOf(dimension, boxes))
  return tree
}

it('is not disturbed by builds in its pauses, in the plane and in space', () => {
  const dimensions = DIMENSIONS.map(([, dimension]) => dimension)
  const lists = [17, 23, 31].flatMap((seed) =>
    dimensions.map((dimension) => ({ dimension, boxes: boxesOf(dimension, seed, seed === 31 ? COUNT / 2 : COUNT) })),
  )
  const alone = lists.map(({ dimension, boxes }) => treeOf(dimension, boxes))
  const trees = lists.map(({ dimension }) => dimension.createDynamicTree(0))
  let underWay = trees.map((tree, k) =>
    buildDynamicTreeInSlices(tree, lists[k].boxes, countOf(lists[k].dimension, lists[k].boxes), new Pace()),
  )
  let pauses = 0
  while (underWay.length > 0) {
    underWay = underWay.filter((build) => build.next().done !== true)
    pauses++
    for (const dimension of dimensions) treeOf(dimension, boxesOf(dimension, pauses + 40, 500))
    expect(() => within(100, () => treeOf(lists[0].dimension, lists[0].boxes))).toThrow(OutOfBudget)
  }
  expect(pauses).toBeGreaterThan(4)
  for (const [k, tree] of trees.entries()) {
    expect(validateDynamicTree(tree)).toBeNull()
    expect(tree.child.join()).toBe(alone[k].child.join())
    expect(tree.boxes.join()).toBe(alone[k].boxes.join())
  }
})
