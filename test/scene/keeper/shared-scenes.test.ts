// Several keepers over one store: what was acknowledged is in the log once, whatever becomes of appends on the way.

import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { Keeper, type KeeperEvent, type KeeperOptions } from '../../../src/scene/keeper/keeper.ts'
import { WRITE_DEADLINE_MS, type WriteOutcome } from '../../../src/scene/keeper/pending-write.ts'
import { decodeEntry } from '../../../src/scene/keeper/stored-forms.ts'
import type { Operation } from '../../../src/scene/state/operation.ts'
import { apply, bodyCountOf, createScene, type Scene, validateScene } from '../../../src/scene/state/scene.ts'
import { firstDigest, nextDigest, shownDigest } from '../../../src/scene/store/checksum-frame.ts'
import { OutcomeUnknown, StoreUnavailable } from '../../../src/scene/store/store.ts'
import { runCount } from '../../support/runs.ts'
import { circle, contentOf, creation, prepare, putting, seeded } from '../../support/services/kept-scenes.ts'
import {
  type HandleOptions,
  SharedDatabase,
  SharedMemoryStore,
  type Weather,
} from '../../support/services/shared-memory-store.ts'

const keepers: Keeper[] = []
afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.close()))
})

async function open(database: SharedDatabase, handle: HandleOptions = {}, options: Partial<KeeperOptions> = {}) {
  const keeper = await Keeper.open({ store: new SharedMemoryStore(database, handle), prepare, ...options })
  keepers.push(keeper)
  return keeper
}

const at = 1_700_000_000_000
const put = (keeper: Keeper, id: string, more: object = {}) =>
  keeper.write('a', { operations: putting(circle(id)), at, ...more })
const versionOf = (outcome: WriteOutcome) => ('isRepeated' in outcome ? outcome.version : null)
const foundIn = async (keeper: Keeper, id = 'a') => (await keeper.find(id))?.scene as Scene

/** The scene as its log gives it, whose digests are held against its entries. */
function folded(database: SharedDatabase, id = 'a') {
  const kept = database.living(id)
  if (kept === undefined) throw new Error(`no scene ${id}`)
  const scene = createScene(prepare)
  const ids: string[] = []
  let digest = firstDigest()
  for (let version = 1; version <= kept.version; version++) {
    const stored = kept.entries.get(version)
    if (stored === undefined) throw new Error(`no entry ${version}`)
    const entry = decodeEntry(version, stored.bytes)
    digest = nextDigest(digest, entry.writeId as Uint8Array, stored.bytes)
    expect(Buffer.from(stored.digest).toString('hex')).toBe(Buffer.from(digest).toString('hex'))
    ids.push(Buffer.from(entry.writeId as Uint8Array).toString('hex'))
    apply(scene, { ...entry, digest })
  }
  return { scene, ids, entries: kept.entries }
}

