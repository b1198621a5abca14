// Queries of scenes of space over HTTP: versions, limits, problems and their places, kept shapes, and long bodies that workers read.

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleBodies3d } from '../../../schemas/scenes/scene.ts'
import { buildApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { sceneQueries3d } from '../../../src/queries/scenes/all.ts'

let app: FastifyInstance
const SCENE = '/v1/3d/scenes/hall'

beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', MAX_RESULTS: '20', MAX_TARGETS: '6' }))
  await app.ready()
  await makeScene(SCENE, exampleBodies3d)
})
afterAll(() => app.close())

async function send(method: 'PUT' | 'POST' | 'DELETE', url: string, payload: object) {
  const { statusCode: status, headers, body } = await app.inject({ method, url, payload })
  return { status, headers, body: JSON.parse(body) }
}

async function makeScene(url: string, bodies: readonly object[]): Promise<void> {
  await send('PUT', url, {})
  const operations = bodies.map((body) => ({ op: 'put', body }))
  expect((await send('POST', `${url}/operations`, { operations })).body).toMatchObject({ version: 2 })
}

const ask = (op: string, request: object, scene = SCENE) => send('POST', `${scene}/${op}`, request)
const answer = async (op: string, request: object, scene = SCENE) => {
  const { status, body } = await ask(op, request, scene)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}
const problem = async (op: string, request: object) => {
  const { status, body } = await ask(op, request)
  return [status, body.code, body.errors?.[0].pointer]
}

const ball = (x: number, y: number, z: number, radius = 1) => ({
  shape: { type: 'sphere', radius },
  position: { x, y, z },
})
const DOWN = { x: 0, y: -1, z: 0 }
/** A request of each kind that is about `about`. */
const bodyRequests = (about: object) => ({
  overlap: about,
  nearest: about,
  'shape-cast': { ...about, translation: { x: 1, y: 0, z: 0 } },
  snap: { ...about, maxDistance: 0.25 },
  drop: { ...about, direction: DOWN },
  trajectory: { ...about, duration: 1 },
})
const UNTURNED = { x: 0, y: 0, z: 0, w: 1 }
const QUARTER = { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 }

