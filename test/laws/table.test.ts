// A table holds, to the last bit, what the query about each pair alone answers.

import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TableRequest, TableResponse } from '../../schemas/queries/table.ts'
import type { MovingBody2d } from '../../schemas/shapes2d.ts'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { tableQuery } from '../../src/queries/stateless/table.ts'
import { moving } from '../fuzz/wild-values.ts'
import { mixedComposite } from '../support/families/composite-arbitraries.ts'
import { unshrunk } from '../support/runs.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

const LIMITS = { ...queryLimits(loadConfig({})), maxBodies: 100, maxCells: 100_000, maxVertices: 1000, maxParts: 100 }

/** The field of the answer that each measure is. */
const FIELDS = {
  overlap: ['overlap', 'overlap'],
  distance: ['distance', 'distance'],
  separation: ['contact', 'separation'],
  'time-of-impact': ['time-of-impact', 'time'],
} as const
type Measure = keyof typeof FIELDS

const bodies = fc.array(moving(mixedComposite()) as Arbitrary<MovingBody2d>, { maxLength: 4 })

function still({ shape, position, rotation }: MovingBody2d): object {
  return { shape, ...(position === undefined ? {} : { position }), ...(rotation === undefined ? {} : { rotation }) }
}

async function expectSingleAnswers(request: TableRequest): Promise<void> {
  const { measure, a, b, ...options } = request
  const answer = tableQuery['2d'].answer(request, LIMITS)
  expect(answer).toHaveProperty('values')
  const [query, field] = FIELDS[measure]
  const expected: unknown[][] = []
  for (const one of a) {
    const row: unknown[] = []
    for (const other of b) {
      const moves = measure === 'time-of-impact'
      const { status, body } = await client.post(query, {
        a: moves ? one : still(one),
        b: moves ? other : still(other),
        ...options,
      })
      expect(status).toBe(200)
      row.push((body as Record<string, unknown>)[field])
    }
    expected.push(row)
  }
  const { measure: given, values } = JSON.parse(JSON.stringify(answer)) as TableResponse
  expect(given).toBe(measure)
  expect(values).toEqual(expected)
}

describe('a table', () => {
  it.each(['overlap', 'distance', 'separation'] as Measure[])('of %s', async (measure) => {
    await fc.assert(
      fc.asyncProperty(bodies, bodies, (a, b) => expectSingleAnswers({ measure, a, b })),
      unshrunk(150),
    )
  })

  it('of times of impact', async () => {
    const options = fc.record(
      { duration: fc.constantFrom(0, 1, 5), ignoreSeparating: fc.boolean() },
      { requiredKeys: ['duration'] },
    )
    await fc.assert(
      fc.asyncProperty(bodies, bodies, options, (a, b, given) =>
        expectSingleAnswers({ measure: 'time-of-impact', a, b, ...given }),
      ),
      unshrunk(80),
    )
  })
})
