// What a walk calls may throw, and may walk too: either way nothing is left behind, and the next walk finds what the first one did.

import { describe, expect, it } from 'vitest'
import { OutOfBudget, within } from '../../src/containers/budget.ts'
import { createItemList } from '../../src/containers/item-list.ts'
import { createPairList } from '../../src/containers/pair-list.ts'
import { beginWalk, endWalk } from '../../src/containers/scratch.ts'
import { buildDynamicTree } from '../../src/core/dynamic-tree-build.ts'
import { createNearestList, nearestItems } from '../../src/core/dynamic-tree-nearest.ts'
import { boxGapSquare, buildBoxTree, createBoxTree, visitTreePairs } from '../../src/core2d/broad-phase/box-tree.ts'
import { createDynamicTree } from '../../src/core2d/broad-phase/dynamic-tree.ts'
import { queryBox, treePairs, visitMovingBox } from '../../src/core2d/broad-phase/dynamic-tree-queries.ts'
import { createDynamicTree as createSpaceTree } from '../../src/core3d/broad-phase/dynamic-tree.ts'
import { visitMovingBox as visitInSpace } from '../../src/core3d/broad-phase/dynamic-tree-queries.ts'

/** A row of boxes, each of which meets the next one. */
const COUNT = 40
const boxes = Float64Array.from({ length: 4 * COUNT }, (_, k) =>
  k % 4 === 0 ? k / 4 : k % 4 === 2 ? k / 4 + 0.7 : k % 4,
)
const tree = createDynamicTree(0)
buildDynamicTree(tree, boxes, COUNT)
const boxTree = createBoxTree()
buildBoxTree(boxTree, boxes, COUNT)

/** Such a row in space. */
const spaceBoxes = Float64Array.from({ length: 6 * COUNT }, (_, k) =>
  k % 6 === 0 ? k / 6 : k % 6 === 3 ? Math.floor(k / 6) + 1.2 : k % 6,
)
const spaceTree = createSpaceTree(0)
buildDynamicTree(spaceTree, spaceBoxes, COUNT)

type Visit = (item: number) => void

/** Walks that call something; each calls it with every item. */
const walks: Record<string, (visit: Visit) => void> = {
  'a box on its way': (visit) => {
    const moving = { minX: -1, minY: 2, maxX: -1, maxY: 2, vx: 1, vy: 0 }
    visitMovingBox(tree, moving, 1000, (item) => {
      visit(item)
      return 1000
    })
  },
  'a box that is too fast for products': (visit) => {
    const moving = { minX: -1, minY: 2, maxX: -1, maxY: 2, vx: 2 ** 1001, vy: 0 }
    visitMovingBox(tree, moving, 1, (item) => {
      visit(item)
      return 1
    })
  },
  'a box on its way in space': (visit) => {
    const moving = { minX: -1, minY: 2, minZ: 3, maxX: -1, maxY: 2, maxZ: 3, vx: 1, vy: 0, vz: 0 }
    visitInSpace(spaceTree, moving, 1000, (item) => {
      visit(item)
      return 1000
    })
  },
  'nearest items in space': (visit) => {
    const query = { box: new Float64Array(6), count: Infinity, maxDistance: Infinity, slack: 0 }
    const distance = (item: number) => {
      visit(item)
      return item
    }
    nearestItems(spaceTree, query, distance, createNearestList())
  },
  'nearest items': (visit) => {
    const query = { box: new Float64Array(4), count: Infinity, maxDistance: Infinity, slack: 0 }
    const distance = (item: number) => {
      visit(item)
      return item
    }
    nearestItems(tree, query, distance, createNearestList())
  },
  'two trees together': (visit) => {
    visitTreePairs(
      boxTree,
      boxTree,
      0,
      (i, j) => boxGapSquare(boxTree.boxes, i, boxTree.boxes, j),
      (i, j) => {
        if (i === j) visit(i)
        return 0
      },
    )
  },
}

function visitedBy(walk: (visit: Visit) => void): number[] {
  const items: number[] = []
  walk((item) => items.push(item))
  return items
}

/** The stack that a walk gets now: another one where walks have not been counted down. */
function stackOfNext(): object {
  const stack = beginWalk(4)
  endWalk()
  return stack
}

class Thrown extends Error {}

describe.each(Object.entries(walks))('%s', (_, walk) => {
  const items = visitedBy(walk)

  it('visits every item', () => {
    expect(items.toSorted((i, j) => i - j)).toEqual(Array.from({ length: COUNT }, (_, i) => i))
  })

  it('leaves nothing behind where its visit throws, 2,000 times', () => {
    const stack = stackOfNext()
    for (let k = 0; k < 2000; k++) {
      let left = k % COUNT
      const visit = () => {
        if (left-- === 0) throw new Thrown()
      }
      expect(() => walk(visit)).toThrow(Thrown)
    }
    expect(stackOfNext()).toBe(stack)
    expect(visitedBy(walk)).toEqual(items)
  })

  it('leaves nothing behind where it runs out of steps', () => {
    const stack = stackOfNext()
    for (let steps = 0; steps < 20; steps++) {
      expect(() => within(steps, () => walk(() => {}))).toThrow(OutOfBudget)
      expect(stackOfNext()).toBe(stack)
    }
    expect(visitedBy(walk)).toEqual(items)
  })

  it.each(Object.entries(walks))('goes on around %s that throws', (_, inner) => {
    const stack = stackOfNext()
    const visited = visitedBy((visit) =>
      walk((item) => {
        expect(stackOfNext()).not.toBe(stack)
        const throwing = () => {
          throw new Thrown()
        }
        expect(() => inner(throwing)).toThrow(Thrown)
        expect(() => inner(() => inner(throwing))).toThrow(Thrown)
        visit(item)
      }),
    )
    expect(visited).toEqual(items)
    expect(stackOfNext()).toBe(stack)
  })

  it('is not disturbed by walks that call nothing', () => {
    const found = createItemList()
    const visited = visitedBy((visit) =>
      walk((item) => {
        queryBox(tree, Float64Array.of(0, 0, COUNT, 4), 0, found)
        expect(found.count).toBe(COUNT)
        treePairs(tree, createPairList(Infinity))
        visit(item)
      }),
    )
    expect(visited).toEqual(items)
  })
})
