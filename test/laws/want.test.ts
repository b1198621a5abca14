// How much of an impact a request wants: with less, everything that is still there is the same to the last bit, and the rest is null.
// The queries that take `want` are found by their schemas, the kinds of bodies by their types.

import type { TObject } from '@sinclair/typebox'
import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig, queryLimits } from '../../src/config.ts'
import type { Want } from '../../src/core/want.ts'
import type { Dimension } from '../../src/queries/ask/query.ts'
import { sceneQueries } from '../../src/queries/scenes/all.ts'
import { catalogues } from '../../src/queries/stateless/all.ts'
import { isProblem } from '../../src/wire/decode-problem.ts'
import { GRID, SHAPE_TYPES, type ShapeType, shapeOf, UNIFORM, vec2 } from '../support/families/arbitraries.ts'
import { bodyOf3d, SHAPE_TYPES_3D, type ShapeType3d, vec3 } from '../support/families/arbitrary-shapes-3d.ts'
import { chainShape, compoundShape, hasAabb, regionCase } from '../support/families/composite-arbitraries.ts'
import { runs } from '../support/runs.ts'
import { type Client, startClient } from '../support/services/client.ts'
import { type SceneClient, startScenes } from '../support/services/scene-client.ts'

const LIMITS = queryLimits(loadConfig({}))
const LESS = ['time', 'contact'] as const satisfies Want[]
const CONTACT_FIELDS = ['normal', 'pointA', 'pointB', 'point', 'feature']
const EXIT_FIELDS = ['exitTime', 'exit']

// biome-ignore lint/suspicious/noExplicitAny: answers of every kind
type Answer = any

/** Of an answer that wants everything: what is left of it. */
function lessOf(answer: Answer, want: Want): Answer {
  if (answer === null || typeof answer !== 'object') return answer
  if (Array.isArray(answer)) return answer.map((each) => lessOf(each, want))
  const left = Object.entries(answer).map(([name, value]) => {
    const isWanted = !EXIT_FIELDS.includes(name) && (want === 'contact' || !CONTACT_FIELDS.includes(name))
    return [name, isWanted ? lessOf(value, want) : null]
  })
  return Object.fromEntries(left)
}

/** Compares to the last bit. A search that was cut short on its way to the exit is not cut short where no exit is wanted. */
function expectLess(found: Answer, all: Answer, want: Want): void {
  const text = (answer: Answer) => JSON.stringify(answer)
  const expected = text(lessOf(all, want))
  if (text(found) === expected) return
  if (text(all).includes('iteration-limit')) {
    const ended = (line: string) => line.replaceAll('iteration-limit', 'converged')
    expect(ended(text(found))).toBe(ended(expected))
  } else expect(text(found)).toBe(expected)
}

const takesWant = ({ request }: { request: TObject }) => 'want' in request.properties
const DIMENSIONS = ['2d', '3d'] as const
const STATELESS = DIMENSIONS.flatMap((dimension) =>
  catalogues[dimension].queries.filter(takesWant).map(({ op }) => [dimension, op] as const),
)
const OF_SCENES = sceneQueries.filter(takesWant).map(({ op }) => op)

it('is a field of these queries', () => {
  expect(STATELESS.map((each) => each.join(' '))).toEqual(
    DIMENSIONS.flatMap((dimension) => [`${dimension} time-of-impact`, `${dimension} shape-cast`]),
  )
  expect([...OF_SCENES].sort()).toEqual(['shape-cast', 'time-of-impact'])
})

type Kind2d = ShapeType | 'chain' | 'region' | 'compound'
const KINDS = { '2d': [...SHAPE_TYPES, 'chain', 'region', 'compound'] as Kind2d[], '3d': SHAPE_TYPES_3D }

function body2d(kind: Kind2d): Arbitrary<object> {
  return fc.constantFrom(GRID, UNIFORM).chain((source) => {
    const shape = {
      chain: () => chainShape(source),
      region: () => regionCase(source).map(({ region }) => region),
      compound: () => compoundShape(source),
    }
    const made = kind in shape ? shape[kind as keyof typeof shape]() : shapeOf(kind as ShapeType, source)
    const rotation = fc.constantFrom(0, 0, Math.PI / 2, 0.7)
    return fc
      .record({ shape: made, position: vec2(source), rotation })
      .map((body) => (hasAabb(body.shape) ? { ...body, rotation: 0 } : body))
  })
}

const body = (dimension: Dimension, kind: string): Arbitrary<object> =>
  dimension === '2d' ? body2d(kind as Kind2d) : bodyOf3d(kind as ShapeType3d, GRID)
const vector = (dimension: Dimension) => (dimension === '2d' ? vec2(GRID) : vec3(GRID))
const ZERO = { x: 0, y: 0, z: 0 }
/** None in two of three cases. */
const turn = (dimension: Dimension): Arbitrary<unknown> => {
  const none = dimension === '2d' ? fc.constant(0) : fc.constant(ZERO)
  return fc.oneof(
    { weight: 2, arbitrary: none },
    { weight: 1, arbitrary: dimension === '2d' ? GRID.coordinate : vec3(GRID) },
  )
}

/** Two bodies and how they move. */
interface Pair {
  a: object
  b: object
  velocity: object
  spin: unknown
  ignoreSeparating: boolean
}

const pairOf = (dimension: Dimension, kindA: string, kindB: string): Arbitrary<Pair> =>
  fc.record({
    a: body(dimension, kindA),
    b: body(dimension, kindB),
    velocity: vector(dimension),
    spin: turn(dimension),
    ignoreSeparating: fc.boolean(),
  })

