// What is kept of scenes beside their logs, and what is taken away: lists, uses and expiry, limits, snapshots by several, retention.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DatabaseServer } from '../../support/databases/database-server.ts'
import { startServer } from '../../support/databases/embedded-server.ts'
import { age, beginMortal, summaryOf } from '../../support/databases/mortal-scenes.ts'
import { databaseUrl, emptySceneDatabase } from '../../support/databases/scene-databases.ts'
import { sqlOn } from '../../support/databases/sql-on.ts'
import { closeStores, type Opened, openStore } from '../../support/databases/stores.ts'
import {
  appendTo,
  begin,
  dropOf,
  grow,
  lifeOf,
  type Stand,
  standAfter,
  standingOf,
  unbegun,
} from '../../support/services/written-scenes.ts'

let server: DatabaseServer
let url = ''
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  url = databaseUrl(server.url, await emptySceneDatabase(server))
})
afterEach(closeStores)
afterAll(() => server.dispose())

const sql = <Row = Record<string, unknown>>(text: string) => sqlOn<Row>(url, text)

describe('lists', () => {
  it('say what was told of each scene, in order of bytes, by page', async () => {
    const store = await openStore(url)
    const ids = ['b', 'a', 'B', '_', 'a-', 'a1']
    const stands = await Promise.all(ids.map((id) => begin(store, id, 'x')))
    await store.shared.summarise(stands.map((stand) => ({ ...lifeOf(stand), summary: summaryOf(stand) })))
    const sorted = [...ids].sort()
    const first = await store.shared.page('', 4)
    expect(first.map(({ id }) => id)).toEqual(sorted.slice(0, 4))
    expect((await store.shared.page(first[3].id, 4)).map(({ id }) => id)).toEqual(sorted.slice(4))
    expect(first[0]).toEqual(summaryOf(stands.find(({ id }) => id === first[0].id)!))
  })

  it('keep the newest that was told, with an append or by itself', async () => {
    const store = await openStore(url)
    let a = await begin(store, 'a', 'x')
    expect(await store.shared.page('', 9)).toMatchObject([{ id: 'a', version: 0, bodyCount: 0, name: null }])
    const append = { ...appendTo(a, ['y']), summary: summaryOf(a, { name: 'carried' }) }
    const before = a
    a = standAfter(append, await store.append(append))
    const listed = async () => {
      const [{ name, version }] = await store.shared.page('', 9)
      return [name, version]
    }
    expect(await listed()).toEqual(['carried', 1])
    const tell = (stand: Stand, name: string) =>
      store.shared.summarise([{ ...lifeOf(stand), summary: summaryOf(stand, { name }) }])
    await tell(a, 'second')
    expect(await listed()).toEqual(['second', 2])
    await tell(before, 'late')
    await tell({ ...a, version: 7 }, 'of what is not there')
    await tell({ ...a, incarnation: 99, version: 3 }, 'of another')
    expect(await listed()).toEqual(['second', 2])
    await grow(store, a, 'z')
    await tell({ ...a, version: 3 }, 'of another history')
    expect(await listed()).toEqual(['second', 2])
  })

  it('name scenes last used first', async () => {
    const store = await openStore(url)
    const stands: Stand[] = []
    for (const id of ['a', 'b', 'c']) stands.push(await begin(store, id, 'x'))
    await store.shared.use([lifeOf(stands[0])])
    expect(await store.shared.recent(2)).toEqual(['a', 'c'])
    await grow(store, stands[1], 'y')
    expect(await store.shared.recent(9)).toEqual(['b', 'a', 'c'])
  })
})

describe('expiry', () => {
  it('comes when the time since the last use has passed, once for all who ask', async () => {
    const [one, two] = [await openStore(url), await openStore(url)]
    const a = await beginMortal(one, 'a', 100)
    await beginMortal(one, 'b', 200)
    await begin(one, 'c', 'x')
    for (const id of ['a', 'b', 'c']) await age(url, id, 40)
    expect(await one.shared.expired(9)).toEqual([])
    for (const id of ['a', 'b', 'c']) await age(url, id, 80)
    const found = await Promise.all([one.shared.expired(9), two.shared.expired(9)])
    expect(found.flat()).toEqual([standingOf({ ...a, digest: a.digest })])
    expect(await two.shared.dropExpired(lifeOf(a), appendTo(a, ['gone']))).toMatchObject({
      version: 2,
      conflict: false,
    })
    expect(await one.head('a')).toBeNull()
  })

  it('does not come when the scene is used before the drop', async () => {
    const store = await openStore(url)
    const [a, b] = [await beginMortal(store, 'a', 100), await beginMortal(store, 'b', 100)]
    for (const id of ['a', 'b']) await age(url, id, 200)
    expect(await store.shared.expired(9)).toHaveLength(2)
    await store.shared.use([lifeOf(a)])
    await grow(store, b, 'y')
    expect(await store.shared.dropExpired(lifeOf(a), appendTo(a, ['gone']))).toMatchObject({
      version: 1,
      conflict: true,
    })
    expect(await store.shared.dropExpired(lifeOf(b), appendTo(b, ['gone']))).toMatchObject({
      version: 2,
      conflict: true,
    })
    expect((await store.list()).map(({ id, version }) => [id, version])).toEqual([
      ['a', 1],
      ['b', 2],
    ])
  })

  it('never comes to what has no end', async () => {
    const store = await openStore(url)
    const a = await begin(store, 'a', 'x')
    await age(url, 'a', 1e8)
    expect(await store.shared.expired(9)).toEqual([])
    expect((await store.shared.dropExpired(lifeOf(a), appendTo(a, ['gone']))).conflict).toBe(true)
  })
})

