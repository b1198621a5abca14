// The broad-phase bench: Tangent's tree and its pairs side by side with rbush, flatbush, detect-collisions, planck's tree and
// Rapier, on the same boxes in one run, each library and size in a process of its own. The first pass of every operation must
// give the same answer in all libraries. Then they take turns in short rounds, as in the kernel bench; medians are kept.
//
//   npm run bench:broad-phase                      all sizes, and the results are kept
//   npm run bench:broad-phase -- 1000 100000 ray   these sizes only, and operations whose titles hold one of the words
//
// What a library would need more than `LONGEST_PASS_MS` or `MOST_BOXES` for is left out.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { type BroadPhaseRow, median, saveResults, today } from '../results.ts'
import type { Order, Pass } from './broad-phase-contender.ts'
import { SIZES } from './broad-phase-field.ts'
import { OPERATIONS, type OperationName } from './broad-phase-operations.ts'

/** Libraries, and the largest field each is tried on: objects of a kilobyte and more take all the memory beyond. */
const MOST_BOXES: Record<string, number> = {
  tangent: 1_000_000,
  'tangent, spatial-hash': 1_000_000,
  'tangent, dynamic-tree': 1_000_000,
  rbush: 1_000_000,
  flatbush: 1_000_000,
  'detect-collisions': 100_000,
  planck: 100_000,
  Rapier: 100_000,
}
/** An operation of which one pass takes longer is timed by that pass alone, or not at all. */
const LONG_PASS_MS = 1000
const LONGEST_PASS_MS = 10_000
const WARM_UP_MS = 250
const ROUND_MS = 40
const ROUND_COUNT = 11
/** Rounds of operations whose passes take longer than `SLOW_PASS_MS`. */
const SLOW_PASS_MS = 100
const SLOW_ROUND_COUNT = 5
/** Rapier computes in single precision. */
const AGREEMENT_RATIO = 1e-4

interface Contender {
  library: string
  process: ChildProcess
  operations: OperationName[]
}

async function ask<R>({ process }: Pick<Contender, 'process'>, message: Order): Promise<R> {
  process.send(message)
  const [reply] = await once(process, 'message')
  return reply as R
}

async function start(library: string, count: number): Promise<Contender> {
  const extension = import.meta.filename.slice(-3)
  const child = fork(resolve(import.meta.dirname, `broad-phase-contender${extension}`))
  return { library, process: child, operations: await ask({ process: child }, { order: 'load', library, count }) }
}

/** Nanoseconds by library, of those that have the operation and agree with the first of them. */
async function measure(operation: OperationName, contenders: Contender[]): Promise<Record<string, number>> {
  const timed: { contender: Contender; samples: number[]; rounds: number }[] = []
  let expected: number | undefined
  for (const contender of contenders) {
    if (!contender.operations.includes(operation)) continue
    const { answer, milliseconds } = await ask<Pass>(contender, { order: 'pass', operation })
    expected ??= answer
    if (Math.abs(answer - expected) > AGREEMENT_RATIO * expected) {
      throw new Error(`${OPERATIONS[operation]}: ${contender.library} says ${answer} instead of ${expected}`)
    }
    if (milliseconds > LONGEST_PASS_MS) continue
    const rounds = milliseconds > LONG_PASS_MS ? 1 : milliseconds > SLOW_PASS_MS ? SLOW_ROUND_COUNT : ROUND_COUNT
    if (rounds > 1) await ask(contender, { order: 'warm-up', operation, milliseconds: WARM_UP_MS })
    timed.push({ contender, samples: [], rounds })
  }
  for (let round = 0; round < ROUND_COUNT; round++) {
    for (let turn = 0; turn < timed.length; turn++) {
      const { contender, samples, rounds } = timed[(turn + round) % timed.length]!
      if (samples.length === rounds) continue
      samples.push(await ask<number>(contender, { order: 'round', operation, milliseconds: ROUND_MS }))
    }
  }
  return Object.fromEntries(
    timed.map(({ contender, samples }) => [contender.library, Number(median(samples).toPrecision(3))]),
  )
}

async function measureSize(count: number, chosen: OperationName[]): Promise<BroadPhaseRow[]> {
  const contenders: Contender[] = []
  const rows: BroadPhaseRow[] = []
  try {
    for (const [library, most] of Object.entries(MOST_BOXES)) {
      if (count <= most) contenders.push(await start(library, count))
    }
    for (const operation of chosen) {
      const nanoseconds = await measure(operation, contenders)
      rows.push({ boxes: count, operation: OPERATIONS[operation], nanoseconds })
      console.log(`${count.toLocaleString('en')} boxes, ${OPERATIONS[operation]}`)
      for (const [library, value] of Object.entries(nanoseconds)) {
        const ratio = (value / nanoseconds.tangent!).toFixed(2)
        console.log(`  ${library.padEnd(24)} ${String(value).padStart(8)} ns  x${ratio}`)
      }
    }
  } finally {
    for (const { process } of contenders) process.kill()
  }
  return rows
}

async function main(args: string[]): Promise<void> {
  const sizes = args.map(Number).filter((size) => size > 0)
  const words = args.filter((word) => !(Number(word) > 0))
  const chosen = (Object.keys(OPERATIONS) as OperationName[]).filter(
    (name) => words.length === 0 || words.some((word) => OPERATIONS[name].includes(word)),
  )
  const rows: BroadPhaseRow[] = []
  for (const count of sizes.length > 0 ? sizes : SIZES) rows.push(...(await measureSize(count, chosen)))
  if (args.length > 0) return
  const path = saveResults({ broadPhase: { date: today(), rounds: ROUND_COUNT, rows } })
  console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
}

await main(process.argv.slice(2))
