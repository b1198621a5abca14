// Pictures of space against ones that were looked at. After a wanted change: `npx vitest run test/pictures -u`, then look at
// every file that changed, as small as 400 pixels and as large as 2,000.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PICTURE_VIEWS } from '../../schemas/picture.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { hasPicture3d } from '../../src/pictures/queries/draw-query.ts'
import { queries3d } from '../../src/queries/stateless/all.ts'
import { PICTURE_SCENES_3D, type PictureScene3d } from './scenes.ts'
import { readSvg } from './svg-check.ts'

let app: Awaited<ReturnType<typeof buildApp>>

beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
})
afterAll(() => app.close())

function ask({ op, request, view }: PictureScene3d, accept = 'image/svg+xml') {
  const url = `/v1/3d/${op}${view === undefined ? '' : `?view=${view}`}`
  return app.inject({ method: 'POST', url, payload: request, headers: { accept } })
}

describe('pictures of space', () => {
  it.each(PICTURE_SCENES_3D.map((scene) => [scene.name, scene] as const))('%s', async (name, scene) => {
    const { statusCode, headers, body } = await ask(scene)
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox")
    readSvg(body)
    await expect(body).toMatchFileSnapshot(`golden/3d-${name}.svg`)
    expect((await ask(scene)).body).toBe(body)
  })

  it('has one of every query that is drawn', () => {
    const drawn = new Set(PICTURE_SCENES_3D.map(({ op }) => op))
    const wanted = queries3d.map(({ op }) => op).filter(hasPicture3d)
    expect(wanted.filter((op) => !drawn.has(op))).toEqual([])
    expect(wanted.length).toBe(drawn.size)
  })

  it('draws each view otherwise, and iso where none is asked for', async () => {
    const [scene] = PICTURE_SCENES_3D
    const pictures = await Promise.all(PICTURE_VIEWS.map(async (view) => (await ask({ ...scene, view })).body))
    expect(new Set(pictures).size).toBe(PICTURE_VIEWS.length)
    expect((await ask(scene)).body).toBe(pictures[0])
  })

  it('answers in numbers to those who take these', async () => {
    const [scene] = PICTURE_SCENES_3D
    const { headers } = await ask({ ...scene, view: 'x' }, 'application/json')
    expect(headers['content-type']).toMatch(/^application\/json/)
  })

  it.each([
    ['?view=top', 'view must be one of "iso", "x", "y", "z", got "top".'],
    ['?yDown=true', '"yDown" is not a known field; the known fields are view.'],
  ])('refuses a query string that means nothing: %s', async (parameters, detail) => {
    const [{ request }] = PICTURE_SCENES_3D
    const headers = { accept: 'image/svg+xml' }
    const response = await app.inject({ method: 'POST', url: `/v1/3d/overlap${parameters}`, payload: request, headers })
    expect(response.json()).toMatchObject({ status: 400, code: 'schema-violation', detail })
  })

  it('have a limit, before any work', async () => {
    const point = { x: 0, y: 0, z: 0 }
    const shape = { type: 'hull', points: Array.from({ length: 4096 }, () => point) }
    const a = Array.from({ length: 13 }, () => ({ shape }))
    const response = await ask({ name: '', op: 'table', request: { a, b: [], measure: 'overlap' } })
    expect(response.json()).toMatchObject({ status: 413, code: 'picture-too-large', limit: 50_000 })
  })
})
