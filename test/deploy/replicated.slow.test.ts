// From the compose file to a replicated scene, and every request of docs/scaling.md, sent through the balancer.
//
// What is run: PostgreSQL, the migration, two replicas and HAProxy, as processes with the environment and the configuration of the
// files in deploy/, see test/support/deploy/composed.ts. What is not: Docker, so neither images nor their health checks, networks,
// volumes and restarts; and HAProxy is the one that Debian has. Where that cannot be had, a replica is asked instead, and what is about
// the balancer is skipped and says so.

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseUrl } from '../support/databases/scene-databases.ts'
import { type Balancer, missingBalancer, startBalancer } from '../support/deploy/balancer.ts'
import { composeFile } from '../support/deploy/compose-file.ts'
import { Composed } from '../support/deploy/composed.ts'
import {
  documentText,
  fencesOf,
  isRefusal,
  type PrintedRequest,
  REPLICATED,
  requestsOf,
  timeless,
} from '../support/document-requests.ts'
import { endServer } from '../support/services/scene-server.ts'

const missing = await missingBalancer()
if (missing !== null) console.warn(`The balancer is not tested: ${missing}`)

const file = composeFile()
let composed: Composed
let balancer: Balancer | null = null
let url = ''

beforeAll(async () => {
  composed = await Composed.start(file)
}, 120_000)
afterAll(async () => {
  await balancer?.dispose()
  await composed.dispose()
})

const send = ({ method, url: path, headers, body }: PrintedRequest, base = url) =>
  fetch(`${base}${path}`, { method, headers, ...(body !== undefined && { body }), signal: AbortSignal.timeout(30_000) })

/** What has come of a stream that has no end, once that is in it. */
async function heard(response: Response, awaited: string): Promise<string> {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.includes(awaited)) break
  }
  return text
}

describe('deploy/compose.yaml', () => {
  it('has a replica that ends with one line where the migration was not run', async () => {
    await expect(composed.startReplica()).rejects.toThrow(
      /^The service ended: .*Scenes: The database has no schema tangent yet; run the command migrate\n$/s,
    )
  })

  it('has a migration that brings the schema, and finds it the next time', async () => {
    expect(await composed.migrate()).toMatchObject({
      code: 0,
      stdout: 'Schema 3 is there now; it was 0.\n',
      stderr: '',
    })
    expect(await composed.migrate()).toMatchObject({ code: 0, stdout: 'Schema 3 is there.\n', stderr: '' })
  })

  it('has a migration that says in one line what is wrong, and whether to try again', async () => {
    const { DATABASE_URL } = composed.environment(file.services.migrate.environment!)
    const away = DATABASE_URL.replace(/:\d+\//, ':1/')
    expect(await composed.migrate({ DATABASE_URL: away })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'Migration: The database cannot be reached: nobody listens at its address (ECONNREFUSED)\n',
    })
    const stranger = DATABASE_URL.replace('only-an-example', 'a-guess')
    expect(await composed.migrate({ DATABASE_URL: stranger })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Migration: The database refused: the password is wrong [(]28P01[)]\n$/),
    })
    expect(await composed.migrate({ DATABASE_URL: '' })).toMatchObject({
      code: 1,
      stderr:
        'Configuration: DATABASE_URL or DATABASE_URL_FILE must say where the database is: SCENE_STORE is postgres\n',
    })
    await composed.database.query('create database newer')
    const newer = databaseUrl(DATABASE_URL, 'newer')
    expect((await composed.migrate({ DATABASE_URL: newer })).code).toBe(0)
    await changed(newer, 'update tangent.schema_version set version = 99')
    expect(await composed.migrate({ DATABASE_URL: newer })).toMatchObject({
      code: 1,
      stderr: 'Migration: The database has schema 99; this release works with up to 3: start a newer one\n',
    })
  })

  it('has two replicas, and a balancer that finds them', async () => {
    for (let n = 0; n < file.services.tangent.deploy!.replicas; n++) await composed.startReplica()
    url = composed.replicas[0].url
    if (missing !== null) return
    const options = { replicaPort: composed.replicaPort, nameServerPort: composed.names.port }
    balancer = await startBalancer(options)
    url = balancer.url
  })
})

