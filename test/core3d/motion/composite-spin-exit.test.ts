// When composite bodies that turn part again: samples of the motion, hulls and their meshes, and what a solid holds.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../../../src/core3d/motion/time-of-impact.ts'
import { createDistance, distance } from '../../../src/core3d/queries/distance.ts'
import { bodiesMeet } from '../../../src/core3d/queries/overlap.ts'
import type { Motion } from '../../../src/core3d/shape/motion.ts'
import { type AnyBody, anyBodyOf } from '../../support/composite-bodies-3d.ts'
import type { Triple } from '../../support/convex-cases-3d.ts'
import { boxMesh } from '../../support/families/meshes-3d.ts'
import { bodyAfter, type TurningBody, turningPairs } from '../../support/families/turning-bodies-3d.ts'
import { unshrunk } from '../../support/runs.ts'

const STILL: Motion = { vx: 0, vy: 0, vz: 0, wx: 0, wy: 0, wz: 0 }

function exitOf(one: TurningBody, two: TurningBody, duration: number): TimeOfImpact {
  const out = createTimeOfImpact()
  timeOfImpact(anyBodyOf(one.body), one.motion, anyBodyOf(two.body), two.motion, duration, false, 'exit', out)
  return out
}

/** Planes that turn have points of any speed: when they part is not told. */
function turnsPlane({ body, motion }: TurningBody): boolean {
  return JSON.stringify(body).includes('halfspace') && (motion.wx !== 0 || motion.wy !== 0 || motion.wz !== 0)
}

describe('the exit of composite bodies that turn', () => {
  it('is when they are first apart after they have met', () => {
    const duration = 2
    const between = createDistance()
    fc.assert(
      fc.property(turningPairs, ([one, two]) => {
        if (turnsPlane(one) || turnsPlane(two)) return
        const found = exitOf(one, two, duration)
        if (!found.hit || !found.converged) return
        const end = found.hasExit ? found.exitTime : duration
        for (let k = 0; k < 20; k++) {
          const time = found.time + ((end - found.time) * (k + 0.5)) / 20
          distance(anyBodyOf(bodyAfter(one, time)), anyBodyOf(bodyAfter(two, time)), between)
          expect(between.distance, `at ${time} of ${end}`).toBeLessThan(1e-8)
        }
        const later = end + 1e-6
        const meet = bodiesMeet(anyBodyOf(bodyAfter(one, later)), anyBodyOf(bodyAfter(two, later)))
        if (found.hasExit) expect(meet, `after ${end}`).toBe(false)
      }),
      unshrunk(1500),
    )
  })

  const box = (size: number, x: number, solid = true): AnyBody => ({
    shape: boxMesh([-size, -size, -size], [size, size, size], solid),
    position: [x, 0, 0],
  })
  const moving = (vx: number, [wx, wy, wz]: Triple): Motion => ({ ...STILL, vx, wx, wy, wz })

  it('is told through a solid, in which no surfaces meet for a while, and not through a shell', () => {
    const small: TurningBody = { body: box(1, -10), motion: moving(2, [1, 0, 0]) }
    expect(exitOf({ body: box(5, 0), motion: STILL }, small, 20).exitTime).toBe(8)
    expect(exitOf({ body: box(5, 0, false), motion: STILL }, small, 20).exitTime).toBe(3)
  })

  it('is none within a solid', () => {
    const inside: TurningBody = { body: box(1, 0), motion: moving(0, [1, 2, 3]) }
    const found = exitOf({ body: box(5, 0), motion: STILL }, inside, 20)
    expect([found.hit, found.hasExit, found.converged]).toEqual([true, false, true])
  })

  it('is none on a floor on which a body turns for ever', () => {
    const floor: AnyBody = { shape: boxMesh([-10, -1, -10], [10, 0, 10]), position: [0, 0, 0] }
    const top: AnyBody = { shape: { type: 'box', size: [2, 2, 2] }, position: [3, 1, 1] }
    const found = exitOf({ body: floor, motion: STILL }, { body: top, motion: moving(0, [0, 1, 0]) }, 20)
    expect([found.hit, found.hasExit, found.converged]).toEqual([true, false, true])
  })
})

it('a triangle that comes into a half-space without turning does not leave it, whatever rounding makes of where it meets it', () => {
  const shape: AnyBody['shape'] = {
    type: 'mesh',
    vertices: [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0.3],
    ],
    triangles: [[0, 1, 2]],
  }
  fc.assert(
    fc.property(
      fc.tuple(fc.double({ min: 0.1, max: 1, noNaN: true }), fc.double({ min: 0.1, max: 1, noNaN: true })),
      ([y, speed]) => {
        const plane: AnyBody = { shape: { type: 'halfspace', normal: [0.1, 1, 0.2], offset: 0 }, position: [0, -y, 0] }
        const motion = { ...STILL, vx: speed / 3, vy: -speed }
        const found = exitOf({ body: { shape, position: [0, 0, 0] }, motion }, { body: plane, motion: STILL }, 20)
        expect([found.hit, found.hasExit]).toEqual([true, false])
      },
    ),
    unshrunk(300),
  )
})
