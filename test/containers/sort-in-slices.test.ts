// Sorting with pauses sorts as without.
import { describe, expect, it } from 'vitest'
import { Pace } from '../../src/containers/budget.ts'
import { sortInSlices } from '../../src/containers/sorting.ts'
import { seededRandom } from '../support/families/box-sets.ts'

const random = seededRandom(11)

describe('sorting in slices', () => {
  it.each([0, 1, 2, 1023, 1024, 1025, 2048, 2049, 3000, 4097, 20_000])('%i items, some of them equal', (count) => {
    for (const kinds of [1, 7, count + 1]) {
      const list = Array.from({ length: count }, (_, k) => ({ key: Math.floor(kinds * random()), k }))
      const expected = list.toSorted((a, b) => a.key - b.key)
      let pauses = 0
      for (const _ of sortInSlices(list, (a, b) => a.key - b.key, new Pace())) pauses++
      expect(list).toEqual(expected)
      expect(pauses > 0).toBe(count > 1024)
    }
  })
})