describe('every query of a scene of space', () => {
  const examples = sceneQueries3d.map(({ op, request }) => [op, (request.examples as object[])[0]] as const)

  it.each(examples)('%s says which version it is about', async (op, request) => {
    const url = `/v1/3d/scenes/own-${op}`
    await makeScene(url, exampleBodies3d)
    const first = await ask(op, request, url)
    expect(first).toMatchObject({ status: 200, body: { version: 2, truncated: false } })
    expect(first.headers.etag).toMatch(/^"2\./)
    await send('PUT', `${url}/bodies/far`, ball(1000, 1000, 1000))
    expect((await ask(op, request, url)).body).toEqual({ ...first.body, version: 3 })
  })

  it.each(examples)('%s knows no scene of the plane', async (op, request) => {
    await send('PUT', '/v1/2d/scenes/flat', {})
    const { status, body } = await ask(op, request, '/v1/3d/scenes/flat')
    expect([status, body.code]).toEqual([404, 'scene-not-found'])
  })

  it.each(examples)('%s refuses what it does not know', async (op, request) => {
    expect(await problem(op, { ...request, colour: 1 })).toEqual([400, 'schema-violation', '#/colour'])
    expect(await problem(op, { ...request, limit: 0 })).toEqual([400, 'schema-violation', '#/limit'])
  })

  it.each(Object.entries(bodyRequests({ bodyId: 'nobody' })))('%s knows no other body', async (op, request) => {
    expect(await problem(op, request)).toEqual([404, 'body-not-found', '#/bodyId'])
  })

  it.each(Object.entries(bodyRequests({})))('%s checks what it is about', async (op, request) => {
    const about = (body: object) => problem(op, { ...request, body })
    expect(await problem(op, request)).toEqual([400, 'schema-violation', '#'])
    expect(await problem(op, { ...request, body: ball(0, 0, 0), bodyId: 'hero' })).toEqual([
      400,
      'schema-violation',
      '#/bodyId',
    ])
    expect(await about({ ...ball(0, 0, 0), position: { x: 0, y: 0 } })).toEqual([
      400,
      'schema-violation',
      '#/body/position/z',
    ])
    const aabb = { type: 'aabb', min: { x: 0, y: 0, z: 1 }, max: { x: 1, y: 1, z: 0 } }
    expect(await about({ shape: aabb })).toEqual([422, 'aabb-inverted', '#/body/shape/min/z'])
    expect(await about({ ...ball(0, 0, 0), orientation: { x: 1, y: 1, z: 0, w: 0 } })).toEqual([
      422,
      'orientation-not-unit',
      '#/body/orientation',
    ])
    expect(await about({ shape: { type: 'ref', id: `sha256-${'0'.repeat(64)}` } })).toEqual([
      422,
      'shape-unknown',
      '#/body/shape/id',
    ])
  })

  it.each(Object.entries(bodyRequests({})))('%s checks the pose', async (op, request) => {
    const posed = (bodyId: string, pose: object) => problem(op, { ...request, bodyId, pose })
    expect(await posed('hero', { position: { x: 0, y: 0, z: 1e101 } })).toEqual([
      422,
      'coordinate-out-of-range',
      '#/pose/position/z',
    ])
    expect(await posed('hero', { orientation: { x: 1, y: 1, z: 0, w: 0 } })).toEqual([
      422,
      'orientation-not-unit',
      '#/pose/orientation',
    ])
    expect(await posed('floor', { orientation: QUARTER })).toEqual([422, 'aabb-rotated', '#/pose/orientation'])
    expect((await ask(op, { ...request, bodyId: 'floor', pose: { orientation: UNTURNED } })).status).toBe(200)
  })
})

describe('trajectory', () => {
  const flat = { type: 'mesh', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] }
  const spin = { x: 0, y: 1, z: 0 }
  const wheel = { shape: { type: 'box', size: { x: 1, y: 1, z: 1 } }, angularVelocity: spin }
  const throwBall = (more: object = {}) => ({
    body: { ...ball(0, 0, 0, 0.5), velocity: { x: 4, y: 0, z: 0 } },
    duration: 2,
    ...more,
  })

  it('says by id what the body bounced off', async () => {
    const url = '/v1/3d/scenes/court'
    await makeScene(url, [
      { id: 'wall', shape: { type: 'box', size: { x: 1, y: 8, z: 8 } }, position: { x: 5, y: 0, z: 0 } },
      { id: 'roof', shape: { ...flat, vertices: [-9, 4, -9, 9, 4, -9, 0, 4, 9] } },
      { id: 'ball', ...ball(0, 0, 0, 0.5), velocity: { x: 0, y: 7, z: 0 } },
    ])
    const bounce = { time: 1, normal: { x: -1, y: 0, z: 0 }, velocityAfter: { x: -4, y: 0, z: 0 }, id: 'wall' }
    const end = { time: 2, position: { x: 0, y: 0, z: 0 }, velocity: { x: -4, y: 0, z: 0 } }
    const own = { bodyId: 'ball', velocity: { x: 4, y: 0, z: 0 }, duration: 2 }
    expect(await answer('trajectory', own, url)).toMatchObject({ bounces: [bounce], end, status: 'completed' })
    const up = await answer('trajectory', { bodyId: 'ball', duration: 1 }, url)
    expect(up).toMatchObject({ bounces: [{ time: 0.5, id: 'roof', normal: { x: 0, y: -1, z: 0 } }] })
    const none = await answer('trajectory', { bodyId: 'ball', duration: 1, limit: 1, maxBounces: 0 }, url)
    expect(none).toMatchObject({ bounces: [], status: 'max-bounces', end: { time: 0.5 }, truncated: false })
  })

  it('is of a convex body that does not spin, near none that does', async () => {
    const url = '/v1/3d/scenes/spinning'
    await makeScene(url, [
      { id: 'wheel', ...wheel, position: { x: 6, y: 0, z: 0 } },
      { id: 'globe', ...ball(3, 0, 0), angularVelocity: spin },
      { id: 'sheet', shape: flat, position: { x: 90, y: 0, z: 0 } },
    ])
    const told = async (request: object) => {
      const { status, body } = await ask('trajectory', request, url)
      return [status, body.code, body.errors?.[0].pointer]
    }
    expect(await told(throwBall())).toEqual([200, undefined, undefined])
    expect(await told(throwBall({ filter: { ids: { exclude: ['globe'] } } }))).toEqual([
      422,
      'trajectory-spinning',
      '#/filter',
    ])
    expect(await told({ bodyId: 'wheel', duration: 1 })).toEqual([422, 'trajectory-spinning', '#/bodyId'])
    expect(await told({ bodyId: 'globe', duration: 1, filter: { ids: { include: [] } } })).toEqual([
      200,
      undefined,
      undefined,
    ])
    expect(await told({ body: wheel, duration: 1 })).toEqual([422, 'trajectory-spinning', '#/body/angularVelocity'])
    expect(await told({ body: { shape: flat }, duration: 1 })).toEqual([422, 'body-not-convex', '#/body/shape/type'])
    expect(await told({ bodyId: 'sheet', duration: 1 })).toEqual([422, 'body-not-convex', '#/bodyId'])
    expect(await told(throwBall({ velocity: spin }))).toEqual([400, 'schema-violation', '#/velocity'])
    expect(await told({ bodyId: 'globe', velocity: { x: 0, y: 0, z: 1e101 }, duration: 1 })).toEqual([
      422,
      'coordinate-out-of-range',
      '#/velocity/z',
    ])
  })

  it('comes near so many bodies at most', async () => {
    const url = '/v1/3d/scenes/row'
    const row = Array.from({ length: 9 }, (_, i) => ({ id: `b${i}`, ...ball(i, 1.4, 0) }))
    await makeScene(url, row)
    const { status, body } = await ask('trajectory', throwBall({ duration: 3, maxBounces: 1 }), url)
    expect([status, body.code, body.limit]).toEqual([413, 'too-many-obstacles', 6])
  })
})

