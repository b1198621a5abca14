// The parent's side of the kernel bench: contenders take turns in short rounds, so that a busy neighbour or a changing
// clock speed meets all of them alike; the median over the rounds is reported.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { median } from '../results.ts'
import type { Order, Reply } from './contender.ts'
import type { Inputs } from './inputs.ts'
import { KERNELS, type KernelName } from './kernel-table.ts'

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

export async function startContender(library: string, inputs: Inputs): Promise<Contender> {
  const extension = import.meta.filename.slice(-3)
  const child = fork(resolve(import.meta.dirname, `contender${extension}`))
  return { library, process: child, kernels: await ask(child, { order: 'load', library, inputs }) }
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
