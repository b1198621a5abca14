// A small timing harness. The contenders take turns in short rounds, so that a busy neighbour or a changing clock
// speed meets all of them alike; the median over the rounds is reported.

import { median } from '../results.ts'

/** Runs the operation on input i and returns something that depends on its result, so that it is not optimised away. */
export type Kernel = (i: number) => number

export interface Contender {
  library: string
  kernel: Kernel
}

const WARM_UP_MS = 200
const ROUND_MS = 4
export const ROUND_COUNT = 51

let sink = 0

/** Median nanoseconds of one operation for each contender, in their order. */
export function time(contenders: Contender[], inputCount: number): number[] {
  const passes = contenders.map(({ kernel }) => {
    const end = performance.now() + WARM_UP_MS
    let count = 0
    const start = performance.now()
    while (performance.now() < end) {
      run(kernel, inputCount, 1)
      count++
    }
    return Math.max(1, Math.round((count * ROUND_MS) / (performance.now() - start)))
  })
  const samples: number[][] = contenders.map(() => [])
  for (let round = 0; round < ROUND_COUNT; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const index = (turn + round) % contenders.length
      const start = process.hrtime.bigint()
      run(contenders[index]!.kernel, inputCount, passes[index]!)
      const elapsed = Number(process.hrtime.bigint() - start)
      samples[index]!.push(elapsed / (passes[index]! * inputCount))
    }
  }
  if (Number.isNaN(sink)) throw new Error('a kernel returned something that is not a number')
  return samples.map(median)
}

function run(kernel: Kernel, inputCount: number, passes: number): void {
  let total = 0
  for (let pass = 0; pass < passes; pass++) {
    for (let i = 0; i < inputCount; i++) total += kernel(i)
  }
  sink += total
}
