// The service in a process of its own, compiled, as `npm start` runs it, with its default configuration.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'

/** Benches run compiled as well. */
export const COMPILED = resolve(import.meta.dirname, '..')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Ends with this process, if nobody ends it before. */
export async function startService(
  settings: Record<string, string> = {},
): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort()
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), SCENE_STORE: 'memory', ...settings }
  const child = fork(resolve(COMPILED, 'src/server.js'), { env, execArgv: [], stdio: 'ignore' })
  process.once('exit', () => child.kill())
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 600; tries++) {
    const ready = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return { url, child }
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('the service did not become ready')
}
