// Rings that are known to bound a region run as the sweep says, and regions set from them are the same.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createOutline } from '../../../src/core2d/outline/outline.ts'
import { setRegion } from '../../../src/core2d/outline/region.ts'
import { createOutlineFault } from '../../../src/core2d/outline/ring-check.ts'
import { loneOf } from '../../scene/state/scene-cases.ts'
import { mixedComposite } from '../../support/families/composite-arbitraries.ts'
import { runCount, unshrunk } from '../../support/runs.ts'

type Ring = readonly { x: number; y: number }[]

function ringsOf(shape: object): Ring[][] {
  const { outer, holes = [], children = [] } = shape as { outer?: Ring; holes?: Ring[]; children?: { shape: object }[] }
  const inside = children.flatMap((child) => ringsOf(child.shape))
  return outer === undefined ? inside : [[outer, ...holes], ...inside]
}

function setBoth(rings: readonly Ring[]) {
  const points = Float64Array.from(rings.flatMap((ring) => ring.flatMap(({ x, y }) => [x, y])))
  const starts = [0]
  for (const ring of rings) starts.push(starts[starts.length - 1] + ring.length)
  const [checked, known] = [createOutline(), createOutline()]
  const fault = createOutlineFault()
  expect(setRegion(checked, points, starts, 0.6, 0.8, fault)).toBe(true)
  expect(setRegion(known, points, starts, 0.6, 0.8, fault, !checked.touchesItself)).toBe(true)
  return [checked, known]
}

describe('a region that is known to be one', () => {
  it('is set as it was when it was checked', () => {
    let count = 0
    fc.assert(
      fc.property(mixedComposite(), (body) => {
        loneOf({ id: 'a', ...body } as never)
        for (const rings of ringsOf(body.shape)) {
          const [checked, known] = setBoth(rings)
          expect(known).toEqual(checked)
          count++
        }
      }),
      unshrunk(300),
    )
    expect(count).toBeGreaterThan(runCount(50))
  })

  it.each([
    [
      'clockwise, with a hole',
      [
        [0, 0, 0, 4, 4, 4, 4, 0],
        [1, 1, 3, 1, 3, 3, 1, 3],
      ],
    ],
    ['touching itself', [[0, 0, 2, 2, 4, 0, 4, 4, 2, 2, 0, 4]]],
    ['a line', [[0, 0, 1, 1, 2, 2]]],
    ['a sliver that rounding leaves open', [[0, 0, 1e8, 1, 2e8, 2 + 2 ** -30, 1e8, 1 + 2 ** -30]]],
    ['tiny', [[0, 0, 1e-200, 0, 0, 1e-200]]],
    ['huge', [[0, 0, 1e100, 0, 0, 1e100]]],
    [
      'with a flat hole',
      [
        [0, 0, 9, 0, 9, 9, 0, 9],
        [1, 1, 2, 2, 3, 3],
        [5, 5, 5, 6, 6, 6, 6, 5],
      ],
    ],
  ])('%s', (_name, flat) => {
    const rings = flat.map((ring) =>
      Array.from({ length: ring.length / 2 }, (_, i) => ({ x: ring[2 * i], y: ring[2 * i + 1] })),
    )
    const [checked, known] = setBoth(rings)
    expect(known).toEqual(checked)
  })
})
