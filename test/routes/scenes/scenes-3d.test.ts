// Scenes of space over HTTP: made, written to, read, brought back from their log, and kept apart from those of the plane.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'

const directory = mkdtempSync(join(tmpdir(), 'scenes-3d-'))
let app: FastifyInstance

async function start(): Promise<void> {
  app = await buildApp(loadConfig({ SCENE_STORE: 'file', DATA_DIR: directory, LOG_LEVEL: 'silent' }))
  await app.ready()
  await app.scenes.recovered
}

beforeAll(start)
afterAll(async () => {
  await app.close()
  rmSync(directory, { recursive: true })
})

async function send(method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  const response = await app.inject({ method, url, ...(payload !== undefined && { payload }) })
  return { status: response.statusCode, headers: response.headers, body: response.body ? response.json() : null }
}

const box = { type: 'box', size: { x: 4, y: 1, z: 2 } }
const full = {
  id: 'a',
  shape: box,
  position: { x: 1.5, y: -2, z: 3 },
  orientation: { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 },
  velocity: { x: 3, y: 0, z: -1 },
  angularVelocity: { x: 0, y: 2, z: 0 },
  tags: ['wall'],
  sensor: true,
  data: { hp: 3 },
}
const tetrahedron = {
  type: 'mesh',
  vertices: [0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 3],
  triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
  solid: true,
}
/** A grid of so many heights a side: its numbers do not lie beside its form. */
const terrain = {
  type: 'heightfield',
  columns: 12,
  cellSize: { x: 1, z: 1 },
  heights: Array.from({ length: 144 }, (_, i) => Math.sin(i)),
}
const SCENES = '/v1/3d/scenes'

