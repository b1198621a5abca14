// The keeper: one writer for each scene, versions that are dense and seen only when durable, and what outlasts a restart.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Keeper, type KeeperEvent, type KeeperOptions } from '../../../src/scene/keeper/keeper.ts'
import type { WriteOutcome } from '../../../src/scene/keeper/pending-write.ts'
import { idOf } from '../../../src/scene/state/ids.ts'
import type { Operation } from '../../../src/scene/state/operation.ts'
import { apply, bodyCountOf, createScene, type Scene, validateScene } from '../../../src/scene/state/scene.ts'
import { boundsOfScene, findBody, presentView, sceneBodyAt } from '../../../src/scene/state/view.ts'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import { MemoryStore } from '../../../src/scene/store/memory-store.ts'
import { type Append, type Appended, type SceneLife, StoreClosed, StoreFull } from '../../../src/scene/store/store.ts'
import {
  circle,
  contentOf,
  creation,
  prepare,
  putting,
  randomOperations,
  seeded,
} from '../../support/services/kept-scenes.ts'

const keepers: Keeper[] = []
const directories: string[] = []
afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.close()))
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true })
})

async function open(options: Partial<KeeperOptions> = {}) {
  const keeper = await Keeper.open({ store: new MemoryStore(), prepare, ...options })
  keepers.push(keeper)
  return keeper
}

function temporary() {
  const directory = mkdtempSync(join(tmpdir(), 'tangent-keeper-'))
  directories.push(directory)
  return directory
}

/** A store whose writes wait until they are let go, one by one. */
class SlowStore extends MemoryStore {
  private readonly held: { go: () => void; fail: (error: Error) => void }[] = []

  override append(append: Append): Promise<Appended> {
    return this.hold(() => super.append(append))
  }

  override drop(life: SceneLife): Promise<Appended> {
    return this.hold(() => super.drop(life))
  }

