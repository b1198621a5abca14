// Boxes of motions hold the body at every time, and are touched on all sides at some.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bounds, createBounds, motionBounds } from '../../../src/core3d/queries/bounds.ts'
import type { Motion } from '../../../src/core3d/shape/motion.ts'
import { bodyOf, type CaseBody, type Triple } from '../../support/convex-cases-3d.ts'
import { convexBodies } from '../../support/families/convex-bodies.ts'
import { runs } from '../../support/runs.ts'

const whole = createBounds()
const moment = createBounds()

function motionOf([vx, vy, vz]: Triple, [wx, wy, wz]: Triple): Motion {
  return { vx, vy, vz, wx, wy, wz }
}

function boxOf(body: CaseBody, velocity: Triple, spin: Triple, duration: number): number[] {
  motionBounds(bodyOf(body), motionOf(velocity, spin), duration, whole)
  return [...whole.min, ...whole.max].map((side) => side + 0)
}

type Four = [number, number, number, number]

/** The turn by |spin|·t about the spin, after the one that the body has. */
function orientationAt(start: Four, spin: Triple, t: number): Four {
  const rate = Math.hypot(...spin)
  if (rate === 0) return start
  const s = Math.sin((rate * t) / 2) / rate
  const [x, y, z] = spin.map((c) => c * s)
  const w = Math.cos((rate * t) / 2)
  const [a, b, c, d] = start
  return [
    w * a + x * d + y * c - z * b,
    w * b - x * c + y * d + z * a,
    w * c + x * b - y * a + z * d,
    w * d - x * a - y * b - z * c,
  ]
}

const part = fc.integer({ min: -4, max: 4 })
const triple = fc.tuple(part, part, part)

describe('bounds of a motion', () => {
  it('hold the body at all times, and no more than that', () => {
    fc.assert(
      fc.property(convexBodies, triple, triple, fc.constantFrom(0.25, 1, 3), (shape, velocity, spin, duration) => {
        const body: CaseBody = { ...shape, orientation: [0.1, 0.7, -0.5, 0.5] }
        const box = boxOf(body, velocity, spin, duration)
        const seen = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
        const { position = [0, 0, 0] } = body
        const size = 1 + Math.max(...box.map(Math.abs))
        const count = 256
        for (let i = 0; i <= count; i++) {
          const t = (duration * i) / count
          const place = position.map((c, k) => c + velocity[k] * t) as Triple
          bounds(
            bodyOf({ ...body, position: place, orientation: orientationAt([0.1, 0.7, -0.5, 0.5], spin, t) }),
            moment,
          )
          for (let k = 0; k < 3; k++) {
            seen[k] = Math.min(seen[k], moment.min[k])
            seen[k + 3] = Math.max(seen[k + 3], moment.max[k])
          }
        }
        const rate = Math.hypot(...spin)
        // between two moments a height rises over both by no more than its bend lets it
        const missed = 2 * size * ((rate * duration) / count) ** 2 + 2 ** -44 * size
        for (let k = 0; k < 6; k++) {
          const out = k < 3 ? seen[k] - box[k] : box[k] - seen[k]
          expect(out).toBeGreaterThanOrEqual(-(2 ** -44) * size)
          expect(out).toBeLessThanOrEqual(missed)
        }
      }),
      runs(60),
    )
  })

  it('are exact without a turn', () => {
    const ball: CaseBody = { shape: { type: 'sphere', radius: 1 }, position: [2 ** 40, 0, 0] }
    expect(boxOf(ball, [0, 3, -0.5], [0, 0, 0], 0.5)).toEqual([2 ** 40 - 1, -1, -1.25, 2 ** 40 + 1, 2.5, 1])
    expect(boxOf(ball, [2 ** -20, 0, 0], [0, 0, 0], 1)[3]).toBe(2 ** 40 + 1 + 2 ** -12)
    expect(boxOf(ball, [5, 5, 5], [5, 5, 5], 0)).toEqual([2 ** 40 - 1, -1, -1, 2 ** 40 + 1, 1, 1])
  })

  it('take the last of many turns where it travels, and all of one where it does not', () => {
    const bar: CaseBody = { shape: { type: 'segment', a: [0, 0, 0], b: [1, 0, 0] }, position: [0, 0, 0] }
    const box = boxOf(bar, [1, 0, 0], [0, 0, 2 * Math.PI], 10)
    // its farthest: 10 full turns end there
    expect(box[3]).toBeCloseTo(11, 12)
    expect(box[1]).toBeCloseTo(-1, 12)
    expect(box[4]).toBeCloseTo(1, 12)
    expect(box[5]).toBeLessThan(1e-12)
    const coin: CaseBody = { shape: { type: 'cylinder', radius: 1, height: 0.5 }, position: [0, 0, 0] }
    for (const side of boxOf(coin, [0, 0, 0], [7, 0, 0], 1e6).slice(4))
      expect(side).toBeCloseTo(Math.hypot(1, 0.25), 12)
  })

  it('of half-spaces that turn have no sides, but where they turn about their own normal', () => {
    const half: CaseBody = { shape: { type: 'halfspace', normal: [0, 2, 0], offset: 1 }, position: [0, 1, 0] }
    expect(boxOf(half, [0, 1, 0], [1, 0, 0], 1)[4]).toBe(Infinity)
    expect(boxOf(half, [0, 1, 0], [0, 9, 0], 1)[4]).toBe(3)
    expect(boxOf(half, [0, -1, 0], [0, 0, 0], 1)[4]).toBe(2)
  })
})
