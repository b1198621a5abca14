// Cylinders, cones and ellipsoids of any sizes along each axis, 1e-300 to 1e100, beside bodies of every kind as strange, at rest and in
// motion: no query fails, no number is not finite, and none takes more than a bounded number of steps.
import fc, { type Arbitrary } from 'fast-check'
import { expect, it } from 'vitest'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { countSteps } from '../../src/containers/budget.ts'
import { catalogues } from '../../src/queries/stateless/all.ts'
import { Answerer, answerQuery } from '../../src/queries/stateless/answerer.ts'
import { bodyOf3d, SHAPE_TYPES_3D, type ShapeType3d, shapeOf3d, vec3 } from '../support/families/arbitrary-shapes-3d.ts'
import { runs } from '../support/runs.ts'

/** No pair here takes a tenth of a second. */
const MOST_STEPS = 2 ** 26

const config = loadConfig({})
const faults: unknown[] = []
const answerer = new Answerer(
  catalogues['3d'],
  { ...queryLimits(config), maxBatch: config.MAX_BATCH },
  { answer: answerQuery, onProgress: () => undefined, onFault: (fault) => faults.push(fault) },
)

const strange = {
  coordinate: fc.constantFrom(0, 0, 1, -3, 0.3, 7, 1e9, -1e50, 1e100, -1e100, 1e-100, 1e-172),
  size: fc.constantFrom(4, 1, 1e-6, 1e-9, 8e-172, 1e-100, 1e-300, 1e9, 1e12, 1e50, 1e100),
}
const round = fc
  .constantFrom<ShapeType3d>('cylinder', 'cone', 'ellipsoid')
  .chain((type) => bodyOf3d(type, strange)) as Arbitrary<object>
const any = fc.constantFrom(...SHAPE_TYPES_3D).chain((type) => bodyOf3d(type, strange)) as Arbitrary<object>
const vector = vec3(strange)
const still = fc.constant({ x: 0, y: 0, z: 0 })
const moving = (body: Arbitrary<object>): Arbitrary<object> =>
  fc
    .tuple(body, vector, fc.oneof(still, vector))
    .map(([given, velocity, angularVelocity]) => ({ ...given, velocity, angularVelocity }))
const duration = fc.constantFrom(1, 10, 1e-3)

const REQUESTS: Record<string, Arbitrary<object>> = {
  overlap: fc.record({ a: round, b: any, explain: fc.boolean() }),
  distance: fc.record({ a: round, b: any }),
  contact: fc.record({ a: any, b: round }),
  'ray-cast': fc.record({ ray: fc.record({ origin: vector, direction: vector }), targets: fc.tuple(round) }),
  'time-of-impact': fc.record({ a: moving(round), b: moving(any), duration }),
  'shape-cast': fc.record({
    body: round,
    translation: vector,
    rotation: fc.oneof(still, vector),
    targets: fc.tuple(any),
    ignoreSeparating: fc.boolean(),
  }),
  support: fc.record({ body: round, direction: vector }),
  bounds: fc.record({ body: moving(round), duration }),
  mass: fc.record({
    shape: fc.constantFrom<ShapeType3d>('cylinder', 'cone', 'ellipsoid').chain((type) => shapeOf3d(type, strange)),
  }),
}

/** A word of JavaScript that is none of JSON's, a number that no double holds, or −0. */
const BROKEN = /[:[,](NaN|-?Infinity|-?\d[\d.]*[eE]\+?(309|3[1-9]\d|[4-9]\d\d)|-0[,}\]])/

it.each(Object.entries(REQUESTS))('%s', (op, requests) => {
  let answers = 0
  fc.assert(
    fc.property(requests, (request) => {
      const { result, steps } = countSteps(() =>
        answerer.answerQuery(op, Buffer.from(JSON.stringify(request)), 'r', null),
      )
      const text = Buffer.from(result.body).toString()
      expect(result.status, text).toBeLessThan(500)
      expect(BROKEN.test(text), text).toBe(false)
      expect(steps).toBeLessThan(MOST_STEPS)
      if (result.status === 200) answers++
    }),
    runs(300),
  )
  expect(faults).toEqual([])
  expect(answers).toBeGreaterThan(0)
})
