// Large bodies that are not as their schemas have them are never read on the main thread, whatever the route.

import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sceneQueries } from '../../../src/queries/scenes/all.ts'
import { type Method, type SceneClient, startScenes } from '../../support/services/scene-client.ts'

let client: SceneClient
let id: string
const readFar = vi.fn()
beforeAll(async () => {
  client = await startScenes()
  const { app } = client
  const original = app.readFar
  app.readFar = (...given) => {
    readFar()
    return original(...given)
  }
  id = await client.createScene([{ id: 'a', shape: { type: 'circle', radius: 1 } }])
})
afterAll(() => client.close())

const keys = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')
const tags = `"tags":[${'"a",'.repeat(50_000)}"b"]`
const data = `"data":[${'1,'.repeat(80_000)}1]`
const point = '"shape":{"type":"point"}'
const routes: [Method, string, (fields: string) => string][] = [
  ['POST', '', (fields) => `{${fields}}`],
  ['PUT', '/ID', (fields) => `{${fields}}`],
  ['PUT', '/ID/bodies/b', (fields) => `{${point},${fields}}`],
  ['PATCH', '/ID/bodies/a', (fields) => `{${fields}}`],
  ['POST', '/ID/operations', (fields) => `{"operations":[{"op":"put","body":{"id":"b",${point},${fields}}}]}`],
  ['POST', '/ID/operations', (fields) => `{${fields},"operations":[{"op":"clear"}]}`],
  ['POST', '/ID/batch', (fields) => `{"queries":[{"op":"overlap",${fields}}]}`],
  ...sceneQueries.map(({ op }): (typeof routes)[number] => ['POST', `/ID/${op}`, (fields) => `{${fields}}`]),
]

it.each(routes)('%s %s refuses thousands of unknown fields, read by a worker', async (method, path, make) => {
  readFar.mockClear()
  const { status, body } = await client.send(method, path.replace('ID', id), make(keys(15_000)))
  expect([status, body.code]).toEqual([400, 'schema-violation'])
  expect(readFar).toHaveBeenCalled()
})

it.each([
  ['tags', tags, 400, 'schema-violation'],
  ['data', data, 413, 'data-too-large'],
])('refuses far too many %s of a body, however it is sent', async (_name, fields, status, code) => {
  for (const [method, path, make] of routes.slice(2, 5)) {
    readFar.mockClear()
    const answer = await client.send(method, path.replace('ID', id), make(fields))
    expect([method, answer.status, answer.body.code]).toEqual([method, status, code])
    expect(readFar).toHaveBeenCalled()
  }
})

it('reads no operations behind one that is wrong', async () => {
  const many = (count: number, item: string) => Array.from({ length: count }, () => item).join(',')
  const right = '{"op":"move","id":"a","position":{"x":1,"y":2}}'
  const wrong = `{"op":"put","body":{${keys(900)}}}`
  // the last one is no JSON
  const text = `{"operations":[${many(3000, right)},${many(300, wrong)},{"op":}]}`
  const { status, body } = await client.send('POST', `/${id}/operations`, text)
  expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'schema-violation', '#/operations/3000/body/id'])
  const all = await client.send('POST', `/${id}/operations`, `{"operations":[${many(3000, right)}]}`)
  expect(all.body.applied).toBe(3000)
})

it('takes a large body that is as it should be: blanks, repeated names, long shapes', async () => {
  const blanks = ' '.repeat(150_000)
  const put = await client.send('PUT', `/${id}/bodies/c`, `{${point},${tags},"tags":["z"],"data":{"k":1.0}${blanks}}`)
  expect(put.body.created).toBe(true)
  const long = `{"type":"circle","radius":-0.5,"radius":2${blanks}}`
  const operations = `{"operations":[{"op":"put","body":{"id":"d","shape":${long}}},{"op":"patch","id":"c","fields":{"shape":${long}}}]}`
  expect((await client.send('POST', `/${id}/operations`, operations)).body.applied).toBe(2)
  const { text } = await client.send('GET', `/${id}/bodies/c`)
  expect(text).toContain('"tags":["z"]')
  expect(text).toContain('"data":{"k":1.0}')
  expect(text).toContain('"radius":2')
})
