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
  store.shared.follow({ standings: () => [], told: () => undefined, found: () => undefined })
  // what is known is known for new while the database answers
  await delay(1000)
  expect(store.shared.status().staleMs).toBe(0)
  await proxy.become(mode)
  const cutAt = performance.now()
  let saidAt = 0
  while (saidAt === 0 && performance.now() - cutAt < 3000) {
    if (store.shared.status().staleMs > 0) saidAt = performance.now()
    else await delay(5)
  }
  expect(saidAt - cutAt).toBeGreaterThan(0)
  // and what it takes this process to come to it
  expect(saidAt - cutAt).toBeLessThan(maxStalenessMs + 200)
  await proxy.become('pass')
  await expect.poll(() => store.shared.status().staleMs, { timeout: 10_000 }).toBe(0)
})
