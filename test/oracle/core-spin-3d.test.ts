// Times of impact and of parting of turning boxes, hulls and balls, against numbers of 192 binary places.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTimeOfImpact, timeOfImpact } from '../../src/core3d/motion/time-of-impact.ts'
import type { Motion } from '../../src/core3d/shape/motion.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../support/convex-cases-3d.ts'
import { runCount, runs } from '../support/runs.ts'
import { lateness } from './exact-spin-3d.ts'

const size = fc.double({ min: 0.3, max: 1.5, noNaN: true })
const short = fc.double({ min: -1, max: 1, noNaN: true })
const triple = fc.tuple(short, short, short)

const box: fc.Arbitrary<CaseShape> = fc.record({ type: fc.constant('box' as const), size: fc.tuple(size, size, size) })
const tetrahedron: fc.Arbitrary<CaseShape> = fc.tuple(size, size, size, triple).map(([x, y, z, [a, b, c]]) => ({
  type: 'hull' as const,
  points: [
    [x, a / 4, b / 4],
    [-x, y, c / 4],
    [-x, -y, a / 4],
    [0, b / 4, z],
  ],
}))
const ball: fc.Arbitrary<CaseShape> = fc.record({ type: fc.constant('sphere' as const), radius: size })

const orientation = fc
  .tuple(short, short, short, short)
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((x) => x / Math.hypot(...q)) as [number, number, number, number])

interface Spinning {
  body: CaseBody
  motion: Motion
}

/** At rest or turning, three away, on its way to the origin or past it. */
function flying(shape: fc.Arbitrary<CaseShape>): fc.Arbitrary<Spinning> {
  return fc
    .tuple(shape, orientation, triple, triple, triple)
    .filter(([, , way]) => Math.hypot(...way) > 0.1)
    .map(([kind, q, way, aim, [wx, wy, wz]]) => {
      const position = way.map((x) => (3 * x) / Math.hypot(...way)) as Triple
      const [vx, vy, vz] = aim.map((x, k) => 0.8 * x - position[k])
      return {
        body: { shape: kind, position, orientation: q },
        motion: { vx, vy, vz, wx: 4 * wx, wy: 4 * wy, wz: 4 * wz },
      }
    })
}

function standing(shape: fc.Arbitrary<CaseShape>): fc.Arbitrary<Spinning> {
  return fc.tuple(shape, orientation, triple, fc.constantFrom(0, 3)).map(([kind, q, [wx, wy, wz], fast]) => ({
    body: { shape: kind, position: [0, 0, 0] as Triple, orientation: q },
    motion: { vx: 0, vy: 0, vz: 0, wx: fast * wx, wy: fast * wy, wz: fast * wz },
  }))
}

/** Within which the oracle looks. */
const REACH = 2 ** -30

describe.each([
  ['boxes', box, box],
  ['tetrahedra and boxes', tetrahedron, box],
  ['balls and boxes', ball, box],
] as const)('%s that turn', (_name, one, other) => {
  it('meet and part when they do', () => {
    let times = 0
    const off: number[] = []
    fc.assert(
      fc.property(flying(one), standing(other), (a, b) => {
        const first = bodyOf(a.body)
        const second = bodyOf(b.body)
        const out = createTimeOfImpact()
        timeOfImpact(first, a.motion, second, b.motion, 2, false, 'exit', out)
        expect(out.converged).toBe(true)
        if (!out.hit || out.startedOverlapping) return
        for (const time of out.hasExit ? [out.time, out.exitTime] : [out.time]) {
          const late = lateness(first, a.motion, second, b.motion, time, REACH)
          // Bodies that graze each other do so for so short a time that either end may be another.
          if (Number.isNaN(late)) continue
          times++
          off.push(Math.abs(late))
        }
      }),
      runs(60),
    )
    off.sort((x, y) => x - y)
    expect(times).toBeGreaterThan(runCount(4))
    // Those that graze are known to the root of what heights are.
    expect(off[off.length >> 1]).toBeLessThan(1e-15)
    expect(off[Math.floor(off.length * 0.8)]).toBeLessThan(1e-13)
  })
})
