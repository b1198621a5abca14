/** A process of the service, which reaches the database through a proxy of its own, and to which anything may happen. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseServer } from '../support/databases/database-server.ts'
import { freePort } from '../support/databases/free-port.ts'
import { startProxy, type TcpProxy } from '../support/databases/tcp-proxy.ts'
import { leash } from '../support/services/scene-server.ts'

/** Machines that run tests may be busy. */
const START_PATIENCE_MS = 120_000
const CLOCK = join(import.meta.dirname, 'moved-clock.mjs')

export interface HttpAnswer {
  status: number
  etag: string | null
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** Scenes of these names are of space, all others of the plane. */
export const isOfSpace = (scene: string) => scene.startsWith('space')
export const scenesOf = (scene: string) => (isOfSpace(scene) ? '/v1/3d/scenes' : '/v1/2d/scenes')

/** The address of the database by way of the proxy. */
export function proxied(database: DatabaseServer, proxy: TcpProxy): string {
  const url = new URL(database.url)
  url.port = String(proxy.port)
  return url.href
}

export class Replica {
  readonly number: number
  readonly proxy: TcpProxy
  readonly port: number
  /** What it has said, all lives together. */
  output = ''
  /** How often it has ended by itself, but for when it was started and found no database: it says so, and is to be started again. */
  endCount = 0
  #child: ChildProcess | null = null
  readonly #script: string
  readonly #env: Record<string, string>
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  #clockOffsetMs = 0

  private constructor(number: number, script: string, port: number, proxy: TcpProxy, env: Record<string, string>) {
    this.number = number
    this.port = port
    this.proxy = proxy
    this.#script = script
    this.#env = env
  }

  /** Started, but perhaps not ready yet. `script`: the service as one file. */
  static async start(
    number: number,
    script: string,
    database: DatabaseServer,
    env: Readonly<Record<string, string>> = {},
  ) {
    const proxy = await startProxy(database)
    const settings = { SCENE_STORE: 'postgres', DATABASE_URL: proxied(database, proxy), LOG_LEVEL: 'warn', ...env }
    const replica = new Replica(number, script, await freePort(), proxy, settings)
    replica.run()
    return replica
  }

  get isRunning(): boolean {
    return this.#child !== null
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  run(): void {
    if (this.#child !== null) return
    const [command, ...args] = [...leash, process.execPath, '--import', CLOCK, this.#script]
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: String(this.port), ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#child = child
    const before = this.output.length
    const keep = (chunk: Buffer) => {
      this.output += chunk
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.on('error', keep)
    child.once('exit', (code, signal) => {
      if (this.#child !== child) return
      this.#child = null
      const foundNone = code === 1 && this.output.slice(before).includes('The database cannot be reached')
      if (!foundNone) this.endCount++
      this.output += `\nended by itself: ${code} ${signal}\n`
    })
    child.send({ clockOffsetMs: this.#clockOffsetMs })
  }

  /** Resolves when it says that it is ready, at most `patienceMs` later; it is started again where it has ended. */
  async ready(patienceMs = START_PATIENCE_MS): Promise<void> {
    const deadline = performance.now() + patienceMs
    let last = ''
    for (;;) {
      this.run()
      const answer = await this.send('GET', '/readyz', {}).catch(() => null)
      last = answer === null ? 'no connection' : `${answer.status} ${answer.text}`
      if (answer?.status === 200) return
      if (performance.now() > deadline)
        throw new Error(`Replica ${this.number} is not ready, ${last}: ${this.output.slice(-3000)}`)
      await pause(20)
    }
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (child === null) return
    this.#child = null
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  moveClock(offsetMs: number): void {
    this.#clockOffsetMs = offsetMs
    if (this.#child?.connected) this.#child.send({ clockOffsetMs: offsetMs }, () => undefined)
  }

  /** Rejects when the connection is lost; waits as long as it takes. */
  send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: this.port,
          method,
          path,
          agent: this.#agent,
          headers:
            body === undefined
              ? headers
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const { statusCode: status = 0, headers: answered } = response
            const text = Buffer.concat(chunks).toString()
            resolve({ status, etag: answered.etag ?? null, headers: answered, text })
          })
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  }

  async dispose(): Promise<void> {
    await this.kill()
    this.#agent.destroy()
    await this.proxy.dispose()
  }
}
