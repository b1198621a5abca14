// The kernel bench: Tangent's pair functions side by side with planck, SAT.js and Rapier, on the same inputs in one run,
// each library and kernel in a process of its own. First the libraries must agree on the answers, so that the comparison is one of
// equals.
//
//   npm run bench:kernels                       all of them, and the results are kept
//   npm run bench:kernels -- impact cast        those whose titles hold one of the words
//   npm run bench:kernels -- mixed              as in a service: thousands of distinct bodies, all kinds and kernels of a library in
//                                               one process, in turns; the results are kept as well

import { type KernelRow, saveResults, today } from '../results.ts'
import { answers, type Contender, MIXED_ROUND_COUNT, ROUND_COUNT, startContender, time, timeMixed } from './harness.ts'
import { type Inputs, inputsOf, makeInputs } from './inputs.ts'
import { KERNELS, type KernelName, MIXED_COUNT, PAIR_COUNT } from './kernel-table.ts'
import { MIXED_KERNELS, makeMixedInputs } from './mixed-inputs.ts'

async function checkAgreement(
  name: KernelName,
  contenders: Contender[],
  { agreement, agreementRatio } = KERNELS[name],
): Promise<void> {
  const { title } = KERNELS[name]
  const [own, ...others] = contenders
  const expected = await answers(own!, name)
  for (const other of others) {
    for (const [i, actual] of (await answers(other, name)).entries()) {
      if (Math.abs(actual - expected[i]!) <= agreement + agreementRatio * Math.abs(expected[i]!)) continue
      throw new Error(`${title}, input ${i}: ${other.library} says ${actual}, ${own!.library} says ${expected[i]}`)
    }
  }
}

const LIBRARIES = ['tangent', 'planck', 'planck, local manifold', 'SAT.js', 'Rapier', 'Rapier, raw call']

/** Medians by library. Each kernel gets fresh processes: what an earlier one taught the engine must not tell on it. */
async function measure(name: KernelName, inputs: Inputs): Promise<Record<string, number>> {
  const contenders: Contender[] = []
  try {
    for (const library of LIBRARIES) contenders.push(await startContender(library, inputsOf(name, inputs)))
    const able = contenders.filter(({ kernels }) => kernels.includes(name))
    await checkAgreement(name, able)
    const medians = await time(able, name)
    return Object.fromEntries(able.map(({ library }, index) => [library, Number(medians[index]!.toPrecision(3))]))
  } finally {
    for (const { process } of contenders) process.kill()
  }
}

function print(nanoseconds: Record<string, number>): void {
  for (const [library, value] of Object.entries(nanoseconds)) {
    console.log(
      `  ${library.padEnd(24)} ${String(value).padStart(7)} ns  x${(value / nanoseconds.tangent!).toFixed(2)}`,
    )
  }
}

/** Those that the mixed bench asks: one way for each library. */
const MIXED_LIBRARIES = ['tangent', 'planck', 'SAT.js', 'Rapier']

/** Rapier's search for the nearest points of long polygons stops earlier than that of rounder ones. */
const MIXED_AGREEMENT_RATIO = 1e-3

async function mixed(): Promise<void> {
  const inputs = makeMixedInputs()
  const contenders: Contender[] = []
  const rows: KernelRow[] = []
  try {
    for (const library of MIXED_LIBRARIES) contenders.push(await startContender(library, inputs, 'load mixed'))
    for (const name of MIXED_KERNELS) {
      await checkAgreement(
        name,
        contenders.filter(({ kernels }) => kernels.includes(name)),
        { ...KERNELS[name], agreementRatio: MIXED_AGREEMENT_RATIO },
      )
    }
    const medians = await timeMixed(contenders, MIXED_KERNELS)
    for (const name of MIXED_KERNELS) {
      const able = [...contenders.entries()].filter(([, { kernels }]) => kernels.includes(name))
      const nanoseconds = Object.fromEntries(
        able.map(([index, { library }]) => [library, Number(medians[index]![name]!.toPrecision(3))]),
      )
      rows.push({ kernel: KERNELS[name].title, nanoseconds })
      console.log(KERNELS[name].title)
      print(nanoseconds)
    }
  } finally {
    for (const { process } of contenders) process.kill()
  }
  const path = saveResults({ mixedKernels: { date: today(), pairs: MIXED_COUNT, rounds: MIXED_ROUND_COUNT, rows } })
  console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
}

async function main(words: string[]): Promise<void> {
  if (words.length === 1 && words[0] === 'mixed') {
    await mixed()
    return
  }
  const inputs = makeInputs()
  const rows: KernelRow[] = []
  const chosen = (Object.keys(KERNELS) as KernelName[]).filter(
    (name) => words.length === 0 || words.some((word) => KERNELS[name].title.includes(word)),
  )
  for (const name of chosen) {
    const { title } = KERNELS[name]
    const nanoseconds = await measure(name, inputs)
    rows.push({ kernel: title, nanoseconds })
    console.log(title)
    print(nanoseconds)
  }
  if (words.length > 0) return
  const path = saveResults({ kernels: { date: today(), pairs: PAIR_COUNT, rounds: ROUND_COUNT, rows } })
  console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
}

await main(process.argv.slice(2))
