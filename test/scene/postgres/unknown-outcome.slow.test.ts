// What becomes of appends when the way to the database breaks: what was under way is unknown, what was not sent waits for a
// second, and nothing is ever told to have been refused that landed.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StoreEvent } from '../../../src/scene/postgres/database-error.ts'
import { OutcomeUnknown, StoreFull, StoreUnavailable } from '../../../src/scene/store/store.ts'
import type { DatabaseServer } from '../../support/databases/database-server.ts'
import { startServer } from '../../support/databases/embedded-server.ts'
import { databaseUrl, newSceneDatabase } from '../../support/databases/scene-databases.ts'
import { closeStores, openStore } from '../../support/databases/stores.ts'
import { startProxy, type TcpProxy } from '../../support/databases/tcp-proxy.ts'
import { appendTo, begin, grow, lifeOf, type Stand, standOf, unbegun } from '../../support/services/written-scenes.ts'

let server: DatabaseServer
let proxy: TcpProxy
let database = ''
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  proxy = await startProxy(server)
  database = await newSceneDatabase(server)
})
afterEach(async () => {
  await closeStores()
  await proxy.dispose()
})
afterAll(() => server.dispose())

const direct = () => databaseUrl(server.url, database)
const proxied = () => databaseUrl(direct().replace(`:${server.port}/`, `:${proxy.port}/`), database)
const sql = async (text: string) => {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: direct() })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

/** What all come to within so many milliseconds; 0: without a turn of anything else in between. */
async function atOnce(promises: Promise<unknown>[], ms = 0): Promise<unknown[]> {
  const next = new Promise<never>((_, reject) => setTimeout(reject, ms, new Error('Some of them wait')))
  return Promise.race([Promise.all(promises), next])
}