describe('the number of scenes', () => {
  it('ends where the call that begins one says', async () => {
    const store = await openStore(url)
    const start = (id: string) => store.append({ ...appendTo(unbegun(id), ['x']), maxScenes: 3 })
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(start))
    expect(answers.map(({ conflict, isTooMany = false }) => [conflict, isTooMany])).toEqual([
      [false, false],
      [false, false],
      [false, false],
      [true, true],
      [true, true],
    ])
    expect(await start('a')).toMatchObject({ version: 1, conflict: true })
    expect(await start('a')).not.toHaveProperty('isTooMany')
    await dropOf(store, { ...unbegun('a'), ...(await store.head('a'))! })
    expect((await start('d')).conflict).toBe(false)
    expect(await store.list()).toHaveLength(3)
  })
})

describe('snapshots', () => {
  async function* slowly(chunks: string[], turn: () => Promise<unknown>) {
    for (const chunk of chunks) {
      await turn()
      yield new Uint8Array(Buffer.from(chunk))
    }
  }
  const none = async () => {}
  const chunksOf = async (store: Opened, a: Stand, version: number) => {
    const chunks: string[] = []
    for await (const chunk of store.readSnapshot(lifeOf(a), version)) chunks.push(Buffer.from(chunk).toString())
    return chunks
  }

  it('are taken by one at a time', async () => {
    const [one, two] = [await openStore(url), await openStore(url)]
    const a = await begin(one, 'a', 'x')
    let other: boolean | undefined
    const first = await one.writeSnapshot(
      lifeOf(a),
      1,
      slowly(['x', 'y'], async () => {
        other ??= await two.writeSnapshot(lifeOf(a), 1, slowly(['z'], none))
      }),
    )
    expect([first, other]).toEqual([true, false])
    expect(await chunksOf(two, a, 1)).toEqual(['x', 'y'])
  })

  it('may be taken over when a claim is ten minutes old', async () => {
    const [one, two] = [await openStore(url), await openStore(url)]
    const a = await begin(one, 'a', 'x')
    let turns = 0
    const first = await one.writeSnapshot(
      lifeOf(a),
      1,
      slowly(['x', 'y'], async () => {
        if (turns++ === 0) return
        await sql("update tangent.snapshot set claimed_at = now() - interval '11 minutes'")
        expect(await two.writeSnapshot(lifeOf(a), 1, slowly(['z'], none))).toBe(true)
      }),
    )
    expect(first).toBe(false)
    expect(await chunksOf(one, a, 1)).toEqual(['z'])
  })

  it('are read on when they are replaced meanwhile', async () => {
    const store = await openStore(url)
    const a = await begin(store, 'a', 'x')
    const chunks = Array.from({ length: 40 }, (_, k) => `${k}`.padEnd(300_000))
    await store.writeSnapshot(lifeOf(a), 1, slowly(chunks, none))
    const read: string[] = []
    for await (const chunk of store.readSnapshot(lifeOf(a), 1)) {
      if (read.length === 0) {
        await store.writeSnapshot(lifeOf(a), 1, slowly(['new'], none))
        await store.shared.sweep()
      }
      read.push(Buffer.from(chunk).toString())
    }
    expect(read).toEqual(chunks)
    expect(await chunksOf(store, a, 1)).toEqual(['new'])
  })

  it('that the trimmer has not heard of stay', async () => {
    const store = await openStore(url, { logRetentionMs: 0 })
    const a = await begin(store, 'a', '1', '2', '3', '4')
    for (const version of [1, 2, 3]) await store.writeSnapshot(lifeOf(a), version, slowly([`${version}`], none))
    await store.trim(lifeOf(a), 3, [2])
    expect(await store.head('a')).toMatchObject({ first: 3, snapshots: [3, 2] })
    // what is never to be missed is not trimmed, whatever is asked
    await store.trim(lifeOf(a), 5, [3, 2])
    expect(await store.head('a')).toMatchObject({ first: 4, snapshots: [3, 2] })
    // one that is damaged goes, though it is the newest
    await sql("update tangent.snapshot set claimed_at = now() - interval '2 minutes'")
    await store.trim(lifeOf(a), 4, [2])
    expect(await store.head('a')).toMatchObject({ snapshots: [2] })
  })
})

