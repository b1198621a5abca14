/** Requests for fuzzing: right in form, with wild numbers and sizes. */
import fc, { type Arbitrary } from 'fast-check'
import type { QueryOp } from '../../schemas/queries/exchanges.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { vec2 } from '../support/families/arbitraries.ts'
import { moving, source, WILD, wildAnyBody, wildConvexBody, wildRegion } from './wild-values.ts'

/** With the field one time in two. */
export function maybe<T>(field: string, value: Arbitrary<T>): Arbitrary<object> {
  return fc.oneof(
    fc.constant({}),
    value.map((v) => ({ [field]: v })),
  )
}

/** All fields of all of them. */
export function merged(...parts: Arbitrary<object>[]): Arbitrary<object> {
  return fc.tuple(...parts).map((objects) => Object.assign({}, ...objects) as object)
}

const pair = fc.record({ a: wildAnyBody, b: wildAnyBody })
const vector = source.chain(vec2)
const targets = fc.array(wildAnyBody, { maxLength: 4 })
export const mode = maybe('mode', fc.constantFrom('closest', 'any', 'all'))
const ignoreSeparating = maybe('ignoreSeparating', fc.boolean())
export const ray = fc.record(
  { origin: vector, direction: vector, maxDistance: WILD.size },
  { requiredKeys: ['origin', 'direction'] },
)

/** Seldom one that is not taken. */
const wildMinkowski = fc.oneof({ weight: 9, arbitrary: wildConvexBody }, { weight: 1, arbitrary: wildAnyBody })

/** By the last word of the path. */
export const QUERIES: Readonly<Record<QueryOp, Arbitrary<object>>> = {
  overlap: merged(pair, maybe('explain', fc.boolean())),
  distance: pair,
  contact: merged(pair, maybe('maxDistance', WILD.size)),
  'time-of-impact': merged(
    fc.record({ a: moving(wildAnyBody), b: moving(wildAnyBody), duration: WILD.size }),
    ignoreSeparating,
  ),
  'ray-cast': merged(fc.record({ ray, targets }), mode, maybe('startInside', fc.constantFrom('hit', 'ignore', 'exit'))),
  'shape-cast': merged(
    fc.record({ body: wildAnyBody, translation: vector, targets }),
    maybe('rotation', fc.oneof(fc.double({ min: -10, max: 10, noNaN: true }), WILD.coordinate)),
    mode,
    ignoreSeparating,
  ),
  trajectory: merged(
    fc.record({
      body: moving(wildConvexBody, 20),
      obstacles: fc.array(moving(wildAnyBody, 20), { maxLength: 4 }),
      duration: WILD.size,
    }),
    maybe('restitution', fc.double({ min: 0, max: 1, noNaN: true })),
    maybe('maxBounces', fc.nat(200)),
  ),
  table: fc.oneof(
    fc.record({ a: targets, b: targets, measure: fc.constantFrom('overlap', 'distance', 'separation') }),
    merged(
      fc.record({
        a: fc.array(moving(wildAnyBody), { maxLength: 2 }),
        b: fc.array(moving(wildAnyBody), { maxLength: 2 }),
        measure: fc.constant('time-of-impact'),
        duration: WILD.size,
      }),
      ignoreSeparating,
    ),
  ),
  pairs: merged(
    fc.record({ bodies: fc.array(wildAnyBody, { maxLength: 8 }) }),
    maybe('method', fc.constantFrom('auto', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'brute-force')),
    maybe('cellSize', WILD.size),
    maybe('phase', fc.constantFrom('broad', 'narrow')),
  ),
  bounds: merged(fc.record({ body: moving(wildAnyBody) }), maybe('duration', WILD.size)),
  minkowski: fc.record({ a: wildMinkowski, b: wildMinkowski, operation: fc.constantFrom('sum', 'difference') }),
  support: fc.record({ body: wildAnyBody, direction: vector }),
  mass: merged(
    wildAnyBody.map((body) => ({ shape: (body as Body2d).shape })),
    maybe('density', WILD.size),
  ),
  validate: wildAnyBody.map((body) => ({ shape: (body as Body2d).shape })),
  decompose: merged(
    fc.record({ region: wildRegion, method: fc.constantFrom('exact', 'triangles', 'approximate') }),
    maybe('maxPieces', fc.integer({ min: 1, max: 12 })),
  ),
  repair: source.chain((s) =>
    fc.record({
      rings: fc.array(fc.array(vec2(s), { minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 4 }),
      rule: fc.constantFrom('nonzero', 'evenodd'),
    }),
  ),
  hull: fc.record({ points: source.chain((s) => fc.array(vec2(s), { minLength: 1, maxLength: 12 })) }),
}
