/** Requests about scenes for fuzzing: writes and queries, right in form, with wild numbers. */
import fc, { type Arbitrary } from 'fast-check'
import type { SceneQueryOp } from '../../schemas/scenes/exchanges.ts'
import { maybe, merged, mode, ray, want } from './wild-requests.ts'
import { moving, source, WILD, wildAnyBody, wildConvexBody } from './wild-values.ts'

/** Few, so that most operations find the body that they are about. */
export const BODY_IDS = ['a', 'b', 'c', 'd', 'e', 'f'] as const

const id = fc.constantFrom(...BODY_IDS)
const tags = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 9 }), { maxLength: 4 })
const marks = fc.record({ tags, sensor: fc.boolean(), data: fc.jsonValue() }, { requiredKeys: [] })
const number = source.chain((s) => s.coordinate)
const place = fc.record({ x: number, y: number })

export const wildSceneBody = fc
  .tuple(moving(wildAnyBody), marks)
  .map(([moved, more]): object => ({ ...moved, ...more }))

const motion = fc.record(
  { position: place, rotation: number, velocity: place, angularVelocity: number },
  { requiredKeys: [] },
)

/** Of a body, some of them null. */
export const wildFields = fc
  .tuple(
    wildSceneBody,
    fc.subarray(['shape', 'position', 'rotation', 'velocity', 'tags', 'sensor', 'data']),
    fc.boolean(),
  )
  .map(([all, names, isNull]) => {
    const of = all as Record<string, unknown>
    return Object.fromEntries(names.map((name) => [name, isNull && name !== 'shape' ? null : of[name]]))
  })

const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(id, wildSceneBody).map(([own, each]): object => ({ op: 'put', body: { id: own, ...each } })),
  },
  { weight: 3, arbitrary: fc.tuple(id, motion).map(([own, each]): object => ({ op: 'move', id: own, ...each })) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('patch'), id, fields: wildFields }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('remove'), id }) },
)
export const wildOperations = fc.record({ operations: fc.array(operation, { minLength: 1, maxLength: 6 }) })

export const wildSettings = fc.record(
  {
    name: fc.string({ maxLength: 20 }),
    margin: fc.double({ min: 0, max: 1e100, noNaN: true }),
    ttl: fc.constant(null),
  },
  { requiredKeys: [] },
)

const filter = fc.record(
  {
    tags: fc.record({ any: tags, all: tags, none: tags }, { requiredKeys: [] }),
    ids: fc.record({ include: fc.array(id), exclude: fc.array(id) }, { requiredKeys: [] }),
    sensors: fc.constantFrom('include', 'exclude', 'only'),
  },
  { requiredKeys: [] },
)
const selection = merged(maybe('filter', filter), maybe('limit', fc.integer({ min: 1, max: 9 })))

const named = merged(
  id.map((bodyId) => ({ bodyId })),
  maybe('pose', fc.record({ position: place, rotation: number }, { requiredKeys: [] })),
)
const point = place.map((p) => ({ point: p }))
const aabb = fc.tuple(place, place).map(([p, q]) => {
  const min = { x: Math.min(p.x, q.x), y: Math.min(p.y, q.y) }
  return { aabb: { min, max: { x: Math.max(p.x, q.x), y: Math.max(p.y, q.y) } } }
})
const mover = fc.oneof(
  named,
  wildAnyBody.map((body) => ({ body })),
)
const probe = fc.oneof(mover, mover, point, aabb)
const eye = fc.oneof(
  point,
  id.map((bodyId) => ({ bodyId })),
)

const lintRule = (rule: string, more: Arbitrary<object> = fc.constant({})): Arbitrary<object> =>
  merged(
    fc.record(
      { rule: fc.constant(rule), severity: fc.constantFrom('error', 'warning', 'info'), filter },
      { requiredKeys: ['rule'] },
    ),
    more,
  )
