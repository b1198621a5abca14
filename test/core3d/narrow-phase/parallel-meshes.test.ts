// Meshes that face each other across a gap, at an angle to the axes of the world: their nearest triangles are found in steps that do not
// grow with the square of their number, and are the nearest.
import { describe, expect, it } from 'vitest'
import { countSteps } from '../../../src/containers/budget.ts'
import { createDistance, distance } from '../../../src/core3d/queries/distance.ts'
import { createBody } from '../../../src/core3d/shape/body.ts'
import { setLeaf } from '../../../src/core3d/shape/composite.ts'
import { anyBodyOf } from '../../support/composite-bodies-3d.ts'
import type { Triple } from '../../support/convex-cases-3d.ts'

/** A grid of so many cells a side, whose vertices rise by up to `bump`, so far along its normal. */
function sheet(cells: number, along: number, bump: number) {
  const vertices: Triple[] = []
  const triangles: Triple[] = []
  const row = cells + 1
  for (let j = 0; j <= cells; j++) for (let i = 0; i <= cells; i++) vertices.push([i, bump * ((7 * i + 5 * j) % 4), j])
  for (let j = 0; j < cells; j++) {
    for (let i = 0; i < cells; i++) {
      const at = j * row + i
      triangles.push([at, at + row, at + 1], [at + 1, at + row, at + row + 1])
    }
  }
  // Turned by an eighth about x.
  const position: Triple = [0.3, along * Math.SQRT1_2, along * Math.SQRT1_2]
  const orientation: [number, number, number, number] = [Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8)]
  return anyBodyOf({ shape: { type: 'mesh', vertices, triangles }, position, orientation })
}

describe('tilted sheets of triangles, one far over the other', () => {
  it.each([0, 0.125])('are as far apart as their nearest triangles, with bumps of %f', (bump) => {
    const cells = 8
    const count = 2 * cells * cells
    const [a, b] = [sheet(cells, 0, bump), sheet(cells, 40, bump)]
    const found = createDistance()
    distance(a, b, found)
    let least = Infinity
    const pair = createDistance()
    const slots = [createBody(), createBody()]
    for (let i = 0; i < count; i++) {
      const own = setLeaf(a, i, slots[0])
      for (let j = 0; j < count; j++) {
        distance(own, setLeaf(b, j, slots[1]), pair)
        least = Math.min(least, pair.distance)
      }
    }
    expect(found.distance).toBe(least)
  })

  it.each([0, 0.125])('are found in few steps for each triangle, with bumps of %f', (bump) => {
    for (const cells of [8, 16]) {
      const [a, b] = [sheet(cells, 0, bump), sheet(cells, 40, bump)]
      const { steps } = countSteps(() => distance(a, b, createDistance()))
      expect(steps).toBeLessThan(1500 * 2 * cells * cells)
    }
  })
})
