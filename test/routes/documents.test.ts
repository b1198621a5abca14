import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import type { OpenApiDocument } from '../../src/wire/openapi-document.ts'
import { downgrade, renderView } from '../../src/wire/openapi-views.ts'

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

it.each(['/openapi.json', '/openapi-3.0.json', '/openapi-flat.json'])('packs %s, and sends it once', async (url) => {
  const plain = await app.inject(url)
  const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
  const { etag } = packed.headers
  const again = await app.inject({ url, headers: { 'if-none-match': etag as string } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
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
  })

  it('shows all problems of an operation as one, and leaves them apart in what is published', async () => {
    const shown = (await app.inject('/docs/json')).json()
    const published = (await app.inject('/openapi.json')).json()
    const { responses } = published.paths['/v1/2d/contact'].post
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', '413', '422', '503']))
    const folded = shown.paths['/v1/2d/contact'].post.responses
    expect(Object.keys(folded)).toEqual(['200', 'default'])
    for (const status of Object.keys(responses).filter((status) => status >= '400')) {
      const { content } = published.components.responses[responses[status].$ref.split('/').at(-1)]
      for (const [code, example] of Object.entries(content['application/problem+json'].examples)) {
        expect(folded.default.description).toContain(`](/problems/${code})`)
        expect(folded.default.content['application/problem+json'].examples[code]).toEqual(example)
      }
    }
    const withoutFolding = (document: { paths: object; info: object }) => ({ ...document, paths: null, info: null })
    const swagger = app.swagger() as unknown as OpenApiDocument
    expect(withoutFolding(shown)).toEqual(JSON.parse(JSON.stringify(withoutFolding(downgrade(swagger)))))
    expect((await app.inject('/openapi.json')).body).toBe(renderView('openapi.json', swagger))
  })

  it('takes everything from this host', async () => {
    const page = await app.inject('/docs')
    const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source)
    expect(sources.length).toBeGreaterThan(3)
    for (const source of sources) {
      expect(source).toMatch(/^\/docs\/static\//)
      const sent = await app.inject({ url: source, headers: { 'accept-encoding': 'gzip' } })
      expect(sent.statusCode).toBe(200)
      if (/\.(js|css)$/.test(source)) expect(sent.headers).toMatchObject({ 'content-encoding': 'gzip' })
      const { etag } = sent.headers
      const again = await app.inject({ url: source, headers: { 'if-none-match': etag as string } })
      expect(again.statusCode).toBe(304)
    }
    // written in many ways, it is answered all the same
    const letters = [...'swagger-ui'].map((letter) => `%${letter.charCodeAt(0).toString(16)}`)
    for (let n = 0; n < 20; n++) {
      const name = [...'swagger-ui'].map((letter, k) => ((n >> (k % 5)) & 1 ? letters[k] : letter)).join('')
      expect((await app.inject(`/docs/static/${name}.css`)).statusCode).toBe(200)
    }
    expect(page.headers['x-content-type-options']).toBe('nosniff')
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'self'/)
    const { body } = await app.inject('/docs/static/swagger-initializer.js')
    expect(body).toContain('validatorUrl: null')
    // only in comments
    expect(body.replace(/\/\/.*$/gm, '')).not.toMatch(/https?:/)
  })
})
