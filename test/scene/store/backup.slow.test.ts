// Backups under writers that are killed afterwards; the long campaign is `npm run torture:backups`.

import { expect, it } from 'vitest'
import { backupRounds } from '../../support/services/backup-rounds.ts'

it('loses nothing that was acknowledged before the backup began', async () => {
  const report = await backupRounds(4, 20261128)
  expect(report.rounds).toBe(4)
  expect(report.acknowledged).toBeGreaterThan(400)
}, 120_000)