describe('a scene of space', () => {
  it('is made, described, listed and deleted beside those of the plane', async () => {
    const made = await send('PUT', `${SCENES}/made`, { name: 'Attic', margin: 0.5 })
    expect([made.status, made.headers.location]).toEqual([201, `${SCENES}/made`])
    expect(made.body).toMatchObject({ id: 'made', name: 'Attic', margin: 0.5, version: 1, bounds: null })
    await send('PUT', '/v1/2d/scenes/flat', {})
    const idsAt = async (path: string) => (await send('GET', path)).body.scenes.map(({ id }: { id: string }) => id)
    expect(await idsAt(SCENES)).toContain('made')
    expect(await idsAt(SCENES)).not.toContain('flat')
    expect(await idsAt('/v1/2d/scenes')).toEqual(['flat'])
    const begun = await send('POST', SCENES, {})
    expect(begun.headers.location).toBe(`${SCENES}/${begun.body.id}`)
    expect((await send('DELETE', `${SCENES}/${begun.body.id}`)).status).toBe(204)
  })

  it('is not there for paths of the plane, and the other way round', async () => {
    await send('PUT', `${SCENES}/solid`, {})
    await send('PUT', '/v1/2d/scenes/plane', {})
    for (const [path, other] of [
      ['/v1/2d/scenes/solid', '/v1/3d/scenes/solid'],
      ['/v1/3d/scenes/plane', '/v1/2d/scenes/plane'],
    ]) {
      for (const method of ['GET', 'DELETE'] as const) {
        const { status, body } = await send(method, path)
        expect([status, body.code]).toEqual([404, 'scene-not-found'])
        expect(body.detail).toContain(other)
      }
      expect((await send('PUT', path, {})).body.code).toBe('scene-not-found')
      expect((await send('GET', `${path}/bodies`)).body.code).toBe('scene-not-found')
      const put = { op: 'put', body: { id: 'p', shape: { type: 'point' } } }
      expect((await send('POST', `${path}/operations`, { operations: [put] })).body.code).toBe('scene-not-found')
    }
  })

  it('gives bodies back as they were put, and after a patch with what was changed', async () => {
    await send('PUT', `${SCENES}/bodies`, {})
    const put = await send('PUT', `${SCENES}/bodies/bodies/a`, full)
    expect([put.status, put.headers.location]).toEqual([201, `${SCENES}/bodies/bodies/a`])
    expect((await send('GET', `${SCENES}/bodies/bodies/a`)).body).toEqual({ version: 2, body: full })
    const patch = { orientation: null, velocity: { x: 0, y: 0, z: 5 }, tags: null }
    const { orientation: _, tags: __, ...rest } = full
    const patched = { ...rest, velocity: { x: 0, y: 0, z: 5 } }
    expect((await send('PATCH', `${SCENES}/bodies/bodies/a`, patch)).body).toEqual({ version: 3, body: patched })
    expect((await send('DELETE', `${SCENES}/bodies/bodies/a`)).body).toEqual({ version: 4 })
  })

  it.each([
    [{ shape: { type: 'box', width: 1, height: 1 } }, 'schema-violation', '#/shape'],
    [{ shape: box, rotation: 1 }, 'schema-violation', '#/rotation'],
    [{ shape: box, position: { x: 1, y: 2 } }, 'schema-violation', '#/position'],
    [{ shape: box, orientation: { x: 0, y: 0, z: 1, w: 1 } }, 'orientation-not-unit', '#/orientation'],
    [{ shape: box, position: { x: 0, y: 0, z: 1e101 } }, 'coordinate-out-of-range', '#/position'],
    [{ shape: { ...tetrahedron, triangles: [0, 1, 2] } }, 'mesh-not-closed', '#/shape'],
    [{ shape: { type: 'ref', id: `sha256-${'0'.repeat(64)}` } }, 'shape-unknown', '#/shape'],
  ])('refuses %j', async (body, code, pointer) => {
    await send('PUT', `${SCENES}/refusing`, {})
    const answer = await send('PUT', `${SCENES}/refusing/bodies/a`, body)
    expect(answer.body.code).toBe(code)
    expect(answer.body.errors[0].pointer).toContain(pointer)
    const moved = await send('POST', `${SCENES}/refusing/operations`, {
      operations: [{ op: 'put', body: { id: 'a', ...body } }],
    })
    expect([moved.body.code, (await send('GET', `${SCENES}/refusing`)).body.version]).toEqual([code, 1])
  })

  it('does not turn an aabb, whether it is put, patched or moved', async () => {
    await send('PUT', `${SCENES}/turns`, {})
    const shape = { type: 'aabb', min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } }
    await send('PUT', `${SCENES}/turns/bodies/a`, { shape })
    const orientation = { x: 1e-20, y: 0, z: 0, w: 1 }
    const move = { op: 'move', id: 'a', orientation }
    const operations = [{ op: 'move', id: 'a', orientation: { x: 0, y: 0, z: 0, w: 1 } }, move]
    expect((await send('PATCH', `${SCENES}/turns/bodies/a`, { orientation })).body.code).toBe('aabb-rotated')
    expect((await send('POST', `${SCENES}/turns/operations`, { operations })).body.code).toBe('aabb-rotated')
  })

  it('has the box around its bodies, and lists those that meet a box', async () => {
    await send('PUT', `${SCENES}/boxes`, {})
    const half = { type: 'halfspace', normal: { x: 0, y: 1, z: 1 }, offset: 0 }
    await send('POST', `${SCENES}/boxes/operations`, {
      operations: [
        { op: 'put', body: { id: 'a', shape: box } },
        { op: 'put', body: { id: 'b', shape: tetrahedron, position: { x: 0, y: 0, z: 10 } } },
        { op: 'put', body: { id: 'ground', shape: half } },
      ],
    })
    expect((await send('GET', `${SCENES}/boxes`)).body.bounds).toEqual({
      min: { x: -2, y: -0.5, z: -1 },
      max: { x: 3, y: 3, z: 13 },
    })
    const listed = async (query: string) =>
      (await send('GET', `${SCENES}/boxes/bodies?${query}`)).body.bodies.map(({ id }: { id: string }) => id)
    expect(await listed('minZ=5')).toEqual(['b', 'ground'])
    expect(await listed('maxZ=1')).toEqual(['a', 'ground'])
    expect((await send('GET', `${SCENES}/boxes/bodies?minZ=2&maxZ=1`)).body.code).toBe('aabb-inverted')
  })

  it('says in a dry run what would newly overlap', async () => {
    await send('PUT', `${SCENES}/dry`, {})
    const operations = [
      { op: 'put', body: { id: 'mesh', shape: tetrahedron } },
      { op: 'put', body: { id: 'ball', shape: { type: 'sphere', radius: 1 }, position: { x: 1, y: 1, z: 9 } } },
    ]
    await send('POST', `${SCENES}/dry/operations`, { operations })
    const move = (z: number) => ({ operations: [{ op: 'move', id: 'ball', position: { x: 1, y: 1, z } }] })
    const tried = async (z: number) =>
      (await send('POST', `${SCENES}/dry/operations?dryRun=true`, move(z))).body.changes[0].newOverlaps
    expect([await tried(3), await tried(1)]).toEqual([[], ['mesh']])
    expect((await send('GET', `${SCENES}/dry`)).body.version).toBe(2)
  })

  it('keeps the content of a kept shape, whatever becomes of that', async () => {
    for (const [name, shape] of Object.entries({ tetrahedron, terrain })) {
      const kept = await send('POST', '/v1/3d/shapes', shape)
      const { id } = kept.body
      await send('PUT', `${SCENES}/kept-${name}`, {})
      const children = [{ shape: { type: 'ref', id }, position: { x: 0, y: 5, z: 0 } }]
      const put = await send('PUT', `${SCENES}/kept-${name}/bodies/a`, { shape: { type: 'ref', id } })
      const nested = await send('PUT', `${SCENES}/kept-${name}/bodies/b`, { shape: { type: 'compound', children } })
      expect([kept.status, put.status, nested.status]).toEqual([201, 201, 201])
      await send('DELETE', `/v1/3d/shapes/${id}`)
      expect((await send('GET', `${SCENES}/kept-${name}/bodies/a`)).body.body.shape).toEqual({ type: 'ref', id })
      const exported = (await send('GET', `${SCENES}/kept-${name}/export?format=json`)).body
      expect(exported.shapes).toEqual([{ id, shape }])
      await send('PUT', `${SCENES}/copy-${name}`, {})
      const imported = await send('POST', `${SCENES}/copy-${name}/import?format=json`, exported)
      expect(imported.body).toMatchObject({ added: 2, skipped: [] })
      const copied = (await send('GET', `${SCENES}/copy-${name}/export?format=json`)).body
      expect(copied.shapes).toEqual(exported.shapes)
      const bare = copied.bodies.map(({ tags: _, ...body }: { tags: string[] }) => body)
      expect(bare).toEqual(exported.bodies)
      const { bounds } = (await send('GET', `${SCENES}/kept-${name}`)).body
      expect(bounds.max.y - bounds.min.y).toBeGreaterThan(5)
    }
  })

  it('is the same after a restart, with what was written behind it', async () => {
    const operations = Array.from({ length: 3000 }, (_, k) => ({
      op: 'put',
      body: {
        ...full,
        id: `b${k}`,
        position: { x: k % 20, y: (k * 7) % 30, z: k / 8 },
        shape: k % 3 === 0 ? box : k % 3 === 1 ? terrain : { type: 'cone', radius: 1, height: 1 + (k % 5) },
        ...(k % 4 === 0 && { orientation: { x: 0, y: 1, z: 0, w: 0 } }),
      },
    }))
    await send('PUT', `${SCENES}/lasting`, { margin: 0.25 })
    const filled = await send('POST', `${SCENES}/lasting/operations`, { operations })
    expect(filled.body).toMatchObject({ applied: 3000 })
    await send('POST', `${SCENES}/lasting/operations`, {
      operations: [
        { op: 'remove', id: 'b7' },
        { op: 'move', id: 'b8', velocity: { x: 0, y: 0, z: 9 }, orientation: { x: 0, y: 0, z: 0, w: -1 } },
      ],
    })
    const before = await send('GET', `${SCENES}/lasting/export?format=json`)
    const document = await send('GET', `${SCENES}/lasting`)
    expect(before.body.bodies).toHaveLength(2999)
    await app.close()
    await start()
    const after = await send('GET', `${SCENES}/lasting/export?format=json`)
    expect([after.body, after.headers.etag]).toEqual([before.body, before.headers.etag])
    expect((await send('GET', `${SCENES}/lasting`)).body).toEqual(document.body)
    expect((await send('GET', '/v1/2d/scenes/lasting')).status).toBe(404)
  })
})
