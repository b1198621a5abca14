// A map that is changed in its editor and imported again: exactly what was changed is written, and nothing where nothing was.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'

let client: SceneClient
beforeAll(async () => {
  client = await startScenes()
})
afterAll(() => client.close())

const WALL = { id: 0, objectgroup: { objects: [{ id: 1, x: 0, y: 0, width: 16, height: 16 }] } }
const TILESETS = [{ firstgid: 1, name: 'Set', tilewidth: 16, tileheight: 16, tiles: [WALL] }]
const START = {
  //   11..
  //   1..1   two regions
  cells: [1, 1, 0, 0, 1, 0, 0, 1],
  name: 'Props',
  objects: [
    { id: 1, x: 0.1, y: 0.2, width: 8, height: 8, rotation: 33.3 },
    { id: 2, x: 30, y: 0, width: 8, height: 8, properties: [{ name: 'hp', type: 'int', value: 3 }] },
    { id: 3, x: 60, y: 0, width: 8, height: 8, ellipse: true },
  ] as object[],
}

const mapOf = ({ cells, name, objects }: typeof START) => ({
  orientation: 'orthogonal',
  width: 4,
  height: 2,
  tilewidth: 16,
  tileheight: 16,
  tilesets: TILESETS,
  layers: [
    { type: 'tilelayer', name: 'Ground', width: 4, height: 2, data: cells },
    { type: 'objectgroup', name, objects },
  ],
})

type Change = (map: typeof START) => typeof START
const withObject =
  (index: number, more: object): Change =>
  (map) => ({ ...map, objects: map.objects.map((object, k) => (k === index ? { ...object, ...more } : object)) })
const withCells =
  (...cells: number[]): Change =>
  (map) => ({ ...map, cells })

const CHANGES: [name: string, change: Change, report: object, gone: string[]][] = [
  ['nothing', (map) => map, { added: 0, updated: 0, removed: 0 }, []],
  [
    'the order of objects',
    (map) => ({ ...map, objects: [...map.objects].reverse() }),
    { added: 0, updated: 0, removed: 0 },
    [],
  ],
  ['a place', withObject(0, { x: 5 }), { added: 0, updated: 1, removed: 0 }, []],
  ['a turn', withObject(0, { rotation: 33.4 }), { added: 0, updated: 1, removed: 0 }, []],
  ['a shape', withObject(2, { ellipse: false }), { added: 0, updated: 1, removed: 0 }, []],
  [
    'a property',
    withObject(1, { properties: [{ name: 'hp', type: 'int', value: 4 }] }),
    { added: 0, updated: 1, removed: 0 },
    [],
  ],
  ['a name', withObject(1, { name: 'door' }), { added: 0, updated: 1, removed: 0 }, []],
  [
    'an object less',
    (map) => ({ ...map, objects: map.objects.slice(1) }),
    { added: 0, updated: 0, removed: 1 },
    ['Props:1'],
  ],
  [
    'an object more',
    (map) => ({ ...map, objects: [...map.objects, { id: 9, x: 0, y: 0 }] }),
    { added: 1, updated: 0, removed: 0 },
    [],
  ],
  ['another id', withObject(2, { id: 4 }), { added: 1, updated: 0, removed: 1 }, ['Props:3']],
  [
    'the name of a layer',
    (map) => ({ ...map, name: 'Things' }),
    { added: 3, updated: 0, removed: 3 },
    ['Props:1', 'Props:2', 'Props:3'],
  ],
  // The region keeps the id of its first cell.
  ['a cell of a region', withCells(1, 1, 1, 0, 1, 0, 0, 1), { added: 0, updated: 1, removed: 0, merged: 2 }, []],
  [
    'a cell by itself',
    withCells(1, 1, 0, 0, 1, 0, 0, 0),
    { added: 0, updated: 0, removed: 1, merged: 1 },
    ['Ground:3.1'],
  ],
  [
    'the first cell of a region',
    withCells(0, 1, 0, 0, 1, 0, 0, 1),
    { added: 2, updated: 0, removed: 1, merged: 3 },
    ['Ground:0.0'],
  ],
  [
    'a cell between two regions',
    withCells(1, 1, 0, 0, 1, 1, 1, 1),
    { added: 0, updated: 1, removed: 1, merged: 1 },
    ['Ground:3.1'],
  ],
]

it.each(CHANGES)('changes what has changed: %s', async (_name, change, report, gone) => {
  const id = await client.createScene([])
  const send = async (map: typeof START, more = '') =>
    (await client.send('POST', `/${id}/import?format=tiled&source=map${more}`, JSON.stringify(mapOf(map)))).body
  const idsOf = async (): Promise<string[]> =>
    (await client.send('GET', `/${id}/bodies?limit=100`)).body.bodies.map((body: { id: string }) => body.id)
  const first = await send(START)
  expect(first).toMatchObject({ bodies: 5, added: 5, cells: 4, merged: 2 })
  const before = await idsOf()
  // Not even where only the text is another: numbers that were written with more digits, fields in another order.
  expect(await send(JSON.parse(JSON.stringify(START, null, 2).replace('30,', '30.0,')))).toMatchObject({
    updated: 0,
    version: first.version,
  })
  expect(await send(change(START), '&dryRun=true')).toMatchObject({ ...report, version: first.version })
  expect(await send(change(START))).toMatchObject(report)
  const after = await idsOf()
  expect(before.filter((each) => !after.includes(each)).sort()).toEqual(gone)
  expect(await send(change(START))).toMatchObject({ added: 0, updated: 0, removed: 0 })
  // And back: what was changed is as it was.
  expect(await send(START)).toMatchObject({ bodies: 5 })
  expect((await idsOf()).sort()).toEqual([...before].sort())
})
