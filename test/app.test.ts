// What the app adds around every route: request ids, logs, access, CORS, limits of the connection.

import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'

const point = { shape: { type: 'point' } }
const query = { method: 'POST', url: '/v1/2d/overlap', payload: { a: point, b: point } } as const

async function withApp(env: Record<string, string>, use: (app: FastifyInstance, lines: Line[]) => Promise<void>) {
  const lines: Line[] = []
  const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', ...env }), {
    write: (line) => lines.push(JSON.parse(line)),
  })
  try {
    await use(app, lines)
  } finally {
    await app.close()
  }
}

interface Line {
  level: number
  msg: string
  [field: string]: unknown
}

describe('request ids', () => {
  it('hands back a fit one', () =>
    withApp({}, async (app) => {
      const response = await app.inject({ ...query, headers: { 'x-request-id': 'abc-123' } })
      expect(response.headers['x-request-id']).toBe('abc-123')
    }))

  it.each([['x'.repeat(129)], ['a b'], ['ä']])('makes a new one in place of %j', (given) =>
    withApp({}, async (app) => {
      const response = await app.inject({ ...query, headers: { 'x-request-id': given } })
      expect(response.headers['x-request-id']).toMatch(/^[\w-]+$/)
      expect(response.headers['x-request-id']).not.toBe(given)
    }),
  )

  it('makes each one anew', () =>
    withApp({}, async (app) => {
      const ids = new Set<unknown>()
      for (let i = 0; i < 10; i++) ids.add((await app.inject(query)).headers['x-request-id'])
      expect(ids.size).toBe(10)
    }))
})