describe('a batch of queries of a scene of space', () => {
  const queries = sceneQueries3d.flatMap(({ op, request }) =>
    (request.examples as object[]).map((example) => ({ op, ...example })),
  )

  it('answers each as its own path does, as a list and as lines', async () => {
    const { results, version } = await answer('batch', { queries })
    expect(version).toBe(2)
    const alone = await Promise.all(queries.map(({ op, ...request }) => answer(op, request)))
    expect(results).toEqual(alone.map((each, i) => ({ op: queries[i].op, ...each })))
    const payload = queries.map((query) => JSON.stringify(query)).join('\n')
    const headers = { 'content-type': 'application/x-ndjson' }
    const { body } = await app.inject({ method: 'POST', url: `${SCENE}/batch`, headers, payload })
    const lines = body.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(results)
  })

  it('names the problem of each', async () => {
    const { results } = await answer('batch', {
      queries: [
        { op: 'overlap', bodyId: 'nobody' },
        { op: 'hop', bodyId: 'hero' },
        { op: 'overlap', point: { x: 8, y: 1 } },
        { op: 'overlap', point: { x: 8, y: 1, z: 0 } },
      ],
    })
    expect(results.map(({ op, code }: { op: string; code?: string }) => [op, code])).toEqual([
      ['problem', 'body-not-found'],
      ['problem', 'schema-violation'],
      ['problem', 'schema-violation'],
      ['overlap', undefined],
    ])
    expect((await ask('batch', { queries }, '/v1/2d/scenes/hall')).body.code).toBe('scene-not-found')
  })
})