const sight = merged(
  filter.map((to) => ({ to })),
  maybe('blockers', filter),
  maybe('maxDistance', WILD.size),
)
const against = maybe('against', filter)
const lintRules = fc.oneof(
  lintRule('inside-solid', merged(against, maybe('of', fc.constantFrom('body', 'position')))),
  lintRule('overlap', merged(against, maybe('deeperThan', WILD.size))),
  lintRule('nearly-touching', merged(against, maybe('within', WILD.size))),
  lintRule('floating', merged(against, maybe('within', WILD.size))),
  lintRule('sunk', merged(against, maybe('within', WILD.size))),
  lintRule('duplicate'),
  lintRule('degenerate'),
  lintRule('invalid'),
  lintRule('sliver', maybe('thinnerThan', WILD.size)),
  lintRule(
    'out-of-bounds',
    aabb.map(({ aabb: bounds }) => ({ bounds })),
  ),
  lintRule(
    'off-grid',
    merged(
      WILD.size.map((step) => ({ step: step || 1 })),
      maybe('origin', place),
      maybe('of', fc.constantFrom('position', 'vertices')),
    ),
  ),
  lintRule('line-of-sight', sight),
  lintRule('no-line-of-sight', sight),
  lintRule(
    'blocked-way',
    fc.record({
      shape: wildConvexBody.map((body) => (body as { shape: object }).shape),
      points: fc.array(place, { minLength: 2, maxLength: 4 }),
    }),
  ),
  lintRule(
    'unreachable',
    fc.record({
      shape: wildConvexBody.map((body) => (body as { shape: object }).shape),
      to: filter,
      step: WILD.size.map((step) => step || 1),
      maxCells: fc.integer({ min: 1, max: 60 }),
    }),
  ),
  lintRule(
    'too-steep',
    fc.double({ min: 0, max: 2, noNaN: true }).map((maxSlope) => ({ maxSlope })),
  ),
  lintRule('overlapping-faces', against),
)

/** By the last word of the path. */
export const SCENE_QUERIES: Readonly<Record<SceneQueryOp, Arbitrary<object>>> = {
  overlap: merged(probe, maybe('contacts', fc.boolean()), selection),
  'ray-cast': merged(
    fc.oneof(
      ray.map((one) => ({ ray: one })),
      fc.array(ray, { maxLength: 4 }).map((rays) => ({ rays })),
    ),
    mode,
    maybe('startInside', fc.constantFrom('hit', 'ignore', 'exit')),
    selection,
  ),
  'shape-cast': merged(
    mover,
    place.map((translation) => ({ translation })),
    maybe('rotation', number),
    mode,
    maybe('ignoreSeparating', fc.boolean()),
    want,
    selection,
  ),
  nearest: merged(probe, maybe('count', fc.integer({ min: 1, max: 9 })), maybe('maxDistance', WILD.size), selection),
  pairs: merged(maybe('contacts', fc.boolean()), selection),
  'time-of-impact': merged(
    fc.record({ duration: WILD.size }),
    maybe('ignoreSeparating', fc.boolean()),
    want,
    selection,
  ),
  trajectory: merged(
    fc.oneof(
      named,
      moving(wildConvexBody, 20).map((body) => ({ body })),
    ),
    fc.record({ duration: WILD.size }),
    maybe('maxBounces', fc.nat(200)),
    selection,
  ),
  move: merged(
    mover,
    place.map((translation) => ({ translation })),
    maybe('maxSlides', fc.nat(20)),
    maybe('maxSlope', WILD.size),
    selection,
  ),
  separate: merged(mover, selection),
  snap: merged(
    mover,
    WILD.size.map((maxDistance) => ({ maxDistance })),
    maybe('features', fc.subarray(['vertex', 'edge', 'midpoint', 'center', 'grid'], { minLength: 1 })),
    maybe('grid', fc.record({ size: place, origin: place }, { requiredKeys: ['size'] })),
    maybe('rotate', fc.boolean()),
    selection,
  ),
  place: merged(mover, maybe('maxDistance', WILD.size), maybe('filter', filter)),
  drop: merged(
    mover,
    place.map((direction) => ({ direction })),
    maybe('maxDistance', WILD.size),
    maybe('align', fc.constantFrom('face', 'normal')),
    maybe('filter', filter),
  ),
  'line-of-sight': merged(fc.record({ targets: fc.array(eye, { maxLength: 4 }) }), eye, selection),
  sectors: merged(
    fc.record({
      grid: fc.record({
        origin: place,
        cellSize: WILD.size,
        columns: fc.integer({ min: 1, max: 30 }),
        rows: fc.integer({ min: 1, max: 30 }),
      }),
    }),
    selection,
  ),
  lint: merged(
    maybe('rules', fc.array(lintRules, { minLength: 1, maxLength: 3 })),
    maybe('down', place),
    maybe('fixes', fc.boolean()),
    maybe('limit', fc.integer({ min: 1, max: 9 })),
  ),
}
