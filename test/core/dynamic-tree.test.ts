// The dynamic tree in both dimensions: what it finds is what a scan finds, and it is valid after each change.

import { describe, expect, it } from 'vitest'
import { createItemList } from '../../src/containers/item-list.ts'
import { createPairList } from '../../src/containers/pair-list.ts'
import {
  type DynamicTree,
  hasItem,
  insertItem,
  moveItem,
  removeItem,
  validateDynamicTree,
} from '../../src/core/dynamic-tree.ts'
import { buildDynamicTree } from '../../src/core/dynamic-tree-build.ts'
import { seededRandom } from '../support/families/box-sets.ts'
import { runCount, seed } from '../support/runs.ts'
import { DIMENSIONS, type Dimension } from '../support/tree-spaces.ts'

/** The least of each axis, then the greatest of each. */
type Sides = number[]

/** What is in the tree, kept as simply as can be. */
type Model = Map<number, Sides>

const insert = (tree: DynamicTree, item: number, sides: Sides) => insertItem(tree, item, Float64Array.from(sides), 0)
const move = (tree: DynamicTree, item: number, sides: Sides) => moveItem(tree, item, Float64Array.from(sides), 0)

function sidesOf({ axes }: Dimension, boxes: Float64Array, i: number): Sides {
  return Array.from(boxes.subarray(2 * axes * i, 2 * axes * (i + 1)))
}

function meet({ axes }: Dimension, a: Sides, b: Sides): boolean {
  return a.every((side, k) => (k < axes ? side <= b[k + axes] : side >= b[k - axes]))
}

function scan(dimension: Dimension, model: Model, query: Sides): number[] {
  const items = [...model].filter(([, sides]) => meet(dimension, query, sides)).map(([item]) => item)
  return items.sort((a, b) => a - b)
}

function found({ queryBox }: Dimension, tree: DynamicTree, query: Sides): number[] {
  const out = createItemList()
  queryBox(tree, Float64Array.from(query), 0, out)
  return Array.from(out.items.subarray(0, out.count)).sort((a, b) => a - b)
}

function scanPairs(dimension: Dimension, model: Model): string[] {
  const pairs: string[] = []
  for (const [i, a] of model) for (const [j, b] of model) if (i < j && meet(dimension, a, b)) pairs.push(`${i} ${j}`)
  return pairs.sort()
}

function foundPairs({ treePairs }: Dimension, tree: DynamicTree): string[] {
  const out = createPairList(Infinity)
  expect(treePairs(tree, out)).toBe(true)
  return Array.from({ length: out.count }, (_, k) => `${out.first[k]} ${out.second[k]}`).sort()
}

/** On a small grid, so that boxes touch and coincide; now and then unbounded, or without size. */
function randomSides({ axes }: Dimension, random: () => number): Sides {
  const cells = axes === 2 ? 24 : 12
  const at = Array.from({ length: axes }, () => Math.floor(cells * random()) / 2)
  const kind = random()
  if (kind < 0.02) return [...at.map(() => -Infinity), ...at.map((side, k) => (k === axes - 1 ? side : Infinity))]
  const size = kind < 0.1 ? 0 : 2
  return [...at, ...at.map((side) => side + Math.floor(size * 2 * random()) / 2)]
}

function operate(dimension: Dimension, tree: DynamicTree, model: Model, random: () => number, items: number): void {
  const item = Math.floor(items * random())
  const sides = randomSides(dimension, random)
  if (!model.has(item)) {
    expect(hasItem(tree, item)).toBe(false)
    insert(tree, item, sides)
    model.set(item, sides)
  } else if (random() < 0.4) {
    expect(removeItem(tree, item)).toBe(true)
    model.delete(item)
  } else {
    const step = Math.floor(3 * random()) / 8
    const moved = random() < 0.5 ? sides : (model.get(item) as Sides).map((side) => side + step)
    move(tree, item, moved)
    model.set(item, moved)
  }
}

