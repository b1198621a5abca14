import { describe, expect, it } from 'vitest'
import { createLeaf, orderEdges, reserveLeaf } from '../../../src/core2d/minimum-translation/leaf-loop.ts'
import { nextAfter } from '../../support/families/next-after.ts'

/** The turns of a loop with these normals, from its first edge on. */
function turnsOf(normals: readonly (readonly [number, number])[], sign: 1 | -1): number[] {
  const leaf = createLeaf()
  reserveLeaf(leaf, normals.length)
  normals.forEach(([x, y], i) => {
    leaf.nx[i] = x
    leaf.ny[i] = y
  })
  orderEdges(leaf, sign)
  return normals.map((_, i) => leaf.turns[(leaf.firstEdge + i) % normals.length])
}

describe('the order of the edges of a loop so thin that rounding decides', () => {
  const angles = [0, 0.3, Math.PI / 2, 2, Math.PI, 4, (3 * Math.PI) / 2, 6]

  it.each(angles)('is that of the loop: %d', (angle) => {
    const x = Math.cos(angle)
    const y = Math.sin(angle)
    for (const sign of [1, -1] as const) {
      for (let bits = 0; bits < 81; bits++) {
        const off = (k: number): number => nextAfter(y, (Math.floor(bits / 3 ** k) % 3) - 1)
        const back = [0, 1, 2, 3].map((k): [number, number] => [x, off(k)])
        for (let start = 0; start < 5; start++) {
          const loop: [number, number][] = [[-x, -y], ...back]
          const turns = turnsOf([...loop.slice(start), ...loop.slice(0, start)], sign)
          expect(turns).toEqual([...turns].sort((p, q) => p - q))
          // The long side and what lies behind it: half a turn apart, and only there.
          const steps = turns.slice(1).map((turn, i) => turn - turns[i])
          expect(steps.filter((step) => step > 1)).toHaveLength(1)
          expect(steps.findIndex((step) => step > 1)).toSatisfy((at: number) => at === 0 || at === 3)
        }
      }
    }
  })
})
