// The process itself: it listens, finishes what it has on a signal, and says what is wrong.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { beforeAll, expect, it, vi } from 'vitest'
import { bundled } from './support/services/bundled.ts'

const root = new URL('..', import.meta.url)

let script = ''
beforeAll(async () => {
  script = await bundled('src/server.ts')
})

function start(env: Record<string, string>, args: readonly string[] = []) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', SCENE_STORE: 'memory', HOST: '127.0.0.1', PORT: '0', ...env },
  })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  const exit = once(child, 'exit').then(([code]) => code as number)
  return { child, output, exit }
}

/** A request that takes a while. */
function heavy(): RequestInit {
  const outer = Array.from({ length: 1000 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 1000
    const radius = i % 2 === 0 ? 10 : 5
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
  })
  const star = { shape: { type: 'region', outer } }
  const body = JSON.stringify({ a: star, b: { ...star, position: { x: 3, y: 1 } } })
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body }
}

async function addressOf({ child, output }: ReturnType<typeof start>): Promise<string> {
  for (;;) {
    const address = /"address":"([^"]+)"/.exec(output.out)?.[1]
    if (address !== undefined) return address
    if (child.exitCode !== null) throw new Error(output.err)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

it('prints help and the version, and says which flag is wrong', async () => {
  const run = async (...args: string[]) => {
    const server = start({ API_TOKEN: 'x' }, args)
    return [await server.exit, server.output.out, server.output.err]
  }
  const [help, version, wrong] = await Promise.all([run('serve', '--help'), run('--version'), run('--prot', '1')])
  expect(help).toEqual([0, expect.stringContaining('--port <number>'), ''])
  expect(version).toEqual([0, 'tangent 0.2.0\n', ''])
  expect(wrong).toEqual([2, '', 'Configuration: --prot is not a flag; did you mean --port?; see --help\n'])
})

it('serves as its help shows, until a signal, then ends by itself', async () => {
  const help = start({}, ['serve', '--help'])
  await help.exit
  const [, example] = /^Example:\n {2}tangent (.*)$/m.exec(help.output.out)!
  const server = start({}, example.replace(/--port \d+/, '--port 0').split(' '))
  const address = await addressOf(server)
  const point = { shape: { type: 'point' } }
  const response = await fetch(`${address}/v1/2d/overlap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ a: point, b: point }),
  })
  expect(await response.json()).toEqual({ overlap: true, relation: 'touching' })
  const docs = /"docs":"([^"]+)"/.exec(server.output.out)?.[1]
  expect(docs).toBe(`${address}/docs`)
  expect((await fetch(docs as string)).headers.get('content-type')).toContain('text/html')
  server.child.kill('SIGTERM')
  expect(await server.exit).toBe(0)
  expect(server.output.out).toContain('"msg":"stopping"')
})

it('tells load balancers before it closes its listener, and finishes what it has', async () => {
  const server = start({ DRAIN_DELAY_MS: '1500', DRAIN_MS: '20000' })
  const address = await addressOf(server)
  await vi.waitFor(async () => expect((await fetch(`${address}/readyz`)).status).toBe(200), 60_000)
  const long = fetch(`${address}/v1/2d/contact`, heavy())
  await new Promise((resolve) => setTimeout(resolve, 200))
  server.child.kill('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 500))
  const told = await fetch(`${address}/readyz`)
  expect([told.status, await told.text()]).toEqual([503, expect.stringContaining('"code":"draining"')])
  expect((await fetch(`${address}/livez`)).status).toBe(200)
  expect((await long).status).toBe(200)
  expect(await server.exit).toBe(0)
  await expect(fetch(`${address}/livez`)).rejects.toThrow()
})

it('cuts off what takes longer than it may, and says so', async () => {
  const server = start({ DRAIN_MS: '300', QUERY_DEADLINE_MS: '60000' })
  const address = await addressOf(server)
  const stream = request(`${address}/v1/2d/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
  })
  stream.on('error', () => undefined)
  stream.write('{"op":"overlap","a":{"shape":{"type":"point"}},"b":{"shape":{"type":"point"}}}\n')
  await once(stream, 'response')
  server.child.kill('SIGTERM')
  expect(await server.exit).toBe(1)
  expect(server.output.out).toContain('requests cut off: they took longer than DRAIN_MS')
})

it('ends with one readable line when the configuration is wrong', async () => {
  const server = start({ PORT: 'http' })
  expect(await server.exit).toBe(1)
  expect(server.output).toEqual({ out: '', err: 'Configuration: PORT must be integer, got "http"\n' })
})

it('ends with one readable line when the port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const server = start({ PORT: String(port) })
  expect(await server.exit).toBe(1)
  expect(server.output).toEqual({ out: '', err: `Port ${port} of 127.0.0.1 is in use.\n` })
  other.close()
})