/** Of a statement in another database. */
async function changed(address: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

describe(`the requests of ${REPLICATED}`, () => {
  const requests = requestsOf(documentText(REPLICATED))

  it.each(requests.map((request) => [`${request.method} ${request.url}`, request] as const))(
    'are answered as it prints: %s',
    async (_, request) => {
      const response = await send(request)
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
        expect(await heard(response, '"id":"gate"')).toMatch(/^event: operations\nid: 2\.[0-9a-f]{8}\n/m)
        return
      }
      const body = timeless(await response.text())
      expect(response.status, body).toSatisfy((status: number) => status >= 400 === isRefusal(request))
      if (request.answer !== undefined) expect(body).toBe(timeless(request.answer))
    },
  )

  it('have run to their end', () => {
    expect(requests.length).toBeGreaterThan(10)
    expect(requests.at(-1)!.method).toBe('DELETE')
  })
})

describe(`the roles of ${REPLICATED}`, () => {
  it('are enough: one migrates, the other one serves', async () => {
    const [roles, grants] = fencesOf(documentText(REPLICATED)).filter(({ language }) => language === 'sql')
    for (const statement of roles.text.split('\n')) await composed.database.query(statement)
    await changed(databaseUrl(composed.database.url, 'scenes'), ...grants.text.split('\n'))
    const address = (user: string) => `postgresql://${user}@127.0.0.1:${composed.database.port}/scenes`
    const DATABASE_URL = address('scenes_owner:one')
    expect(await composed.migrate({ DATABASE_URL })).toMatchObject({ code: 0, stderr: '' })
    // whoever only reads and writes rows cannot do it
    const again = await composed.migrate({ DATABASE_URL: databaseUrl(address('scenes_service:another'), 'newer') })
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('42501') })

    const replica = await composed.startReplica({ DATABASE_URL: address('scenes_service:another') })
    composed.names.addresses = composed.names.addresses.slice(0, -1)
    expect((await replica.send('PUT', '/roles', {})).status).toBe(201)
    const put = { operations: [{ op: 'put', body: { id: 'a', shape: { type: 'circle', radius: 1 } } }] }
    expect((await replica.send('POST', '/roles/operations', put)).body).toEqual({ version: 2, applied: 1 })
    expect((await replica.send('DELETE', '/roles')).status).toBe(204)
    expect(replica.output.out).not.toMatch(/refused|42501/)
    expect(await endServer(replica, 'SIGTERM')).toBe(0)
  })
})

