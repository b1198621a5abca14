// The service and its data directory: killed, restarted, shared, full. Nothing that was acknowledged is lost.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileStore } from '../src/scene/store/file-store.ts'
import { runCount, seed } from './support/runs.ts'
import { seeded } from './support/services/kept-scenes.ts'
import { plainAppend } from './support/services/plain-append.ts'
import { endServer, type SceneServer, startServer } from './support/services/scene-server.ts'
import { tagged } from './support/services/version-tag.ts'

let directory: string
let servers: SceneServer[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tangent-service-'))
  servers = []
})
afterEach(async () => {
  for (const server of servers) await endServer(server, 'SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

async function start(options: Parameters<typeof startServer>[1] = {}, env = {}): Promise<SceneServer> {
  const server = await startServer({ DATA_DIR: directory, LOG_LEVEL: 'info', ...env }, options)
  servers.push(server)
  return server
}

const circle = { type: 'circle', radius: 1 }
const WRITERS = 50

describe('kill -9', () => {
  it('loses nothing that was acknowledged', async () => {
    const random = seeded(seed())
    /** Of each writer's body: the last value that was acknowledged, and the last that was sent. */
    const kept = new Map<string, { acknowledged: number; sent: number }>()
    let acknowledged = 0
    let version = 0
    const rounds = runCount(3)
    for (let round = 0; round < rounds; round++) {
      const server = await start()
      await server.send('PUT', '/s', {})
      let isAlive = true
      const enough = acknowledged + 1 + Math.floor(random() * 500)
      const writeForever = async (writer: number) => {
        const id = `w${writer}`
        for (let n = (kept.get(id)?.sent ?? 0) + 1; isAlive; n++) {
          const before = kept.get(id)?.acknowledged ?? 0
          kept.set(id, { acknowledged: before, sent: n })
          const body = { shape: circle, position: { x: n, y: writer }, data: { n } }
          // two bodies in one write: half of it would be seen
          const twins = [`${id}`, `${id}.twin`].map((twin) => ({ op: 'put', body: { ...body, id: twin } }))
          const written = await server.send('POST', '/s/operations', { operations: twins }).catch(() => null)
          if (written === null) return
          expect(written.status).toBe(200)
          kept.set(id, { acknowledged: n, sent: n })
          version = Math.max(version, written.body.version)
          acknowledged++
        }
      }
      const writers = Array.from({ length: WRITERS }, (_, writer) => writeForever(writer))
      while (acknowledged < enough) await pause(1)
      await pause(random() * 5)
      server.child.kill('SIGKILL')
      isAlive = false
      await server.closed
      await Promise.all(writers)
      const back = await start()
      const scene = await back.send('GET', '/s')
      expect(scene.body.version).toBeGreaterThanOrEqual(version)
      const { body } = await back.send('GET', '/s/bodies?limit=1000')
      const found = new Map<string, number>(
        body.bodies.map((each: { id: string; data: { n: number } }) => [each.id, each.data.n]),
      )
      for (const [id, { acknowledged: least, sent }] of kept) {
        const n = found.get(id) ?? 0
        expect(found.get(`${id}.twin`) ?? 0).toBe(n)
        expect(n).toBeGreaterThanOrEqual(least)
        expect(n).toBeLessThanOrEqual(sent)
      }
      await endServer(back, 'SIGKILL')
    }
    expect(acknowledged).toBeGreaterThan(rounds)
  })
})

describe('50 writers with If-Match', () => {
  it('win one version each, without a gap', async () => {
    const server = await start()
    await server.send('PUT', '/s', {})
    const wins: number[] = []
    let refused = 0
    const turns = runCount(6)
    const winSome = async (writer: number) => {
      let version = 1
      for (let won = 0; won < turns; ) {
        const body = { shape: circle, position: { x: won, y: writer } }
        const answer = await server.send('PUT', `/s/bodies/w${writer}`, body, { 'if-match': `"${version}"` })
        if (answer.status === 412) {
          refused++
          version = answer.body.actual
          expect(answer.etag).toEqual(tagged(version))
          continue
        }
        expect([200, 201]).toContain(answer.status)
        expect(answer.body.version).toBe(version + 1)
        version = answer.body.version
        wins.push(version)
        won++
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => winSome(writer)))
    const count = WRITERS * turns
    expect(wins.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i + 2))
    expect(refused).toBeGreaterThan(0)
    expect((await server.send('GET', '/s')).body).toMatchObject({ version: count + 1, bodyCount: WRITERS })
  })
})

describe('a restart', () => {
  const shapes = [
    circle,
    { type: 'box', width: 1.5, height: 0.25, radius: 0.125 },
    { type: 'ellipse', rx: 2, ry: 0.5 },
    { type: 'halfplane', normal: { x: 0, y: 1 }, offset: -20 },
    {
      type: 'chain',
      vertices: [
        { x: 0, y: 0 },
        { x: 1, y: 3 },
        { x: 2, y: 0 },
      ],
    },
  ]

  it.each(['SIGTERM', 'SIGKILL'] as const)('after %s changes no answer', async (signal) => {
    const random = seeded(7)
    const server = await start()
    await server.send('PUT', '/s', { name: 'Größe', ttl: 100_000, margin: 0.5 })
    await server.send('PUT', '/empty', {})
    const bodies = Array.from({ length: 300 }, (_, i) => ({
      id: `b${i}`,
      shape: shapes[i % shapes.length],
      ...(i % 3 > 0 && { position: { x: random() * 40, y: random() * 40 - 1e-9 } }),
      ...(i % 4 > 0 && { rotation: random() * 7 }),
      ...(i % 5 === 0 && { tags: [`t${i % 7}`, 'ß'], data: { i, text: '"\\\n😀' } }),
      ...(i % 6 === 0 && { sensor: i % 12 === 0, velocity: { x: random(), y: 0 }, angularVelocity: -random() }),
    }))
    const put = (list: object[]) => ({ operations: list.map((body) => ({ op: 'put', body })) })
    await server.send('POST', '/s/operations', put(bodies))
    for (let i = 0; i < 60; i++) await server.send('DELETE', `/s/bodies/b${i * 3}`)
    await server.send('POST', '/s/operations', put(bodies.slice(0, 30)), { 'idempotency-key': 'k' })
    await server.send('PATCH', '/s/bodies/b1', { position: { x: 3, y: 4 }, data: null })
    const paths = [
      '',
      '/s',
      '/empty',
      '/s/bodies?limit=1000',
      '/s/bodies?minX=3&maxY=9',
      '/s/bodies/b7',
      '/s/bodies?limit=10&cursor=40',
    ]
    const answersOf = ({ send }: SceneServer) => Promise.all(paths.map((path) => send('GET', path)))
    const before = await answersOf(server)
    expect(await endServer(server, signal)).toBe(signal === 'SIGTERM' ? 0 : null)
    const back = await start()
    expect(await answersOf(back)).toEqual(before)
    const repeated = await back.send('POST', '/s/operations', put(bodies.slice(0, 30)), { 'idempotency-key': 'k' })
    expect(repeated.body).toEqual({ version: 63, applied: 30 })
    expect((await back.send('PUT', '/s/bodies/new', { shape: circle })).body).toEqual({ version: 65, created: true })
  })
})

describe('the data directory', () => {
  it('is owned by one process: the second says so and ends', async () => {
    const first = await start()
    const second = await start({ isReady: false })
    expect(await second.closed).toBe(1)
    expect(second.output.out).toBe('')
    expect(second.output.err).toMatch(
      new RegExp(`^Scenes: The data directory ${directory} is in use by process ${first.child.pid}; .*\n$`),
    )
    expect((await first.send('PUT', '/s', {})).status).toBe(201)
  })

  it('is refused when a later version wrote it', async () => {
    const store = await openFileStore({ directory, createdBy: 'tangent' })
    await plainAppend(store, 's', 0, [Buffer.from('x')])
    await store.close()
    const log = readFileSync(join(directory, 'log-1'))
    log.writeUInt32LE(99, 8)
    log.writeUInt32LE(crc32(log.subarray(0, 60)), 60)
    writeFileSync(join(directory, 'log-1'), log)
    const server = await start({ isReady: false })
    expect(await server.closed).toBe(1)
    expect(server.output.err).toMatch(/^Scenes: The data in \S+ have format 99; this version reads up to format \d+\n$/)
  })

  it('is refused when an earlier version wrote it, or is none', async () => {
    writeFileSync(join(directory, 'scenes.lmdb'), 'x'.repeat(10_000))
    const older = await start({ isReady: false })
    expect(await older.closed).toBe(1)
    expect(older.output.err).toMatch(/^Scenes: The data in \S+ have an older format \(scenes\.lmdb\), .*\n$/)
    rmSync(join(directory, 'scenes.lmdb'))
    mkdirSync(join(directory, 'sub'))
    writeFileSync(join(directory, 'sub/file'), '')
    const none = await start({ isReady: false }, { DATA_DIR: join(directory, 'sub/file') })
    expect(await none.closed).toBe(1)
    expect(none.output.err).toMatch(/^Scenes: The data directory \S+ cannot be used: .*\n$/)
  })

  const canLimit = spawnSync('prlimit', ['--version']).status === 0

  it.runIf(canLimit)('may be full: nothing is lost, and the service lives', async () => {
    const server = await start({ prefix: ['prlimit', '--fsize=3000000:unlimited'] })
    await server.send('PUT', '/s', {})
    const body = (n: number) => ({ shape: circle, data: `${n}`.padEnd(4000, 'x') })
    let version = 1
    for (let n = 0; ; n++) {
      const { status, body: answer } = await server.send('PUT', `/s/bodies/b${n}`, body(n))
      if (status === 201) {
        version = answer.version
        continue
      }
      expect(status).toBe(507)
      expect(answer.code).toBe('storage-full')
      break
    }
    expect(version).toBeGreaterThan(100)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => server.send('PUT', `/s/bodies/c${n}`, body(n))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(507))
    expect((await server.send('GET', '/s')).body).toMatchObject({ version, bodyCount: version - 1 })
    expect((await server.send('GET', '/s/bodies/b3')).body.body.data).toBe('3'.padEnd(4000, 'x'))
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect(spawnSync('prlimit', [`--pid=${server.child.pid}`, '--fsize=unlimited']).status).toBe(0)
    expect((await server.send('PUT', '/s/bodies/last', body(0))).body).toEqual({ version: version + 1, created: true })
    await endServer(server, 'SIGKILL')
    const back = await start()
    expect((await back.send('GET', '/s')).body).toMatchObject({ version: version + 1, bodyCount: version })
  })
})
