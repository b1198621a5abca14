import fc from 'fast-check'
import { expect, it } from 'vitest'
import { orderOfKeys } from '../../src/containers/sorting.ts'
import { runs } from '../support/runs.ts'

it('orders as sorting with a function does', () => {
  const key = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(-0), fc.double({ noNaN: true }))
  fc.assert(
    fc.property(fc.array(key, { maxLength: 60 }), (keys) => {
      const expected = keys.map((_, i) => i).sort((i, j) => (keys[i] < keys[j] ? -1 : keys[i] > keys[j] ? 1 : j - i))
      expect([...orderOfKeys(Float64Array.from(keys), (i, j) => j - i)]).toEqual(expected)
    }),
    runs(500),
  )
})
