import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Hull3dResponse } from '../../schemas/queries/hull.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { type Client, startClient } from '../support/services/client.ts'
import { cases3dPresent, readCases3d } from '../support/shared-cases-3d.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({ MAX_VERTICES: '300' }, '3d')
})
afterAll(() => client.close())

const vector = ([x, y, z]: readonly number[]): Vec3 => ({ x, y, z })
const CUBE = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => vector([k >> 2, (k >> 1) & 1, k & 1]))

async function hullOf(points: Vec3[]): Promise<Hull3dResponse> {
  const { status, body } = await client.post('hull', { points })
  expect(status).toBe(200)
  return body as Hull3dResponse
}

describe('POST /v1/3d/hull', () => {
  it('gives corners in order, merged faces, volume and area', async () => {
    const { x, y, z } = CUBE[7]
    const given = [...CUBE.toReversed(), vector([0.5, 0.5, 0.5]), vector([0.5, 0, 0.5]), { x, y, z }]
    expect(await hullOf(given)).toEqual({
      vertices: CUBE,
      faces: [
        [0, 1, 3, 2],
        [0, 2, 6, 4],
        [0, 4, 5, 1],
        [1, 5, 7, 3],
        [2, 3, 7, 6],
        [4, 6, 7, 5],
      ],
      volume: 1,
      area: 6,
    })
  })

  it('tells a point on a face from one that is a unit in the last place outside', async () => {
    expect((await hullOf([...CUBE, vector([0.5, 0.5, 1])])).vertices).toHaveLength(8)
    const above = vector([0.5, 0.5, 1 + 2 ** -52])
    expect((await hullOf([...CUBE, above])).vertices).toContainEqual(above)
  })

  it('has one face for points in a plane, none for those on a line', async () => {
    const [a, b, c, d] = CUBE
    expect(await hullOf([a, b, c, d])).toEqual({ vertices: [a, b, c, d], faces: [[0, 1, 3, 2]], volume: 0, area: 2 })
    expect(await hullOf([a, b])).toEqual({ vertices: [a, b], faces: [], volume: 0, area: 0 })
    expect(await hullOf([b, b])).toEqual({ vertices: [b], faces: [], volume: 0, area: 0 })
  })

  it.each([
    ['no points', [], 400, 'schema-violation', '#/points'],
    ['what is out of range', [CUBE[0], { x: 0, y: 0, z: -2e100 }], 422, 'coordinate-out-of-range', '#/points/1/z'],
    ['too many', new Array(301).fill(CUBE[1]), 413, 'too-many-vertices', '#/points'],
  ])('refuses %s', async (_name, points, status, code, pointer) => {
    const answer = await client.post('hull', { points })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] })
  })

  it('is drawn for those who ask for a picture', async () => {
    const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
    const payload = { points: CUBE }
    const ask = async (accept: string) =>
      (await app.inject({ method: 'POST', url: '/v1/3d/hull', headers: { accept }, payload })).headers['content-type']
    expect(await ask('image/svg+xml')).toMatch('image/svg+xml')
    expect(await ask('*/*')).toMatch('application/json')
    expect((await client.post('hull?yDown=true', payload)).body).toMatchObject({
      status: 400,
      code: 'schema-violation',
    })
    await app.close()
  })
})

describe.skipIf(!cases3dPresent)('the shared cases (skipped where ../shared/cases3d is not there)', () => {
  it.each(cases3dPresent ? readCases3d('hull') : [])('$id', async ({ points, expect: expected, tol }) => {
    const { vertices, faces, volume } = await hullOf(points.map(vector))
    const listed = (list: readonly Vec3[]) => list.map(({ x, y, z }) => [x + 0, y + 0, z + 0].join()).sort()
    expect(listed(vertices)).toEqual(listed(expected.vertices.map(vector)))
    expect(Math.abs(volume - expected.volume)).toBeLessThanOrEqual(tol.volume ?? 0)
    if (expected.faces !== undefined) expect(faces).toHaveLength(expected.faces)
  })
})
