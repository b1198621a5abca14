// What was acknowledged survives `kill -9`, at whatever moment it comes.

import { expect, it } from 'vitest'
import { killRounds } from '../../support/services/kill-rounds.ts'

it('loses nothing in 20 kills', { timeout: 600_000 }, async () => {
  const report = await killRounds(20, 20261121)
  console.log(report)
  expect(report.rounds).toBe(20)
  // The rounds were worth it: writes, snapshots, and kills before the process was ready.
  expect(report.acknowledged).toBeGreaterThan(2000)
  expect(report.snapshots).toBeGreaterThan(20)
  expect(report.early).toBeGreaterThan(0)
})
