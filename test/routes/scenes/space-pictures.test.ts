// Pictures of scenes of space: what is drawn from which side, in what order, and how much of it.

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PICTURE_VIEWS } from '../../../schemas/picture.ts'
import { exampleBodies3d } from '../../../schemas/scenes/scene.ts'
import { buildApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { SHAPE_LOOKS, type ShapeRole } from '../../../src/pictures/palette.ts'

let app: FastifyInstance
beforeAll(async () => {
  const deadline = { QUERY_DEADLINE_MS: '60000', REQUEST_TIMEOUT_MS: '90000' }
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', ...deadline }))
  await app.ready()
  await makeScene('hall', exampleBodies3d)
}, 60_000)
afterAll(() => app.close())

async function makeScene(id: string, bodies: readonly object[]): Promise<void> {
  const url = `/v1/3d/scenes/${id}`
  await app.inject({ method: 'PUT', url, payload: {} })
  if (bodies.length === 0) return
  const operations = bodies.map((body) => ({ op: 'put', body }))
  const { statusCode } = await app.inject({ method: 'POST', url: `${url}/operations`, payload: { operations } })
  expect(statusCode).toBe(200)
}

async function render(scene: string, query: string, headers: Record<string, string> = {}) {
  const {
    statusCode,
    body,
    headers: sent,
  } = await app.inject({
    url: `/v1/3d/scenes/${scene}/render.svg?${query}`,
    headers,
  })
  return { status: statusCode, text: body, headers: sent }
}

const drawn = async (scene: string, query = ''): Promise<string> => {
  const { status, text } = await render(scene, query)
  expect(status, text).toBe(200)
  expect(text).not.toMatch(/NaN|Infinity|undefined/)
  return text
}
const ids = (svg: string) => [...svg.matchAll(/data-id="([^"]*)"/g)].map(([, id]) => id)
const description = (svg: string) => /<desc>([^<]*)<\/desc>/.exec(svg)?.[1]
const runsOf = (svg: string, role: ShapeRole) => {
  const { stroke, width } = SHAPE_LOOKS[role]
  return svg.split(`stroke="${stroke}" stroke-width="${width}"`).length - 1
}

describe('a picture of a scene of space', () => {
  it.each(PICTURE_VIEWS)('has every body, and says how they are drawn: from %s', async (view) => {
    const svg = await drawn('hall', `view=${view}`)
    expect(ids(svg).toSorted()).toEqual(['ball', 'crate', 'door', 'floor', 'hero'])
    expect(description(svg)).toBe('Of 5 bodies in sight: 5 drawn whole.')
    expect(svg).toContain('<title>Scene hall, version 2</title>')
    for (const id of ['ball', 'crate']) expect(svg).toContain(`>${id}</text>`)
  })

  it('is of the view that is asked for, the isometric one unless another is', async () => {
    const views: string[] = []
    for (const view of PICTURE_VIEWS) views.push(await drawn('hall', `view=${view}`))
    expect(new Set(views).size).toBe(4)
    expect(await drawn('hall')).toBe(views[0])
    const axes = [
      ['y', 'z'],
      ['z', 'x'],
      ['x', 'y'],
    ]
    for (const [i, [across, up]] of axes.entries()) {
      expect(views[i + 1]).toContain(`>${across} →</text>`)
      expect(views[i + 1]).toContain(`>↑ ${up}</text>`)
    }
    expect((await render('hall', 'view=front')).status).toBe(400)
  })

  it('has the nearer bodies over the farther ones', async () => {
    const shelf = ['low', 'middle', 'high'].map((id, k) => ({
      id,
      shape: { type: 'box', size: { x: 2, y: 0.5, z: 2 } },
      position: { x: 0, y: 1 - k, z: 0 },
    }))
    await makeScene('shelf', shelf)
    // looked at from above: what is highest comes last
    expect(ids(await drawn('shelf', 'view=y&labels=false'))).toEqual(['high', 'middle', 'low'])
  })

  it('takes tags, highlights and the tree, and leaves out what is not wanted', async () => {
    expect(ids(await drawn('hall', 'tag=prop')).toSorted()).toEqual(['ball', 'crate'])
    expect(runsOf(await drawn('hall', 'highlight=crate'), 'highlight')).toBe(1)
    expect(runsOf(await drawn('hall', 'tree=true'), 'tree-leaf')).toBe(1)
    expect(runsOf(await drawn('hall'), 'tree-leaf')).toBe(0)
    expect(ids(await drawn('hall', 'bodies=false'))).toEqual([])
    expect(await drawn('hall', 'background=false&labels=false')).not.toContain('<rect')
  })

  it('has a patch for a half-space, and meshes and compounds whole', async () => {
    const mesh = {
      type: 'mesh',
      vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
      triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
    }
    await makeScene('kinds', [
      { id: 'ground', shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 } },
      { id: 'mesh', shape: mesh, position: { x: 1, y: 0, z: 0 } },
      {
        id: 'both',
        shape: { type: 'compound', children: [{ shape: mesh }, { shape: { type: 'sphere', radius: 1 } }] },
      },
    ])
    const svg = await drawn('kinds')
    expect(ids(svg).toSorted()).toEqual(['both', 'ground', 'mesh'])
    await makeScene('empty', [])
    expect(description(await drawn('empty'))).toBe('Of 0 bodies in sight: 0 drawn whole.')
    await makeScene('alone', [{ id: 'ground', shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 3 } }])
    expect(description(await drawn('alone'))).toBe('Of 1 bodies in sight: 1 drawn whole.')
  })

  it('is as small for many bodies that are too small to be seen', async () => {
    const dust = Array.from({ length: 2000 }, (_, i) => ({
      id: `d${i}`,
      shape: { type: 'box', size: { x: 1, y: 1, z: 1 } },
      position: { x: (i * 7919) % 10_007, y: (i * 104_729) % 10_009, z: (i * 1299_709) % 10_037 },
    }))
    await makeScene('dust', dust)
    for (const view of PICTURE_VIEWS) {
      const svg = await drawn('dust', `view=${view}`)
      expect(description(svg)).toBe('Of 2000 bodies in sight: 0 drawn whole, 2000 as specks.')
      expect(svg.length).toBeLessThan(60_000)
    }
  })

  it('has a box for a mesh of very many triangles, of its own and kept, and a smaller one whole', async () => {
    const sheet = (side: number) => ({
      type: 'mesh',
      vertices: Array.from({ length: (side + 1) ** 2 }, (_, k) => [
        k % (side + 1),
        (k % 7) / 8,
        Math.floor(k / (side + 1)),
      ]).flat(),
      triangles: Array.from({ length: side ** 2 }, (_, k) => {
        const a = (k % side) + (side + 1) * Math.floor(k / side)
        return [a, a + 1, a + side + 1, a + 1, a + side + 2, a + side + 1]
      }).flat(),
    })
    const kept = await app.inject({ method: 'POST', url: '/v1/3d/shapes', payload: sheet(260) })
    expect(kept.statusCode, kept.body).toBe(201)
    await makeScene('sheets', [
      { id: 'small', shape: sheet(60), position: { x: 0, y: -9, z: 0 } },
      { id: 'kept', shape: { type: 'ref', id: kept.json().id } },
    ])
    const svg = await drawn('sheets')
    expect(description(svg)).toBe('Of 2 bodies in sight: 1 drawn whole, 1 as their boxes.')
    const ray = { origin: { x: 5, y: 9, z: 5 }, direction: { x: 0, y: -1, z: 0 } }
    const answered = await app.inject({
      method: 'POST',
      url: '/v1/3d/scenes/sheets/ray-cast',
      headers: { accept: 'image/svg+xml' },
      payload: { ray },
    })
    expect(answered.statusCode).toBe(200)
    expect(description(answered.body)).toMatch(/1 drawn whole, 1 as their boxes\.$/)
    // in pieces, whatever letters they end with
    expect(svg.length).toBeGreaterThan(2 ** 18)
    expect(svg).toMatch(/<\/svg>\n$/)
  }, 60_000)

  it('has the version of the scene, and is not sent twice', async () => {
    const { headers } = await render('hall', '')
    expect(headers.etag).toMatch(/^"2\./)
    expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    expect((await render('hall', '', { 'if-none-match': String(headers.etag) })).status).toBe(304)
    await app.inject({ method: 'PUT', url: '/v1/2d/scenes/flat', payload: {} })
    expect((await render('flat', '')).status).toBe(404)
  })
})
