// What a store asks of its server, in one line each, how the schema comes to be, and what is never told to anybody.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../../src/scene/postgres/migrate.ts'
import { SCHEMA_VERSION } from '../../../src/scene/postgres/server-check.ts'
import { StoreFailed, StoreTooNew, StoreTooOld, StoreUnavailable } from '../../../src/scene/store/store.ts'
import type { DatabaseServer } from '../../support/databases/database-server.ts'
import { startServer } from '../../support/databases/embedded-server.ts'
import { databaseUrl, newSceneDatabase } from '../../support/databases/scene-databases.ts'
import { sqlOn } from '../../support/databases/sql-on.ts'
import { closeStores, openStore } from '../../support/databases/stores.ts'
import { begin, grow } from '../../support/services/written-scenes.ts'

let server: DatabaseServer
beforeAll(async () => {
  server = await startServer({
    access: ['host all guarded 127.0.0.1/32 scram-sha-256'],
  })
})
afterEach(closeStores)
afterAll(() => server.dispose())

let count = 0
async function emptyDatabase(): Promise<string> {
  const name = `empty_${++count}`
  await server.query(`create database ${name}`)
  return databaseUrl(server.url, name)
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error as Error,
  )
const isOneLine = (error: Error | null) => expect(error?.message).toMatch(/^[^\n]{10,200}$/)

describe('migration', () => {
  it('is done once by many who begin at once, and changes nothing afterwards', async () => {
    const url = await emptyDatabase()
    const done = await Promise.all(Array.from({ length: 8 }, () => migrate({ url })))
    expect(done.filter(({ from }) => from === 0)).toHaveLength(1)
    expect(done.every(({ to }) => to === SCHEMA_VERSION)).toBe(true)
    const store = await openStore(url)
    await begin(store, 'a', 'x')
    expect(await migrate({ url })).toEqual({ from: SCHEMA_VERSION, to: SCHEMA_VERSION })
    expect(await store.list()).toHaveLength(1)
  })

  it('is done at the opening where that is asked for', async () => {
    const store = await openStore(await emptyDatabase(), { migrate: true })
    expect((await begin(store, 'a', 'x')).version).toBe(1)
  })

  it('leaves nothing half done', async () => {
    const url = await emptyDatabase()
    await sqlOn(url, 'create schema tangent; create table tangent.chunk (n int)')
    expect(await failure(migrate({ url }))).toMatchObject({ name: 'StoreUnavailable', code: '42P07' })
    expect(await sqlOn(url, "select to_regclass('tangent.scene')::text as it")).toEqual([{ it: null }])
    await sqlOn(url, 'drop table tangent.chunk')
    expect(await migrate({ url })).toEqual({ from: 0, to: SCHEMA_VERSION })
  })
})

describe('the check', () => {
  it('says that there is no schema, or one of another release', async () => {
    const url = await emptyDatabase()
    const none = await failure(openStore(url))
    expect(none).toBeInstanceOf(StoreTooOld)
    expect(none?.message).toContain('run the command migrate')
    await migrate({ url })
    await sqlOn(url, `update tangent.schema_version set version = ${SCHEMA_VERSION + 1}`)
    for (const tooNew of [await failure(openStore(url)), await failure(migrate({ url }))]) {
      expect(tooNew).toBeInstanceOf(StoreTooNew)
      isOneLine(tooNew)
    }
    await sqlOn(url, 'update tangent.schema_version set version = 0')
    expect(await failure(openStore(url))).toBeInstanceOf(StoreTooOld)
  })

  it('says that nothing is there', async () => {
    const nobody = await failure(openStore('postgresql://me:secret@127.0.0.1:1/x', { openTimeoutMs: 300 }))
    expect(nobody).toBeInstanceOf(StoreUnavailable)
    expect(nobody?.message).toBe('The database cannot be reached: nobody listens at its address (ECONNREFUSED)')
  })

  it('says that the server does not flush, and that it is a standby, and that it only reads', async () => {
    const url = databaseUrl(server.url, await newSceneDatabase(server))
    await sqlOn(url, `alter database ${url.split('/').at(-1)} set default_transaction_read_only = on`)
    const reading = await failure(openStore(url, { openTimeoutMs: 200 }))
    expect(reading).toBeInstanceOf(StoreUnavailable)
    expect(reading?.message).toContain('read-only')
    const unsafe = await startServer({ settings: { fsync: 'off' } })
    const standby = await unsafe.startStandby()
    try {
      await migrate({ url: unsafe.url })
      const unflushed = await failure(openStore(unsafe.url))
      expect(unflushed).toBeInstanceOf(StoreFailed)
      expect(unflushed?.message).toContain('fsync')
      isOneLine(unflushed)
      const following = await failure(openStore(standby.url, { openTimeoutMs: 200 }))
      expect(following).toBeInstanceOf(StoreUnavailable)
      expect(following?.message).toContain('standby')
    } finally {
      await standby.dispose()
      await unsafe.dispose()
    }
  })

  it('commits for good where others do not', async () => {
    const url = databaseUrl(server.url, await newSceneDatabase(server))
    await sqlOn(url, `alter database ${url.split('/').at(-1)} set synchronous_commit = off`)
    const store = await openStore(url)
    await sqlOn(
      url,
      `create table seen (setting text);
      create function see() returns trigger language plpgsql as $$ begin
        insert into seen values (current_setting('synchronous_commit')); return new;
      end $$;
      create constraint trigger sees after insert on tangent.entry deferrable initially deferred for each row execute function see()`,
    )
    const a = await begin(store, 'a', 'x')
    await grow(store, a, 'y')
    expect(await sqlOn(url, 'select distinct setting from seen')).toEqual([{ setting: 'on' }])
  })
})

