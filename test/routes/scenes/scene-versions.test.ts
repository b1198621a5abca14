// Versions of scenes as clients name them, and scenes that several instances serve over one store: what is read where others have
// written, and what is said when the store cannot be reached.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Replica, startReplica } from '../../support/services/replica.ts'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'
import { SharedDatabase } from '../../support/services/shared-memory-store.ts'
import { tagged } from '../../support/services/version-tag.ts'

const circle = { shape: { type: 'circle', radius: 1 } }

/** The digits of an ETag. */
const digestIn = (etag: string | undefined) => /^"\d+\.([0-9a-f]{8})"$/.exec(etag ?? '')?.[1] as string

describe('the digest in an ETag', () => {
  let client: SceneClient
  beforeAll(async () => {
    client = await startScenes()
  })
  afterAll(() => client.close())

  it('tells a scene from the one that had its id before', async () => {
    const { send } = client
    const first = (await send('PUT', '/again', {})).headers.etag as string
    await send('DELETE', '/again')
    const second = (await send('PUT', '/again', {})).headers.etag as string
    expect([first, second]).toEqual([tagged(1), tagged(1)])
    expect(second).not.toBe(first)
    const known = (tag: string) => send('GET', '/again', undefined, { 'if-none-match': tag })
    expect((await known(second)).status).toBe(304)
    expect((await known('"1"')).status).toBe(304)
    expect((await known(first)).status).toBe(200)
    for (const [method, path, body] of [
      ['PUT', '/again/bodies/a', circle],
      ['POST', '/again/operations', { operations: [{ op: 'clear' }] }],
      ['POST', '/again/operations?dryRun=true', { operations: [{ op: 'clear' }] }],
      ['PUT', '/again', { name: 'new' }],
      ['PUT', '/again', {}],
      ['DELETE', '/again', undefined],
    ] as const) {
      const refused = await send(method, path, body, { 'if-match': first })
      expect([refused.status, refused.body.code, refused.body.actual]).toEqual([412, 'version-mismatch', 1])
      expect(refused.body.detail).toBe(
        `The scene is at ${second}, of another history than the ${first} that If-Match asked for.`,
      )
      expect(refused.headers.etag).toBe(second)
    }
    const form = { 'content-type': 'application/geo+json', 'if-match': first }
    const file = JSON.stringify({ type: 'FeatureCollection', features: [] })
    expect((await send('POST', '/again/import?format=geojson', file, form)).status).toBe(412)
    expect((await send('PUT', '/again/bodies/a', circle, { 'if-match': second })).status).toBe(201)
  })

  it('may be left out, and stands in lists', async () => {
    const { send } = client
    const id = await client.createScene([{ id: 'a', ...circle }])
    const tag = (await send('GET', `/${id}`)).headers.etag as string
    const put = (ifMatch: string) => send('PUT', `/${id}/bodies/a`, circle, { 'if-match': ifMatch })
    expect((await put(`"1", "2.00000000" , ${tag}`)).body).toEqual({ version: 3, created: false })
    expect((await put('"1", W/"3"')).body).toEqual({ version: 4, created: false })
    expect((await put(' * ')).body).toEqual({ version: 5, created: false })
    expect((await put('"1.00000000", "5.00000000"')).body).toMatchObject({ code: 'version-mismatch', actual: 5 })
  })

  it('is of the answer, and stays with a version', async () => {
    const { send } = client
    const id = await client.createScene([{ id: 'a', ...circle }])
    const { etag } = (await send('GET', `/${id}`)).headers
    for (const path of ['', '/bodies', '/bodies/a', '/export?format=json']) {
      expect((await send('GET', `/${id}${path}`)).headers.etag).toBe(etag)
    }
    expect((await send('POST', `/${id}/overlap`, { point: { x: 0, y: 0 } })).headers.etag).toBe(etag)
    expect((await send('POST', `/${id}/batch`, { queries: [] })).headers.etag).toBe(etag)
    const write = { operations: [{ op: 'clear' }] }
    const tried = await send('POST', `/${id}/operations?dryRun=true`, write)
    expect(tried.headers.etag).toBe(etag)
    const key = { 'idempotency-key': 'once' }
    const done = await send('POST', `/${id}/operations`, write, key)
    expect(done.headers.etag).toBe((await send('GET', `/${id}`)).headers.etag)
    const again = await send('POST', `/${id}/operations`, write, key)
    expect([again.headers.etag, again.text]).toEqual([done.headers.etag, done.text])
  })
})

