/** Requests for fuzzing in the plane and in space: right in form, with wild numbers and sizes. */
import type { TSchema } from '@sinclair/typebox'
import fc, { type Arbitrary } from 'fast-check'
import type { Exchange } from '../../schemas/exchange.ts'
import { exchanges, exchanges3d, type Query3dOp, type QueryOp } from '../../schemas/queries/exchanges.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { vec2 } from '../support/families/arbitraries.ts'
import { bodyOf3d, SHAPE_TYPES_3D, shapeOf3d, vec3 } from '../support/families/arbitrary-shapes-3d.ts'
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

function wildGrid(origin: Readonly<Record<string, Arbitrary<number>>>): Arbitrary<object> {
  const cells = fc.integer({ min: 1, max: 6 })
  return fc.record({ origin: fc.record(origin), cellSize: WILD.size, columns: cells, rows: cells })
}

/** By the last word of the path. */
type Wild<Op extends string> = Readonly<Record<Op, Arbitrary<object>>>

/** The given requests, and those of every other query from the names and types of its fields. */
function completed<Op extends string>(
  list: readonly Exchange<Op>[],
  byName: Readonly<Record<string, Arbitrary<unknown>>>,
  given: Partial<Wild<Op>>,
): Wild<Op> {
  const rest = list
    .filter(({ op }) => !(op in given))
    .map(({ op, request }) => {
      const fields = Object.entries(request.properties).map(([name, schema]) => {
        const value = byName[name] ?? wildField(name, schema)
        return request.required?.includes(name) ? fc.record({ [name]: value }) : maybe(name, value)
      })
      return [op, merged(...fields)] as const
    })
  return { ...given, ...Object.fromEntries(rest) } as Wild<Op>
}

function wildField(name: string, { type }: TSchema): Arbitrary<unknown> {
  if (type === 'number') return WILD.size
  if (type === 'boolean') return fc.boolean()
  throw new Error(`no arbitrary for fields named ${name}: give the request one of its own`)
}

const vector2d = source.chain(vec2)
const targets2d = fc.array(wildAnyBody, { maxLength: 4 })
export const mode = maybe('mode', fc.constantFrom('closest', 'any', 'all'))
const ignoreSeparating = maybe('ignoreSeparating', fc.boolean())
export const want = maybe('want', fc.constantFrom('time', 'contact', 'exit'))
export const ray = fc.record(
  { origin: vector2d, direction: vector2d, maxDistance: WILD.size },
  { requiredKeys: ['origin', 'direction'] },
)

/** Seldom one that is not taken. */
const wildMinkowski = fc.oneof({ weight: 9, arbitrary: wildConvexBody }, { weight: 1, arbitrary: wildAnyBody })

const FIELDS_2D = {
  a: wildAnyBody,
  b: wildAnyBody,
  body: wildAnyBody,
  shape: wildAnyBody.map((body) => (body as Body2d).shape),
  direction: vector2d,
  points: source.chain((s) => fc.array(vec2(s), { minLength: 1, maxLength: 12 })),
}

