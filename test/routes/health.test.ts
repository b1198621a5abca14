import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

let app: FastifyInstance
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
})
afterAll(() => app.close())

describe('GET /livez', () => {
  it('answers as long as the process does', async () => {
    const response = await app.inject('/livez')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ status: 'ok' })
  })
})

describe('GET /readyz', () => {
  it('is ready once the app is', async () => {
    const response = await app.inject('/readyz')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ status: 'ok' })
  })

  it('waits for the workers, which the first heavy question would wait for', async () => {
    const listening = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
    try {
      await listening.listen({ host: '127.0.0.1', port: 0 })
      expect((await listening.inject('/readyz')).json()).toMatchObject({ status: 503, code: 'starting' })
      await listening.workers.start()
      expect((await listening.inject('/readyz')).json()).toEqual({ status: 'ok' })
    } finally {
      await listening.close()
    }
  })

  it.each(['starting', 'draining'] as const)(
    'is 503 with Retry-After while %s, and the rest still answers',
    async (phase) => {
      app.lifecycle.phase = phase
      const response = await app.inject('/readyz')
      const live = await app.inject('/livez')
      const health = await app.inject('/healthz')
      app.lifecycle.phase = 'serving'
      expect(response.statusCode).toBe(503)
      expect(response.headers['retry-after']).toBe('5')
      expect(response.json()).toMatchObject({ code: phase, status: 503 })
      expect(live.statusCode).toBe(200)
      expect(health.json().status).toBe(phase)
    },
  )

  it('goes from starting over serving to draining', async () => {
    const other = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
    expect(other.lifecycle.phase).toBe('starting')
    await other.ready()
    expect(other.lifecycle.phase).toBe('serving')
    await other.close()
    expect(other.lifecycle.phase).toBe('draining')
  })
})

function block(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

describe('GET /healthz', () => {
  it('tells how the service fares', async () => {
    const response = await app.inject('/healthz')
    expect(response.statusCode).toBe(200)
    const { eventLoopDelay, ...others } = response.json()
    expect(others).toEqual({
      status: 'ok',
      uptime: expect.any(Number),
      heapUsed: expect.any(Number),
      rss: expect.any(Number),
      store: null,
    })
    // null when the machine was too busy for a sample
    expect(eventLoopDelay ?? 0).toBeGreaterThanOrEqual(0)
  })

  it('does not hold the time that the start took against it', async () => {
    const started = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
    block(3000)
    await started.ready()
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect((await started.inject('/healthz')).json().status).toBe('ok')
    await started.close()
  })
})

// last, since it holds up every app of this process
describe('an event loop that lags', () => {
  it('makes /readyz answer 503, while queries are still answered', async () => {
    const blocked = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
    await blocked.ready()
    // blocks for longer than the limit each time, until a sample of the delay has been taken
    await vi.waitFor(
      async () => {
        block(1500)
        await new Promise((resolve) => setTimeout(resolve, 1))
        expect((await blocked.inject('/readyz')).json().code).toBe('overloaded')
      },
      { timeout: 20_000, interval: 1 },
    )
    const point = { shape: { type: 'point' } }
    expect((await blocked.inject('/healthz')).json().status).toBe('overloaded')
    const query = await blocked.inject({ method: 'POST', url: '/v1/2d/overlap', payload: { a: point, b: point } })
    expect(query.statusCode).toBe(200)
    await blocked.close()
  })
})
