// The pool by itself, with threads of its own.

import { afterEach, describe, expect, it } from 'vitest'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { PLAIN_FRAME } from '../../src/import/body-in-frame.ts'
import type { ImportTask } from '../../src/import/import-file.ts'
import type { BytesJob } from '../../src/threads/job.ts'
import { type PoolOptions, WorkerPool } from '../../src/threads/pool.ts'
import { SCHEMA_LIMITS } from '../../src/wire/body.ts'

const MEGABYTE = 2 ** 20
const config = loadConfig({})
const pools: WorkerPool[] = []
const faults: string[] = []

function pool(options: Partial<PoolOptions> = {}): WorkerPool {
  const memory = options.memory ?? 512 * MEGABYTE
  const limits = { ...queryLimits(config), maxBatch: config.MAX_BATCH, maxMemory: memory }
  const onFault = (stack: string) => faults.push(stack)
  const created = new WorkerPool({ workers: 1, memory, deadline: 60_000, limits, onFault, ...options })
  pools.push(created)
  return created
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((each) => each.close()))
  expect(faults.splice(0)).toEqual([])
})

function job(op: string, body: object): BytesJob {
  return { kind: 'query', dimension: '2d', op, bytes: Buffer.from(JSON.stringify(body)), requestId: 'r', picture: null }
}

const disc = (x: number) => ({ shape: { type: 'circle', radius: 1 }, position: { x, y: 0 } })
const short = () => job('distance', { a: disc(0), b: disc(3) })
/** A second or so. */
const long = () => {
  const list = Array.from({ length: 900 }, (_, k) => disc(k / 7))
  return job('table', { measure: 'distance', a: list, b: list })
}

function importTask(bytes: Uint8Array<ArrayBuffer>): ImportTask {
  return {
    kind: 'import',
    given: [bytes.buffer],
    files: { main: { name: '', bytes }, others: [] },
    options: { dimension: 2, format: 'geojson', source: 'a', merge: true, tolerance: 1, frame: PLAIN_FRAME },
    limits: SCHEMA_LIMITS,
    mostBodies: 9,
    mostPieces: 9,
  }
}

function text(body: string | Uint8Array): string {
  return Buffer.from(body).toString()
}

describe('a pool', () => {
  it('answers from bytes with bytes', async () => {
    const errand = pool().open()
    const done = await errand.run(short())
    errand.close()
    expect(done).toMatchObject({ is: 'sent', status: 200, faults: [] })
    if (done.is === 'sent') expect(JSON.parse(text(done.body))).toMatchObject({ distance: 1 })
  })

  // a machine with much else to do may leave a thread too little time to end by itself
  it('ends work at its deadline, and keeps the thread', { retry: 2 }, async () => {
    const threads = pool({ deadline: 50 })
    await threads.start()
    const errand = threads.open()
    expect(await errand.run(long())).toEqual({ is: 'stopped' })
    expect(errand.ending).toBe('deadline-exceeded')
    expect(threads.figures).toMatchObject({ busy: 0, ended: 0 })
    // a busy machine may take longer than the deadline for the first of them
    await expect.poll(async () => (await threads.open().run(short())).is).toBe('sent')
    expect(threads.figures.ended).toBe(0)
  })

  it('ends work that nobody waits for any more, begun or not', async () => {
    const threads = pool()
    await threads.start()
    const begun = threads.open()
    const waiting = threads.open()
    const done = Promise.all([begun.run(long()), waiting.run(short())])
    begun.end('gone')
    waiting.end('gone')
    expect(await done).toEqual([{ is: 'stopped' }, { is: 'stopped' }])
    expect(waiting.hasBegun).toBe(false)
    expect(await begun.run(short())).toEqual({ is: 'stopped' })
  })

  it('replaces a thread that takes too much memory, and nobody else notices', async () => {
    const threads = pool({ memory: 64 * MEGABYTE })
    const items = Buffer.from(`{"queries":[${'{"op":[1,2,3],"a":{"x":1,"y":2}},'.repeat(600_000)}{}]}`)
    const large = threads.open()
    const after = threads.open()
    const [first, second] = await Promise.all([
      large.run({ kind: 'list', dimension: '2d', picture: null, bytes: items, requestId: 'r' }),
      after.run(short()),
    ])
    expect(first).toEqual({ is: 'out-of-memory' })
    expect(second.is).toBe('sent')
    expect(threads.figures.ended).toBe(1)
  })

  it('replaces threads that hold too much of earlier jobs, and each job is answered', async () => {
    // whatever the first job of a thread has left is too much
    const limits = { ...queryLimits(config), maxBatch: config.MAX_BATCH, maxMemory: 512 * MEGABYTE, maxLeft: -Infinity }
    const threads = pool({ limits })
    const jobs = [disc(3), disc(4)].map((b) => threads.open().run(job('distance', { a: disc(0), b })))
    const distances = (await Promise.all(jobs)).map(
      (done) => done.is === 'sent' && JSON.parse(text(done.body)).distance,
    )
    expect(distances).toEqual([1, 2])
    // a thread does one job, and hands back the next
    expect(threads.figures).toMatchObject({ ended: 1, busy: 0, waiting: 0 })
    // with the memory that was given away with it
    const file = Buffer.from(`{"type":"Point","coordinates":[1,2]${' '.repeat(2 ** 17)}}`)
    const imported = await threads.open().run({ kind: 'far', task: importTask(new Uint8Array(file)) })
    expect(imported).toMatchObject({ is: 'far', result: { bodies: expect.anything() } })
    expect(threads.figures.ended).toBe(2)
  })

  it('takes a burst, but few while all threads have been busy for long', async () => {
    const threads = pool()
    await threads.start()
    const taken = Array.from({ length: 8 }, () => threads.take())
    expect(taken).not.toContain(null)
    const done = taken.map((errand) => errand?.run(long()))
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(threads.take()).toBeNull()
    expect(threads.figures.refused).toBe(1)
    for (const errand of taken.slice(1)) errand?.end('gone')
    // one may wait for each thread
    expect(threads.take()).not.toBeNull()
    taken[0]?.end('gone')
    await Promise.all(done)
    expect(threads.admits).toBe(true)
  })

  it('ends what is under way when it is closed', async () => {
    const threads = pool()
    await threads.start()
    const errand = threads.open()
    const done = errand.run(long())
    await threads.close()
    expect(await done).toEqual({ is: 'stopped' })
    expect(errand.ending).toBe('closing')
  })
  it('ends threads that are still loading once they are ready, and calls that no fault', async () => {
    const threads = pool()
    const ready = threads.start()
    await threads.close()
    // a thread that is ended while it imports would take the process with it
    await ready
    expect(faults).toEqual([])
  })
})
