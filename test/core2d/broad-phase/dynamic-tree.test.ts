import { describe, expect, it } from 'vitest'
import { createPairList } from '../../../src/containers/pair-list.ts'
import { boxesMeet } from '../../../src/core2d/broad-phase/box-tree.ts'
import {
  createDynamicTree,
  hasItem,
  insertItem,
  moveItem,
  removeItem,
  validateDynamicTree,
} from '../../../src/core2d/broad-phase/dynamic-tree.ts'
import { buildDynamicTree } from '../../../src/core2d/broad-phase/dynamic-tree-build.ts'
import type { DynamicTree } from '../../../src/core2d/broad-phase/dynamic-tree-node.ts'
import {
  createItemList,
  type MovingBox,
  queryBox,
  treePairs,
  visitMovingBox,
} from '../../../src/core2d/broad-phase/dynamic-tree-queries.ts'
import { BOX_SETS, boxSet, seededRandom } from '../../support/families/box-sets.ts'
import { runCount, seed } from '../../support/runs.ts'

type Sides = [number, number, number, number]

const sidesOf = (boxes: Float64Array, i: number) => Array.from(boxes.subarray(4 * i, 4 * i + 4)) as Sides

/** What is in the tree, kept as simply as can be. */
type Model = Map<number, Sides>

function scan(model: Model, query: Sides): number[] {
  const boxes = Float64Array.from(query)
  const meets = ([, sides]: [number, Sides]) => boxesMeet(boxes, 0, Float64Array.from(sides), 0)
  return [...model]
    .filter(meets)
    .map(([item]) => item)
    .sort((a, b) => a - b)
}

function found(tree: DynamicTree, query: Sides): number[] {
  const out = createItemList()
  queryBox(tree, ...query, out)
  return Array.from(out.items.subarray(0, out.count)).sort((a, b) => a - b)
}

function scanPairs(model: Model): string[] {
  const pairs: string[] = []
  const boxes = new Map([...model].map(([item, sides]) => [item, Float64Array.from(sides)]))
  for (const [i, a] of boxes) for (const [j, b] of boxes) if (i < j && boxesMeet(a, 0, b, 0)) pairs.push(`${i} ${j}`)
  return pairs.sort()
}

function foundPairs(tree: DynamicTree): string[] {
  const out = createPairList(Infinity)
  expect(treePairs(tree, out)).toBe(true)
  return Array.from({ length: out.count }, (_, k) => `${out.first[k]} ${out.second[k]}`).sort()
}

/** On a small grid, so that boxes touch and coincide; now and then unbounded, or without size. */
function randomSides(random: () => number): Sides {
  const x = Math.floor(24 * random()) / 2
  const y = Math.floor(24 * random()) / 2
  const kind = random()
  if (kind < 0.02) return [-Infinity, -Infinity, Infinity, y]
  const size = kind < 0.1 ? 0 : 2
  return [x, y, x + Math.floor(size * 2 * random()) / 2, y + Math.floor(size * 2 * random()) / 2]
}

function operate(tree: DynamicTree, model: Model, random: () => number, items: number): void {
  const item = Math.floor(items * random())
  const sides = randomSides(random)
  if (!model.has(item)) {
    expect(hasItem(tree, item)).toBe(false)
    insertItem(tree, item, ...sides)
    model.set(item, sides)
  } else if (random() < 0.4) {
    expect(removeItem(tree, item)).toBe(true)
    model.delete(item)
  } else {
    const step = Math.floor(3 * random()) / 8
    const moved = random() < 0.5 ? sides : ((model.get(item) as Sides).map((side) => side + step) as Sides)
    moveItem(tree, item, ...moved)
    model.set(item, moved)
  }
}

