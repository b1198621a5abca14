import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({}, '3d')
})
afterAll(() => client.close())

const at = (x: number, y: number, z: number) => ({ position: { x, y, z } })
const box = { shape: { type: 'box', size: { x: 2, y: 2, z: 2 } } }
const CUBE = [-2, 2].flatMap((x) => [-2, 2].flatMap((y) => [-2, 2].map((z) => ({ x, y, z }))))
const FACES = [
  [0, 1, 3, 2],
  [0, 2, 6, 4],
  [0, 4, 5, 1],
  [1, 5, 7, 3],
  [2, 3, 7, 6],
  [4, 6, 7, 5],
]

describe('POST /v1/3d/minkowski', () => {
  it('adds and subtracts', async () => {
    const { status, body } = await client.post('minkowski', { a: box, b: box })
    expect(status).toBe(200)
    expect(body).toEqual({ vertices: CUBE, faces: FACES, radius: 0 })
    const ball = { shape: { type: 'sphere', radius: 3 }, ...at(10, 20, 30) }
    const point = { shape: { type: 'point' }, ...at(1, 2, 3) }
    expect((await client.post('minkowski', { a: point, b: ball })).body).toEqual({
      vertices: [{ x: 11, y: 22, z: 33 }],
      faces: [],
      radius: 3,
    })
    expect((await client.post('minkowski', { a: point, b: ball, operation: 'difference' })).body).toEqual({
      vertices: [{ x: -9, y: -18, z: -27 }],
      faces: [],
      radius: 3,
    })
  })

  it('takes the positions exactly: corners are rounded once', async () => {
    const speck = {
      shape: { type: 'segment', a: { x: 0, y: 0, z: 0 }, b: { x: 2 ** -53, y: 0, z: 0 } },
      ...at(1, 0, 0),
    }
    const { body } = await client.post('minkowski', { a: speck, b: { ...speck, ...at(-1, 0, 0) } })
    expect(body).toMatchObject({
      vertices: [
        { x: 0, y: 0, z: 0 },
        { x: 2 ** -52, y: 0, z: 0 },
      ],
    })
  })

  it.each([
    ['cylinder', { type: 'cylinder', radius: 1, height: 2 }],
    ['cone', { type: 'cone', radius: 1, height: 2 }],
    ['ellipsoid', { type: 'ellipsoid', radii: { x: 1, y: 2, z: 3 } }],
    ['halfspace', { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 }],
  ])('does not take a shape of type %s', async (type, shape) => {
    for (const [field, request] of [
      ['a', { a: { shape }, b: box }],
      ['b', { a: box, b: { shape } }],
    ] as const) {
      const { status, body } = await client.post('minkowski', request)
      expect(status).toBe(422)
      expect(body).toMatchObject({
        code: 'minkowski-shape-unsupported',
        errors: [{ pointer: `#/${field}/shape/type`, detail: expect.stringContaining(type) }],
      })
    }
  })

  it('says so where the answer has too many corners', async () => {
    const ring = (along: (c: number, s: number) => object) => ({
      shape: { type: 'hull', points: Array.from({ length: 600 }, (_, k) => along(Math.cos(k / 96), Math.sin(k / 96))) },
    })
    const request = { a: ring((x, y) => ({ x, y, z: 0 })), b: ring((x, z) => ({ x, y: 0, z })) }
    const { status, body } = await client.post('minkowski', request)
    expect(status).toBe(413)
    expect(body).toMatchObject({ code: 'too-many-vertices', detail: expect.stringContaining('131072') })
  })
})
