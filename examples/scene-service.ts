// A service of one's own: a process that keeps its scenes in a directory, and can be killed and started again.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { ServiceError } from './service.ts'

const ROOT = resolve(import.meta.dirname, '..')
const PROBE_MS = 50
const START_MS = 60_000

export interface OwnService {
  url: string
  /** As a power cut would: nothing is finished. Does nothing the second time. */
  kill(): Promise<void>
}

/** Ends with this process. `TANGENT_SERVER`: the program of the service, where it is not to be run from its sources. */
export async function startOwnService(dataDirectory: string): Promise<OwnService> {
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDirectory,
    LOG_LEVEL: 'error',
  }
  const { TANGENT_SERVER } = process.env
  const program = TANGENT_SERVER === undefined ? ['--import', 'tsx', 'src/server.ts'] : [TANGENT_SERVER]
  const child = spawn(process.execPath, program, { cwd: ROOT, env, stdio: 'inherit' })
  endsWithThis(child)
  const url = `http://127.0.0.1:${port}`
  await becomesReady(url, child)
  return {
    url,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}

/** Kills the child when this process exits, unless it has ended before. */
export function endsWithThis(child: ChildProcess): void {
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

/** Resolves when the service answers that it is ready; throws where it ends before, or takes too long. */
export async function becomesReady(url: string, child: ChildProcess): Promise<void> {
  const started = performance.now()
  while (performance.now() - started < START_MS) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    if (child.exitCode !== null) break
    await new Promise((done) => setTimeout(done, PROBE_MS))
  }
  throw new ServiceError('The service did not start.')
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new ServiceError('There is no free port.')
  return address.port
}
