// The parent's side of the kernel bench: contenders take turns in short rounds, so that a busy neighbour or a changing
// clock speed meets all of them alike; the median over the rounds is reported.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { median } from '../results.ts'
import type { Order, Reply } from './contender.ts'
import type { Inputs } from './inputs.ts'
import { KERNELS, type KernelName, MIXED_COUNT } from './kernel-table.ts'

export interface Contender {
  library: string
  process: ChildProcess
  kernels: KernelName[]
}

const WARM_UP_MS = 1000
const ROUND_MS = 20
export const ROUND_COUNT = 31

async function ask<R extends Reply>(child: ChildProcess, message: Order): Promise<R> {
  child.send(message)
  const [reply] = await once(child, 'message')
  return reply as R
}

/** `order`: 'load mixed' for one that takes all its kernels in turns. */
export async function startContender(
  library: string,
  inputs: Inputs,
  order: 'load' | 'load mixed' = 'load',
): Promise<Contender> {
  const extension = import.meta.filename.slice(-3)
  const child = fork(resolve(import.meta.dirname, `contender${extension}`))
  return { library, process: child, kernels: await ask(child, { order, library, inputs }) }
}

/** What the library says to every input. */
export function answers(contender: Contender, kernel: KernelName): Promise<number[]> {
  return ask(contender.process, { order: 'answers', kernel })
}

/** Median nanoseconds of one operation for each contender, in their order. */
export async function time(contenders: Contender[], kernel: KernelName): Promise<number[]> {
  const passes: number[] = []
  for (const contender of contenders) {
    const rate = await ask<number>(contender.process, { order: 'warm-up', kernel, milliseconds: WARM_UP_MS })
    passes.push(Math.max(1, Math.round(rate * ROUND_MS)))
  }
  const samples: number[][] = contenders.map(() => [])
  for (let round = 0; round < ROUND_COUNT; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const index = (turn + round) % contenders.length
      const order: Order = { order: 'round', kernel, passes: passes[index]! }
      const elapsed = await ask<number>(contenders[index]!.process, order)
      samples[index]!.push(elapsed / (passes[index]! * KERNELS[kernel].inputs))
    }
  }
  return samples.map(median)
}

/** Turns before the first that counts: enough for the engine to have compiled everything with all of it in view. */
const MIXED_WARM_UP_COUNT = 60
export const MIXED_ROUND_COUNT = 61

/**
 * Median nanoseconds of one operation for each contender and kernel, all kernels in turns: one pass over all inputs of a kernel,
 * then one of the next, and whatever else the contender is asked.
 */
export async function timeMixed(
  contenders: Contender[],
  kernels: readonly KernelName[],
): Promise<Partial<Record<KernelName, number>>[]> {
  const samples = contenders.map(() => new Map(kernels.map((kernel): [KernelName, number[]] => [kernel, []])))
  for (let round = -MIXED_WARM_UP_COUNT; round < MIXED_ROUND_COUNT; round++) {
    for (const [index, contender] of contenders.entries()) {
      for (const kernel of kernels) {
        if (!contender.kernels.includes(kernel)) continue
        const elapsed = await ask<number>(contender.process, { order: 'round', kernel, passes: 1 })
        if (round >= 0) samples[index]!.get(kernel)!.push(elapsed / MIXED_COUNT)
      }
      await ask<number>(contender.process, { order: 'beside' })
    }
  }
  return samples.map((byKernel) =>
    Object.fromEntries([...byKernel].filter(([, own]) => own.length > 0).map(([kernel, own]) => [kernel, median(own)])),
  )
}