describe.each(DIMENSIONS)('a dynamic tree %s', (_, dimension) => {
  const { axes, createDynamicTree, visitMovingBox } = dimension
  /** A box from one end of a diagonal to the other. */
  const diagonal = (from: number, to: number): Sides => [...Array(axes).fill(from), ...Array(axes).fill(to)]
  /** The same but for the first axis. */
  const along = (from: number, to: number, low: number, high: number): Sides => {
    const sides = diagonal(low, high)
    sides[0] = from
    sides[axes] = to
    return sides
  }

  it.each([0, 0.25])('is valid after each of 100,000 operations, and finds what a scan finds: margin %s', (margin) => {
    const random = seededRandom(seed())
    const tree = createDynamicTree(margin)
    const model: Model = new Map()
    for (let k = 0; k < runCount(100_000); k++) {
      // the number of items rises and falls
      operate(dimension, tree, model, random, k % 1000 < 500 ? 30 : 6)
      const wrong = validateDynamicTree(tree)
      if (wrong !== null) throw new Error(`after operation ${k}: ${wrong}`)
      if (k % 50 > 0) continue
      expect(tree.count).toBe(model.size)
      const query = randomSides(dimension, random)
      expect(found(dimension, tree, query)).toEqual(scan(dimension, model, query))
      expect(foundPairs(dimension, tree)).toEqual(scanPairs(dimension, model))
    }
  })

  it.each(dimension.setNames)('stays low, however it is filled, moved in and emptied: boxes %s', (name) => {
    const count = 1000
    const boxes = dimension.boxSet(name, count, 1)
    const places = Array.from({ length: count }, (_, i) => i)
    const sorted = places.toSorted((i, j) => boxes[2 * axes * i] - boxes[2 * axes * j] || 0)
    for (const order of [sorted, sorted.toReversed(), places]) {
      const tree = createDynamicTree()
      const expectLow = () => {
        expect(validateDynamicTree(tree)).toBeNull()
        expect(tree.height[0]).toBeLessThanOrEqual(2.5 * Math.log2(count))
      }
      for (const i of order) insertItem(tree, i, boxes, i)
      expectLow()
      for (const [k, i] of order.entries()) moveItem(tree, i, boxes, order[count - 1 - k])
      expectLow()
      for (const i of order.slice(0, 900)) removeItem(tree, i)
      expectLow()
      for (const i of order.slice(900)) removeItem(tree, i)
      expect(tree).toMatchObject({ count: 0, fatCount: 0 })
      expect(validateDynamicTree(tree)).toBeNull()
    }
  })

  it.each(dimension.setNames)('is built at once, and finds what a scan finds: boxes %s', (name) => {
    const tree = createDynamicTree()
    for (const count of [0, 1, 2, 500, 3]) {
      const boxes = dimension.boxSet(name, count, 1)
      buildDynamicTree(tree, boxes, count)
      expect(validateDynamicTree(tree)).toBeNull()
      expect(tree.height[0]).toBeLessThanOrEqual(64 + 31)
      const model: Model = new Map(Array.from({ length: count }, (_, i) => [i, sidesOf(dimension, boxes, i)]))
      for (let i = 0; i < Math.min(count, 20); i++) {
        const query = sidesOf(dimension, boxes, i)
        expect(found(dimension, tree, query)).toEqual(scan(dimension, model, query))
      }
      if (count <= 500) expect(foundPairs(dimension, tree)).toEqual(scanPairs(dimension, model))
      if (count > 0) move(tree, 0, diagonal(-1, -0.5))
      insert(tree, count, diagonal(0, 1))
      expect(validateDynamicTree(tree)).toBeNull()
    }
  })

  it.each(dimension.setNames)('is the same each time, and at each power of two: boxes %s', (name) => {
    const boxes = dimension.boxSet(name, 300, seed())
    const trees = [1, 1, 2 ** -20, 2 ** 20].map((scale) => {
      const tree = createDynamicTree()
      const scaled = boxes.map((side) => scale * side)
      buildDynamicTree(tree, scaled, 150)
      for (let i = 150; i < 300; i++) insertItem(tree, i, scaled, i)
      for (let i = 0; i < 300; i += 3) moveItem(tree, i, scaled, (7 * i) % 300)
      for (let i = 0; i < 300; i += 5) removeItem(tree, i)
      return tree.child.join()
    })
    expect(trees[1]).toBe(trees[0])
    // roundings differ at the ends of the doubles
    if (/subnormal|doubles|all bounds/.test(name)) return
    expect(trees[2]).toBe(trees[0])
    expect(trees[3]).toBe(trees[0])
  })

  it('does nothing while an item stays within its fat box', () => {
    const tree = createDynamicTree(0.5)
    insert(tree, 0, along(0.25, 1, 0, 1))
    insert(tree, 1, diagonal(5, 6))
    expect(tree.fatCount).toBe(0)
    expect(move(tree, 0, along(0.25, 0.75, 0, 1))).toBe(false)
    expect(tree.fatCount).toBe(1)
    expect(found(dimension, tree, along(0.875, 1, 0, 1))).toEqual([])
    expect(move(tree, 0, diagonal(0, 1))).toBe(true)
    expect(move(tree, 0, along(0.5, 1.5, -0.5, 0.5))).toBe(false)
    expect(found(dimension, tree, along(0, 1, 0.75, 1))).toEqual([])
    expect(found(dimension, tree, along(1.5, 2, 0, 0))).toEqual([0])
    expect(move(tree, 0, along(0.625, 1.625, 0, 1))).toBe(true)
    expect(removeItem(tree, 0)).toBe(true)
    expect(removeItem(tree, 0)).toBe(false)
    expect(removeItem(tree, 1000)).toBe(false)
    expect(tree).toMatchObject({ count: 1, fatCount: 0 })
  })

  it('does not keep a large box for an item that has become small', () => {
    const tree = createDynamicTree(0.5)
    insert(tree, 0, along(-Infinity, 1000, -1000, 1000))
    insert(tree, 1, diagonal(5, 6))
    expect(move(tree, 0, diagonal(0, 1))).toBe(true)
    expect(validateDynamicTree(tree)).toBeNull()
    expect(Array.from(tree.boxes.subarray(0, 2 * axes))).toEqual(diagonal(-0.5, 6))
  })

  it('meets with a moving box, or a ray, what a fine scan of its way meets, nearest first', () => {
    const random = seededRandom(seed())
    for (let run = 0; run < runCount(300); run++) {
      const tree = createDynamicTree(0.125)
      const model: Model = new Map()
      for (let k = 0; k < 40; k++) operate(dimension, tree, model, random, 25)
      const sides = randomSides(dimension, random)
      if (sides[0] === -Infinity) continue
      const isRay = random() < 0.5
      const box = sides.map((side, k) => (isRay && k >= axes ? sides[k - axes] : side))
      const velocity = Array.from({ length: axes }, () => Math.floor(9 * random()) - 4)
      const met: number[] = []
      let nearest = Infinity
      visitMovingBox(tree, box, velocity, 2, (item, time) => {
        met.push(item)
        nearest = Math.min(nearest, time)
        return 2
      })
      const expected = new Set<number>()
      let first = Infinity
      // sides are eighths and speeds at most 4: everything begins at some 96th
      for (let k = 0; k <= 2 * 96; k++) {
        const t = k / 96
        const at = box.map((side, k) => Math.round((side + t * velocity[k % axes]) * 96) / 96)
        for (const item of scan(dimension, model, at)) {
          if (!expected.has(item)) first = Math.min(first, t)
          expected.add(item)
        }
      }
      expect(met.sort((a, b) => a - b)).toEqual([...expected].sort((a, b) => a - b))
      if (met.length > 0) expect(nearest).toBeCloseTo(first, 12)
      let count = 0
      visitMovingBox(tree, box, velocity, 2, (_item, time) => {
        count++
        return time
      })
      expect(count).toBeLessThanOrEqual(met.length)
      expect(count > 0).toBe(met.length > 0)
    }
  })

  it('meets the same at speeds that have no inverse, and at any scale', () => {
    const random = seededRandom(seed())
    for (let run = 0; run < runCount(300); run++) {
      const tree = createDynamicTree()
      for (let i = 0; i < 40; i++) insert(tree, i, randomSides(dimension, random))
      const box = randomSides(dimension, random).map((side) => Math.max(side, -8))
      const velocity = Array.from({ length: axes }, () => Math.floor(5 * random()) - 2)
      const walks = [1, 2 ** 1000, 2 ** -1001, 2 ** 40].map((speed) => {
        const met: [number, number][] = []
        const fast = velocity.map((v) => speed * v)
        visitMovingBox(tree, box, fast, 2 / speed, (item, time) => {
          met.push([item, time * speed])
          return 2 / speed
        })
        return new Map(met)
      })
      for (const walk of walks) {
        expect([...walk.keys()].sort()).toEqual([...walks[0].keys()].sort())
        for (const [item, time] of walk) expect(time).toBeCloseTo(walks[0].get(item)!, 12)
      }
    }
  })

  it('lets a visitor walk too', () => {
    const tree = createDynamicTree()
    for (let i = 0; i < 20; i++) insert(tree, i, along(i, i + 0.5, 0, 1))
    const seen: [number, number[]][] = []
    visitMovingBox(tree, along(-1, -1, 0.5, 0.5), along(1, 1, 0, 0).slice(0, axes), 100, (item) => {
      seen.push([item, found(dimension, tree, along(item, item + 1, 0, 1))])
      return 100
    })
    expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => [i, i < 19 ? [i, i + 1] : [i]]))
  })

  it('notices damage', () => {
    const sides = 2 * axes
    for (const damage of [
      (tree: DynamicTree) => tree.count++,
      (tree: DynamicTree) => tree.fatCount++,
      (tree: DynamicTree) => tree.boxes[0]++,
      (tree: DynamicTree) => (tree.boxes[sides] = 0),
      (tree: DynamicTree) => tree.height[0]++,
      (tree: DynamicTree) => (tree.parent[0] = 0),
      (tree: DynamicTree) => (tree.parent[tree.child[0] >> 1] = 5),
      (tree: DynamicTree) => (tree.child[0] = tree.child[tree.child[0]]),
      (tree: DynamicTree) => (tree.leafOf[3] = tree.leafOf[4]),
      (tree: DynamicTree) => (tree.itemBoxes[3 * sides] -= 1),
      (tree: DynamicTree) => (tree.itemBoxes[3 * sides] += 1),
      (tree: DynamicTree) => (tree.free = -1),
    ]) {
      const tree = createDynamicTree()
      for (let i = 0; i < 10; i++) insert(tree, i, diagonal(i, i + 1))
      removeItem(tree, 9)
      expect(validateDynamicTree(tree)).toBeNull()
      damage(tree)
      expect(validateDynamicTree(tree)).not.toBeNull()
    }
  })
})
