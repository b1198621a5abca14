import { describe, expect, it } from 'vitest'
import { insertItem, moveItem, removeItem } from '../../src/core/dynamic-tree.ts'
import { buildDynamicTree } from '../../src/core/dynamic-tree-build.ts'
import { createNearestList, type NearestItemsQuery, nearestItems } from '../../src/core/dynamic-tree-nearest.ts'
import { seededRandom } from '../support/families/box-sets.ts'
import { runCount, seed } from '../support/runs.ts'
import { DIMENSIONS } from '../support/tree-spaces.ts'

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

const listed = (out: ReturnType<typeof createNearestList>) =>
  Array.from({ length: out.count }, (_, k) => [out.items[k], out.distances[k]])

describe.each(DIMENSIONS)('nearest items %s', (_, { axes, setNames, boxSet, createDynamicTree }) => {
  const sides = 2 * axes
  const pointAt = (place: number[], count: number, maxDistance = Infinity, slack = 0): NearestItemsQuery => ({
    box: Float64Array.from([...place, ...place]),
    count,
    maxDistance,
    slack,
  })

  function distanceOf(boxes: Float64Array, i: number, { box }: NearestItemsQuery): number {
    const gaps = Array.from({ length: axes }, (_, k) =>
      Math.max(boxes[sides * i + k] - box[axes + k], box[k] - boxes[sides * i + axes + k], 0),
    )
    return Math.hypot(...gaps)
  }

  it.each(setNames)('are those of a scan: boxes %s', (name) => {
    const count = 400
    const boxes = boxSet(name, count, seed())
    const random = seededRandom(seed())
    const tree = createDynamicTree()
    buildDynamicTree(tree, boxes, count)
    const out = createNearestList()
    for (let run = 0; run < 60; run++) {
      const near = Math.floor(count * random())
      const reach = 3 * random()
      const place = Array.from({ length: axes }, (_, k) => {
        const side = boxes[sides * near + k]
        return (Number.isFinite(side) ? side : 0) + (k === 0 ? -reach : reach)
      })
      const query = pointAt(place, [0, 1, 2, 7, 100, Infinity][run % 6])
      if (run % 4 === 1) query.box[axes] += 2
      if (run % 5 === 2) query.maxDistance = 2 * reach
      const distance = (item: number) => distanceOf(boxes, item, query)
      nearestItems(tree, query, distance, out)
      expect(listed(out)).toEqual(scan(Array(count).keys(), query, distance))
    }
  })

  it('are found while items move, by distances that are greater than those of the boxes, or a little less', () => {
    const random = seededRandom(seed())
    const tree = createDynamicTree(0.5)
    const boxes = new Float64Array(sides * 60)
    const there = new Set<number>()
    const out = createNearestList()
    const field = axes === 2 ? 40 : 20
    for (let run = 0; run < runCount(4000); run++) {
      const item = Math.floor(60 * random())
      for (let k = 0; k < axes; k++) {
        const least = Math.floor(field * random()) / 2
        boxes[sides * item + k] = least
        boxes[sides * item + axes + k] = least + Math.floor(4 * random())
      }
      if (!there.has(item)) {
        insertItem(tree, item, boxes, item)
        there.add(item)
      } else if (random() < 0.2) {
        removeItem(tree, item)
        there.delete(item)
      } else {
        moveItem(tree, item, boxes, item)
      }
      if (run % 4 > 0) continue
      const slack = run % 8 === 0 ? 0 : 0.25
      const place = Array.from({ length: axes }, () => (field / 2) * random())
      const query = pointAt(place, 1 + Math.floor(6 * random()), 4 + 10 * random(), slack)
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
    const query = pointAt(Array(axes).fill(axes === 2 ? 200 : 20), 5)
    nearestItems(tree, query, (item) => distanceOf(boxes, item, query), out)
    expect(out.count).toBe(5)
    expect(out.distanceTests).toBeLessThan(15)
  })

  it('may be asked for by a distance', () => {
    const tree = createDynamicTree()
    const at = (x: number) => [x, ...Array(axes - 1).fill(0)]
    for (let i = 0; i < 50; i++) insertItem(tree, i, Float64Array.from([...at(i), ...at(i + 0.5)]), 0)
    const outer = createNearestList()
    const inner = createNearestList()
    nearestItems(
      tree,
      pointAt(at(-1), 3),
      (item) => {
        nearestItems(tree, pointAt(at(item), 2), (other) => Math.abs(other - item), inner)
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
    nearestItems(createDynamicTree(), pointAt(Array(axes).fill(0), 5), () => 0, out)
    expect(out.count).toBe(0)
  })
})
