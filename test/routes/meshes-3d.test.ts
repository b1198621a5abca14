import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({ MAX_VERTICES: '1000' }, '3d')
})
afterAll(() => client.close())

const LEAF = { type: 'mesh', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] }
const GRID = { type: 'heightfield', heights: [0, 1, 2, null, 4, 5], columns: 3, cellSize: { x: 1, z: 1 } }
const ball = { type: 'sphere', radius: 1 }
const away = { x: 9, y: 0, z: 0 }
const nested = (depth: number): object =>
  depth === 0 ? ball : { type: 'compound', children: [{ shape: nested(depth - 1) }] }

async function findingsOf(shape: object) {
  const { status, body } = await client.post('validate', { shape })
  expect(status).toBe(200)
  return (body as { findings: { kind: string; outcome: string; pointers: string[] }[] }).findings.map(
    ({ kind, outcome, pointers }) => [kind, outcome, pointers[0]],
  )
}

describe('POST /v1/3d/validate', () => {
  it.each([
    [LEAF, []],
    [GRID, []],
    [{ ...LEAF, triangles: [0, 1, 2, 1, 1, 2] }, [['degenerate', 'accepted', '#/shape/triangles/3']]],
    [{ ...LEAF, triangles: [0, 1, 3] }, [['index-out-of-range', 'refused', '#/shape/triangles/2']]],
    [{ ...LEAF, groups: [] }, [['misshapen', 'refused', '#/shape/groups']]],
    [{ ...GRID, columns: 5 }, [['misshapen', 'refused', '#/shape/heights']]],
    [
      { type: 'compound', children: [{ shape: ball }, { shape: { ...LEAF, triangles: [0, 9, 1] }, position: away }] },
      [['index-out-of-range', 'refused', '#/shape/children/1/shape/triangles/1']],
    ],
    [
      { type: 'compound', children: [{ shape: ball, orientation: { x: 1, y: 1, z: 0, w: 0 } }] },
      [['orientation-not-unit', 'refused', '#/shape/children/0/orientation']],
    ],
  ])('tells what is with %j', async (shape, expected) => {
    expect(await findingsOf(shape)).toEqual(expected)
  })

  it('draws meshes, height fields and compounds, right or wrong', async () => {
    const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
    for (const shape of [
      LEAF,
      GRID,
      { ...LEAF, triangles: [0, 1, 77, 0] },
      { ...LEAF, vertices: [0, 0, 0, 1] },
      { ...GRID, columns: 5 },
      { type: 'compound', children: [{ shape: GRID, position: away }, { shape: ball }] },
    ]) {
      const { statusCode, body } = await app.inject({
        method: 'POST',
        url: '/v1/3d/validate',
        headers: { accept: 'image/svg+xml' },
        payload: { shape },
      })
      expect([statusCode, body.includes('<svg'), body.includes('NaN')]).toEqual([200, true, false])
    }
    await app.close()
  })
})

