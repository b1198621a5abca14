// Idempotency-Key on every write: the second request is answered as the first was, whatever has happened in between, at the same
// instance, at another, and after a restart.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startReplica } from '../../support/services/replica.ts'
import { type Method, type SceneAnswer, type SceneClient, startScenes } from '../../support/services/scene-client.ts'
import { SharedDatabase } from '../../support/services/shared-memory-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'tangent-keys-'))
const open: SceneClient[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})
afterAll(() => rmSync(folder, { recursive: true }))

const opened = async (starting: Promise<SceneClient>) => {
  const client = await starting
  open.push(client)
  return client
}

/** One who asks first, and one who is asked again: `next` is made when the first has answered. */
interface Pair {
  readonly first: SceneClient
  next(): Promise<SceneClient>
}

let directories = 0
const WAYS: Readonly<Record<string, () => Promise<Pair>>> = {
  'in memory': async () => {
    const first = await opened(startScenes())
    return { first, next: async () => first }
  },
  'in files, after a restart': async () => {
    const env = { SCENE_STORE: 'file', DATA_DIR: join(folder, `${directories++}`) }
    const first = await opened(startScenes(env))
    const next = async () => {
      await open.pop()?.close()
      return opened(startScenes(env))
    }
    return { first, next }
  },
  'at another instance': async () => {
    const database = new SharedDatabase()
    const first = await opened(startReplica(database))
    // it has not heard of what comes
    const second = await startReplica(database)
    second.state.isDeaf = true
    open.push(second)
    return { first, next: async () => second }
  },
}

const circle = (radius = 1) => ({ shape: { type: 'circle', radius } })
const geojson = JSON.stringify({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', id: 'f', properties: {}, geometry: { type: 'Point', coordinates: [1, 2] } }],
})

interface Write {
  readonly method: Method
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly status: number
}

/** In a scene `s` with a body `a`, at version 2. */
const WRITES: Readonly<Record<string, Write>> = {
  'a scene with an id of its own': { method: 'POST', path: '', body: { name: 'yard', ttl: 500 }, status: 201 },
  'a scene of a given id': { method: 'PUT', path: '/new', body: { name: 'x' }, status: 201 },
  'settings of a scene': { method: 'PUT', path: '/s', body: { name: 'other' }, status: 200 },
  'settings that a scene has already': { method: 'PUT', path: '/s', body: {}, status: 200 },
  'a new body': { method: 'PUT', path: '/s/bodies/b', body: circle(), status: 201 },
  'a body in place of another': { method: 'PUT', path: '/s/bodies/a', body: circle(2), status: 200 },
  'fields of a body': {
    method: 'PATCH',
    path: '/s/bodies/a',
    body: '{"tags":["x"],"data":{"b":1.0,"a":[]},"position":{"y":1,"x":2}}',
    headers: { 'if-match': '"2"' },
    status: 200,
  },
  'a body that is removed': { method: 'DELETE', path: '/s/bodies/a', status: 200 },
  operations: {
    method: 'POST',
    path: '/s/operations',
    body: {
      operations: [
        { op: 'move', id: 'a', position: { x: 1, y: 1 } },
        { op: 'remove', id: 'a' },
      ],
    },
    status: 200,
  },
  'an import': {
    method: 'POST',
    path: '/s/import?format=geojson&source=g',
    body: geojson,
    headers: { 'content-type': 'application/geo+json' },
    status: 200,
  },
  'an import of nothing new': {
    method: 'POST',
    path: '/s/import?format=geojson&source=g',
    body: '{"type":"FeatureCollection","features":[]}',
    headers: { 'content-type': 'application/geo+json' },
    status: 200,
  },
}

const told = ({ status, headers: { etag, location }, text }: SceneAnswer) => ({ status, etag, location, text })

/** The same in a scene of another id. */
const within = (id: string, write: Write): Write => ({
  ...write,
  path: write.path.replace(/^[/](s|new)(?=[/?]|$)/, (_path, name: string) => (name === 's' ? `/${id}` : `/${id}-new`)),
})

const ask = (client: SceneClient, { method, path, body, headers }: Write, key: string) =>
  client.send(method, path, body, { ...headers, 'idempotency-key': key })

