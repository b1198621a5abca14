// The kernel bench in space: Tangent's pair functions, rays and hulls side by side with Rapier, Jolt, cannon-es and quickhull3d, on the
// same inputs in one run, each library in a process of its own, all of its kernels in turns. Libraries must agree on the answers first.
//
//   npm run bench:kernels-3d                    all of them, and the results are kept
//   npm run bench:kernels-3d -- meeting ray     those whose titles hold one of the words

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { type KernelRow, median, saveResults, today } from '../results.ts'
import type { Order, Reply } from './contender.ts'
import { type Inputs, makeInputs } from './inputs.ts'
import { KERNELS, type KernelName, SPACE_COUNT } from './kernel-table.ts'

interface Contender {
  library: string
  process: ChildProcess
  kernels: KernelName[]
}

const LIBRARIES = ['tangent', 'tangent, with points', 'Rapier, raw call', 'Jolt', 'cannon-es', 'quickhull3d']
/** Rounds before the first that counts: enough for the engine to have compiled everything with all of it in view. */
const WARM_UP_COUNT = 20
const ROUND_COUNT = 31
/** Of its answers a library may have so many wrong: cannon-es misses contacts, and has prisms for cylinders. */
const MOST_WRONG_RATIO = 0.05

async function ask<R extends Reply>(child: ChildProcess, message: Order): Promise<R> {
  const ended = new AbortController()
  const end = () => ended.abort(new Error('a library ended'))
  child.once('exit', end)
  child.send(message)
  const [reply] = await once(child, 'message', { signal: ended.signal })
  child.off('exit', end)
  return reply as R
}

async function start(library: string, inputs: Inputs): Promise<Contender> {
  const extension = import.meta.filename.slice(-3)
  const child = fork(resolve(import.meta.dirname, `contender${extension}`))
  return { library, process: child, kernels: await ask(child, { order: 'load', library, inputs }) }
}

async function checkAgreement(kernel: KernelName, contenders: Contender[]): Promise<void> {
  const [own, ...others] = contenders.filter(({ kernels }) => kernels.includes(kernel))
  const expected = await ask<number[]>(own!.process, { order: 'answers', kernel })
  const { title, agreementRatio } = KERNELS[kernel]
  for (const { library, process } of others) {
    const actual = await ask<number[]>(process, { order: 'answers', kernel })
    const wrong = actual.filter(
      (value, i) => !(Math.abs(value - expected[i]!) <= agreementRatio * Math.abs(expected[i]!)),
    )
    if (wrong.length === 0) continue
    const text = `${title}: ${library} differs in ${wrong.length} of ${actual.length}`
    if (wrong.length > MOST_WRONG_RATIO * actual.length) throw new Error(text)
    console.log(text)
  }
}

/** Median nanoseconds of one operation by library. */
async function time(contenders: Contender[], names: readonly KernelName[]): Promise<Map<KernelName, KernelRow>> {
  const samples = contenders.map(() => new Map(names.map((name): [KernelName, number[]] => [name, []])))
  for (let round = -WARM_UP_COUNT; round < ROUND_COUNT; round++) {
    for (const [index, { process, kernels }] of contenders.entries()) {
      for (const kernel of names) {
        if (!kernels.includes(kernel)) continue
        const elapsed = await ask<number>(process, { order: 'round', kernel })
        const { inputs, passes } = KERNELS[kernel]
        if (round >= 0) samples[index]!.get(kernel)!.push(elapsed / (inputs * passes))
      }
      await ask<number>(process, { order: 'beside' })
    }
  }
  const rowOf = (name: KernelName): KernelRow => ({
    kernel: KERNELS[name].title,
    nanoseconds: Object.fromEntries(
      contenders.flatMap(({ library }, index) => {
        const own = samples[index]!.get(name)!
        return own.length > 0 ? [[library, Number(median(own).toPrecision(3))]] : []
      }),
    ),
  })
  return new Map(names.map((name) => [name, rowOf(name)]))
}

function print({ kernel, nanoseconds }: KernelRow): void {
  console.log(kernel)
  for (const [library, value] of Object.entries(nanoseconds)) {
    const ratio = (value / nanoseconds.tangent!).toFixed(2)
    console.log(`  ${library.padEnd(24)} ${String(value).padStart(9)} ns  x${ratio}`)
  }
}

async function main(words: string[]): Promise<void> {
  const chosen = (Object.keys(KERNELS) as KernelName[]).filter(
    (name) => words.length === 0 || words.some((word) => KERNELS[name].title.includes(word)),
  )
  const inputs = makeInputs()
  const contenders: Contender[] = []
  try {
    for (const library of LIBRARIES) contenders.push(await start(library, inputs))
    for (const name of chosen) await checkAgreement(name, contenders)
    const rows = [...(await time(contenders, chosen)).values()]
    rows.forEach(print)
    if (words.length > 0) return
    const path = saveResults({ kernels3d: { date: today(), pairs: SPACE_COUNT, rounds: ROUND_COUNT, rows } })
    console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
  } finally {
    for (const { process } of contenders) process.kill()
  }
}

await main(process.argv.slice(2))
