// Layers whose tiles have no collision shapes: what is said of them, and how their cells are made solid; and layers without tiles.

import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bodiesOf, cornersOf, imported } from './imported.ts'
import { cells, map, text, tile, tileset } from './tiled-maps.ts'

const take = (more: object, solid: string[] = [], merge = true) =>
  imported({ 'a.tmj': text(map(more)) }, { format: 'tiled', solid, merge })
const marked = (id: number, name: string, value: unknown, type = 'bool') => ({
  id,
  properties: [{ name, type, value }],
})

const WALLS = [1, 1, 0, 2, 0, 0, 0, 2]
const SET = tileset({}, { ...marked(0, 'collides', true), type: 'Stone' }, marked(1, 'collides', false))

describe('a layer whose tiles have no collision shapes', () => {
  it('is listed, with what to do', () => {
    const { bodies, cells: count, skipped } = take({ tilesets: [SET], layers: [cells(WALLS)] })
    expect([bodies, count]).toEqual([[], 0])
    expect(skipped).toMatchObject([{ where: 'layer Ground', what: 'tile layer' }])
    expect(skipped[0]?.why).toMatch(/None of its 4 tiles has a collision shape: .*solid=layer:<name>/)
    expect(take({ tilesets: [SET], layers: [cells([1, 0, 0, 0])] }).skipped[0]?.why).toContain('Its only tile has no')
  })

  it('is not listed where it is empty, or has one shape', () => {
    expect(take({ tilesets: [SET], layers: [cells([0, 0, 0, 0])] }).skipped).toEqual([])
    const some = tileset({}, tile(0, { width: 8, height: 8 }))
    expect(take({ tilesets: [some], layers: [cells(WALLS)] }).skipped).toEqual([])
  })

  it('is solid where it is named, cells of one class joined', () => {
    const file = take({ tilesets: [SET], layers: [cells(WALLS), cells(WALLS, { name: 'Sky' })] }, ['layer:Ground'])
    expect(file.cells).toBe(4)
    expect(bodiesOf(file)).toMatchObject([
      {
        id: 'Ground:0.0',
        shape: { width: 32, height: 16 },
        tags: ['layer:Ground', 'kind:tile', 'class:Stone', 'import:map'],
      },
      { id: 'Ground:3.0', shape: { width: 16, height: 32 }, tags: ['layer:Ground', 'kind:tile', 'import:map'] },
    ])
    expect(file.skipped.map(({ where }) => where)).toEqual(['layer Sky'])
    const apart = take({ tilesets: [SET], layers: [cells(WALLS)] }, ['layer:Ground'], false)
    expect(bodiesOf(apart).map(({ id }) => id)).toEqual(['Ground:0.0', 'Ground:1.0', 'Ground:3.0', 'Ground:3.1'])
  })

  it('is solid where its tiles have a property that says so', () => {
    const file = take({ tilesets: [SET], layers: [cells(WALLS)] }, ['property:collides'])
    expect(bodiesOf(file).map(({ id }) => id)).toEqual(['Ground:0.0'])
    expect(file.skipped).toEqual([])
  })

  it.each([
    [true, 1],
    [1, 1],
    [0.5, 1],
    ['true', 1],
    ['solid', 1],
    [{ a: 1 }, 1],
    [false, 0],
    [0, 0],
    ['', 0],
    ['false', 0],
    ['0', 0],
    ['No', 0],
    [null, 0],
  ])('is solid or not by a property of %j', (value, count) => {
    const set = tileset({}, marked(0, 'wall', value, 'any'))
    const file = take({ tilesets: [set], layers: [cells([1, 0, 0, 0])] }, ['property:wall'])
    expect(file.bodies).toHaveLength(count)
    expect(file.skipped.map(({ where }) => where)).toEqual(count === 1 ? [] : ['layer Ground', 'solid=property:wall'])
  })

  it('is solid where it has the property itself', () => {
    const { properties } = marked(0, 'wall', true)
    const file = take({ tilesets: [SET], layers: [cells(WALLS, { properties }), cells(WALLS, { name: 'b' })] }, [
      'property:wall',
    ])
    expect(bodiesOf(file).map(({ id }) => id)).toEqual(['Ground:0.0', 'Ground:3.0'])
  })

  it('keeps the shapes of those of its tiles that have one', () => {
    const set = tileset({}, { ...tile(0, { width: 8, height: 8 }), properties: marked(0, 'wall', true).properties })
    const file = take({ tilesets: [set], layers: [cells([1, 2, 0, 0])] }, ['layer:Ground', 'property:wall'])
    expect(bodiesOf(file).map(({ shape }) => [shape.width, shape.height])).toEqual([
      [8, 8],
      [16, 16],
    ])
  })

  it('is solid in its cells, however large its tiles are', () => {
    const set = tileset({ tilewidth: 48, tileheight: 64, tileoffset: { x: 3, y: 4 } })
    const [body] = bodiesOf(take({ tilesets: [set], layers: [cells([0, 1, 0, 0])] }, ['layer:Ground']))
    expect(body).toMatchObject({ shape: { width: 16, height: 16 }, position: { x: 24, y: 8 } })
  })

  it('may be wanted in several ways, and what is not there is said', () => {
    const file = take({ tilesets: [SET], layers: [cells(WALLS)] }, ['layer:ground', 'property:collides', 'property:x'])
    expect(file.bodies).toHaveLength(1)
    expect(file.skipped).toMatchObject([
      { where: 'solid=layer:ground', what: 'parameter' },
      { where: 'solid=property:x', what: 'parameter' },
    ])
  })
})

