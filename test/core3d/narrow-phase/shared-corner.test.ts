// Triangles that share corners: told by four determinants as exact arithmetic tells it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countSteps } from '../../../src/containers/budget.ts'
import { createTimeOfImpact, timeOfImpact } from '../../../src/core3d/motion/time-of-impact.ts'
import { orderPair } from '../../../src/core3d/narrow-phase/pair-frame.ts'
import { relate } from '../../../src/core3d/narrow-phase/separate.ts'
import { partAtCorner, relateAtCorner, shareCorner } from '../../../src/core3d/narrow-phase/shared-corner.ts'
import { bodiesMeet, relate as relateBodies } from '../../../src/core3d/queries/overlap.ts'
import { anyBodyOf } from '../../support/composite-bodies-3d.ts'
import { bodyOf, type Triple } from '../../support/convex-cases-3d.ts'
import { runCount, runs } from '../../support/runs.ts'

const whole = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -3, max: 3 }))) as fc.Arbitrary<Triple>
const odd = fc.tuple(
  ...[0, 1, 2].map(() => fc.integer({ min: -(2 ** 30), max: 2 ** 30 }).map((n) => n / 123_456_789)),
) as fc.Arbitrary<Triple>
const triangle = (corners: readonly Triple[], position: Triple) =>
  bodyOf({ shape: { type: 'triangle', a: corners[0], b: corners[1], c: corners[2] }, position })

describe('triangles that share a corner', () => {
  it.each([
    ['of whole numbers', whole],
    ['of any numbers', odd],
  ])('touch or overlap as exact arithmetic says: %s', (_name, place) => {
    const seen = new Map<number | null, number>()
    const six = fc.array(place, { minLength: 5, maxLength: 5 })
    const turn = fc.nat({ max: 2 })
    fc.assert(
      fc.property(six, turn, turn, fc.boolean(), ([p, q, r, s, t], first, second, sharesEdge) => {
        const own = [p, q, r]
        const other = [p, s, sharesEdge ? r : t]
        const a = triangle([...own.slice(first), ...own.slice(0, first)], [1, 2, 3])
        const b = triangle([...other.slice(second), ...other.slice(0, second)], [1, 2, 3])
        // what is a segment has two core points
        if (a.count < 3 || b.count < 3) return
        const found = relateAtCorner(a, b)
        seen.set(found, (seen.get(found) ?? 0) + 1)
        expect(shareCorner(a, b)).toBe(true)
        expect([relate(orderPair(a, b)), null]).toContain(found)
        expect(relateAtCorner(b, a)).toBe(found)
      }),
      runs(3000),
    )
    expect(seen.get(0)).toBeGreaterThan(runCount(1000))
    expect(seen.get(-1)).toBeGreaterThan(runCount(10))
  })

  it('part at once along ways that lead off a plane between them, as a sweep says', () => {
    let parted = 0
    let held = 0
    const still = { vx: 0, vy: 0, vz: 0, wx: 0, wy: 0, wz: 0 }
    const impact = createTimeOfImpact()
    fc.assert(
      fc.property(fc.array(odd, { minLength: 6, maxLength: 6 }), ([p, q, r, s, t, way]) => {
        const a = triangle([p, q, r], [1, 2, 3])
        const b = triangle([p, s, t], [1, 2, 3])
        const [vx, vy, vz] = way
        timeOfImpact(a, still, b, { ...still, vx, vy, vz }, 1, false, 'exit', impact)
        const isParted = partAtCorner(a, b, way)
        if (isParted) {
          parted++
          expect([impact.hasExit, impact.exitTime < 1e-12]).toEqual([true, true])
        } else if (relateAtCorner(a, b) === 0) held++
      }),
      runs(2000),
    )
    expect(parted).toBeGreaterThan(runCount(300))
    expect(held).toBeGreaterThan(runCount(300))
  })

  it('are those whose corners are at the same place, not those beside it', () => {
    const a = triangle(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
      [0.1, 0, 0],
    )
    const b = triangle(
      [
        [0, 0, 0],
        [0, 0, 1],
        [0, -1, 0],
      ],
      [0.1, 0, 0],
    )
    const shifted = triangle(
      [
        [0.1, 0, 0],
        [0, 0, 1],
        [0, -1, 0],
      ],
      [0, 0, 0],
    )
    const beside = triangle(
      [
        [0, 0, 0],
        [0, 0, 1],
        [0, -1, 0],
      ],
      [0.1 + 2 ** -56, 0, 0],
    )
    expect([b, shifted, beside].map((other) => shareCorner(a, other))).toEqual([true, true, false])
    expect(relateAtCorner(a, beside)).toBe(null)
    expect(relateAtCorner(a, bodyOf({ shape: { type: 'point' }, position: [0.1, 0, 0] }))).toBe(null)
  })
})

/** Triangles about the origin, rising or falling outward. */
function fan(count: number, rise: number) {
  const rim = Array.from({ length: count }, (_, i): Triple => {
    const angle = (2 * Math.PI * i) / count
    return [10 * Math.cos(angle), rise, 10 * Math.sin(angle)]
  })
  const triangles = rim.map((_, i): Triple => [0, 1 + ((i + 1) % count), 1 + i])
  return anyBodyOf({ shape: { type: 'mesh', vertices: [[0, 0, 0], ...rim], triangles }, position: [0, 0, 0] })
}

describe('fans of many triangles that touch with their tips', () => {
  it('touch, and take few steps for each pair of triangles to say so', () => {
    for (const count of [64, 128]) {
      const [a, b] = [fan(count, -2), fan(count, 2)]
      const related = countSteps(() => relateBodies(a, b))
      expect(related.result).toBe(0)
      expect(related.steps).toBeLessThan(32 * count * count)
      expect(countSteps(() => bodiesMeet(a, b)).steps).toBeLessThan(64 * count)
      const impact = createTimeOfImpact()
      const up = { vx: 0, vy: 1, vz: 0, wx: 0, wy: 0, wz: 0 }
      for (const letsGo of [true, false]) {
        const swept = countSteps(() => timeOfImpact(a, { ...up, vy: 0 }, b, up, 20, letsGo, 'exit', impact))
        expect([impact.hit, impact.hasExit, impact.exitTime]).toEqual(letsGo ? [false, false, 0] : [true, true, 0])
        expect(swept.steps).toBeLessThan((letsGo ? 64 : 300) * count * count)
      }
    }
  })

  it('overlap where one leads through the other', () => {
    expect(relateBodies(fan(7, -2), fan(5, -2))).toBe(-1)
  })
})
