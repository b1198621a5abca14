// For how long a connection waits for an answer: for as long as is said, and never so that one is not read that lies there. And that
// nobody else waits for what comes.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { Connection } from '../../../src/scene/postgres/connection.ts'
import { ConnectionLost } from '../../../src/scene/postgres/database-error.ts'
import type { DatabaseServer } from '../../support/databases/database-server.ts'
import { startServer } from '../../support/databases/embedded-server.ts'

let server: DatabaseServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.dispose())

/** Nothing else is done in this process. */
function holdUp(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

it('reads what was answered while the process was held up for longer', async () => {
  const connection = await Connection.open({ url: server.url })
  for (let round = 0; round < 5; round++) {
    const asked = connection.query({ text: 'select 12' }, 200)
    holdUp(600)
    expect(await asked).toEqual([[12]])
  }
  await connection.end()
})

it('does not wait for longer than that', async () => {
  const connection = await Connection.open({ url: server.url })
  const begun = performance.now()
  await expect(connection.query({ text: 'select pg_sleep(30)' }, 400)).rejects.toThrow(ConnectionLost)
  expect(performance.now() - begun).toBeGreaterThan(390)
  expect(performance.now() - begun).toBeLessThan(5000)
})

it('waits for as long as pieces come', async () => {
  const connection = await Connection.open({ url: server.url })
  const slowly = `copy (select repeat('x', 100000), pg_sleep(0.05) from generate_series(1, 30)) to stdout`
  let byteCount = 0
  await connection.copy(
    slowly,
    ({ length }) => {
      byteCount += length
    },
    600,
  )
  expect(byteCount).toBeGreaterThan(3_000_000)
  await connection.end()
})

it('lets others have their turn while much comes at once', async () => {
  const connection = await Connection.open({ url: server.url })
  let pieces = 0
  let byteCount = 0
  let isOver = false
  const inOneTurn: number[] = []
  const look = () => {
    inOneTurn.push(pieces)
    pieces = 0
    if (!isOver) setImmediate(look)
  }
  look()
  // it lies there when it is read
  const onPiece = ({ length }: Buffer) => {
    pieces++
    byteCount += length
    holdUp(3)
  }
  await connection.copy(`copy (select repeat('x', 10000) from generate_series(1, 2000)) to stdout`, onPiece, 60_000)
  isOver = true
  await connection.end()
  expect(byteCount).toBe(2000 * 10_001)
  expect(Math.max(...inOneTurn)).toBe(1)
})
