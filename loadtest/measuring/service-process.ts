// The service in a process of its own, compiled, as `npm start` runs it, with its default configuration.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { becomesReady, endsWithThis, freePort } from '../../examples/scene-service.ts'

/** Benches run compiled as well. */
export const COMPILED = resolve(import.meta.dirname, '../..')

// A signal alone would end this process without its services, and one that hangs would do so for ever.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

export interface Service {
  url: string
  child: ChildProcess
}

export interface HowToStart {
  /** Of Node itself. */
  nodeOptions?: readonly string[]
  /** The server of another build; that of this one when absent or empty. */
  script?: string | undefined
}

/** Ends with this process, if nobody ends it before. */
export async function startService(
  settings: Record<string, string> = {},
  { nodeOptions = [], script }: HowToStart = {},
): Promise<Service> {
  const port = await freePort()
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), SCENE_STORE: 'memory', ...settings }
  const child = fork(resolve(script || resolve(COMPILED, 'src/server.js')), {
    env,
    execArgv: [...nodeOptions],
    stdio: 'ignore',
  })
  endsWithThis(child)
  const url = `http://127.0.0.1:${port}`
  await becomesReady(url, child)
  return { url, child }
}

/** Resolves when the process is gone. */
export async function endService({ child }: Service, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  // Whatever it has not finished by then it never will.
  const last = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await ended
  clearTimeout(last)
}

/** An empty data directory, and how to be rid of it, which the end of this process sees to as well. */
export function temporaryDirectory(): { directory: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'tangent-load-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  process.once('exit', remove)
  return { directory, remove }
}

/** Of the memory that the process holds, in MiB; null of one that is gone. */
export function rssMiB({ child }: Service): number | null {
  try {
    const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
    return kib === undefined ? null : Math.round(Number(kib) / 1024)
  } catch {
    return null
  }
}
