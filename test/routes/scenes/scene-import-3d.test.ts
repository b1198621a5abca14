// Files into scenes of space: the service's own JSON, again and again, turned, scaled, tried out, and refused.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'

let client: SceneClient
beforeAll(async () => {
  client = await startScenes({}, '3d')
})
afterAll(() => client.close())

const BOX = { type: 'box', size: { x: 4, y: 1, z: 2 } }
const MESH = {
  type: 'mesh',
  vertices: [0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 3],
  triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
  solid: true,
}
const LEVEL = {
  bodies: [
    { id: 'floor', shape: BOX, position: { x: 0, y: -1, z: 0 }, tags: ['ground'], data: { a: 1.0 } },
    { id: 'rock', shape: MESH, position: { x: 5, y: 0, z: 0 }, orientation: { x: 0, y: 1, z: 0, w: 0 } },
  ],
}

describe('the service’s own JSON', () => {
  it('is put into a scene, and put again where it has changed', async () => {
    const id = await client.createScene()
    const first = await client.send('POST', `/${id}/import?source=level`, LEVEL)
    expect(first.body).toEqual({
      version: 2,
      bodies: 2,
      added: 2,
      updated: 0,
      removed: 0,
      skipped: [],
      repaired: [],
      bounds: { min: { x: -2, y: -1.5, z: -3 }, max: { x: 5, y: 3, z: 1 } },
    })
    expect((await client.send('POST', `/${id}/import?source=level`, LEVEL)).body).toMatchObject({
      version: 2,
      added: 0,
    })
    const [floor] = LEVEL.bodies
    const changed = { bodies: [{ ...floor, position: { x: 1, y: -1, z: 0 } }] }
    const dry = await client.send('POST', `/${id}/import?source=level&dryRun=true`, changed)
    expect(dry.body).toMatchObject({ version: 2, updated: 1, removed: 1 })
    expect((await client.send('POST', `/${id}/import?source=level`, changed)).body).toMatchObject({
      version: 3,
      added: 0,
      updated: 1,
      removed: 1,
    })
    const { body } = await client.send('GET', `/${id}/bodies`)
    expect(body.bodies).toEqual([{ ...changed.bodies[0], tags: ['ground', 'import:level'] }])
  })

  it('comes back from an export as it was', async () => {
    const [from, to] = [await client.createScene(), await client.createScene()]
    await client.send('POST', `/${from}/import`, LEVEL)
    const file = await client.send('GET', `/${from}/export?format=json`)
    expect((await client.send('POST', `/${to}/import?format=json`, file.body)).body).toMatchObject({ added: 2 })
    expect((await client.send('GET', `/${to}/export?format=json`)).body).toEqual(file.body)
    expect((await client.send('POST', `/${from}/import`, file.body)).body).toMatchObject({ added: 0, updated: 0 })
  })

  it('is turned, scaled and moved', async () => {
    const id = await client.createScene()
    const { body } = await client.send('POST', `/${id}/import?up=z&scale=2&offsetX=1&offsetY=2&offsetZ=3`, LEVEL)
    expect(body.bounds).toEqual({ min: { x: -3, y: 0, z: 0 }, max: { x: 11, y: 8, z: 9 } })
  })

  it.each([
    ['offsetZ=1e101', LEVEL, 422, 'coordinate-out-of-range'],
    [
      'offsetZ=1e100',
      { bodies: [{ id: 'a', shape: BOX, position: { x: 0, y: 0, z: 1e100 } }] },
      422,
      'coordinate-out-of-range',
    ],
    ['yUp=true', LEVEL, 400, 'schema-violation'],
    ['format=tiled', LEVEL, 400, 'schema-violation'],
    ['', { a: 1 }, 400, 'schema-violation'],
    ['', { bodies: [{ id: 'a', shape: { type: 'circle', radius: 1 } }] }, 422, 'import-malformed'],
    ['', { bodies: 4 }, 422, 'import-malformed'],
  ])('is refused for %s', async (query, file, status, code) => {
    const id = await client.createScene()
    const answer = await client.send('POST', `/${id}/import?${query}`, file)
    expect([answer.body.code, answer.status]).toEqual([code, status])
    expect((await client.send('GET', `/${id}`)).body.version).toBe(1)
  })

  it('lists what is no body', async () => {
    const id = await client.createScene()
    const open = { ...MESH, triangles: [0, 2, 1] }
    const { body } = await client.send('POST', `/${id}/import`, { bodies: [{ id: 'a', shape: open }, ...LEVEL.bodies] })
    expect(body).toMatchObject({ bodies: 2, added: 2, skipped: [{ where: 'a', what: 'mesh' }] })
  })

  it('is read into scenes of its own dimension alone', async () => {
    const id = await client.createScene()
    const answer = await client.app.inject({ method: 'POST', url: `/v1/2d/scenes/${id}/import`, payload: LEVEL })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'scene-not-found'])
  })

  it('is followed in lines', async () => {
    const id = await client.createScene()
    const headers = { accept: 'application/x-ndjson' }
    const url = `/v1/3d/scenes/${id}/import`
    const answer = await client.app.inject({ method: 'POST', url, headers, payload: LEVEL })
    const lines = answer.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toHaveProperty('progress.stage')
    expect(lines.at(-1)).toMatchObject({ added: 2 })
  })
})
