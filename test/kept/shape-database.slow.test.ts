// Kept shapes in a database that several processes share.

import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { ShapeDatabase } from '../../src/kept/shape-database.ts'
import { Shelf } from '../../src/kept/shelf.ts'
import { migrate } from '../../src/scene/postgres/migrate.ts'
import type { PostgresStore } from '../../src/scene/postgres/postgres-store.ts'
import type { DatabaseServer } from '../support/databases/database-server.ts'
import { startServer } from '../support/databases/embedded-server.ts'
import { databaseUrl, newSceneDatabase } from '../support/databases/scene-databases.ts'
import { sqlOn } from '../support/databases/sql-on.ts'
import { closeStores, openStore } from '../support/databases/stores.ts'
import { MESH, made } from '../support/made-shapes.ts'
import { type OpenedLimits, shelfContract } from '../support/shelf-contract.ts'

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

const LARGE = { mostMemory: 2 ** 28, mostBytes: 2 ** 28, mostCount: 100 }
const findings: unknown[] = []

async function openShelf(limits: OpenedLimits = LARGE): Promise<{ shelf: Shelf; rows: PostgresStore['shapes'] }> {
  const { shapes: rows } = (await openStore(url)) as unknown as PostgresStore
  const shelf = new Shelf(limits)
  shelf.open(new ShapeDatabase(rows, limits, (finding) => findings.push(finding)))
  return { shelf, rows }
}

shelfContract(async (limits) => ({
  shelf: (await openShelf(limits)).shelf,
  make: (shape, dimension = '3d') => made(shape, { dimension }),
  again: async () => (await openShelf(limits)).shelf,
}))

/** A height field whose mesh takes several parts. */
function field(): object {
  const heights = Array.from({ length: 220 * 220 }, (_, k) => Math.sin(k))
  return { type: 'heightfield', heights, columns: 220, cellSize: { x: 1, z: 1 } }
}
const makeField = () => made(field(), { limits: { maxVertices: 100_000, maxParts: 10 } })

describe('kept shapes in a database', () => {
  it('are read in parts, from what any process was sent', async () => {
    const [one, two] = [await openShelf(), await openShelf()]
    const large = makeField()
    const added = await Promise.all([one.shelf.add(large), two.shelf.add(makeField())])
    expect(added.filter((isNew) => isNew)).toHaveLength(1)
    const three = await openShelf()
    const [read] = await three.shelf.shapesFor(Buffer.from(large.kept.id))
    expect(Buffer.from(read.meshes[0]).equals(Buffer.from(large.kept.meshes[0]))).toBe(true)
    const count = async (table: string) =>
      Number((await sqlOn<{ n: string }>(url, `select count(*) n from tangent.${table}`))[0].n)
    expect([await count('shape'), (await count('shape_part')) > 2]).toEqual([1, true])
    await three.shelf.remove(large.kept.id, '3d')
    expect([await count('shape'), await count('shape_part')]).toEqual([0, 0])
    // asked about by id, it is gone for all
    expect(await one.shelf.summary(large.kept.id, '3d')).toBeNull()
    expect(one.shelf.find(large.kept.id)).toBeUndefined()
  })

  it('that are damaged are told of, and can be sent again', async () => {
    const { shelf } = await openShelf()
    const mesh = made(MESH)
    await shelf.add(mesh)
    for (const damage of [
      'update tangent.shape_part set bytes = set_byte(bytes, 9, 255) where n = 1',
      "update tangent.shape_part set bytes = '' where n = 1",
      'update tangent.shape_part set bytes = bytes || bytes where n = 1',
      "update tangent.shape set head = replace(head, 'checksum\":', 'checksum\":1')",
    ]) {
      await sqlOn(url, damage)
      findings.length = 0
      const other = (await openShelf()).shelf
      expect(await other.shapesFor(Buffer.from(mesh.kept.id))).toEqual([])
      expect(findings).toMatchObject([{ shape: mesh.kept.id }])
      expect(await other.add(made(MESH))).toBe(true)
      expect(await (await openShelf()).shelf.shapesFor(Buffer.from(mesh.kept.id))).toHaveLength(1)
    }
  })

  it('are said not to be there in the schema of the release before', async () => {
    const { rows } = await openShelf()
    expect(await rows.areThere()).toBe(true)
    await sqlOn(url, 'drop table tangent.shape_part, tangent.shape; update tangent.schema_version set version = 2')
    expect(await rows.areThere()).toBe(false)
    expect(await migrate({ url })).toEqual({ from: 2, to: 3 })
    expect(await rows.areThere()).toBe(true)
  })

  it('are found by every replica of the service', async () => {
    const env = { SCENE_STORE: 'postgres', DATABASE_URL: url, LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }
    const replicas = await Promise.all([1, 2].map(async () => buildApp(loadConfig(env))))
    try {
      const [one, two] = replicas
      await Promise.all(replicas.map((app) => app.ready()))
      const sent = await one.inject({ method: 'POST', url: '/v1/3d/shapes', payload: MESH })
      const { id } = sent.json()
      const asked = (app: FastifyInstance) =>
        app.inject({ method: 'POST', url: '/v1/3d/bounds', payload: { body: { shape: { type: 'ref', id } } } })
      expect([sent.statusCode, (await two.inject(`/v1/3d/shapes/${id}`)).json()]).toEqual([201, sent.json()])
      expect((await two.inject('/v1/3d/shapes')).json().shapes).toHaveLength(1)
      // by a worker, which the main thread reads it for, and then on the main thread
      for (let times = 0; times < 2; times++) expect((await asked(two)).json().max.x).toBe(1)
      const again = await two.inject({ method: 'POST', url: '/v1/3d/shapes', payload: MESH })
      expect([again.statusCode, again.json()]).toEqual([200, sent.json()])
      const flat = (
        await one.inject({ method: 'POST', url: '/v1/2d/shapes', payload: { type: 'circle', radius: 2 } })
      ).json()
      await two.inject({ method: 'PUT', url: '/v1/2d/scenes/s', payload: {} })
      const body = { shape: { type: 'compound', children: [{ shape: { type: 'ref', id: flat.id } }] } }
      expect((await two.inject({ method: 'PUT', url: '/v1/2d/scenes/s/bodies/a', payload: body })).statusCode).toBe(201)
      expect((await two.inject({ method: 'DELETE', url: `/v1/3d/shapes/${id}` })).statusCode).toBe(204)
      expect((await one.inject(`/v1/3d/shapes/${id}`)).statusCode).toBe(404)
      expect((await asked(one)).json().code).toBe('shape-unknown')
    } finally {
      await Promise.all(replicas.map((app) => app.close()))
    }
  })

  it('reject where the database cannot be asked, but for those in memory', async () => {
    const lonely = await startServer()
    try {
      url = databaseUrl(lonely.url, await newSceneDatabase(lonely))
      const [{ shelf }, other] = [await openShelf(), await openShelf()]
      const mesh = made(MESH)
      await shelf.add(mesh)
      await lonely.stop('immediate')
      expect(shelf.isReadyFor(Buffer.from(mesh.kept.id))).toBe(true)
      expect(await shelf.shapesFor(Buffer.from(mesh.kept.id))).toHaveLength(1)
      await expect(other.shelf.shapesFor(Buffer.from(mesh.kept.id))).rejects.toThrow()
      await expect(other.shelf.borrow([mesh.kept.id])).rejects.toThrow()
      await expect(other.shelf.add(made(MESH))).rejects.toThrow()
    } finally {
      await closeStores()
      await lonely.dispose()
    }
  })
})
