// Laws of what contains what in space: a body lies in another where it reaches no farther along any direction.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contains } from '../../src/core3d/queries/containment.ts'
import { createOverlap, overlap } from '../../src/core3d/queries/overlap.ts'
import { ANCHOR, type Body, POSITION, RADIUS } from '../../src/core3d/shape/body.ts'
import { kindOf } from '../../src/core3d/shape/kinds.ts'
import { bodyOf, type CaseBody } from '../support/convex-cases-3d.ts'
import { convexBodies, triples } from '../support/families/convex-bodies.ts'
import { runs } from '../support/runs.ts'

const DIRECTIONS = Array.from({ length: 200 }, (_, i) => {
  const z = 1 - (2 * i + 1) / 200
  const angle = i * Math.PI * (3 - Math.sqrt(5))
  const flat = Math.sqrt(1 - z * z)
  return [flat * Math.cos(angle), flat * Math.sin(angle), z]
})

const point = new Float64Array(3)

function heightOf(body: Body, [x, y, z]: readonly number[]): number {
  const { numbers } = body
  point.fill(0)
  kindOf(body).support(body, x, y, z, point)
  const along = (k: number): number => numbers[POSITION + k] + numbers[ANCHOR + k] + point[k]
  return x * along(0) + y * along(1) + z * along(2) + numbers[RADIUS]
}

/** By how much the guest reaches farther than the holder, along the direction in which it does most as far as a search finds. */
function farthest(holder: Body, guest: Body): number {
  const beyond = (n: readonly number[]): number => heightOf(guest, n) - heightOf(holder, n)
  const starts = DIRECTIONS.map((direction) => ({ direction, height: beyond(direction) }))
  starts.sort((a, b) => b.height - a.height)
  return Math.max(
    ...starts.slice(0, 6).map(({ direction, height }) => {
      let best = { direction, height }
      for (let step = 0.2; step > 1e-5; step *= 0.7) {
        for (const way of DIRECTIONS.slice(0, 200).filter((_, i) => i % 17 === 0)) {
          const moved = best.direction.map((x, k) => x + step * way[k])
          const length = Math.hypot(...moved)
          const next = moved.map((x) => x / length)
          const reached = beyond(next)
          if (reached > best.height) best = { direction: next, height: reached }
        }
      }
      return best.height
    }),
  )
}

const turns = fc.constantFrom<CaseBody['orientation'][]>(
  undefined,
  [0, 0, 0, 1],
  [0.5, 0.5, 0.5, 0.5],
  [0.1, 0.2, 0.3, 0.927],
  [0.6, 0, 0, 0.8],
)

/** Bodies about one place, the second often much smaller. */
const pairs = fc
  .record({ a: convexBodies, b: convexBodies, turnA: turns, turnB: turns, near: triples, small: fc.boolean() })
  .map(({ a, b, turnA, turnB, near, small }): [CaseBody, CaseBody] => [
    { shape: a.shape, position: [0, 0, 0], orientation: turnA },
    {
      shape: small ? shrunk(b.shape) : b.shape,
      position: [near[0] / 4, near[1] / 4, near[2] / 4],
      orientation: turnB,
    },
  ])

function shrunk(shape: CaseBody['shape']): CaseBody['shape'] {
  const times = (value: unknown): unknown =>
    typeof value === 'number' ? value / 4 : Array.isArray(value) ? value.map(times) : value
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [key, times(value)]),
  ) as unknown as CaseBody['shape']
}

describe('what contains what in space', () => {
  it('is told by how far bodies reach', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const [holder, guest] = [bodyOf(a), bodyOf(b)]
        const beyond = farthest(holder, guest)
        if (contains(holder, guest)) expect(beyond).toBeLessThan(1e-9)
        else expect(beyond).toBeGreaterThan(-0.05)
      }),
      runs(700),
    )
  })

  it('goes with overlap, and with itself', () => {
    const out = createOverlap()
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const [holder, guest] = [bodyOf(a), bodyOf(b)]
        expect(contains(holder, bodyOf(a))).toBe(true)
        if (!contains(holder, guest)) return
        overlap(holder, guest, out)
        expect(out.relation).toBeLessThanOrEqual(0)
      }),
      runs(500),
    )
  })

  it('passes from body to body', () => {
    fc.assert(
      fc.property(pairs, convexBodies, ([a, b], { shape }) => {
        const [large, middle] = [bodyOf(a), bodyOf(b)]
        const small = bodyOf({ ...b, shape: shrunk(shrunk(shape)) })
        if (contains(large, middle) && contains(middle, small)) expect(contains(large, small)).toBe(true)
      }),
      runs(1500),
    )
  })
})
