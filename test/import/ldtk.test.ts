// Projects of LDtk of every layout and version. Where things are is worked out by hand from what the editor shows.

import { describe, expect, it } from 'vitest'
import { bodiesOf, byId, imported, refusal } from './imported.ts'

const layer = (more: object) => ({
  __identifier: 'Walls',
  __type: 'IntGrid',
  __gridSize: 8,
  __cWid: 2,
  __cHei: 1,
  __pxTotalOffsetX: 0,
  __pxTotalOffsetY: 0,
  layerDefUid: 1,
  visible: true,
  intGridCsv: [],
  entityInstances: [],
  ...more,
})
const things = (...list: object[]) =>
  layer({
    __identifier: 'Things',
    __type: 'Entities',
    entityInstances: list.map((each, k) => ({
      __identifier: 'Chest',
      iid: `e${k}`,
      width: 10,
      height: 20,
      px: [30, 40],
      __pivot: [0, 0],
      fieldInstances: [],
      ...each,
    })),
  })
const level = (identifier: string, layers: object[] | null, more: object = {}) => ({
  identifier,
  iid: identifier,
  worldX: 0,
  worldY: 0,
  worldDepth: 0,
  pxWid: 16,
  pxHei: 24,
  externalRelPath: null,
  layerInstances: layers,
  ...more,
})
const DEFS = {
  layers: [
    {
      uid: 1,
      intGridValues: [
        { value: 1, identifier: 'stone' },
        { value: 3, identifier: null },
      ],
    },
  ],
}
const project = (more: object) => ({ defs: DEFS, worldLayout: 'Free', levels: [], ...more })
const taken = (more: object, others: Record<string, object> = {}) => {
  const files = { 'a.ldtk': project(more), ...others }
  return imported(Object.fromEntries(Object.entries(files).map(([name, file]) => [name, JSON.stringify(file)])), {
    format: 'ldtk',
  })
}
const only = (...list: object[]) => bodiesOf(taken({ levels: [level('A', [things(...list)])] }))
const GRID = layer({ intGridCsv: [1, 0] })

describe('grids of cells', () => {
  it.each([
    ['fewer values than cells', { intGridCsv: [1] }, /2 × 1 cells of 8 pixels does not have 1 values/],
    ['more values than cells', { intGridCsv: [1, 0, 1] }, /does not have 3 values/],
    ['no size', { intGridCsv: [1, 0], __gridSize: 0 }, /cells of 0 pixels/],
    ['a size below 0', { intGridCsv: [1, 0], __gridSize: -8 }, /cells of -8 pixels/],
  ])('are refused with %s', (_name, more, detail) => {
    const levels = [level('A', [layer(more)])]
    expect(refusal({ a: JSON.stringify(project({ levels })) }, { format: 'ldtk' })).toMatch(detail)
  })
})

describe('entities', () => {
  it('hang from their pivots, also of another size than their kind', () => {
    const places = only(
      { __pivot: [0, 0] },
      { __pivot: [0.5, 0.5] },
      { __pivot: [1, 1] },
      { __pivot: [0.5, 1], width: 48, height: 8 },
    ).map(({ position, shape }) => ({ ...position, width: shape.width }))
    expect(places).toEqual([
      { x: 35, y: 50, width: 10 },
      { x: 30, y: 40, width: 10 },
      { x: 25, y: 30, width: 10 },
      { x: 30, y: 36, width: 48 },
    ])
  })

  it('have fields of every type as data', () => {
    const values = {
      whole: 3,
      part: 0.5,
      yes: true,
      word: 'a',
      lines: 'a\nb',
      paint: '#ff00aa',
      kind: 'Apple',
      file: '../a.png',
      nothing: null,
      point: { cx: 3, cy: 4 },
      path: [
        { cx: 1, cy: 2 },
        { cx: 3, cy: 4 },
      ],
      other: { entityIid: 'e', layerIid: 'l', levelIid: 'v', worldIid: 'w' },
      tile: { tilesetUid: 1, x: 0, y: 16, w: 16, h: 16 },
    }
    const fieldInstances = Object.entries(values).map(([name, value]) => ({
      __identifier: name,
      __type: 'Any',
      __value: value,
      realEditorValues: [],
    }))
    const [body] = only({ fieldInstances })
    expect(JSON.parse(body!.data!)).toEqual(values)
    expect(body!.tags).toEqual(['layer:Things', 'kind:entity', 'class:Chest', 'level:A', 'import:map'])
  })

  it('are told apart where levels are copies of each other', () => {
    const levels = ['A', 'B'].map((name) => level(name, [things({})]))
    expect(bodiesOf(taken({ levels })).map(({ id }) => id)).toEqual(['Things:e0', 'Things:e0.2'])
  })
})

