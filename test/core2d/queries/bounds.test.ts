import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d, MovingBody2d, Shape2d } from '../../../schemas/shapes2d.ts'
import { type Bounds, bounds, createBounds } from '../../../src/core2d/queries/bounds.ts'
import { advanced, motionOf } from '../../support/answers/impact-answers.ts'
import { prepare } from '../../support/answers/slots.ts'
import { anyBody, BOUNDED_TYPES } from '../../support/families/arbitraries.ts'
import { hasAabb, rotatedComposite } from '../../support/families/composite-arbitraries.ts'
import { reach } from '../../support/families/extent.ts'
import { runs } from '../../support/runs.ts'

const TIGHT_RATIO = 1e-12
const SAMPLES = 100
const AT_REST = { vx: 0, vy: 0, spin: 0 }

function boundsOf(body: MovingBody2d, duration = 0): Bounds {
  const out = createBounds()
  bounds(prepare(body), motionOf(body), duration, out)
  return out
}

/** How far the body as it stands reaches to the right, up, left and down. */
function sidesOf(body: Body2d): number[] {
  const out = createBounds()
  bounds(prepare(body), AT_REST, 0, out)
  return [out.maxX, out.maxY, -out.minX, -out.minY]
}

/** The same over the motion: every peak among samples, closed in on by golden section. */
function sampledSides(body: MovingBody2d, duration: number): number[] {
  const samples = Array.from({ length: SAMPLES + 1 }, (_, i) => sidesOf(advanced(body, (duration * i) / SAMPLES)))
  return [0, 1, 2, 3].map((side) => {
    const heights = samples.map((sides) => sides[side])
    const best = Math.max(...heights)
    // A peak between samples is higher than they are, but not by more than a share of the whole rise.
    const least = best - 0.05 * (best - Math.min(...heights))
    const peaks = heights.map((height, i) => {
      if (height < least || height <= (heights[i - 1] ?? -Infinity) || height < (heights[i + 1] ?? -Infinity))
        return height
      let low = (duration * Math.max(0, i - 1)) / SAMPLES
      let high = (duration * Math.min(SAMPLES, i + 1)) / SAMPLES
      for (let round = 0; round < 50; round++) {
        const p = low + 0.381966 * (high - low)
        const q = low + 0.618034 * (high - low)
        if (sidesOf(advanced(body, p))[side] > sidesOf(advanced(body, q))[side]) high = q
        else low = p
      }
      return Math.max(height, sidesOf(advanced(body, (low + high) / 2))[side])
    })
    return Math.max(...peaks)
  })
}

const real = (size: number) => fc.double({ min: -size, max: size, noNaN: true })
const slender: Arbitrary<Body2d> = fc
  .record({ rx: fc.integer({ min: -12, max: 0 }), ry: fc.integer({ min: -12, max: 0 }), rotation: real(3) })
  .map(({ rx, ry, rotation }) => ({ shape: { type: 'ellipse', rx: 2 ** rx, ry: 2 ** ry }, rotation }))
const moving: Arbitrary<MovingBody2d> = fc
  .record({
    body: fc.oneof(anyBody(BOUNDED_TYPES), rotatedComposite(undefined, BOUNDED_TYPES), slender),
    x: real(3),
    y: real(3),
    still: fc.nat(3),
    spin: real(5),
  })
  .map(({ body, x, y, still, spin }) => ({
    ...body,
    velocity: still === 0 ? { x: 0, y } : { x, y },
    angularVelocity: hasAabb(body.shape) ? 0 : spin,
  }))

const tolerance = (body: MovingBody2d, duration: number) => {
  const { x, y } = body.velocity ?? { x: 0, y: 0 }
  const { x: px, y: py } = body.position ?? { x: 0, y: 0 }
  return TIGHT_RATIO * (reach(body) + Math.hypot(x, y) * duration + Math.hypot(px, py))
}

