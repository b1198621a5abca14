// Bodies of the plane drawn out along z, as prisms, cylinders, capsules, balls and ellipsoids that are long enough: space answers as the
// plane does, wherever z does not decide.

import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type {
  Query3dOp,
  Query3dRequest,
  Query3dResponse,
  QueryOp,
  QueryRequest,
  QueryResponse,
} from '../../schemas/queries/exchanges.ts'
import type { Body2d, MovingBody2d } from '../../schemas/shapes2d.ts'
import type { Body3d, MovingBody3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../schemas/vector.ts'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { queries, queries3d } from '../../src/queries/stateless/all.ts'
import { GRID, SHAPE_TYPES, type ShapeType, shapeOf, vec2 } from '../support/families/arbitraries.ts'
import { runs } from '../support/runs.ts'

/** More than any two of these bodies are wide together. */
const HEIGHT = 64
const DURATION = 4
/** What grazes hangs on distances, which are right to 1e-12, like their roots. */
const GRAZING = 1e-4
const limits = queryLimits(loadConfig({}))

function flat<Op extends QueryOp>(op: Op, request: QueryRequest<Op>): QueryResponse<Op> {
  return queries.find((each) => each.op === op)?.answer(request, limits) as QueryResponse<Op>
}

function solid<Op extends Query3dOp>(op: Op, request: Query3dRequest<Op>): Query3dResponse<Op> {
  return queries3d.find((each) => each.op === op)?.answer(request, limits) as Query3dResponse<Op>
}

type PlainShape = Extract<Body2d['shape'], { type: ShapeType }>
type PlainBody = MovingBody2d & { shape: PlainShape }

const up = ({ x, y }: Vec2, z = 0): Vec3 => ({ x, y, z })
/** The hull of the points at either end. */
const prism = (points: readonly Vec2[], radius = 0): Shape3d => ({
  type: 'hull',
  points: [-HEIGHT / 2, HEIGHT / 2].flatMap((z) => points.map((point) => up(point, z))),
  radius,
})

/** `way`: which of several shapes it is. */
function drawnOut(shape: PlainShape, way: number): Shape3d {
  switch (shape.type) {
    case 'point':
      return prism([{ x: 0, y: 0 }])
    case 'circle': {
      const { radius } = shape
      if (way === 0) return { type: 'cylinder', radius, height: HEIGHT, axis: 'z' }
      return way === 1 ? { type: 'sphere', radius } : { ...ROD, radius }
    }
    case 'segment':
      return prism([shape.a, shape.b])
    case 'capsule':
      return prism([shape.a, shape.b], shape.radius)
    case 'box': {
      const { width, height, radius } = shape
      return { type: 'box', size: { x: width, y: height, z: HEIGHT }, ...(radius !== undefined && { radius }) }
    }
    case 'aabb':
      return { type: 'aabb', min: up(shape.min, -HEIGHT / 2), max: up(shape.max, HEIGHT / 2) }
    case 'polygon':
      return prism(shape.vertices, shape.radius)
    case 'ellipse':
      return { type: 'ellipsoid', radii: { x: shape.rx, y: shape.ry, z: HEIGHT } }
    case 'halfplane':
      return { type: 'halfspace', normal: up(shape.normal), offset: shape.offset }
  }
}

const ROD = { type: 'capsule', a: { x: 0, y: 0, z: -HEIGHT / 2 }, b: { x: 0, y: 0, z: HEIGHT / 2 } } as const

function drawnBody(
  { shape, position = { x: 0, y: 0 }, rotation = 0, ...motion }: PlainBody,
  way: number,
): MovingBody3d {
  const body: MovingBody3d = { shape: drawnOut(shape, way), position: up(position) }
  if (rotation !== 0) body.orientation = { x: 0, y: 0, z: Math.sin(rotation / 2), w: Math.cos(rotation / 2) }
  if (motion.velocity !== undefined) body.velocity = up(motion.velocity)
  if (motion.angularVelocity !== undefined) body.angularVelocity = { x: 0, y: 0, z: motion.angularVelocity }
  return body
}

/** Bodies of the plane, each with what it is drawn out to. */
interface Drawn {
  plain: PlainBody
  body: Body3d
  /** The same section at all heights, so that what holds it in the plane does so in space. */
  isStraight: boolean
}

function drawn(types: readonly ShapeType[], rotations: Arbitrary<number>): Arbitrary<Drawn> {
  return fc
    .record({
      shape: fc.constantFrom(...types).chain((type) => shapeOf(type, GRID, 6)) as Arbitrary<PlainShape>,
      position: vec2(GRID),
      rotation: rotations,
      way: fc.nat(2),
    })
    .map(({ shape, position, rotation, way }) => {
      const plain: PlainBody = shape.type === 'aabb' ? { shape, position } : { shape, position, rotation }
      const isRound = 'radius' in shape && shape.radius !== undefined && !(shape.type === 'circle' && way === 0)
      return { plain, body: drawnBody(plain, way), isStraight: !isRound && shape.type !== 'ellipse' }
    })
}

const upright = fc.constant(0)
const turns = fc.constantFrom(0, 0.5, 1, -2, 3)
const pairsOf = (rotations: Arbitrary<number>): Arbitrary<[Drawn, Drawn]> =>
  fc.tuple(drawn(SHAPE_TYPES, rotations), drawn(SHAPE_TYPES, rotations))

/** What touches an ellipse at the end of its way, or grazes it, may be said to miss it. */
const MOVING_TYPES = SHAPE_TYPES.filter((type) => type !== 'ellipse')
const movers = fc.tuple(drawn(MOVING_TYPES, upright), drawn(MOVING_TYPES, upright))

/** Within so much of each other, beside 1. */
function near(found: number | null, expected: number | null, tolerance: number, label: string): void {
  if (found === null || expected === null) expect(found, label).toBe(expected)
  else expect(Math.abs(found - expected) / (1 + Math.abs(expected)), label).toBeLessThan(tolerance)
}

describe('bodies of the plane drawn out along z', () => {
  it('meet and hold each other as they do in the plane', () => {
    fc.assert(
      fc.property(pairsOf(upright), ([a, b]) => {
        const here = flat('overlap', { a: a.plain, b: b.plain, explain: true })
        const there = solid('overlap', { a: a.body, b: b.body, explain: true })
        expect([there.overlap, there.relation]).toEqual([here.overlap, here.relation])
        if (!a.isStraight || !b.isStraight) return
        expect([there.aContainsB, there.bContainsA]).toEqual([here.aContainsB, here.bContainsA])
      }),
      runs(1000),
    )
  })

  it('are as far apart and as deep in each other', () => {
    fc.assert(
      fc.property(pairsOf(turns), ([a, b]) => {
        const pair = { a: a.plain, b: b.plain }
        const bodies = { a: a.body, b: b.body }
        near(solid('distance', bodies).distance, flat('distance', pair).distance, 1e-12, 'distance')
        const here = flat('contact', pair)
        const there = solid('contact', bodies)
        near(there.separation, here.separation, 1e-9, 'separation')
        if (here.normal !== null && (here.separation ?? 0) > 1e-3) {
          near(there.normal?.x ?? null, here.normal.x, 1e-6, 'normal')
          near(there.normal?.y ?? null, here.normal.y, 1e-6, 'normal')
          near(there.normal?.z ?? null, 0, 1e-6, 'normal')
        }
      }),
      runs(700),
    )
  })

  it('are hit by rays in the plane', () => {
    const ways = vec2(GRID).filter(({ x, y }) => x !== 0 || y !== 0)
    fc.assert(
      fc.property(drawn(SHAPE_TYPES, upright), vec2(GRID), ways, ({ plain, body }, origin, direction) => {
        const [here] = flat('ray-cast', { ray: { origin, direction }, targets: [plain] }).hits
        const [there] = solid('ray-cast', {
          ray: { origin: up(origin), direction: up(direction) },
          targets: [body],
        }).hits
        expect(there === undefined).toBe(here === undefined)
        if (here === undefined || there === undefined) return
        expect(there.startedInside).toBe(here.startedInside)
        near(there.distance, here.distance, 1e-12, 'distance')
        near(there.exit?.distance ?? null, here.exit?.distance ?? null, 1e-12, 'exit')
        if (here.normal === null) expect(there.normal).toBeNull()
      }),
      runs(1000),
    )
  })

  it.each([
    ['without spin', fc.constant(0), 500],
    ['with spin', fc.constantFrom(0, 1, -2, 3), 150],
  ])('meet at the same time %s', (_name, spins, count) => {
    let hits = 0
    fc.assert(
      fc.property(movers, vec2(GRID), vec2(GRID), spins, ([a, b], one, other, spin) => {
        const movingA = { velocity: one }
        const movingB = { velocity: other, angularVelocity: spin }
        const here = flat('time-of-impact', {
          a: { ...a.plain, ...movingA },
          b: { ...b.plain, ...(b.plain.shape.type === 'aabb' ? { velocity: other } : movingB) },
          duration: DURATION,
        })
        const there = solid('time-of-impact', {
          a: { ...a.body, velocity: up(one) },
          b: {
            ...b.body,
            velocity: up(other),
            ...(b.plain.shape.type !== 'aabb' && { angularVelocity: { x: 0, y: 0, z: spin } }),
          },
          duration: DURATION,
        })
        expect([there.hit, there.startedOverlapping]).toEqual([here.hit, here.startedOverlapping])
        if (here.hit) hits++
        near(there.time, here.time, GRAZING, 'time')
        // Turned about a point of both they may part at once or never; parting at the very end is as good as not yet.
        if (spin === 0) near(there.exitTime ?? DURATION, here.exitTime ?? DURATION, GRAZING, 'exit time')
      }),
      runs(count),
    )
    expect(hits).toBeGreaterThan(0)
  })

  it('are hit by bodies cast in the plane', () => {
    fc.assert(
      fc.property(movers, vec2(GRID), ([a, b], translation) => {
        const [here] = flat('shape-cast', { body: b.plain, translation, targets: [a.plain] }).hits
        const [there] = solid('shape-cast', { body: b.body, translation: up(translation), targets: [a.body] }).hits
        expect(there === undefined).toBe(here === undefined)
        if (here === undefined || there === undefined) return
        expect(there.startedInside).toBe(here.startedInside)
        near(there.distance, here.distance, GRAZING, 'distance')
      }),
      runs(500),
    )
  })

  it('have boxes over those of the plane, and volumes that are areas times the height', () => {
    fc.assert(
      fc.property(drawn(SHAPE_TYPES, turns), vec2(GRID), ({ plain, body, isStraight }, velocity) => {
        const here = flat('bounds', { body: { ...plain, velocity }, duration: 2 })
        const there = solid('bounds', { body: { ...body, velocity: up(velocity) }, duration: 2 })
        for (const side of ['min', 'max'] as const) {
          near(there[side].x, here[side].x, 1e-14, side)
          near(there[side].y, here[side].y, 1e-14, side)
        }
        if (!isStraight || plain.shape.type === 'halfplane') return
        const { area, centroid } = flat('mass', { shape: plain.shape })
        const { volume, centroid: middle } = solid('mass', { shape: body.shape })
        near(volume, area * HEIGHT, 1e-13, 'volume')
        if (area > 0) {
          near(middle.x, centroid.x, 1e-12, 'centroid')
          near(middle.y, centroid.y, 1e-12, 'centroid')
        }
      }),
      runs(400),
    )
  })
})
