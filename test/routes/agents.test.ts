// POST /mcp: tokens, limits and origins as everywhere, what is no message, and requests that are given up.

import { request } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { call, clientByHttp, told } from '../support/tool-clients.ts'

let app: FastifyInstance | undefined
afterEach(() => app?.close())

async function serve(settings: Record<string, string> = {}): Promise<string> {
  app = await buildApp(loadConfig({ LOG_LEVEL: 'silent', SCENE_STORE: 'memory', ...settings }))
  return app.listen({ host: '127.0.0.1', port: 0 })
}

const JSON_RPC = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

function post(address: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${address}/mcp`, { method: 'POST', headers: { ...JSON_RPC, ...headers }, body })
}

interface Answered {
  readonly error?: object
  readonly result?: { readonly isError?: boolean }
}

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
const calling = (name: string, args: object, id: number | string = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })

describe('access', () => {
  it('needs a token where the service has tokens', async () => {
    const address = await serve({ API_TOKENS: 'secret', READ_TOKENS: 'reader' })
    await expect(clientByHttp(address)).rejects.toThrow(/401|Unauthorized/i)
    expect((await post(address, LIST)).status).toBe(401)
    expect((await post(address, LIST, { authorization: 'Bearer other' })).status).toBe(401)
    const writer = await clientByHttp(address, { authorization: 'Bearer secret' })
    await told(writer, 'open_level', { scene: 'yard' })
    const reader = await clientByHttp(address, { authorization: 'Bearer reader' })
    expect(await told(reader, 'what_is_here', { scene: 'yard', point: { x: 0, y: 0 } })).toHaveProperty('bodies')
    for (const [tool, args] of [
      ['open_level', { scene: 'other' }],
      ['apply', { scene: 'yard', operations: [{ op: 'clear' }], dryRun: false }],
    ] as const) {
      const { isError, text } = await call(reader, tool, args)
      expect([isError, text]).toEqual([true, expect.stringContaining('one that may write')])
    }
    await writer.close()
    await reader.close()
  })

  it('counts calls of tools against the limit of the client', async () => {
    const address = await serve({ RATE_LIMIT: '7' })
    const statuses: number[] = []
    const texts: string[] = []
    for (let k = 0; k < 5; k++) {
      const response = await post(address, calling('list_scenes', { dimension: 2 }))
      statuses.push(response.status)
      texts.push(await response.text())
    }
    // each call is a request, and asks one
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    expect(texts[2]).not.toContain('isError')
    expect(texts[3]).toMatch(/isError.*|.*Wait some seconds/)
    expect(texts[3]).toContain('Wait some seconds')
  })

  it('takes calls of no pages but those of CORS_ORIGIN', async () => {
    const address = await serve({ CORS_ORIGIN: 'https://editor.example' })
    expect((await post(address, LIST, { origin: 'https://editor.example' })).status).toBe(200)
    const refused = await post(address, LIST, { origin: address })
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { message: expect.stringContaining('CORS_ORIGIN') },
    })
  })
})

describe('messages', () => {
  it('are JSON, within a megabyte, and are posted', async () => {
    const address = await serve()
    expect((await post(address, '{"jsonrpc":')).status).toBe(400)
    expect((await post(address, '{}')).status).toBe(400)
    expect((await post(address, '7')).status).toBe(400)
    expect((await post(address, '')).status).toBe(400)
    expect((await post(address, LIST, { accept: 'text/html' })).status).toBe(406)
    expect((await post(address, LIST, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post(address, LIST, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400)
    expect((await post(address, calling('open_level', { content: 'x'.repeat(10_000_000) }))).status).toBe(413)
    for (const method of ['GET', 'DELETE']) expect((await fetch(`${address}/mcp`, { method })).status).toBe(405)
    const many = JSON.stringify(Array.from({ length: 101 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })))
    expect((await post(address, many)).status).toBe(400)
    expect((await post(address, LIST)).status).toBe(200)
  })

  it('have arguments of any kind', async () => {
    const address = await serve()
    for (const args of [
      null,
      [],
      'scene',
      7,
      { scene: null },
      { scene: { a: 1 } },
      { __proto__: null, constructor: 1 },
    ]) {
      const response = await post(address, calling('find_bodies', args as object))
      expect(response.status).toBe(200)
      const { error, result } = (await response.json()) as Answered
      expect(error !== undefined || result?.isError).toBe(true)
    }
    const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"apply","arguments":{"scene":"a","operations":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`
    const { result } = (await (await post(address, deep)).json()) as Answered
    expect(result?.isError).toBe(true)
    expect((await post(address, LIST)).status).toBe(200)
  })

  it('are not answered when they are only told', async () => {
    const address = await serve()
    const told = await post(address, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
    expect([told.status, await told.text()]).toEqual([202, ''])
  })
})

it('ends the work of a request that is given up', async () => {
  const address = await serve()
  const body = (k: number) => ({
    id: `b${k}`,
    shape: { type: 'circle', radius: 50 },
    position: { x: k % 100, y: k / 100 },
  })
  const operations = Array.from({ length: 5000 }, (_, k) => ({ op: 'put', body: body(k) }))
  await fetch(`${address}/v1/2d/scenes/crowd`, { method: 'PUT', headers: JSON_RPC, body: '{}' })
  const headers = JSON_RPC
  await fetch(`${address}/v1/2d/scenes/crowd/operations`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ operations }),
  })
  const asked: string[] = []
  const ended: boolean[] = []
  const inject = (app as FastifyInstance).inject.bind(app) as (options: object) => unknown
  const watched = (options: { url: string; signal: AbortSignal }) => {
    asked.push(options.url)
    options.signal.addEventListener('abort', () => ended.push(true))
    return inject(options)
  }
  Object.assign(app as object, { inject: watched })
  const message = calling('lint', { scene: 'crowd', rules: [{ rule: 'overlap' }] })
  const given = request(`${address}/mcp`, { method: 'POST', headers: JSON_RPC, agent: false })
  given.on('error', () => undefined).end(message)
  await expect.poll(() => asked.some((url) => url.endsWith('/lint'))).toBe(true)
  given.destroy()
  await expect.poll(() => ended.length).toBeGreaterThan(0)
  expect((await post(address, LIST)).status).toBe(200)
})