describe('two keepers of one store', () => {
  it('see what the other has written', async () => {
    const database = new SharedDatabase()
    const [a, b] = [await open(database), await open(database)]
    expect(versionOf(await a.create(creation('a')))).toBe(1)
    expect(await b.create(creation('a'))).toEqual({ refusal: 'scene-exists' })
    expect(versionOf(await put(b, 'one'))).toBe(2)
    expect(versionOf(await put(a, 'two'))).toBe(3)
    await expect.poll(() => b.loaded('a')?.version).toBe(3)
    expect(contentOf(await foundIn(a))).toBe(contentOf(await foundIn(b)))
    expect((await b.reach('a', 3, performance.now() + 1000))?.scene?.version).toBe(3)
    expect((await b.page(2, '', 9)).map(({ id, bodyCount }) => [id, bodyCount])).toEqual([['a', 2]])
  })

  it('judge conditions by the state that the entry lands on', async () => {
    const database = new SharedDatabase()
    // who hears nothing of the other finds out when it writes
    const deaf = { isDeaf: () => true, pollMs: 1e6 }
    const [a, b] = [await open(database, deaf), await open(database, deaf)]
    await a.create(creation('a'))
    await foundIn(b)
    await put(a, 'one')
    expect(await put(b, 'other', { ifVersion: 1 })).toMatchObject({ refusal: 'other-version', version: 2 })
    expect(versionOf(await put(b, 'other', { ifVersion: 2 }))).toBe(3)
    const remove: Operation[] = [{ op: 'remove', id: 'other' }]
    expect(versionOf(await a.write('a', { operations: remove, at }))).toBe(4)
    expect(await b.write('a', { operations: remove, at })).toMatchObject({ refusal: 'unknown-body' })
    const { digest } = await foundIn(b)
    expect(await put(b, 'x', { ifVersion: 4, ifDigest: '00000000' })).toMatchObject({ refusal: 'other-version' })
    expect(versionOf(await put(b, 'x', { ifVersion: 4, ifDigest: shownDigest(digest) }))).toBe(5)
  })

  it('give one of many racers each version', async () => {
    const database = new SharedDatabase()
    const four = await Promise.all([1, 2, 3, 4].map(() => open(database, { latency: () => 1 })))
    await four[0].create(creation('a'))
    const won = new Map<number, number>()
    await Promise.all(
      Array.from({ length: 20 }, async (_, racer) => {
        for (let version = 1; version < 30; ) {
          const outcome = await put(four[racer % 4], `r${racer}`, { ifVersion: version })
          const done = versionOf(outcome)
          if (done !== null) {
            expect(won.has(done)).toBe(false)
            won.set(done, racer)
          } else expect(outcome).toMatchObject({ refusal: 'other-version' })
          version = Math.max(version, done ?? (outcome as { version: number }).version)
        }
      }),
    )
    expect([...won.keys()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: folded(database).ids.length - 1 }, (_, k) => k + 2),
    )
  })

  it('tell whoever is refused of the one who has won, never of what was in flight and lost', async () => {
    const database = new SharedDatabase()
    const four = await Promise.all([1, 2, 3, 4].map(() => open(database, { latency: () => 4 * Math.random() })))
    await four[0].create(creation('a'))
    for (let version = 1; version < 25; version++) {
      const race = Array.from({ length: 40 }, (_, racer) => put(four[racer % 4], `r${racer}`, { ifVersion: version }))
      const outcomes = await Promise.all(race)
      const { digest } = folded(database).entries.get(version + 1) as { digest: Uint8Array }
      const refused = outcomes.filter((outcome) => versionOf(outcome) === null)
      expect(refused.length).toBe(39)
      for (const outcome of refused) {
        expect(outcome).toEqual({ refusal: 'other-version', version: version + 1, digest: new Uint8Array(digest) })
      }
    }
  })

  it('accept requests once that are sent to all with one key, many at a time', async () => {
    const database = new SharedDatabase()
    const three = await Promise.all(
      [1, 2, 3].map(() => open(database, { latency: () => (Math.random() < 0.5 ? 1 : 4) })),
    )
    await three[0].create(creation('a'))
    const begun = performance.now()
    const send = async (lane: number) => {
      for (let k = lane; k < 200; k += 10) {
        const key = { key: `k${k}`, fingerprint: 'same' }
        const versions = (await Promise.all(three.map((keeper) => put(keeper, `b${k}`, { key })))).map(versionOf)
        expect(new Set(versions).size).toBe(1)
        expect(versions[0]).not.toBeNull()
      }
    }
    await Promise.all(Array.from({ length: 10 }, (_, lane) => send(lane)))
    expect(folded(database).ids.length).toBe(201)
    // nobody has waited for the time after which nothing can be said
    expect(performance.now() - begun).toBeLessThan(WRITE_DEADLINE_MS)
  })

  it('accept a request once that is sent to all with one key', async () => {
    const database = new SharedDatabase()
    const three = await Promise.all([1, 2, 3].map(() => open(database, { latency: () => 1 })))
    await three[0].create(creation('a'))
    for (let k = 0; k < 100; k++) {
      const key = { key: `k${k}`, fingerprint: 'same' }
      const outcomes = await Promise.all(three.map((keeper) => put(keeper, `b${k}`, { key })))
      expect(outcomes.map(versionOf)).toEqual(Array(3).fill(k + 2))
    }
    expect(await put(three[1], 'c', { key: { key: 'k7', fingerprint: 'another' } })).toEqual({ refusal: 'key-reused' })
    expect(folded(database).ids.length).toBe(101)
  })

  it('do not refuse what can land behind an entry that another has written as well', async () => {
    const database = new SharedDatabase()
    let isUnreadable = false
    const alone = { isDeaf: () => true, pollMs: 1e6 }
    const one = await open(database, { ...alone, latency: () => 4, isUnreadable: () => isUnreadable })
    const two = await open(database, alone)
    await one.create(creation('a'))
    await foundIn(two)
    const key = { key: 'k', fingerprint: 'same' }
    const others = put(two, 'b', { key })
    const own = [put(one, 'b', { key }), put(one, 'c')]
    isUnreadable = true
    expect(versionOf(await own[1])).toBe(3)
    expect((await Promise.all([others, own[0]])).map(versionOf)).toEqual([2, 2])
    expect(folded(database).ids.length).toBe(3)
  })

  it('do not bring a scene to life that is dropped while it is loaded', async () => {
    for (let waitMs = 0; waitMs < 40; waitMs += 2) {
      const database = new SharedDatabase()
      const a = await open(database)
      await a.create(creation('a'))
      await put(a, 'one')
      const events: KeeperEvent[] = []
      const slow = { isDeaf: () => true, latency: () => 10, pollMs: 1e6 }
      const b = await open(database, slow, { onEvent: (event) => events.push(event) })
      const loading = b.find('a')
      await delay(waitMs)
      await a.drop('a')
      await loading
      // whatever it was found as, it is gone for whoever has read on
      const read = await b.reach('a', 3, performance.now() + 1000)
      expect(read?.scene).toBeUndefined()
      expect(b.loaded('a')).toBeNull()
      expect(events).toEqual([])
    }
  })

  it('drop a scene for all, in order, and begin it anew', async () => {
    const database = new SharedDatabase()
    const gone: string[] = []
    const a = await open(database)
    const b = await open(database, {}, { onGone: (id) => gone.push(id) })
    await a.create(creation('a'))
    await put(b, 'one')
    expect(await a.drop('a', { ifVersion: 1 })).toMatchObject({ refusal: 'other-version', version: 2 })
    const outcomes = await Promise.all([put(a, 'two'), a.drop('a'), put(a, 'three')])
    expect(outcomes.map(versionOf)).toEqual([3, 4, null])
    expect(outcomes[2]).toEqual({ refusal: 'unknown-scene' })
    await expect.poll(() => gone).toEqual(['a'])
    expect(await b.find('a')).toBeNull()
    expect(await put(b, 'four')).toEqual({ refusal: 'unknown-scene' })
    expect(versionOf(await b.create(creation('a')))).toBe(1)
    expect(versionOf(await put(a, 'one'))).toBe(2)
    expect(bodyCountOf(await foundIn(a))).toBe(1)
  })

  it('drop what nobody has used, and nothing that somebody uses', async () => {
    const database = new SharedDatabase()
    const [a, b] = [await open(database), await open(database)]
    await a.create(creation('short', { ttl: 1 }))
    await a.create(creation('a', { ttl: 1 }))
    const until = Date.now() + 3500
    while (Date.now() < until) {
      expect(await b.find('a')).not.toBeNull()
      await delay(100)
    }
    expect(await b.find('short')).toBeNull()
    expect(database.living('short')).toBeUndefined()
  })

  it('let scenes go that have no room, and load them again', async () => {
    const database = new SharedDatabase()
    const a = await open(database, {}, { maxSceneBytes: 10 * 40_000, isHeld: (id) => id === 's3' })
    for (let k = 0; k < 30; k++) await a.create(creation(`s${k}`))
    await expect.poll(() => a.scenes().length, { timeout: 5000 }).toBeLessThan(14)
    expect(a.loaded('s3')).not.toBeNull()
    for (let k = 0; k < 30; k++) expect((await foundIn(a, `s${k}`)).id).toBe(`s${k}`)
  })

  it('load a scene once, however many ask', async () => {
    const database = new SharedDatabase()
    const a = await open(database)
    await a.create(creation('a'))
    await put(a, 'one')
    const b = await open(database, { latency: () => 5 })
    const scenes = await Promise.all(Array.from({ length: 100 }, () => foundIn(b)))
    expect(new Set(scenes).size).toBe(1)
    expect(b.status()?.loads).toBe(1)
  })

  it('notice that the store has lost the last entries', async () => {
    const database = new SharedDatabase()
    const events: KeeperEvent[] = []
    const reset: string[] = []
    const a = await open(database, {}, { onEvent: (event) => events.push(event), onReset: (id) => reset.push(id) })
    await a.create(creation('a'))
    for (const id of ['one', 'two', 'three']) await put(a, id)
    database.rollBack('a', 2)
    await expect.poll(() => reset).toEqual(['a'])
    expect(events).toMatchObject([{ event: 'history-forked', scene: 'a', version: 4 }])
    expect((await foundIn(a)).version).toBe(2)
    expect(a.status()?.forks).toBe(1)
    // another one has written since
    const b = await open(database, { pollMs: 1e6, isDeaf: () => true })
    await foundIn(b)
    await put(a, 'four')
    database.rollBack('a', 2)
    await foundIn(a)
    const other = await open(database)
    await put(other, 'five')
    await put(other, 'six')
    expect(versionOf(await put(b, 'seven'))).toBe(5)
    expect(contentOf(await foundIn(b))).toBe(contentOf(folded(database).scene))
  })

  it('answer at once when the store is away, and go on when it is back', async () => {
    const database = new SharedDatabase()
    let weather: Weather = 'fair'
    const a = await open(database, { weather: () => weather })
    await a.create(creation('a'))
    await put(a, 'one')
    weather = 'away'
    await expect(put(a, 'two')).rejects.toThrow(StoreUnavailable)
    expect(bodyCountOf(await foundIn(a))).toBe(1)
    await expect(a.find('other')).rejects.toThrow(StoreUnavailable)
    weather = 'fair'
    expect(versionOf(await put(a, 'three'))).toBe(3)
  })
})