describe('the log', () => {
  it('has no line for a request that went well', () =>
    withApp({}, async (app, lines) => {
      await app.inject(query)
      await app.inject('/nope')
      expect(lines).toEqual([])
    }))

  it.each(['/v1/2d/overlap', '/v1/2d/batch'])('has none for a client that goes away while it sends: %s', (path) =>
    withApp({ HOST: '127.0.0.1', LOG_LEVEL: 'warn' }, async (app, lines) => {
      await app.listen({ host: '127.0.0.1', port: 0 })
      const arrives = once(app.server, 'request')
      const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      client.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`)
      const [request] = await arrives
      const leaves = once(request.socket, 'close')
      client.destroy()
      await leaves
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(lines).toEqual([])
    }),
  )

  it('has one for each when asked to: LOG_REQUESTS', () =>
    withApp({ LOG_REQUESTS: 'true' }, async (app, lines) => {
      await app.inject({ ...query, headers: { 'x-request-id': 'r1' } })
      await app.inject('/nope')
      expect(lines).toMatchObject([
        { level: 30, msg: 'request', reqId: 'r1', method: 'POST', url: '/v1/2d/overlap', status: 200 },
        { level: 30, msg: 'request', method: 'GET', url: '/nope', status: 404 },
      ])
      expect(lines[0].ms).toBeGreaterThan(0)
    }))

  it('warns of slow requests: SLOW_REQUEST_MS', () =>
    withApp({ SLOW_REQUEST_MS: '500' }, async (app, lines) => {
      app.get('/slow', async () => new Promise((resolve) => setTimeout(resolve, 510, 'done')))
      await app.inject('/slow')
      await app.inject(query)
      expect(lines).toMatchObject([{ level: 40, msg: 'slow request', url: '/slow', status: 200 }])
    }))

  it('has faults with their stack', () =>
    withApp({}, async (app, lines) => {
      app.get('/faulty', () => {
        throw new Error('secret')
      })
      await app.inject({ url: '/faulty', headers: { 'x-request-id': 'r2' } })
      expect(lines).toMatchObject([{ level: 50, msg: 'request failed', reqId: 'r2', err: { message: 'secret' } }])
    }))

  it('keeps to its level: LOG_LEVEL', () =>
    withApp({ LOG_REQUESTS: 'true', LOG_LEVEL: 'error' }, async (app, lines) => {
      await app.inject(query)
      expect(lines).toEqual([])
    }))
})

describe('tokens: API_TOKENS', () => {
  const env = { API_TOKENS: 'one,two' }

  it.each([[undefined], ['Bearer three'], ['Basic one'], ['Bearer']])('refuses %s', (authorization) =>
    withApp(env, async (app) => {
      const response = await app.inject({ ...query, headers: authorization === undefined ? {} : { authorization } })
      expect(response.statusCode).toBe(401)
      expect(response.headers['www-authenticate']).toBe('Bearer')
      expect(response.headers['content-type']).toContain('application/problem+json')
      expect(response.json().code).toBe('unauthorized')
    }),
  )

  it('takes each of them', () =>
    withApp(env, async (app) => {
      for (const token of ['one', 'two']) {
        const response = await app.inject({ ...query, headers: { authorization: `Bearer ${token}` } })
        expect(response.statusCode).toBe(200)
      }
    }))

  it('takes some for reading only: READ_TOKENS', () =>
    withApp({ ...env, READ_TOKENS: 'three' }, async (app) => {
      const { paths } = (await app.inject('/openapi.json')).json() as { paths: Record<string, object> }
      const writes: string[] = []
      for (const [path, methods] of Object.entries(paths)) {
        const url = path.replace(/\{\w+\}/g, 'a')
        // its answer has no end
        if (url.endsWith('/events')) continue
        for (const method of Object.keys(methods).map((name) => name.toUpperCase() as 'POST')) {
          const asked = (token: string) =>
            app.inject({ method, url, headers: { authorization: `Bearer ${token}` }, payload: '' })
          const { statusCode, body } = await asked('three')
          expect(statusCode, url).not.toBe(401)
          if (statusCode === 403) writes.push(`${method} ${path}`)
          if (statusCode === 403) expect(JSON.parse(body).code).toBe('read-only-token')
          expect((await asked('one')).statusCode, url).not.toBe(403)
        }
      }
      expect(writes.filter((write) => !write.startsWith('POST') && !/^(PUT|PATCH|DELETE) /.test(write))).toEqual([])
      expect(writes.filter((write) => write.startsWith('POST')).map((write) => write.replace(/.*[/]/, ''))).toEqual([
        'shapes',
        'shapes',
        'scenes',
        'scenes',
        'operations',
        'operations',
        'import',
        'import',
      ])
      expect(writes).toContain('DELETE /v1/2d/scenes/{sceneId}')
    }))

  it.each([
    ['', 200],
    ['?fix=false', 200],
    ['?fix=true', 403],
    ['?fix=true&dryRun=true', 403],
    ['?fix=TRUE', 403],
    ['?fix=1', 403],
    ['?fix', 403],
    ['?fix=false&fix=true', 403],
    ['?f%69x=true', 403],
  ])('lets those that only read check a level, but mend nothing: lint%s', (parameters, status) =>
    withApp({ ...env, READ_TOKENS: 'three', SCENE_STORE: 'memory' }, async (app) => {
      const send = (method: 'PUT' | 'POST', path: string, token: string) =>
        app.inject({
          method,
          url: `/v1/2d/scenes/a${path}`,
          headers: { authorization: `Bearer ${token}` },
          payload: {},
        })
      await send('PUT', '', 'one')
      expect((await send('POST', `/lint${parameters}`, 'three')).statusCode).toBe(status)
    }),
  )

  it.each(['bearer one', 'BEARER two', 'beaReR one'])('takes the scheme in any case: %s', (authorization) =>
    withApp(env, async (app) => {
      expect((await app.inject({ ...query, headers: { authorization } })).statusCode).toBe(200)
      const wrong = authorization.replace(/one|two/, (token) => token.toUpperCase())
      expect((await app.inject({ ...query, headers: { authorization: wrong } })).statusCode).toBe(401)
    }),
  )

  it('leaves probes and documentation open, and nothing else', () =>
    withApp(env, async (app) => {
      for (const url of ['/livez', '/readyz', '/healthz', '/docs', '/openapi.json', '/problems/not-found']) {
        expect((await app.inject(url)).statusCode, url).toBe(200)
      }
      for (const url of ['/metrics', '/version', '/v1/limits'])
        expect((await app.inject(url)).statusCode, url).toBe(401)
    }))
})

describe('the rate limit: RATE_LIMIT', () => {
  it('refuses with Retry-After what is over it, but never a probe', () =>
    withApp({ RATE_LIMIT: '2' }, async (app) => {
      await app.inject(query)
      expect((await app.inject('/version')).statusCode).toBe(200)
      const response = await app.inject(query)
      expect(response.statusCode).toBe(429)
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      expect(response.json()).toMatchObject({ code: 'rate-limited', limit: 2 })
      expect((await app.inject('/readyz')).statusCode).toBe(200)
    }))

  it.each([
    ['/nope', 404],
    ['/v1/2d/overlap', 405],
  ])('counts what is at no route, and refuses it: GET %s', (url, status) =>
    withApp({ RATE_LIMIT: '2' }, async (app) => {
      expect([(await app.inject(url)).statusCode, (await app.inject(url)).statusCode]).toEqual([status, status])
      const response = await app.inject(url)
      expect([response.statusCode, response.json().code]).toEqual([429, 'rate-limited'])
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      expect((await app.inject(query)).statusCode).toBe(429)
    }),
  )

  it('counts clients apart, behind a proxy by what it says: TRUST_PROXY', () =>
    withApp({ RATE_LIMIT: '1', TRUST_PROXY: '1' }, async (app) => {
      const from = async (address: string) =>
        (await app.inject({ ...query, headers: { 'x-forwarded-for': address } })).statusCode
      expect([await from('10.0.0.1'), await from('10.0.0.2'), await from('10.0.0.1')]).toEqual([200, 200, 429])
      // what the client has put there itself
      expect([await from('1.2.3.4, 10.0.0.1'), await from('5.6.7.8, 10.0.0.3')]).toEqual([429, 200])
    }))

  it('believes the proxies that are named, and nobody else', async () => {
    for (const [proxies, statuses] of [
      ['127.0.0.0/8', [200, 200]],
      ['loopback, 10.9.0.0/16', [200, 200]],
      ['10.9.0.1', [200, 429]],
    ] as const) {
      await withApp({ RATE_LIMIT: '1', TRUST_PROXY: proxies }, async (app) => {
        const from = async (address: string) =>
          (await app.inject({ ...query, headers: { 'x-forwarded-for': address } })).statusCode
        expect([await from('10.0.0.1'), await from('10.0.0.2')]).toEqual(statuses)
      })
    }
  })

  it('does not believe X-Forwarded-For otherwise', () =>
    withApp({ RATE_LIMIT: '1' }, async (app) => {
      const from = async (address: string) =>
        (await app.inject({ ...query, headers: { 'x-forwarded-for': address } })).statusCode
      expect([await from('10.0.0.1'), await from('10.0.0.2')]).toEqual([200, 429])
    }))
})

it('lets nothing be taken for another type than it is sent as', () =>
  withApp({ RATE_LIMIT: '11', API_TOKENS: 'one', CORS_ORIGIN: '*' }, async (app) => {
    const headers = { authorization: 'Bearer one' }
    const asked = [
      ...[
        '/',
        '/livez',
        '/docs/',
        '/openapi.json',
        '/problems/not-found',
        '/metrics',
        '/nope',
        '/docs/static/index.css',
      ],
      { ...query, headers },
      { ...query, headers: { ...headers, accept: 'image/svg+xml' } },
      { ...query, headers, payload: {} },
      { ...query },
      {
        ...query,
        headers: { origin: 'https://editor.test', 'access-control-request-method': 'POST' },
        method: 'OPTIONS' as const,
      },
      { ...query, headers },
    ]
    const statuses: number[] = []
    for (const request of asked) {
      const response = await app.inject(request)
      expect(response.headers['x-content-type-options'], JSON.stringify(request)).toBe('nosniff')
      statuses.push(response.statusCode)
    }
    expect(new Set(statuses)).toEqual(new Set([200, 204, 400, 401, 404, 429]))
  }))

describe('CORS: CORS_ORIGIN', () => {
  const headers = { origin: 'https://editor.test' }
  const preflight = {
    method: 'OPTIONS',
    url: '/v1/2d/overlap',
    headers: { ...headers, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  } as const

  it('is off by default', () =>
    withApp({}, async (app) => {
      expect((await app.inject({ ...query, headers })).headers).not.toHaveProperty('access-control-allow-origin')
      expect((await app.inject(preflight)).statusCode).toBe(405)
    }))

  it.each([
    ['https://editor.test', 'https://editor.test'],
    ['https://other.test,https://editor.test', 'https://editor.test'],
    ['*', '*'],
  ])('allows an origin of the list: %s', (origins, allowed) =>
    withApp({ CORS_ORIGIN: origins, API_TOKENS: 'one' }, async (app) => {
      const answer = await app.inject(preflight)
      expect(answer.statusCode).toBe(204)
      expect(answer.headers['access-control-allow-origin']).toBe(allowed)
      const asked = await app.inject({ ...query, headers: { ...headers, authorization: 'Bearer one' } })
      expect(asked.statusCode).toBe(200)
      expect(asked.headers['access-control-allow-origin']).toBe(allowed)
    }),
  )

  it('does not allow another, and unknown paths are still unknown', () =>
    withApp({ CORS_ORIGIN: 'https://other.test' }, async (app) => {
      expect((await app.inject({ ...query, headers })).headers).not.toHaveProperty('access-control-allow-origin')
      expect((await app.inject('/nope')).statusCode).toBe(404)
    }))
})

it('takes no more vertices than MAX_VERTICES', () =>
  withApp({ MAX_VERTICES: '3' }, async (app) => {
    const square = [0, 1, 2, 3].map((i) => ({ x: i & 1, y: i >> 1 }))
    const payload = { a: point, b: { shape: { type: 'polygon', vertices: square } } }
    const response = await app.inject({ ...query, payload })
    expect(response.statusCode).toBe(413)
    expect(response.json()).toMatchObject({
      code: 'too-many-vertices',
      limit: 3,
      actual: 4,
      errors: [{ pointer: '#/b/shape/vertices' }],
    })
  }))

it('counts the vertices of chains and of whole regions: MAX_VERTICES', () =>
  withApp({ MAX_VERTICES: '5' }, async (app) => {
    const ring = [0, 1, 2].map((i) => ({ x: 4 * (i & 1), y: 4 * (i >> 1) }))
    const small = ring.map(({ x, y }) => ({ x: 1 + x / 8, y: 1 + y / 8 }))
    const shapes = [
      [{ type: 'chain', vertices: [...ring, ...ring] }, '/vertices', 'A chain may have at most 5 vertices, got 6.'],
      [{ type: 'region', outer: ring, holes: [small] }, '/outer', 'A region may have at most 5 vertices, got 6.'],
    ] as const
    for (const [shape, pointer, detail] of shapes) {
      const response = await app.inject({ ...query, payload: { a: point, b: { shape } } })
      expect(response.statusCode).toBe(413)
      expect(response.json()).toMatchObject({
        code: 'too-many-vertices',
        detail,
        limit: 5,
        actual: 6,
        errors: [{ pointer: `#/b/shape${pointer}` }],
      })
    }
    const response = await app.inject({
      ...query,
      payload: { a: point, b: { shape: { type: 'region', outer: ring } } },
    })
    expect(response.statusCode).toBe(200)
  }))