describe('bounds over a motion', () => {
  it('are what the body reaches, no less and no more', () => {
    fc.assert(
      fc.property(moving, fc.double({ min: 0, max: 3, noNaN: true }), (body, duration) => {
        const { minX, minY, maxX, maxY } = boundsOf(body, duration)
        const found = [maxX, maxY, -minX, -minY]
        const sampled = sampledSides(body, duration)
        for (let side = 0; side < 4; side++) {
          expect(found[side]).toBeGreaterThanOrEqual(sampled[side] - tolerance(body, duration))
          expect(found[side]).toBeLessThanOrEqual(sampled[side] + 10 * tolerance(body, duration))
        }
      }),
      runs(100),
    )
  })

  it('take little time for any number of turns', () => {
    fc.assert(
      fc.property(moving, fc.integer({ min: 1, max: 12 }), (body, e) => {
        const { shape, position, rotation = 0 } = body
        const still: MovingBody2d = {
          shape,
          angularVelocity: 1,
          rotation,
          ...(position === undefined ? {} : { position }),
        }
        fc.pre(!hasAabb(shape))
        const once = boundsOf(still, 2 * Math.PI)
        const often = boundsOf(still, 10 ** e * 2 * Math.PI)
        const bound = tolerance(still, 0)
        expect(Math.abs(often.maxX - once.maxX)).toBeLessThanOrEqual(bound)
        expect(Math.abs(often.minY - once.minY)).toBeLessThanOrEqual(bound)
      }),
      runs(100),
    )
  })

  it('are finite whatever the magnitudes', () => {
    const wild = fc.tuple(real(10), fc.integer({ min: -99, max: 99 })).map(([x, e]) => x * 10 ** e)
    fc.assert(
      fc.property(wild, wild, wild, wild, wild, (x, y, spin, time, size) => {
        for (const shape of [
          { type: 'box', width: Math.abs(size), height: 1 },
          { type: 'ellipse', rx: Math.abs(size) || 1, ry: 1 },
        ] as const) {
          const body = { shape, velocity: { x, y }, angularVelocity: spin }
          const { minX, minY, maxX, maxY } = boundsOf(body, Math.abs(time))
          expect([minX, minY, maxX, maxY].every(Number.isFinite)).toBe(true)
          expect(minX).toBeLessThanOrEqual(maxX)
          expect(minY).toBeLessThanOrEqual(maxY)
        }
      }),
      runs(150),
    )
  })
})

const halfplane = (x: number, y: number): Shape2d => ({ type: 'halfplane', normal: { x, y }, offset: 2 })

describe('bounds worked out by hand', () => {
  // t + cos 2πt where it first is least: sin 2πt = 1/2π, cos < 0.
  const slope = 1 / (2 * Math.PI)
  const TAIL = 0.5 - Math.asin(slope) / (2 * Math.PI) - Math.sqrt(1 - slope ** 2)
  const quarter = Math.PI / 2
  it.each<[string, MovingBody2d, number, [number, number, number, number]]>([
    ['box', { shape: { type: 'box', width: 2, height: 4 }, position: { x: 1, y: 1 } }, 0, [0, -1, 2, 3]],
    ['rounded', { shape: { type: 'box', width: 2, height: 4, radius: 1 } }, 0, [-2, -3, 2, 3]],
    ['ellipse', { shape: { type: 'ellipse', rx: 3, ry: 1 }, rotation: quarter }, 0, [-1, -3, 1, 3]],
    ['moving', { shape: { type: 'circle', radius: 1 }, velocity: { x: 2, y: -1 } }, 3, [-1, -4, 7, 1]],
    [
      'a quarter turn of a bar',
      { shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x: 2, y: 0 } }, angularVelocity: 1 },
      quarter,
      [0, 0, 2, 2],
    ],
    [
      'a quarter turn past the top',
      { shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x: 2, y: 0 } }, rotation: Math.PI / 4, angularVelocity: 1 },
      quarter,
      [-Math.SQRT2, 0, Math.SQRT2, 2],
    ],
    [
      'turns and travels: the last turn counts',
      {
        shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x: 1, y: 0 } },
        velocity: { x: 1, y: 0 },
        angularVelocity: 2 * Math.PI,
      },
      10,
      [TAIL, -1, 11, 1],
    ],
    ['half-plane below', { shape: halfplane(0, 3), position: { x: 0, y: 1 } }, 0, [-Infinity, -Infinity, Infinity, 3]],
    ['half-plane rising', { shape: halfplane(0, 3), velocity: { x: 1, y: 1 } }, 5, [-Infinity, -Infinity, Infinity, 7]],
    ['half-plane aslant', { shape: halfplane(1, 3) }, 0, [-Infinity, -Infinity, Infinity, Infinity]],
    [
      'half-plane turning',
      { shape: halfplane(0, 3), angularVelocity: 1 },
      1,
      [-Infinity, -Infinity, Infinity, Infinity],
    ],
    [
      'half-plane that would turn',
      { shape: halfplane(-1, 0), angularVelocity: 1 },
      0,
      [-2, -Infinity, Infinity, Infinity],
    ],
  ])('%s', (_name, body, duration, expected) => {
    const { minX, minY, maxX, maxY } = boundsOf(body, duration)
    const found = [minX, minY, maxX, maxY]
    for (let side = 0; side < 4; side++) {
      if (Number.isFinite(expected[side])) expect(found[side]).toBeCloseTo(expected[side], 12)
      else expect(found[side]).toBe(expected[side])
    }
  })
})
