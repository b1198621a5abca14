// Times of impact in space: the first, whichever way round, wherever it is seen from.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Want } from '../../src/core/want.ts'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../../src/core3d/motion/time-of-impact.ts'
import { contact, createContact } from '../../src/core3d/queries/contact.ts'
import { createDistance, distance } from '../../src/core3d/queries/distance.ts'
import { type Body, createBody, POSITION } from '../../src/core3d/shape/body.ts'
import { type Motion, turnBody } from '../../src/core3d/shape/motion.ts'
import { bodyOf, type CaseBody, type Triple } from '../support/convex-cases-3d.ts'
import { convexBodies, turnAxes } from '../support/families/convex-bodies.ts'
import { runCount, runs } from '../support/runs.ts'

const short = fc.integer({ min: -4, max: 4 })
const vector = fc.tuple(short, short, short)

interface Mover {
  body: CaseBody
  velocity: Triple
  spin: Triple
}

/** At least eight apart in the mean, and flying at each other as often as not. */
const movers = (spins: boolean): fc.Arbitrary<[Mover, Mover]> =>
  fc.tuple(convexBodies, convexBodies, vector, vector, vector, vector, vector).map(([a, b, place, va, vb, wa, wb]) => [
    { body: a, velocity: va, spin: spins ? wa : [0, 0, 0] },
    {
      body: { ...b, position: [b.position[0] + 3 * place[0], b.position[1] + 3 * place[1], b.position[2] + place[2]] },
      velocity: vb,
      spin: spins ? wb : [0, 0, 0],
    },
  ])

const motionOf = ({ velocity: [vx, vy, vz], spin: [wx, wy, wz] }: Mover): Motion => ({ vx, vy, vz, wx, wy, wz })

function impactOf(a: Mover, b: Mover, duration = 4, want: Want = 'exit', ignoreSeparating = false): TimeOfImpact {
  const out = createTimeOfImpact()
  timeOfImpact(bodyOf(a.body), motionOf(a), bodyOf(b.body), motionOf(b), duration, ignoreSeparating, want, out)
  return out
}

/** The body as it is at a time. */
function bodyAt(mover: Mover, time: number): Body {
  const out = createBody()
  turnBody(bodyOf(mover.body), motionOf(mover), time, out)
  for (let k = 0; k < 3; k++) out.numbers[POSITION + k] += mover.velocity[k] * time
  return out
}

const found = createDistance()

function distanceAt(a: Mover, b: Mover, time: number): number {
  distance(bodyAt(a, time), bodyAt(b, time), found)
  return found.distance
}

describe.each([
  ['without spin', false, 400],
  ['with spin', true, 150],
] as const)('bodies %s', (_name, spins, count) => {
  it('are apart before the first impact, and touch then', () => {
    let hits = 0
    fc.assert(
      fc.property(movers(spins), ([a, b]) => {
        const { hit, time, startedOverlapping, converged } = impactOf(a, b)
        expect(converged).toBe(true)
        if (startedOverlapping) return
        if (hit) {
          hits++
          expect(distanceAt(a, b, time)).toBeLessThan(1e-11)
        }
        const end = hit ? time * (1 - 1e-7) : 4
        for (let k = 0; k <= 40; k++) expect(distanceAt(a, b, (k / 40) * end)).toBeGreaterThan(0)
      }),
      runs(count),
    )
    expect(hits).toBeGreaterThan(runCount(count / 40) / 2)
  })

  it('meet at the same time whichever is called A', () => {
    fc.assert(
      fc.property(movers(spins), ([a, b]) => {
        const one = impactOf(a, b)
        const other = impactOf(b, a)
        expect(other.hit).toBe(one.hit)
        expect(other.time).toBe(one.time)
        expect(other.exitTime).toBe(one.exitTime)
        expect([other.nx, other.ny, other.nz].map((x) => x + 0)).toEqual([-one.nx, -one.ny, -one.nz].map((x) => x + 0))
      }),
      runs(count),
    )
  })

  it('meet at the same time seen from what flies along', () => {
    fc.assert(
      fc.property(movers(spins), vector, ([a, b], extra) => {
        const along = (mover: Mover): Mover => ({
          ...mover,
          velocity: mover.velocity.map((v, k) => v + 4 * extra[k]) as Triple,
        })
        const one = impactOf(a, b)
        const other = impactOf(along(a), along(b))
        expect(other.hit).toBe(one.hit)
        expect(other.time).toBe(one.time)
      }),
      runs(count),
    )
  })

  it('meet at the same time where x is called y', () => {
    fc.assert(
      fc.property(movers(spins), ([a, b]) => {
        const round = ({ body, velocity, spin }: Mover): Mover => ({
          body: turnAxes(body),
          velocity: [velocity[2], velocity[0], velocity[1]],
          spin: [spin[2], spin[0], spin[1]],
        })
        const one = impactOf(a, b)
        const other = impactOf(round(a), round(b))
        expect(other.hit).toBe(one.hit)
        if (one.hit) expect(Math.abs(other.time - one.time)).toBeLessThan(1e-6)
      }),
      runs(count),
    )
  })
})