describe('what became of an append, when nobody knows', () => {
  const once = (weather: Weather): HandleOptions & { next: Weather } => {
    const options = {
      next: 'fair' as Weather,
      weather: () => {
        const { next } = options
        options.next = 'fair'
        return next
      },
    }
    options.next = weather
    return options
  }

  it.each(['done-unknown', 'not-done-unknown', 'late'] as const)('is found out: %s', async (weather) => {
    const database = new SharedDatabase()
    const handle = once('fair')
    const a = await open(database, {
      ...handle,
      weather: () => handle.weather?.() ?? 'fair',
      latency: () => 2,
      pollMs: 1e6,
    })
    await a.create(creation('a'))
    await put(a, 'zero')
    handle.next = weather
    const outcomes = await Promise.all(['one', 'two', 'three'].map((id) => put(a, id)))
    expect(outcomes.map(versionOf).sort()).toEqual([3, 4, 5])
    await delay(20)
    const { scene, ids } = folded(database)
    expect(new Set(ids).size).toBe(5)
    expect(contentOf(await foundIn(a))).toBe(contentOf(scene))
    handle.next = weather
    expect(versionOf(await a.create(creation('b')))).toBe(1)
    await delay(20)
    expect(database.living('b')?.version).toBe(1)
  })
})

/** Keepers and clients, and a store that lies: everything by one seed but the timing. */
async function campaign(seed: number, writes: number) {
  const random = seeded(seed)
  const database = new SharedDatabase()
  let isStormy = true
  const weather = (): Weather => {
    if (!isStormy) return 'fair'
    const dice = random()
    if (dice < 0.04) return 'done-unknown'
    if (dice < 0.08) return 'not-done-unknown'
    if (dice < 0.12) return 'late'
    return dice < 0.16 ? 'away' : 'fair'
  }
  const latency = () => (random() < 0.5 ? 0 : 3 * random())
  const isDeaf = () => isStormy && random() < 0.3
  const four = await Promise.all([1, 2, 3, 4].map(() => open(database, { weather, latency, isDeaf })))
  await put(four[0], 'none').catch(() => undefined)
  while (database.living('a') === undefined) await four[0].create(creation('a')).catch(() => delay(1))
  const acknowledged = new Map<string, number>()
  const maybe = new Set<string>()
  const client = async (name: number) => {
    let seen = 0
    for (let k = 0; k < writes; k++) {
      const id = `c${name}-${k}`
      const isKeyed = random() < 0.5
      const key = isKeyed ? { key: { key: id, fingerprint: id } } : {}
      for (let tries = 0; tries < 50; tries++) {
        const keeper = four[Math.floor(random() * 4)]
        try {
          const outcome = await keeper.write('a', { operations: putting(circle(id, name, k)), at, ...key })
          const version = versionOf(outcome)
          if (version === null) throw new Error(JSON.stringify(outcome))
          acknowledged.set(id, version)
          expect(version).toBeGreaterThan(0)
          // whoever asks another one for at least this version gets it, or is told that it does not
          const found = await four[Math.floor(random() * 4)]
            .reach('a', version, performance.now() + 200)
            .catch(() => null)
          if (found?.scene !== undefined && found.scene.version >= version) {
            expect(found.scene.version).toBeGreaterThanOrEqual(Math.min(seen, version))
            seen = Math.max(seen, found.scene.version)
          }
          break
        } catch (error) {
          if (error instanceof OutcomeUnknown) {
            maybe.add(id)
            if (!isKeyed) break
          } else if (!(error instanceof StoreUnavailable)) throw error
          await delay(1)
        }
      }
    }
  }
  await Promise.all(Array.from({ length: 6 }, (_, name) => client(name)))
  isStormy = false
  await delay(10)
  const { scene, ids, entries } = folded(database)
  expect(new Set(ids).size).toBe(ids.length)
  const versionsOf = new Map<string, number[]>()
  for (const [version, { bytes }] of entries) {
    for (const operation of decodeEntry(version, bytes).operations) {
      if (operation.op !== 'put') continue
      versionsOf.set(operation.body.id, [...(versionsOf.get(operation.body.id) ?? []), version])
    }
  }
  for (const [id, version] of acknowledged) expect(versionsOf.get(id), id).toEqual([version])
  for (const [id, versions] of versionsOf) {
    expect(versions, id).toHaveLength(1)
    if (!acknowledged.has(id)) expect(maybe, id).toContain(id)
  }
  for (const keeper of four) {
    const found = (await keeper.reach('a', scene.version, performance.now() + 3000))?.scene as Scene
    expect(validateScene(found)).toBeNull()
    expect(contentOf(found)).toBe(contentOf(scene))
  }
  await Promise.all(keepers.splice(0).map((keeper) => keeper.close()))
  return acknowledged.size
}

