// Requests about bodies in space with hostile numbers, from text to text as a worker does it: none fails, no number of an answer is
// not finite, and none takes more than a bounded number of steps.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { countSteps, OutOfBudget, within } from '../../src/containers/budget.ts'
import { catalogues } from '../../src/queries/stateless/all.ts'
import { Answerer, answerQuery } from '../../src/queries/stateless/answerer.ts'
import { toJson } from '../support/answers/json.ts'
import { isLongRun, runCount } from '../support/runs.ts'
import { withHostileNumbers } from './hostile-numbers.ts'
import { QUERIES_3D } from './wild-requests.ts'

/** Integers of thousands of bits are counted by their size: no pair here takes a tenth of a second. */
const MOST_STEPS = 2 ** 26
/** The outline of a cut has up to 4,096 points, each found by an exact ray. */
const MOST_STEPS_OF_OUTLINES = 2 ** 29
const FORMS = 4

/** Searches, which may use up all steps that they are granted, and end with them. */
const SEARCHES = new Set(['decompose'])

const config = loadConfig({})
const faults: unknown[] = []
const answerer = new Answerer(
  catalogues['3d'],
  { ...queryLimits(config), maxBatch: config.MAX_BATCH },
  { answer: answerQuery, onProgress: () => undefined, onFault: (fault) => faults.push(fault) },
)

/** A word of JavaScript that is none of JSON's, or a number that no double holds. */
const NOT_FINITE = /[:[,](NaN|-?Infinity|-?\d[\d.]*[eE]\+?(309|3[1-9]\d|[4-9]\d\d))/

describe.each(Object.entries(QUERIES_3D))('%s', (op, requests) => {
  it('takes any numbers', () => {
    const counts = new Map<number, number>()
    for (const [k, request] of fc.sample(requests, { numRuns: runCount(150), seed: 20261123 }).entries()) {
      for (let form = 0; form < FORMS; form++) {
        const text = withHostileNumbers(toJson(request), 7919 * k + form)
        const { result, steps } = countSteps(() => {
          const ask = () => answerer.answerQuery(op, Buffer.from(text), 'r', null)
          try {
            return SEARCHES.has(op) ? within(MOST_STEPS, ask) : ask()
          } catch (fault) {
            if (SEARCHES.has(op) && fault instanceof OutOfBudget) return null
            throw new Error(`${op} fails: ${text}`, { cause: fault })
          }
        })
        if (result === null) continue
        const body = Buffer.from(result.body).toString()
        counts.set(result.status, (counts.get(result.status) ?? 0) + 1)
        expect(result.status, text).toBeLessThan(500)
        expect(NOT_FINITE.test(body), `${text}\n${body}`).toBe(false)
        expect(steps, text).toBeLessThan(op === 'slice' ? MOST_STEPS_OF_OUTLINES : MOST_STEPS)
      }
    }
    expect(faults).toEqual([])
    if (isLongRun) expect(counts.get(200), JSON.stringify([...counts])).toBeGreaterThan(0)
  })
})
