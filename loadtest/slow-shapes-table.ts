// Prints how long pair queries about hard shapes take, and in how many steps.
// npx tsx loadtest/slow-shapes-table.ts [SIZE [KIND …]]

import { countSteps } from '../src/containers/budget.ts'
import { contact, createContact } from '../src/core2d/queries/contact.ts'
import { createDistance, distance } from '../src/core2d/queries/distance.ts'
import { createOverlap, overlap } from '../src/core2d/queries/overlap.ts'
import { prepare } from '../test/support/answers/slots.ts'
import { hardPairs } from './slow-shapes.ts'

const [size = '1000', ...wanted] = process.argv.slice(2)
const kinds = wanted.length > 0 ? wanted : Object.keys(hardPairs)
const touch = createContact()
const apart = createDistance()
const meeting = createOverlap()

console.log(`${size} vertices or children; milliseconds of the processor and thousands of steps`)
for (const kind of kinds) {
  const pair = hardPairs[kind](Number(size))
  const a = prepare(pair.a)
  const b = prepare(pair.b)
  const measure = (question: () => void): string => {
    const started = process.cpuUsage().user
    const { steps } = countSteps(question)
    const took = (process.cpuUsage().user - started) / 1000
    return `${took.toFixed(1).padStart(9)} ${(steps / 1000).toFixed(0).padStart(7)}`
  }
  const figures = [
    measure(() => overlap(a, b, meeting)),
    measure(() => distance(a, b, apart)),
    measure(() => contact(a, b, 0, touch)),
  ]
  const answer = `${touch.relation} ${touch.separation} ${touch.tx} ${touch.ty} ${touch.exact ? 'exact' : 'bound'}`
  console.log(`${kind.padEnd(34)}${figures.join(' |')} | ${answer}`)
}