describe('layers', () => {
  it('shift what is in them, and are hidden where they are not visible', () => {
    const shifted = { __pxTotalOffsetX: -3, __pxTotalOffsetY: 5, visible: false }
    const levels = [level('A', [layer({ intGridCsv: [3, 0], ...shifted }), things({})], { worldX: 100, worldY: -50 })]
    const all = byId(taken({ levels }))
    expect(all['Walls:A.0.0']).toMatchObject({ position: { x: 101, y: -41 } })
    // A value without a name is its number.
    expect(all['Walls:A.0.0']!.tags).toEqual(['layer:Walls', 'kind:cell', 'value:3', 'level:A', 'hidden', 'import:map'])
    expect(all['Things:e0']).toMatchObject({ position: { x: 135, y: 0 } })
  })

  it('of tiles have no shapes, and are listed', () => {
    const file = taken({ levels: [level('A', [layer({ __type: 'Tiles' }), layer({ __type: 'AutoLayer' })])] })
    expect(file.skipped.map(({ what }) => what)).toEqual(['Tiles layer', 'AutoLayer layer'])
  })
})

describe('worlds', () => {
  const where = (more: object) =>
    bodiesOf(taken(more)).map(({ position, tags }) => [
      position?.x,
      position?.y,
      tags?.filter((tag) => /^(level|world|depth):/.test(tag)).join(),
    ])
  const placed = [
    level('A', [GRID], { worldX: 8, worldY: 16 }),
    level('B', [GRID], { worldX: -32, worldY: 40, worldDepth: -1 }),
  ]

  it('lay out their levels', () => {
    const free = [
      [12, 20, 'level:A'],
      [-28, 44, 'level:B,depth:-1'],
    ]
    expect(where({ worldLayout: 'Free', levels: placed })).toEqual(free)
    expect(where({ worldLayout: 'GridVania', levels: placed })).toEqual(free)
    // Levels are 16 wide and 24 high, with 48 between them.
    const flat = placed.map((each) => ({ ...each, worldX: -1, worldY: -1, worldDepth: 0 }))
    expect(where({ worldLayout: 'LinearHorizontal', levels: flat })).toEqual([
      [4, 4, 'level:A'],
      [68, 4, 'level:B'],
    ])
    expect(where({ worldLayout: 'LinearVertical', levels: flat })).toEqual([
      [4, 4, 'level:A'],
      [4, 76, 'level:B'],
    ])
  })

  it('may be several, each with its layout', () => {
    const worlds = [
      { identifier: 'Over', worldLayout: 'Free', levels: [placed[0]] },
      { identifier: 'Under', worldLayout: 'LinearVertical', levels: [level('C', [GRID]), level('D', [GRID])] },
    ]
    expect(where({ worldLayout: null, worldGridWidth: null, levels: [], worlds })).toEqual([
      [12, 20, 'level:A,world:Over'],
      [4, 4, 'level:C,world:Under'],
      [4, 76, 'level:D,world:Under'],
    ])
  })

  it('find levels in files of their own, where the project says they lie', () => {
    const apart = level('A', null, { worldX: 8, worldY: 16, externalRelPath: 'a/A.ldtkl' })
    const file = level('A', [GRID], { worldX: 999, worldY: 999 })
    expect(bodiesOf(taken({ externalLevels: true, levels: [apart] }, { 'A.ldtkl': file }))).toMatchObject([
      { id: 'Walls:A.0.0', position: { x: 12, y: 20 } },
    ])
    expect(refusal({ 'a.ldtk': JSON.stringify(project({ levels: [apart] })) }, { format: 'ldtk' })).toMatch(
      /^import-file-missing: \/levels\/0: a\.ldtk names the level "A\.ldtkl"/,
    )
  })
})

describe('projects before 1.0', () => {
  it('have no iids, and what has no size of its own has that of its kind', () => {
    const player = { iid: undefined, width: undefined, height: undefined, __pivot: undefined, defUid: 31 }
    const defs = { layers: [], entities: [{ uid: 31, width: 8, height: 16, pivotX: 0.5, pivotY: 1 }] }
    const file = taken({
      defs,
      levels: [level('A', [things(player, player)], { worldDepth: undefined, iid: undefined })],
    })
    expect(bodiesOf(file)).toMatchObject([
      { id: 'Things:A.0', shape: { width: 8, height: 16 }, position: { x: 30, y: 32 } },
      { id: 'Things:A.1' },
    ])
  })

  it('list the cells that are not empty', () => {
    const defs = { layers: [{ uid: 1, intGridValues: [{ identifier: 'walls' }, { identifier: null }] }] }
    const intGrid = [
      { coordId: 0, v: 0 },
      { coordId: 3, v: 1 },
    ]
    const grid = layer({ __cHei: 2, intGridCsv: undefined, intGrid, visible: undefined })
    const file = taken({ defs, levels: [level('A', [grid])] })
    expect(bodiesOf(file).map(({ id, tags }) => [id, tags?.[2]])).toEqual([
      ['Walls:A.0.0', 'value:walls'],
      ['Walls:A.1.1', 'value:2'],
    ])
    const refused = (more: object) =>
      refusal(
        { a: JSON.stringify(project({ levels: [level('A', [layer({ intGrid, ...more })])] })) },
        { format: 'ldtk' },
      )
    expect(refused({ __cWid: 65536, __cHei: 65536 })).toMatch(/at most 4194304/)
    expect(refused({ __cWid: 1 })).toMatch(/coordId: It must be a whole number of at most 0/)
  })
})
