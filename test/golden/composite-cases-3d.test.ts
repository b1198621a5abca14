// The exact cases of meshes and compounds in ../shared/cases3d, in both orders.
import { describe, expect, it } from 'vitest'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../../src/core3d/motion/time-of-impact.ts'
import { createDistance, type Distance, distance } from '../../src/core3d/queries/distance.ts'
import { bodiesMeet, createOverlap, overlap, relate } from '../../src/core3d/queries/overlap.ts'
import type { Motion } from '../../src/core3d/shape/motion.ts'
import { type AnyBody, anyBodyOf, compositeCases } from '../support/composite-bodies-3d.ts'
import { casesPresent3d, type SharedCase3d, type Triple } from '../support/convex-cases-3d.ts'

type Case = Omit<SharedCase3d, 'a' | 'b'> & { a: AnyBody; b: AnyBody }

function measure(a: AnyBody, b: AnyBody): Distance {
  const out = createDistance()
  distance(anyBodyOf(a), anyBodyOf(b), out)
  return out
}

const farthest = (p: Triple, q: Triple): number => Math.max(...p.map((x, k) => Math.abs(x - q[k])))

describe.skipIf(!casesPresent3d)('exact cases of composite bodies in space', () => {
  const casesOf = (name: string): Case[] => (casesPresent3d ? compositeCases<Case>(name) : [])

  it.each([...casesOf('overlap'), ...casesOf('distance')])('$id $tags', ({ a, b, expect: expected, tol, tags }) => {
    const meet = expected.overlap ?? expected.distance === 0
    const out = createOverlap()
    for (const [one, other] of [
      [a, b],
      [b, a],
    ]) {
      const [first, second] = [anyBodyOf(one), anyBodyOf(other)]
      expect(bodiesMeet(first, second)).toBe(meet)
      expect(relate(first, second) <= 0).toBe(meet)
      overlap(first, second, out)
      expect(out.relation).toBe(relate(first, second))
    }
    if (tags.includes('touching')) expect(out.relation + 0).toBe(0)
    const there = measure(a, b)
    const back = measure(b, a)
    expect(there.hasNormal).toBe(!meet)
    expect(back.distance).toBe(there.distance)
    expect([back.ax, back.ay, back.az]).toEqual([there.bx, there.by, there.bz])
    if (expected.distance === undefined) return
    expect(Math.abs(there.distance - expected.distance)).toBeLessThanOrEqual(tol.distance ?? 0)
    if (expected.pA === undefined) return
    expect(farthest([there.ax, there.ay, there.az], expected.pA)).toBeLessThanOrEqual(tol.point ?? 0)
    expect(farthest([there.bx, there.by, there.bz], expected.pB as Triple)).toBeLessThanOrEqual(tol.point ?? 0)
  })

  it.each(casesPresent3d ? compositeCases<SweepCase>('sweep') : [])(
    '$id $tags',
    ({ a, b, maxTime, expect: e, tol }) => {
      for (const side of [1, -1]) {
        const found = side > 0 ? impact(a, b, maxTime) : impact(b, a, maxTime)
        expect(found.hit).toBe(e.hit)
        expect(found.converged).toBe(true)
        if (!e.hit) continue
        expect(Math.abs(found.time - (e.time as number))).toBeLessThanOrEqual(tol.time)
        if (e.normal === undefined) continue
        const n: Triple = [side * found.nx, side * found.ny, side * found.nz]
        expect(farthest(n, e.normal)).toBeLessThanOrEqual(tol.normal ?? 0)
      }
    },
  )
})

interface MovingBody extends AnyBody {
  velocity?: Triple
}

interface SweepCase {
  id: string
  tags: string[]
  a: MovingBody
  b: MovingBody
  maxTime: number
  expect: { hit: boolean; time?: number; normal?: Triple }
  tol: { time: number; normal?: number }
}

function motionOf({ velocity: [vx, vy, vz] = [0, 0, 0] }: MovingBody): Motion {
  return { vx, vy, vz, wx: 0, wy: 0, wz: 0 }
}

function impact(a: MovingBody, b: MovingBody, maxTime: number): TimeOfImpact {
  const out = createTimeOfImpact()
  timeOfImpact(anyBodyOf(a), motionOf(a), anyBodyOf(b), motionOf(b), maxTime, false, 'exit', out)
  return out
}
