/** Convex bodies in space, as short numbers that touch and miss each other often. */
import fc from 'fast-check'
import type { CaseBody, CaseShape, Triple } from '../convex-cases-3d.ts'

const short = fc.integer({ min: -4, max: 4 })
const length = fc.integer({ min: 0, max: 4 })
const some = fc.integer({ min: 1, max: 4 })
export const triples = fc.tuple(short, short, short)
const lengths = fc.tuple(length, length, length)
const axis = fc.constantFrom('x' as const, 'y' as const, 'z' as const)

const CORED: Record<string, fc.Arbitrary<CaseShape>> = {
  point: fc.constant({ type: 'point' }),
  sphere: fc.record({ type: fc.constant('sphere'), radius: length }),
  segment: fc.record({ type: fc.constant('segment'), a: triples, b: triples }),
  capsule: fc.record({ type: fc.constant('capsule'), a: triples, b: triples, radius: length }),
  triangle: fc.record({ type: fc.constant('triangle'), a: triples, b: triples, c: triples }),
  box: fc.record({ type: fc.constant('box'), size: lengths, radius: fc.constantFrom(0, 0, 1) }),
  hull: fc.record({
    type: fc.constant('hull'),
    points: fc.array(triples, { minLength: 1, maxLength: 6 }),
    radius: fc.constantFrom(0, 0, 1),
  }),
}

const CURVED: Record<string, fc.Arbitrary<CaseShape>> = {
  cylinder: fc.record({ type: fc.constant('cylinder'), radius: length, height: length, axis }),
  cone: fc.record({ type: fc.constant('cone'), radius: length, height: length, axis }),
  ellipsoid: fc.record({ type: fc.constant('ellipsoid'), radii: fc.tuple(some, some, some) }),
}

const REST: Record<string, fc.Arbitrary<CaseShape>> = {
  aabb: fc.tuple(triples, triples).map(
    ([p, q]): CaseShape => ({
      type: 'aabb',
      min: p.map((x, k) => Math.min(x, q[k])) as unknown as Triple,
      max: p.map((x, k) => Math.max(x, q[k])) as unknown as Triple,
    }),
  ),
  halfspace: fc.record({
    type: fc.constant('halfspace'),
    normal: triples.filter((n) => n.some((x) => x !== 0)),
    offset: short,
  }),
}

function bodies(shapes: Record<string, fc.Arbitrary<CaseShape>>): fc.Arbitrary<CaseBody> {
  return fc.record({ shape: fc.oneof(...Object.values(shapes)), position: triples })
}

export const coredBodies = bodies(CORED)
export const convexBodies = bodies({ ...CORED, ...CURVED })
/** Of every kind, half-spaces among them. */
export const everyBody = bodies({ ...CORED, ...CURVED, ...REST })

/** Quaternions of unit length. */
export const turn = fc
  .tuple(...[1, 2, 3, 4].map(() => fc.integer({ min: -9, max: 9 })))
  .filter((q) => q.some((c) => c !== 0))
  .map((q): [number, number, number, number] => {
    const length = Math.hypot(...q)
    return [q[0]! / length, q[1]! / length, q[2]! / length, q[3]! / length]
  })

/** The body with its axes taken round: what was x is y. */
export function turnAxes({ shape, position }: CaseBody): CaseBody {
  const turn = ([x, y, z]: Triple): Triple => [z, x, y]
  const next = { x: 'y', y: 'z', z: 'x' } as const
  const turned: CaseShape = { ...shape }
  for (const key of ['a', 'b', 'c', 'size', 'radii', 'normal'] as const) {
    const value = shape[key]
    if (value !== undefined) turned[key] = turn(value)
  }
  if (shape.points !== undefined) turned.points = shape.points.map(turn)
  if (shape.type === 'cylinder' || shape.type === 'cone') turned.axis = next[shape.axis ?? 'y']
  return { shape: turned, position: turn(position) }
}