describe('an append', () => {
  it('is of unknown outcome when the answer is cut off, and may have landed', async () => {
    const store = await openStore(proxied())
    const a = await begin(store, 'a', 'x')
    await proxy.become('cutAnswer')
    expect(await failure(grow(store, a, 'y'))).toBeInstanceOf(OutcomeUnknown)
    expect(store.shared.status()).toMatchObject({ isWritable: false, unknownOutcomes: 1 })
    await proxy.become('pass')
    // who looks finds it, after a commit of its own
    await expect.poll(() => store.shared.status().isWritable).toBe(true)
    await store.shared.confirm()
    const now = await standOf(store, 'a')
    expect(now.version).toBe(2)
    expect((await grow(store, now, 'z')).version).toBe(3)
    expect(store.events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['outcome-unknown', 'database-lost', 'database-back']),
    )
  })

  it('is of unknown outcome when nothing comes for too long', async () => {
    const store = await openStore(proxied(), { commitTimeoutMs: 300 })
    const a = await begin(store, 'a', 'x')
    await proxy.become('blackHole')
    let isOver = false
    const outcome = failure(grow(store, a, 'y')).finally(() => {
      isOver = true
    })
    // otherwise 5 s, and this process may be held up; a timer is not called before its time
    for (let turns = 0; turns < 40 && !isOver; turns++) await new Promise((resolve) => setTimeout(resolve, 100))
    expect(isOver).toBe(true)
    expect(await outcome).toBeInstanceOf(OutcomeUnknown)
  })

  it('is of unknown outcome when the server is killed', async () => {
    const store = await openStore(direct())
    const stands = await Promise.all(['a', 'b', 'c'].map((id) => begin(store, id, 'x')))
    let isOver = false
    const write = async (first: Stand) => {
      let acknowledged = first.version
      for (let stand = first; !isOver; ) {
        const outcome = await grow(store, stand, 'x').catch((error: unknown) => error)
        if (outcome instanceof OutcomeUnknown || outcome instanceof StoreUnavailable) return { acknowledged }
        stand = outcome as Stand
        acknowledged = stand.version
      }
      return { acknowledged }
    }
    const writing = stands.map(write)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await server.kill9()
    const ended = await Promise.all(writing)
    isOver = true
    await server.start()
    await expect.poll(() => store.shared.status().isWritable).toBe(true)
    for (const [k, { acknowledged }] of ended.entries()) {
      const { version } = await standOf(store, stands[k].id)
      expect(version === acknowledged || version === acknowledged + 1).toBe(true)
    }
  })

  it('is of unknown outcome when the server warns', async () => {
    const store = await openStore(direct())
    const a = await begin(store, 'a', 'x')
    await sql(`create function warn() returns trigger language plpgsql as $$ begin raise warning 'x'; return new; end $$;
      create trigger warns before insert on tangent.entry for each row execute function warn()`)
    expect(await failure(grow(store, a, 'y'))).toBeInstanceOf(OutcomeUnknown)
    await sql('drop trigger warns on tangent.entry')
    await expect.poll(() => store.shared.status().isWritable).toBe(true)
  })

  it('that was not sent waits while the database has been away for less than a second, and is refused at once from then on', async () => {
    let asked: Promise<unknown> | undefined
    let lostAt = 0
    const onEvent = ({ event, connection }: StoreEvent & { connection?: string }) => {
      if (event !== 'database-lost' || connection !== 'append') return
      lostAt = performance.now()
      asked = failure(grow(store, a, 'y'))
    }
    const store = await openStore(proxied(), { onEvent: onEvent as (event: StoreEvent) => void })
    const a = await begin(store, 'a', 'x')
    const b = await begin(store, 'b', 'x')
    await proxy.become('refuse')
    await expect.poll(() => asked).toBeDefined()
    expect(await asked).toBeInstanceOf(StoreUnavailable)
    expect(performance.now() - lostAt).toBeGreaterThan(990)
    const later = [...Array.from({ length: 20 }, () => grow(store, b, 'y')), store.shared.confirm()].map(failure)
    for (const error of await atOnce(later)) expect(error).toBeInstanceOf(StoreUnavailable)
    await proxy.become('pass')
    await expect.poll(() => store.shared.status().isWritable).toBe(true)
    expect((await standOf(store, 'a')).version).toBe(1)
    expect((await grow(store, b, 'y')).version).toBe(2)
  })

  it('that was not sent is written if the database comes back soon', async () => {
    const store = await openStore(proxied())
    const a = await begin(store, 'a', 'x')
    await proxy.become('refuse')
    await expect.poll(() => store.shared.status().isWritable).toBe(false)
    const waiting = grow(store, a, 'y').catch((error: unknown) => error)
    await proxy.become('pass')
    const outcome = await waiting
    // a machine may be too busy for that
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(StoreUnavailable)
    else expect((outcome as Stand).version).toBe(2)
  })

  it('that builds on one which is given up goes with it, though it came later', async () => {
    const store = await openStore(proxied())
    const a = await begin(store, 'a', 'x')
    await proxy.become('refuse')
    await expect.poll(() => store.shared.status().isWritable).toBe(false)
    const first = appendTo(a, ['y'])
    const lost = failure(store.append(first))
    await new Promise((resolve) => setTimeout(resolve, 500))
    let isSettled = false
    const behind = failure(store.append(appendTo({ ...a, version: 2, digest: first.entries[0].digest }, ['z'])))
    void behind.then(() => {
      isSettled = true
    })
    expect(await lost).toBeInstanceOf(StoreUnavailable)
    await new Promise((resolve) => setImmediate(resolve))
    expect(isSettled).toBe(true)
    expect(await behind).toBeInstanceOf(StoreUnavailable)
    // another replica writes the very same in the place of the first
    await (await openStore(direct())).append(first)
    await proxy.become('pass')
    await expect.poll(() => store.shared.status().isWritable).toBe(true)
    expect((await standOf(store, 'a')).version).toBe(2)
  })

  it('is refused when too much waits', async () => {
    const store = await openStore(proxied(), { waitingByteCount: 100_000 })
    const [first, ...others] = [0, 1, 2].map((k) => failure(begin(store, `${k}`, new Uint8Array(60_000))))
    for (const error of await atOnce(others)) {
      expect(error).toMatchObject({ name: 'StoreUnavailable', message: 'Too much waits for the database' })
    }
    expect(await first).toBeNull()
  })
})

