// The service while its scenes are brought back, and when they cannot be.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { Keeper } from '../../src/scene/keeper/keeper.ts'
import { StoreFailed, StoreLocked, StoreUnavailable } from '../../src/scene/store/store.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tangent-start-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const build = () => buildApp(loadConfig({ LOG_LEVEL: 'silent', DATA_DIR: directory }))

it('answers what needs no scene meanwhile, and says that it is starting', async () => {
  let goOn = () => {}
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const open = Keeper.open
  vi.spyOn(Keeper, 'open').mockImplementation(async (options) => {
    await gate
    return open(options)
  })
  const app = await build()
  await app.ready()
  const point = { shape: { type: 'point' } }
  const statusOf = async (url: string) => (await app.inject(url)).statusCode
  expect([await statusOf('/livez'), await statusOf('/readyz'), await statusOf('/v1/2d/scenes')]).toEqual([
    200, 503, 503,
  ])
  expect((await app.inject('/readyz')).json().code).toBe('starting')
  const asked = await app.inject({ method: 'POST', url: '/v1/2d/overlap', payload: { a: point, b: point } })
  expect(asked.statusCode).toBe(200)
  goOn()
  await app.scenes.recovered
  expect([await statusOf('/readyz'), await statusOf('/v1/2d/scenes')]).toEqual([200, 200])
  await app.close()
  vi.restoreAllMocks()
})

it('never becomes ready when they cannot be brought back, and can still be closed', async () => {
  vi.spyOn(Keeper, 'open').mockRejectedValue(new StoreFailed('Input/output error'))
  const app = await build()
  await app.ready()
  await expect(app.scenes.recovered).rejects.toThrow('Input/output error')
  expect((await app.inject('/readyz')).statusCode).toBe(503)
  await app.close()
  vi.restoreAllMocks()
})

it('does not become ready again while it drains', async () => {
  const app = await build()
  await app.ready()
  await app.close()
  expect(app.lifecycle.phase).toBe('draining')
})

it('gives the data directory back when it is closed, and not before', async () => {
  const app = await build()
  await app.ready()
  const second = await build()
  await expect(second.ready()).rejects.toBeInstanceOf(StoreLocked)
  await second.close().catch(() => undefined)
  await app.close()
  const third = await build()
  await third.ready()
  await third.scenes.recovered
  await third.close()
})

it('does not begin without its database, and says why without what is secret', async () => {
  const lines: string[] = []
  const config = loadConfig({ SCENE_STORE: 'postgres', DATABASE_URL: 'postgresql://tangent:s3cret@127.0.0.1:1/scenes' })
  const app = await buildApp(config, { write: (line) => lines.push(line) })
  const failure = await app.ready().then(
    () => null,
    (error: Error) => error,
  )
  expect(failure).toBeInstanceOf(StoreUnavailable)
  expect((await app.inject('/v1/limits').catch((error: Error) => error.message)).toString()).not.toContain('s3cret')
  await app.close().catch(() => undefined)
  expect(`${failure?.stack}${lines}`).not.toContain('s3cret')
}, 30_000)

it('takes no writes and is not ready after its directory was deleted, and reads on', async () => {
  const lines: string[] = []
  const app = await buildApp(loadConfig({ DATA_DIR: directory }), { write: (line) => lines.push(line) })
  await app.ready()
  await app.scenes.recovered
  const statusOf = async (url: string) => (await app.inject(url)).statusCode
  const body = { shape: { type: 'circle', radius: 1 } }
  const put = (id: string) => app.inject({ method: 'PUT', url: `/v1/2d/scenes/s/bodies/${id}`, payload: body })
  expect((await app.inject({ method: 'PUT', url: '/v1/2d/scenes/s', payload: {} })).statusCode).toBe(201)
  expect((await put('a')).statusCode).toBe(201)
  await vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(200), 30_000)
  rmSync(directory, { recursive: true })
  await vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(503), 3000)
  expect((await app.inject('/readyz')).json().code).toBe('storage-failed')
  expect((await app.inject('/readyz?for=writes')).json().code).toBe('storage-failed')
  expect((await app.inject('/healthz')).json().status).toBe('storage-failed')
  const refused = await put('b')
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'storage-failed'])
  expect([await statusOf('/livez'), await statusOf('/v1/2d/scenes/s/bodies/a')]).toEqual([200, 200])
  const failures = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'storage failed')
  expect(failures[0].reason).toContain('The data directory has been deleted, moved or replaced')
  await app.close()
})
