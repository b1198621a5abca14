// When bodies come out of half-spaces, of which at least one turns: against dense samples, closed forms, and compounds of the same.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../../../src/core3d/motion/time-of-impact.ts'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import type { Body } from '../../../src/core3d/shape/body.ts'
import type { Motion } from '../../../src/core3d/shape/motion.ts'
import { type AnyBody, anyBodyOf } from '../../support/composite-bodies-3d.ts'
import type { CaseShape, Triple } from '../../support/convex-cases-3d.ts'
import { bodyAfter } from '../../support/families/turning-bodies-3d.ts'
import { unshrunk } from '../../support/runs.ts'

interface Mover {
  body: AnyBody
  motion: Motion
}

const bodyOf = ({ body }: Mover): Body => anyBodyOf(body)

function impact(a: Mover, b: Mover, duration: number): TimeOfImpact {
  const out = createTimeOfImpact()
  timeOfImpact(bodyOf(a), a.motion, bodyOf(b), b.motion, duration, false, 'exit', out)
  return out
}

const found = createContact()

function separationAt(a: Mover, b: Mover, time: number): number {
  contact(anyBodyOf(bodyAfter(a, time)), anyBodyOf(bodyAfter(b, time)), found)
  return found.separation
}

const motion = ([vx, vy, vz]: Triple, [wx, wy, wz]: Triple): Motion => ({ vx, vy, vz, wx, wy, wz })

const short = fc.integer({ min: -1000, max: 1000 }).map((n) => n / 1000)
const triple = fc.tuple(short, short, short)
const size = fc.integer({ min: 100, max: 1500 }).map((n) => n / 1000)
const turns = fc.tuple(triple, fc.constantFrom(0, 1, 6)).map(([w, rate]) => w.map((x) => rate * x) as Triple)

const orientations = fc
  .tuple(short, short, short, short)
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((x) => x / Math.hypot(...q)) as [number, number, number, number])

const shapes = fc.oneof(
  fc.record({ type: fc.constant('box' as const), size: fc.tuple(size, size, size) }),
  fc.record({ type: fc.constant('sphere' as const), radius: size }),
  fc.record({ type: fc.constant('capsule' as const), a: triple, b: triple, radius: size }),
  fc.record({ type: fc.constant('ellipsoid' as const), radii: fc.tuple(size, size, size) }),
  fc.record({ type: fc.constant('cylinder' as const), radius: size, height: size }),
  fc.record({ type: fc.constant('cone' as const), radius: size, height: size }),
) as fc.Arbitrary<CaseShape>

const grounds: fc.Arbitrary<Mover> = fc
  .tuple(triple, short, triple, triple, turns)
  .filter(([normal]) => Math.hypot(...normal) > 0.1)
  .map(([normal, offset, position, v, w]) => ({
    body: { shape: { type: 'halfspace', normal, offset }, position },
    motion: motion(v, w),
  }))

const flyers: fc.Arbitrary<Mover> = fc
  .tuple(shapes, triple, orientations, triple, turns)
  .map(([shape, place, orientation, v, w]) => ({
    body: { shape, position: place.map((x) => 2 * x) as Triple, orientation },
    motion: motion(v.map((x) => 2 * x) as Triple, w),
  }))

describe('a body and a half-space, of which either turns', () => {
  it('are together until they part, and apart right after it', () => {
    let exits = 0
    fc.assert(
      fc.property(grounds, flyers, (ground, flyer) => {
        const duration = 3
        const { hit, time, hasExit, exitTime, converged } = impact(ground, flyer, duration)
        if (!hit) return
        // What only touches as it turns, or is turned by less than rounding, may be open.
        if (!converged) {
          expect(Math.abs(separationAt(ground, flyer, exitTime || time))).toBeLessThan(1e-10)
          return
        }
        const end = hasExit ? exitTime : duration
        for (let k = 1; k < 60; k++) {
          expect(separationAt(ground, flyer, time + ((end - time) * k) / 60)).toBeLessThan(1e-10)
        }
        if (!hasExit) return
        exits++
        expect(Math.abs(separationAt(ground, flyer, exitTime))).toBeLessThan(1e-10)
        expect(separationAt(ground, flyer, exitTime + 1e-6)).toBeGreaterThan(-1e-10)
      }),
      unshrunk(1000),
    )
    expect(exits).toBeGreaterThan(0)
  })

  it('part alike in either order, and as the same parts of compounds', () => {
    const inCompound = ({ body, motion }: Mover): Mover => ({
      body: { shape: { type: 'compound', children: [body] }, position: body.position },
      motion,
    })
    fc.assert(
      fc.property(grounds, flyers, (ground, flyer) => {
        const at: Mover = { ...flyer, body: { ...flyer.body, position: [0, 0, 0] } }
        const there = impact(ground, at, 3)
        expect(impact(at, ground, 3).exitTime).toBe(there.exitTime)
        const single = impact(ground, inCompound(at), 3)
        if (!there.converged || !single.converged || !there.hit) return
        // What only touches parts when rounding says so.
        const end = there.hasExit ? there.exitTime : 3
        if (separationAt(ground, at, (there.time + end) / 2) > -1e-6) return
        expect(single.hasExit).toBe(there.hasExit)
        expect(single.exitTime).toBeCloseTo(there.exitTime, 9)
      }),
      unshrunk(600),
    )
  })

  it('come apart where a closed form says so', () => {
    // The boundary turns away under a point, which is sin t − 2 cos t over it.
    const ground: Mover = {
      body: { shape: { type: 'halfspace', normal: [0, 1, 0], offset: 0 }, position: [0, 0, 0] },
      motion: motion([0, 0, 0], [0, 0, 1]),
    }
    const point: Mover = {
      body: { shape: { type: 'point' }, position: [-1, -2, 5] },
      motion: motion([0, 0, 0], [0, 0, 0]),
    }
    const { startedOverlapping, hasExit, exitTime } = impact(ground, point, 3)
    expect([startedOverlapping, hasExit]).toEqual([true, true])
    expect(exitTime).toBeCloseTo(Math.atan2(2, 1), 14)
  })

  it('come apart when the last corner of a cube that turns and rises does', () => {
    const ground: Mover = {
      body: { shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 }, position: [0, 0, 0] },
      motion: motion([0, 0, 0], [0, 0, 0]),
    }
    const cube: Mover = {
      body: { shape: { type: 'box', size: [2, 2, 2] }, position: [0, 0, -2] },
      motion: motion([0, 0, 1], [1, 0, 0]),
    }
    const { hasExit, exitTime } = impact(ground, cube, 6)
    expect(hasExit).toBe(true)
    expect(exitTime - 2).toBeCloseTo(Math.abs(Math.cos(exitTime)) + Math.abs(Math.sin(exitTime)), 12)
  })
})
