/**
 * Families of moving pairs whose impact is hard to decide: B is aimed so that the two touch exactly at some instant, or
 * graze each other along an edge; then the duration ends there, numbers are pushed by an ulp, all is moved far away or
 * scaled, or the pair is made very fast.
 */
import fc, { type Arbitrary } from 'fast-check'
import type { Body2d, MovingBody2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { measuredParts } from '../../oracle/measured-parts.ts'
import { type MovingPair, scaledMotion, translatedMotion } from '../answers/impact-answers.ts'
import { GRID, type Source, UNIFORM, vec2 } from './arbitraries.ts'
import { nextAfter } from './next-after.ts'
import { type Bodies, hasDenormal, nudged, type Pair, pairFamiliesOf } from './pair-families.ts'
import { translated } from './transform.ts'

const instants = fc.constantFrom(0, 0.5, 1, 1, 2)

const moment = fc.record({
  at: instants,
  extra: fc.constantFrom(0, 0, 1, 4),
  ulps: fc.constantFrom(-1, 0, 0, 0, 1),
})

function free(source: Source, bodies: Bodies): Arbitrary<MovingPair> {
  const moving = fc
    .record({ body: bodies(source), velocity: vec2(source), still: fc.nat(3) })
    .map(({ body, velocity, still }): MovingBody2d => (still === 0 ? body : { ...body, velocity }))
  return fc.record({ a: moving, b: moving, duration: fc.constantFrom(0, 0.5, 1, 2, 8) })
}

/** A pair that touches, put back in time: B comes from where it was, straight on or sliding along an edge. */
function touchingAt(pairs: Arbitrary<Pair>, source: Source): Arbitrary<MovingPair> {
  const way = fc.record({ common: vec2(source), free: vec2(source), slide: fc.nat(2), edge: fc.nat(31) })
  return fc.tuple(pairs, way, moment).map(([pair, { common, free, slide, edge }, { at, extra, ulps }]) => {
    const relative = slide === 0 ? edgeOf(edge % 2 === 0 ? pair.a : pair.b, edge >> 1) : free
    const duration = Math.max(0, nextAfter(at + extra, ulps))
    return aimedAt(pair, common, relative, at, duration)
  })
}

export function aimedAt({ a, b }: Pair, common: Vec2, relative: Vec2, at: number, duration: number): MovingPair {
  return {
    a: { ...translated(a, -common.x * at, -common.y * at), velocity: common },
    b: {
      ...translated(b, -(common.x + relative.x) * at, -(common.y + relative.y) * at),
      velocity: { x: common.x + relative.x, y: common.y + relative.y },
    },
    duration,
  }
}

/** Along some edge of the body, or a unit direction. */
function edgeOf(body: Body2d, index: number): Vec2 {
  const { leaves } = measuredParts({ ...body, position: { x: 0, y: 0 } })
  const leaf = leaves[index % leaves.length]
  if (leaf.kind !== 'hull' || leaf.ring.length < 2) return index % 2 === 0 ? { x: 1, y: 0 } : { x: 0, y: 1 }
  const p = leaf.ring[index % leaf.ring.length]
  const q = leaf.ring[(index + 1) % leaf.ring.length]
  return { x: q.x - p.x, y: q.y - p.y }
}

function withNudge(pairs: Arbitrary<MovingPair>): Arbitrary<MovingPair> {
  return fc.tuple(pairs, fc.boolean(), fc.nat(24), fc.constantFrom(-1, 1)).map(([pair, onB, which, ulps]) => {
    const name = onB ? 'b' : 'a'
    const pushed = nudged(pair[name], which, ulps)
    // A zero would become the least number, and its products with a time would vanish.
    return hasDenormal(pushed) ? pair : { ...pair, [name]: pushed }
  })
}

function moved({ a, b, duration }: MovingPair, dx: number, dy: number): MovingPair {
  return { a: translatedMotion(a, dx, dy), b: translatedMotion(b, dx, dy), duration }
}

export function scaledMovingPair({ a, b, duration }: MovingPair, k: number): MovingPair {
  return { a: scaledMotion(a, k), b: scaledMotion(b, k), duration }
}

function faster({ a, b, duration }: MovingPair, k: number): MovingPair {
  const speed = ({ velocity, ...body }: MovingBody2d): MovingBody2d =>
    velocity === undefined ? body : { ...body, velocity: { x: velocity.x * k, y: velocity.y * k } }
  return { a: speed(a), b: speed(b), duration: duration / k }
}

/** Unrotated pairs without spin. */
export function motionFamilies(bodies: Bodies): Record<string, Arbitrary<MovingPair>> {
  const families = pairFamiliesOf(bodies)
  const touching = touchingAt(families['touching on the grid'], GRID)
  const nearly = touchingAt(families['random doubles, touching but for rounding'], UNIFORM)
  const offset = fc.constantFrom(2 ** 20, -(2 ** 40))
  return {
    grid: free(GRID, bodies),
    'touching on the grid at some instant': touching,
    'touching at some instant, one number an ulp off': withNudge(touching),
    'random doubles': free(UNIFORM, bodies),
    'random doubles, touching at some instant but for rounding': nearly,
    'touching at an exact offset of 2^20, 2^40': withNudge(
      fc.tuple(touching, offset, offset).map(([pair, dx, dy]) => moved(pair, dx, dy)),
    ),
    'a million times faster': fc.oneof(touching, nearly).map((pair) => faster(pair, 2 ** 20)),
    'touching at a scale of 2^-40': withNudge(touching.map((pair) => scaledMovingPair(pair, 2 ** -40))),
    'touching at a scale of 2^300 (1e90)': withNudge(touching.map((pair) => scaledMovingPair(pair, 2 ** 300))),
    'touching at a scale of 2^-300 (1e-90)': withNudge(touching.map((pair) => scaledMovingPair(pair, 2 ** -300))),
  }
}
