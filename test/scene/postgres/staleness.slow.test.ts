// How old what is in memory may be without that being said: no older than it is allowed to be, whatever becomes of the connection.

import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { DatabaseServer } from '../../support/databases/database-server.ts'
import { startServer } from '../../support/databases/embedded-server.ts'
import { databaseUrl, newSceneDatabase } from '../../support/databases/scene-databases.ts'
import { closeStores, openStore } from '../../support/databases/stores.ts'
import { startProxy, type TcpProxy } from '../../support/databases/tcp-proxy.ts'

let server: DatabaseServer
let proxy: TcpProxy
beforeAll(async () => {
  server = await startServer()
  proxy = await startProxy(server)
})
afterEach(closeStores)
afterAll(async () => {
  await proxy.dispose()
  await server.dispose()
})

it.each(['blackHole', 'refuse', 'cutAnswer'] as const)('is said within the time that it may last: %s', async (mode) => {
  const url = databaseUrl(server.url, await newSceneDatabase(server)).replace(`:${server.port}/`, `:${proxy.port}/`)
  const maxStalenessMs = 500
  const store = await openStore(url, { maxStalenessMs })
  store.shared.follow({ standings: () => [], notified: () => undefined, found: () => undefined })
  // what is known is known for new while the database answers
  await delay(2 * maxStalenessMs)
  const isNew = () => expect.poll(() => store.shared.status().staleMs).toBe(0)
  await isNew()
  const saidAfterMs = async () => {
    await proxy.become(mode)
    const cutAt = performance.now()
    await expect.poll(() => store.shared.status().staleMs, { interval: 5 }).toBeGreaterThan(0)
    const ms = performance.now() - cutAt
    await proxy.become('pass')
    await isNew()
    return ms
  }
  // and what it takes this process to come to it: a machine may be busy for a while
  const most = maxStalenessMs + 200
  let leastMs = Infinity
  for (let round = 0; round < 10 && leastMs >= most; round++) leastMs = Math.min(leastMs, await saidAfterMs())
  expect(leastMs).toBeLessThan(most)
})
