// Tangent's own kernels, called as scenes call them: contacts without the gap of pairs that are apart, rays without their exit.

import { contact, createContact } from '../../src/core2d/queries/contact.ts'
import { createDistance, distance } from '../../src/core2d/queries/distance.ts'
import { createOverlap, overlap } from '../../src/core2d/queries/overlap.ts'
import { createRay, createRayHit, rayCast } from '../../src/core2d/ray/ray-cast.ts'
import { createBody } from '../../src/core2d/shape/body.ts'
import { decodeBody } from '../../src/wire/body.ts'
import type { Inputs, Pair, RayPair } from './inputs.ts'
import type { Kernels } from './kernel-table.ts'
import { prepare } from './prepare.ts'
import { tangentConcaveKernels } from './tangent-concave.ts'
import { tangentImpactKernels } from './tangent-impact.ts'

export function tangentKernels(inputs: Inputs): Kernels {
  const contactKernel = (pairs: Pair[]) => {
    const bodies = pairs.map(({ a, b }) => ({ a: prepare(a), b: prepare(b) }))
    const out = createContact()
    return (i: number) => {
      const { a, b } = bodies[i]!
      contact(a, b, 0, out, false)
      return out.count > 0 ? 1 : 0
    }
  }

  const explainKernel = (pairs: Pair[]) => {
    const bodies = pairs.map(({ a, b }) => ({ a: prepare(a), b: prepare(b) }))
    const out = createOverlap()
    return (i: number) => {
      const { a, b } = bodies[i]!
      overlap(a, b, out)
      return out.relation <= 0 ? 1 : 0
    }
  }

  const apart = inputs.apartPolygons.map(({ a, b }) => ({ a: prepare(a), b: prepare(b) }))
  const nearest = createDistance()

  const rayKernel = (pairs: RayPair[]) => {
    const rays = pairs.map(({ origin, direction, target }) => ({
      ray: { ...createRay(), ox: origin.x, oy: origin.y, dx: direction.x, dy: direction.y, maxDistance: 1000 },
      target: prepare(target),
    }))
    const hit = createRayHit()
    return (i: number) => {
      const { ray, target } = rays[i]!
      return rayCast(ray, target, 'hit', hit, false) ? 1 : 0
    }
  }

  const slotA = createBody()
  const slotB = createBody()
  const cold = createContact()

  return {
    ...tangentImpactKernels(inputs.moving),
    ...tangentConcaveKernels(inputs.concave),
    polygonPolygon: contactKernel(inputs.polygons),
    boxBox: contactKernel(inputs.boxes),
    boxBoxApart: contactKernel(inputs.apartBoxes),
    polygonCircle: contactKernel(inputs.polygonCircles),
    polygonCircleApart: contactKernel(inputs.apartCircles),
    distance: (i) => {
      const { a, b } = apart[i]!
      distance(a, b, nearest)
      return nearest.distance
    },
    ray: rayKernel(inputs.rays),
    rayCircle: rayKernel(inputs.circleRays),
    explainPolygons: explainKernel(inputs.polygons),
    explainBoxes: explainKernel(inputs.boxes),
    explainPolygonCircles: explainKernel(inputs.polygonCircles),
    coldPair: (i) => {
      const { a, b } = inputs.polygons[i]!
      decodeBody(a, slotA)
      decodeBody(b, slotB)
      contact(slotA, slotB, 0, cold, false)
      return cold.count > 0 ? 1 : 0
    },
  }
}
