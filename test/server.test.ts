// The process itself: it listens, finishes what it has on a signal, and says what is wrong.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'

const root = new URL('..', import.meta.url)

function start(env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], {
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

async function addressOf({ child, output }: ReturnType<typeof start>): Promise<string> {
  for (;;) {
    const address = /"address":"([^"]+)"/.exec(output.out)?.[1]
    if (address !== undefined) return address
    if (child.exitCode !== null) throw new Error(output.err)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

it('serves until a signal, then ends by itself', async () => {
  const server = start({})
  const address = await addressOf(server)
  const point = { shape: { type: 'point' } }
  const response = await fetch(`${address}/v1/2d/overlap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ a: point, b: point }),
  })
  expect(await response.json()).toEqual({ overlap: true, relation: 'touching' })
  server.child.kill('SIGTERM')
  expect(await server.exit).toBe(0)
  expect(server.output.out).toContain('"msg":"stopping"')
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
