// The support of a body: no point of it lies farther, and the feature named is where the point lies.
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { createSupport, type Support, support } from '../../src/core2d/queries/support.ts'
import { support as heightOf } from '../oracle/measured-bodies.ts'
import { measuredParts, partsDistance } from '../oracle/measured-parts.ts'
import { prepare } from '../support/answers/slots.ts'
import { BOUNDED_TYPES, GRID, mixedBody, PYTHAGOREAN, UNIFORM, vec2 } from '../support/families/arbitraries.ts'
import { mixedComposite } from '../support/families/composite-arbitraries.ts'
import { reach } from '../support/families/extent.ts'
import { positionOf, translated } from '../support/families/transform.ts'
import { unshrunk } from '../support/runs.ts'

function supportOf(body: Body2d, { x, y }: Vec2): Support {
  const out = createSupport()
  support(prepare(body), x, y, out)
  return out
}

const bodies: Arbitrary<Body2d> = fc
  .tuple(fc.oneof(mixedBody(), mixedComposite()), fc.constantFrom(0, 0, 1e6, -(2 ** 40)))
  .map(([body, offset]) => (offset === 0 ? body : translated(body, offset, -offset)))
const directions = fc
  .tuple(fc.oneof(fc.constantFrom(...PYTHAGOREAN), vec2(GRID), vec2(UNIFORM)), fc.constantFrom(1, 2 ** -300, 2 ** 300))
  .filter(([{ x, y }]) => x !== 0 || y !== 0)
  .map(([{ x, y }, k]) => ({ x: k * x, y: k * y }))

describe('the support of a body', () => {
  it('is the exactly highest corner, at any scale', () => {
    const corners = fc.array(vec2(GRID), { minLength: 2, maxLength: 8 })
    const scales = fc.constantFrom(1, 2 ** -1000, 2 ** -1065, 2 ** 300)
    fc.assert(
      fc.property(corners, vec2(GRID), scales, (given, d, k) => {
        if (d.x === 0 && d.y === 0) return
        const vertices = given.map(({ x, y }) => ({ x: 8 * x * k, y: 8 * y * k }))
        const { x, y } = supportOf({ shape: { type: 'chain', vertices } }, d)
        // Small integers: exact.
        const heights = given.map((p) => 64 * (p.x * d.x + p.y * d.y))
        expect(8 * ((x / k) * d.x + (y / k) * d.y)).toBe(Math.max(...heights))
      }),
      unshrunk(2000),
    )
  })

  it('is as high as that of its highest leaf, and a point of the body', () => {
    fc.assert(
      fc.property(bodies, directions, (body, direction) => {
        const { bounded, x, y } = supportOf(body, direction)
        const greater = Math.max(Math.abs(direction.x), Math.abs(direction.y))
        const length = greater * Math.hypot(direction.x / greater, direction.y / greater)
        const u = { x: direction.x / length, y: direction.y / length }
        const parts = measuredParts(body)
        const highest = Math.max(...parts.leaves.map((leaf) => heightOf(leaf, u.x, u.y)))
        expect(bounded || highest === Number.POSITIVE_INFINITY).toBe(true)
        if (!bounded) return
        const { x: px, y: py } = positionOf(body)
        const tolerance = 1e-12 * (1 + reach(body) + Math.abs(px) + Math.abs(py))
        // Rounding of a half-plane's unit normal can make the oracle's height infinite where the core has one.
        if (highest < Number.POSITIVE_INFINITY)
          expect(Math.abs(x * u.x + y * u.y - highest)).toBeLessThanOrEqual(tolerance)
        expect(partsDistance(parts, { x, y })).toBeLessThanOrEqual(tolerance)
      }),
      unshrunk(4000),
    )
  })

  it('is on the other side for the opposite direction, and bounded alike', () => {
    const bounded = mixedBody(BOUNDED_TYPES)
    fc.assert(
      fc.property(bounded, directions, (body, direction) => {
        const front = supportOf(body, direction)
        const back = supportOf(body, { x: -direction.x, y: -direction.y })
        expect(front.bounded && back.bounded).toBe(true)
        const along = (front.x - back.x) * direction.x + (front.y - back.y) * direction.y
        expect(along).toBeGreaterThanOrEqual(0)
      }),
      unshrunk(1000),
    )
  })
})
