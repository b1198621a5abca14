import { describe, expect, it } from 'vitest'
import { createDynamicTree, insertItem, moveItem, removeItem } from '../../../src/core2d/broad-phase/dynamic-tree.ts'
import { buildDynamicTree } from '../../../src/core2d/broad-phase/dynamic-tree-build.ts'
import {
  createNearestList,
  type NearestItemsQuery,
  nearestItems,
} from '../../../src/core2d/broad-phase/dynamic-tree-nearest.ts'
import { BOX_SETS, boxSet, seededRandom } from '../../support/families/box-sets.ts'
import { runCount, seed } from '../../support/runs.ts'

function distanceOf(boxes: Float64Array, i: number, { minX, minY, maxX, maxY }: NearestItemsQuery): number {
  const dx = Math.max(boxes[4 * i] - maxX, minX - boxes[4 * i + 2], 0)
  const dy = Math.max(boxes[4 * i + 1] - maxY, minY - boxes[4 * i + 3], 0)
  return Math.hypot(dx, dy)
}

/** All items with their distances, nearest first, cut where the query says. */
function scan(
  items: Iterable<number>,
  query: NearestItemsQuery,
  distance: (item: number) => number,
): [number, number][] {
  return Array.from(items, (item): [number, number] => [item, distance(item)])
    .filter(([, d]) => d <= query.maxDistance && d < Infinity)
    .sort(([i, a], [j, b]) => a - b || i - j)
    .slice(0, query.count)
}

const pointAt = (x: number, y: number, count: number, maxDistance = Infinity, slack = 0): NearestItemsQuery => ({
  minX: x,
  minY: y,
  maxX: x,
  maxY: y,
  count,
  maxDistance,
  slack,
})

const listed = (out: ReturnType<typeof createNearestList>) =>
  Array.from({ length: out.count }, (_, k) => [out.items[k], out.distances[k]])

describe('nearest items', () => {
  it.each(Object.keys(BOX_SETS))('are those of a scan: boxes %s', (name) => {
    const count = 400
    const boxes = boxSet(name, count, seed())
    const random = seededRandom(seed())
    const tree = createDynamicTree()
    buildDynamicTree(tree, boxes, count)
    const out = createNearestList()
    for (let run = 0; run < 60; run++) {
      const near = Math.floor(count * random())
      const side = (k: number) => (Number.isFinite(boxes[4 * near + k]) ? boxes[4 * near + k] : 0)
      const reach = 3 * random()
      const query = pointAt(side(0) - reach, side(1) + reach, [0, 1, 2, 7, 100, Infinity][run % 6])
      if (run % 4 === 1) query.maxX = query.minX + 2
      if (run % 5 === 2) query.maxDistance = 2 * reach
      const distance = (item: number) => distanceOf(boxes, item, query)
      nearestItems(tree, query, distance, out)
      expect(listed(out)).toEqual(scan(Array(count).keys(), query, distance))
    }
  })

  it('are found while items move, by distances that are greater than those of the boxes, or a little less', () => {
    const random = seededRandom(seed())
    const tree = createDynamicTree(0.5)
    const boxes = new Float64Array(4 * 60)
    const there = new Set<number>()
    const out = createNearestList()
    for (let run = 0; run < runCount(4000); run++) {
      const item = Math.floor(60 * random())
      const x = Math.floor(40 * random()) / 2
      const y = Math.floor(40 * random()) / 2
      const sides = [x, y, x + Math.floor(4 * random()), y + Math.floor(4 * random())] as const
      if (!there.has(item)) insertItem(tree, item, ...sides)
      else if (random() < 0.2) removeItem(tree, item)
      else moveItem(tree, item, ...sides)
      if (there.has(item) && tree.leafOf[item] < 0) there.delete(item)
      else there.add(item)
      boxes.set(sides, 4 * item)
      if (run % 4 > 0) continue
      const slack = run % 8 === 0 ? 0 : 0.25
      const query = pointAt(20 * random(), 20 * random(), 1 + Math.floor(6 * random()), 4 + 10 * random(), slack)
      // some are left out, and the others farther than their boxes by steps of a half
      const distance = (i: number) =>
        i % 7 === 3 ? Infinity : Math.max(0, distanceOf(boxes, i, query) + (i % 3) / 2 - slack)
      nearestItems(tree, query, distance, out)
      expect(listed(out)).toEqual(scan(there, query, distance))
    }
  })

  it('take few distances', () => {
    const count = 10_000
    const boxes = boxSet('uniform', count, 1)
    const tree = createDynamicTree()
    buildDynamicTree(tree, boxes, count)
    const out = createNearestList()
    const query = pointAt(200, 200, 5)
    nearestItems(tree, query, (item) => distanceOf(boxes, item, query), out)
    expect(out.count).toBe(5)
    expect(out.distanceTests).toBeLessThan(15)
  })

  it('may be asked for by a distance', () => {
    const tree = createDynamicTree()
    for (let i = 0; i < 50; i++) insertItem(tree, i, i, 0, i + 0.5, 1)
    const outer = createNearestList()
    const inner = createNearestList()
    nearestItems(
      tree,
      pointAt(-1, 0, 3),
      (item) => {
        nearestItems(tree, pointAt(item, 0, 2), (other) => Math.abs(other - item), inner)
        expect(inner.items[0]).toBe(item)
        return item + inner.distances[1]
      },
      outer,
    )
    expect(listed(outer)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ])
  })

  it('are none of an empty tree', () => {
    const out = createNearestList()
    nearestItems(createDynamicTree(), pointAt(0, 0, 5), () => 0, out)
    expect(out.count).toBe(0)
  })
})
