// What was acknowledged survives `kill -9`, at whatever moment it comes. `npm run torture:scenes` kills as often as one likes.

import { expect, it } from 'vitest'
import { killRounds } from '../../support/services/kill-rounds.ts'

it('loses nothing in 8 kills', { timeout: 600_000 }, async () => {
  const report = await killRounds(8, 20261121)
  console.log(report)
  expect(report.rounds).toBe(8)
  // The rounds were worth it: writes, and snapshots.
  expect(report.acknowledged).toBeGreaterThan(200)
  expect(report.snapshots).toBeGreaterThan(1)
})
