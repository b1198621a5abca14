// Imports into scenes that others write to all the time: they take no notice of each other, whoever writes where.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCount } from '../../support/runs.ts'
import { type Replica, startReplica } from '../../support/services/replica.ts'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'
import { SharedDatabase } from '../../support/services/shared-memory-store.ts'

const SIDE = 50
const TAG = 'import:map'
const square = (x: number, y: number) => [
  [x, y],
  [x + 1, y],
  [x + 1, y + 1],
  [x, y + 1],
  [x, y],
]

/** `count` squares, each `across` wide of the next. */
const map = (count: number, across: number) => ({
  type: 'FeatureCollection',
  features: Array.from({ length: count }, (_, id) => ({
    type: 'Feature',
    id,
    properties: {},
    geometry: { type: 'Polygon', coordinates: [square(across * (id % SIDE), 2 * Math.floor(id / SIDE))] },
  })),
})

const circle = { type: 'circle', radius: 1 }
const put = (id: string, more: object = {}) => ({ op: 'put', body: { id, shape: circle, ...more } })
/** What a writer does at its turn `k`. */
const WRITERS: Record<string, (k: number) => object[]> = {
  'moves a body of its own': (k) => [{ op: 'move', id: 'walker', position: { x: k, y: 0 } }],
  'moves bodies of the file': (k) => [
    put('map:7', { tags: [TAG] }),
    { op: 'move', id: 'map:7', position: { x: k, y: k } },
  ],
  'takes bodies of the file away': (k) =>
    k % 2 === 0 ? [put('map:3'), { op: 'remove', id: 'map:3' }] : [put('map:4')],
  'has bodies that look like the file’s': (k) => [put(`map:late.${k}`, { tags: [TAG] })],
  'clears the scene': () => [{ op: 'clear' }, put('walker')],
}

/** Writes again and again until it is stopped; says how often it did. */
function writeTo(client: SceneClient, scene: string, operationsOf: (k: number) => object[], everyMs: number) {
  let isOver = false
  let k = 0
  const done = (async () => {
    for (; !isOver; k++) {
      const { status, text } = await client.send('POST', `/${scene}/operations`, { operations: operationsOf(k) })
      if (status !== 200) throw new Error(text)
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  })()
  const stop = () => {
    isOver = true
    return done
  }
  return { stop, turns: () => k }
}

const COUNT = 500
const bodiesOf = async (client: SceneClient, scene: string) => {
  const found: { id: string; shape: object; tags?: string[] }[] = []
  for (let cursor = ''; ; ) {
    const { body } = await client.send('GET', `/${scene}/bodies?limit=1000${cursor}`)
    found.push(...body.bodies)
    if (body.next === null || body.next === undefined) return found
    cursor = `&cursor=${body.next}`
  }
}

/** Imports one of two maps after the other beside a writer. */
async function importBeside(importer: SceneClient, writer: SceneClient, name: string, everyMs: number) {
  const scene = await importer.createScene([{ id: 'walker', shape: circle }])
  await writer.send('GET', `/${scene}`)
  const { stop, turns } = writeTo(writer, scene, WRITERS[name], everyMs)
  const refused: string[] = []
  // an import may be done before the writer's second turn
  const isEnough = (run: number) => run >= runCount(9) && (turns() > 1 || run > 1000)
  for (let run = 0; !isEnough(run); run++) {
    const file = map(COUNT - (run % 3), 2 + (run % 2))
    const { status, text } = await importer.send('POST', `/${scene}/import?format=geojson&source=map`, file)
    if (status !== 200) refused.push(text)
  }
  await stop()
  expect(turns()).toBeGreaterThan(1)
  expect(refused).toEqual([])
  // once nobody else writes, one more leaves exactly the file
  const last = map(COUNT, 2)
  expect((await importer.send('POST', `/${scene}/import?format=geojson&source=map`, last)).status).toBe(200)
  const again = await importer.send('POST', `/${scene}/import?format=geojson&source=map`, last)
  expect(again.body).toMatchObject({ added: 0, updated: 0, removed: 0 })
  const tagged = (await bodiesOf(importer, scene)).filter(({ tags }) => tags?.includes(TAG))
  expect(tagged.length + again.body.skipped.length).toBe(COUNT)
}

describe('an import beside somebody who', () => {
  let client: SceneClient
  beforeAll(async () => {
    client = await startScenes()
  })
  afterAll(() => client.close())

  it.each(Object.keys(WRITERS))('%s is done', (name) => importBeside(client, client, name, 1))

  it('writes is refused where If-Match asks for a version that has passed', async () => {
    const scene = await client.createScene()
    const { headers } = await client.send('GET', `/${scene}`)
    await client.send('POST', `/${scene}/operations`, { operations: [put('a')] })
    const ifMatch = { 'if-match': headers.etag as string }
    const refused = await client.send('POST', `/${scene}/import?format=geojson&source=map`, map(3, 2), ifMatch)
    expect(refused.status).toBe(412)
    expect(refused.body.detail).not.toContain('undefined')
  })
})

describe('an import beside somebody who, at another instance,', () => {
  const database = new SharedDatabase()
  let here: Replica
  let there: Replica
  beforeAll(async () => {
    here = await startReplica(database)
    there = await startReplica(database)
  })
  afterAll(async () => {
    await here.close()
    await there.close()
  })

  it.each(Object.keys(WRITERS))('%s is done', (name) => importBeside(here, there, name, 20))

  it('always comes first is done, while that one waits', async () => {
    const scene = await here.createScene([{ id: 'walker', shape: circle }])
    await there.send('GET', `/${scene}`)
    let turns = 0
    const append = here.store.append.bind(here.store)
    const appending = vi.spyOn(here.store, 'append').mockImplementation(async (each) => {
      const operations = [{ op: 'move', id: 'walker', position: { x: ++turns, y: 0 } }]
      expect((await there.send('POST', `/${scene}/operations`, { operations })).status).toBe(200)
      return append(each)
    })
    try {
      const imported = await here.send('POST', `/${scene}/import?format=geojson&source=map`, map(COUNT, 2))
      expect(imported.body).toMatchObject({ added: COUNT })
    } finally {
      appending.mockRestore()
    }
    expect(turns).toBeGreaterThan(2)
    expect((await bodiesOf(here, scene)).length).toBe(COUNT + 1)
  })
})