describe('a dynamic tree', () => {
  it.each([0, 0.25])('is valid after each of 100,000 operations, and finds what a scan finds: margin %s', (margin) => {
    const random = seededRandom(seed())
    const tree = createDynamicTree(margin)
    const model: Model = new Map()
    for (let k = 0; k < runCount(100_000); k++) {
      // the number of items rises and falls
      operate(tree, model, random, k % 1000 < 500 ? 30 : 6)
      const wrong = validateDynamicTree(tree)
      if (wrong !== null) throw new Error(`after operation ${k}: ${wrong}`)
      if (k % 50 > 0) continue
      expect(tree.count).toBe(model.size)
      const query = randomSides(random)
      expect(found(tree, query)).toEqual(scan(model, query))
      expect(foundPairs(tree)).toEqual(scanPairs(model))
    }
  })

  it.each(Object.keys(BOX_SETS))('stays low, however it is filled and emptied: boxes %s', (name) => {
    const count = 1000
    const boxes = boxSet(name, count, 1)
    const sorted = Array.from({ length: count }, (_, i) => i).sort((i, j) => boxes[4 * i] - boxes[4 * j])
    for (const order of [sorted, [...sorted].reverse(), Array.from(sorted, (_, i) => i)]) {
      const tree = createDynamicTree()
      for (const i of order) insertItem(tree, i, ...sidesOf(boxes, i))
      expect(validateDynamicTree(tree)).toBeNull()
      expect(tree.height[0]).toBeLessThanOrEqual(2.5 * Math.log2(count))
      for (const i of order.slice(0, 900)) removeItem(tree, i)
      expect(validateDynamicTree(tree)).toBeNull()
      expect(tree.height[0]).toBeLessThanOrEqual(2.5 * Math.log2(count))
      for (const i of order.slice(900)) removeItem(tree, i)
      expect(tree).toMatchObject({ count: 0, fatCount: 0 })
      expect(validateDynamicTree(tree)).toBeNull()
    }
  })

  it.each(Object.keys(BOX_SETS))('is built at once: boxes %s', (name) => {
    const tree = createDynamicTree()
    for (const count of [0, 1, 2, 500, 3]) {
      const boxes = boxSet(name, count, 1)
      buildDynamicTree(tree, boxes, count)
      expect(validateDynamicTree(tree)).toBeNull()
      const model: Model = new Map(Array.from({ length: count }, (_, i) => [i, sidesOf(boxes, i)]))
      for (let i = 0; i < Math.min(count, 20); i++)
        expect(found(tree, sidesOf(boxes, i))).toEqual(scan(model, sidesOf(boxes, i)))
      if (count > 0) moveItem(tree, 0, -1, -1, -0.5, -0.5)
      insertItem(tree, count, 0, 0, 1, 1)
      expect(validateDynamicTree(tree)).toBeNull()
    }
  })

  it('does nothing while an item stays within its fat box', () => {
    const tree = createDynamicTree(0.5)
    insertItem(tree, 0, 0.25, 0, 1, 1)
    insertItem(tree, 1, 5, 5, 6, 6)
    expect(tree.fatCount).toBe(0)
    expect(moveItem(tree, 0, 0.25, 0, 0.75, 1)).toBe(false)
    expect(tree.fatCount).toBe(1)
    expect(found(tree, [0.875, 0, 1, 1])).toEqual([])
    expect(moveItem(tree, 0, 0, 0, 1, 1)).toBe(true)
    expect(moveItem(tree, 0, 0.5, -0.5, 1.5, 0.5)).toBe(false)
    expect(found(tree, [0, 0.75, 1, 1])).toEqual([])
    expect(found(tree, [1.5, 0, 2, 0])).toEqual([0])
    expect(moveItem(tree, 0, 0.625, 0, 1.625, 1)).toBe(true)
    expect(removeItem(tree, 0)).toBe(true)
    expect(removeItem(tree, 0)).toBe(false)
    expect(removeItem(tree, 1000)).toBe(false)
    expect(tree).toMatchObject({ count: 1, fatCount: 0 })
  })

  it('does not keep a large box for an item that has become small', () => {
    const tree = createDynamicTree(0.5)
    insertItem(tree, 0, -1000, -Infinity, 1000, 1000)
    insertItem(tree, 1, 5, 5, 6, 6)
    expect(moveItem(tree, 0, 0, 0, 1, 1)).toBe(true)
    expect(validateDynamicTree(tree)).toBeNull()
    expect(Array.from(tree.boxes.subarray(0, 4))).toEqual([-0.5, -0.5, 6, 6])
  })

  it('meets with a moving box, or a ray, what a fine scan of its way meets, nearest first', () => {
    const random = seededRandom(seed())
    for (let run = 0; run < runCount(300); run++) {
      const tree = createDynamicTree(0.125)
      const model: Model = new Map()
      for (let k = 0; k < 40; k++) operate(tree, model, random, 25)
      const [minX, minY, maxX, maxY] = randomSides(random)
      if (minX === -Infinity) continue
      const isRay = random() < 0.5
      const size = isRay ? 0 : 1
      const speed = () => Math.floor(9 * random()) - 4
      const way: MovingBox = {
        minX,
        minY,
        maxX: minX + size * (maxX - minX),
        maxY: minY + size * (maxY - minY),
        vx: speed(),
        vy: speed(),
      }
      const met: number[] = []
      let nearest = Infinity
      visitMovingBox(tree, way, 2, (item, time) => {
        met.push(item)
        nearest = Math.min(nearest, time)
        return 2
      })
      const expected = new Set<number>()
      let first = Infinity
      // sides are eighths and speeds at most 4: everything begins at some 96th
      for (let k = 0; k <= 2 * 96; k++) {
        const t = k / 96
        const round = (x: number) => Math.round(x * 96) / 96
        const at: Sides = [
          way.minX + t * way.vx,
          way.minY + t * way.vy,
          way.maxX + t * way.vx,
          way.maxY + t * way.vy,
        ].map(round) as Sides
        for (const item of scan(model, at)) {
          if (!expected.has(item)) first = Math.min(first, t)
          expected.add(item)
        }
      }
      expect(met.sort((a, b) => a - b)).toEqual([...expected].sort((a, b) => a - b))
      if (met.length > 0) expect(nearest).toBeCloseTo(first, 12)
      let count = 0
      visitMovingBox(tree, way, 2, (_item, time) => {
        count++
        return time
      })
      expect(count).toBeLessThanOrEqual(met.length)
      expect(count > 0).toBe(met.length > 0)
    }
  })

  it('lets a visitor walk too', () => {
    const tree = createDynamicTree()
    for (let i = 0; i < 20; i++) insertItem(tree, i, i, 0, i + 0.5, 1)
    const ray: MovingBox = { minX: -1, minY: 0.5, maxX: -1, maxY: 0.5, vx: 1, vy: 0 }
    const seen: [number, number[]][] = []
    visitMovingBox(tree, ray, 100, (item) => {
      seen.push([item, found(tree, [item, 0, item + 1, 1])])
      return 100
    })
    expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => [i, i < 19 ? [i, i + 1] : [i]]))
  })

  it('notices damage', () => {
    for (const damage of [
      (tree: DynamicTree) => tree.count++,
      (tree: DynamicTree) => tree.fatCount++,
      (tree: DynamicTree) => tree.boxes[0]++,
      (tree: DynamicTree) => (tree.boxes[4] = 0),
      (tree: DynamicTree) => tree.height[0]++,
      (tree: DynamicTree) => (tree.parent[0] = 0),
      (tree: DynamicTree) => (tree.parent[tree.child[0] >> 1] = 5),
      (tree: DynamicTree) => (tree.child[0] = tree.child[tree.child[0]]),
      (tree: DynamicTree) => (tree.leafOf[3] = tree.leafOf[4]),
      (tree: DynamicTree) => (tree.itemBoxes[12] -= 1),
      (tree: DynamicTree) => (tree.itemBoxes[12] += 1),
      (tree: DynamicTree) => (tree.free = -1),
    ]) {
      const tree = createDynamicTree()
      for (let i = 0; i < 10; i++) insertItem(tree, i, i, i, i + 1, i + 1)
      removeItem(tree, 9)
      expect(validateDynamicTree(tree)).toBeNull()
      damage(tree)
      expect(validateDynamicTree(tree)).not.toBeNull()
    }
  })
})
