// Rapier's linear casts; it has none of spinning shapes. Two ways: colliders that live in a world, as its users call them,
// and the call that lies below, straight into WebAssembly, on shapes, poses and velocities made beforehand.

import RAPIER from '@dimforge/rapier2d-compat'
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Kernel, Kernels } from './kernel-table.ts'
import { DURATION, MISS, type MovingInputs, type MovingPair } from './moving-inputs.ts'
import { placedCollider, rapierShape } from './rapier-collider.ts'

const velocity = ({ vx, vy }: { vx: number; vy: number }) => ({ x: vx, y: vy })

function castColliders(world: RAPIER.World) {
  return (pairs: MovingPair[]): Kernel => {
    const made = pairs.map(({ a, motionA, b, motionB }) => ({
      a: placedCollider(world, a),
      velocityA: velocity(motionA),
      b: placedCollider(world, b),
      velocityB: velocity(motionB),
    }))
    return (i) => {
      const { a, velocityA, b, velocityB } = made[i]!
      return a.castCollider(velocityA, b, velocityB, 0, DURATION, true)?.time_of_impact ?? MISS
    }
  }
}

function castRaw(pairs: MovingPair[]): Kernel {
  const raw = (body: Body2d, motion: MovingPair['motionA']) => ({
    shape: rapierShape(body).intoRaw(),
    position: RAPIER.VectorOps.intoRaw(body.position!),
    rotation: RAPIER.RotationOps.intoRaw(body.rotation!),
    velocity: RAPIER.VectorOps.intoRaw(velocity(motion)),
  })
  const made = pairs.map(({ a, motionA, b, motionB }) => ({ a: raw(a, motionA), b: raw(b, motionB) }))
  // Time, two witnesses, two normals.
  const components = new Float32Array(9)
  return (i) => {
    const { a, b } = made[i]!
    const hit = a.shape.castShape(
      a.position,
      a.rotation,
      a.velocity,
      b.shape,
      b.position,
      b.rotation,
      b.velocity,
      0,
      DURATION,
      true,
    )
    if (hit === undefined) return MISS
    hit.getComponents(components)
    hit.free()
    return components[0]!
  }
}

function impactKernels(inputs: MovingInputs, cast: (pairs: MovingPair[]) => Kernel): Kernels {
  return {
    impactCircles: cast(inputs.impactCircles),
    impactAabbs: cast(inputs.impactAabbs),
    impactPolygons: cast(inputs.impactPolygons),
    impactCapsuleBox: cast(inputs.impactCapsuleBox),
    impactCircleSegment: cast(inputs.impactCircleSegment),
    castPolygons: cast(inputs.castPolygons),
    castCircleBox: cast(inputs.castCircleBox),
  }
}

/** Colliders of `world`. */
export const rapierImpactKernels = (inputs: MovingInputs, world: RAPIER.World) =>
  impactKernels(inputs, castColliders(world))

export async function rapierRawKernels(inputs: MovingInputs): Promise<Kernels> {
  await RAPIER.init()
  return impactKernels(inputs, castRaw)
}
