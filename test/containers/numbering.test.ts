import { expect, it } from 'vitest'
import { Numbering } from '../../src/containers/numbering.ts'

it('numbers slots in the order in which they come', () => {
  const numbering = new Numbering()
  expect([7, 0, 7, 100_000, 0].map((slot) => numbering.find(slot))).toEqual([-1, -1, 0, -1, 1])
  expect(numbering.last).toBe(2)
})
