// The kernel bench: Tangent's pair functions side by side with planck, SAT.js and Rapier, on the same inputs in one
// process. First the libraries must agree on the answers, so that the comparison is one of equals.
//
//   npm run bench:kernels

import { type KernelRow, saveResults, today } from '../results.ts'
import { type Kernel, ROUND_COUNT, time } from './harness.ts'
import { makeInputs, PAIR_COUNT } from './inputs.ts'
import { planckKernels } from './planck.ts'
import { rapierKernels } from './rapier.ts'
import { satKernels } from './sat.ts'
import { tangentKernels } from './tangent.ts'

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

function checkAgreement(name: KernelName, contenders: { library: string; kernel: Kernel }[]): void {
  const [own, ...others] = contenders
  for (const { library, kernel } of others) {
    for (let i = 0; i < PAIR_COUNT; i++) {
      const expected = own!.kernel(i)
      const actual = kernel(i)
      if (!(Math.abs(actual - expected) <= DISTANCE_AGREEMENT_RATIO * expected)) {
        throw new Error(
          `${KERNEL_TITLES[name]}, input ${i}: ${library} says ${actual}, ${own!.library} says ${expected}`,
        )
      }
    }
  }
}

const inputs = makeInputs()
const libraries: Record<string, Kernels> = {
  tangent: tangentKernels(inputs),
  planck: planckKernels(inputs, true),
  'planck, local manifold': planckKernels(inputs, false),
  'SAT.js': satKernels(inputs),
  Rapier: await rapierKernels(inputs),
}

const rows: KernelRow[] = []
for (const name of Object.keys(KERNEL_TITLES) as KernelName[]) {
  const contenders = Object.entries(libraries).flatMap(([library, kernels]) => {
    const kernel = kernels[name]
    const sameAsPlanck = library === 'planck, local manifold' && (name === 'distance' || name === 'ray')
    return kernel === undefined || sameAsPlanck ? [] : [{ library, kernel }]
  })
  checkAgreement(name, contenders)
  const medians = time(contenders, PAIR_COUNT)
  const nanoseconds = Object.fromEntries(
    contenders.map(({ library }, index) => [library, Number(medians[index]!.toPrecision(3))]),
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
