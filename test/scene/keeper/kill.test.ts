// What was acknowledged survives `kill -9`, at whatever moment it comes. `npm run torture:scenes` kills as often as one likes.

import { expect, it } from 'vitest'
import { killRounds } from '../../support/services/kill-rounds.ts'

it('loses nothing in 8 kills', { timeout: 600_000 }, async () => {
  const report = await killRounds(8, 20261121)
  console.log(report)
  expect(report.rounds).toBe(8)
  // The rounds were worth it: writes, snapshots, and kills before the process was ready.
  expect(report.acknowledged).toBeGreaterThan(500)
  expect(report.snapshots).toBeGreaterThan(5)
  expect(report.early).toBeGreaterThan(0)
})
