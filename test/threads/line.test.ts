// The line of what waits for a thread, without any thread.

import { expect, it } from 'vitest'
import { loadConfig, queryLimits } from '../../src/config.ts'
import type { BytesJob } from '../../src/threads/job.ts'
import { FarWork, WorkerPool, WorkFailed } from '../../src/threads/pool.ts'

const config = loadConfig({})
const job = (): BytesJob => ({
  kind: 'query',
  dimension: '2d',
  op: 'distance',
  bytes: Buffer.from('{}'),
  requestId: 'r',
  picture: null,
})

function idlePool(): WorkerPool {
  const limits = { ...queryLimits(config), maxBatch: config.MAX_BATCH, maxMemory: Infinity }
  const onFault = (fault: string) => expect.fail(fault)
  return new WorkerPool({ workers: 0, memory: 2 ** 29, deadline: 60_000, limits, onFault })
}

it('what nobody waits for any more leaves the line, and nothing else does', async () => {
  const pool = idlePool()
  const [first, second] = [pool.open(), pool.open()]
  const done = [first.run(job()), second.run(job()), first.run(job())]
  expect(pool.figures.waiting).toBe(3)
  first.end('gone')
  expect(pool.figures.waiting).toBe(1)
  expect(await Promise.all([done[0], done[2], first.run(job())])).toEqual(Array(3).fill({ is: 'stopped' }))
  await pool.close()
  expect(await done[1]).toEqual({ is: 'stopped' })
  expect(pool.figures).toMatchObject({ waiting: 0, jobs: 0 })
})

it('a scene query that nobody waits for any more hands nothing to workers', async () => {
  const pool = idlePool()
  const far = new FarWork(pool)
  const task = { kind: 'none' } as never
  const waiting = far.do(task, performance.now() + 60_000)
  far.end()
  await expect(waiting).rejects.toBeInstanceOf(WorkFailed)
  await expect(far.do(task, performance.now() + 60_000)).rejects.toEqual(
    new WorkFailed({ is: 'stopped', ending: 'gone', hasBegun: false }),
  )
  expect(pool.figures.waiting).toBe(0)
})
