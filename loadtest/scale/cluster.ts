// Replicas of the service over one database, all of them on this machine, and requests to them.

import { Agent, type Agent as HttpAgent, request } from 'node:http'
import type { DatabaseServer, ServerSettings } from '../../test/support/databases/database-server.ts'
import { startServer } from '../../test/support/databases/embedded-server.ts'
import { newSceneDatabase } from '../../test/support/databases/scene-databases.ts'
import { startProxy, type TcpProxy } from '../../test/support/databases/tcp-proxy.ts'
import { endService, type Service, startService } from '../measuring/service-process.ts'

export interface Replica extends Service {
  /** The way to the database. */
  proxy: TcpProxy
}

export interface Cluster {
  database: DatabaseServer
  databaseUrl: string
  replicas: Replica[]
  add(env?: Record<string, string>): Promise<Replica>
  dispose(): Promise<void>
}

/** With a migrated database; replicas reach it through a proxy each. */
export async function startCluster(
  count: number,
  env: Record<string, string> = {},
  settings: ServerSettings = {},
): Promise<Cluster> {
  const database = await startServer({ settings })
  const address = new URL(database.url)
  address.pathname = `/${await newSceneDatabase(database)}`
  const databaseUrl = address.href
  const replicas: Replica[] = []
  const add = async (more: Record<string, string> = {}) => {
    const proxy = await startProxy(database)
    const url = new URL(databaseUrl)
    url.port = String(proxy.port)
    const own = { SCENE_STORE: 'postgres', DATABASE_URL: url.href, LOG_LEVEL: 'silent' }
    const replica = { ...(await startService({ ...own, ...env, ...more })), proxy }
    replicas.push(replica)
    return replica
  }
  for (let k = 0; k < count; k++) await add()
  const dispose = async () => {
    await Promise.all(replicas.map((replica) => endService(replica)))
    await Promise.all(replicas.map(({ proxy }) => proxy.dispose()))
    await database.dispose()
  }
  return { database, databaseUrl, replicas, add, dispose }
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  ms: number
}

const agent: HttpAgent = new Agent({ keepAlive: true, maxSockets: 512 })

/** Rejects when the connection is lost. */
export function send(
  url: string,
  method = 'GET',
  body?: object | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const more =
      text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    const sent = request(url, { method, agent, headers: { ...more, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0 } = response
        const answer = Buffer.concat(chunks).toString()
        resolve({ status, headers: response.headers, text: answer, ms: performance.now() - begun })
      })
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

export async function sendWell(...args: Parameters<typeof send>): Promise<Answer> {
  const answer = await send(...args)
  if (answer.status >= 300) throw new Error(`${args[1] ?? 'GET'} ${args[0]}: ${answer.status} ${answer.text}`)
  return answer
}

export const scenePath = (id: string) => `/v1/2d/scenes/${id}`

export const sceneUrl = ({ url }: Service, id: string) => `${url}${scenePath(id)}`

export const box = (id: string, x: number, y: number) => ({
  op: 'put',
  body: { id, shape: { type: 'box', width: 1, height: 1 }, position: { x, y } },
})

/** Of samples, in their unit. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** Of ratios between turns and their neighbours. */
export function spread(ratios: readonly number[]): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(2))
  return `${middle} (half of the rounds ${low} to ${high})`
}

export const described = (samples: readonly number[]) =>
  `p50 ${quantile(samples, 0.5).toFixed(2)} ms, p99 ${quantile(samples, 0.99).toFixed(2)} ms, most ${quantile(samples, 1).toFixed(2)} ms, of ${samples.length}`
