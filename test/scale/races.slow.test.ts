// Many who want the same thing at the same moment, each by another replica: one gets it. The long version is `npm run torture:scale -- races`.

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DatabaseServer } from '../support/databases/database-server.ts'
import { startServer } from '../support/databases/embedded-server.ts'
import { databaseUrl, newSceneDatabase } from '../support/databases/scene-databases.ts'
import { type SceneClient, startScenes } from '../support/services/scene-client.ts'
import { type Ask, raceForVersions, raceWithKeys } from './races.ts'

let server: DatabaseServer
let replicas: SceneClient[]
let asks: Ask[]
beforeAll(async () => {
  server = await startServer()
  const env = { SCENE_STORE: 'postgres', DATABASE_URL: databaseUrl(server.url, await newSceneDatabase(server)) }
  replicas = []
  for (let number = 0; number < 4; number++) replicas.push(await startScenes(env))
  asks = replicas.map(({ app }) => async (method, url, headers, payload) => {
    const type = payload === undefined ? {} : { 'content-type': 'application/json' }
    const sent = { method: method as 'PUT', url, headers: { ...type, ...headers } }
    const answer = await app.inject(payload === undefined ? sent : { ...sent, payload })
    return { status: answer.statusCode, etag: (answer.headers.etag as string | undefined) ?? null, text: answer.body }
  })
}, 120_000)
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.close()))
  await server.dispose()
})

it.each(['2d', '3d'] as const)('is won by one of fifty writers who name the same version: %s', async (dimension) => {
  expect(await raceForVersions(asks, 8, 50, dimension)).toEqual([])
})

it.each(['2d', '3d'] as const)(
  'writes once what is sent to three replicas at once with one key: %s',
  async (dimension) => {
    expect(await raceWithKeys(asks, 80, 8, dimension)).toEqual([])
  },
)
