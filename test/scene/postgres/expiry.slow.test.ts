// Scenes that expire, however many there are: what falls due is found by an index, by one who looks at a time; how many there are is
// counted as they come and go. And all of it works in the schema of the release before, and while that is brought up to date.

import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { Connection } from '../../../src/scene/postgres/connection.ts'
import { migrate } from '../../../src/scene/postgres/migrate.ts'
import { EXPIRED } from '../../../src/scene/postgres/scene-rows.ts'
import { SCHEMA_VERSION } from '../../../src/scene/postgres/server-check.ts'
import type { DatabaseServer } from '../../support/databases/database-server.ts'
import { startServer } from '../../support/databases/embedded-server.ts'
import { age, beginMortal, summaryOf } from '../../support/databases/mortal-scenes.ts'
import { databaseUrl, newSceneDatabase } from '../../support/databases/scene-databases.ts'
import { sqlOn } from '../../support/databases/sql-on.ts'
import { closeStores, type Opened, openStore } from '../../support/databases/stores.ts'
import { appendTo, begin, dropOf, grow, lifeOf, unbegun } from '../../support/services/written-scenes.ts'

let server: DatabaseServer
let url = ''
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  url = databaseUrl(server.url, await newSceneDatabase(server))
})
afterEach(closeStores)
afterAll(() => server.dispose())

const sql = <Row = Record<string, unknown>>(text: string) => sqlOn<Row>(url, text)
const ids = async (store: Opened, limit = 100) => (await store.shared.expired(limit)).map(({ id }) => id).sort()

it('a use puts off what falls due, and a shorter time brings it forward', async () => {
  const store = await openStore(url)
  const [a, b, c] = [
    await beginMortal(store, 'a', 100),
    await beginMortal(store, 'b', 100),
    await beginMortal(store, 'c', 100),
  ]
  for (const id of ['a', 'b']) await age(url, id, 200)
  await store.shared.use([lifeOf(a)])
  expect(await ids(store)).toEqual(['b'])
  // it is one who asks who has it
  expect(await ids(store)).toEqual([])
  await age(url, 'c', 50)
  expect(await ids(store)).toEqual([])
  const later = await grow(store, c, 'y')
  await age(url, 'c', 50)
  await store.shared.summarise([{ ...lifeOf(c), summary: summaryOf(later, { ttl: 40 }) }])
  expect(await ids(store)).toEqual(['c'])
  const last = await grow(store, b, 'y')
  await store.shared.summarise([{ ...lifeOf(b), summary: summaryOf(last) }])
  await sql("update tangent.scene set due_at = null, used_at = '-infinity' where id = 'b'")
  expect(await ids(store)).toEqual([])
})

it('looks at what is due alone, one at a time', async () => {
  const store = await openStore(url)
  await sql(`insert into tangent.scene (id, version, digest, ttl)
    select 's' || i, 1, decode(repeat('00', 16), 'hex'), 1000 + i from generate_series(1, 20000) i;`)
  await sql('analyze tangent.scene')
  const connection = await Connection.open({ url }, { keepsPlans: true })
  try {
    const plan = await connection.query({ text: `explain (generic_plan) ${EXPIRED}` }, 5000)
    const text = plan.map(([line]) => line).join('\n')
    expect(text).toContain('using scene_due')
    expect(text).not.toContain('Seq Scan on scene')
  } finally {
    await connection.end()
  }
  expect(await ids(store)).toEqual([])
  await sql("update tangent.scene set used_at = now() - interval '2 days' where scene % 50 = 0")
  const both = await Promise.all([ids(store, 150), ids(await openStore(url), 150)])
  const found = both.flat()
  expect(new Set(found).size).toBe(found.length)
  while (found.length < 400) found.push(...(await ids(store, 150)))
  expect(new Set(found).size).toBe(400)
  expect(await ids(store)).toEqual([])
})

const tally = async () =>
  (
    await sql(`select (select sum(scenes)::int from tangent.tally) as told,
      (select count(*)::int from tangent.scene where dropped_at is null) as there`)
  )[0] as { told: number; there: number }

it('counts scenes as they come and go', async () => {
  const stores = [await openStore(url), await openStore(url)] as const
  const stands = await Promise.all(
    Array.from({ length: 120 }, (_, k) => begin(stores[k % 2] as Opened, `s${k % 100}`, 'x').catch(() => null)),
  )
  expect(await tally()).toEqual({ told: 100, there: 100 })
  for (const stand of stands.slice(0, 30)) {
    if (stand !== null) await dropOf(stores[1], stand)
  }
  const { told, there } = await tally()
  expect(told).toBe(there)
  const limited = (id: string, maxScenes: number) => stores[0].append({ ...appendTo(unbegun(id), ['x']), maxScenes })
  expect(await limited('new', there)).toMatchObject({ isTooMany: true })
  expect(await limited('new', there + 1)).toMatchObject({ conflict: false })
  expect(await limited('newer', there + 1)).toMatchObject({ isTooMany: true })
  expect(await tally()).toEqual({ told: there + 1, there: there + 1 })
})

it('finds what was there before times were kept at which scenes are due', async () => {
  await server.query('create database earlier')
  url = databaseUrl(server.url, 'earlier')
  await sql(`create schema tangent;
    create table tangent.schema_version (is_only boolean primary key default true check (is_only), version integer not null);
    insert into tangent.schema_version (version) values (1);
    ${readFileSync(new URL('../../../src/scene/postgres/migrations/001-scenes.sql', import.meta.url), 'utf8')}
    insert into tangent.scene (id, version, digest, ttl, used_at)
      select id, 0, decode(repeat('0', 32), 'hex'), 100, now() - interval '200 seconds' from unnest('{a,b}'::text[]) id`)
  expect(await migrate({ url })).toEqual({ from: 1, to: SCHEMA_VERSION })
  expect(await tally()).toEqual({ told: 2, there: 2 })
  const store = await openStore(url)
  expect((await ids(store)).sort()).toEqual(['a', 'b'])
  expect(await store.append({ ...appendTo(unbegun('c'), ['x']), maxScenes: 2 })).toMatchObject({ isTooMany: true })
  expect(await store.append({ ...appendTo(unbegun('c'), ['x']), maxScenes: 3 })).toMatchObject({ conflict: false })
  expect(await tally()).toEqual({ told: 3, there: 3 })
})