describe('a version that is wanted at least', () => {
  const database = new SharedDatabase()
  let writer: Replica
  let reader: Replica
  beforeAll(async () => {
    writer = await startReplica(database)
    reader = await startReplica(database, { QUERY_DEADLINE_MS: '8000' })
  })
  beforeEach(() => {
    reader.state.isDeaf = true
  })
  afterAll(async () => {
    await writer.close()
    await reader.close()
  })

  /** A scene that the reader has at version 1, and the writer at 2; its ETag there. */
  async function ahead(): Promise<{ id: string; etag: string }> {
    const id = await writer.createScene()
    expect((await reader.send('GET', `/${id}`)).body.version).toBe(1)
    const { headers } = await writer.send('PUT', `/${id}/bodies/a`, circle)
    return { id, etag: headers.etag as string }
  }

  const reads: [method: 'GET' | 'POST', path: string, body?: unknown][] = [
    ['GET', ''],
    ['GET', '/bodies'],
    ['GET', '/bodies/a'],
    ['GET', '/export?format=json'],
    ['POST', '/overlap', { point: { x: 0, y: 0 } }],
    ['POST', '/batch', { queries: [{ op: 'overlap', point: { x: 0, y: 0 } }] }],
  ]
  it.each(reads)('is read by an instance that has not heard of it: %s %s', async (method, path, body) => {
    const { id, etag } = await ahead()
    const headers = { 'if-version-at-least': etag }
    const read = await reader.send(method, `/${id}${path}`, body, headers)
    expect([read.status, read.headers.etag]).toEqual([200, etag])
    expect(read.headers['preference-applied']).toBeUndefined()
  })

  it.each(['2', '2.', '"2"', '"2.'])('is said in the query string as well, and in any form: %s', async (form) => {
    const { id, etag } = await ahead()
    const named = form.includes('.')
      ? form.replace('.', `.${digestIn(etag)}`) + (form.startsWith('"') ? '"' : '')
      : form
    const query = `atLeast=${encodeURIComponent(named)}`
    expect((await reader.send('GET', `/${id}?${query}`)).headers.etag).toBe(etag)
    const url = `/v1/2d/scenes/${id}/render.svg?${query}`
    expect((await reader.app.inject({ url, headers: { 'if-none-match': etag } })).statusCode).toBe(304)
  })

  it('is read line by line', async () => {
    const { id } = await ahead()
    const response = await reader.app.inject({
      method: 'POST',
      url: `/v1/2d/scenes/${id}/batch?atLeast=2`,
      headers: { 'content-type': 'application/x-ndjson' },
      payload: `${JSON.stringify({ op: 'overlap', point: { x: 0, y: 0 } })}\n`,
    })
    expect(JSON.parse(response.body)).toMatchObject({ op: 'overlap', bodies: [{ id: 'a' }] })
  })

  it('is waited for as long as Prefer says, and no longer than a query may take', async () => {
    const { id } = await ahead()
    const begun = performance.now()
    const wait = { 'if-version-at-least': '7', prefer: 'respond-async, wait=1' }
    const refused = await reader.send('GET', `/${id}`, undefined, wait)
    expect(performance.now() - begun).toBeGreaterThan(990)
    expect([refused.status, refused.headers['retry-after'], refused.headers['preference-applied']]).toEqual([
      503,
      '1',
      'wait=1',
    ])
    expect(refused.body).toMatchObject({ code: 'version-not-reached', actual: 2 })
    expect(refused.headers.etag).toBeUndefined()
    const longer = { 'if-version-at-least': '3', prefer: 'wait=60' }
    const waiting = reader.send('GET', `/${id}`, undefined, longer)
    await writer.send('PUT', `/${id}/bodies/b`, circle)
    const read = await waiting
    expect([read.body.version, read.headers['preference-applied']]).toEqual([3, 'wait=8'])
  })

  it('of another history is never reached', async () => {
    const { id, etag } = await ahead()
    const other = etag.replace(digestIn(etag), '00000000')
    const refused = await reader.send('GET', `/${id}`, undefined, { 'if-version-at-least': other })
    expect(refused.body).toMatchObject({ status: 503, code: 'version-not-reached', actual: 2 })
    expect(refused.body.detail).toContain('of another history')
  })

  it('must be a version', async () => {
    const { id } = await ahead()
    for (const wrong of ['x', '-1', '1.5', '"1', '01', '1.0000000g']) {
      const { status, body } = await reader.send('GET', `/${id}`, undefined, { 'if-version-at-least': wrong })
      expect([status, body.code]).toEqual([400, 'schema-violation'])
      expect(body.detail).toMatch(/^If-Version-At-Least must be the version of a scene, such as 12/)
    }
    expect((await reader.send('POST', `/${id}/overlap?atLeast=x`, { point: { x: 0, y: 0 } })).status).toBe(400)
    expect((await reader.send('GET', '/nowhere?atLeast=3')).status).toBe(404)
  })

  it('need not be said by who writes: what If-Match names is looked for', async () => {
    for (const [method, path, body] of [
      ['PUT', '/bodies/a', circle],
      ['POST', '/operations', { operations: [{ op: 'clear' }] }],
      ['POST', '/operations?dryRun=true', { operations: [{ op: 'clear' }] }],
      ['PUT', '', { name: 'x' }],
      ['PUT', '', {}],
      ['DELETE', '', undefined],
    ] as const) {
      const { id, etag } = await ahead()
      const { status } = await reader.send(method, `/${id}${path}`, body, { 'if-match': etag })
      expect([method, path, status < 300]).toEqual([method, path, true])
    }
  })
})

