// Scenes out of logs and snapshots: the digests that tell their history, writes that are known again, times, and logs of earlier releases.

import { afterEach, describe, expect, it } from 'vitest'
import { Keeper } from '../../../src/scene/keeper/keeper.ts'
import type { WriteDone } from '../../../src/scene/keeper/pending-write.ts'
import { foldScene, type Recovered, recoverScene } from '../../../src/scene/keeper/recovery.ts'
import { decodeEntry, encodeEntry, packSnapshot } from '../../../src/scene/keeper/stored-forms.ts'
import type { Entry } from '../../../src/scene/state/operation.ts'
import { type Scene, validateScene } from '../../../src/scene/state/scene.ts'
import { encodeScene } from '../../../src/scene/state/scene-snapshot.ts'
import { firstDigest, keyedWriteId, nextDigest, WRITE_ID_BYTE_COUNT } from '../../../src/scene/store/checksum-frame.ts'
import { MemoryStore } from '../../../src/scene/store/memory-store.ts'
import type { SceneStore, StoredScene } from '../../../src/scene/store/store.ts'
import {
  CREATED_AT,
  circle,
  contentOf,
  creation,
  prepare,
  putting,
  randomOperations,
  seeded,
} from '../../support/services/kept-scenes.ts'
import { lifeOf, plainAppend } from '../../support/services/plain-append.ts'

/** A store that is opened again by the next keeper. */
class LastingStore extends MemoryStore {
  override async close(): Promise<void> {}
}

const keepers: Keeper[] = []
afterEach(async () => {
  for (const keeper of keepers.splice(0)) await keeper.close()
})
async function open(store: SceneStore): Promise<Keeper> {
  const keeper = await Keeper.open({ store, prepare, tailByteCount: 1e9 })
  keepers.push(keeper)
  return keeper
}

const at = CREATED_AT
const headOf = async (store: SceneStore) => (await store.head('a')) as StoredScene

async function recovered(store: SceneStore, stored: StoredScene): Promise<Recovered> {
  const events: object[] = []
  const back = await recoverScene(store, stored, prepare, (event) => events.push(event))
  expect(events).toEqual([])
  return back as Recovered
}

async function snapshot(store: SceneStore, version: number) {
  const stored = await headOf(store)
  const folded = await foldScene(store, stored, prepare, { version, passOver: () => undefined })
  if (typeof folded === 'string') throw new Error(folded)
  await store.writeSnapshot(stored, version, packSnapshot(version, encodeScene(folded.scene, folded.writes.packed())))
}

/** The entries as they are in the log, each with the digest that it ought to have. */
async function logOf(store: SceneStore): Promise<Entry[]> {
  const entries: Entry[] = []
  let digest = firstDigest()
  for await (const { version, bytes } of store.read(await lifeOf(store, 'a'), 1)) {
    const entry = decodeEntry(version, bytes as Uint8Array)
    digest = nextDigest(digest, entry.writeId ?? new Uint8Array(WRITE_ID_BYTE_COUNT), bytes as Uint8Array)
    entries.push({ ...entry, digest })
  }
  return entries
}

it('gives a scene that is valid, and the answers that say what bounds its bodies', async () => {
  const store = new LastingStore()
  const now = Date.now()
  const random = seeded(7)
  const ids = new Set<string>()
  const keeper = await open(store)
  await keeper.create(creation('a'), { key: 'k0', fingerprint: 'f' })
  for (let n = 1; n < 40; n++) {
    const key = { key: `k${n}`, fingerprint: 'f', answer: true as const }
    const many = Array.from({ length: n % 13 === 12 ? 1500 : 0 }, (_, k) => circle(`m${k}`, k, n))
    if (n % 7 === 6) await keeper.write('a', { operations: [{ op: 'configure', name: `${n}`, at: now }], at: now, key })
    else await keeper.write('a', { operations: [...putting(...many), ...randomOperations(random, ids)], at: now })
  }
  const scene = keeper.loaded('a') as Scene
  const answers: unknown[] = []
  for (let n = 6; n < 40; n += 7) {
    const outcome = (await keeper.answered('a', { key: `k${n}`, fingerprint: 'f' })) as WriteDone
    answers.push(outcome.answer)
  }
  expect(answers).toEqual(answers.map(() => expect.stringContaining('"bounds":{')))
  await snapshot(store, 5)
  await snapshot(store, 21)
  const stored = await headOf(store)
  for (let from = 0; from <= 2; from++) {
    const back = await recovered(store, { ...stored, snapshots: stored.snapshots.slice(from) })
    expect(validateScene(back.scene)).toBeNull()
    expect(contentOf(back.scene)).toBe(contentOf(scene))
    const again = []
    for (let n = 6; n < 40; n += 7) again.push(back.writes.findKeyed(keyedWriteId('a', `k${n}`), now)?.answer)
    expect(again).toEqual(answers)
  }
})

