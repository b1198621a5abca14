// Asks requests with numbers at the ends of what doubles hold, and shows those that hang, throw or answer what is no number.
// npx tsx loadtest/fuzz-numbers.ts [COUNT [SEED [STEPS]]]

import { extremeRequest } from '../test/fuzz/extreme-requests.ts'
import { watchQueries } from '../test/support/services/watched-queries.ts'

const [count = '10000', seed = '0', steps = String(2 ** 22)] = process.argv.slice(2)
const PATIENCE_MS = 5000

const from = Number(seed)
const started = performance.now()
const { counts, faults } = await watchQueries(from, from + Number(count), Number(steps), PATIENCE_MS)
for (const { seed, fault } of faults) console.log(`${seed}: ${fault}\n${JSON.stringify(extremeRequest(seed))}\n`)
console.log(counts)
console.log(
  `${count} requests from ${from}: ${faults.length} faults, ${Math.round((performance.now() - started) / 1000)} s`,
)