describe('limits', () => {
  it('cut lists short, and say so', async () => {
    const url = '/v1/3d/scenes/many'
    const row = Array.from({ length: 30 }, (_, i) => ({ id: `b${i + 10}`, ...ball(i, 0, 0, 0.4) }))
    await makeScene(url, row)
    const aabb = { min: { x: -1, y: -1, z: -1 }, max: { x: 40, y: 1, z: 1 } }
    const few = await answer('overlap', { aabb, limit: 3 }, url)
    expect([few.bodies.map(({ id }: { id: string }) => id), few.truncated]).toEqual([['b10', 'b11', 'b12'], true])
    const most = await answer('overlap', { aabb }, url)
    expect([most.bodies.length, most.truncated]).toEqual([20, true])
    const ray = { origin: { x: -5, y: 0, z: 0 }, direction: { x: 1, y: 0, z: 0 } }
    const all = await answer('ray-cast', { ray, mode: 'all', limit: 2 }, url)
    expect([all.hits.map(({ id }: { id: string }) => id), all.truncated]).toEqual([['b10', 'b11'], true])
    const near = await answer('nearest', { point: { x: 0, y: 5, z: 0 }, count: 25 }, url)
    expect([near.bodies.length, near.truncated]).toEqual([20, true])
    const targets = Array.from({ length: 7 }, () => ({ bodyId: 'hero' }))
    expect(await problem('line-of-sight', { point: { x: 0, y: 9, z: 0 }, targets })).toEqual([
      413,
      'too-many-targets',
      '#/targets',
    ])
  })
})

describe('snap', () => {
  const crate = { shape: { type: 'box', size: { x: 1, y: 1, z: 1 } }, position: { x: 3, y: 0.75, z: 3 } }

  it('lays a body on what is near, and names both features', async () => {
    const { candidates } = await answer('snap', { body: crate, maxDistance: 0.5, features: ['face'] })
    expect(candidates).toEqual([
      {
        translation: { x: 0, y: -0.25, z: 0 },
        rotation: { x: 0, y: 0, z: 0 },
        orientation: { x: 0, y: 0, z: 0, w: 1 },
        position: { x: 3, y: 0.5, z: 3 },
        distance: 0.25,
        feature: { kind: 'face', vertices: [0, 1, 5, 4] },
        id: 'floor',
        target: { kind: 'face', vertices: [2, 6, 7, 3] },
      },
    ])
  })

  it('turns bodies of the scene and others', async () => {
    const orientation = { x: Math.sin(0.1), y: 0, z: 0, w: Math.cos(0.1) }
    const question = { maxDistance: 0.5, features: ['face'], rotate: true, limit: 1 }
    const about = [
      { body: { ...crate, orientation } },
      { bodyId: 'crate', pose: { orientation, position: { x: 3, y: 1.25, z: 3 } } },
    ]
    for (const mover of about) {
      const { candidates } = await answer('snap', { ...mover, ...question })
      expect(candidates[0]).toMatchObject({ id: 'floor', orientation: { x: 0, y: 0, z: 0, w: 1 } })
      expect(candidates[0].rotation.x).toBeCloseTo(-0.2, 14)
    }
  })

  it('says what it cannot do', async () => {
    const aabb = { shape: { type: 'aabb', min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } } }
    expect(await problem('snap', { body: aabb, maxDistance: 1, rotate: true })).toEqual([
      422,
      'aabb-rotated',
      '#/rotate',
    ])
    const half = { shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 } }
    expect(await problem('snap', { body: half, maxDistance: 1 })).toEqual([422, 'shape-unbounded', '#/body/shape'])
    expect(await problem('snap', { body: crate, maxDistance: 1, features: ['grid'] })).toEqual([
      400,
      'schema-violation',
      '#/grid',
    ])
    const flat = { size: { x: 1, y: 0, z: 1 } }
    expect(await problem('snap', { body: crate, maxDistance: 1, grid: flat })).toEqual([
      400,
      'schema-violation',
      '#/grid/size',
    ])
  })
})