describe('bodies without spin', () => {
  it('touch until they part', () => {
    fc.assert(
      fc.property(movers(false), ([a, b]) => {
        const { hit, time, hasExit, exitTime } = impactOf(a, b)
        if (!hit) return
        const end = hasExit ? exitTime : 4
        for (let k = 0; k <= 16; k++) expect(distanceAt(a, b, time + (k / 16) * (end - time))).toBeLessThan(1e-11)
        if (hasExit && exitTime > 0) expect(distanceAt(a, b, exitTime * (1 + 1e-6) + 1e-6)).toBeGreaterThan(0)
      }),
      runs(400),
    )
  })
})

describe('bodies with spin', () => {
  const close = createContact()

  /** Positive when apart, negative when they overlap. */
  function separationAt(a: Mover, b: Mover, time: number): number {
    contact(bodyAt(a, time), bodyAt(b, time), close)
    return close.separation
  }

  it('meet until they part, and no less', () => {
    let exits = 0
    fc.assert(
      fc.property(movers(true), ([a, b]) => {
        const { hit, time, startedOverlapping, hasExit, exitTime, converged } = impactOf(a, b)
        if (!hit || startedOverlapping || !converged) return
        const end = hasExit ? exitTime : 4
        for (let k = 1; k < 40; k++) expect(separationAt(a, b, time + (k / 40) * (end - time))).toBeLessThan(1e-10)
        if (!hasExit) return
        exits++
        for (let after = 1e-9; after < 1e-3 && exitTime + after < 4; after *= 10) {
          expect(separationAt(a, b, exitTime + after)).toBeGreaterThan(-1e-10)
        }
      }),
      runs(300),
    )
    expect(exits).toBeGreaterThan(runCount(300) / 20)
  })

  it('touch in one place, which lies on both', () => {
    fc.assert(
      fc.property(movers(true), ([a, b]) => {
        const { hit, time, startedOverlapping, ax, ay, az, bx, by, bz } = impactOf(a, b)
        if (!hit || startedOverlapping) return
        expect(Math.hypot(ax - bx, ay - by, az - bz)).toBeLessThan(1e-11)
        const place = bodyOf({ shape: { type: 'point' }, position: [ax, ay, az] })
        for (const mover of [a, b]) {
          contact(place, bodyAt(mover, time), close)
          expect(Math.abs(close.separation)).toBeLessThan(1e-8)
        }
      }),
      runs(300),
    )
  })
})

it.each([false, true])('is the same where less is wanted, with what is not wanted left out: spinning %s', (spins) => {
  fc.assert(
    fc.property(movers(spins), fc.boolean(), ([a, b], ignoreSeparating) => {
      const exit = impactOf(a, b, 4, 'exit', ignoreSeparating)
      const contact = impactOf(a, b, 4, 'contact', ignoreSeparating)
      const time = impactOf(a, b, 4, 'time', ignoreSeparating)
      const { hit, startedOverlapping } = exit
      expect({ ...contact, converged: true }).toEqual({ ...exit, hasExit: false, exitTime: 0, converged: true })
      const { converged } = contact
      expect(time).toEqual({ ...createTimeOfImpact(), hit, time: exit.time, startedOverlapping, converged })
    }),
    runs(300),
  )
})

describe('half-spaces apart', () => {
  const still = { velocity: [0, 0, 0] as Triple, spin: [0, 0, 0] as Triple }
  const ground: Mover = {
    ...still,
    body: { shape: { type: 'halfspace', normal: [0, 1, 0], offset: 0 }, position: [0, 0, 0] },
  }
  const ceiling: Mover = {
    ...still,
    body: { shape: { type: 'halfspace', normal: [0, -1, 0], offset: 0 }, position: [5, 2, 0] },
  }

  it('meet at once where they turn against each other, however far away that is', () => {
    const spins = fc.tuple(vector, vector).filter(([p, q]) => p.some((x, k) => k !== 1 && x !== q[k]))
    fc.assert(
      fc.property(spins, vector, ([one, other], velocity) => {
        const a = { ...ground, spin: one }
        const b = { ...ceiling, velocity, spin: other }
        expect(impactOf(a, b)).toMatchObject({ hit: true, time: 0, startedOverlapping: false, ny: 1, hasExit: false })
        expect(impactOf(a, b, 0).hit).toBe(false)
      }),
      runs(100),
    )
  })

  it('stay apart where they turn in their own planes, and meet when they fall together', () => {
    const turning = { ...ceiling, spin: [0, 3, 0] as Triple }
    expect(impactOf(ground, turning).hit).toBe(false)
    expect(impactOf(ground, { ...turning, velocity: [1, -1, 0] })).toMatchObject({ hit: true, time: 2 })
  })
})
