import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DecomposeResponse } from '../../schemas/queries/decompose.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({ MAX_VERTICES: '5000' })
})
afterAll(() => client.close())

const points = (...numbers: number[]): Vec2[] =>
  Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] }))

async function decompose(outer: Vec2[], rest: object, holes?: Vec2[][]): Promise<DecomposeResponse> {
  const region = { type: 'region', outer, ...(holes === undefined ? {} : { holes }) }
  const { status, body } = await client.post('decompose', { region, ...rest })
  expect({ status, problem: status === 200 ? null : body }).toEqual({ status: 200, problem: null })
  return body as DecomposeResponse
}

const square = points(0, 0, 4, 0, 4, 4, 0, 4)
const middle = points(1, 1, 3, 1, 3, 3, 1, 3)

describe('POST /v1/2d/decompose', () => {
  it('leaves a convex region as it is, without its collinear vertices', async () => {
    const pieces = [points(0, 0, 4, 0, 4, 4, 0, 4)]
    const given = points(4, 4, 0, 4, 0, 2, 0, 0, 0, 0, 4, 0)
    expect(await decompose(given, { method: 'exact' })).toEqual({ pieces, area: 16, error: 0 })
    expect(await decompose(given, {})).toEqual({ pieces, area: 16, error: 0 })
    expect((await decompose(given, { method: 'triangles' })).pieces).toHaveLength(3)
  })

  it('cuts an L in two, clockwise or not', async () => {
    const pieces = [points(0, 0, 4, 0, 4, 1, 1, 1), points(0, 0, 1, 1, 1, 4, 0, 4)]
    const given = points(0, 0, 4, 0, 4, 1, 1, 1, 1, 4, 0, 4)
    for (const outer of [given, [...given].reverse()]) {
      const answer = await decompose(outer, { method: 'exact' })
      expect(answer).toMatchObject({ area: 7, error: 0 })
      expect(answer.pieces).toHaveLength(2)
      expect(answer.pieces).toEqual(expect.arrayContaining(pieces))
    }
  })

  it('leaves holes open', async () => {
    const exact = await decompose(square, { method: 'exact' }, [middle])
    expect(exact).toMatchObject({ area: 12, error: 0 })
    expect(exact.pieces).toHaveLength(4)
    const triangles = await decompose(square, { method: 'triangles' }, [middle])
    expect(triangles.pieces).toHaveLength(8)
    const whole = { pieces: [points(0, 0, 4, 0, 4, 4, 0, 4)], area: 12, error: 4 }
    expect(await decompose(square, { method: 'approximate', maxPieces: 1 }, [middle])).toEqual(whole)
    expect(await decompose(square, { method: 'approximate' }, [middle])).toEqual(exact)
  })

  it('takes rings that touch, and gives nothing where there is no area', async () => {
    const diamond = points(2, 0, 4, 2, 2, 4, 0, 2)
    const { pieces } = await decompose(square, { method: 'exact' }, [diamond])
    expect(pieces).toHaveLength(4)
    expect(pieces.every((piece) => piece.length === 3)).toBe(true)
    const flat = await decompose(points(0, 0, 2, 2, 4, 4), { method: 'triangles' })
    expect(flat).toEqual({ pieces: [], area: 0, error: 0 })
  })

  it('gives pieces that polygons take', async () => {
    const circle = Array.from({ length: 3000 }, (_, i) => {
      const angle = (2 * Math.PI * i) / 3000
      return { x: 1e6 * Math.cos(angle), y: 1e6 * Math.sin(angle) }
    })
    const notched = [...circle.slice(0, 2900), { x: 0, y: 0 }]
    const { pieces } = await decompose(notched, { method: 'exact' })
    expect(pieces.length).toBeLessThanOrEqual(5)
    for (const vertices of pieces) {
      expect(vertices.length).toBeLessThanOrEqual(1024)
      const answer = await client.post('support', {
        body: { shape: { type: 'polygon', vertices } },
        direction: { x: 1, y: 0 },
      })
      expect(answer.status).toBe(200)
    }
  })

  it.each([
    [{ type: 'region', outer: points(0, 0, 1, 1, 1, 0, 0, 1) }, 422, 'region-self-intersecting', '#/region/outer/0'],
    [
      { type: 'region', outer: square, holes: [points(5, 5, 6, 5, 5, 6)] },
      422,
      'region-hole-misplaced',
      '#/region/holes/0',
    ],
    [{ type: 'region', outer: points(0, 0, 1, 0, 0, 2e100) }, 422, 'coordinate-out-of-range', '#/region/outer/2/y'],
    [{ type: 'region', outer: points(...new Array(10_002).fill(0)) }, 413, 'too-many-vertices', '#/region/outer'],
    [{ type: 'circle', radius: 1 }, 400, 'schema-violation', '#/region'],
  ])('refuses %#', async (region, status, code, pointer) => {
    for (const method of ['exact', 'triangles', 'approximate']) {
      const answer = await client.post('decompose', { region, method })
      expect(answer.status).toBe(status)
      expect(answer.body).toMatchObject({ code })
      const [{ pointer: place }] = (answer.body as { errors: { pointer: string }[] }).errors
      expect(place.startsWith(pointer)).toBe(true)
      if (status === 413) expect(answer.body).toMatchObject({ limit: 5000, actual: 5001 })
    }
  })

  it.each([
    [{ method: 'approximate', maxPieces: 0 }, '#/maxPieces'],
    [{ method: 'bayazit' }, '#/method'],
    [{ method: 'exact', pieces: 3 }, '#/pieces'],
  ])('refuses %j', async (rest, pointer) => {
    const answer = await client.post('decompose', { region: { type: 'region', outer: square }, ...rest })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 'schema-violation', errors: [{ pointer }] })
  })
})