describe('drop', () => {
  const crate = { shape: { type: 'box', size: { x: 1, y: 1, z: 1 } }, position: { x: 3, y: 4, z: 3 } }

  it('lets bodies of the scene and others fall, and turns them', async () => {
    const orientation = { x: Math.sin(0.1), y: 0, z: 0, w: Math.cos(0.1) }
    const position = { x: 3, y: 4, z: 3 }
    const about = [{ body: { ...crate, orientation } }, { bodyId: 'crate', pose: { orientation, position } }]
    for (const mover of about) {
      const turned = await answer('drop', { ...mover, direction: { x: 0, y: -2, z: 0 }, align: 'face' })
      expect(turned).toMatchObject({
        status: 'landed',
        orientation: UNTURNED,
        aligned: true,
        contact: { id: 'floor', normal: { x: 0, y: 1, z: 0 } },
      })
      const left = await answer('drop', { ...mover, direction: DOWN })
      expect(left).toMatchObject({ status: 'landed', orientation, aligned: false })
      const none = { ...mover, direction: DOWN, filter: { ids: { exclude: ['floor'] } } }
      expect(await answer('drop', none)).toMatchObject({ status: 'nothing-below', position: null, orientation: null })
    }
    const aabb = { shape: { type: 'aabb', min: { x: 0, y: 3, z: 3 }, max: { x: 1, y: 4, z: 4 } } }
    expect(await answer('drop', { body: aabb, direction: DOWN })).toMatchObject({ position: { x: 0, y: -3, z: 0 } })
  })

  it('says what it cannot do', async () => {
    const aabb = { shape: { type: 'aabb', min: { x: 0, y: 3, z: 3 }, max: { x: 1, y: 4, z: 4 } } }
    const half = { shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 } }
    const asked = (given: object) => problem('drop', { body: crate, direction: DOWN, ...given })
    expect(await asked({ body: aabb, align: 'face' })).toEqual([422, 'aabb-rotated', '#/align'])
    expect(await asked({ body: half })).toEqual([422, 'shape-unbounded', '#/body/shape'])
    expect(await asked({ direction: { x: 0, y: 0, z: 0 } })).toEqual([422, 'direction-zero', '#/direction'])
    expect(await asked({ direction: { x: 0, y: 0, z: 1e101 } })).toEqual([
      422,
      'coordinate-out-of-range',
      '#/direction/z',
    ])
    expect(await asked({ direction: { x: 0, y: -1 } })).toEqual([400, 'schema-violation', '#/direction/z'])
    expect(await asked({ align: 'edge' })).toEqual([400, 'schema-violation', '#/align'])
    expect(await asked({ maxDistance: -1 })).toEqual([400, 'schema-violation', '#/maxDistance'])
    expect(await problem('drop', { body: crate })).toEqual([400, 'schema-violation', '#/direction'])
  })
})

