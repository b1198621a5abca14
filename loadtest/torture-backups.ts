// Backs up a data directory under writers, kills them, and restores, many times.
// npm run torture:backups [-- ROUNDS [SEED]]

import { backupRounds } from '../test/support/services/backup-rounds.ts'

const [rounds = '50', seed = String(Date.now() % 1000)] = process.argv.slice(2)
console.log(`${rounds} rounds, seed ${seed}`)
const started = performance.now()
const report = await backupRounds(Number(rounds), Number(seed))
console.log({ ...report, seconds: Math.round((performance.now() - started) / 1000) })