describe.skipIf(missing !== null)('deploy/haproxy.cfg', () => {
  const scene = (id: string, rest = '') => `/v1/2d/scenes/${id}${rest}`
  const json = { 'content-type': 'application/json' }
  const put = (id: string, at: number) => ({
    method: 'PUT' as const,
    url: scene(id, '/bodies/a'),
    headers: json,
    body: JSON.stringify({ shape: { type: 'circle', radius: 1 }, position: { x: at, y: 0 } }),
    output: undefined,
  })
  const get = (path: string): PrintedRequest => ({
    method: 'GET',
    url: path,
    headers: {},
    body: undefined,
    output: undefined,
  })
  /** How many requests each replica has been asked, those about its health apart. */
  const asked = async () =>
    Promise.all(
      composed.replicas.slice(0, 2).map(async (replica) => {
        const text = await (await fetch(`${replica.url}/metrics`)).text()
        const counts = [...text.matchAll(/^http_request_duration_seconds_count\{(.*)\} (\d+)$/gm)]
        return counts.filter(([, labels]) => labels.includes('scenes')).reduce((sum, [, , n]) => sum + Number(n), 0)
      }),
    )

  it('asks whoever has least to do, and hands on events as they come', async () => {
    const make = { ...put('turns', 0), url: scene('turns'), body: '{}' }
    expect((await send(make)).status).toBe(201)
    const before = await asked()
    // the replica with the stream has more to do, so that the other one is written to
    const listening = heard(await send(get(scene('turns', '/events'))), '"x":19,')
    for (let n = 0; n < 20; n++) expect((await send(put('turns', n))).status).toBeLessThan(300)
    // half a minute would do for signs of life to push out what is held back
    const text = await Promise.race([listening, pause(10_000, '')])
    expect(text).toMatch(/^event: ready\n/m)
    await Promise.all(Array.from({ length: 40 }, () => send(get(scene('turns')))))
    const after = await asked()
    for (const [n, count] of after.entries()) expect(count - before[n]).toBeGreaterThan(4)
  })

  it('is told by each write what any replica then reads', async () => {
    for (let n = 1; n <= 20; n++) {
      const written = await send(put('turns', 100 + n))
      const version = written.headers.get('etag')!
      expect(version).toMatch(/^"\d+\.[0-9a-f]{8}"$/)
      const read = await send({ ...get(scene('turns', '/bodies/a')), headers: { 'if-version-at-least': version } })
      expect(await read.json()).toMatchObject({ body: { position: { x: 100 + n } } })
    }
  })

  it('hashes scenes, by the lines that stand in it as a comment', async () => {
    const options = { replicaPort: composed.replicaPort, nameServerPort: composed.names.port, isHashing: true }
    const hashing = await startBalancer(options)
    try {
      // both are there, not only the one that it has found first
      await pause(2500)
      const homes = new Set<number>()
      for (let n = 0; n < 12; n++) {
        const before = await asked()
        const paths = [scene(`s${n}`), scene(`s${n}`, '/bodies'), scene(`s${n}`, '/bodies/a'), scene(`s${n}`, '?x=1')]
        for (const path of paths) await send(get(path), hashing.url)
        const counts = (await asked()).map((count, k) => count - before[k])
        expect([...counts].sort()).toEqual([0, 4])
        homes.add(counts.indexOf(4))
      }
      expect(homes.size).toBe(2)
    } finally {
      await hashing.dispose()
    }
  })

  it('leaves out a replica that ends, and nobody notices', async () => {
    const [first] = composed.replicas
    const statuses: number[] = []
    let isOver = false
    const asking = (async () => {
      for (let n = 0; !isOver; n++) statuses.push((await send(put('turns', n))).status)
    })()
    const code = await endServer(first, 'SIGTERM')
    await pause(500)
    isOver = true
    await asking
    expect(code).toBe(0)
    expect(statuses.length).toBeGreaterThan(20)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('sends again to another what could not be delivered, and what was lost if it may be repeated', async () => {
    // killed with requests under way, whose connections end without an answer
    const second = composed.replicas[1]
    const back = await composed.startReplica({ HOST: '127.0.0.1' })
    composed.names.addresses = ['127.0.0.1', '127.0.0.2']
    while (!(await listens(back.url))) await pause(50)
    const statuses: number[] = []
    let isOver = false
    const asking = Array.from({ length: 4 }, async (_, who) => {
      for (let n = 0; !isOver; n++) {
        const write = put('turns', n)
        const headers = { ...write.headers, 'idempotency-key': `${who}-${n}` }
        statuses.push((await send({ ...write, headers })).status, (await send(get(scene('turns')))).status)
      }
    })
    await pause(1500)
    await endServer(second, 'SIGKILL')
    await pause(2500)
    isOver = true
    await Promise.all(asking)
    expect(statuses.length).toBeGreaterThan(40)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('says what clients can read when nobody is there', async () => {
    for (const replica of composed.replicas) if (replica.child.exitCode === null) await endServer(replica, 'SIGKILL')
    // until the balancer has seen it, it closes connections that have been answered on before: clients try again by themselves
    const ask = () => send(get(scene('turns'))).catch(() => null)
    let response = await ask()
    for (let n = 0; response === null && n < 50; n++) {
      await pause(100)
      response = await ask()
    }
    if (response === null) throw new Error('there was no answer')
    expect(response.status).toBe(503)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'No replica takes requests',
      status: 503,
    })
  })

  it('ends when it is told to', async () => {
    expect(await balancer!.stop(file.services.balancer.stop_signal as NodeJS.Signals)).toBe(0)
  })
})

async function listens(base: string): Promise<boolean> {
  return (await fetch(`${base}/readyz`)).ok
}
