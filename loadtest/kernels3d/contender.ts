// One library of the bench in space, in a process of its own, with all of its kernels: as in a service, thousands of distinct bodies of
// all kinds. Told its library and the inputs by message, it answers one order after another.

import type { Inputs } from './inputs.ts'
import { KERNELS, type KernelName, type Kernels } from './kernel-table.ts'

export type Order =
  | { order: 'load'; library: string; inputs: Inputs }
  | { order: 'answers'; kernel: KernelName }
  | { order: 'round'; kernel: KernelName }
  | { order: 'beside' }

/** Names of the kernels; the answers to all inputs; nanoseconds. */
export type Reply = KernelName[] | number[] | number

const LOADERS: Record<string, (inputs: Inputs) => Promise<Kernels>> = {
  tangent: async (inputs) => {
    beside = (await import('./every-kind.ts')).askEveryKind()
    return (await import('./tangent.ts')).tangentKernels(inputs)
  },
  'tangent, with points': async (inputs) => {
    beside = (await import('./every-kind.ts')).askEveryKind()
    return (await import('./tangent.ts')).tangentPointsKernels(inputs)
  },
  'Rapier, raw call': async (inputs) => (await import('./rapier.ts')).rapierKernels(inputs),
  Jolt: async (inputs) => (await import('./jolt.ts')).joltKernels(inputs),
  'cannon-es': async (inputs) => (await import('./cannon.ts')).cannonKernels(inputs),
  quickhull3d: async () => (await import('./quickhull.ts')).quickhullKernels(),
}

let kernels: Kernels = {}
/** What else is asked of the library between rounds. */
let beside: () => void = () => undefined
let sink = 0

function run(name: KernelName): void {
  const kernel = kernels[name]!
  const { inputs, passes } = KERNELS[name]
  let total = 0
  for (let pass = 0; pass < passes; pass++) {
    for (let i = 0; i < inputs; i++) total += kernel(i)
  }
  // Depends on every result, so that none is optimised away.
  sink += total
  if (Number.isNaN(sink)) throw new Error('a kernel returned something that is not a number')
}

async function obey(message: Order): Promise<Reply> {
  switch (message.order) {
    case 'load':
      kernels = await LOADERS[message.library]!(message.inputs)
      return Object.keys(kernels) as KernelName[]
    case 'answers':
      return Array.from({ length: KERNELS[message.kernel].inputs }, (_, i) => kernels[message.kernel]!(i))
    case 'round': {
      const start = process.hrtime.bigint()
      run(message.kernel)
      return Number(process.hrtime.bigint() - start)
    }
    case 'beside':
      beside()
      return 0
  }
}

process.on('message', async (message: Order) => process.send?.(await obey(message)))
process.once('disconnect', () => process.exit(0))