describe('the digest of a scene', () => {
  it('follows from its log alone, and is the same from the whole log and from any snapshot', async () => {
    const store = new LastingStore()
    const random = seeded(3)
    const ids = new Set<string>()
    let keeper = await open(store)
    const told = [await keeper.create(creation('a'))]
    for (let n = 0; n < 24; n++) {
      if (n % 10 === 9) {
        await keeper.close()
        keeper = await open(store)
      }
      const key = n % 3 === 0 ? { key: { key: `k${n}`, fingerprint: 'f' } } : {}
      // Large ones are encoded elsewhere, and have their digest later than those behind them are sent.
      const large = Array.from({ length: n % 10 === 5 ? 1500 : 0 }, (_, k) => circle(`large${k}`, k))
      const operations = [...putting(...large), ...randomOperations(random, ids)]
      told.push(...(await Promise.all([operations, [], []].map((each) => keeper.write('a', { operations: each, at })))))
      told.push(await keeper.write('a', { operations: [], at, ...key }))
    }
    const log = await logOf(store)
    expect(log.length).toBe(1 + 4 * 24)
    expect(log.every(({ writeId }) => writeId?.length === WRITE_ID_BYTE_COUNT)).toBe(true)
    expect(told).toEqual(log.map(({ version, digest }) => ({ version, digest, isRepeated: false })))
    const scene = keeper.loaded('a')
    expect(scene?.digest).toEqual(log.at(-1)?.digest)

    await snapshot(store, 7)
    await snapshot(store, 50)
    await snapshot(store, log.length)
    const stored = await headOf(store)
    expect(stored.snapshots).toEqual([log.length, 50, 7])
    for (let from = 0; from <= stored.snapshots.length; from++) {
      const back = await recovered(store, { ...stored, snapshots: stored.snapshots.slice(from) })
      expect(back.scene.digest).toEqual(scene?.digest)
      expect(scene && contentOf(scene)).toBe(contentOf(back.scene))
      for (const { version, writeId } of log) expect(back.writes.find(writeId as Uint8Array)?.version).toBe(version)
      expect(back.writes.findKeyed(keyedWriteId('a', 'k21'), at)?.version).toBe(log.length - 8)
    }
  })

  it('is that of the entry in the log that a store has digests of, or the scene is of another history', async () => {
    const store = new LastingStore()
    const keeper = await open(store)
    await keeper.create(creation('a'))
    await keeper.write('a', { operations: [], at })
    const log = await logOf(store)
    class DigestStore extends MemoryStore {
      other = 0
      override async *read(...given: Parameters<MemoryStore['read']>) {
        for await (const entry of store.read(...given)) {
          const digest = new Uint8Array(log[entry.version - 1].digest as Uint8Array)
          if (entry.version === this.other) digest[15] ^= 1
          yield { ...entry, digest }
        }
      }
    }
    const digests = new DigestStore()
    expect((await recovered(digests, await headOf(store))).scene.digest).toEqual(log[1].digest)
    digests.other = 2
    const events: object[] = []
    expect(await recoverScene(digests, await headOf(store), prepare, (event) => events.push(event))).toBeNull()
    const reason = 'its entry 2 is damaged: it is of another history'
    expect(events).toEqual([{ event: 'scene-damaged', scene: 'a', reason }])
  })
})