describe('meshes', () => {
  /** A grid of triangles of so many cells a side in the plane y = 0, but for the vertex (4, 4), which is raised by a half. */
  const sheet = (cells: number) => {
    const vertices: number[] = []
    const triangles: number[] = []
    for (let j = 0; j <= cells; j++) for (let i = 0; i <= cells; i++) vertices.push(i, i === 4 && j === 4 ? 0.5 : 0, j)
    for (let j = 0; j < cells; j++) {
      for (let i = 0; i < cells; i++) {
        const at = j * (cells + 1) + i
        triangles.push(at, at + cells + 1, at + 1, at + 1, at + cells + 1, at + cells + 2)
      }
    }
    return { type: 'mesh', vertices, triangles }
  }

  it('are found as kept shapes and as they are, in the scene and in the question, however long', async () => {
    // above what the main thread reads and checks itself
    for (const cells of [8, 40]) {
      const url = `/v1/3d/scenes/sheet-${cells}`
      const shape = sheet(cells)
      const kept = await send('POST', '/v1/3d/shapes', shape)
      const ref = { type: 'ref', id: kept.body.id }
      await makeScene(url, [
        { id: 'kept', shape: ref },
        { id: 'sent', shape, position: { x: 0, y: 2, z: 0 } },
        { id: 'both', shape: { type: 'compound', children: [{ shape: ref }] }, position: { x: 0, y: 4, z: 0 } },
      ])
      const ray = { origin: { x: 1.25, y: 9, z: 1.5 }, direction: { x: 0, y: -1, z: 0 } }
      const { hits } = await answer('ray-cast', { ray, mode: 'all' }, url)
      expect(hits.map(({ id, distance }: { id: string; distance: number }) => [id, distance])).toEqual([
        ['both', 5],
        ['sent', 7],
        ['kept', 9],
      ])
      const triangle = 2 * (cells + 1)
      expect(hits[1].feature).toMatchObject({ kind: 'face', triangle })
      expect(hits[0].feature).toMatchObject({ kind: 'face', triangle, path: [0] })
      for (const own of [shape, ref]) {
        const body = { shape: own, position: { x: 3, y: 3, z: 0 } }
        const near = await answer('nearest', { body, count: 3 }, url)
        expect(near.bodies.map(({ id, distance }: { id: string; distance: number }) => [id, distance])).toEqual([
          ['both', 0.5],
          ['sent', 0.5],
          ['kept', 2.5],
        ])
        const fall = await answer('shape-cast', { body, translation: { x: 0, y: -2, z: 0 } }, url)
        expect(fall.hits[0]).toMatchObject({ id: 'sent', fraction: 0.25 })
        const landed = await answer('drop', { body, direction: DOWN }, url)
        expect(landed).toMatchObject({ position: { x: 3, y: 2.5, z: 0 }, distance: 0.5, contact: { id: 'sent' } })
        const touching = { body: { ...body, position: { x: 3, y: 3.5, z: 0 } }, contacts: true }
        const { bodies } = await answer('overlap', touching, url)
        expect(bodies).toMatchObject([{ id: 'both', relation: 'touching', contact: { touching: true, separation: 0 } }])
        const moved = await answer('overlap', { bodyId: 'sent', pose: { position: { x: 3, y: 0.5, z: 0 } } }, url)
        expect(moved.bodies).toEqual([{ id: 'kept', relation: 'touching' }])
        // beside the sheets, corner to corner
        const beside = { shape: own, position: { x: cells + 0.25, y: 4.25, z: 0.25 } }
        const { candidates } = await answer(
          'snap',
          { body: beside, maxDistance: 0.5, features: ['vertex'], limit: 1 },
          url,
        )
        expect(candidates[0]).toMatchObject({
          id: 'both',
          position: { x: cells, y: 4, z: 0 },
          target: { kind: 'vertex', path: [0] },
        })
      }
    }
  })
})

