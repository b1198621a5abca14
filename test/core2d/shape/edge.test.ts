import { expect, it } from 'vitest'
import { following, preceding, sideOfEdge } from '../../../src/core2d/shape/body.ts'
import { prepare } from '../../support/answers/slots.ts'

const box = prepare({ shape: { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 4, y: 2 } } })

it('neighbours wrap around', () => {
  expect([0, 1, 2, 3].map((i) => following(box, i))).toEqual([1, 2, 3, 0])
  expect([0, 1, 2, 3].map((i) => preceding(box, i))).toEqual([3, 0, 1, 2])
})

it('a point lies before, beside or beyond an edge, its ends counting as beside', () => {
  // Edge 0 runs along the bottom, from x = 0 to x = 4.
  expect([-1, 0, 2, 4, 5].map((x) => sideOfEdge(box, 0, x, -3))).toEqual([-1, 0, 0, 0, 1])
  // Edge 2 runs back along the top.
  expect([-1, 0, 2, 4, 5].map((x) => sideOfEdge(box, 2, x, 9))).toEqual([1, 0, 0, 0, -1])
})
