// Large exports: of one version whatever is written meanwhile, no faster than they are taken, and given up with their readers.

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { TAIL_BYTE_COUNT } from '../../src/scene/keeper/snapshot-taker.ts'
import { type SceneClient, startScenes } from '../support/services/scene-client.ts'
import { tagged } from '../support/services/version-tag.ts'
import { exported, exportedText } from './exported.ts'

let client: SceneClient
let port: number
/** Ends of connections, the newest last. */
const sockets: Socket[] = []
beforeAll(async () => {
  client = await startScenes({ QUERY_DEADLINE_MS: '60000' })
  client.app.server.on('connection', (socket) => sockets.push(socket))
  await client.app.listen({ port: 0, host: '127.0.0.1' })
  port = (client.app.server.address() as AddressInfo).port
})
afterAll(() => client.close())
afterEach(() => vi.useRealTimers())

/** Teeth along a line. */
const comb = (count: number) => Array.from({ length: count }, (_, k) => ({ x: k, y: k % 2 }))
const bodies = (count: number, vertices: number) => {
  const shape = { type: 'chain', vertices: comb(vertices) }
  return Array.from({ length: count }, (_, k) => ({ id: `b${k}`, shape, position: { x: 0, y: k } }))
}

async function opened(sceneId: string, format = 'json'): Promise<IncomingMessage> {
  const request = get({
    port,
    host: '127.0.0.1',
    path: `/v1/2d/scenes/${sceneId}/export?format=${format}`,
    agent: false,
  })
  const [response] = await once(request, 'response')
  request.on('error', () => undefined)
  response.on('error', () => undefined)
  return response
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return text
}

const viewsOf = (sceneId: string) => client.app.scenes.keeper?.loaded(sceneId)?.views.size

/** Views are let go of in turns, of which there are many where processors are shared. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 2000 && !holds(); tries++) await setImmediate()
  for (let tries = 0; tries < 3000 && !holds(); tries++) await pause(10)
  expect(holds()).toBe(true)
}

/** Until nothing more fits into the buffers of the newest connection, whose client does not read. */
async function untilFull(): Promise<void> {
  let turns = 0
  await until(() => {
    turns = sockets.at(-1)?.writableNeedDrain === true ? turns + 1 : 0
    return turns > 100
  })
}

/** More than fits into the buffers of a connection. */
let large: string
beforeAll(async () => {
  // So much that a snapshot is taken with the write, which has a view of its own meanwhile. Of less it would be taken some seconds later.
  const data = 'x'.repeat(4000)
  large = await client.createScene(
    Array.from({ length: TAIL_BYTE_COUNT / 4000 }, (_, k) => ({ id: `b${k}`, shape: { type: 'point' }, data })),
  )
  await until(() => viewsOf(large) === 0)
})

describe('a large file', () => {
  it('is of one version, whatever is written while it is sent', async () => {
    const id = await client.createScene(bodies(2000, 40))
    const before = await exportedText(client, id, 'format=json')
    const response = await opened(id)
    expect(response.headers['transfer-encoding']).toBe('chunked')
    await client.put(id, bodies(2000, 3))
    await client.send('POST', `/${id}/operations`, { operations: [{ op: 'remove', id: 'b1999' }] })
    expect(await textOf(response)).toBe(before)
    expect(response.headers.etag).toEqual(tagged(2))
    await until(() => viewsOf(id) === 0)
    expect((await exported(client, id, 'format=json')).headers.etag).toEqual(tagged(4))
  })

  it('waits for whoever takes it, and is let go of with them', async () => {
    const response = await opened(large)
    response.pause()
    await untilFull()
    expect(viewsOf(large)).toBe(1)
    response.destroy()
    await until(() => viewsOf(large) === 0)
  })

  it('is given up where nothing is taken for half a minute', async () => {
    // connections are looked at each second, as long as there is anything to see
    await pause(1500)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const response = await opened(large)
    response.pause()
    await untilFull()
    vi.advanceTimersByTime(29_000)
    await setImmediate()
    expect(viewsOf(large)).toBe(1)
    vi.advanceTimersByTime(2000)
    vi.useRealTimers()
    await until(() => viewsOf(large) === 0)
    // what was cut off does not look whole
    await expect(textOf(response)).rejects.toThrow()
  })

  it('is refused while many are sent, and small ones are not', async () => {
    const small = await client.createScene(bodies(1, 3))
    const responses = await Promise.all(Array.from({ length: 16 }, () => opened(large)))
    for (const response of responses) response.pause()
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 200))
    const refused = await exported(client, large, 'format=svg')
    const { etag, 'retry-after': wait, 'content-disposition': disposition } = refused.headers
    expect([etag, disposition]).toEqual([undefined, undefined])
    expect([refused.status, wait]).toEqual([503, '1'])
    expect(JSON.parse(refused.text).code).toBe('overloaded')
    expect((await exported(client, small, 'format=json')).status).toBe(200)
    for (const response of responses) response.destroy()
    await until(() => viewsOf(large) === 0)
    const next = await opened(large)
    expect(next.statusCode).toBe(200)
    next.destroy()
    await until(() => viewsOf(large) === 0)
  })
})

describe('a shape that takes long to read', () => {
  it('is written by a worker, as others are', async () => {
    const outer = [...comb(20_000), { x: 19_999, y: 9 }, { x: 0, y: 9 }]
    const body = { id: 'a', shape: { type: 'region', outer }, position: { x: 2, y: 0 }, tags: ['t'], data: { k: [1] } }
    const id = await client.createScene([body])
    const json = JSON.parse(await exportedText(client, id, 'format=json'))
    expect(json.bodies).toEqual([body])
    const mirrored = JSON.parse(await exportedText(client, id, 'format=json&yUp=true'))
    expect(mirrored.bodies[0].shape.outer[1]).toEqual({ x: 1, y: -1 })
    expect(mirrored.bodies[0]).toMatchObject({ tags: ['t'], data: { k: [1] } })
    const { features } = JSON.parse(await exportedText(client, id, 'format=geojson'))
    const [ring] = features[0].geometry.coordinates
    expect([ring.length, ring[1]]).toEqual([20_003, [3, 1]])
    expect(features[0].properties).toEqual({ tags: ['t'], data: { k: [1] } })
    const svg = await exportedText(client, id, 'format=svg')
    expect(svg).toContain('points="0,0 1,1 2,0 3,1 ')
    expect(svg).toContain('data-id="a" class="t"')
  })
})
