// Linear impacts in the core: numbers of any size, the order of the pair, and the frame they are seen from.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../../../src/core3d/motion/time-of-impact.ts'
import { createRay, createRayHit, rayCast } from '../../../src/core3d/ray/ray-cast.ts'
import { setDirection } from '../../../src/core3d/ray/ray-line.ts'
import { createMotion, type Motion } from '../../../src/core3d/shape/motion.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { seededRandom } from '../../support/families/box-sets.ts'
import { runCount, runs, seed } from '../../support/runs.ts'

interface Mover extends CaseBody {
  velocity: Triple
}

function impact(a: Mover, b: Mover, duration: number): TimeOfImpact {
  const out = createTimeOfImpact()
  timeOfImpact(bodyOf(a), motionOf(a), bodyOf(b), motionOf(b), duration, false, 'exit', out)
  return out
}

function motionOf({ velocity: [vx, vy, vz] }: Mover): Motion {
  return { ...createMotion(), vx, vy, vz }
}

const any = fc.oneof(
  fc.constant(0),
  fc.integer({ min: -4, max: 4 }),
  fc
    .tuple(fc.double({ min: -10, max: 10, noNaN: true }), fc.integer({ min: -300, max: 300 }))
    .map(([x, e]) => x * 10 ** e),
)
const wild = fc.tuple(any, any, any) as fc.Arbitrary<Triple>
const wildShape: fc.Arbitrary<CaseShape> = fc.oneof(
  fc.record({ type: fc.constant('sphere'), radius: any.map(Math.abs) }),
  fc.record({ type: fc.constant('capsule'), a: wild, b: wild, radius: any.map(Math.abs) }),
  fc.record({ type: fc.constant('triangle'), a: wild, b: wild, c: wild }),
  fc.record({ type: fc.constant('box'), size: wild.map((size) => size.map(Math.abs) as Triple) }),
  fc.record({ type: fc.constant('hull'), points: fc.array(wild, { minLength: 1, maxLength: 5 }) }),
)
const wildMover = fc.record({ shape: wildShape, position: wild, velocity: wild })

const small = fc.integer({ min: -4, max: 4 })
const triple = fc.tuple(small, small, small) as fc.Arbitrary<Triple>
const shape: fc.Arbitrary<CaseShape> = fc.oneof(
  fc.constant<CaseShape>({ type: 'box', size: [2, 4, 6] }),
  fc.constant<CaseShape>({ type: 'sphere', radius: 1.5 }),
  fc.record({ type: fc.constant('capsule'), a: triple, b: triple, radius: fc.constant(0.5) }),
  fc.record({ type: fc.constant('hull'), points: fc.array(triple, { minLength: 1, maxLength: 6 }) }),
)
const mover = fc.record({ shape, position: triple.map((p) => p.map((x) => 3 * x) as Triple), velocity: triple })

describe('linear impacts in space', () => {
  it('have finite answers for numbers of any size', () => {
    fc.assert(
      fc.property(wildMover, wildMover, any.map(Math.abs), (a, b, duration) => {
        const { hit, time, exitTime, nx, ny, nz, ax, ay, az, bx, by, bz } = impact(a, b, duration)
        for (const value of [time, exitTime, nx, ny, nz, ax, ay, az, bx, by, bz])
          expect(value).toSatisfy(Number.isFinite)
        if (hit) expect(time).toBeLessThanOrEqual(duration)
      }),
      runs(300),
    )
  })

  it('go by a needle whose numbers are 420 orders apart', () => {
    const point: Mover = {
      shape: { type: 'point' },
      position: [-2.2211944235979696e-261, -2.481391004989013e-193, -7.643615042401679e-296],
      velocity: [-4.4627224112820053e-172, -5.078296996911647e-196, -9.441773766533323e-146],
    }
    const needle: Mover = {
      shape: {
        type: 'triangle',
        a: [1.3952861884418245e220, -8.595767400614108e-97, 4.19779276088943e82],
        b: [-6.7211268755748406e-273, -3.2483905943611546e-142, -8.120302162807614e-217],
        c: [1.5242019327141553e-199, 7.509925097196723e37, -3.2363445474018523e-299],
      },
      position: [6.969332340460714e-65, -9.56317946580123e-257, 9.719333415856389e-229],
      velocity: [-4.8753573424628137e207, -8.628911341748546e-255, 2.977291433510958e-154],
    }
    expect(impact(point, needle, 1e-226)).toMatchObject({ converged: true })
    expect(impact(needle, point, 1e-226)).toMatchObject({ converged: true })
  })

  it('do not hang on the order of the pair, nor on what both share of their velocity', () => {
    fc.assert(
      fc.property(mover, mover, triple, fc.integer({ min: 0, max: 8 }), (a, b, shared, duration) => {
        const there = impact(a, b, duration)
        const back = impact(b, a, duration)
        expect([back.hit, back.time, back.exitTime, back.startedOverlapping]).toEqual([
          there.hit,
          there.time,
          there.exitTime,
          there.startedOverlapping,
        ])
        const faster = (one: Mover): Mover => ({
          ...one,
          velocity: one.velocity.map((v, k) => v + shared[k] * 1024) as Triple,
        })
        const shifted = impact(faster(a), faster(b), duration)
        expect([shifted.hit, shifted.time, shifted.exitTime]).toEqual([there.hit, there.time, there.exitTime])
      }),
      runs(100),
    )
  })
})

