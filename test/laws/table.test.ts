// A table holds, to the last bit, what the query about each pair alone answers.
import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MovingBody2d } from '../../schemas/body.ts'
import type { TableRequest, TableResponse } from '../../schemas/table.ts'
import { fillTable } from '../../src/wire/fill-table.ts'
import { moving } from '../fuzz/wild-values.ts'
import { type Client, startClient } from '../support/client.ts'
import { mixedComposite } from '../support/composite-arbitraries.ts'
import { finished } from '../support/finished.ts'
import { unshrunk } from '../support/runs.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

const LIMITS = { maxBodies: 100, maxCells: 100_000, maxVertices: 1000, maxParts: 100 }

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
  const answer = finished(fillTable(request, LIMITS))
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

  it('does not depend on what is between two turns', () => {
    // Two tables filled in turns share nothing.
    const row = (count: number, size: number) =>
      Array.from(
        { length: count },
        (_, i): MovingBody2d => ({
          shape: {
            type: 'region',
            outer: [
              { x: 0, y: 0 },
              { x: size, y: 0 },
              { x: size / 4, y: size / 4 },
              { x: 0, y: size },
            ],
          },
          position: { x: 0.7 * i, y: 0.3 * i },
          velocity: { x: 1, y: i },
        }),
      )
    const requests: TableRequest[] = [
      { measure: 'separation', a: row(12, 3), b: row(30, 5) },
      { measure: 'time-of-impact', a: row(30, 2), b: row(12, 4), duration: 3 },
    ]
    const alone = requests.map((request) => finished(fillTable(request, LIMITS)))
    const slices = requests.map((request) => fillTable(request, LIMITS))
    const together: unknown[] = [null, null]
    let turns = 0
    while (together.includes(null)) {
      turns++
      slices.forEach((slice, i) => {
        if (together[i] !== null) return
        const { done, value } = slice.next()
        if (done) together[i] = value
      })
    }
    expect(turns).toBeGreaterThan(10)
    expect(together).toEqual(alone)
  })
})
