// Answers are written by their schemas, whatever their size.
import { describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

const hullOf = (count: number) => {
  const points = Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count
    return { x: Math.cos(angle), y: Math.sin(angle) }
  })
  return { points }
}

describe('an answer', () => {
  it.each([10, 300, 1000, 4000])('of %i vertices is whole', async (count) => {
    const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
    const payload = hullOf(count)
    const { statusCode, headers, rawPayload, body } = await app.inject({ method: 'POST', url: '/v1/2d/hull', payload })
    await app.close()
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['content-length']).toBe(String(rawPayload.length))
    expect(JSON.parse(body).vertices).toHaveLength(count)
    expect(new Set(JSON.parse(body).vertices.map(JSON.stringify))).toEqual(
      new Set(payload.points.map(({ x, y }) => JSON.stringify({ x: x + 0, y: y + 0 }))),
    )
  })

  it('does not show in the next one', async () => {
    const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
    const ask = async (count: number) =>
      (await app.inject({ method: 'POST', url: '/v1/2d/hull', payload: hullOf(count) })).body
    const small = await ask(10)
    const large = await ask(1000)
    expect(await Promise.all([ask(10), ask(1000), ask(10)])).toEqual([small, large, small])
    await app.close()
  })
})
