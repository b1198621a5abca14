// The kernel bench: Tangent's pair functions side by side with planck, SAT.js and Rapier, on the same inputs in one run,
// each library in a process of its own. First the libraries must agree on the answers, so that the comparison is one of
// equals.
//
//   npm run bench:kernels

import { type KernelRow, saveResults, today } from '../results.ts'
import { answers, type Contender, type Kernel, ROUND_COUNT, startContender, time } from './harness.ts'
import { makeInputs, PAIR_COUNT } from './inputs.ts'

export const KERNEL_TITLES = {
  polygonPolygon: 'polygon(8)–polygon(8) contact',
  boxBox: 'box–box contact',
  polygonCircle: 'polygon(8)–circle contact',
  distance: 'distance of apart polygons(8)',
  ray: 'ray–polygon(8)',
  coldPair: 'cold pair: polygons(8) from JSON values, contact',
} as const

export type KernelName = keyof typeof KERNEL_TITLES

/**
 * One kernel for each operation a library has. Contacts and rays return 1 when the bodies meet and 0 otherwise, the
 * distance kernel returns the distance.
 */
export type Kernels = Partial<Record<KernelName, Kernel>>

/** Relative to the answer; Rapier computes in single precision. */
const DISTANCE_AGREEMENT_RATIO = 1e-4

async function checkAgreement(name: KernelName, contenders: Contender[]): Promise<void> {
  const [own, ...others] = contenders
  const expected = await answers(own!, name)
  for (const other of others) {
    for (const [i, actual] of (await answers(other, name)).entries()) {
      if (Math.abs(actual - expected[i]!) <= DISTANCE_AGREEMENT_RATIO * expected[i]!) continue
      throw new Error(
        `${KERNEL_TITLES[name]}, input ${i}: ${other.library} says ${actual}, ${own!.library} says ${expected[i]}`,
      )
    }
  }
}

async function main(contenders: Contender[]): Promise<void> {
  const rows: KernelRow[] = []
  for (const name of Object.keys(KERNEL_TITLES) as KernelName[]) {
    const able = contenders.filter(({ library, kernels }) => {
      const sameAsPlanck = library === 'planck, local manifold' && (name === 'distance' || name === 'ray')
      return kernels.includes(name) && !sameAsPlanck
    })
    await checkAgreement(name, able)
    const medians = await time(able, name)
    const nanoseconds = Object.fromEntries(
      able.map(({ library }, index) => [library, Number(medians[index]!.toPrecision(3))]),
    )
    rows.push({ kernel: KERNEL_TITLES[name], nanoseconds })
    console.log(KERNEL_TITLES[name])
    for (const [library, value] of Object.entries(nanoseconds)) {
      console.log(
        `  ${library.padEnd(24)} ${String(value).padStart(7)} ns  x${(value / nanoseconds.tangent!).toFixed(2)}`,
      )
    }
  }
  const path = saveResults({ kernels: { date: today(), pairs: PAIR_COUNT, rounds: ROUND_COUNT, rows } })
  console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
}

const inputs = makeInputs()
const contenders: Contender[] = []
try {
  for (const library of ['tangent', 'planck', 'planck, local manifold', 'SAT.js', 'Rapier']) {
    contenders.push(await startContender(library, inputs))
  }
  await main(contenders)
} finally {
  for (const { process } of contenders) process.kill()
}
