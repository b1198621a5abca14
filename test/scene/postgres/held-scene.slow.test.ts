// A scene that is held: nobody else appends before whoever holds it, for a short time, however that ends.

import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Appended, StoreUnavailable } from '../../../src/scene/store/store.ts'
import type { DatabaseServer } from '../../support/databases/database-server.ts'
import { startServer } from '../../support/databases/embedded-server.ts'
import { databaseUrl, newSceneDatabase } from '../../support/databases/scene-databases.ts'
import { closeStores, type Opened, openStore } from '../../support/databases/stores.ts'
import { startProxy, type TcpProxy } from '../../support/databases/tcp-proxy.ts'
import { appendTo, begin, grow, lifeOf, type Stand, standOf } from '../../support/services/written-scenes.ts'

let server: DatabaseServer
let proxy: TcpProxy
let url = ''
let here: Opened
let there: Opened
let stand: Stand
beforeAll(async () => {
  server = await startServer()
  proxy = await startProxy(server)
})
beforeEach(async () => {
  url = databaseUrl(server.url, await newSceneDatabase(server))
  await proxy.become('pass')
  here = await openStore(url.replace(`:${server.port}/`, `:${proxy.port}/`))
  there = await openStore(url)
  stand = await begin(there, 'a', 'x')
})
afterEach(closeStores)
afterAll(async () => {
  await proxy.dispose()
  await server.dispose()
})

/** Longer than anything here takes. */
const LONG_MS = 60_000

it('lands before those who come while it is held, and they lose', async () => {
  let theirs: Promise<unknown> | undefined
  let ours: Appended | undefined
  await here.shared.alone(lifeOf(stand), LONG_MS, async (append) => {
    theirs = there.append(appendTo(stand, ['theirs'])).catch((error: unknown) => error)
    expect((await standOf(here, 'a')).version).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 100))
    ours = await append(appendTo(stand, ['ours']))
  })
  expect(ours).toMatchObject({ version: 2, conflict: false, incarnation: stand.incarnation })
  // or they have waited too long for the lock
  const lost = await theirs
  if (!(lost instanceof StoreUnavailable)) expect(lost).toMatchObject({ version: 2, conflict: true })
})

it('is let go when nothing is appended, or what is appended does not fit', async () => {
  await here.shared.alone(lifeOf(stand), LONG_MS, async () => undefined)
  stand = await grow(there, stand, 'y')
  await here.shared.alone(lifeOf(stand), LONG_MS, async (append) => {
    expect(await append(appendTo({ ...stand, version: 1 }, ['late']))).toMatchObject({ version: 2, conflict: true })
  })
  await expect(
    here.shared.alone(lifeOf(stand), LONG_MS, async () => {
      throw new Error('changed its mind')
    }),
  ).rejects.toThrow('changed its mind')
  expect((await grow(there, stand, 'z')).version).toBe(3)
})

it('is let go after its time, and what is appended then loses as well as anybody', async () => {
  await here.shared.alone(lifeOf(stand), 100, async (append) => {
    const theirs = await grow(there, stand, 'theirs')
    expect(await append(appendTo(stand, ['ours']))).toMatchObject({ version: 2, conflict: true })
    stand = theirs
  })
  await here.shared.alone(lifeOf(stand), 100, async (append) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await append(appendTo(stand, ['ours']))).toMatchObject({ version: 3, conflict: false })
  })
})

it('is let go by the server when nothing comes from whoever holds it', async () => {
  await here.shared.alone(lifeOf(stand), 300, async () => {
    proxy.forget()
    // refused after two seconds each time that it is held
    await expect.poll(() => grow(there, stand, 'theirs').catch(() => null)).toMatchObject({ version: 2 })
  })
})

it('is appended to all the same where its connection is lost before', async () => {
  await here.shared.alone(lifeOf(stand), LONG_MS, async (append) => {
    proxy.reset()
    const isBack = () => here.events.some((each) => each.event === 'database-back' && each.connection === 'append')
    await expect.poll(isBack).toBe(true)
    expect(await append(appendTo(stand, ['ours']))).toMatchObject({ version: 2, conflict: false })
  })
  expect((await standOf(there, 'a')).version).toBe(2)
})

it('is not had while somebody else has a lock on it', async () => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("begin; select from tangent.scene where id = 'a' for update")
  let isCalled = false
  const held = here.shared.alone(lifeOf(stand), LONG_MS, async () => {
    isCalled = true
  })
  await expect(held).rejects.toBeInstanceOf(StoreUnavailable)
  expect(isCalled).toBe(false)
  await client.end()
})

it('is held one after another, while each reads', async () => {
  const stands = await Promise.all(['b', 'c', 'd', 'e'].map((id) => begin(there, id, 'x')))
  await Promise.all(
    stands.map((each) =>
      here.shared.alone(lifeOf(each), LONG_MS, async (append) => {
        for await (const _ of here.read(lifeOf(each), 1));
        expect(await append(appendTo(each, ['ours']))).toMatchObject({ version: 2, conflict: false })
      }),
    ),
  )
  // a transaction that is left open would hold a lock
  for (const each of stands) expect((await grow(there, await standOf(there, each.id), 'y')).version).toBe(3)
})