describe('a log of an earlier release', () => {
  const key = { key: 'k', fingerprint: 'f' }
  const older: Entry[] = [
    { version: 1, at, operations: [creation('a')] },
    { version: 2, at: at + 5, operations: putting(circle('x')), key },
    { version: 3, at: at + 4, operations: putting(circle('y')) },
  ]

  it('is read, goes on, and its keys are known', async () => {
    const store = new LastingStore()
    await plainAppend(
      store,
      'a',
      0,
      older.map((entry) => encodeEntry(entry)),
    )
    for (let turn = 0; turn < 3; turn++) {
      if (turn === 2) await snapshot(store, 3)
      const keeper = await open(store)
      const scene = keeper.loaded('a')
      expect(scene?.version).toBe(3 + turn)
      expect(scene?.digest).toEqual((await logOf(store)).at(-1)?.digest)
      expect(await keeper.write('a', { operations: putting(circle('x')), at, key })).toEqual({
        version: 2,
        digest: expect.any(Uint8Array),
        isRepeated: true,
      })
      expect(await keeper.write('a', { operations: [], at, key: { ...key, fingerprint: 'g' } })).toEqual({
        refusal: 'key-reused',
      })
      expect(await keeper.write('a', { operations: putting(circle(`z${turn}`)), at })).toMatchObject({
        version: 4 + turn,
        isRepeated: false,
      })
      await keeper.close()
    }
    const ids = (await logOf(store)).map(({ writeId }) => writeId?.length)
    expect(ids).toEqual([undefined, undefined, undefined, 16, 16, 16])
  })

  it('goes on behind a snapshot without a digest, with the keys that were kept with it', async () => {
    const store = new LastingStore()
    await plainAppend(
      store,
      'a',
      0,
      older.map((entry) => encodeEntry(entry)),
    )
    const { scene } = await recovered(store, await headOf(store))
    const kept = [{ ...key, version: 2, at: at + 5 }]
    const chunks = [...encodeScene(scene, kept)]
    chunks[0] = withoutDigest(chunks[0])
    await store.writeSnapshot(await headOf(store), 3, packSnapshot(3, chunks))
    await store.trim(await headOf(store), 4, [3])
    const digests: (Uint8Array | undefined)[] = []
    for (let turn = 0; turn < 2; turn++) {
      const keeper = await open(store)
      digests.push(keeper.loaded('a')?.digest)
      expect(await keeper.write('a', { operations: [], at, key })).toEqual({
        version: 2,
        digest: null,
        isRepeated: true,
      })
      if (turn === 0) {
        await keeper.write('a', { operations: [], at })
        digests.push(keeper.loaded('a')?.digest)
      }
      await keeper.close()
    }
    // Behind nothing that is known, a chain of its own begins, and it is the same each time.
    expect(digests[0]).toEqual(firstDigest())
    expect(digests[1]).not.toEqual(firstDigest())
    expect(digests[2]).toEqual(digests[1])
  })
})

/** The first chunk of a snapshot as earlier releases wrote it. */
function withoutDigest(chunk: Uint8Array): Uint8Array {
  const header = 24
  const { digest, ...settings } = JSON.parse(Buffer.from(chunk.subarray(header)).toString())
  expect(digest).toMatch(/^[0-9a-f]{32}$/)
  const json = Buffer.from(JSON.stringify(settings))
  const bytes = new Uint8Array(Buffer.concat([chunk.subarray(0, header), json]))
  new DataView(bytes.buffer).setUint32(header - 4, json.length, true)
  return bytes
}

describe('the times of entries', () => {
  it('never go back, whatever the clocks of those who write say', async () => {
    const store = new LastingStore()
    let keeper = await open(store)
    await keeper.create(creation('a'))
    const times = [at + 10, at, at + 5, at + 20, at - 1_000_000, at + 15]
    await Promise.all(times.map((each) => keeper.write('a', { operations: [], at: each })))
    await keeper.close()
    keeper = await open(store)
    for (const each of [at, at + 30]) await keeper.write('a', { operations: [], at: each })
    const expected = [at, at + 10, at + 10, at + 10, at + 20, at + 20, at + 20, at + 20, at + 30]
    expect((await logOf(store)).map((entry) => entry.at)).toEqual(expected)
    expect(keeper.loaded('a')?.updatedAt).toBe(at + 30)
  })
})
