// The box of a body, or of its whole motion: holds every sample of it, and each side is reached by one.
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d, MovingBody2d } from '../../schemas/shapes2d.ts'
import { type Bounds, bounds, createBounds } from '../../src/core2d/queries/bounds.ts'
import { support } from '../oracle/measured-bodies.ts'
import { measuredParts } from '../oracle/measured-parts.ts'
import { advanced, boosted, motionOf, translatedMotion } from '../support/answers/impact-answers.ts'
import { prepare } from '../support/answers/slots.ts'
import {
  anyBody,
  BOUNDED_TYPES,
  GRID,
  mixedBody,
  UNIFORM,
  unrotatedBody,
  vec2,
} from '../support/families/arbitraries.ts'
import { hasAabb, mixedComposite, rotatedComposite } from '../support/families/composite-arbitraries.ts'
import { reach } from '../support/families/extent.ts'
import { positionOf } from '../support/families/transform.ts'
import { unshrunk } from '../support/runs.ts'

function boundsOf(body: MovingBody2d, duration: number): Bounds {
  const out = createBounds()
  bounds(prepare(body), motionOf(body), duration, out)
  return { ...out }
}

/** Of the body as it stands, by supports along the axes. */
function standing(body: Body2d): Bounds {
  const { leaves } = measuredParts(body)
  const most = (x: number, y: number): number => Math.max(...leaves.map((leaf) => support(leaf, x, y)))
  return { minX: -most(-1, 0), minY: -most(0, -1), maxX: most(1, 0), maxY: most(0, 1) }
}

const SAMPLES = 2000

/** The union over the samples, and how far the body may get from one sample to the next beyond it. */
function sampled(body: MovingBody2d, duration: number): { box: Bounds; slack: number } {
  const { angularVelocity: spin = 0 } = body
  const count = spin === 0 || duration === 0 ? 1 : SAMPLES
  const box: Bounds = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity }
  for (let i = 0; i <= count; i++) {
    const { minX, minY, maxX, maxY } = standing(advanced(body, (duration * i) / count))
    box.minX = Math.min(box.minX, minX)
    box.minY = Math.min(box.minY, minY)
    box.maxX = Math.max(box.maxX, maxX)
    box.maxY = Math.max(box.maxY, maxY)
  }
  // An arc rises above its chord by the versed sine of half the step; a straight way has none.
  const step = (Math.abs(spin) * duration) / count
  const { x, y } = body.velocity ?? { x: 0, y: 0 }
  const turning = spin === 0 ? 0 : Math.hypot(x, y) / Math.abs(spin)
  return { box, slack: (reach(body) + turning) * step * step }
}

function check(body: MovingBody2d, duration: number): void {
  const { minX, minY, maxX, maxY } = boundsOf(body, duration)
  const { box, slack } = sampled(body, duration)
  const { x, y } = positionOf(body)
  const { velocity: v = { x: 0, y: 0 } } = body
  const size = reach(body) + Math.abs(x) + Math.abs(y) + Math.hypot(v.x, v.y) * duration
  const tolerance = 1e-9 * size
  const pairs = [
    [-minX, -box.minX],
    [-minY, -box.minY],
    [maxX, box.maxX],
    [maxY, box.maxY],
  ]
  for (const [given, reached] of pairs) {
    if (reached === Number.POSITIVE_INFINITY) expect(given).toBe(Number.POSITIVE_INFINITY)
    else {
      expect(given).toBeGreaterThanOrEqual(reached - tolerance)
      expect(given).toBeLessThanOrEqual(reached + slack + tolerance)
    }
  }
}

const motion = fc.record({
  velocity: fc.constantFrom(GRID, UNIFORM).chain((source) => vec2(source)),
  spin: fc.oneof(fc.constantFrom(1, -3, 0.01), UNIFORM.coordinate),
  duration: fc.constantFrom(0, 0.3, 1, 4),
})

describe('a body at rest', () => {
  const bodies: Arbitrary<Body2d> = fc.oneof(mixedBody(), mixedComposite())

  it('has the box of its supports', () => {
    fc.assert(
      fc.property(bodies, (body) => check(body, 0)),
      unshrunk(2000),
    )
  })
})

describe('a body that moves', () => {
  it('straight', () => {
    fc.assert(
      fc.property(fc.oneof(mixedBody(), mixedComposite()), motion, (body, { velocity, duration }) => {
        check({ ...body, velocity }, duration)
      }),
      unshrunk(1500),
    )
  })

  it('turning', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyBody(BOUNDED_TYPES), rotatedComposite()),
        motion,
        (body, { velocity, spin, duration }) => {
          check(hasAabb(body.shape) ? { ...body, velocity } : { ...body, velocity, angularVelocity: spin }, duration)
        },
      ),
      unshrunk(200),
    )
  })

  it('is not the bounding circle', () => {
    const bar: MovingBody2d = {
      shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x: 2, y: 0 } },
      angularVelocity: Math.PI / 2,
    }
    const { minX, minY, maxX, maxY } = boundsOf(bar, 1)
    expect([minX, minY, maxX, maxY].map((side) => Math.round(side * 1e12) / 1e12 + 0)).toEqual([0, 0, 2, 2])
    expect(boundsOf({ ...bar, angularVelocity: 1e9 }, 1e9)).toEqual({ minX: -2, minY: -2, maxX: 2, maxY: 2 })
  })

  it('moves with the frame', () => {
    fc.assert(
      fc.property(unrotatedBody(UNIFORM, BOUNDED_TYPES), motion, (body, { velocity, duration }) => {
        const before = boundsOf({ ...body, velocity }, duration)
        const after = boundsOf(translatedMotion(boosted({ ...body, velocity }, { x: 0, y: 0 }), 1024, -512), duration)
        const tolerance = 1e-9 * (1024 + reach(body))
        expect(Math.abs(after.minX - before.minX - 1024)).toBeLessThanOrEqual(tolerance)
        expect(Math.abs(after.maxY - before.maxY + 512)).toBeLessThanOrEqual(tolerance)
      }),
      unshrunk(500),
    )
  })
})
