// planck's time of impact and shape cast, the inputs of all pairs made beforehand. TimeOfImpact tells the time and nothing
// else; a normal and points would take a call of Distance on top, which is not timed.

import {
  type DistanceProxy,
  ShapeCast,
  ShapeCastInput,
  ShapeCastOutput,
  TimeOfImpact,
  TOIInput,
  TOIOutput,
  TOIOutputState,
  Transform,
} from 'planck'
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Motion } from '../../src/core2d/shape/motion.ts'
import type { Kernel, Kernels } from './kernel-table.ts'
import { DURATION, MISS, type MovingInputs, type MovingPair } from './moving-inputs.ts'
import { circle, polygon } from './planck.ts'

function setProxy(proxy: DistanceProxy, body: Body2d): void {
  const { shape } = body
  switch (shape.type) {
    case 'circle':
      proxy.set(circle(body), 0)
      return
    // planck has no capsule and no segment without a skin, but what it computes with has.
    case 'capsule':
      proxy.setVertices([shape.a, shape.b], 2, shape.radius)
      return
    case 'segment':
      proxy.setVertices([shape.a, shape.b], 2, 0)
      return
    default:
      proxy.set(polygon(body), 0)
  }
}

function setSweep(sweep: TOIInput['sweepA'], { position, rotation }: Body2d, { vx, vy, spin }: Motion): void {
  sweep.c0.set(position!.x, position!.y)
  sweep.c.set(position!.x + vx * DURATION, position!.y + vy * DURATION)
  sweep.a0 = rotation!
  sweep.a = rotation! + spin * DURATION
}

function impact(pairs: MovingPair[]): Kernel {
  const inputs = pairs.map(({ a, motionA, b, motionB }) => {
    const input = new TOIInput()
    setProxy(input.proxyA, a)
    setProxy(input.proxyB, b)
    setSweep(input.sweepA, a, motionA)
    setSweep(input.sweepB, b, motionB)
    input.tMax = 1
    return input
  })
  const output = new TOIOutput()
  return (i) => {
    TimeOfImpact(output, inputs[i]!)
    return output.state === TOIOutputState.e_touching ? output.t * DURATION : MISS
  }
}

function cast(pairs: MovingPair[]): Kernel {
  const inputs = pairs.map(({ a, b, motionB: { vx, vy } }) => {
    const input = new ShapeCastInput()
    setProxy(input.proxyA, a)
    setProxy(input.proxyB, b)
    input.transformA.set(new Transform(a.position!, a.rotation!))
    input.transformB.set(new Transform(b.position!, b.rotation!))
    input.translationB.set(vx * DURATION, vy * DURATION)
    return input
  })
  const output = new ShapeCastOutput()
  return (i) => (ShapeCast(output, inputs[i]!) ? output.lambda * DURATION : MISS)
}

export function planckImpactKernels(inputs: MovingInputs): Kernels {
  return {
    impactCircles: impact(inputs.impactCircles),
    impactAabbs: impact(inputs.impactAabbs),
    impactPolygons: impact(inputs.impactPolygons),
    impactCapsuleBox: impact(inputs.impactCapsuleBox),
    impactCircleSegment: impact(inputs.impactCircleSegment),
    impactSpinningBoxes: impact(inputs.impactSpinningBoxes),
    impactSpinningPolygons: impact(inputs.impactSpinningPolygons),
    impactSpinningBoxesTime: impact(inputs.impactSpinningBoxes),
    impactSpinningPolygonsTime: impact(inputs.impactSpinningPolygons),
    castPolygons: cast(inputs.castPolygons),
    castCircleBox: cast(inputs.castCircleBox),
  }
}
