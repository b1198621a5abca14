/** Random bodies that single-precision libraries can be trusted with: sizes near 1, no slivers, near the origin. */

import fc, { type Arbitrary } from 'fast-check'
import type { RayDefinition } from '../../schemas/queries/ray-cast.ts'
import type { Body2d, MovingBody2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'

export type PlainType = 'circle' | 'segment' | 'capsule' | 'box' | 'polygon'

const unit = fc.noBias(fc.noShrink(fc.maxSafeNat())).map((n) => n / Number.MAX_SAFE_INTEGER)
const between = (low: number, high: number): Arbitrary<number> => unit.map((u) => low + u * (high - low))
const size = between(0.5, 2)
const angle = between(-Math.PI, Math.PI)

/** Vertices on a circle, evenly spread but for a third of the spacing, so that no corner is sharp or flat. */
const roundPolygon: Arbitrary<Vec2[]> = fc
  .tuple(fc.array(between(-0.3, 0.3), { minLength: 3, maxLength: 8 }), size)
  .map(([jitter, radius]) =>
    jitter.map((shift, i) => {
      const at = (2 * Math.PI * (i + shift)) / jitter.length
      return { x: radius * Math.cos(at), y: radius * Math.sin(at) }
    }),
  )

function shape(type: PlainType): Arbitrary<Shape2d> {
  switch (type) {
    case 'circle':
      return size.map((radius) => ({ type, radius }))
    // Upright and centred, as Rapier's capsule is.
    case 'segment':
      return size.map((half) => ({ type, a: { x: 0, y: -half }, b: { x: 0, y: half } }))
    case 'capsule':
      return fc
        .tuple(size, size)
        .map(([half, radius]) => ({ type, a: { x: 0, y: -half }, b: { x: 0, y: half }, radius }))
    case 'box':
      return fc.tuple(size, size).map(([width, height]) => ({ type, width, height }))
    case 'polygon':
      return roundPolygon.map((vertices) => ({ type, vertices }))
  }
}

export function plainBody(types: readonly PlainType[]): Arbitrary<Body2d> {
  const position = fc.record({ x: between(-2.5, 2.5), y: between(-2.5, 2.5) })
  return fc.record({ shape: fc.oneof(...types.map(shape)), position, rotation: angle })
}

export function plainPair(types: readonly PlainType[]): Arbitrary<{ a: Body2d; b: Body2d }> {
  return fc.record({ a: plainBody(types), b: plainBody(types) })
}

/** From outside the bodies' reach towards somewhere near the middle. */
export const plainRay: Arbitrary<RayDefinition & { maxDistance: number }> = fc
  .record({ from: angle, target: fc.record({ x: between(-3, 3), y: between(-3, 3) }) })
  .map(({ from, target }) => {
    const origin = { x: 12 * Math.cos(from), y: 12 * Math.sin(from) }
    return { origin, direction: { x: target.x - origin.x, y: target.y - origin.y }, maxDistance: 30 }
  })

export interface PlainMotion {
  a: MovingBody2d
  b: MovingBody2d
  duration: number
}

/** B comes from 9 away towards somewhere near A, which may move too; with spins of up to `spin` radians a second. */
export function plainMotion(types: readonly PlainType[], spin = 0): Arbitrary<PlainMotion> {
  const spins = between(-spin, spin)
  return fc
    .record({ a: plainBody(types), b: plainBody(types), from: angle, drift: angle, spinA: spins, spinB: spins })
    .map(({ a, b, from, drift, spinA, spinB }) => {
      const away = { x: 9 * Math.cos(from), y: 9 * Math.sin(from) }
      const common = { x: 2 * Math.cos(drift), y: 2 * Math.sin(drift) }
      const position = { x: away.x + (b.position?.x ?? 0), y: away.y + (b.position?.y ?? 0) }
      const turning = (angularVelocity: number): object => (angularVelocity === 0 ? {} : { angularVelocity })
      return {
        a: { ...a, velocity: common, ...turning(spinA) },
        b: { ...b, position, velocity: { x: common.x - away.x, y: common.y - away.y }, ...turning(spinB) },
        duration: 1.5,
      }
    })
}