describe('a store that cannot be reached', () => {
  const database = new SharedDatabase()
  let replica: Replica
  beforeAll(async () => {
    replica = await startReplica(database)
  })
  beforeEach(() => Object.assign(replica.state, { weather: 'fair', staleMs: 0 }))
  afterAll(() => replica.close())

  it('leaves scenes that are in memory, which say since when nothing is known', async () => {
    const id = await replica.createScene([{ id: 'a', ...circle }])
    Object.assign(replica.state, { weather: 'away', staleMs: 2100 })
    const read = await replica.send('GET', `/${id}`)
    expect([read.status, read.headers['tangent-stale']]).toEqual([200, '3'])
    const asked = await replica.send('POST', `/${id}/overlap`, { point: { x: 0, y: 0 } })
    expect([asked.status, asked.headers['tangent-stale']]).toEqual([200, '3'])
    const known = await replica.send('GET', `/${id}`, undefined, { 'if-none-match': read.headers.etag as string })
    expect([known.status, known.headers['tangent-stale']]).toEqual([304, '3'])
    replica.state.staleMs = 1
    expect((await replica.send('GET', `/${id}`)).headers['tangent-stale']).toBe('1')
    replica.state.staleMs = 0
    expect((await replica.send('GET', `/${id}`)).headers['tangent-stale']).toBeUndefined()
  })

  it('is 503 store-unavailable for everything else', async () => {
    const id = await replica.createScene()
    replica.state.weather = 'away'
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/elsewhere', undefined],
      ['POST', '', {}],
      ['PUT', '/elsewhere', {}],
      ['PUT', `/${id}/bodies/a`, circle],
      ['POST', `/${id}/operations`, { operations: [{ op: 'clear' }] }],
      ['PUT', `/${id}`, { name: 'x' }],
      ['DELETE', `/${id}`, undefined],
      ['GET', '/elsewhere?atLeast=3', undefined],
    ] as const) {
      const answer = await replica.send(method, path, body)
      expect([method, path, answer.status, answer.body?.code]).toEqual([method, path, 503, 'store-unavailable'])
      expect(answer.headers['retry-after']).toBe('1')
    }
  })

  it('leaves the instance ready, but not for writes', async () => {
    const ready = async (query = '') => (await replica.app.inject(`/readyz${query}`)).json()
    expect(await ready('?for=writes')).toEqual({ status: 'ok' })
    replica.state.weather = 'away'
    expect(await ready()).toEqual({ status: 'ok' })
    expect(await ready('?for=writes')).toMatchObject({ status: 503, code: 'store-unavailable' })
    expect(await ready('?for=reads')).toMatchObject({ status: 400, code: 'schema-violation' })
  })

  it('says when it is not known whether a write was accepted', async () => {
    const id = await replica.createScene()
    const { store, state } = replica
    const append = store.append.bind(store)
    // it is written, and nobody can be asked
    store.append = (entries) => {
      state.weather = 'done-unknown'
      return append(entries).finally(() => {
        state.weather = 'away'
      })
    }
    const operations = [{ op: 'clear' }]
    const write = () => replica.send('POST', `/${id}/operations`, { operations }, { 'idempotency-key': 'k' })
    const unknown = await write()
    store.append = append
    expect([unknown.status, unknown.body.code, unknown.headers['retry-after']]).toEqual([503, 'outcome-unknown', '1'])
    expect(unknown.body.detail).toContain('the same Idempotency-Key')
    state.weather = 'fair'
    const again = await write()
    expect([again.status, again.body]).toEqual([200, { version: 2, applied: 1 }])
  }, 20_000)

  it('is told in health and metrics', async () => {
    const alone = await startScenes()
    const numbers = async ({ app }: Pick<Replica, 'app'>) => (await app.inject('/metrics')).body
    try {
      expect((await alone.app.inject('/healthz')).json().store).toBeNull()
      expect(await numbers(alone)).not.toMatch(/^tangent_store_/m)
    } finally {
      await alone.close()
    }
    replica.state.staleMs = 1500
    const { store } = (await replica.app.inject('/healthz')).json()
    expect(store).toMatchObject({
      reachable: true,
      writable: true,
      following: 'notify',
      staleMs: 1500,
      meanCommitMs: 2.5,
    })
    expect(Object.keys(store)).toHaveLength(11)
    const text = await numbers(replica)
    expect(text).toMatch(/^tangent_store_stale_seconds 1.5$/m)
    expect(text).toMatch(/^tangent_store_commits_total 2$/m)
    expect(text).toMatch(/^tangent_store_notified 1$/m)
    expect(text.match(/^tangent_store_\w+ /gm)).toHaveLength(11)
  })
})

