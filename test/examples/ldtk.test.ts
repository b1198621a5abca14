// What the example reads from an LDtk project, on small projects written here.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readLevels } from '../../examples/ldtk.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ldtk-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function save(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, JSON.stringify(content))
  return path
}

const layerDefinition = (uid: number, identifier: string, values: [number, string | null, number?][]) => ({
  __type: 'IntGrid',
  identifier,
  uid,
  intGridValues: values.map(([value, name, groupUid = 0]) => ({ value, identifier: name, groupUid })),
  intGridValuesGroups: [{ uid: 1, identifier: 'solid' }],
})

const layer = (layerDefUid: number, rows: string[], gridSize = 8, offset = { x: 0, y: 0 }) => ({
  layerDefUid,
  __cWid: rows[0]!.length,
  __cHei: rows.length,
  __gridSize: gridSize,
  __pxTotalOffsetX: offset.x,
  __pxTotalOffsetY: offset.y,
  intGridCsv: rows.flatMap((row) => [...row].map(Number)),
  entityInstances: [],
})

it('merges equal cells into rectangles without changing what they cover', async () => {
  const path = await save('merge.ldtk', {
    defs: {
      layers: [
        layerDefinition(1, 'Grid', [
          [1, 'rock'],
          [2, 'ice'],
        ]),
      ],
    },
    levels: [{ identifier: 'A', layerInstances: [layer(1, ['0110', '0112', '1112'], 8, { x: 4, y: -4 })] }],
  })
  const [level] = await readLevels(path)
  expect(level!.walls).toEqual([
    { identifier: 'rock', cellCount: 4, min: { x: 12, y: -4 }, max: { x: 28, y: 12 } },
    { identifier: 'ice', cellCount: 2, min: { x: 28, y: 4 }, max: { x: 36, y: 20 } },
    { identifier: 'rock', cellCount: 3, min: { x: 4, y: 12 }, max: { x: 28, y: 20 } },
  ])
})

it('puts the walls of layers that lie on each other into one grid of cells', async () => {
  const path = await save('grids.ldtk', {
    defs: {
      layers: [layerDefinition(1, 'Grid', [[1, 'rock']]), layerDefinition(2, 'Pools', [[1, 'water']])],
    },
    levels: [
      {
        identifier: 'A',
        layerInstances: [layer(1, ['010', '300']), layer(2, ['000', '001']), layer(2, ['1'], 24, { x: 4, y: 0 })],
      },
    ],
  })
  const [level] = await readLevels(path)
  expect(level!.grids).toEqual([
    // The value 3 is not defined, so it is no wall.
    { columns: 3, rows: 2, size: 8, x: 0, y: 0, cells: Uint8Array.of(0, 1, 0, 0, 0, 1) },
    { columns: 1, rows: 1, size: 24, x: 4, y: 0, cells: Uint8Array.of(1) },
  ])
  const [dry] = await readLevels(path, ['rock'])
  expect(dry!.grids.map(({ cells }) => [...cells])).toEqual([[0, 1, 0, 0, 0, 0], [0]])
})

it('takes walls from every IntGrid layer, or only what is named by value, number, group or layer', async () => {
  const path = await save('names.ldtk', {
    defs: {
      layers: [
        layerDefinition(1, 'Ground', [
          [1, 'rock', 1],
          [2, null],
        ]),
        layerDefinition(2, 'Hazards', [[1, 'lava']]),
      ],
    },
    levels: [{ identifier: 'A', layerInstances: [layer(1, ['12'], 16), layer(2, ['01', '10'])] }],
  })
  const walls = async (...names: string[]) =>
    (await readLevels(path, names)).flatMap((level) => level.walls.map(({ identifier }) => identifier))
  expect(await walls()).toEqual(['rock', 'Ground 2', 'lava', 'lava'])
  expect(await walls('rock')).toEqual(['rock'])
  expect(await walls('2')).toEqual(['Ground 2'])
  expect(await walls('solid')).toEqual(['rock'])
  expect(await walls('Hazards')).toEqual(['lava', 'lava'])
  await expect(walls('mud')).rejects.toThrow(/"mud"; there are: rock, solid, Ground, 2, lava, Hazards/)
})

it('places entities by their pivot and their layer’s offset', async () => {
  const entity = { __identifier: 'Door', __pivot: [0.5, 1], px: [40, 64], width: 12, height: 32 }
  const path = await save('pivot.ldtk', {
    defs: { layers: [] },
    levels: [
      { identifier: 'A', layerInstances: [{ ...layer(9, ['0'], 8, { x: 100, y: 0 }), entityInstances: [entity] }] },
    ],
  })
  const [level] = await readLevels(path)
  expect(level!.entities).toEqual([{ identifier: 'Door', min: { x: 134, y: 32 }, max: { x: 146, y: 64 } }])
})

it('follows levels saved in files of their own, and projects with several worlds', async () => {
  await save('Far.ldtkl', { identifier: 'Far', externalRelPath: null, layerInstances: [layer(1, ['1'])] })
  const path = await save('worlds.ldtk', {
    defs: { layers: [layerDefinition(1, 'Grid', [[1, 'rock']])] },
    levels: [],
    worlds: [{ levels: [{ identifier: 'Far', externalRelPath: 'Far.ldtkl', layerInstances: null }] }],
  })
  const levels = await readLevels(path)
  expect(levels.map(({ identifier, walls }) => [identifier, walls.length])).toEqual([['Far', 1]])
})

it('refuses other files with one line', async () => {
  await expect(readLevels(join(folder, 'missing.ldtk'))).rejects.toThrow(/^cannot read .*missing\.ldtk/)
  await expect(readLevels(await save('other.json', { layers: [] }))).rejects.toThrow(/is not an LDtk project/)
})