it('counts the shapes of a compound at all depths: MAX_PARTS', () =>
  withApp({ MAX_PARTS: '3' }, async (app) => {
    const pair = { shape: { type: 'compound', children: [point, point] } }
    const ask = async (...children: object[]) =>
      app.inject({ ...query, payload: { a: point, b: { shape: { type: 'compound', children } } } })
    expect((await ask(pair, point)).statusCode).toBe(200)
    const response = await ask(pair, pair)
    expect(response.statusCode).toBe(413)
    expect(response.json()).toMatchObject({
      code: 'too-many-parts',
      detail: 'A compound may have at most 3 parts, got 4.',
      limit: 3,
      actual: 4,
      errors: [{ pointer: '#/b/shape/children' }],
    })
  }))

describe('the connection', () => {
  /** Sends text over a bare socket; the whole answer. */
  async function exchange(app: FastifyInstance, text: string): Promise<string> {
    await app.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(text)
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    await once(socket, 'close')
    return answer
  }

  const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

  it('gets a problem for what is not HTTP', () =>
    withApp({}, async (app) => {
      const answer = await exchange(app, 'GARBAGE\r\n\r\n')
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain('Content-Type: application/problem+json')
      expect(answer).toContain('X-Content-Type-Options: nosniff')
      expect(bodyOf(answer)).toMatchObject({ code: 'malformed-request', status: 400 })
    }))

  it('gets a problem for headers that are too large', () =>
    withApp({}, async (app) => {
      const answer = await exchange(app, `GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)
      expect(bodyOf(answer)).toMatchObject({ code: 'headers-too-large', status: 431 })
    }))

  it('gets a problem when the request does not arrive in time: REQUEST_TIMEOUT_MS', () =>
    withApp({ REQUEST_TIMEOUT_MS: '100' }, async (app) => {
      const head =
        'POST /v1/2d/overlap HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n'
      const answer = await exchange(app, head)
      expect(bodyOf(answer)).toMatchObject({ code: 'request-timeout', status: 408 })
    }))
})
