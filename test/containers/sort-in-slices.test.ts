// Sorting with pauses sorts as without.
import { describe, expect, it } from 'vitest'
import { Pace } from '../../src/containers/budget.ts'
import { orderOfWhole, orderOfWholeInSlices, sortInSlices } from '../../src/containers/sorting.ts'
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

  it.each([0, 1, 2, 4095, 4096, 4097, 8193, 20_000, 40_001])(
    'places of %i whole numbers, some of them equal',
    (count) => {
      for (const kinds of [1, 7, 2 ** 26]) {
        const numbers = Int32Array.from({ length: 3 * count }, () => Math.floor(kinds * random()))
        const work = orderOfWholeInSlices(numbers, count, 3, new Pace())
        let pauses = 0
        for (;;) {
          const { done, value } = work.next()
          if (done) {
            expect(value.join()).toBe(orderOfWhole(numbers, 0, count, 3).join())
            break
          }
          pauses++
        }
        expect(pauses > 0).toBe(count > 1024)
      }
    },
  )
})