describe('a write that others always come before', () => {
  it('has them wait once its time has passed', async () => {
    const database = new SharedDatabase()
    const there = await open(database)
    const store = new SharedMemoryStore(database, { isDeaf: () => true, pollMs: 1e6 })
    const here = await Keeper.open({ store, prepare, writeDeadlineMs: 1000 })
    keepers.push(here)
    await there.create(creation('a'))
    await foundIn(here)
    let turns = 0
    const append = store.append.bind(store)
    store.append = async (each) => {
      await put(there, `there-${++turns}`)
      return append(each)
    }
    expect(versionOf(await put(here, 'here'))).toBe(turns + 2)
    expect(turns).toBeGreaterThan(1)
    const { scene } = folded(database)
    expect(bodyCountOf(scene)).toBe(turns + 1)
  })
})

describe('a keeper that is closed', () => {
  it('waits for a write that is under way, though its caller was told that nobody knows', async () => {
    const database = new SharedDatabase()
    let latency = 0
    const keeper = await open(database, { latency: () => latency }, { writeDeadlineMs: 20 })
    await keeper.create(creation('a'))
    latency = 200
    await expect(put(keeper, 'late')).rejects.toThrow(OutcomeUnknown)
    // without a turn for anything else it would never end
    await keeper.close()
    expect(database.living('a')?.version).toBe(2)
  })
})

describe('a store that loses, delays and doubles', () => {
  it.each(Array.from({ length: runCount(6) }, (_, seed) => seed + 1))(
    'keeps every acknowledged write once: seed %i',
    async (seed) => {
      expect(await campaign(seed, 40)).toBeGreaterThan(100)
    },
    60_000,
  )
})