  private hold(write: () => Promise<Appended>): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.held.push({ go: () => resolve(write()), fail: reject })
    })
  }

  get waiting() {
    return this.held.length
  }

  async release(count = 1) {
    for (const { go } of this.held.splice(0, count)) go()
    await new Promise((resolve) => setImmediate(resolve))
  }

  async fail(error: Error) {
    this.held.shift()?.fail(error)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const at = 1_700_000_000_000
const write = (keeper: Keeper, operations: Operation[], more: { ifVersion?: number; key?: string; of?: string } = {}) =>
  keeper.write('a', {
    operations,
    at,
    ...(more.ifVersion !== undefined && { ifVersion: more.ifVersion }),
    ...(more.key !== undefined && { key: { key: more.key, fingerprint: more.of ?? 'same' } }),
  })
const sceneOf = (keeper: Keeper, id = 'a') => keeper.loaded(id) as Scene
const idsOf = (keeper: Keeper) => {
  const { ids, used } = sceneOf(keeper).table
  return Array.from({ length: used }, (_, slot) => idOf(ids, slot))
    .filter((id) => id !== '')
    .sort()
}
const version = (outcome: WriteOutcome) => ('version' in outcome && 'isRepeated' in outcome ? outcome.version : null)

describe('an entry that cannot be applied', () => {
  const failing: typeof prepare = {
    ...prepare,
    2: (shape, ...rest) => {
      if ((shape as { type: string }).type === 'box') throw new Error('no boxes today')
      return prepare[2](shape, ...rest)
    },
  }
  const box = (id: string): Operation => ({ op: 'put', body: { id, shape: { type: 'box', width: 1, height: 1 } } })
  const many = Array.from({ length: 3000 }, (_, i): Operation => ({ op: 'put', body: circle(`c${i}`, i, 0) }))

  it.each([
    ['small', []],
    ['in slices', many],
  ])('takes its scene out of service, and no other: %s', async (_, more) => {
    const directory = temporary()
    const events: KeeperEvent[] = []
    const store = await openFileStore({ directory })
    const keeper = await open({ store, prepare: failing, onEvent: (event) => events.push(event) })
    await keeper.create({ op: 'create', sceneId: 'a', dimension: 2, at })
    await keeper.create({ op: 'create', sceneId: 'b', dimension: 2, at })
    await write(keeper, [{ op: 'put', body: circle('first', 0, 0) }])

    const behind = [write(keeper, [...more, box('second')]), write(keeper, [{ op: 'remove', id: 'first' }])]
    for (const { status } of await Promise.allSettled(behind)) expect(status).toBe('rejected')
    expect((await keeper.find('a'))?.damage).toMatch(/entry 3 could not be applied: no boxes today/)
    expect(events).toMatchObject([{ event: 'scene-damaged', scene: 'a' }])
    expect(await write(keeper, [])).toMatchObject({ refusal: 'scene-damaged' })
    expect((await keeper.find('b'))?.scene).toBeDefined()

    await keeper.close()
    const again = await open({ store: await openFileStore({ directory }) })
    expect(idsOf(again)).toContain('second')
    expect(bodyCountOf(sceneOf(again))).toBe(more.length + 1)
  })
})

describe('writes', () => {
  it('that are large keep their order among small ones', async () => {
    const directory = temporary()
    const keeper = await open({ store: await openFileStore({ directory }) })
    await keeper.create({ op: 'create', sceneId: 'a', dimension: 2, at })
    const many = (name: string) =>
      Array.from(
        { length: 3000 },
        (_, i): Operation => ({ op: 'put', body: { id: `${name}-${i}`, shape: { type: 'circle', radius: i } } }),
      )
    const remove = (id: string): Operation => ({ op: 'remove', id })
    const writes = [many('a'), [remove('a-7')], many('b'), [remove('b-2999')], [remove('a-8')]]
    const outcomes = await Promise.all(writes.map((operations) => write(keeper, operations)))
    expect(outcomes.map(version)).toEqual([2, 3, 4, 5, 6])
    const there = idsOf(keeper)
    expect(there.length).toBe(5997)
    expect(validateScene(sceneOf(keeper))).toBe(null)
    await keeper.close()
    const again = await open({ store: await openFileStore({ directory }) })
    expect(idsOf(again)).toEqual(there)
  })

  it('that are large fail with those they build on', async () => {
    const store = new SlowStore()
    const keeper = await open({ store })
    const begun = keeper.create(creation('a'))
    await store.release()
    await begun
    const first = write(keeper, putting(circle('first')))
    const large = putting(...Array.from({ length: 3000 }, (_, i) => circle(`${i}`)))
    const rest = [write(keeper, large), write(keeper, [{ op: 'remove', id: '7' }])]
    const settled = Promise.allSettled([first, ...rest])
    // they are checked in slices, and then in flight
    while ((keeper.ahead('a')?.version ?? 0) < 4) await new Promise((resolve) => setImmediate(resolve))
    await store.fail(new StoreFull('no room'))
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(store.waiting).toBe(0)
    const again = write(keeper, large)
    while (store.waiting === 0) await new Promise((resolve) => setImmediate(resolve))
    await store.release()
    expect(version(await again)).toBe(2)
    expect(idsOf(keeper).length).toBe(3000)
  })

  it('that are being checked when what they build on fails are checked anew', async () => {
    const store = new SlowStore()
    const keeper = await open({ store })
    const begun = keeper.create(creation('a'))
    await store.release()
    await begun
    const first = write(keeper, putting(circle('first')))
    const moves = Array.from({ length: 30_000 }, (_, i): Operation => {
      return { op: 'move', id: 'first', position: { x: i, y: 0 } }
    })
    const large = write(keeper, moves)
    const next = write(keeper, putting(circle('next')))
    const settled = Promise.allSettled([first, large])
    expect(keeper.ahead('a')?.version).toBe(2)
    await store.fail(new StoreFull('no room'))
    const [failed, refused] = await settled
    expect(failed.status).toBe('rejected')
    expect(refused).toMatchObject({ value: { refusal: 'unknown-body', fault: { index: 0, id: 'first' } } })
    while (store.waiting === 0) await new Promise((resolve) => setImmediate(resolve))
    await store.release()
    expect(version(await next)).toBe(2)
    expect(idsOf(keeper)).toEqual(['next'])
  })

  it('that are large are seen whole or not at all', async () => {
    const keeper = await open({ store: new MemoryStore() })
    await keeper.create(creation('a'))
    const circles = Array.from({ length: 20_000 }, (_, i) => circle(`${i}`, i % 100, Math.floor(i / 100)))
    await write(keeper, putting(...circles))
    const moves = circles.map(({ id }): Operation => ({ op: 'move', id, position: { x: 500, y: 500 } }))
    const scene = sceneOf(keeper)
    let isDone = false
    const large = write(keeper, [...moves, { op: 'remove', id: '7' }]).finally(() => {
      isDone = true
    })
    const small = write(keeper, [{ op: 'put', body: circle('7') }])
    let looks = 0
    while (!isDone) {
      const view = presentView(scene)
      const isBefore = scene.version === 2
      if (!isBefore && scene.version !== 3) break
      expect(findBody(view, '7') >= 0).toBe(isBefore)
      expect(sceneBodyAt(view, findBody(view, '11')).position).toEqual(isBefore ? { x: 11, y: 0 } : { x: 500, y: 500 })
      expect(bodyCountOf(scene)).toBe(isBefore ? 20_000 : 19_999)
      expect(boundsOfScene(scene)?.[2]).toBe(isBefore ? 100 : 501)
      if (isBefore) looks++
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(looks).toBeGreaterThan(2)
    expect([version(await large), version(await small)]).toEqual([3, 4])
    expect(bodyCountOf(scene)).toBe(20_000)
    expect(scene.views.size).toBe(0)
    expect(validateScene(scene)).toBe(null)
  })

  it('count when the scene is dropped while they wait, and those behind that are refused', async () => {
    const applied: number[] = []
    const keeper = await open({ onApplied: (_, entry) => applied.push(entry.version) })
    await keeper.create(creation('a'))
    const many = (name: string) => putting(...Array.from({ length: 20_000 }, (_, i) => circle(`${name}${i}`)))
    const outcomes = Promise.all([write(keeper, many('a')), write(keeper, many('b')), write(keeper, many('c'))])
    const dropped = keeper.drop('a')
    const behind = [write(keeper, many('d')), write(keeper, putting(circle('e'))), keeper.drop('a')]
    expect((await outcomes).map(version)).toEqual([2, 3, 4])
    expect(version(await dropped)).toBe(5)
    expect(applied).toEqual([1, 2, 3, 4, 5])
    for (const outcome of await Promise.all(behind)) expect(outcome).toEqual({ refusal: 'unknown-scene' })
    expect(await keeper.find('a')).toBe(null)
  })

  it('begin a scene once', async () => {
    const keeper = await open()
    expect(await keeper.find('a')).toBeNull()
    const [first, second] = await Promise.all([
      keeper.create(creation('a', { name: 'A' })),
      keeper.create(creation('a')),
    ])
    expect(first).toEqual({ version: 1, digest: sceneOf(keeper).digest, isRepeated: false })
    expect(second).toEqual({ refusal: 'scene-exists' })
    expect(sceneOf(keeper)).toMatchObject({ id: 'a', name: 'A', version: 1 })
    expect(keeper.scenes().map(({ id }) => id)).toEqual(['a'])
  })

  it('are refused where there is no scene', async () => {
    const keeper = await open()
    expect(await write(keeper, [])).toEqual({ refusal: 'unknown-scene' })
    expect(await keeper.drop('a')).toEqual({ refusal: 'unknown-scene' })
  })

  it('are seen when they are durable, not before', async () => {
    const store = new SlowStore()
    const keeper = await open({ store })
    const created = keeper.create(creation('a'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(await keeper.find('a')).toBeNull()
    await store.release()
    await created
    const first = write(keeper, putting(circle('x')))
    const second = write(keeper, putting(circle('y')))
    expect(store.waiting).toBe(2)
    expect(sceneOf(keeper).version).toBe(1)
    await store.release()
    expect(version(await first)).toBe(2)
    expect(idsOf(keeper)).toEqual(['x'])
    await store.release()
    expect(version(await second)).toBe(3)
    expect(idsOf(keeper)).toEqual(['x', 'y'])
  })

  it('are checked against what is in flight', async () => {
    const store = new SlowStore()
    const keeper = await open({ store })
    const created = keeper.create(creation('a'))
    await new Promise((resolve) => setImmediate(resolve))
    await store.release()
    await created
    const put = write(keeper, putting(circle('x')))
    const moved = write(keeper, [{ op: 'move', id: 'x', position: { x: 5, y: 5 } }])
    const removed = write(keeper, [{ op: 'remove', id: 'x' }])
    expect(await write(keeper, [{ op: 'move', id: 'x' }])).toEqual({
      refusal: 'unknown-body',
      fault: { code: 'unknown-body', index: 0, id: 'x' },
    })
    const back = write(keeper, [...putting(circle('x'), circle('y')), { op: 'clear' }, ...putting(circle('z'))])
    expect(await write(keeper, [{ op: 'remove', id: 'y' }])).toMatchObject({ refusal: 'unknown-body' })
    expect(await write(keeper, [...putting(circle('y')), { op: 'remove', id: 'none' }])).toMatchObject({
      fault: { index: 1, id: 'none' },
    })
    const last = write(keeper, [{ op: 'remove', id: 'z' }])
    await store.release(5)
    expect((await Promise.all([put, moved, removed, back, last])).map(version)).toEqual([2, 3, 4, 5, 6])
    expect(idsOf(keeper)).toEqual([])
  })

  it('that make a body out of another are shown to `accepts`, as the body will be', async () => {
    const store = new SlowStore()
    const asked: unknown[] = []
    const accepts = (_dimension: number, body: { shape: object; rotation?: number }) => {
      asked.push(body)
      return 'width' in body.shape && body.rotation !== undefined ? { detail: 'must not turn' } : null
    }
    const keeper = await open({ store, accepts })
    const created = keeper.create(creation('a'))
    await new Promise((resolve) => setImmediate(resolve))
    await store.release()
    await created
    const put = write(keeper, putting(circle('x')))
    const turned = write(keeper, [{ op: 'move', id: 'x', rotation: 1 }])
    const shape = { type: 'box', width: 1, height: 1 }
    expect(await write(keeper, [...putting(circle('y')), { op: 'patch', id: 'x', fields: { shape } }])).toEqual({
      refusal: 'unacceptable-body',
      index: 1,
      fault: { detail: 'must not turn' },
    })
    const patched = write(keeper, [{ op: 'patch', id: 'x', fields: { shape, rotation: null } }])
    await store.release(3)
    expect((await Promise.all([put, turned, patched])).map(version)).toEqual([2, 3, 4])
    expect(asked).toEqual([
      { ...circle('x'), rotation: 1 },
      { ...circle('x'), rotation: 1, shape },
      { ...circle('x'), shape },
    ])
  })

  it('fail together with what they build on, and the scene goes on from what is durable', async () => {
    const store = new SlowStore()
    const keeper = await open({ store })
    const created = keeper.create(creation('a'))
    await new Promise((resolve) => setImmediate(resolve))
    await store.release()
    await created
    const kept = write(keeper, putting(circle('kept')))
    const lost = write(keeper, putting(circle('lost')), { key: 'k' })
    const behind = write(keeper, [{ op: 'remove', id: 'lost' }])
    const outcomes = Promise.allSettled([kept, lost, behind])
    await store.release()
    await store.fail(new StoreFull('full'))
    await store.release()
    const full = { status: 'rejected', reason: new StoreFull('full') }
    const { digest } = sceneOf(keeper)
    const done = { status: 'fulfilled', value: { version: 2, digest, isRepeated: false } }
    expect(await outcomes).toEqual([done, full, full])
    expect(idsOf(keeper)).toEqual(['kept'])
    expect(await write(keeper, [{ op: 'remove', id: 'lost' }])).toMatchObject({ refusal: 'unknown-body' })
    const again = write(keeper, putting(circle('lost')), { key: 'k', ifVersion: 2 })
    await store.release()
    expect(await again).toEqual({ version: 3, digest: sceneOf(keeper).digest, isRepeated: false })
    expect(sceneOf(keeper).digest).not.toEqual(digest)
    expect(idsOf(keeper)).toEqual(['kept', 'lost'])
  })

  it('let exactly one of many writers that saw the same version win', async () => {
    const keeper = await open({ store: await openFileStore({ directory: temporary() }) })
    await keeper.create(creation('a'))
    const won: number[] = []
    await Promise.all(
      Array.from({ length: 50 }, async (_, writer) => {
        for (let seen = 1; seen < 20; ) {
          const outcome = await write(keeper, putting(circle(`v${seen + 1}`, writer)), { ifVersion: seen })
          if ('isRepeated' in outcome) won.push(outcome.version)
          seen = Math.max(seen, sceneOf(keeper).version)
          if ('refusal' in outcome) {
            expect(outcome.refusal).toBe('other-version')
            await new Promise((resolve) => setImmediate(resolve))
          }
        }
      }),
    )
    const last = sceneOf(keeper).version
    expect(won.sort((a, b) => a - b)).toEqual(Array.from({ length: last - 1 }, (_, index) => index + 2))
    expect(idsOf(keeper).length).toBe(last - 1)
  })

  it('with a key are done once', async () => {
    const store = new MemoryStore()
    const keeper = await open({ store })
    await keeper.create(creation('a'))
    const twice = await Promise.all([
      write(keeper, putting(circle('x')), { key: 'k' }),
      write(keeper, putting(circle('x')), { key: 'k' }),
      write(keeper, putting(circle('y')), { key: 'k', of: 'other' }),
    ])
    expect(twice).toEqual([
      { version: 2, digest: sceneOf(keeper).digest, isRepeated: false },
      { version: 2, digest: sceneOf(keeper).digest, isRepeated: true },
      { refusal: 'key-reused' },
    ])
    // A retry sees the first answer, although the version it saw is no longer the last.
    expect(await write(keeper, putting(circle('x')), { key: 'k', ifVersion: 1 })).toEqual({
      version: 2,
      digest: sceneOf(keeper).digest.slice(0, 4),
      isRepeated: true,
    })
    expect(await write(keeper, [], { key: 'k', of: 'other' })).toEqual({ refusal: 'key-reused' })
    expect(sceneOf(keeper).version).toBe(2)
  })

  it('are refused beyond the number of scenes', async () => {
    const keeper = await open({ maxScenes: 2 })
    const outcomes = await Promise.all(['a', 'b', 'c'].map((id) => keeper.create(creation(id))))
    expect(outcomes.map(version)).toEqual([1, 1, null])
    expect(outcomes[2]).toEqual({ refusal: 'too-many-scenes' })
    await keeper.drop('a')
    expect(version(await keeper.create(creation('c')))).toBe(1)
  })

  it('are refused after the scene is dropped, and after the keeper is closed', async () => {
    const keeper = await open({ store: await openFileStore({ directory: temporary() }) })
    await keeper.create(creation('a'))
    const [last, dropped, late] = await Promise.all([
      write(keeper, putting(circle('x'))),
      keeper.drop('a'),
      write(keeper, putting(circle('y'))),
    ])
    expect([version(last), version(dropped), late]).toEqual([2, 3, { refusal: 'unknown-scene' }])
    expect(await keeper.find('a')).toBeNull()
    expect(version(await keeper.create(creation('a')))).toBe(1)
    const begun = write(keeper, putting(circle('x')))
    await keeper.close()
    expect(version(await begun)).toBe(2)
    await expect(write(keeper, [])).rejects.toThrow(StoreClosed)
    await expect(keeper.create(creation('b'))).rejects.toThrow(StoreClosed)
  })

  it('reject when the store is full, and work on once there is room', async () => {
    const keeper = await open({ store: await openFileStore({ directory: temporary(), maxBytes: 300_000 }) })
    await keeper.create(creation('a'))
    await keeper.create(creation('b'))
    const large = (n: number) => circle(`x${n}`, n, 0, { data: 'x'.repeat(4000) })
    let refused: unknown
    for (let n = 0; refused === undefined; n++) {
      await write(keeper, putting(large(n))).catch((error) => {
        refused = error
      })
    }
    expect(refused).toBeInstanceOf(StoreFull)
    const { version: full } = sceneOf(keeper)
    expect(full).toBeGreaterThan(30)
    await keeper.drop('b')
    await keeper.drop('a')
    await expect.poll(() => keeper.create(creation('c')).then(version, () => null), { timeout: 30_000 }).toBe(1)
  })
})

describe('restarts', () => {
  it('bring the same scene back, from the log, from snapshots, and from both', async () => {
    const directory = temporary()
    const reference = createScene(prepare)
    const random = seeded(7)
    const ids = new Set<string>()
    let next = 1
    apply(reference, { version: next++, at, operations: [creation('a')] })
    let keeper = await open({ store: await openFileStore({ directory }), tailByteCount: 4000 })
    await keeper.create(creation('a'))
    const snapshotCounts = new Set<number>()
    for (let restart = 0; restart < 12; restart++) {
      for (let count = 0; count < 25; count++) {
        const operations = randomOperations(random, ids)
        apply(reference, { version: next, at, operations })
        expect(version(await write(keeper, operations))).toBe(next++)
      }
      await keeper.close()
      const store = await openFileStore({ directory })
      snapshotCounts.add((await store.list())[0].snapshots.length)
      const events: KeeperEvent[] = []
      keeper = await open({ store, tailByteCount: 4000, onEvent: (event) => events.push(event) })
      expect(events).toEqual([])
      expect(contentOf(sceneOf(keeper))).toBe(contentOf(reference))
      expect(validateScene(sceneOf(keeper))).toBeNull()
    }
    expect(Math.max(...snapshotCounts)).toBe(2)
  })

  it('remember keys, out of the log and out of a snapshot', async () => {
    const directory = temporary()
    for (const tailByteCount of [1e9, 1]) {
      let keeper = await open({ store: await openFileStore({ directory }), tailByteCount })
      await keeper.create(creation('a'))
      const key = `k${tailByteCount}`
      const first = version(await write(keeper, putting(circle('x')), { key }))
      const digest = sceneOf(keeper).digest.slice(0, 4)
      await write(keeper, putting(circle('y')))
      await keeper.close()
      keeper = await open({ store: await openFileStore({ directory }), tailByteCount })
      expect(await write(keeper, putting(circle('x')), { key })).toEqual({
        version: first,
        digest,
        isRepeated: true,
      })
      expect(await write(keeper, [], { key, of: 'other' })).toEqual({ refusal: 'key-reused' })
      await keeper.close()
    }
  })

  it('take a snapshot of less once nothing is written any more', async () => {
    const store = new MemoryStore()
    const keeper = await open({ store, tailByteCount: 10_000 })
    await keeper.create(creation('a'))
    const snapshots = async () => (await store.list())[0].snapshots
    await write(keeper, putting(circle('x', 0, 0, { data: 'z'.repeat(5000) })))
    await expect.poll(snapshots, { timeout: 30_000 }).toEqual([2])
    await write(keeper, putting(circle('y')))
    await write(keeper, putting(circle('z', 0, 0, { data: 'z'.repeat(15_000) })))
    await expect.poll(snapshots).toEqual([4, 2])
  })

  it('take snapshots while writes go on, and trim the log behind the older of the last two', async () => {
    const store = await openFileStore({ directory: temporary() })
    const keeper = await open({ store, tailByteCount: 20_000 })
    await keeper.create(creation('a'))
    await write(keeper, putting(...Array.from({ length: 8000 }, (_, n) => circle(`x${n}`, n))))
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 400; n++) {
        await write(keeper, [{ op: 'patch', id: `x${writer * 1000 + n}`, fields: { data: 'z'.repeat(50) } }])
      }
    })
    await Promise.all(writers)
    await expect.poll(async () => (await store.list())[0].snapshots.length, { timeout: 30_000 }).toBe(2)
    await expect
      .poll(async () => {
        const [{ first, snapshots }] = await store.list()
        return first === snapshots[1] + 1
      })
      .toBe(true)
  })
})

describe('a snapshot that cannot be taken', () => {
  class Unlucky extends MemoryStore {
    refusal: Error | null = new StoreFull('There is no room left', 'ENOSPC')
    onChunk: () => void = () => {}

    override async writeSnapshot(_life: SceneLife, _version: number, chunks: AsyncIterable<Uint8Array>) {
      for await (const _ of chunks) {
        if (this.refusal !== null) throw this.refusal
        this.onChunk()
      }
      return true
    }
  }

  it('is reported, and tried again later', async () => {
    const events: KeeperEvent[] = []
    const store = new Unlucky()
    const keeper = await open({ store, tailByteCount: 1, onEvent: (event) => events.push(event) })
    await keeper.create(creation('a'))
    await write(keeper, putting(circle('x')))
    const failed = { event: 'snapshot-failed', scene: 'a', reason: 'There is no room left' }
    await expect.poll(() => events[0]).toEqual(failed)
    store.refusal = null
    const taken = new Promise<void>((resolve) => {
      store.onChunk = resolve
    })
    await write(keeper, putting(...Array.from({ length: 100 }, (_, n) => circle(`x${n}`, n))))
    await taken
    for (const event of events) expect(event).toEqual(failed)
  })
})

describe('expiry', () => {
  it('drops a scene that nobody has used for its time to live', async () => {
    let now = at
    const events: KeeperEvent[] = []
    const keeper = await open({ now: () => now, onEvent: (event) => events.push(event) })
    await keeper.create(creation('a', { ttl: 60 }))
    await keeper.create(creation('b'))
    now += 50_000
    expect((await keeper.find('a'))?.scene?.id).toBe('a')
    now += 50_000
    await write(keeper, putting(circle('x')))
    now += 60_000
    expect(keeper.scenes().map(({ id }) => id)).toEqual(['a', 'b'])
    now += 1
    expect(await keeper.find('a')).toBeNull()
    expect(keeper.scenes().map(({ id }) => id)).toEqual(['b'])
    expect(await write(keeper, [])).toEqual({ refusal: 'unknown-scene' })
    expect(version(await keeper.create(creation('a', { ttl: 60 })))).toBe(1)
    now += 60_001
    await expect.poll(() => events, { timeout: 30_000 }).toEqual([{ event: 'scene-expired', scene: 'a' }])
  })
})
