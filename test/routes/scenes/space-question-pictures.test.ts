// Questions about scenes of space, answered as pictures: what is drawn of each, from which side, and how much of it.

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PICTURE_VIEWS } from '../../../schemas/picture.ts'
import { sceneExchanges3d } from '../../../schemas/scenes/exchanges.ts'
import { exampleBodies3d } from '../../../schemas/scenes/scene.ts'
import { buildApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { readSvg } from '../../pictures/svg-check.ts'

const SVG = 'image/svg+xml'
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
  const operations = bodies.map((body) => ({ op: 'put', body }))
  const { statusCode } = await app.inject({ method: 'POST', url: `${url}/operations`, payload: { operations } })
  expect(statusCode).toBe(200)
}

async function ask(path: string, payload: object, accept = SVG) {
  const url = `/v1/3d/scenes/${path}`
  const { statusCode, body, headers } = await app.inject({ method: 'POST', url, headers: { accept }, payload })
  return { status: statusCode, text: body, headers }
}

async function drawn(path: string, request: object): Promise<string> {
  const { status, text } = await ask(path, request)
  expect(status, text).toBe(200)
  expect(text).not.toMatch(/NaN|Infinity|undefined/)
  readSvg(text)
  return text
}

const heading = (svg: string) => /font-weight="600" fill="#1a1a1a">([^<]*)</.exec(svg)?.[1]
const texts = (svg: string) => readSvg(svg).texts

const examples = sceneExchanges3d.flatMap(({ op, request }) =>
  (request.examples as object[]).map((example, i) => [`${op}-${i}`, op, example] as const),
)

describe('a picture of an answer in space', () => {
  // after a wanted change: `npx vitest run test/routes/scenes/space-question-pictures.test.ts -u`, then look at every file that changed
  it.each(examples)('is drawn as it was, with the status and version of the numbers: %s', async (name, op, example) => {
    const numbers = await ask(`hall/${op}`, example, 'application/json')
    const picture = await ask(`hall/${op}`, example)
    expect([picture.status, picture.headers.etag]).toEqual([numbers.status, numbers.headers.etag])
    expect(picture.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    const svg = await drawn(`hall/${op}`, example)
    expect(svg).toBe(picture.text)
    await expect(svg).toMatchFileSnapshot(`../../pictures/golden-scenes/3d-${name}.svg`)
  })

  it.each([
    ['move', 'z'],
    ['drop', 'x'],
    ['snap', 'y'],
    ['line-of-sight', 'y'],
  ])('is drawn as it was along an axis: %s from %s', async (op, view) => {
    const [, , example] = examples.find(([, each]) => each === op) as (typeof examples)[number]
    const svg = await drawn(`hall/${op}?view=${view}`, example)
    await expect(svg).toMatchFileSnapshot(`../../pictures/golden-scenes/3d-${op}-0-${view}.svg`)
  })

  it('is of the view that is asked for, the isometric one unless another is', async () => {
    const request = { ray: { origin: { x: 0, y: 1, z: 0 }, direction: { x: 1, y: 0, z: 0 } } }
    const views: string[] = []
    for (const view of PICTURE_VIEWS) views.push(await drawn(`hall/ray-cast?view=${view}`, request))
    expect(new Set(views).size).toBe(4)
    expect(await drawn('hall/ray-cast', request)).toBe(views[0])
    expect(views[3]).toContain('>x →</text>')
    expect(await drawn('hall/ray-cast?width=400', request)).toContain('width="400"')
    // looked at along the ray, its arrow cannot be seen
    expect(texts(views[1])).toContain('An arrow points to the viewer.')
    for (const query of ['view=front', 'bounds=0,0,1,1', 'yDown=true']) {
      expect((await ask(`hall/ray-cast?${query}`, request)).status).toBe(400)
    }
  })

  it('says what the numbers say', async () => {
    const lands = await drawn('hall/drop', {
      body: { shape: { type: 'sphere', radius: 0.5 }, position: { x: 8, y: 6, z: 0 } },
      direction: { x: 0, y: -1, z: 0 },
    })
    expect(heading(lands)).toBe('The body lands on crate after 3.5.')
    const snapped = await drawn('hall/snap', {
      body: { shape: { type: 'box', size: { x: 1, y: 1, z: 1 } }, position: { x: 0.625, y: 8.5, z: 0.5 } },
      maxDistance: 0.25,
      features: ['vertex', 'grid'],
      grid: { size: { x: 1, y: 1, z: 1 } },
    })
    expect(texts(snapped)).toEqual(expect.arrayContaining(['grid', '1. vertex 0 onto the grid, by 0.125']))
    const ray = { origin: { x: 0, y: 1, z: 0 }, direction: { x: 1, y: 0, z: 0 } }
    const hit = await drawn('hall/ray-cast', { ray, filter: { ids: { exclude: ['hero'] } } })
    expect(texts(hit)).toEqual(expect.arrayContaining(['crate, face 0–4–6–2: hit at distance 7, left at 9']))
  })

  it('has a patch for half-spaces, in the scene and asked about', async () => {
    const ground = { id: 'ground', shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 } }
    const crate = { id: 'crate', shape: { type: 'box', size: { x: 2, y: 2, z: 2 } }, position: { x: 0, y: 1, z: 0 } }
    await makeScene('yard', [ground, crate])
    for (const svg of [
      await drawn('yard/pairs', {}),
      await drawn('yard/overlap', { point: { x: 9, y: -1, z: 0 } }),
      await drawn('yard/overlap', { body: { shape: ground.shape, position: { x: 5, y: 1, z: 0 } } }),
    ]) {
      const [, patch] = /data-id="ground">.*? d="([^"]*)"/.exec(svg) ?? []
      expect(patch).toMatch(/^M[^M]*Z$/)
    }
  })

  it('is of bounded size, however much is met', async () => {
    const bodies = Array.from({ length: 4000 }, (_, i) => ({
      id: `b${i}`,
      shape: { type: 'box', size: { x: 1, y: 1, z: 1 } },
      position: { x: (i % 20) * 2, y: (Math.floor(i / 20) % 20) * 2, z: Math.floor(i / 400) * 2 },
    }))
    await makeScene('crowd', bodies)
    const far = 10_000
    const svg = await drawn('crowd/overlap', {
      aabb: { min: { x: -far, y: -far, z: -far }, max: { x: far, y: far, z: far } },
    })
    expect(heading(svg)).toBe('The box meets 4000 bodies.')
    expect(svg).toMatch(/Of 4000 bodies in sight: \d+ drawn whole, \d+ as specks\./)
    expect(svg.length).toBeLessThan(1_000_000)
  })

  it('is one below the other of a batch', async () => {
    const queries = [
      { op: 'pairs' },
      { op: 'overlap', bodyId: 'nobody' },
      { op: 'nearest', point: { x: 0, y: 4, z: 0 } },
    ]
    const svg = await drawn('hall/batch?view=z', { queries })
    for (const text of ['1. pairs: ', '2. overlap: body-not-found', '3. nearest: ']) expect(svg).toContain(text)
  })
})
