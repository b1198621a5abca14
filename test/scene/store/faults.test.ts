// A disk that is full, or fails, at any deed: nothing acknowledged is lost, nothing refused is there, and what is said is true.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { storageError } from '../../../src/scene/store/disk.ts'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import { type SceneStore, StoreError, StoreFailed, StoreFull } from '../../../src/scene/store/store.ts'
import { CrashDisk, type Deed } from '../../support/services/crash-disk.ts'
import { lifeOf, plainAppend, plainDrop } from '../../support/services/plain-append.ts'

const directory = mkdtempSync(join(tmpdir(), 'tangent-faults-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const opened: SceneStore[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})
async function open(disk: CrashDisk): Promise<SceneStore> {
  const store = await openFileStore({ directory, disk, fileByteCount: 4096 })
  opened.push(store)
  return store
}
const failing = (code: string, deed: string) => storageError(Object.assign(new Error(), { code }), deed)
const block = (version: number) => Buffer.alloc(100, version)

async function entriesOf(store: SceneStore, id: string): Promise<number[]> {
  const found: number[] = []
  for await (const { version, bytes } of store.read(await lifeOf(store, id), 1)) {
    expect(Buffer.from(bytes ?? []).equals(block(version))).toBe(true)
    found.push(version)
  }
  return found
}
const upTo = (last: number) => Array.from({ length: last }, (_, k) => k + 1)

describe('a disk that is full', () => {
  it('refuses the write, cuts off what was half written, and takes the next one when there is room', async () => {
    const disk = new CrashDisk()
    const store = await open(disk)
    await plainAppend(store, 'a', 0, [block(1)])
    const before = disk.files.get('log-1')?.now.length
    disk.onDeed = (deed, name) => {
      if (deed === 'write' && name.startsWith('log')) throw failing('ENOSPC', `writing of ${name}`)
    }
    for (let turn = 0; turn < 5; turn++) {
      await expect(plainAppend(store, 'a', 1, [block(2)])).rejects.toThrow(StoreFull)
      expect(disk.files.get('log-1')?.now.length).toBe(before)
    }
    expect(await entriesOf(store, 'a')).toEqual([1])
    disk.onDeed = () => undefined
    expect(await plainAppend(store, 'a', 1, [block(2)])).toMatchObject({ version: 2, conflict: false })
    await store.close()
    const again = await open(disk)
    expect(await entriesOf(again, 'a')).toEqual([1, 2])
    await again.close()
  })

  it('may be so at every deed in turn: the store goes on, and so does the next one', async () => {
    const deeds: Deed[] = ['create', 'write', 'rename', 'truncate']
    for (let nth = 0; nth < 90; nth += 1) {
      const disk = new CrashDisk()
      let count = 0
      disk.onDeed = (deed, name) => {
        if (deeds.includes(deed) && count++ === nth) throw failing('ENOSPC', `${deed} of ${name}`)
      }
      const store = await open(disk)
      let version = 0
      for (let turn = 0; turn < 40; turn++) {
        const answer = await plainAppend(store, 'a', version, [block(version + 1)]).catch((error) => {
          expect(error).toBeInstanceOf(StoreError)
          return null
        })
        if (answer === null) continue
        expect(answer).toMatchObject({ version: version + 1, conflict: false })
        version++
        if (turn % 10 !== 9) continue
        await plainAppend(store, 'b', turn < 10 ? 0 : Math.floor(turn / 10), [block(1)]).catch(() => undefined)
        if (turn === 29) await plainDrop(store, 'b').catch(() => undefined)
      }
      await store.close()
      disk.onDeed = () => undefined
      const again = await open(disk)
      expect(await entriesOf(again, 'a'), `deed ${nth}`).toEqual(upTo(version))
      await again.close()
    }
  })

  it('keeps nothing of a snapshot, and leaves the one before', async () => {
    const disk = new CrashDisk()
    const store = await open(disk)
    await plainAppend(store, 'a', 0, [block(1), block(2)])
    const chunks = async function* () {
      yield block(1)
      yield block(2)
    }
    await store.writeSnapshot(await lifeOf(store, 'a'), 1, chunks())
    disk.onDeed = (deed, name) => {
      if (deed === 'write' && name.startsWith('snapshot')) throw failing('ENOSPC', `writing of ${name}`)
    }
    await expect(store.writeSnapshot(await lifeOf(store, 'a'), 2, chunks())).rejects.toThrow(StoreFull)
    expect((await store.list())[0].snapshots).toEqual([1])
    expect([...disk.files.keys()].filter((name) => name.endsWith('.new'))).toEqual([])
    await store.close()
  })
})

describe('a flush that fails', () => {
  it('ends all writing, says why, and is not taken for done when a later one succeeds', async () => {
    const disk = new CrashDisk()
    const store = await open(disk)
    await plainAppend(store, 'a', 0, [block(1)])
    let fails = true
    disk.onDeed = (deed, name) => {
      if (deed !== 'sync' || !fails) return
      fails = false
      throw failing('EIO', `fdatasync of ${name}`)
    }
    const reason = 'The storage failed: EIO at the fdatasync of log-1; nothing is written until the next start'
    const refused = await Promise.allSettled([
      plainAppend(store, 'a', 1, [block(2)]),
      plainAppend(store, 'b', 0, [block(1)]),
    ])
    for (const each of refused) {
      const { name, message, code } = (each as PromiseRejectedResult).reason
      expect([name, message, code]).toEqual(['StoreFailed', reason, 'EIO'])
    }
    await expect(plainAppend(store, 'a', 1, [block(2)])).rejects.toThrow(reason)
    await expect(plainDrop(store, 'a')).rejects.toThrow(StoreFailed)
    // What there is can be read.
    expect(await entriesOf(store, 'a')).toEqual([1])
    expect((await store.list()).map(({ id, version }) => [id, version])).toEqual([['a', 1]])
    await store.close()
    const again = await open(disk)
    expect((await entriesOf(again, 'a'))[0]).toBe(1)
    await again.close()
  })
})

describe('a ledger that cannot be written', () => {
  it('hinders nobody, and is written anew when it can be', async () => {
    const disk = new CrashDisk()
    disk.onDeed = (_, name) => {
      if (name.startsWith('ledger')) throw failing('ENOSPC', `writing of ${name}`)
    }
    const store = await open(disk)
    for (let version = 0; version < 3; version++) await plainAppend(store, 'a', version, [block(version + 1)])
    expect([...disk.files.keys()]).not.toContain('ledger')
    await store.close()
    disk.onDeed = () => undefined
    const again = await open(disk)
    expect(await entriesOf(again, 'a')).toEqual([1, 2, 3])
    await again.close()
    expect([...disk.files.keys()]).toContain('ledger')
  })

  it('keeps the log from forgetting what the ledger still speaks of', async () => {
    const disk = new CrashDisk()
    const store = await open(disk)
    const versions = upTo(60)
    for (const version of versions) await plainAppend(store, 'a', version - 1, [block(version)])
    const before = [...disk.files.keys()]
    disk.onDeed = (deed, name) => {
      if (deed === 'write' && name.startsWith('ledger')) throw failing('ENOSPC', `writing of ${name}`)
    }
    await plainDrop(store, 'a')
    await store.close()
    expect([...disk.files.keys()]).toEqual(before)
    disk.onDeed = () => undefined
    const again = await open(disk)
    expect(await again.list()).toEqual([])
    await again.close()
  })
})

it('has few files, whatever is written and dropped', async () => {
  const disk = new CrashDisk()
  const store = await open(disk)
  await plainAppend(store, 'kept', 0, [block(1)])
  let most = 0
  for (let turn = 0; turn < 300; turn++) {
    const id = `s${turn}`
    await plainAppend(store, id, 0, upTo(10).map(block))
    // Little that stays, in between much that goes.
    if (turn % 30 === 0) await plainAppend(store, 'kept', 1 + turn / 30, [block(2 + turn / 30)])
    await plainDrop(store, id)
    most = Math.max(most, store.usage().bytes)
  }
  await store.close()
  const again = await open(disk)
  expect(await entriesOf(again, 'kept')).toEqual(upTo(11))
  expect((await again.list()).map(({ id }) => id)).toEqual(['kept'])
  await again.close()
  const bytes = [...disk.files.values()].reduce((sum, { now }) => sum + now.length, 0)
  expect([bytes < 40_000, most < 200_000, disk.files.size < 10]).toEqual([true, true, true])
})
