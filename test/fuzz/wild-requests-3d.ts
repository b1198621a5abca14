/** Requests to the queries of space that are right in form, with wild numbers and sizes. */
import fc, { type Arbitrary } from 'fast-check'
import type { Query3dOp } from '../../schemas/queries/exchanges.ts'
import { bodyOf3d, SHAPE_TYPES_3D, shapeOf3d, vec3 } from '../support/families/arbitrary-shapes-3d.ts'
import { maybe, merged, mode } from './wild-requests.ts'
import { source, WILD } from './wild-values.ts'

const type = fc.constantFrom(...SHAPE_TYPES_3D)

/** Of every type, anywhere; now and then turned by what is no turn. */
export const wildBody3d: Arbitrary<object> = fc.tuple(type, source, fc.nat(29)).chain(([t, s, spoilt]) => {
  const body = bodyOf3d(t, s)
  if (spoilt > 0) return body
  const { coordinate } = WILD
  const orientation = fc.record({ x: coordinate, y: coordinate, z: coordinate, w: coordinate })
  return fc.tuple(body, orientation).map(([b, q]) => ({ ...b, orientation: q }))
})

const wildMovingBody3d = fc
  .tuple(wildBody3d, source, source)
  .chain(([body, s, t]) => merged(fc.constant(body), maybe('velocity', vec3(s)), maybe('angularVelocity', vec3(t))))

const wildShape3d = fc.tuple(type, source).chain(([t, s]) => shapeOf3d(t, s))

const pair = fc.record({ a: wildBody3d, b: wildBody3d })
const vector = source.chain(vec3)

const wildFlyer3d = merged(wildBody3d, maybe('velocity', vector))
const wildMover3d = merged(wildBody3d, maybe('velocity', vector), maybe('angularVelocity', vector))

/** By the last word of the path. */
export const QUERIES_3D: Readonly<Record<Query3dOp, Arbitrary<object>>> = {
  overlap: merged(pair, maybe('explain', fc.boolean())),
  distance: pair,
  contact: merged(pair, maybe('maxDistance', WILD.size), maybe('maxPoints', fc.integer({ min: 1, max: 64 }))),
  'ray-cast': merged(
    fc.record({
      ray: fc.record(
        { origin: vector, direction: vector, maxDistance: WILD.size },
        { requiredKeys: ['origin', 'direction'] },
      ),
      targets: fc.array(wildBody3d, { maxLength: 4 }),
    }),
    mode,
    maybe('startInside', fc.constantFrom('hit', 'ignore', 'exit')),
  ),
  'time-of-impact': merged(
    fc.record({ a: wildMover3d, b: wildMover3d, duration: WILD.size }),
    maybe('ignoreSeparating', fc.boolean()),
  ),
  trajectory: merged(
    fc.record({ body: wildFlyer3d, obstacles: fc.array(wildFlyer3d, { maxLength: 3 }), duration: WILD.size }),
    maybe('restitution', fc.constantFrom(0, 0.5, 1)),
    maybe('maxBounces', fc.integer({ min: 0, max: 20 })),
  ),
  'shape-cast': merged(
    fc.record({ body: wildBody3d, translation: vector, targets: fc.array(wildBody3d, { maxLength: 4 }) }),
    mode,
    maybe('rotation', vector),
    maybe('ignoreSeparating', fc.boolean()),
  ),
  table: fc.record({
    a: fc.array(wildBody3d, { maxLength: 3 }),
    b: fc.array(wildBody3d, { maxLength: 3 }),
    measure: fc.constantFrom('overlap', 'distance', 'separation'),
  }),
  bounds: merged(fc.record({ body: wildMovingBody3d }), maybe('duration', WILD.size)),
  pairs: merged(
    fc.record({ bodies: fc.array(wildBody3d, { maxLength: 6 }) }),
    maybe('method', fc.constantFrom('auto', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'brute-force')),
    maybe('phase', fc.constantFrom('broad', 'narrow')),
    maybe('cellSize', WILD.size),
  ),
  support: fc.record({ body: wildBody3d, direction: vector }),
  mass: merged(fc.record({ shape: wildShape3d }), maybe('density', WILD.size)),
  hull: fc.record({ points: source.chain((s) => fc.array(vec3(s), { minLength: 1, maxLength: 16 })) }),
  minkowski: fc.record({ a: wildBody3d, b: wildBody3d, operation: fc.constantFrom('sum', 'difference') }),
  validate: fc.record({ shape: wildShape3d }),
}
