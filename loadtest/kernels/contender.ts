// One library of the kernel bench, in a process of its own: what one library, or a module that only another one needs,
// does to the engine's hidden classes and type feedback must not tell on the rest (schemas with fields x and y alone
// made planck four times slower). Told its library and the inputs by message, it answers one order after another.

import type { Inputs } from './inputs.ts'
import { KERNELS, type KernelName, type Kernels, MIXED_COUNT } from './kernel-table.ts'

export type Order =
  | { order: 'load'; library: string; inputs: Inputs }
  | { order: 'load mixed'; library: string; inputs: Inputs }
  | { order: 'answers'; kernel: KernelName }
  | { order: 'warm-up'; kernel: KernelName; milliseconds: number }
  | { order: 'round'; kernel: KernelName; passes: number }
  | { order: 'beside' }

/** Names of the kernels; the answers to all inputs; passes per millisecond; nanoseconds. */
export type Reply = KernelName[] | number[] | number

const LOADERS: Record<string, (inputs: Inputs) => Promise<Kernels>> = {
  tangent: async (inputs) => (await import('./tangent.ts')).tangentKernels(inputs),
  // Either module alone: what one does with planck's vectors makes the other several times slower.
  planck: async (inputs) =>
    Object.values(inputs.moving).some((pairs) => pairs.length > 0)
      ? (await import('./planck-impact.ts')).planckImpactKernels(inputs.moving)
      : (await import('./planck.ts')).planckKernels(inputs),
  'planck, local manifold': async (inputs) => (await import('./planck.ts')).planckManifoldKernels(inputs, false),
  'SAT.js': async (inputs) => (await import('./sat.ts')).satKernels(inputs),
  Rapier: async (inputs) => (await import('./rapier.ts')).rapierKernels(inputs),
  'Rapier, raw call': async (inputs) => (await import('./rapier-impact.ts')).rapierRawKernels(inputs.moving),
}

/** All that a library can do in one process. */
const MIXED_LOADERS: Record<string, (inputs: Inputs) => Promise<Kernels>> = {
  ...LOADERS,
  tangent: async (inputs) => {
    beside = (await import('./tangent-every-kind.ts')).askEveryKind()
    return (await import('./tangent.ts')).tangentKernels(inputs)
  },
  planck: async (inputs) => ({
    ...(await import('./planck.ts')).planckKernels(inputs),
    ...(await import('./planck-impact.ts')).planckImpactKernels(inputs.moving),
  }),
}

let kernels: Kernels = {}
let inputCount: number | null = null
/** What else is asked of the library between rounds. */
let beside: () => void = () => undefined
let sink = 0

function run(name: KernelName, passes: number): void {
  const kernel = kernels[name]!
  const inputs = inputCount ?? KERNELS[name].inputs
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
    case 'load mixed':
      inputCount = MIXED_COUNT
      kernels = await MIXED_LOADERS[message.library]!(message.inputs)
      return Object.keys(kernels) as KernelName[]
    case 'answers': {
      const kernel = kernels[message.kernel]!
      return Array.from({ length: inputCount ?? KERNELS[message.kernel].inputs }, (_, i) => kernel(i))
    }
    case 'warm-up': {
      const start = performance.now()
      let passes = 0
      while (performance.now() < start + message.milliseconds) {
        run(message.kernel, 1)
        passes++
      }
      return passes / (performance.now() - start)
    }
    case 'round': {
      const start = process.hrtime.bigint()
      run(message.kernel, message.passes)
      return Number(process.hrtime.bigint() - start)
    }
    case 'beside':
      beside()
      return 0
  }
}

process.on('message', async (message: Order) => process.send?.(await obey(message)))
process.once('disconnect', () => process.exit(0))
