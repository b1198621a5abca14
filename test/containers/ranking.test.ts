// A ranking keeps the first results in order, whatever order they come in.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Pace } from '../../src/containers/budget.ts'
import { compareIds, Ranking } from '../../src/containers/ranking.ts'
import { finished } from '../support/answers/finished.ts'
import { runs } from '../support/runs.ts'

const results = fc
  .uniqueArray(fc.nat(5000), { maxLength: 600, size: 'max' })
  .chain((names) => fc.tuple(fc.constant(names), fc.array(fc.nat(9), { minLength: 600, maxLength: 600 })))
  .map(([names, places]) => names.map((name, k) => ({ at: places[k], id: `b${name}` })))

describe('a ranking', () => {
  it('has the first ones, sorted, and knows whether there were more', () => {
    fc.assert(
      fc.property(results, fc.oneof(fc.nat(5), fc.nat(700), fc.constant(Infinity)), (all, limit) => {
        const ranking = new Ranking<string>(limit)
        for (const { at, id } of all) if (ranking.takes(at, id)) ranking.add(at, id, `${at} ${id}`)
        const { ranked, truncated } = finished(ranking.finish(new Pace()))
        const sorted = all.toSorted((a, b) => a.at - b.at || compareIds(a.id, b.id)).slice(0, limit)
        expect(ranked).toEqual(sorted.map(({ at, id }) => ({ at, id, value: `${at} ${id}` })))
        expect(truncated).toBe(all.length > limit)
      }),
      runs(300),
    )
  })
})
