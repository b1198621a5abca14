// Every query on every pair of kinds, as a service is asked them: what it has to meet beside the rows of the mixed bench.

import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'
import { createTimeOfImpact, timeOfImpact } from '../../src/core2d/motion/time-of-impact.ts'
import { contact, createContact } from '../../src/core2d/queries/contact.ts'
import { createDistance, distance } from '../../src/core2d/queries/distance.ts'
import { createOverlap, overlap } from '../../src/core2d/queries/overlap.ts'
import { createRay, createRayHit, type Ray, rayCast } from '../../src/core2d/ray/ray-cast.ts'
import type { Motion } from '../../src/core2d/shape/motion.ts'
import {
  aabb,
  type Between,
  box,
  capsule,
  circle,
  octagon,
  polygon,
  seeded,
  segment,
} from '../measuring/random-body.ts'
import { prepare } from './prepare.ts'

const COPIES = 4
const STREAM = 300

const point: Shape2d = { type: 'point' }
const ellipse: Shape2d = { type: 'ellipse', rx: 1.25, ry: 0.5 }
const halfplane: Shape2d = { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 }
const chain: Shape2d = {
  type: 'chain',
  vertices: [
    { x: -1, y: 0 },
    { x: 0, y: 0.5 },
    { x: 1, y: 0 },
  ],
}
const region: Shape2d = {
  type: 'region',
  outer: [
    { x: -1, y: -1 },
    { x: 1, y: -1 },
    { x: 0, y: 0 },
    { x: 1, y: 1 },
    { x: -1, y: 1 },
  ],
}

function bodies(between: Between): Body2d[] {
  const placed = (shape: Shape2d): Body2d => ({
    shape,
    position: { x: between(-10, 10), y: between(-10, 10) },
    rotation: between(-Math.PI, Math.PI),
  })
  const rounded = (body: Body2d): Body2d => ({ ...body, shape: { ...body.shape, radius: 0.125 } as Shape2d })
  const made = [point, ellipse, halfplane, chain, region].map(placed)
  for (const make of [circle, segment, capsule, box, aabb, polygon, octagon]) made.push(make(between))
  return [...made, rounded(box(between)), rounded(octagon(between))]
}

/** One call asks all of it. */
export function askEveryKind(): () => void {
  const between = seeded(STREAM)
  const made = Array.from({ length: COPIES }, () => bodies(between).map(prepare)).flat()
  const motions = made.map(
    (): Motion => ({ vx: between(-9, 9), vy: between(-9, 9), spin: between(0, 1) < 0.25 ? between(-2, 2) : 0 }),
  )
  const rays = made.map(
    (): Ray => ({ ...createRay(), ox: between(-10, 10), oy: between(-10, 10), dx: between(-1, 1), dy: between(-1, 1) }),
  )
  const touch = createContact()
  const nearest = createDistance()
  const relation = createOverlap()
  const first = createTimeOfImpact()
  const hit = createRayHit()
  return () => {
    for (let i = 0; i < made.length; i++) {
      // In this copy and the next.
      for (let step = 0; step < (2 * made.length) / COPIES; step++) {
        const j = (i + step) % made.length
        contact(made[i]!, made[j]!, 0, touch)
        distance(made[i]!, made[j]!, nearest)
        overlap(made[i]!, made[j]!, relation)
        timeOfImpact(made[i]!, motions[i]!, made[j]!, motions[j]!, 1, false, 'exit', first)
        rayCast(rays[i]!, made[j]!, 'hit', hit)
      }
    }
  }
}
