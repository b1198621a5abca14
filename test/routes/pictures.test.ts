import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { PICTURE_LIMITS } from '../../src/pictures/shape-parts.ts'
import { queries } from '../../src/queries/stateless/all.ts'
import { readSvg } from '../pictures/svg-check.ts'

let app: FastifyInstance
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
})
afterAll(() => app.close())

const ask = (op: string, payload: object, accept: string, parameters = '') =>
  app.inject({ method: 'POST', url: `/v1/2d/${op}${parameters}`, payload, headers: { accept } })

const crate = { shape: { type: 'box', width: 2, height: 2 } }
const ball = { shape: { type: 'circle', radius: 1 }, position: { x: 1.5, y: 0.25 } }
const pair = { a: crate, b: ball }
const sphere = { shape: { type: 'sphere', radius: 1 } }

describe('pictures', () => {
  it.each(queries.map(({ op, request }) => ({ op, examples: request.examples as object[] })))(
    'are drawn of $op',
    async ({ op, examples }) => {
      for (const example of examples) {
        const response = await ask(op, example, 'image/svg+xml')
        expect(response.statusCode).toBe(200)
        expect(response.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
        expect(response.body).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
        expect(response.body).toContain(`<title>${op}`)
        expect(response.body).not.toMatch(/<script|href=|NaN|Infinity|undefined/)
      }
    },
  )

  it.each([
    ['image/svg+xml', true],
    ['image/svg+xml, */*;q=0.1', true],
    ['application/json;q=0.5, image/svg+xml', true],
    ['text/html, image/svg+xml;q=0.9', true],
    ['*/*', false],
    ['image/*', true],
    ['application/json', false],
    ['application/json, image/svg+xml;q=0.9', false],
    ['image/svg+xml;q=0', false],
    ['text/html', false],
  ])('are sent to those who would rather have one: %s', async (accept, drawn) => {
    const response = await ask('contact', pair, accept)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toMatch(drawn ? /^image\/svg\+xml;/ : /^application\/json;/)
    expect(response.body.startsWith('<svg')).toBe(drawn)
  })

  it('run and load nothing when they are opened by themselves', async () => {
    const large = {
      body: { shape: { type: 'chain', vertices: Array.from({ length: 3000 }, (_, x) => ({ x, y: 0 })) } },
    }
    for (const response of [await ask('contact', pair, 'image/svg+xml'), await ask('bounds', large, 'image/svg+xml')]) {
      expect(response.headers['content-security-policy']).toBe("default-src 'none'; sandbox")
      // which leaves all of it as it is
      expect(response.body).not.toMatch(/<style|style=|<image|<use|url\(/)
    }
    expect((await ask('contact', pair, 'application/json')).headers).not.toHaveProperty('content-security-policy')
  })

  it.each(['/v1/2d/batch', '/v1/3d/batch', '/v1/2d/scenes/s/batch'])(
    'are refused of batches that come as lines: %s',
    async (url) => {
      await app.inject({ method: 'PUT', url: '/v1/2d/scenes/s', payload: {} })
      const send = (accept: string) =>
        app.inject({ method: 'POST', url, payload: '', headers: { accept, 'content-type': 'application/x-ndjson' } })
      for (const accept of ['image/svg+xml', 'image/*', 'Image/SVG+xml, text/html;q=0.5', 'image/png']) {
        const response = await send(accept)
        expect(response.statusCode).toBe(406)
        expect(response.headers['content-type']).toContain('application/problem+json')
        const types = 'application/json or application/x-ndjson'
        const detail = `This is answered as ${types}, not as ${JSON.stringify(accept)}.`
        expect(response.json()).toMatchObject({ code: 'not-acceptable', detail })
      }
      for (const accept of [
        'image/svg+xml, */*;q=0.1',
        'image/svg+xml, application/json',
        'image/svg+xml;q=0',
        '*/*',
      ]) {
        expect((await send(accept)).statusCode).not.toBe(406)
      }
    },
  )

  it.each(['2d', '3d'])('are drawn of batches, one below the other: %s', async (dimension) => {
    const queries: object[] =
      dimension === '2d'
        ? [
            { op: 'contact', ...pair },
            { op: 'hull', points: [{ x: 0, y: 0 }] },
            { op: 'contact', a: crate },
          ]
        : [{ op: 'overlap', a: sphere, b: sphere }, { op: 'bounds', body: sphere }, { op: 'nothing' }]
    const send = (list: unknown, parameters = '') =>
      app.inject({
        method: 'POST',
        url: `/v1/${dimension}/batch${parameters}`,
        payload: { queries: list },
        headers: { accept: 'image/svg+xml' },
      })
    const response = await send(queries)
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(response.headers['content-security-policy']).toContain("default-src 'none'")
    const { texts } = readSvg(response.body)
    const [first, second] = queries as { op: string }[]
    expect(texts.some((text) => text.startsWith(`1. ${first.op}: `))).toBe(true)
    expect(texts.some((text) => text.startsWith(`2. ${second.op}: `))).toBe(true)
    expect(texts).toContain('3. query: schema-violation')
    expect([...response.body.matchAll(/<svg x="0"/g)]).toHaveLength(3)
    const many = await send(Array.from({ length: 20 }, () => queries[1]))
    expect(many.body).toContain('… and 4 more queries.')
    readSvg(many.body)
    expect((await send([])).body).toContain('There are no queries.')
    expect((await send('none')).json().code).toBe('schema-violation')
    const turned = await send(queries, dimension === '2d' ? '?yDown=true' : '?view=x')
    expect(turned.body).not.toBe(response.body)
    expect((await send(queries, '?colour=red')).json()).toMatchObject({ status: 400, code: 'schema-violation' })
    const large = Array.from({ length: PICTURE_LIMITS.shapes + 1 }, () => (dimension === '2d' ? ball : sphere))
    expect((await send([{ op: 'pairs', bodies: large }])).body).toContain('1. pairs: picture-too-large')
  })

  it('are refused in other forms', async () => {
    const response = await ask('contact', pair, 'image/png')
    expect(response.statusCode).toBe(406)
    expect(response.json().detail).toContain('application/json or image/svg+xml')
  })

  it('may have y pointing down', async () => {
    const up = (await ask('contact', pair, 'image/svg+xml')).body
    expect((await ask('contact', pair, 'image/svg+xml', '?yDown=false')).body).toBe(up)
    expect((await ask('contact', pair, 'image/svg+xml', '?yDown=true')).body).not.toBe(up)
    expect((await ask('contact', pair, 'application/json', '?yDown=true')).json()).toHaveProperty('separation')
  })

  it('are not drawn of what is wrong', async () => {
    const response = await ask('contact', { a: crate, b: { shape: { type: 'circle', radius: -1 } } }, 'image/svg+xml')
    expect(response.statusCode).toBe(400)
    expect(response.headers['content-type']).toContain('application/problem+json')
  })

  it.each([
    ['?ydown=true', '"ydown" is not a known field. Did you mean "yDown"?'],
    ['?yDown=maybe', 'yDown must be true or false, got "maybe".'],
  ])('refuse a query string that means nothing: %s', async (parameters, detail) => {
    const response = await ask('contact', pair, 'image/svg+xml', parameters)
    expect(response.json()).toMatchObject({ status: 400, code: 'schema-violation', detail })
  })

  it('have a limit, before any work', async () => {
    const bodies = Array.from({ length: PICTURE_LIMITS.shapes + 1 }, () => ball)
    const response = await ask('pairs', { bodies }, 'image/svg+xml')
    expect(response.json()).toMatchObject({
      status: 413,
      code: 'picture-too-large',
      limit: PICTURE_LIMITS.shapes,
      actual: PICTURE_LIMITS.shapes + 1,
    })
  })
})