describe('what is kept for others', () => {
  const counts = async () => {
    const [row] = await sql<Record<string, string>>(`select (select count(*) from tangent.scene) as scenes,
      (select count(*) from tangent.entry) as entries, (select count(*) from tangent.snapshot) as snapshots,
      (select count(*) from tangent.chunk) as chunks`)
    return Object.values(row).map(Number)
  }
  async function* chunk() {
    yield new Uint8Array(100)
  }

  it('is a trimmed log, until it is old enough', async () => {
    const store = await openStore(url)
    let a = await begin(store, 'a', ...Array<string>(2500).fill('x'))
    for (const version of [2000, 2400]) await store.writeSnapshot(lifeOf(a), version, chunk())
    await store.trim(lifeOf(a), 2001, [2400, 2000])
    expect(await store.head('a')).toMatchObject({ first: 1, version: 2500 })
    await sql("update tangent.entry set at = at - interval '2 hours' where seq <= 1500")
    await store.shared.sweep()
    expect(await store.head('a')).toMatchObject({ first: 1501, version: 2500 })
    expect(await counts()).toEqual([1, 1000, 2, 2])
    await sql("update tangent.entry set at = at - interval '2 hours'")
    await sql('update tangent.scene set claimed_at = null')
    await store.shared.sweep()
    expect(await store.head('a')).toMatchObject({ first: 2001 })
    expect(await counts()).toEqual([1, 500, 2, 2])
    a = await grow(store, a, 'y')
    expect(a.version).toBe(2501)
  })

  it('is a dropped scene, until it is old enough', async () => {
    const store = await openStore(url)
    const a = await begin(store, 'a', ...Array<string>(2500).fill('x'))
    await store.writeSnapshot(lifeOf(a), 2000, chunk())
    await dropOf(store, a)
    await begin(store, 'a', 'anew')
    await store.shared.sweep()
    expect(await counts()).toEqual([2, 2502, 1, 1])
    await sql("update tangent.scene set dropped_at = dropped_at - interval '2 hours' where dropped_at is not null")
    await store.shared.sweep()
    expect(await counts()).toEqual([1, 1, 0, 0])
    expect(await store.head('a')).toMatchObject({ version: 1 })
  })

  it('goes in one sweep, however many scenes were dropped', async () => {
    const store = await openStore(url, { logRetentionMs: 0 })
    const stands = await Promise.all(Array.from({ length: 1201 }, (_, k) => begin(store, `s${k}`, 'x', 'y')))
    await store.writeSnapshot(lifeOf(stands[3]), 2, chunk())
    await Promise.all(stands.slice(1).map((stand) => dropOf(store, stand)))
    await store.shared.sweep()
    expect(await counts()).toEqual([1, 2, 0, 0])
  })

  it('does not keep a sweep from what is old enough', async () => {
    const store = await openStore(url)
    for (let k = 0; k < 120; k++) {
      const stand = await begin(store, `s${k}`, 'x', 'y', 'z')
      await store.writeSnapshot(lifeOf(stand), 3, chunk())
      await store.trim(lifeOf(stand), 3, [3])
    }
    await sql(`update tangent.entry set at = at - interval '2 hours' where scene >=
      (select scene from tangent.scene where id = 's60')`)
    await store.shared.sweep()
    expect(await counts()).toEqual([120, 60 * 3 + 60, 120, 120])
  })

  it('is not what was never finished', async () => {
    const store = await openStore(url, { logRetentionMs: 0 })
    const a = await begin(store, 'a', 'x')
    await sql(`insert into tangent.snapshot (scene, version, by, claimed_at)
      values (${a.incarnation}, 1, 'one that is gone', now() - interval '11 minutes')`)
    await sql('insert into tangent.chunk select snapshot, n, $$x$$ from tangent.snapshot, generate_series(1, 120) n')
    await sql("insert into tangent.replica values ('one that is gone', now() - interval '2 days')")
    await store.shared.sweep()
    expect(await counts()).toEqual([1, 1, 0, 0])
    expect(await sql('select replica from tangent.replica')).toHaveLength(1)
    expect(store.usage().bytes).toBeGreaterThan(0)
  })
})