describe('solid cells are what is shown of a cell', () => {
  const shown = (more: object, data = [1, 1, 0, 0, 1, 0, 0, 0], solid = 'layer:Ground') =>
    bodiesOf(take({ ...more, tilesets: [tileset({})], layers: [cells(data)] }, [solid])).map(cornersOf)

  it('of isometric maps', () => {
    // four columns and rows: the upper corner of the map lies at 4 · 32 / 2
    const [first, right] = shown({ orientation: 'isometric', tilewidth: 32, tileheight: 16 })
    expect(first).toEqual(['48 8', '64 0', '64 16', '80 8'].sort())
    expect(right).toEqual(['64 16', '80 8', '80 24', '96 16'].sort())
  })

  it('of staggered maps', () => {
    const [first, , below] = shown({ orientation: 'staggered', tilewidth: 32, tileheight: 16 })
    expect(first).toEqual(['0 8', '16 0', '16 16', '32 8'].sort())
    expect(below).toEqual(['16 16', '32 8', '32 24', '48 16'].sort())
  })

  it.each(['x', 'y'])('of hexagonal maps, staggered along %s: neighbours share a side', (staggeraxis) => {
    const [first, right, below] = shown({
      orientation: 'hexagonal',
      tilewidth: 14,
      tileheight: 12,
      hexsidelength: 6,
      staggeraxis,
    })
    expect(first).toHaveLength(6)
    for (const other of [right!, below!]) expect(first!.filter((corner) => other.includes(corner))).toHaveLength(2)
  })

  it('of oblique maps', () => {
    const [first] = shown({ orientation: 'oblique', skewx: 8, skewy: 0 })
    expect(first).toEqual(['0 0', '16 0', '24 16', '8 16'].sort())
  })
})

describe('layers of infinite maps without chunks are empty', () => {
  const SOLID = [tileset({}, tile(0, { width: 16, height: 16 }))]
  const BLANK = [undefined, null, '', ' \n ', [], ' '.repeat(2000)]

  it.each(BLANK)('in JSON, with %j for their cells', (data) => {
    for (const packing of [{}, { encoding: 'csv' }, { encoding: 'base64', compression: 'zlib' }]) {
      const layers = [
        cells(data, { width: 4, height: 4, ...packing }),
        cells(undefined, { name: 'b', chunks: [{ x: -2, y: 0, width: 1, height: 1, data: [1] }] }),
      ]
      const file = take({ infinite: true, tilesets: SOLID, layers })
      expect(bodiesOf(file).map(({ id }) => id)).toEqual(['b:-2.0'])
      expect(file.skipped).toEqual([])
    }
  })

  const packed = (bytes: Buffer) => bytes.toString('base64')
  const one = Buffer.from(Uint32Array.of(1).buffer)
  const tmx = (
    empty: string,
    chunk: string,
  ) => `<map orientation="orthogonal" width="4" height="4" tilewidth="16" tileheight="16" infinite="1">
 <tileset firstgid="1" name="Set" tilewidth="16" tileheight="16"><tile id="0"><objectgroup><object id="1" x="0" y="0" width="16" height="16"/></objectgroup></tile></tileset>
 <layer id="1" name="a" width="4" height="4">${empty}</layer>
 <layer id="2" name="b" width="4" height="4">${chunk}</layer>
</map>`

  it.each([
    ['encoding="csv"', '1'],
    ['encoding="base64"', packed(one)],
    ['encoding="base64" compression="zlib"', packed(deflateSync(one))],
    ['encoding="base64" compression="gzip"', packed(gzipSync(one))],
    ['encoding="base64" compression="zstd"', null],
    ['', '<tile gid="1"/>'],
  ])('in XML: <data %s>', (attributes, chunk) => {
    const filled =
      chunk === null ? '' : `<data ${attributes}><chunk x="-2" y="0" width="1" height="1">${chunk}</chunk></data>`
    for (const empty of [
      `<data ${attributes}/>`,
      `<data ${attributes}>\n</data>`,
      `<data ${attributes}>${' '.repeat(2000)}</data>`,
      '',
    ]) {
      const file = imported({ 'a.tmx': tmx(empty, filled) }, { format: 'tiled' })
      expect(bodiesOf(file).map(({ id }) => id)).toEqual(chunk === null ? [] : ['b:-2.0'])
    }
  })
})
