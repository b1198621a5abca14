// rbush: an R-tree that changes. A box that moves is taken out and put in again.

import RBush from 'rbush'
import { type Field, placesOf } from './broad-phase-field.ts'
import { asking, type Operations } from './broad-phase-operations.ts'

interface Item {
  minX: number
  minY: number
  maxX: number
  maxY: number
  index: number
}

export async function rbushOperations(field: Field): Promise<Operations> {
  const { count, queries, movers } = field
  const itemsOf = (boxes: Float64Array) =>
    Array.from({ length: count }, (_, index): Item => {
      const at = 4 * index
      return { minX: boxes[at]!, minY: boxes[at + 1]!, maxX: boxes[at + 2]!, maxY: boxes[at + 3]!, index }
    })
  const items = itemsOf(field.boxes)
  const dense = itemsOf(field.dense)
  const pairs = (items: Item[]) => () => {
    const tree = new RBush<Item>().load(items)
    const first: number[] = []
    const second: number[] = []
    for (const item of items) {
      for (const { index } of tree.search(item)) {
        if (index <= item.index) continue
        first.push(item.index)
        second.push(index)
      }
    }
    return first.length
  }
  let tree = new RBush<Item>()
  const asked = Array.from({ length: queries.length / 4 }, (_, k) => ({
    minX: queries[4 * k]!,
    minY: queries[4 * k + 1]!,
    maxX: queries[4 * k + 2]!,
    maxY: queries[4 * k + 3]!,
  }))
  const query = asking((k) => tree.search(asked[k]!).length)
  const moving = (isFar: boolean) => {
    const places = placesOf(field, isFar)
    return (pass: number) => {
      const place = places[(pass + 1) % places.length]!
      for (let k = 0; k < movers.length; k++) {
        const item = items[movers[k]!]!
        tree.remove(item)
        item.minX = place[4 * k]!
        item.minY = place[4 * k + 1]!
        item.maxX = place[4 * k + 2]!
        item.maxY = place[4 * k + 3]!
        tree.insert(item)
      }
      return movers.length
    }
  }
  return {
    build: () => {
      tree = new RBush<Item>().load(items)
      return items.length
    },
    query,
    pairs: pairs(items),
    densePairs: pairs(dense),
    move: moving(false),
    jump: moving(true),
    movedQuery: query,
    insert: () => {
      tree = new RBush<Item>()
      for (const item of items) tree.insert(item)
      return items.length
    },
    insertedQuery: query,
  }
}