describe('the address', () => {
  it('is read again at each connect, and what is in it is never told', async () => {
    const database = await newSceneDatabase(server)
    const guarded = (password: string) => `postgresql://guarded:${password}@127.0.0.1:${server.port}/${database}`
    await server.query("create role guarded login superuser password 'first-secret'")
    const folder = mkdtempSync(join(tmpdir(), 'tangent-address-'))
    const urlFile = join(folder, 'url')
    try {
      writeFileSync(urlFile, `${guarded('first-secret')}\n`)
      const store = await openStore('', { connection: { urlFile } })
      let a = await begin(store, 'a', 'x')
      await server.query("alter role guarded password 'second-secret'")
      const cut = () => server.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'guarded'")
      await cut()
      await expect.poll(() => store.shared.status().isReachable, { interval: 5 }).toBe(false)
      const refused = await failure(store.append({ ...a, expectedVersion: 1, expectedDigest: a.digest, entries: [] }))
      expect(refused).toBeInstanceOf(StoreUnavailable)
      const unread = await failure(store.list())
      expect(unread).toMatchObject({ name: 'StoreUnavailable', code: '28P01' })
      writeFileSync(urlFile, guarded('second-secret'))
      await expect.poll(() => store.shared.status().isWritable).toBe(true)
      a = await grow(store, a, 'y')
      rmSync(urlFile)
      await cut()
      // a connection that was cut may be asked once before that is known
      const reasons: string[] = []
      const lastReason = async () => {
        reasons.push(`${await failure(store.list())}`)
        return reasons.at(-1)
      }
      await expect.poll(lastReason, { interval: 5 }).toContain('ENOENT')
      const told = JSON.stringify([store.events, `${refused}`, `${unread}`, reasons, store.shared.status()])
      expect(told).not.toMatch(/secret|guarded|127\.0\.0\.1/)
      expect(store.events.map(({ event }) => event)).toContain('database-lost')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.each(['not a url with secret', 'http://me:secret@127.0.0.1/x', 'postgresql://me:%zz-secret@127.0.0.1/x'])(
    'is refused when it is none: %s',
    async (url) => {
      const error = await failure(openStore(url))
      expect(error).toBeInstanceOf(StoreFailed)
      expect(error?.message).not.toContain('secret')
    },
  )

  it('asks for TLS away from this machine, or where that is said', async () => {
    const away = await failure(openStore('postgresql://me:secret@localhost.localdomain:1/x', { openTimeoutMs: 0 }))
    expect(away).toBeInstanceOf(StoreUnavailable)
    const url = databaseUrl(server.url, await newSceneDatabase(server))
    for (const tls of ['require', 'verify-full'] as const) {
      const error = await failure(openStore(url, { connection: { url, tls }, openTimeoutMs: 0 }))
      expect(error).toMatchObject({ name: 'StoreUnavailable', message: 'The database cannot be reached: TLS failed' })
    }
  })
})