describe('two points that meet', () => {
  const point = (position: Triple, velocity: Triple, radius: number): Mover => ({
    shape: radius < 0 ? { type: 'point' } : { type: 'sphere', radius },
    position,
    velocity,
  })

  it.each([1, 1e-3, 1e3, 3.7])('do so along their way, at %f times the size', (size) => {
    const way: Triple = [2 * size, size, -size]
    for (const radius of [-1, 0]) {
      const { hit, time, nx, ny, nz } = impact(
        point([0, 0, 0], [0, 0, 0], -1),
        point([-2 * size, -size, size], way, radius),
        4,
      )
      expect({ hit, time }).toEqual({ hit: true, time: expect.closeTo(1, 14) })
      expect([nx, ny, nz]).toEqual([-2, -1, 1].map((x) => expect.closeTo(x / Math.sqrt(6), 12)))
    }
  })
})

interface Thrown extends Mover {
  spin?: Triple
}

/** Both ways round, with the normal from the first either way. */
function impacts(a: Mover, b: Thrown): TimeOfImpact[] {
  const motion: Motion = { ...motionOf(b), ...named(b.spin ?? [0, 0, 0]) }
  return [false, true].map((isSwapped) => {
    const out = createTimeOfImpact()
    if (isSwapped) timeOfImpact(bodyOf(b), motion, bodyOf(a), motionOf(a), 1, false, 'exit', out)
    else timeOfImpact(bodyOf(a), motionOf(a), bodyOf(b), motion, 1, false, 'exit', out)
    const side = isSwapped ? -1 : 1
    return { ...out, nx: side * out.nx, ny: side * out.ny, nz: side * out.nz }
  })
}

const named = ([wx, wy, wz]: Triple) => ({ wx, wy, wz })

describe('the hit of a body that is curved', () => {
  const random = seededRandom(seed())
  const between = (low: number, high: number): number => low + (high - low) * random()
  const vector = (size: number): Triple => [between(-size, size), between(-size, size), between(-size, size)]
  const turn = (): [number, number, number, number] => {
    const q = [...vector(1), between(-1, 1)]
    const length = Math.hypot(...q)
    return q.map((x) => x / length) as [number, number, number, number]
  }
  const shapes = (size: number): CaseShape[] => [
    { type: 'cylinder', radius: size * between(0.3, 1), height: size * between(0.3, 2), axis: 'y' },
    { type: 'cone', radius: size * between(0.3, 1), height: size * between(0.3, 2), axis: 'y' },
    { type: 'ellipsoid', radii: [size * between(0.3, 1), size * between(0.3, 1), size * between(0.3, 1)] },
    { type: 'box', size: [size * between(0.3, 1), size * between(0.3, 1), size * between(0.3, 1)] },
  ]
  /** From outside to near the origin, in a second at most. */
  const thrown = (shape: CaseShape, size: number): Thrown => {
    const start = vector(1)
    const position = start.map((x) => (4 * size * x) / Math.hypot(...start)) as Triple
    const goal = vector(size)
    const velocity = position.map((x, k) => 2 * (goal[k] - x)) as Triple
    return { shape, position, velocity, orientation: turn() }
  }

  it.each([1, 1e-3, 1e3])('by a point is that of its ray, at %f times the size', (size) => {
    let hits = 0
    for (let round = 0; round < runCount(60); round++) {
      for (const shape of shapes(size).slice(0, 3)) {
        const target: Mover = { shape, position: [0, 0, 0], velocity: [0, 0, 0], orientation: turn() }
        const point = thrown({ type: 'point' }, size)
        const [ox, oy, oz] = point.position
        const speed = Math.hypot(...point.velocity)
        const ray = { ...createRay(), ox, oy, oz, maxDistance: speed }
        setDirection(ray, ...point.velocity)
        const line = createRayHit()
        const isHit = rayCast(ray, bodyOf(target), 'hit', line)
        for (const { hit, time, nx, ny, nz } of impacts(target, point)) {
          expect(hit).toBe(isHit)
          if (!hit) continue
          hits++
          expect(Math.abs(time - line.distance / speed)).toBeLessThan(1e-12)
          expect(Math.hypot(nx - line.nx, ny - line.ny, nz - line.nz)).toBeLessThan(1e-12)
        }
      }
    }
    expect(hits).toBeGreaterThan(runCount(60))
  })

  it.each([0, 3])('of an ellipsoid has its normal, with a spin of %d', (rate) => {
    let hits = 0
    for (let round = 0; round < runCount(40); round++) {
      const radii: Triple = [between(0.3, 1.5), between(0.3, 1.5), between(0.3, 1.5)]
      const target: Mover = { shape: { type: 'ellipsoid', radii }, position: [0, 0, 0], velocity: [0, 0, 0] }
      for (const shape of shapes(1)) {
        for (const { hit, startedOverlapping, ax, ay, az, nx, ny, nz } of impacts(target, {
          ...thrown(shape, 1),
          spin: vector(rate),
        })) {
          if (!hit || startedOverlapping) continue
          hits++
          const slope = [ax, ay, az].map((x, k) => x / (radii[k] * radii[k]))
          const length = Math.hypot(...slope)
          expect(Math.hypot(nx - slope[0] / length, ny - slope[1] / length, nz - slope[2] / length)).toBeLessThan(1e-11)
        }
      }
    }
    expect(hits).toBeGreaterThan(runCount(40))
  })
})