describe('what the server refuses', () => {
  /** Refuses entries of so many bytes, or more, as it does when its disk is full. */
  const fill = (byteCount: number, code: string) =>
    sql(`create or replace function refuse() returns trigger language plpgsql as $$ begin
        if octet_length(new.bytes) >= ${byteCount} then raise exception 'secret' using errcode = '${code}'; end if;
        return new;
      end $$;
      create or replace trigger refuses before insert on tangent.entry for each row execute function refuse()`)

  it('is told to be full, and the others of the group are written', async () => {
    const store = await openStore(direct())
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((id) => begin(store, id, 'x')))
    await fill(1000, '53100')
    const answers = await Promise.allSettled([
      store.append(appendTo(a, ['y'])),
      store.append(appendTo(b, [new Uint8Array(1000)])),
      store.append(appendTo(c, ['y'])),
      store.append(appendTo(unbegun('d'), ['y'])),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    const { reason } = answers[1] as PromiseRejectedResult
    expect(reason).toBeInstanceOf(StoreFull)
    expect(reason.message).not.toContain('secret')
    expect((await standOf(store, 'b')).version).toBe(1)
    await sql('drop trigger refuses on tangent.entry')
    expect((await grow(store, b, new Uint8Array(1000))).version).toBe(2)
  })

  it('is sent again when it was undone for the sake of others', async () => {
    const store = await openStore(direct())
    const a = await begin(store, 'a', 'x')
    await sql(`create sequence times; create function once() returns trigger language plpgsql as $$ begin
        if nextval('times') < 3 then raise exception 'x' using errcode = '40001'; end if;
        return new;
      end $$;
      create trigger refuses before insert on tangent.entry for each row execute function once()`)
    expect((await grow(store, a, 'y')).version).toBe(2)
    await sql('drop trigger refuses on tangent.entry')
  })

  it('because it only reads now is unavailable, and another connection is sought', async () => {
    const store = await openStore(direct())
    const a = await begin(store, 'a', 'x')
    await fill(0, '25006')
    expect(await failure(grow(store, a, 'y'))).toMatchObject({ name: 'StoreUnavailable', code: '25006' })
    await sql('drop trigger refuses on tangent.entry')
    await expect.poll(() => store.shared.status().isWritable).toBe(true)
    expect((await grow(store, a, 'y')).version).toBe(2)
  })
})

describe('reads', () => {
  it('are tried again on another connection', async () => {
    const store = await openStore(proxied())
    const a = await begin(store, 'a', ...Array<string>(100).fill('x'))
    expect(await store.head('a')).not.toBeNull()
    proxy.reset()
    expect(await store.head('a')).toMatchObject({ version: 100 })
    const versions: number[] = []
    for await (const { version } of store.read(lifeOf(a), 1)) versions.push(version)
    expect(versions).toHaveLength(100)
  })

  it('are unavailable while there is no database, soon, and come back', async () => {
    const store = await openStore(proxied())
    await begin(store, 'a', 'x')
    await proxy.become('refuse')
    expect(await failure(store.head('a'))).toBeInstanceOf(StoreUnavailable)
    expect(store.shared.status().isReachable).toBe(false)
    // nobody waits any more for their turn: at most all together for one try to connect, which is refused
    const reads = Array.from({ length: 100 }, () => failure(store.head('a')))
    for (const error of await atOnce(reads, 500)) expect(error).toBeInstanceOf(StoreUnavailable)
    await proxy.become('pass')
    await expect.poll(() => store.head('a').catch(() => null)).toMatchObject({ version: 1 })
  })
})

describe('confirm', () => {
  it('makes a commit, and is unavailable without a database', async () => {
    const store = await openStore(proxied())
    const at = async () => (await sql('select max(confirmed_at)::text as at from tangent.replica'))[0].at
    const before = await at()
    await store.shared.confirm()
    expect(await at()).not.toBe(before)
    await proxy.become('refuse')
    expect(await failure(store.shared.confirm())).toBeInstanceOf(StoreUnavailable)
  })
})

it('connections that nobody uses are replaced when another hears nothing, before somebody waits for them', async () => {
  const store = await openStore(proxied())
  const a = await begin(store, 'a', 'x')
  await expect.poll(() => store.events).toContainEqual({ event: 'following-by-notification' })
  proxy.forget()
  const back = () => store.events.flatMap((each) => (each.event === 'database-back' ? [each.connection] : []))
  await expect.poll(back).toEqual(expect.arrayContaining(['append', 'listen', 'read']))
  expect((await grow(store, a, 'y')).version).toBe(2)
  expect(store.shared.status()).toMatchObject({ isWritable: true, unknownOutcomes: 0, reconnects: 1 })
})
