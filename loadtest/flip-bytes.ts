// Damages the files of a service two hundred times, and looks each time whether it says so and serves the rest.
// npm run torture:bytes [-- TRIALS [SEED]]

import { byteTrials } from '../test/support/services/byte-trials.ts'

const [trials = '200', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2)
console.log(`${trials} trials, seed ${seed}`)
const started = performance.now()
const report = await byteTrials(Number(trials), Number(seed), (line) => console.log(line))
console.log({ ...report, seconds: Math.round((performance.now() - started) / 1000) })
