import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boxDistanceSquare,
  boxesMeet,
  boxGapSquare,
  buildBoxTree,
  createBoxTree,
  TREE_DEPTH_COUNT,
  validateBoxTree,
} from '../../../src/core2d/broad-phase/box-tree.ts'
import { runs } from '../../support/runs.ts'

type Box = readonly [number, number, number, number]

const side = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.double({ min: -1e100, max: 1e100, noNaN: true }))
const finite = fc
  .tuple(side, side, side, side)
  .map(([x, y, u, v]): Box => [Math.min(x, u), Math.min(y, v), Math.max(x, u), Math.max(y, v)])
const everything: Box = [-Infinity, -Infinity, Infinity, Infinity]
const box = fc.oneof({ weight: 9, arbitrary: finite }, { weight: 1, arbitrary: fc.constant(everything) })

/** Leaves whose box meets `query`, by walking the tree. */
function found(tree: ReturnType<typeof createBoxTree>, query: Float64Array): number[] {
  const hits: number[] = []
  const stack = tree.nodeCount > 0 ? [0] : []
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!boxesMeet(query, 0, tree.boxes, node)) continue
    const child = tree.child[node]
    if (child < 0) hits.push(~child)
    else stack.push(child, child + 1)
  }
  return hits.sort((a, b) => a - b)
}

describe('buildBoxTree', () => {
  it('is a valid tree that finds what a scan finds, in a slot that is used again', () => {
    const tree = createBoxTree()
    fc.assert(
      fc.property(
        fc.array(box, { maxLength: 70 }),
        fc.array(finite, { minLength: 1, maxLength: 5 }),
        (list, queries) => {
          const boxes = Float64Array.from(list.flat())
          buildBoxTree(tree, boxes, list.length)
          expect(validateBoxTree(tree, boxes, list.length)).toBeNull()
          for (const query of queries.map((sides) => Float64Array.from(sides))) {
            const scanned = list.map((_, i) => i).filter((i) => boxesMeet(query, 0, boxes, i))
            expect(found(tree, query)).toEqual(scanned)
          }
        },
      ),
      runs(500),
    )
  })

  it.each<[string, (i: number) => Box]>([
    ['all the same', () => [1, 2, 3, 4]],
    ['crowding towards a point', (i) => [2 ** -i, 2 ** -i, 2 ** -i, 2 ** -i]],
    ['crowding towards infinity', (i) => [0, 2 ** i, 0, 2 ** i]],
    ['one far away from all others', (i) => (i === 0 ? [1e100, 0, 1e100, 0] : [0, 0, 0, 0])],
    ['nested', (i) => [-i, -i, i, i]],
    ['in a row', (i) => [i, 0, i + 1, 1]],
    ['unbounded', () => everything],
    ['half unbounded', (i) => [i, -Infinity, Infinity, i]],
  ])('is never too deep: boxes %s', (_name, make) => {
    const tree = createBoxTree()
    for (const count of [1, 2, 3, 1000]) {
      const boxes = Float64Array.from(Array.from({ length: count }, (_, i) => make(i)).flat())
      buildBoxTree(tree, boxes, count)
      expect(validateBoxTree(tree, boxes, count)).toBeNull()
    }
    expect(TREE_DEPTH_COUNT).toBeGreaterThan(31 / Math.log2(8 / 7))
  })

  it('notices damage', () => {
    const boxes = Float64Array.from({ length: 40 }, (_, k) => k)
    for (const damage of [
      (tree: ReturnType<typeof createBoxTree>) => tree.nodeCount++,
      (tree: ReturnType<typeof createBoxTree>) => tree.boxes[0]++,
      (tree: ReturnType<typeof createBoxTree>) => tree.boxes[4 * (tree.nodeCount - 1)]++,
      (tree: ReturnType<typeof createBoxTree>) => (tree.child[0] = 3),
      (tree: ReturnType<typeof createBoxTree>) => tree.child[tree.nodeCount - 1]++,
    ]) {
      const tree = createBoxTree()
      buildBoxTree(tree, boxes, 10)
      expect(validateBoxTree(tree, boxes, 10)).toBeNull()
      damage(tree)
      expect(validateBoxTree(tree, boxes, 10)).not.toBeNull()
    }
  })
})

describe('distances of boxes', () => {
  it('are those of their nearest points', () => {
    const small = fc.integer({ min: -5, max: 5 })
    const smallBox = fc
      .tuple(small, small, small, small)
      .map(([x, y, u, v]): Box => [Math.min(x, u), Math.min(y, v), Math.max(x, u), Math.max(y, v)])
    fc.assert(
      fc.property(smallBox, smallBox, small, small, (a, b, x, y) => {
        const boxes = Float64Array.from([...a, ...b])
        let nearest = Infinity
        let gap = Infinity
        for (let i = a[0]; i <= a[2]; i++) {
          for (let j = a[1]; j <= a[3]; j++) {
            nearest = Math.min(nearest, (i - x) ** 2 + (j - y) ** 2)
            for (let k = b[0]; k <= b[2]; k++) {
              for (let l = b[1]; l <= b[3]; l++) gap = Math.min(gap, (i - k) ** 2 + (j - l) ** 2)
            }
          }
        }
        expect(boxDistanceSquare(boxes, 0, x, y)).toBe(nearest)
        expect(boxGapSquare(boxes, 0, boxes, 1)).toBe(gap)
        expect(boxesMeet(boxes, 0, boxes, 1)).toBe(gap === 0)
      }),
      runs(300),
    )
  })
})