describe('move', () => {
  const hero = { shape: { type: 'capsule', a: { x: 0, y: -0.5, z: 0 }, b: { x: 0, y: 0.5, z: 0 }, radius: 0.25 } }
  const box = (id: string, [x, y, z]: number[], [X, Y, Z]: number[]) => ({
    id,
    shape: { type: 'aabb', min: { x, y, z }, max: { x: X, y: Y, z: Z } },
  })
  const LEVEL = '/v1/3d/scenes/level'
  beforeAll(() =>
    makeScene(LEVEL, [
      box('floor', [-20, -1, -20], [20, 0, 20]),
      box('step', [2, 0, -5], [4, 0.5, 5]),
      box('wall', [6, 0, -20], [7, 9, 20]),
    ]),
  )
  const at = (x: number, y: number, z: number) => ({ body: { ...hero, position: { x, y, z } } })

  it('slides, steps, keeps to the ground, and says what it stands on', async () => {
    const walk = { ...at(0, 0.75, 0), translation: { x: 9, y: -1, z: 1 }, maxSlope: 0.75, maxSlides: 16 }
    const held = await answer('move', walk, LEVEL)
    expect(held).toMatchObject({ status: 'completed', position: { x: 1.75, y: 0.75, z: 1 }, separation: null })
    expect(held.contacts.map(({ id }: { id: string }) => id)).toEqual(['floor', 'step'])
    expect(held).not.toHaveProperty('ground')
    const over = await answer('move', { ...walk, stepHeight: 0.5, snapToGround: 0.5 }, LEVEL)
    expect(over).toMatchObject({
      position: { x: 5.75, y: 0.75 },
      ground: { id: 'floor', normal: { x: 0, y: 1, z: 0 } },
    })
    expect(over.path.some(({ y }: { y: number }) => y === 1.25)).toBe(true)
    expect(await answer('move', { ...walk, limit: 1 }, LEVEL)).toMatchObject({ truncated: true })
    const first = await answer('move', { ...walk, maxSlides: 0 }, LEVEL)
    expect(first).toMatchObject({
      status: 'max-slides',
      position: { x: 0, y: 0.75, z: 0 },
      remaining: walk.translation,
    })
    // z up: the floor is a wall, and the step no step
    const turned = { ...walk, translation: { x: 3, y: 0, z: 0 }, up: { x: 0, y: 0, z: 5 }, stepHeight: 0.5 }
    expect(await answer('move', turned, LEVEL)).toMatchObject({ status: 'blocked', position: { x: 1.75 } })
    expect(
      (
        await answer(
          'overlap',
          { body: over.position && at(over.position.x, over.position.y, over.position.z).body },
          LEVEL,
        )
      ).bodies.every(({ relation }: { relation: string }) => relation === 'touching'),
    ).toBe(true)
  })

  it('gets out of what it stands in first, also of several bodies', async () => {
    const walk = { ...at(1.9, 0.5, 0), translation: { x: -1, y: 0, z: 0 } }
    const { separation, position, status } = await answer('move', walk, LEVEL)
    expect(separation).toMatchObject({ separated: true, bodies: ['floor', 'step'] })
    expect([status, position.y]).toEqual(['completed', 0.75])
    const own = { bodyId: 'step', translation: { x: 0, y: 1, z: 0 } }
    expect(await answer('move', own, LEVEL)).toMatchObject({ position: { x: 0, y: 1, z: 0 }, separation: null })
  })

  it('takes all that is in range, and says what is not', async () => {
    const ask = (more: object) => problem('move', { ...at(0, 1, 0), translation: { x: 1, y: 0, z: 0 }, ...more })
    expect(await ask({ up: { x: 0, y: 1, z: 0 } })).toEqual([400, 'schema-violation', '#/up'])
    expect(await ask({ up: { x: 0, y: 0, z: 0 }, stepHeight: 1 })).toEqual([422, 'direction-zero', '#/up'])
    expect(await ask({ up: { x: 0, y: 1e101, z: 0 }, stepHeight: 1 })).toEqual([
      422,
      'coordinate-out-of-range',
      '#/up/y',
    ])
    expect(await ask({ translation: { x: 1e300, y: 0, z: 0 } })).toEqual([
      422,
      'coordinate-out-of-range',
      '#/translation/x',
    ])
    expect(await ask({ stepHeight: -1 })).toEqual([400, 'schema-violation', '#/stepHeight'])
    expect(await ask({ snapToGround: null })).toEqual([400, 'schema-violation', '#/snapToGround'])
    const plain = { shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 } }
    expect(await ask({ body: plain })).toEqual([422, 'shape-unbounded', '#/body/shape'])
    for (const far of [1e100, -1e100, 1e-300, 0]) {
      for (const height of [0, 1e-300, 1e300]) {
        const asked = { stepHeight: height, snapToGround: height, maxSlope: height, up: { x: 0, y: 1e-100, z: 0 } }
        const { status, position } = await answer(
          'move',
          { ...at(0, 0.75, 0), translation: { x: far, y: 0, z: 0 }, ...asked },
          LEVEL,
        )
        expect(['completed', 'blocked', 'max-slides']).toContain(status)
        expect(Number.isFinite(position.x) && position.y >= 0.75).toBe(true)
      }
    }
  })
})
