// Tangent's own broad phases. One tree serves all operations; all pairs go by the method that auto picks.

import { createItemList } from '../../src/containers/item-list.ts'
import { createPairList } from '../../src/containers/pair-list.ts'
import { insertItem, moveItem } from '../../src/core/dynamic-tree.ts'
import { buildDynamicTree } from '../../src/core/dynamic-tree-build.ts'
import { createNearestList, type NearestItemsQuery, nearestItems } from '../../src/core/dynamic-tree-nearest.ts'
import { broadPhase } from '../../src/core2d/broad-phase/broad-phase.ts'
import { createDynamicTree } from '../../src/core2d/broad-phase/dynamic-tree.ts'
import { queryBox, visitMovingBox } from '../../src/core2d/broad-phase/dynamic-tree-queries.ts'
import { type Field, MARGIN, placesOf, RAY_LENGTH, slab } from './broad-phase-field.ts'
import { asking, type Operations } from './broad-phase-operations.ts'

export async function tangentOperations(field: Field, method: Parameters<typeof broadPhase>[2]): Promise<Operations> {
  const { count, boxes, queries, rays, movers } = field
  const pairs = (boxes: Float64Array) => {
    const list = createPairList(Number.POSITIVE_INFINITY)
    return () => {
      list.boxTests = 0
      broadPhase(boxes, count, method, 0, list)
      return list.count
    }
  }
  if (method !== 'auto') return { pairs: pairs(boxes), densePairs: pairs(field.dense) }

  const tree = createDynamicTree(MARGIN)
  const found = createItemList()
  const query = asking((k) => {
    queryBox(tree, queries, k, found)
    return found.count
  })
  const ray = { minX: 0, minY: 0, maxX: 0, maxY: 0, vx: 0, vy: 0 }
  let asked = 0
  let nearest = RAY_LENGTH
  const visit = (item: number) => {
    const distance = slab(boxes, item, rays, asked, nearest)
    if (distance < nearest) nearest = distance
    return nearest
  }
  const near = createNearestList()
  const point: NearestItemsQuery = {
    box: new Float64Array(4),
    count: 8,
    maxDistance: Number.POSITIVE_INFINITY,
    slack: 0,
  }
  let x = 0
  let y = 0
  const boxDistance = (item: number) => {
    const dx = Math.max(boxes[4 * item]! - x, x - boxes[4 * item + 2]!, 0)
    const dy = Math.max(boxes[4 * item + 1]! - y, y - boxes[4 * item + 3]!, 0)
    return Math.sqrt(dx * dx + dy * dy)
  }
  const moving = (isFar: boolean) => {
    const places = placesOf(field, isFar)
    return (pass: number) => {
      const place = places[(pass + 1) % places.length]!
      for (let k = 0; k < movers.length; k++) {
        moveItem(tree, movers[k]!, place, k)
      }
      return movers.length
    }
  }
  buildDynamicTree(tree, boxes, count)
  return {
    build: () => {
      buildDynamicTree(tree, boxes, count)
      return tree.count
    },
    query,
    ray: asking((k) => {
      ray.minX = ray.maxX = rays[4 * k]!
      ray.minY = ray.maxY = rays[4 * k + 1]!
      ray.vx = rays[4 * k + 2]!
      ray.vy = rays[4 * k + 3]!
      asked = k
      nearest = RAY_LENGTH
      visitMovingBox(tree, ray, RAY_LENGTH, visit)
      return nearest
    }),
    nearest: asking((k) => {
      x = queries[4 * k]!
      y = queries[4 * k + 1]!
      point.box[0] = point.box[2] = x
      point.box[1] = point.box[3] = y
      nearestItems(tree, point, boxDistance, near)
      return near.distances[7]!
    }),
    pairs: pairs(boxes),
    densePairs: pairs(field.dense),
    move: moving(false),
    jump: moving(true),
    movedQuery: query,
    insert: () => {
      buildDynamicTree(tree, boxes, 0)
      for (let i = 0; i < count; i++) {
        insertItem(tree, i, boxes, i)
      }
      return tree.count
    },
    insertedQuery: query,
  }
}
