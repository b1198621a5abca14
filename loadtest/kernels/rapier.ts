// Rapier (Rust compiled to WebAssembly, single precision). Warm kernels ask colliders that live in a world, which
// spares it rebuilding the shape on every call; the cold pair makes shapes and asks them directly.

import RAPIER from '@dimforge/rapier2d-compat'
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Inputs, Pair, RayPair } from './inputs.ts'
import type { Kernels } from './kernel-table.ts'
import { placedCollider, rapierShape } from './rapier-collider.ts'
import { rapierImpactKernels } from './rapier-impact.ts'

const FAR = 1000

export async function rapierKernels(inputs: Inputs): Promise<Kernels> {
  await RAPIER.init()
  const world = new RAPIER.World({ x: 0, y: 0 })
  const collider = (body: Body2d) => placedCollider(world, body)
  const colliders = (pairs: Pair[]) => pairs.map(({ a, b }) => ({ a: collider(a), b: collider(b) }))
  const contactKernel = (pairs: Pair[]) => {
    const made = colliders(pairs)
    return (i: number) => {
      const { a, b } = made[i]!
      return a.contactCollider(b, 0) === null ? 0 : 1
    }
  }
  const apart = colliders(inputs.apartPolygons)
  const rayKernel = (pairs: RayPair[]) => {
    const rays = pairs.map(({ origin, direction, target }) => ({
      ray: new RAPIER.Ray(origin, direction),
      target: collider(target),
    }))
    return (i: number) => {
      const { ray, target } = rays[i]!
      return target.castRayAndGetNormal(ray, FAR, true) === null ? 0 : 1
    }
  }
  return {
    ...rapierImpactKernels(inputs.moving, world),
    polygonPolygon: contactKernel(inputs.polygons),
    boxBox: contactKernel(inputs.boxes),
    boxBoxApart: contactKernel(inputs.apartBoxes),
    polygonCircle: contactKernel(inputs.polygonCircles),
    polygonCircleApart: contactKernel(inputs.apartCircles),
    distance: (i) => {
      const { a, b } = apart[i]!
      return a.contactCollider(b, FAR)?.distance ?? Number.NaN
    },
    ray: rayKernel(inputs.rays),
    rayCircle: rayKernel(inputs.circleRays),
    coldPair: (i) => {
      const { a, b } = inputs.polygons[i]!
      return rapierShape(a).contactShape(a.position!, a.rotation!, rapierShape(b), b.position!, b.rotation!, 0) === null
        ? 0
        : 1
    },
  }
}
