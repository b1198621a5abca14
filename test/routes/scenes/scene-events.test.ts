// Streams of events over a socket: what is told, where they go on, and how they end.

import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestsUnderWay } from '../../../src/plugins/connections.ts'
import { parseEvents } from '../../support/services/event-listener.ts'
import { openEvents as open, said } from '../../support/services/event-request.ts'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'

let client: SceneClient
let send: SceneClient['send']
beforeAll(async () => {
  client = await startScenes({ EVENT_HEARTBEAT_MS: '100', MAX_SUBSCRIBERS: '3' })
  send = client.send
  await client.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => client.close())

const circle = (id: string, x: number, more: object = {}) => ({
  id,
  shape: { type: 'circle', radius: 1 },
  position: { x, y: 0 },
  ...more,
})

describe('GET /v1/2d/scenes/{sceneId}/events', () => {
  it('tells operations and pairs, and goes on behind the last event', async () => {
    const id = await client.createScene([circle('a', 0), circle('b', 2)])
    const stream = await open(client, `/${id}/events?overlaps=true`)
    expect(stream.status).toBe(200)
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers['x-request-id']).toBeDefined()
    await stream.events(1)
    await client.put(id, [circle('c', 1, { sensor: true, data: 'two\nlines' })])
    await send('POST', `/${id}/operations`, { operations: [{ op: 'remove', id: 'a' }] })
    const events = await stream.events(7)
    expect(said(events)).toEqual([
      'ready 2',
      'operations 3.1',
      'overlap-began 3.2',
      'overlap-began 3',
      'operations 4.1',
      'overlap-ended 4.2',
      'overlap-ended 4',
    ])
    const ids = events.map(({ id }) => id.split('.'))
    expect(ids.map((parts) => parts.length)).toEqual([2, 3, 3, 2, 3, 3, 2])
    // one digest for all events of a version
    expect(new Set(ids.map((parts) => `${parts[0]} ${parts.at(-1)}`)).size).toBe(3)
    expect(events[1].data).toEqual({
      version: 3,
      operations: [{ op: 'put', body: circle('c', 1, { sensor: true, data: 'two\nlines' }) }],
    })
    expect(events[2].data).toEqual({ version: 3, a: 'a', b: 'c', relation: 'overlapping' })
    expect(events[5].data).toEqual({ version: 4, a: 'a', b: 'b', relation: 'separated' })
    stream.close()

    const again = await open(client, `/${id}/events?overlaps=true`, { 'last-event-id': '3.2' })
    const rest = await again.events(4)
    expect(rest.map(({ id }) => id)).toEqual(events.slice(3).map(({ id }) => id))
    again.close()
    const named = await open(client, `/${id}/events?overlaps=true&lastEventId=${events[2].id}`)
    expect(await named.events(4)).toEqual(rest)
    named.close()
    const plain = await open(client, `/${id}/events?lastEventId=2`)
    expect(said(await plain.events(2))).toEqual(['operations 3', 'operations 4'])
    plain.close()
    await Promise.all([stream.ended, again.ended, named.ended, plain.ended])
  })

  it('tells only of pairs with a tag, or of a body, when asked to', async () => {
    const id = await client.createScene([circle('a', 0), circle('b', 9)])
    const tagged = await open(client, `/${id}/events?overlaps=true&tag=red`)
    const own = await open(client, `/${id}/events?overlaps=true&bodyId=a`)
    await Promise.all([tagged.events(1), own.events(1)])
    await client.put(id, [circle('c', 1), circle('d', 8, { tags: ['red'] })])
    expect((await tagged.events(3)).slice(1).map(({ data }) => data.a)).toEqual([undefined, 'b'])
    expect((await own.events(3)).slice(1).map(({ data }) => data.b)).toEqual([undefined, 'c'])
    tagged.close()
    own.close()
    await Promise.all([tagged.ended, own.ended])
  })

  it('says that it is alive, that there are too many, and that a scene is gone', async () => {
    const id = await client.createScene()
    const streams = await Promise.all([1, 2, 3].map(() => open(client, `/${id}/events`)))
    const refused = await open(client, `/${id}/events`)
    expect(refused.status).toBe(503)
    await refused.ended
    expect(JSON.parse(refused.text())).toMatchObject({ code: 'overloaded' })
    expect((await client.app.inject('/metrics')).body).toContain('tangent_event_subscribers 3')
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect(streams[0].text()).toContain('\n\n:\n\n')
    await send('DELETE', `/${id}`)
    await Promise.all(streams.map(({ ended }) => ended))
    expect(said(await streams[2].events(2))).toEqual(['ready 1', 'gone '])
  })

  it('refuses what is no id of an event, and scenes that are not there', async () => {
    const id = await client.createScene()
    expect((await send('GET', `/${id}/events?lastEventId=x`)).status).toBe(400)
    for (const wrong of [
      '1.0',
      '9e99',
      '-1',
      '1.5.5',
      '1.123456',
      '1.5.1234567',
      '1.1F3A9C07',
      '"1',
      '01',
      '4'.repeat(400),
    ]) {
      const { status, body } = await send('GET', `/${id}/events`, undefined, { 'last-event-id': wrong })
      expect([status, body.code]).toEqual([400, 'schema-violation'])
    }
    expect((await send('GET', '/nowhere/events')).status).toBe(404)
  })

  it('tells HEAD what it would be, and does not stay', async () => {
    const id = await client.createScene()
    const { port } = client.app.server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}/v1/2d/scenes/${id}/events`, { method: 'HEAD' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(client.app.scenes.feeds.subscriberCount).toBe(0)
  })

  it('holds one stream of a connection, however many it asks for, and none when it is lost', async () => {
    const id = await client.createScene()
    const { port } = client.app.server.address() as AddressInfo
    const underWay = requestsUnderWay()
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET /v1/2d/scenes/${id}/events HTTP/1.1\r\nHost: tangent\r\n\r\n`.repeat(20))
    const text = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))))
    expect(text).toContain('200 OK')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(client.app.scenes.feeds.subscriberCount).toBe(1)
    socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(client.app.scenes.feeds.subscriberCount).toBe(0)
    expect(requestsUnderWay()).toBe(underWay)
  })

  it('is read by fetch with a token, and goes on behind an id, out of the log', async () => {
    const own = await startScenes({ API_TOKENS: 'secret', CORS_ORIGIN: 'http://editor.example' })
    await own.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = own.app.server.address() as AddressInfo
    const base = `http://127.0.0.1:${port}/v1/2d/scenes`
    const authorization = 'Bearer secret'
    const json = { authorization, 'content-type': 'application/json' }
    const { id } = (await (await fetch(base, { method: 'POST', headers: json, body: '{}' })).json()) as { id: string }
    const url = `${base}/${id}/events`
    expect((await fetch(url)).status).toBe(401)
    const asking = { origin: 'http://editor.example', 'access-control-request-method': 'GET' }
    const asked = { ...asking, 'access-control-request-headers': 'authorization,last-event-id' }
    const allowed = await own.app.inject({ method: 'OPTIONS', url: `/v1/2d/scenes/${id}/events`, headers: asked })
    expect(allowed.headers['access-control-allow-headers']).toBe('authorization,last-event-id')
    const controller = new AbortController()
    const { body, headers } = await fetch(url, {
      headers: { authorization, 'last-event-id': '0', 'accept-encoding': 'gzip', origin: 'http://editor.example' },
      signal: controller.signal,
    })
    expect(headers.get('content-encoding')).toBeNull()
    expect(headers.get('access-control-allow-origin')).toBe('http://editor.example')
    let text = ''
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    while (!text.includes('event: ')) text += (await reader?.read())?.value ?? ''
    expect(said(parseEvents(text).events)).toEqual(['operations 1'])
    controller.abort()
    await own.close()
  })

  it('ends when the service does, which does not wait for it', async () => {
    const own = await startScenes({ DRAIN_MS: '60000' })
    await own.app.listen({ host: '127.0.0.1', port: 0 })
    const id = await own.createScene()
    const stream = await open(own, `/${id}/events`)
    await stream.events(1)
    const begun = performance.now()
    await own.close()
    await stream.ended
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect(said(await stream.events(2))).toEqual(['ready 1', 'closing '])
  })
})
