// Streams of events where several instances serve one store: who comes back to another of them, to a scene that is not the one that it
// was, or to a store that was put back.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseEventId } from '../../../src/scene/feed/happening.ts'
import { openEvents, said } from '../../support/services/event-request.ts'
import { type Replica, startReplica } from '../../support/services/replica.ts'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'
import { SharedDatabase } from '../../support/services/shared-memory-store.ts'

const circle = { shape: { type: 'circle', radius: 1 } }

/** The events that are told who comes back behind one, as many as are waited for. */
async function heardBehind(client: Pick<SceneClient, 'app'>, path: string, lastEventId: string, count: number) {
  const stream = await openEvents(client, path, { 'last-event-id': lastEventId })
  const events = await stream.events(count)
  stream.close()
  await stream.ended
  return events
}

describe('events of a scene that several instances serve', () => {
  const database = new SharedDatabase()
  let one: Replica
  let two: Replica
  beforeAll(async () => {
    one = await startReplica(database)
    two = await startReplica(database)
    for (const { app } of [one, two]) await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await one.close()
    await two.close()
  })

  const put = (replica: Replica, id: string, body: string) => replica.send('PUT', `/${id}/bodies/${body}`, circle)

  it.each(['', '?overlaps=true'])('are the same from each of them, live and later: %s', async (query) => {
    const id = await one.createScene()
    const path = `/${id}/events${query}`
    const there = await openEvents(two, path)
    await there.events(1)
    const here = await openEvents(one, path)
    await here.events(1)
    for (const [replica, body] of [
      [one, 'a'],
      [two, 'b'],
      [one, 'c'],
    ] as const) {
      expect((await put(replica, id, body)).status).toBe(201)
    }
    const count = query === '' ? 4 : 7
    const events = await there.events(count)
    expect(await here.events(count)).toEqual(events)
    there.close()
    here.close()
    for (let k = 0; k < count - 1; k++) {
      const behind = await heardBehind(k % 2 === 0 ? one : two, path, events[k].id, count - 1 - k)
      expect(behind).toEqual(events.slice(k + 1))
    }
  })

  it('go on at an instance that has not heard of as much yet', async () => {
    const id = await one.createScene()
    await two.send('GET', `/${id}`)
    two.state.isDeaf = true
    const { headers } = await put(one, id, 'a')
    const stream = await openEvents(two, `/${id}/events`, { 'last-event-id': headers.etag as string })
    two.state.isDeaf = false
    await put(one, id, 'b')
    expect(said(await stream.events(1))).toEqual(['operations 3'])
    stream.close()
    await stream.ended
  })

  it.each(['', '?overlaps=true'])('end where the scene is deleted, whoever did that: %s', async (query) => {
    const id = await one.createScene()
    const streams = [await openEvents(one, `/${id}/events${query}`), await openEvents(two, `/${id}/events${query}`)]
    for (const stream of streams) await stream.events(1)
    await put(two, id, 'a')
    for (const stream of streams) await stream.events(2)
    expect((await two.send('DELETE', `/${id}`)).status).toBe(204)
    for (const stream of streams) {
      await stream.ended
      expect(said(await stream.events(3))).toEqual(['ready 1', 'operations 2', 'gone '])
    }
    expect((await one.send('GET', `/${id}`)).status).toBe(404)
  })

  it('end where the scene expires', async () => {
    const polling = await startReplica(database, {}, 50)
    try {
      await polling.app.listen({ host: '127.0.0.1', port: 0 })
      const { id } = (await one.send('POST', '', { ttl: 1 })).body
      const stream = await openEvents(polling, `/${id}/events`)
      await stream.ended
      expect(said(await stream.events(2))).toEqual(['ready 1', 'gone '])
    } finally {
      await polling.close()
    }
  }, 20_000)

  it.each(['', '?overlaps=true'])('begin anew with a scene that was begun anew: %s', async (query) => {
    const id = `anew${query.length}`
    await one.send('PUT', `/${id}`, {})
    for (const body of ['a', 'b', 'c']) await put(one, id, body)
    const old = await openEvents(two, `/${id}/events${query}`)
    const [{ id: last }] = await old.events(1)
    old.close()
    await two.send('DELETE', `/${id}`)
    await one.send('PUT', `/${id}`, {})
    for (const body of ['a', 'b', 'c', 'd', 'e']) await put(one, id, body)
    const { etag } = (await one.send('GET', `/${id}`)).headers
    const stands = etag?.replaceAll('"', '')
    for (const replica of [one, two]) {
      // from memory, and out of the log
      for (const known of [last, `"${last}"`, last.replace('4.', '2.')]) {
        const [event] = await heardBehind(replica, `/${id}/events${query}`, known, 1)
        expect([event.event, event.id, event.data]).toEqual(['reset', stands, { version: 6 }])
      }
      // whoever does not say which fourth version is believed
      const [told] = said(await heardBehind(replica, `/${id}/events`, '4', 1))
      expect(told).toBe('operations 5')
    }
  })

  it.each(['', '?overlaps=true'])('say where the scene stands when its store was put back: %s', async (query) => {
    const id = await one.createScene()
    for (const body of ['a', 'b', 'c']) await put(one, id, body)
    const stream = await openEvents(two, `/${id}/events${query}`)
    const [{ id: lost }] = await stream.events(1)
    expect(parseEventId(lost)?.version).toBe(4)
    database.rollBack(id, 2)
    // the next who writes finds out
    const begun = performance.now()
    const { headers } = await put(two, id, 'd')
    await stream.ended
    expect(performance.now() - begun).toBeLessThan(25_000)
    const events = await stream.events(2)
    expect(events[1]).toMatchObject({ event: 'reset' })
    const { version } = events[1].data
    expect(events[1].id).toMatch(new RegExp(`^${version}[.][0-9a-f]{8}$`))
    expect([2, 3]).toContain(version)
    await put(two, id, 'e')
    // it goes on from there; who comes back with what was lost is told the same
    const rest = said(await heardBehind(two, `/${id}/events`, events[1].id, 4 - version))
    expect(rest).toEqual(['operations 3', 'operations 4'].slice(version - 2))
    const [again] = await heardBehind(two, `/${id}/events${query}`, lost, 1)
    expect(again).toMatchObject({ event: 'reset', data: { version: 4 } })
    expect(headers.etag).toMatch(/^"3\./)
  })
})

describe('events of a scene that is deleted and begun anew in one process', () => {
  it('begin anew', async () => {
    const client = await startScenes()
    try {
      await client.app.listen({ host: '127.0.0.1', port: 0 })
      const { send } = client
      await send('PUT', '/s', {})
      const { etag } = (await send('PUT', '/s/bodies/a', circle)).headers
      await send('DELETE', '/s')
      await send('PUT', '/s', {})
      const stream = await openEvents(client, '/s/events')
      await stream.events(1)
      for (const body of ['a', 'b']) await send('PUT', `/s/bodies/${body}`, circle)
      await stream.events(3)
      const [event] = await heardBehind(client, '/s/events', etag as string, 1)
      expect(event).toMatchObject({ event: 'reset', data: { version: 3 } })
      expect(said(await heardBehind(client, '/s/events', '2', 1))).toEqual(['operations 3'])
      stream.close()
      await stream.ended
    } finally {
      await client.close()
    }
  })
})