it.each(['{"queries":[QUERY]}', '{"queries":[QUERY,QUERY]}'])(
  'answers references to shapes that are not kept in %s',
  async (batch) => {
    const id = `sha256-${'4'.repeat(64)}`
    const query = { a: { shape: ball }, b: { shape: { type: 'compound', children: [{ shape: { type: 'ref', id } }] } } }
    const one = await client.post('overlap', query)
    const problem = { code: 'shape-unknown', shape: id, errors: [{ pointer: '#/b/shape/children/0/shape/id' }] }
    expect([one.status, one.body]).toMatchObject([422, problem])
    const text = JSON.stringify({ op: 'overlap', ...query })
    const many = await client.post('batch', JSON.parse(batch.replaceAll('QUERY', text)))
    const { results } = many.body as { results: object[] }
    expect(results.at(-1)).toMatchObject({
      ...problem,
      errors: [{ pointer: expect.stringMatching(/^#\/queries\/\d\/b\//) }],
    })
  },
)

it('refuses compounds that are nested too deep', async () => {
  const { status, body } = await client.post('validate', { shape: nested(9) })
  expect([status, (body as { code: string }).code]).toEqual([422, 'compound-too-deep'])
  expect((await client.post('validate', { shape: nested(8) })).status).toBe(200)
})

describe('queries about one body', () => {
  const TETRAHEDRON = {
    type: 'mesh',
    vertices: [0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4],
    triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
    solid: true,
    groups: [5, 6, 7, 8],
  }
  const inCompound = {
    shape: { type: 'compound', children: [{ shape: ball, position: away }, { shape: TETRAHEDRON }] },
  }

  it('name the triangle that a ray hits, the place on it, its group, and the child', async () => {
    const ray = { origin: { x: 1, y: 2, z: -3 }, direction: { x: 0, y: 0, z: 1 } }
    const { body } = await client.post('ray-cast', {
      ray,
      targets: [{ shape: ball, position: { x: 9, y: 9, z: 9 } }, inCompound],
    })
    expect(body).toMatchObject({
      hits: [
        {
          target: 1,
          distance: 3,
          normal: { x: 0, y: 0, z: -1 },
          feature: { kind: 'face', triangle: 0, barycentric: { u: 0.25, v: 0.5, w: 0.25 }, group: 5, path: [1] },
          exit: { distance: 4 },
        },
      ],
    })
  })

  it('bound, support and weigh', async () => {
    expect((await client.post('bounds', { body: inCompound })).body).toEqual({
      min: { x: 0, y: -1, z: -1 },
      max: { x: 10, y: 4, z: 4 },
    })
    expect((await client.post('support', { body: inCompound, direction: { x: 0, y: 1, z: 0 } })).body).toMatchObject({
      point: { x: 0, y: 4, z: 0 },
      feature: { kind: 'vertex', vertices: [2], path: [1] },
    })
    const { body } = await client.post('mass', { shape: TETRAHEDRON, density: 3 })
    expect(body).toMatchObject({ mass: 32, centroid: { x: 1, y: 1, z: 1 } })
    expect((await client.post('mass', { shape: GRID })).body).toMatchObject({ volume: 0, mass: 0 })
    const ground = { shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 } }
    expect(
      (await client.post('mass', { shape: { type: 'compound', children: [{ shape: ball }, ground] } })).body,
    ).toMatchObject({
      code: 'shape-unbounded',
      errors: [{ pointer: '#/shape/children/1/shape/type' }],
    })
  })
})

describe('pairs with meshes and compounds', () => {
  const quads = [
    [0, 3, 2, 1],
    [4, 5, 6, 7],
    [0, 1, 5, 4],
    [1, 2, 6, 5],
    [2, 3, 7, 6],
    [3, 0, 4, 7],
  ]
  const cube = {
    type: 'mesh',
    solid: true,
    vertices: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1],
    triangles: quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
    groups: quads.flatMap((_, side) => [side, side]),
  }
  const block = { shape: { type: 'box', size: { x: 1, y: 1, z: 1 } }, position: { x: 5, y: 0, z: 0 } }
  const both = { type: 'compound', children: [block, { shape: cube }] }
  const at = (shape: object, x: number, y: number, z: number) => ({ shape, position: { x, y, z } })
  const small = { type: 'sphere', radius: 0.5 }
  const onTop = { kind: 'face', group: 4, path: [1] }

  it('meet where they meet, and nowhere beside it', async () => {
    for (const [y, separation] of [
      [1.5, 0],
      [1.25, -0.25],
    ]) {
      const { body } = await client.post('contact', { a: { shape: both }, b: at(small, 0.25, y, 0.5) })
      const { points } = body as { points: { position: object; feature: { a: object } }[] }
      expect(body).toMatchObject({ touching: true, separation, normal: { x: 0, y: 1, z: 0 } })
      expect(points.map(({ position }) => position)).toEqual([{ x: 0.25, y: 1 + separation / 2, z: 0.5 }])
      expect(points[0].feature).toMatchObject({ a: onTop, b: { kind: 'surface', vertices: [] } })
    }
    const box = { type: 'box', size: { x: 0.5, y: 0.5, z: 0.5 } }
    const { body } = await client.post('contact', { a: { shape: both }, b: at(box, 0.5, 1.25, 0.5) })
    const corners = (body as { points: { position: { x: number; z: number } }[] }).points.map(
      ({ position }) => position,
    )
    expect(corners.map(({ x, z }) => [x, z]).sort()).toEqual([
      [0.25, 0.25],
      [0.25, 0.75],
      [0.75, 0.25],
      [0.75, 0.75],
    ])
  })

  it('are hit by casts, and bounced off', async () => {
    const cast = { body: at(small, 0.25, 9, 0.5), translation: { x: 0, y: -10, z: 0 }, targets: [{ shape: both }] }
    expect((await client.post('shape-cast', cast)).body).toMatchObject({ hits: [{ distance: 7.5, feature: onTop }] })
    const flight = { body: { ...cast.body, velocity: cast.translation }, obstacles: cast.targets, duration: 1 }
    expect((await client.post('trajectory', flight)).body).toMatchObject({ bounces: [{ time: 0.75, obstacle: 0 }] })
    const { body } = await client.post('trajectory', { ...flight, body: { shape: both } })
    expect(body).toMatchObject({ code: 'body-not-convex' })
  })

  it('fill tables as they answer one by one', async () => {
    const rows = [{ shape: both }, { shape: cube }, { shape: small }]
    for (const [measure, op, field] of [
      ['distance', 'distance', 'distance'],
      ['separation', 'contact', 'separation'],
    ]) {
      const { body } = await client.post('table', {
        a: rows,
        b: rows.map((row) => ({ ...row, position: away })),
        measure,
      })
      for (const [i, a] of rows.entries()) {
        for (const [j, row] of rows.entries()) {
          const one = (await client.post(op, { a, b: { ...row, position: away } })).body as Record<string, number>
          expect((body as { values: number[][] }).values[i][j]).toBe(one[field])
        }
      }
    }
  })
})
