import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MinkowskiResponse } from '../../schemas/queries/minkowski.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

async function ask(a: object, b: object, operation?: string): Promise<MinkowskiResponse> {
  const { status, body } = await client.post('minkowski', { a, b, operation })
  expect(status).toBe(200)
  return body as MinkowskiResponse
}

const at = (x: number, y: number) => ({ position: { x, y } })
const box = { shape: { type: 'box', width: 2, height: 2 } }
const ring = (...numbers: number[]) =>
  Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] }))
const triangle = { shape: { type: 'polygon', vertices: ring(0, 0, 0, 1, 1, 0) } }

describe('POST /v1/2d/minkowski', () => {
  it('adds', async () => {
    expect(await ask({ ...box, ...at(10, 0) }, { ...triangle, ...at(0, 5) }, 'sum')).toEqual({
      vertices: ring(9, 4, 12, 4, 12, 6, 11, 7, 9, 7),
      radius: 0,
    })
    expect(await ask(box, triangle)).toEqual(await ask(box, triangle, 'sum'))
  })

  it('subtracts, and merges parallel edges', async () => {
    expect(await ask({ ...box, ...at(10, 0) }, { ...triangle, ...at(0, 5) }, 'difference')).toEqual({
      vertices: ring(8, -6, 9, -7, 11, -7, 11, -4, 8, -4),
      radius: 0,
    })
    expect((await ask(box, box, 'difference')).vertices).toEqual(ring(-2, -2, 2, -2, 2, 2, -2, 2))
  })

  it('adds up the radii', async () => {
    const capsule = { shape: { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 0, y: 2 }, radius: 0.5 } }
    const rounded = { shape: { ...box.shape, radius: 0.25 } }
    const { vertices, radius } = await ask(rounded, capsule, 'sum')
    expect(radius).toBe(0.75)
    expect(vertices).toEqual(ring(-1, -1, 1, -1, 1, 3, -1, 3))
  })

  it('has one vertex for points and two for segments in line', async () => {
    const point = { shape: { type: 'point' }, ...at(1, 2) }
    const circle = { shape: { type: 'circle', radius: 3 }, ...at(10, 20) }
    expect(await ask(point, circle, 'sum')).toEqual({ vertices: ring(11, 22), radius: 3 })
    expect(await ask(point, circle, 'difference')).toEqual({ vertices: ring(-9, -18), radius: 3 })
    const segment = (x: number, y: number) => ({ shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x, y } } })
    expect((await ask(segment(0.1, 0.3), segment(0.2, 0.6), 'sum')).vertices).toHaveLength(2)
    expect((await ask(segment(1, 3), segment(-2, -6), 'sum')).vertices).toEqual(ring(-2, -6, 1, 3))
    expect((await ask(segment(1, 3), segment(1, 0), 'sum')).vertices).toEqual(ring(0, 0, 1, 0, 2, 3, 1, 3))
    expect((await ask(segment(1, 3), point, 'sum')).vertices).toEqual(ring(1, 2, 2, 5))
  })

  it('takes the position exactly: corners are rounded once', async () => {
    const speck = { shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x: 2 ** -53, y: 0 } }, ...at(1, 0) }
    const { vertices } = await ask(speck, speck, 'sum')
    expect(vertices).toEqual(ring(2, 0))
    const back = { shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x: 2 ** -53, y: 0 } }, ...at(-1, 0) }
    expect((await ask(speck, back, 'sum')).vertices).toEqual(ring(0, 0, 2 ** -52, 0))
  })

  it('leaves out corners that rounding has made collinear', async () => {
    const sliver = { shape: { type: 'polygon', vertices: ring(0, 0, 1, 0, 0.5, 2 ** -40) }, ...at(0, 2 ** 20) }
    expect((await ask(sliver, { shape: { type: 'point' } }, 'sum')).vertices).toEqual(ring(0, 2 ** 20, 1, 2 ** 20))
  })

  it.each([
    ['ellipse', { type: 'ellipse', rx: 1, ry: 2 }],
    ['halfplane', { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 }],
    ['chain', { type: 'chain', vertices: ring(0, 0, 1, 1) }],
    ['region', { type: 'region', outer: ring(0, 0, 1, 0, 0, 1) }],
    ['compound', { type: 'compound', children: [box] }],
  ])('does not take a shape of type %s', async (type, shape) => {
    for (const [field, request] of [
      ['a', { a: { shape }, b: box }],
      ['b', { a: box, b: { shape } }],
    ] as const) {
      const { status, body } = await client.post('minkowski', { ...request, operation: 'sum' })
      expect(status).toBe(422)
      expect(body).toMatchObject({
        code: 'minkowski-shape-unsupported',
        errors: [{ pointer: `#/${field}/shape/type` }],
      })
      expect((body as { detail: string }).detail).toContain(type)
    }
  })

  it('refuses what is no operation', async () => {
    const { status, body } = await client.post('minkowski', { a: box, b: box, operation: 'product' })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'schema-violation', errors: [{ pointer: '#/operation' }] })
  })
})
