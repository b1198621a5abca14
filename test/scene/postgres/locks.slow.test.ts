// Locks that somebody else holds in the database: what needs them is refused within seconds, what does not need them goes on, and the
// server is left with no more connections than before.

import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LOCK_TIMEOUT_MS } from '../../../src/scene/postgres/connection.ts'
import { OutcomeUnknown, StoreUnavailable } from '../../../src/scene/store/store.ts'
import type { DatabaseServer } from '../../support/databases/database-server.ts'
import { startServer } from '../../support/databases/embedded-server.ts'
import { missingPgbouncer, type Pgbouncer, startPgbouncer } from '../../support/databases/pgbouncer.ts'
import { databaseUrl, newSceneDatabase } from '../../support/databases/scene-databases.ts'
import { closeStores, openStore } from '../../support/databases/stores.ts'
import { begin, grow } from '../../support/services/written-scenes.ts'

let server: DatabaseServer
let url = ''
const holders: pg.Client[] = []
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  url = databaseUrl(server.url, await newSceneDatabase(server))
})
afterEach(async () => {
  await Promise.all(holders.splice(0).map((client) => client.end()))
  await closeStores()
})
afterAll(() => server.dispose())

/** Holds what a statement locks until its client ends. */
async function hold(text: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin')
  await client.query(text)
  holders.push(client)
  return client
}

const failureOf = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  return { error }
}

/** The service's own connections to this database. */
async function backendCount(): Promise<number> {
  const name = url.slice(url.lastIndexOf('/') + 1)
  const [row] = await server.query(
    `select count(*)::int as n from pg_stat_activity where datname = '${name}' and application_name = 'tangent'`,
  )
  return (row as { n: number }).n
}

const whyNotPooled = await missingPgbouncer()
if (whyNotPooled !== null) console.warn(`A pooler is not tried: ${whyNotPooled}`)
const WAYS = ['a session of its own', ...(whyNotPooled === null ? ['a pooler in transaction mode'] : [])]

describe.each(WAYS)('through %s', (way) => {
  const isPooled = way !== 'a session of its own'
  let pooler: Pgbouncer | undefined
  beforeEach(async () => {
    pooler = isPooled ? await startPgbouncer(server.port) : undefined
  })
  afterEach(async () => {
    await closeStores()
    await pooler?.dispose()
  })
  const open = () =>
    openStore(pooler === undefined ? url : databaseUrl(pooler.url, url.slice(url.lastIndexOf('/') + 1)), {
      hasPooler: isPooled,
    })

  it('a row that is locked holds up nobody who writes to others', async () => {
    const store = await open()
    let [a, b] = [await begin(store, 'a', 'x'), await begin(store, 'b', 'x')]
    const client = await hold("select from tangent.scene where id = 'a' for update")
    const first = failureOf(grow(store, a, 'y'))
    // both go in one group, and each later one with another try at the first
    b = await grow(store, b, 'y')
    expect((await first).error).toBeInstanceOf(StoreUnavailable)
    expect((await first).error).toMatchObject({ code: '55P03', message: expect.stringContaining('lock') })
    // a machine may be busy for a while, but whoever waits for the lock waits for all of its time in every round
    let leastMs = Infinity
    for (let round = 0; round < 2 || (round < 20 && leastMs >= LOCK_TIMEOUT_MS); round++) {
      const again = failureOf(grow(store, a, 'y'))
      const since = performance.now()
      b = await grow(store, b, 'z')
      leastMs = Math.min(leastMs, performance.now() - since)
      expect((await again).error).toBeInstanceOf(StoreUnavailable)
    }
    expect(leastMs).toBeLessThan(LOCK_TIMEOUT_MS)
    // a begin and writes to others at once
    const mixed = [failureOf(grow(store, a, 'y')), failureOf(begin(store, 'c', 'x')), failureOf(grow(store, b, 'y'))]
    expect((await Promise.all(mixed)).map(({ error }) => error === null)).toEqual([false, true, true])
    await client.query('rollback')
    a = await grow(store, a, 'y')
    expect(a.version).toBe(2)
    expect(store.shared.status()).toMatchObject({ isWritable: true, unknownOutcomes: 0, reconnects: 0 })
  })

  it('a table that is locked costs no connection', async () => {
    const stores = await Promise.all([open(), open(), open()])
    const stand = await begin(stores[0], 'a', 'x')
    const before = await backendCount()
    const client = await hold('lock table tangent.scene in access exclusive mode')
    let most = 0
    let isOver = false
    const watching = (async () => {
      while (!isOver) {
        most = Math.max(most, await backendCount())
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    })()
    const asked = stores.flatMap((store) => [
      failureOf(grow(store, stand, 'y')),
      failureOf(store.head('a')),
      failureOf(begin(store, 'b', 'x')),
    ])
    const failures = await Promise.all(asked)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    isOver = true
    await watching
    // refused while the lock is held, and by the server: not because nothing came
    for (const { error } of failures) expect(error).toMatchObject({ name: 'StoreUnavailable', code: '55P03' })
    expect(most).toBeLessThanOrEqual(Math.max(before, 12))
    await client.query('rollback')
    expect((await grow(stores[1], stand, 'y')).version).toBe(2)
    for (const store of stores) expect(store.shared.status().unknownOutcomes).toBe(0)
  })
})

it.each(['scene', 'entry'])('while the table %s is locked all that wait are refused, however many', async (table) => {
  const store = await openStore(url)
  const stands = await Promise.all(['a', 'b', 'c'].map((id) => begin(store, id, 'x')))
  const client = await hold(`lock table tangent.${table} in access exclusive mode`)
  const since = performance.now()
  // a third of a second each if each was tried alone
  const asked = [
    ...stands.map((stand) => failureOf(grow(store, stand, 'y'))),
    ...Array.from({ length: 100 }, (_, k) => failureOf(begin(store, `n${k}`, 'x'))),
  ]
  for (const { error } of await Promise.all(asked)) expect(error).toMatchObject({ code: '55P03' })
  expect(performance.now() - since).toBeLessThan(20_000)
  await client.query('rollback')
  for (const stand of stands) expect((await grow(store, stand, 'y')).version).toBe(2)
  expect(store.shared.status()).toMatchObject({ isWritable: true, unknownOutcomes: 0, reconnects: 0 })
})

it('what is cut off behind its last part holds a row for seconds only', async () => {
  const store = await openStore(url, { commitTimeoutMs: 1000 })
  const other = await openStore(url)
  const stand = await begin(store, 'a', 'x')
  const socket = (store as unknown as { lanes: { link: { current: { socket: import('node:net').Socket } } }[] })
    .lanes[0].link.current.socket
  // Sync is five bytes; the server hears nothing more, not even that the connection is closed
  const write = socket.write.bind(socket)
  socket.cork = () => undefined
  socket.write = ((bytes: Buffer, ...rest: never[]) =>
    bytes.length === 5 && bytes[0] === 0x53 ? true : write(bytes, ...rest)) as typeof socket.write
  const destroy = socket.destroy.bind(socket)
  socket.destroy = () => socket
  const { error } = await failureOf(grow(store, stand, 'y'))
  expect(error).toBeInstanceOf(OutcomeUnknown)
  await expect.poll(() => grow(other, stand, 'z').catch(() => null)).toMatchObject({ version: 2 })
  destroy()
})
