// Times of impact of composite bodies that turn: meshes of hulls against the hulls, samples of the motion, and parts that go round.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compositeSweep, sweepLeaves } from '../../../src/core3d/motion/composite-sweep.ts'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../../../src/core3d/motion/time-of-impact.ts'
import { bodiesMeet } from '../../../src/core3d/queries/overlap.ts'
import type { Motion } from '../../../src/core3d/shape/motion.ts'
import { type AnyBody, anyBodyOf } from '../../support/composite-bodies-3d.ts'
import { bodyOf, type Triple } from '../../support/convex-cases-3d.ts'
import { coredBodies, everyBody, triples } from '../../support/families/convex-bodies.ts'
import { boxMesh, compositeBodies, hullMesh } from '../../support/families/meshes-3d.ts'
import { bodyAfter, turningPairs } from '../../support/families/turning-bodies-3d.ts'
import { unshrunk } from '../../support/runs.ts'

type Body = ReturnType<typeof bodyOf>
interface Move {
  v: Triple
  w: Triple
}

const move: fc.Arbitrary<Move> = fc.record({ v: triples, w: triples })
const still: Move = { v: [0, 0, 0], w: [0, 0, 0] }

function impact(a: Body, one: Move, b: Body, other: Move, duration = 2, ignoreSeparating = false): TimeOfImpact {
  const out = createTimeOfImpact()
  timeOfImpact(a, motionOf(one), b, motionOf(other), duration, ignoreSeparating, 'contact', out)
  return out
}

const motionOf = ({ v, w }: Move): Motion => ({ vx: v[0], vy: v[1], vz: v[2], wx: w[0], wy: w[1], wz: w[2] })

/** The body as it lies after some time. */
function after(body: AnyBody, move: Move, time: number): AnyBody {
  return bodyAfter({ body, motion: motionOf(move) }, time)
}