function another(write: Write): Write {
  if (write.headers?.['content-type'] !== undefined) return { ...write, body: `${write.body as string} ` }
  if (write.method === 'DELETE') return { ...write, method: 'PATCH', body: { tags: [] } }
  if (write.path.endsWith('/operations')) return { ...write, body: { operations: [{ op: 'clear' }] } }
  return { ...write, body: write.path.includes('bodies') ? circle(5) : { name: 'another' } }
}

describe.each(Object.entries(WAYS))('%s', (_way, pair) => {
  it('a request that is sent again is answered as before, and done once', async () => {
    const { first, next } = await pair()
    const asked: { name: string; write: Write; key: string; answer: SceneAnswer; id: string }[] = []
    for (const [name, given] of Object.entries(WRITES)) {
      const id = `s${asked.length}`
      const write = within(id, given)
      const key = `k${id}`
      await first.send('PUT', `/${id}`, {})
      await first.put(id, [{ id: 'a', ...circle() }])
      const answer = await ask(first, write, key)
      expect([name, answer.status, answer.text]).toEqual([name, write.status, answer.text])
      asked.push({ name, write, key, answer, id: write.path === '' ? answer.body.id : write.path.split(/[/?]/)[1] })
    }
    // everything is different afterwards
    const versions: number[] = []
    for (const { id } of asked) {
      await first.put(id, [{ id: 'a', ...circle(9) }])
      await first.send('DELETE', `/${id}/bodies/a`)
      await first.send('PUT', `/${id}`, { name: 'later', ttl: 9999 })
      versions.push((await first.send('GET', `/${id}`)).body.version)
    }
    const count = (await first.send('GET', '')).body.scenes.length
    const second = await next()
    for (const [k, { name, write, key, answer, id }] of asked.entries()) {
      expect([name, told(await ask(second, write, key))]).toEqual([name, told(answer)])
      expect([name, (await second.send('GET', `/${id}`)).body.version]).toEqual([name, versions[k]])
      const { status, body } = await ask(second, another(write), key)
      expect([name, status, body.code]).toEqual([name, 422, 'idempotency-key-reused'])
      // many at once
      const many = await Promise.all(Array.from({ length: 5 }, () => ask(second, write, `${key} again`)))
      const done = many.filter((each) => each.status < 300).map((each) => JSON.stringify(told(each)))
      expect([name, new Set(done).size]).toEqual([name, Math.min(done.length, 1)])
    }
    // but for one more of those that have ids of their own
    expect((await second.send('GET', '')).body.scenes).toHaveLength(count + 1)
  })
})

describe('a scene that is deleted', () => {
  const key = { 'idempotency-key': 'k' }

  it.each(['in memory', 'at another instance'])(
    '%s, is deleted once, though there is another of its id',
    async (way) => {
      const { first, next } = await WAYS[way]()
      await first.send('PUT', '/s', {})
      const second = await next()
      expect((await second.send('GET', '/s')).status).toBe(200)
      expect(told(await first.send('DELETE', '/s', undefined, key))).toMatchObject({ status: 204 })
      expect(told(await second.send('DELETE', '/s', undefined, key))).toMatchObject({ status: 204 })
      await first.send('PUT', '/s', { name: 'anew' })
      for (const client of [first, second]) {
        expect((await client.send('DELETE', '/s', undefined, key)).status).toBe(204)
        expect((await first.send('GET', '/s')).body.name).toBe('anew')
        expect((await client.send('DELETE', '/s', undefined, { 'idempotency-key': 'l' })).status).toBe(204)
        await first.send('PUT', '/s', { name: 'anew' })
      }
    },
  )
})

it('says where a refusal is not the last word: another try may be on its way', async () => {
  const { first } = await WAYS['at another instance']()
  await first.send('PUT', '/s', {})
  const said = async (client: SceneClient, headers: Record<string, string>) =>
    (await client.send('DELETE', '/s/bodies/none', undefined, headers)).body.detail as string
  expect(await said(first, { 'idempotency-key': 'k' })).toMatch(/that try may still be written[.]$/)
  expect(await said(first, {})).not.toMatch(/may still/)
  const alone = await opened(startScenes())
  await alone.send('PUT', '/s', {})
  // where one process writes, nothing is on its way that it does not know of
  expect(await said(alone, { 'idempotency-key': 'k' })).not.toMatch(/may still/)
})
