/** Bodies for fuzzing: of every type, with numbers of every magnitude and many vertices now and then. */
import fc, { type Arbitrary } from 'fast-check'
import type { Vec2 } from '../../schemas/vector.ts'
import { SHAPE_TYPES, type ShapeType, type Source, shapeOf, UNIFORM, vec2 } from '../support/families/arbitraries.ts'
import { mixedComposite } from '../support/families/composite-arbitraries.ts'

/** Finite doubles of every magnitude that the wire takes: denormals, tiny, ordinary, huge. */
const magnitude = fc.oneof(
  fc.constantFrom(0, 5e-324, 1e-320, 2 ** -1022, 1e-200, 1e-100, 1, 2 ** 53, 1e99, 1e100),
  fc.double({ min: 0, max: 10, noNaN: true }),
  fc.double({ min: 0, max: 1e100, noNaN: true }),
  fc.integer({ min: 0, max: 8 }),
)

export const WILD: Source = {
  coordinate: fc.tuple(magnitude, fc.boolean()).map(([m, negative]) => (negative ? -m : m)),
  size: magnitude,
}

export const source = fc.constantFrom(UNIFORM, UNIFORM, WILD)

/** `shape` anywhere, at any angle. */
function placed(shape: object, s: Source = WILD): Arbitrary<object> {
  const rotation = fc.oneof(fc.double({ min: -10, max: 10, noNaN: true }), s.coordinate)
  return fc.record({ position: vec2(s), rotation }, { requiredKeys: [] }).map((pose) => ({ shape, ...pose }))
}

function wildBody(types: readonly ShapeType[]): Arbitrary<object> {
  return source.chain((s) => fc.oneof(...types.map((type) => shapeOf(type, s))).chain((shape) => placed(shape, s)))
}

/** Rings and chains from any points: most of the rings cross themselves. */
const wildOutline = source.chain((s) => {
  const ring = fc.array(vec2(s), { minLength: 3, maxLength: 7 })
  return fc.oneof(
    fc.record(
      {
        type: fc.constant('chain' as const),
        vertices: fc.array(vec2(s), { minLength: 2, maxLength: 8 }),
        loop: fc.boolean(),
      },
      { requiredKeys: ['type', 'vertices'] },
    ),
    fc.record(
      { type: fc.constant('region' as const), outer: ring, holes: fc.array(ring, { maxLength: 2 }) },
      { requiredKeys: ['type', 'outer'] },
    ),
  )
})

/** Regions: the rings of few points are seldom refused, nor are those of stars. */
export const wildRegion: Arbitrary<object> = source.chain((s) => {
  const ring = fc.oneof(
    fc.array(vec2(s), { minLength: 3, maxLength: 6 }),
    fc.tuple(fc.integer({ min: 3, max: 200 }), s.size, fc.boolean()).map((of) => star(...of)),
  )
  return fc.record(
    { type: fc.constant('region'), outer: ring, holes: fc.array(ring, { maxLength: 1 }) },
    { requiredKeys: ['type', 'outer'] },
  )
})

/** Up to ten compounds around each other, two more than are taken. */
const wildCompound: Arbitrary<object> = fc
  .record({
    body: fc.oneof(wildBody(SHAPE_TYPES), mixedComposite()),
    others: fc.array(wildBody(SHAPE_TYPES), { maxLength: 3 }),
    depth: fc.integer({ min: 1, max: 10 }),
    pose: source.chain((s) =>
      fc.record({ position: vec2(s), rotation: fc.double({ min: -4, max: 4, noNaN: true }) }, { requiredKeys: [] }),
    ),
  })
  .map(({ body, others, depth, pose }) => {
    let nest: object = body
    for (let i = 0; i < depth; i++) {
      nest = { shape: { type: 'compound', children: i === 0 ? [nest, ...others] : [nest] }, ...pose }
    }
    return nest
  })

/** Points around the origin, every other one nearer to it where the ring is to be concave. */
function star(count: number, radius: number, concave: boolean): Vec2[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count
    const reach = concave && i % 2 === 1 ? radius / 2 : radius
    return { x: reach * Math.cos(angle), y: reach * Math.sin(angle) }
  })
}

/** Many vertices or parts: a regular polygon of up to 1,024, a star, a chain, a row of circles. */
const many = fc
  .record({
    count: fc.constantFrom(3, 12, 100, 1000, 1024, 1025),
    radius: WILD.size,
    type: fc.constantFrom('polygon', 'region', 'chain', 'compound'),
  })
  .map(({ count, radius, type }): object => {
    const vertices = star(count, radius, type === 'region')
    if (type === 'region') return { shape: { type, outer: vertices } }
    if (type !== 'compound') return { shape: { type, vertices } }
    return { shape: { type, children: vertices.map((position) => ({ shape: { type: 'circle', radius }, position })) } }
  })

export const wildConvexBody: Arbitrary<object> = wildBody(SHAPE_TYPES)

export const wildAnyBody: Arbitrary<object> = fc.oneof(
  { weight: 60, arbitrary: wildConvexBody },
  { weight: 20, arbitrary: wildOutline.chain((shape) => placed(shape)) },
  { weight: 20, arbitrary: mixedComposite() },
  { weight: 10, arbitrary: wildCompound },
  { weight: 1, arbitrary: many },
)

/** `body`, moving and, one time in `spins`, turning. */
export function moving(body: Arbitrary<object>, spins = 2): Arbitrary<object> {
  const velocity = source.chain(vec2).map((v) => ({ velocity: v }))
  const spin = source.chain((s) => s.coordinate).map((angularVelocity) => ({ angularVelocity }))
  return fc
    .tuple(
      body,
      fc.option(velocity, { nil: {}, freq: 4 }),
      fc.oneof({ weight: spins - 1, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: spin }),
    )
    .map(([still, drift, turn]) => ({ ...still, ...drift, ...turn }))
}
