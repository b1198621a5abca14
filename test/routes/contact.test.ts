import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ContactResponse } from '../../schemas/queries/contact.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

const floor = { shape: { type: 'box', width: 10, height: 1 } }
const crateAt = (y: number) => ({ shape: { type: 'box', width: 1, height: 1 }, position: { x: 2, y } })
const halfplane = (x: number, y: number, offset: number) => ({ shape: { type: 'halfplane', normal: { x, y }, offset } })

async function contact(request: object): Promise<ContactResponse> {
  const { status, body } = await client.post('contact', request)
  expect(status).toBe(200)
  return body as ContactResponse
}

describe('POST /v1/2d/contact', () => {
  it('gives depth, normal, two points with features and the translation that parts the pair', async () => {
    const { points, ...rest } = await contact({ a: floor, b: crateAt(0.875) })
    expect(rest).toEqual({
      touching: true,
      separation: -0.125,
      normal: { x: 0, y: 1 },
      translation: { x: 0, y: 0.125 },
      exact: true,
    })
    expect(points.map(({ position }) => position.x).sort()).toEqual([1.5, 2.5])
    for (const point of points) {
      expect(point.position.y).toBe(0.4375)
      expect(point.separation).toBe(-0.125)
      expect(point.feature.a).toEqual({ kind: 'edge', index: 2 })
    }
  })

  it('gives points of a pair that is apart only within maxDistance', async () => {
    const pair = { a: floor, b: crateAt(1.25) }
    const far = await contact({ ...pair, maxDistance: 0.125 })
    expect(far).toMatchObject({ touching: false, separation: 0.25, points: [], translation: { x: 0, y: 0 } })
    const near = await contact({ ...pair, maxDistance: 0.25 })
    expect(near.points).toHaveLength(2)
    expect(near.points[0].separation).toBe(0.25)
  })

  it('has no separation to give for half-planes that nothing parts', async () => {
    const answer = await contact({ a: halfplane(1, 0, 1), b: halfplane(0, 1, 1) })
    expect(answer).toMatchObject({ touching: true, separation: null, normal: null, points: [], translation: null })
  })
})
