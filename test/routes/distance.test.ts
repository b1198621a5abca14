import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

const square = { shape: { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 1, y: 1 } } }

describe('POST /v1/2d/distance', () => {
  it('gives the distance, the nearest points and the normal from A to B', async () => {
    const point = { shape: { type: 'point' }, position: { x: 4, y: 5 } }
    const { status, body } = await client.post('distance', { a: square, b: point })
    expect(status).toBe(200)
    expect(body).toEqual({
      distance: 5,
      pointA: { x: 1, y: 1 },
      pointB: { x: 4, y: 5 },
      normal: { x: 0.6, y: 0.8 },
    })
  })

  it('gives 0, a common point and no normal when the bodies overlap', async () => {
    const point = { shape: { type: 'point' }, position: { x: 0.5, y: 0.25 } }
    const { body } = await client.post('distance', { a: square, b: point })
    expect(body).toEqual({
      distance: 0,
      pointA: { x: 0.5, y: 0.25 },
      pointB: { x: 0.5, y: 0.25 },
      normal: null,
    })
  })
})
