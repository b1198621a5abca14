// Every query in space on every pair of kinds, as a service is asked them: what it has to meet beside the rows of the bench.

import type { Body3d, Shape3d } from '../../schemas/shapes3d.ts'
import { contact, createContact } from '../../src/core3d/queries/contact.ts'
import { createDistance, distance } from '../../src/core3d/queries/distance.ts'
import { createOverlap, overlap } from '../../src/core3d/queries/overlap.ts'
import { createRay, createRayHit, rayCast } from '../../src/core3d/ray/ray-cast.ts'
import { setDirection } from '../../src/core3d/ray/ray-line.ts'
import { type Between, seeded } from '../measuring/random-body.ts'
import { box, capsule, cylinder, hull, placed, sphere } from '../measuring/random-body-3d.ts'
import { prepare } from './prepare.ts'

const STREAM = 600

const OTHERS: readonly Shape3d[] = [
  { type: 'point' },
  { type: 'segment', a: { x: -0.5, y: 0.25, z: 0 }, b: { x: 0.5, y: -0.25, z: 0.125 } },
  { type: 'triangle', a: { x: -0.5, y: 0, z: 0 }, b: { x: 0.5, y: 0.25, z: 0 }, c: { x: 0, y: 0.75, z: 0.5 } },
  { type: 'box', size: { x: 1, y: 1.5, z: 0.75 }, radius: 0.125 },
  { type: 'cone', radius: 0.75, height: 1.25 },
  { type: 'ellipsoid', radii: { x: 1.25, y: 0.5, z: 0.75 } },
  { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 },
]

function bodies(between: Between): Body3d[] {
  const made = [sphere, box, capsule, cylinder, hull].map((make) => make(between))
  return [
    ...made,
    ...OTHERS.map((shape) => placed(between, shape)),
    {
      shape: { type: 'aabb', min: { x: -1, y: -0.5, z: -0.75 }, max: { x: 0.5, y: 1, z: 0.25 } },
      position: { x: between(-2, 2), y: 0, z: 0 },
    },
  ]
}

/** One call asks all of it. */
export function askEveryKind(): () => void {
  const between = seeded(STREAM)
  const made = bodies(between).map(prepare)
  const others = bodies(between).map(prepare)
  const rays = made.map(() => {
    const ray = { ...createRay(), ox: between(-5, 5), oy: between(-5, 5), oz: between(-5, 5), maxDistance: Infinity }
    setDirection(ray, between(-1, 1), between(-1, 1), between(-1, 1))
    return ray
  })
  const touch = createContact()
  const nearest = createDistance()
  const relation = createOverlap()
  const hit = createRayHit()
  return () => {
    for (const [i, a] of made.entries()) {
      for (const b of others) {
        contact(a, b, touch)
        distance(a, b, nearest)
        overlap(a, b, relation)
        rayCast(rays[i]!, b, 'hit', hit)
      }
    }
  }
}
