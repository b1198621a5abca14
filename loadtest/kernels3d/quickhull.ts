// quickhull3d: hulls of points alone.

import type { Face } from 'quickhull3d'
import { cloud } from './inputs.ts'
import { HULL_SIZES, type Kernel, type Kernels } from './kernel-table.ts'

type QuickHull = (points: [number, number, number][]) => Face[]

/** The package's entry imports files that Node does not find; what it is bundled into works. */
const BUNDLE: string = 'quickhull3d/dist/quickhull3d.js'

export async function quickhullKernels(): Promise<Kernels> {
  const { default: quickHull } = (await import(BUNDLE)) as { default: QuickHull }
  return {
    hull1000: hullKernel(quickHull, HULL_SIZES.hull1000),
    hull100000: hullKernel(quickHull, HULL_SIZES.hull100000),
  }
}

function hullKernel(quickHull: QuickHull, count: number): Kernel {
  const numbers = cloud(count)
  const points = Array.from({ length: count }, (_, i): [number, number, number] => [
    numbers[3 * i]!,
    numbers[3 * i + 1]!,
    numbers[3 * i + 2]!,
  ])
  // Of triangles there are two fewer than twice the corners: Euler's formula.
  return () => quickHull(points).length / 2 + 2
}