describe('MAX_STALENESS_MS', () => {
  it('is how long scenes are read of which nothing new is known', async () => {
    const replica = await startReplica(new SharedDatabase(), { MAX_STALENESS_MS: '5000' })
    try {
      const id = await replica.createScene()
      replica.state.staleMs = 5000
      expect((await replica.send('GET', `/${id}`)).headers['tangent-stale']).toBe('5')
      replica.state.staleMs = 5001
      const refused = await replica.send('GET', `/${id}`)
      expect(refused.body).toMatchObject({ status: 503, code: 'store-unavailable' })
      const lines = await replica.app.inject({
        method: 'POST',
        url: `/v1/2d/scenes/${id}/batch`,
        headers: { 'content-type': 'application/x-ndjson' },
        payload: '{"op":"pairs"}\n',
      })
      expect(lines.statusCode).toBe(503)
    } finally {
      await replica.close()
    }
  })
})

describe('lists of scenes', () => {
  it('are of all scenes of the store, by id, a page at a time', async () => {
    const database = new SharedDatabase()
    const [one, two] = [await startReplica(database), await startReplica(database)]
    try {
      for (const id of ['c', 'a', 'B', 'd']) await one.send('PUT', `/${id}`, { name: id })
      const first = (await two.send('GET', '?limit=3')).body
      expect(first.scenes.map(({ id }: { id: string }) => id)).toEqual(['B', 'a', 'c'])
      expect(first.scenes[0]).toEqual((await one.send('GET', '/B')).body)
      expect((await two.send('GET', `?limit=3&cursor=${first.next}`)).body).toMatchObject({
        scenes: [{ id: 'd' }],
        next: null,
      })
    } finally {
      await one.close()
      await two.close()
    }
  })
})

describe('lines of a batch', () => {
  it('find a scene again that has been let go or begun anew', async () => {
    const replica = await startReplica(new SharedDatabase())
    try {
      const id = 'lines'
      await replica.send('PUT', `/${id}`, {})
      await replica.send('PUT', `/${id}/bodies/a`, circle)
      const { keeper } = replica.app.scenes
      const scene = keeper?.loaded(id)
      // in the turn in which the lines are answered it is not in memory
      const loaded = keeper?.loaded.bind(keeper)
      let asked = 0
      Object.assign(keeper as object, { loaded: (of: string) => (asked++ === 0 ? null : loaded?.(of)) })
      const response = await replica.app.inject({
        method: 'POST',
        url: `/v1/2d/scenes/${id}/batch`,
        headers: { 'content-type': 'application/x-ndjson' },
        payload: '{"op":"overlap","point":{"x":0,"y":0}}\n{"op":"overlap","point":{"x":9,"y":0}}\n',
      })
      const lines = response.body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(lines.map(({ bodies }) => bodies.length)).toEqual([1, 0])
      expect(asked).toBe(2)
      expect(scene).not.toBeNull()
    } finally {
      await replica.close()
    }
  })
})
