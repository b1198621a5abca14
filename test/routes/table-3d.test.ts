import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MovingBody3d } from '../../schemas/shapes3d.ts'
import { UNIFORM } from '../support/families/arbitraries.ts'
import { bodyOf3d, SHAPE_TYPES_3D } from '../support/families/arbitrary-shapes-3d.ts'
import { runs } from '../support/runs.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
let roomy: Client
beforeAll(async () => {
  client = await startClient({ MAX_BODIES: '5', MAX_CELLS: '12' }, '3d')
  roomy = await startClient({}, '3d')
})
afterAll(() => Promise.all([client.close(), roomy.close()]))

const ball = (x: number): MovingBody3d => ({ shape: { type: 'sphere', radius: 1 }, position: { x, y: 0, z: 0 } })
const hull = (count: number): MovingBody3d => ({
  shape: {
    type: 'hull',
    points: Array.from({ length: count }, (_, k) => ({ x: Math.cos(k), y: Math.sin(k), z: k % 2 })),
  },
})

describe('POST /v1/3d/table', () => {
  it('gives rows for a and columns for b, whichever is longer', async () => {
    const request = { a: [ball(0), ball(3)], b: [ball(1), ball(4), ball(9)], measure: 'distance' }
    const values = [
      [0, 2, 7],
      [0, 0, 4],
    ]
    expect((await client.post('table', request)).body).toEqual({ measure: 'distance', values })
    const { body } = await client.post('table', { a: request.b, b: request.a, measure: 'distance' })
    expect(body).toEqual({ measure: 'distance', values: [0, 1, 2].map((j) => [values[0][j], values[1][j]]) })
  })

  it('says what the queries say about each pair', async () => {
    const body = fc.constantFrom(...SHAPE_TYPES_3D).chain((type) => bodyOf3d(type, UNIFORM))
    const list = fc.array(body, { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(list, list, async (a, b) => {
        for (const [measure, op, field] of [
          ['overlap', 'overlap', 'overlap'],
          ['distance', 'distance', 'distance'],
          ['separation', 'contact', 'separation'],
        ]) {
          const table = await client.post('table', { a, b, measure })
          if (table.status !== 200) continue
          const { values } = table.body as { values: unknown[][] }
          for (const [i, row] of values.entries())
            for (const [j, value] of row.entries())
              expect(value).toBe(((await client.post(op, { a: a[i], b: b[j] })).body as Record<string, unknown>)[field])
        }
      }),
      runs(40),
    )
  })

  it('gives the times at which moving bodies first touch, the same as time-of-impact does', async () => {
    const moving = { ...ball(0), velocity: { x: 1, y: 0, z: 0 } }
    const turning = { shape: { type: 'box', size: { x: 4, y: 1, z: 1 } }, angularVelocity: { x: 0, y: 0, z: 2 } }
    const cone = { shape: { type: 'cone', radius: 1, height: 1 }, position: { x: 0, y: 2, z: 0 } }
    const a = [moving, { ...ball(9), velocity: { x: -2, y: 0, z: 0 } }]
    const b = [ball(4), ball(-4)]
    const options = { measure: 'time-of-impact', duration: 3 }
    const { status, body } = await client.post('table', { a, b, ...options })
    expect({ status, body }).toMatchObject({ status: 200, body: { measure: 'time-of-impact' } })
    const { values } = body as { values: (number | null)[][] }
    expect(values).toEqual([
      [2, null],
      [1.5, null],
    ])
    const more = await roomy.post('table', { a: [cone], b: [a[1], turning], ...options })
    for (const [j, other] of [a[1], turning].entries()) {
      const { time } = (await client.post('time-of-impact', { a: cone, b: other, duration: 3 })).body as {
        time: number
      }
      expect((more.body as { values: unknown[][] }).values[0][j]).toBe(time)
      expect(time === null).toBe(j === 0)
    }
    const turned = await client.post('table', { a: b, b: a, ...options })
    expect(turned.body).toMatchObject({ values: [0, 1].map((j) => [0, 1].map((i) => values[i][j])) })
    const batch = await client.post('batch', { queries: [{ op: 'table', a, b, ...options }] })
    expect(batch.body).toMatchObject({ results: [{ op: 'table', measure: 'time-of-impact', values }] })
  })

  it('lets touching bodies part where that is asked for', async () => {
    const leaving = { ...ball(2), velocity: { x: 1, y: 0, z: 0 } }
    const request = { a: [ball(0)], b: [leaving], measure: 'time-of-impact', duration: 1 }
    expect((await client.post('table', request)).body).toMatchObject({ values: [[0]] })
    expect((await client.post('table', { ...request, ignoreSeparating: true })).body).toMatchObject({
      values: [[null]],
    })
  })

  it.each<[object, number, string, string]>([
    [{ measure: 'time-of-impact' }, 400, 'schema-violation', '#/duration'],
    [{ measure: 'time-of-impact', duration: -1 }, 400, 'schema-violation', '#/duration'],
    [{ measure: 'time-of-impact', duration: 2e100 }, 422, 'coordinate-out-of-range', '#/duration'],
    [{ measure: 'distance', duration: 1 }, 400, 'schema-violation', '#/duration'],
    [{ measure: 'overlap', ignoreSeparating: true }, 400, 'schema-violation', '#/ignoreSeparating'],
    [
      { measure: 'overlap', b: [{ ...ball(0), angularVelocity: { x: 2e100, y: 0, z: 0 } }] },
      422,
      'coordinate-out-of-range',
      '#/b/0/angularVelocity/x',
    ],
  ])('refuses %j', async (options, status, code, pointer) => {
    const answer = await client.post('table', { a: [ball(0)], b: [ball(3)], ...options })
    expect(answer).toMatchObject({ status, body: { code, errors: [{ pointer }] } })
  })

  it.each<[string, object, number]>([
    ['moving', { velocity: { x: 1, y: 0, z: 0 } }, 13],
    ['turning', { angularVelocity: { x: 0, y: 0, z: 1 } }, 200],
  ])('counts cells of bodies %s as several', async (_, motion, actual) => {
    const body = { ...hull(200), ...motion }
    const rest = await client.post('table', { a: [body], b: [body], measure: 'distance' })
    expect(rest.status).toBe(200)
    const answer = await client.post('table', { a: [body], b: [body], measure: 'time-of-impact', duration: 1 })
    expect(answer).toMatchObject({ status: 413, body: { code: 'too-many-cells', limit: 12, actual } })
  })

  it.each([
    [new Array(6).fill(ball(0)), [ball(0)], 'too-many-bodies', '#/a'],
    [new Array(4).fill(ball(0)), new Array(4).fill(ball(0)), 'too-many-cells', '#/a'],
    [new Array(5).fill(hull(400)), [ball(0), ball(1)], 'too-many-cells', '#/a'],
    [
      [ball(0)],
      [ball(1), { shape: { type: 'point' }, position: { x: 0, y: 0, z: 2e100 } }],
      'coordinate-out-of-range',
      '#/b/1/position/z',
    ],
  ])('refuses what is too much or wrong: %#', async (a, b, code, pointer) => {
    const { body } = await client.post('table', { a, b, measure: 'overlap' })
    expect(body).toMatchObject({ code })
    expect((body as { errors: { pointer: string }[] }).errors[0].pointer).toBe(pointer)
  })
})
