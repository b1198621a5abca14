// Requests with numbers at the ends of what doubles hold: each is answered, refused or found too much, and none hangs.
// `npx tsx loadtest/fuzz-numbers.ts` asks as many as one likes.
import { expect, it } from 'vitest'
import { runCount } from '../support/runs.ts'
import { watchQueries } from '../support/services/watched-queries.ts'
import { extremeRequest } from './extreme-requests.ts'

const STEPS = 2 ** 22
/** Far more than any request takes, even on a busy machine. */
const PATIENCE_MS = 20_000

it('no request hangs, throws or is answered with what is no number', async () => {
  const { counts, faults } = await watchQueries(0, runCount(3000), STEPS, PATIENCE_MS)
  process.stdout.write(`extreme requests: ${JSON.stringify(counts)}\n`)
  expect(faults.map(({ seed, fault }) => ({ fault, ...extremeRequest(seed) }))).toEqual([])
  expect(counts.answered).toBeGreaterThan(runCount(3000) / 2)
})
