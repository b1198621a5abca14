// Kills a process that writes to scenes a thousand times, and looks each time whether anything was lost.
// npm run torture:scenes [-- ROUNDS [SEED]]

import { killRounds } from '../test/support/services/kill-rounds.ts'

const [rounds = '1000', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2)
console.log(`${rounds} rounds, seed ${seed}`)
const started = performance.now()
const report = await killRounds(Number(rounds), Number(seed))
console.log({ ...report, seconds: Math.round((performance.now() - started) / 1000) })
