import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clearEdgeOrder,
  createChunkedOrder,
  edgeAbove,
  edgeBelow,
  highestNotAbove,
  insertAbove,
  NO_EDGE,
  removeEdge,
  replaceEdge,
  validateEdgeOrder,
} from '../../src/containers/chunked-order.ts'
import { runs } from '../support/runs.ts'

const EDGE_COUNT = 300

/** All edges from bottom to top, by asking for the next one again and again. */
function listed(order: ReturnType<typeof createChunkedOrder>): number[] {
  const edges: number[] = []
  for (let edge = edgeAbove(order, NO_EDGE); edge !== NO_EDGE; edge = edgeAbove(order, edge)) edges.push(edge)
  return edges
}

describe('EdgeOrder', () => {
  it('is a list, whatever is inserted, removed and replaced', () => {
    const order = createChunkedOrder()
    const step = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat(EDGE_COUNT - 1), fc.nat(1000))
    // Growing twice as often as shrinking, then the other way round: chunks are halved and given back.
    const steps = fc.array(step, { minLength: 300, maxLength: 700 })
    fc.assert(
      fc.property(steps, (list) => {
        clearEdgeOrder(order, EDGE_COUNT)
        const model: number[] = []
        list.forEach(([choice, edge, place], k) => {
          const at = model.indexOf(edge)
          const grows = choice < (k < list.length / 2 ? 8 : 2)
          if (at < 0 && grows) {
            const slot = place % (model.length + 1)
            insertAbove(order, slot === 0 ? NO_EDGE : model[slot - 1], edge)
            model.splice(slot, 0, edge)
          } else if (at < 0 && model.length > 0) {
            const slot = place % model.length
            replaceEdge(order, model[slot], edge)
            model[slot] = edge
          } else if (at >= 0 && !grows) {
            removeEdge(order, edge)
            model.splice(at, 1)
          }
          expect(validateEdgeOrder(order)).toBeNull()
        })
        expect(listed(order)).toEqual(model)
        expect(model.map((edge) => edgeBelow(order, edge))).toEqual([NO_EDGE, ...model].slice(0, model.length))
        for (let limit = 0; limit <= model.length; limit++) {
          const edge = highestNotAbove(order, (candidate) => model.indexOf(candidate) >= limit)
          expect(edge).toBe(limit === 0 ? NO_EDGE : model[limit - 1])
        }
      }),
      runs(30),
    )
  })

  it('notices damage', () => {
    const order = createChunkedOrder()
    clearEdgeOrder(order, EDGE_COUNT)
    for (let edge = 0; edge < EDGE_COUNT; edge++) insertAbove(order, edge - 1, edge)
    expect(validateEdgeOrder(order)).toBeNull()
    expect(listed(order)).toEqual(Array.from({ length: EDGE_COUNT }, (_, k) => k))
    order.chunkOf[7]++
    expect(validateEdgeOrder(order)).not.toBeNull()
    order.chunkOf[7]--
    order.places[order.table[1]] = 0
    expect(validateEdgeOrder(order)).not.toBeNull()
  })
})
