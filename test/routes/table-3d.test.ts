import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Body3d } from '../../schemas/shapes3d/body.ts'
import { UNIFORM } from '../support/families/arbitraries.ts'
import { bodyOf3d, SHAPE_TYPES_3D } from '../support/families/arbitrary-shapes-3d.ts'
import { runs } from '../support/runs.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({ MAX_BODIES: '5', MAX_CELLS: '12' }, '3d')
})
afterAll(() => client.close())

const ball = (x: number): Body3d => ({ shape: { type: 'sphere', radius: 1 }, position: { x, y: 0, z: 0 } })
const hull = (count: number): Body3d => ({
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
