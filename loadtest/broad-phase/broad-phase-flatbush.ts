// flatbush: a packed R-tree that is built once. All pairs: the tree is built, and every box asks for those after it.

import Flatbush from 'flatbush'
import type { Field } from './broad-phase-field.ts'
import { asking, type Operations } from './broad-phase-operations.ts'

export async function flatbushOperations({ count, boxes, dense, queries }: Field): Promise<Operations> {
  const build = (boxes: Float64Array) => {
    const index = new Flatbush(count)
    for (let at = 0; at < 4 * count; at += 4) index.add(boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!)
    index.finish()
    return index
  }
  const pairs = (boxes: Float64Array) => () => {
    const index = build(boxes)
    const first: number[] = []
    const second: number[] = []
    for (let i = 0; i < count; i++) {
      const found = index.search(boxes[4 * i]!, boxes[4 * i + 1]!, boxes[4 * i + 2]!, boxes[4 * i + 3]!)
      for (const j of found) {
        if (j <= i) continue
        first.push(i)
        second.push(j)
      }
    }
    return first.length
  }
  let index = build(boxes)
  return {
    build: () => {
      index = build(boxes)
      return index.numItems
    },
    query: asking(
      (k) => index.search(queries[4 * k]!, queries[4 * k + 1]!, queries[4 * k + 2]!, queries[4 * k + 3]!).length,
    ),
    nearest: asking((k) => {
      const x = queries[4 * k]!
      const y = queries[4 * k + 1]!
      const last = 4 * index.neighbors(x, y, 8)[7]!
      const dx = Math.max(boxes[last]! - x, x - boxes[last + 2]!, 0)
      const dy = Math.max(boxes[last + 1]! - y, y - boxes[last + 3]!, 0)
      return Math.sqrt(dx * dx + dy * dy)
    }),
    pairs: pairs(boxes),
    densePairs: pairs(dense),
  }
}
