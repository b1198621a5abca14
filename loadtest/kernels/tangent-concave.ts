// Tangent's own queries on a region of many vertices; no other library here has regions.

import { contact, createContact } from '../../src/core2d/queries/contact.ts'
import { createDistance, distance } from '../../src/core2d/queries/distance.ts'
import { createOverlap, overlap } from '../../src/core2d/queries/overlap.ts'
import { createRay, createRayHit, rayCast } from '../../src/core2d/ray/ray-cast.ts'
import { createBody } from '../../src/core2d/shape/body.ts'
import { decodeBody } from '../../src/wire/body.ts'
import type { ConcaveInputs } from './concave-inputs.ts'
import type { Kernels } from './kernel-table.ts'
import { prepare } from './prepare.ts'

export function tangentConcaveKernels({ region, finerRegion, boxes, rays }: ConcaveInputs): Kernels {
  const body = prepare(region)
  const finerBody = prepare(finerRegion)
  const slot = createBody()
  const others = boxes.map(prepare)
  const prepared = rays.map(({ origin, direction }) => ({
    ...createRay(),
    ox: origin.x,
    oy: origin.y,
    dx: direction.x,
    dy: direction.y,
  }))
  const relation = createOverlap()
  const nearest = createDistance()
  const touch = createContact()
  const hit = createRayHit()
  return {
    regionDecode: () => (decodeBody(region, slot) === null ? slot.composite!.leafCount : Number.NaN),
    regionOverlap: (i) => {
      overlap(body, others[i]!, relation)
      return relation.relation > 0 ? 0 : 1
    },
    regionDistance: (i) => {
      distance(body, others[i]!, nearest)
      return nearest.distance
    },
    regionContact: (i) => {
      contact(body, others[i]!, 0, touch)
      return touch.separation
    },
    finerRegionContact: (i) => {
      contact(finerBody, others[i]!, 0, touch)
      return touch.separation
    },
    regionRay: (i) => (rayCast(prepared[i]!, body, 'hit', hit) ? 1 : 0),
  }
}
