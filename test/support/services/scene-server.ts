// The service as a process of its own, with its scenes in a data directory, to be killed.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { bundled } from './bundled.ts'

/** Everything that still runs ends with this process. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Where the system can: ends a process with the one that started it, also when that is killed. */
const mortal = ['setpriv', '--pdeathsig', 'KILL']
export const leash = spawnSync(mortal[0], [...mortal.slice(1), 'true']).status === 0 ? mortal : []

export interface SceneServer {
  url: string
  child: ChildProcess
  output: { out: string; err: string }
  /** Resolves with the exit code once the process has ended and all it wrote is here. */
  closed: Promise<number | null>
  /** POST, PUT, … below /v1/2d/scenes; rejects when the connection is lost. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
}

export interface Answered {
  status: number
  etag: string | null
  // biome-ignore lint/suspicious/noExplicitAny: tests look into every kind of answer
  body: any
}

/** `prefix`: a command to run it under. Ready when `isReady`; else it may end before it listens. */
export async function startServer(
  env: Record<string, string>,
  { prefix = [] as string[], isReady = true } = {},
): Promise<SceneServer> {
  const [command, ...args] = [...leash, ...prefix, process.execPath, await bundled('src/server.ts')]
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  const closed = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  let url = ''
  const server: SceneServer = {
    get url() {
      return url
    },
    child,
    output,
    closed,
    send: async (method, path, body, headers = {}) => {
      const response = await fetch(`${url}/v1/2d/scenes${path}`, {
        method,
        headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      return {
        status: response.status,
        etag: response.headers.get('etag'),
        body: text === '' ? null : JSON.parse(text),
      }
    },
  }
  if (!isReady) return server
  for (;;) {
    url = /"address":"([^"]+)"/.exec(output.out)?.[1] ?? ''
    if (url !== '' && (await fetch(`${url}/readyz`)).ok) return server
    if (child.exitCode !== null) throw new Error(`The service ended: ${output.out}${output.err}`)
    await pause(10)
  }
}

export async function endServer({ child, closed }: SceneServer, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  child.kill(signal)
  return closed
}