describe('the time of impact of composite bodies that turn', () => {
  it('is that of the hull whose mesh it is', () => {
    const hulls = fc.array(triples, { minLength: 4, maxLength: 8 })
    fc.assert(
      fc.property(hulls, everyBody, triples, move, move, (points, other, position, one, two) => {
        const mesh = hullMesh(points)
        if (mesh === null) return
        const b = bodyOf(other)
        const hull = impact(bodyOf({ shape: { type: 'hull', points }, position }), one, b, two)
        const solid = impact(anyBodyOf({ shape: mesh, position }), one, b, two)
        if (!hull.converged || !solid.converged) return
        expect(solid.hit).toBe(hull.hit)
        expect(Math.abs(solid.time - hull.time)).toBeLessThan(1e-8)
      }),
      unshrunk(300),
    )
  })

  it('is not later than a time at which they meet, and they are apart before', () => {
    const unrotated = (body: AnyBody): boolean => body.shape.type !== 'aabb'
    fc.assert(
      fc.property(compositeBodies, coredBodies, move, move, (one, other, p, q) => {
        if (!unrotated(one) || JSON.stringify(one).includes('aabb')) return
        const found = impact(anyBodyOf(one), p, anyBodyOf(other), q)
        if (!found.converged) return
        for (let k = 0; k <= 32; k++) {
          const time = k / 16
          const meet = bodiesMeet(anyBodyOf(after(one, p, time)), anyBodyOf(after(other, q, time)))
          if (meet && !found.hit) {
            const deeper = bodiesMeet(anyBodyOf(after(one, p, time + 1e-7)), anyBodyOf(after(other, q, time + 1e-7)))
            expect(deeper && time < 2, `meets at ${time}`).toBe(false)
          }
          if (meet && found.hit) expect(found.time).toBeLessThanOrEqual(time + 1e-7)
          if (found.hit && time < found.time - 1e-7) expect(meet, `apart at ${time} of ${found.time}`).toBe(false)
        }
      }),
      unshrunk(200),
    )
  })

  it('is the first of those of all pairs of leaves, and they are apart until then', () => {
    const duration = 2
    fc.assert(
      fc.property(turningPairs, ([one, two]) => {
        const [a, b] = [anyBodyOf(one.body), anyBodyOf(two.body)]
        const found = createTimeOfImpact()
        timeOfImpact(a, one.motion, b, two.motion, duration, false, 'time', found)
        if (found.startedOverlapping || !found.converged) return
        const least = leastOfLeaves(a, one.motion, b, two.motion, duration)
        if (least !== null) expect(found.hit ? found.time : Infinity).toBe(least)
        const end = found.hit ? found.time : duration
        for (let k = 0; k < 30; k++) {
          const time = (end * (k + 0.5)) / 30
          const [there, other] = [one, two].map((each) => anyBodyOf(bodyAfter(each, time)))
          if (time < end - 1e-7) expect(bodiesMeet(there, other), `at ${time} of ${end}`).toBe(false)
        }
      }),
      unshrunk(1500),
    )
  })

  /** The least time of all pairs of leaves, Infinity where none meets; null where one is not sure. */
  function leastOfLeaves(a: Body, one: Motion, b: Body, two: Motion, duration: number): number | null {
    const found = createTimeOfImpact()
    const sweep = compositeSweep(a, one, b, two, duration, timeOfImpact, found)
    const { first, second } = sweep.frame
    let least = Infinity
    for (let i = 0; i < (first.body.composite?.leafCount ?? 1); i++) {
      for (let j = 0; j < (second.body.composite?.leafCount ?? 1); j++) {
        sweepLeaves(sweep, i, j, false, 'time')
        if (found.hit && !found.converged) return null
        if (found.hit) least = Math.min(least, found.time)
      }
    }
    return least
  }

  it('has a rod that turns meet triangles that stand in its way', () => {
    const length = 3.4387966990470886
    const rod: AnyBody = {
      shape: {
        type: 'mesh',
        vertices: [
          [length, -0.1, -0.1],
          [length + 2, -0.1, -0.1],
          [length + 2, 0.1, -0.1],
          [length, 0.1, 0.1],
        ],
        triangles: [
          [0, 1, 2],
          [0, 2, 3],
          [1, 2, 3],
        ],
      },
      position: [0, 0, 0],
    }
    const [x, y] = [Math.cos, Math.sin].map((part) => 5.296974837779999 * part(1.7889412404233052))
    const target: AnyBody = {
      shape: {
        type: 'mesh',
        vertices: [
          [x - 0.3, y, -0.3],
          [x + 0.3, y, -0.3],
          [x, y, 0.4],
          [x, y + 0.3, 0.4],
        ],
        triangles: [
          [0, 1, 2],
          [0, 1, 3],
        ],
      },
      position: [0, 0, 0],
    }
    const spin: Move = { v: [0, 0, 0], w: [0, 0, 1] }
    const there = impact(anyBodyOf(rod), spin, anyBodyOf(target), still, 7)
    expect(there.hit).toBe(true)
    expect(there.time).toBeLessThan(1.73)
    expect(impact(anyBodyOf(target), still, anyBodyOf(rod), spin, 7).time).toBe(there.time)
  })

  it('brings a part round that stands aside', () => {
    const arm: AnyBody = {
      shape: {
        type: 'compound',
        children: [{ shape: { type: 'ellipsoid', radii: [0.5, 0.5, 0.5] }, position: [4, 0, 0] }],
      },
      position: [0, 0, 0],
    }
    const wall = anyBodyOf({ shape: boxMesh([-1, 0, -1], [1, 8, 1]), position: [0, 0, 0] })
    const found = impact(anyBodyOf(arm), { v: [0, 0, 0], w: [0, 0, 1] }, wall, still)
    expect(found.hit).toBe(true)
    // The ball of radius ½ comes to the plane x = 1 when 4 cos t = 1½.
    expect(found.time).toBeCloseTo(Math.acos(1.5 / 4), 13)
    expect([found.nx, found.ny, found.nz].map((x) => Math.round(x * 1e6) / 1e6 + 0)).toEqual([-1, 0, 0])
  })

  it('brings a half-space round that stands aside', () => {
    const shape: AnyBody['shape'] = { type: 'halfspace', normal: [0, 1, 0], offset: 0 }
    const wing = anyBodyOf({
      shape: { type: 'compound', children: [{ shape, position: [3, -1, 0] }] },
      position: [0, 0, 0],
    })
    const found = impact(
      wing,
      { v: [0, 0, 0], w: [0, 0, 1] },
      bodyOf({ shape: { type: 'point' }, position: [10, 5, 0] }),
      still,
    )
    // The point is 5 cos t − 10 sin t over the plane through the origin, which is 1 over the boundary.
    expect(found.time).toBeCloseTo(Math.acos(-1 / Math.hypot(10, 5)) - Math.atan2(10, 5), 12)
  })

  it('lets a box turn on the spot over the seams of a floor', () => {
    const floor: AnyBody = { shape: boxMesh([-10, -1, -10], [10, 0, 10]), position: [0, 0, 0] }
    const box = anyBodyOf({ shape: { type: 'box', size: [2, 2, 2] }, position: [3, 1, 1] })
    expect(impact(anyBodyOf(floor), still, box, { v: [0, 0, 0], w: [0, 1, 0] }, 2, true).hit).toBe(false)
    expect(impact(anyBodyOf(floor), still, box, { v: [0, 0, 0], w: [0, 0, 1] }, 2, true).hit).toBe(true)
  })
})
