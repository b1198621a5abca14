// Tangent's own times of impact. A shape cast is one with the target as A, at rest.

import type { Want } from '../../src/core/want.ts'
import { createTimeOfImpact, timeOfImpact } from '../../src/core2d/motion/time-of-impact.ts'
import type { Kernel, Kernels } from './kernel-table.ts'
import { DURATION, MISS, type MovingInputs, type MovingPair } from './moving-inputs.ts'
import { prepare } from './prepare.ts'

function impact(pairs: MovingPair[], want: Want = 'exit'): Kernel {
  const bodies = pairs.map(({ a, motionA, b, motionB }) => ({ a: prepare(a), motionA, b: prepare(b), motionB }))
  const out = createTimeOfImpact()
  return (i) => {
    const { a, motionA, b, motionB } = bodies[i]!
    timeOfImpact(a, motionA, b, motionB, DURATION, false, want, out)
    return out.hit ? out.time : MISS
  }
}

export function tangentImpactKernels(inputs: MovingInputs): Kernels {
  return {
    impactCircles: impact(inputs.impactCircles),
    impactAabbs: impact(inputs.impactAabbs),
    impactPolygons: impact(inputs.impactPolygons),
    impactCapsuleBox: impact(inputs.impactCapsuleBox),
    impactCircleSegment: impact(inputs.impactCircleSegment),
    impactSpinningBoxes: impact(inputs.impactSpinningBoxes),
    impactSpinningPolygons: impact(inputs.impactSpinningPolygons),
    impactSpinningBoxesTime: impact(inputs.impactSpinningBoxes, 'time'),
    impactSpinningPolygonsTime: impact(inputs.impactSpinningPolygons, 'time'),
    castPolygons: impact(inputs.castPolygons),
    castCircleBox: impact(inputs.castCircleBox),
  }
}