export const QUERIES: Wild<QueryOp> = completed(exchanges, FIELDS_2D, {
  'time-of-impact': merged(
    fc.record({ a: moving(wildAnyBody), b: moving(wildAnyBody), duration: WILD.size }),
    ignoreSeparating,
    want,
  ),
  'ray-cast': merged(
    fc.record({ ray, targets: targets2d }),
    mode,
    maybe('startInside', fc.constantFrom('hit', 'ignore', 'exit')),
  ),
  'shape-cast': merged(
    fc.record({ body: wildAnyBody, translation: vector2d, targets: targets2d }),
    maybe('rotation', fc.oneof(fc.double({ min: -10, max: 10, noNaN: true }), WILD.coordinate)),
    mode,
    ignoreSeparating,
    want,
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
    fc.record({ a: targets2d, b: targets2d, measure: fc.constantFrom('overlap', 'distance', 'separation') }),
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
  sectors: fc.record({
    bodies: fc.array(wildAnyBody, { maxLength: 4 }),
    grid: wildGrid({ x: WILD.coordinate, y: WILD.coordinate }),
  }),
  bounds: merged(fc.record({ body: moving(wildAnyBody) }), maybe('duration', WILD.size)),
  minkowski: fc.record({ a: wildMinkowski, b: wildMinkowski, operation: fc.constantFrom('sum', 'difference') }),
  decompose: merged(
    fc.record({ region: wildRegion, method: fc.constantFrom('exact', 'triangles', 'approximate') }),
    maybe('maxPieces', fc.integer({ min: 1, max: 12 })),
  ),
  fit: merged(
    fc.oneof(fc.record({ body: wildAnyBody }), fc.record({ points: FIELDS_2D.points })),
    fc.record({ shape: fc.constantFrom('aabb', 'box', 'circle', 'capsule') }),
    maybe('least', fc.constantFrom('area', 'perimeter')),
  ),
  repair: source.chain((s) =>
    fc.record({
      rings: fc.array(fc.array(vec2(s), { minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 4 }),
      rule: fc.constantFrom('nonzero', 'evenodd'),
    }),
  ),
})

const type3d = fc.constantFrom(...SHAPE_TYPES_3D)

/** Of every type, anywhere; now and then turned by what is no turn. */
const wildBody3d: Arbitrary<object> = fc.tuple(type3d, source, fc.nat(29)).chain(([t, s, spoilt]) => {
  const body = bodyOf3d(t, s)
  if (spoilt > 0) return body
  const { coordinate } = WILD
  const orientation = fc.record({ x: coordinate, y: coordinate, z: coordinate, w: coordinate })
  return fc.tuple(body, orientation).map(([b, q]) => ({ ...b, orientation: q }))
})

const wildMovingBody3d = fc
  .tuple(wildBody3d, source, source)
  .chain(([body, s, t]) => merged(fc.constant(body), maybe('velocity', vec3(s)), maybe('angularVelocity', vec3(t))))

const wildShape3d = fc.tuple(type3d, source).chain(([t, s]) => shapeOf3d(t, s))

const pair3d = fc.record({ a: wildBody3d, b: wildBody3d })
const vector3d = source.chain(vec3)

const wildFlyer3d = merged(wildBody3d, maybe('velocity', vector3d))
const wildMover3d = merged(wildBody3d, maybe('velocity', vector3d), maybe('angularVelocity', vector3d))

const FIELDS_3D = {
  a: wildBody3d,
  b: wildBody3d,
  body: wildBody3d,
  shape: wildShape3d,
  direction: vector3d,
  points: source.chain((s) => fc.array(vec3(s), { minLength: 1, maxLength: 16 })),
}

/** One or two tetrahedra, which may cross or be inside out; now and then one is open. */
const wildSolid3d: Arbitrary<object> = fc
  .tuple(source, fc.integer({ min: 1, max: 2 }), fc.nat(9))
  .chain(([s, count, left]) =>
    fc.array(vec3(s), { minLength: 4 * count, maxLength: 4 * count }).map((points) => ({
      type: 'mesh',
      vertices: points.flatMap(({ x, y, z }) => [x, y, z]),
      triangles: [0, 4]
        .slice(0, count)
        .flatMap((first) => [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3].map((i) => first + i))
        .slice(left === 0 ? 3 : 0),
    })),
  )

export const QUERIES_3D: Wild<Query3dOp> = completed(exchanges3d, FIELDS_3D, {
  contact: merged(pair3d, maybe('maxDistance', WILD.size), maybe('maxPoints', fc.integer({ min: 1, max: 64 }))),
  'ray-cast': merged(
    fc.record({
      ray: fc.record(
        { origin: vector3d, direction: vector3d, maxDistance: WILD.size },
        { requiredKeys: ['origin', 'direction'] },
      ),
      targets: fc.array(wildBody3d, { maxLength: 4 }),
    }),
    mode,
    maybe('startInside', fc.constantFrom('hit', 'ignore', 'exit')),
  ),
  'time-of-impact': merged(fc.record({ a: wildMover3d, b: wildMover3d, duration: WILD.size }), ignoreSeparating, want),
  trajectory: merged(
    fc.record({ body: wildFlyer3d, obstacles: fc.array(wildFlyer3d, { maxLength: 3 }), duration: WILD.size }),
    maybe('restitution', fc.constantFrom(0, 0.5, 1)),
    maybe('maxBounces', fc.integer({ min: 0, max: 20 })),
  ),
  'shape-cast': merged(
    fc.record({ body: wildBody3d, translation: vector3d, targets: fc.array(wildBody3d, { maxLength: 4 }) }),
    mode,
    maybe('rotation', vector3d),
    ignoreSeparating,
    want,
  ),
  table: fc.record({
    a: fc.array(wildBody3d, { maxLength: 3 }),
    b: fc.array(wildBody3d, { maxLength: 3 }),
    measure: fc.constantFrom('overlap', 'distance', 'separation'),
  }),
  bounds: merged(fc.record({ body: wildMovingBody3d }), maybe('duration', WILD.size)),
  sectors: fc.record({
    bodies: fc.array(wildBody3d, { maxLength: 4 }),
    grid: merged(
      wildGrid({ x: WILD.coordinate, y: WILD.coordinate, z: WILD.coordinate }),
      fc.record({ layers: fc.integer({ min: 1, max: 6 }) }),
    ),
  }),
  pairs: merged(
    fc.record({ bodies: fc.array(wildBody3d, { maxLength: 6 }) }),
    maybe('method', fc.constantFrom('auto', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'brute-force')),
    maybe('phase', fc.constantFrom('broad', 'narrow')),
    maybe('cellSize', WILD.size),
  ),
  fit: merged(
    fc.oneof(fc.record({ body: wildBody3d }), fc.record({ points: FIELDS_3D.points })),
    fc.record({ shape: fc.constantFrom('aabb', 'box', 'sphere', 'capsule', 'cylinder') }),
    maybe('least', fc.constantFrom('volume', 'area')),
  ),
  slice: merged(
    fc.record({ body: wildBody3d, plane: fc.record({ normal: vector3d, offset: WILD.coordinate }) }),
    maybe('tolerance', WILD.size),
  ),
  decompose: merged(
    fc.record({ mesh: wildSolid3d, method: fc.constantFrom('exact', 'approximate', 'primitives') }),
    maybe('maxPieces', fc.integer({ min: 1, max: 12 })),
    maybe('maxAddedVolume', fc.constantFrom(0, 0.1, 1)),
    maybe('kinds', fc.uniqueArray(fc.constantFrom('box', 'sphere', 'capsule', 'cylinder', 'hull'), { minLength: 1 })),
  ),
  minkowski: fc.record({ a: wildBody3d, b: wildBody3d, operation: fc.constantFrom('sum', 'difference') }),
})

/** How many requests of other queries one takes as long as: tests make fewer of them. */
export function costOf(dimension: '2d' | '3d', op: string): number {
  return dimension === '3d' && op === 'decompose' ? 10 : 1
}
