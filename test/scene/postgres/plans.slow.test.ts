// Statements that are prepared once are planned while the tables are as good as empty, and have to stay quick while those grow.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { APPEND_STATEMENT, BEGIN_STATEMENT } from '../../../src/scene/postgres/append-group.ts'
import { Connection } from '../../../src/scene/postgres/connection.ts'
import { openPostgresStore } from '../../../src/scene/postgres/postgres-store.ts'
import type { DatabaseServer } from '../../support/databases/database-server.ts'
import { startServer } from '../../support/databases/embedded-server.ts'
import { databaseUrl, newSceneDatabase } from '../../support/databases/scene-databases.ts'
import { begin, grow } from '../../support/services/written-scenes.ts'

let server: DatabaseServer
let url: string

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.dispose())

async function withConnection<T>(use: (ask: (text: string) => Promise<string[]>) => Promise<T>): Promise<T> {
  const connection = await Connection.open({ url }, { keepsPlans: true })
  const ask = async (text: string) => (await connection.query({ text }, 5000)).map(([column]) => String(column))
  try {
    return await use(ask)
  } finally {
    await connection.end()
  }
}

describe('in tables that are empty', () => {
  beforeAll(async () => {
    url = databaseUrl(server.url, await newSceneDatabase(server))
  })

  it.each([
    ['append', APPEND_STATEMENT],
    ['begin', BEGIN_STATEMENT],
  ])('the plan of %s finds every scene by its key', async (_, statement) => {
    const plan = await withConnection((ask) => ask(`explain (generic_plan) ${statement}`))
    const scans = plan.filter((line) => / Scan .*on scene/.test(line)).map((line) => line.trim())
    const byNumber = scans.filter((line) => line.includes('using scene_pkey'))
    expect(byNumber).toHaveLength(2)
    expect(plan.filter((line) => line.includes('Seq Scan'))).toEqual([])
    expect(plan.join('\n')).not.toMatch(/scene_id on scene.*\n\s+Filter: .*scene =/)
  })

  it('plans are kept, whatever the values', async () => {
    expect(await withConnection((ask) => ask('show plan_cache_mode'))).toEqual(['force_generic_plan'])
  })
})

it('groups of all sizes land by a plan that was made for the first of them', async () => {
  url = databaseUrl(server.url, await newSceneDatabase(server))
  const store = await openPostgresStore({ connection: { url } })
  try {
    const stands = await Promise.all(Array.from({ length: 1500 }, (_, k) => begin(store, `s${k}`, '1')))
    const groups = [1, 1, 1500, 3, 700, 1]
    for (const count of groups) {
      const grown = stands.slice(0, count).map((stand) => grow(store, stand, '2'))
      stands.splice(0, count, ...(await Promise.all(grown)))
    }
    expect(stands[0].version).toBe(1 + groups.length)
    expect((await store.head('s1499'))?.version).toBe(2)
  } finally {
    await store.close()
  }
})
