import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HullResponse } from '../../schemas/queries/hull.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({ MAX_VERTICES: '10' })
})
afterAll(() => client.close())

const points = (...numbers: number[]): Vec2[] =>
  Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] }))

async function hullOf(given: Vec2[]): Promise<Vec2[]> {
  const { status, body } = await client.post('hull', { points: given })
  expect(status).toBe(200)
  return (body as HullResponse).vertices
}

describe('POST /v1/2d/hull', () => {
  it('gives the corners counter-clockwise from the lowest of the leftmost', async () => {
    const given = points(4, 3, 0, 3, 2, 0, 4, 0, 1, 1, 0, 0, 0, 2, 4, 3)
    expect(await hullOf(given)).toEqual(points(0, 0, 4, 0, 4, 3, 0, 3))
  })

  it('tells a point from the line beside it by one unit in the last place', async () => {
    const line = points(0.1, 0.1, 0.9, 0.9, 0.1, 0.9)
    expect(await hullOf([...line, { x: 0.3, y: 0.3 }])).toEqual(line)
    const lower = { x: 0.3, y: 0.3 - 2 ** -54 }
    expect(await hullOf([...line, lower])).toEqual([line[0], lower, line[1], line[2]])
  })

  it('has two vertices for points on a line and one for a single point', async () => {
    expect(await hullOf(points(1, 1, 3, 3, 2, 2))).toEqual(points(1, 1, 3, 3))
    expect(await hullOf(points(5, 6, 5, 6))).toEqual(points(5, 6))
    expect(await hullOf(points(5, 6))).toEqual(points(5, 6))
  })

  it.each([
    [points(), 400, 'schema-violation', '#/points'],
    [points(0, 0, 1, 2e100), 422, 'coordinate-out-of-range', '#/points/1/y'],
    [points(...new Array(22).fill(0)), 413, 'too-many-vertices', '#/points'],
  ])('refuses %j', async (given, status, code, pointer) => {
    const answer = await client.post('hull', { points: given })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] })
    if (status === 413) expect(answer.body).toMatchObject({ limit: 10, actual: 11 })
  })
})