const moving = ({ b, velocity, spin }: Pair) => ({ ...b, velocity, angularVelocity: spin })

function requestOf(op: string, pair: Pair): object {
  const { a, b, velocity, spin, ignoreSeparating } = pair
  return op === 'shape-cast'
    ? { body: b, translation: velocity, rotation: spin, targets: [a, b], mode: 'all', ignoreSeparating }
    : { a, b: moving(pair), duration: 2, ignoreSeparating }
}

const clients = new Map<Dimension, Client>()
let scenes: SceneClient
beforeAll(async () => {
  for (const dimension of DIMENSIONS) clients.set(dimension, await startClient({}, dimension))
  scenes = await startScenes()
})
afterAll(async () => {
  for (const client of clients.values()) await client.close()
  await scenes.close()
})

describe.each(DIMENSIONS)('%s', (dimension) => {
  const client = () => clients.get(dimension) as Client
  const asked = catalogues[dimension].queries.filter(takesWant)
  const ops = asked.map(({ op }) => op)

  describe.each(KINDS[dimension])('%s', (kindA) => {
    it.each(KINDS[dimension])('and %s', (kindB) => {
      fc.assert(
        fc.property(pairOf(dimension, kindA, kindB), (pair) => {
          for (const { op, answer } of asked) {
            const request = requestOf(op, pair)
            const all: Answer = answer(request, LIMITS)
            expect(JSON.stringify(answer({ ...request, want: 'exit' }, LIMITS))).toBe(JSON.stringify(all))
            for (const want of LESS) {
              const found: Answer = answer({ ...request, want }, LIMITS)
              // A tilted box, or a shape that is none, whatever is wanted.
              if (isProblem(all)) expect(found).toEqual(all)
              else expectLess(found, all, want)
            }
          }
        }),
        { ...runs(10), endOnFailure: true },
      )
    })
  })

  const anyPair = fc
    .tuple(fc.constantFrom(...KINDS[dimension]), fc.constantFrom(...KINDS[dimension]))
    .chain(([kindA, kindB]) => pairOf(dimension, kindA, kindB))

  it.each(ops)('%s by itself answers as in a batch', async (op) => {
    await fc.assert(
      fc.asyncProperty(anyPair, fc.constantFrom(...LESS, 'exit'), async (pair, want) => {
        const request = { ...requestOf(op, pair), want }
        const single = await client().post(op, request)
        const { body } = await client().post('batch', { queries: [{ op, ...request }] })
        const [result] = (body as { results: Answer[] }).results
        if (single.status !== 200) expect(result.op).toBe('problem')
        else expect(JSON.stringify(result)).toBe(JSON.stringify({ op, ...(single.body as object) }))
      }),
      runs(200),
    )
  })

  it('a table of times holds the time alone', async () => {
    await fc.assert(
      fc.asyncProperty(anyPair, async (pair) => {
        const { a, ignoreSeparating } = pair
        const more = { duration: 2, ignoreSeparating }
        const request = { a, b: moving(pair), ...more, want: 'time' }
        const single = await client().post('time-of-impact', request)
        if (single.status !== 200) return
        const { body } = await client().post('table', { a: [a], b: [moving(pair)], measure: 'time-of-impact', ...more })
        expect((body as Answer).values).toEqual([[(single.body as Answer).time]])
      }),
      runs(200),
    )
  })

  it.each(ops)('%s refuses what it does not know, and what is empty', async (op) => {
    const [pair] = fc.sample(pairOf(dimension, 'point', 'point'), 1)
    for (const want of ['', 'all', 'Time', null, [], ['time'], 0]) {
      const { status, body } = await client().post(op, { ...requestOf(op, pair), want })
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'schema-violation', errors: [{ pointer: '#/want' }] })
    }
  })
})

describe('a scene', () => {
  const anyBody = fc.constantFrom(...KINDS['2d']).chain(body2d)
  const sceneBodies = fc
    .array(fc.record({ body: anyBody, velocity: vec2(GRID), angularVelocity: turn('2d') }), {
      minLength: 2,
      maxLength: 6,
    })
    .map((list) => list.map(({ body, ...motion }, i) => ({ id: `body-${i}`, ...body, ...motion })))

  const sceneRequest = (op: string, bodyId: string) =>
    op === 'shape-cast' ? { bodyId, translation: { x: 3, y: 2 }, rotation: 1, mode: 'all' } : { duration: 2 }

  it.each(OF_SCENES)('answers %s with what is wanted, by itself and in a batch', async (op) => {
    await fc.assert(
      fc.asyncProperty(sceneBodies, fc.boolean(), async (list, ignoreSeparating) => {
        const id = await scenes.createScene(list)
        const request = { ...sceneRequest(op, list[0].id), ignoreSeparating }
        const all = await scenes.send('POST', `/${id}/${op}`, request)
        expect(all.status).toBe(200)
        for (const want of LESS) {
          const { body } = await scenes.send('POST', `/${id}/${op}`, { ...request, want })
          expectLess(body, all.body, want)
          const batch = await scenes.send('POST', `/${id}/batch`, { queries: [{ op, ...request, want }] })
          expect(JSON.stringify(batch.body.results[0])).toBe(JSON.stringify({ op, ...body }))
        }
        const wrong = await scenes.send('POST', `/${id}/${op}`, { ...request, want: '' })
        expect(wrong).toMatchObject({
          status: 400,
          body: { code: 'schema-violation', errors: [{ pointer: '#/want' }] },
        })
      }),
      { ...runs(200), endOnFailure: true },
    )
  })
})
