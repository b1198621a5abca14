import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { renderView } from '../../src/wire/openapi/openapi-views.ts'

let app: FastifyInstance
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
})
afterAll(() => app.close())

it.each([
  ['/openapi.json', '3.1.0'],
  ['/openapi-3.0.json', '3.0.3'],
  ['/openapi-flat.json', '3.0.3'],
])('GET %s is a document of OpenAPI %s', async (url, version) => {
  const response = await app.inject(url)
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(response.json().openapi).toBe(version)
})

describe('GET /docs', () => {
  it('shows the document, with pictures and lines beside JSON', async () => {
    const page = await app.inject('/docs')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    const document = (await app.inject('/docs/json')).json()
    expect(Object.keys(document.paths['/v1/2d/contact'].post.responses['200'].content)).toEqual([
      'application/json',
      'image/svg+xml',
    ])
    expect((await app.inject('/openapi.json')).body).toBe(renderView('openapi.json', document))
  })

  it('takes everything from this host', async () => {
    const page = await app.inject('/docs')
    const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source)
    expect(sources.length).toBeGreaterThan(3)
    for (const source of sources) {
      expect(source).toMatch(/^\/docs\/static\//)
      expect((await app.inject(source)).statusCode).toBe(200)
    }
    expect(page.headers['x-content-type-options']).toBe('nosniff')
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'self'/)
    const { body } = await app.inject('/docs/static/swagger-initializer.js')
    expect(body).toContain('validatorUrl: null')
    // only in comments
    expect(body.replace(/\/\/.*$/gm, '')).not.toMatch(/https?:/)
  })
})
