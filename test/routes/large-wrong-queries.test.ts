// Large bodies of stateless queries that no query can need are refused before they are parsed, with the place where they are too much.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalogues } from '../../src/queries/stateless/all.ts'
import { type SceneClient, startScenes } from '../support/services/scene-client.ts'

let client: SceneClient
beforeAll(async () => {
  client = await startScenes()
})
afterAll(() => client.close())

const keys = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')
const empties = (bracket: string) => Array.from({ length: 400_000 }, () => bracket).join(',')
const paths = (['2d', '3d'] as const).flatMap((dimension) =>
  catalogues[dimension].queries.map(({ op }) => `/v1/${dimension}/${op}`),
)

it.each(paths)('%s names the object with too many fields', async (path) => {
  const body = `{"a":{"shape":{${keys(15_000)}}}}`
  const { statusCode, payload } = await client.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json' },
    payload: body,
  })
  expect([statusCode, JSON.parse(payload).errors]).toEqual([
    400,
    [{ pointer: '#/a/shape', detail: 'An object may have at most 1000 fields, and fewer where they are listed.' }],
  ])
})

it.each([
  ['/v1/2d/overlap', `{"a":[${empties('{}')}]}`, '#/a'],
  ['/v1/3d/table', `{"measure":"overlap","a":[${empties('[]')}],"b":[]}`, '#/a'],
  ['/v1/2d/batch', `{"queries":{"a":[${empties('{}')}]}}`, '#/queries/a'],
])('%s names the list of empty things', async (path, payload, pointer) => {
  const answer = await client.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json' },
    payload,
  })
  const { code, errors } = JSON.parse(answer.payload)
  expect([answer.statusCode, code, errors[0].pointer]).toEqual([400, 'schema-violation', pointer])
})
