// Maps of Tiled: what is where Tiled shows it, whichever way the file says it.

import { existsSync, readFileSync } from 'node:fs'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bodiesOf, byId, type Files, refusal } from './imported.ts'
import { cells, DIAGONAL, FLIP_X, FLIP_Y, taken as imported, map, objects, text, tile, tileset } from './tiled-maps.ts'

const refused = (files: Files): string => refusal(files, { format: 'tiled' })

const only = (object: object, more: object = {}) => {
  const file = imported({ 'a.tmj': text(map({ layers: [objects(object)], ...more })) })
  return { body: bodiesOf(file)[0]!, file }
}
const close = (actual: { x: number; y: number } | undefined, x: number, y: number) => {
  expect(actual?.x ?? 0).toBeCloseTo(x, 9)
  expect(actual?.y ?? 0).toBeCloseTo(y, 9)
}

describe('objects', () => {
  it('hang from their upper left corner, and turn about it', () => {
    const { body } = only({ x: 10, y: 20, width: 8, height: 4, rotation: 90, name: 'door', type: 'Door' })
    expect(body).toMatchObject({ id: 'Things:1', shape: { type: 'box', width: 4, height: 8 } })
    close(body.position, 8, 24)
    expect(body.tags).toEqual(['layer:Things', 'kind:object', 'class:Door', 'name:door', 'import:map'])
  })

  it('are ellipses, circles, capsules, points, polygons and chains', () => {
    const shapes = bodiesOf(
      imported({
        'a.tmj': text(
          map({
            layers: [
              objects(
                { width: 8, height: 4, ellipse: true },
                { width: 4, height: 4, ellipse: true },
                { width: 8, height: 4, capsule: true },
                { x: 3, y: 4, point: true },
                {
                  x: 5,
                  polygon: [
                    { x: 0, y: 0 },
                    { x: 4, y: 0 },
                    { x: 0, y: 4 },
                  ],
                },
                {
                  polygon: [
                    { x: 0, y: 0 },
                    { x: 4, y: 0 },
                    { x: 4, y: 4 },
                    { x: 3, y: 1 },
                  ],
                },
                {
                  polyline: [
                    { x: 0, y: 0 },
                    { x: 4, y: 0 },
                  ],
                },
                {
                  polyline: [
                    { x: 0, y: 0 },
                    { x: 4, y: 0 },
                    { x: 0, y: 4 },
                    { x: 0, y: 0 },
                  ],
                },
                { x: 1, y: 1 },
                { text: { text: 'Hello' } },
                { polygon: [] },
              ),
            ],
          }),
        ),
      }),
    )
    expect(shapes.map(({ shape }) => shape.type)).toEqual([
      'ellipse',
      'circle',
      'capsule',
      'point',
      'polygon',
      'region',
      'chain',
      'chain',
      'point',
    ])
    expect(shapes[0]).toMatchObject({ shape: { rx: 4, ry: 2 }, position: { x: 4, y: 2 } })
    expect(shapes[2]).toMatchObject({ shape: { a: { x: -2, y: 0 }, b: { x: 2, y: 0 }, radius: 2 } })
    expect(shapes[4]).toMatchObject({ position: { x: 5, y: 0 } })
    expect(shapes[7]?.shape).toMatchObject({ loop: true, vertices: { length: 3 } })
  })

  it('lie in groups and layers whose offsets add up, hidden or not, with their properties', () => {
    const inner = {
      ...objects({ x: 1, properties: [{ name: 'loot', type: 'int', value: 3 }] }),
      offsetx: 10,
      visible: false,
    }
    const outer = {
      type: 'group',
      name: 'Outer',
      offsetx: 100,
      offsety: 5,
      layers: [inner, { type: 'imagelayer', name: 'Sky' }],
    }
    const file = imported({ 'a.tmj': text(map({ layers: [outer] })) })
    const [body] = bodiesOf(file)
    expect(body).toMatchObject({ position: { x: 111, y: 5 }, data: '{"loot":3}' })
    expect(body?.tags).toContain('hidden')
    expect(file.skipped).toEqual([{ where: 'layer Sky', what: 'image layer', why: 'Images have no shape.' }])
  })

  it('stand where an isometric map shows them', () => {
    const iso = { orientation: 'isometric', width: 4, height: 4, tilewidth: 32, tileheight: 16 }
    const { body } = only({ x: 16, y: 16, width: 16, height: 16 }, iso)
    expect(body.shape.type).toBe('polygon')
    // The diamond of cell (1, 1): its middle is a height and a half below the top of the map.
    close(body.position, 64, 24)
    const corners = body.shape.vertices.map(({ x, y }: { x: number; y: number }) => [x, y])
    expect(corners.sort()).toEqual(
      [
        [-16, 0],
        [0, -8],
        [0, 8],
        [16, 0],
      ].sort(),
    )
  })
})

const WALL = tile(0, { width: 16, height: 16 })
const SLOPE = tile(1, {
  polygon: [
    { x: 0, y: 16 },
    { x: 16, y: 16 },
    { x: 16, y: 0 },
  ],
})
describe('tiles', () => {
  const withCells = (data: unknown, more: object = {}, mapMore: object = {}) =>
    imported({ 'a.tmj': text(map({ tilesets: [tileset({}, WALL, SLOPE)], layers: [cells(data, more)], ...mapMore })) })

  it('that are solid are joined, others stand by themselves', () => {
    const file = withCells([1, 1, 0, 2, 0, 1, 0, 0])
    expect(file).toMatchObject({ cells: 3, merged: 1 })
    const all = byId(file)
    expect(Object.keys(all)).toEqual(['Ground:3.0', 'Ground:0.0'])
    expect(all['Ground:0.0']?.shape.outer).toHaveLength(6)
    expect(all['Ground:3.0']).toMatchObject({ shape: { type: 'polygon' }, position: { x: 48, y: 0 } })
    const [first] = bodiesOf(
      imported(
        { 'a.tmj': text(map({ tilesets: [tileset({}, WALL)], layers: [cells([0, 1, 0, 0, 0, 0, 0, 0])] })) },
        false,
      ),
    )
    expect(first).toMatchObject({
      id: 'Ground:1.0',
      shape: { type: 'box', width: 16, height: 16 },
      position: { x: 24, y: 8 },
    })
  })

  /** The corners of a slope at the cell at the origin, as they lie in it. */
  const cornersOf = (gid: number): string[] => {
    const { shape, position = { x: 0, y: 0 } } = bodiesOf(withCells([gid, 0, 0, 0, 0, 0, 0, 0]))[0]!
    return shape.vertices.map(({ x, y }: { x: number; y: number }) => `${x + position.x} ${y + position.y}`).sort()
  }

  it('are turned over as Tiled shows them', () => {
    expect(cornersOf(2)).toEqual(['0 16', '16 0', '16 16'])
    expect(cornersOf(2 + FLIP_X)).toEqual(['0 0', '0 16', '16 16'])
    expect(cornersOf(2 + FLIP_Y)).toEqual(['0 0', '16 0', '16 16'])
    expect(cornersOf(2 + DIAGONAL)).toEqual(['0 16', '16 0', '16 16'])
    // A quarter turn clockwise is over the diagonal and then over x.
    expect(cornersOf(2 + DIAGONAL + FLIP_X)).toEqual(['0 0', '0 16', '16 16'])
    expect(cornersOf(2 + FLIP_X + FLIP_Y)).toEqual(['0 0', '0 16', '16 0'])
  })

  it('that have no shape are listed once for each kind, with the first cell', () => {
    const bad = [
      tile(0, { polygon: [{ x: 0, y: 0 }] }),
      tile(1, { polyline: [{ x: 0, y: 0 }] }),
      tile(2, { point: true }),
    ]
    const take = (data: number[]) =>
      imported({ 'a.tmj': text(map({ tilesets: [tileset({}, ...bad)], layers: [cells(data)] })) })
    const file = take([0, 1, 0, 2, 1, 3, 1, 0])
    expect(Object.keys(byId(file))).toEqual(['Ground:1.1'])
    expect(file.skipped).toEqual([
      {
        where: 'layer Ground, cell 1, 0',
        what: 'tile',
        why: 'A polygon has three points or more. So it is with 2 more of its cells.',
      },
      { where: 'layer Ground, cell 3, 0', what: 'tile', why: 'A polyline has two points or more.' },
    ])
  })

  it('come packed in any way', () => {
    const list = [1, 1, 0, 2, 0, 1, 0, 0]
    const bytes = Buffer.from(Uint32Array.from(list).buffer)
    // A frame of zstd with one raw block: https://datatracker.ietf.org/doc/html/rfc8878
    const { length } = bytes
    const frame = [0x28, 0xb5, 0x2f, 0xfd, 0x20, length, ((length << 3) | 1) & 0xff, length >> 5, 0]
    const zstd = Buffer.concat([Buffer.from(frame), bytes])
    const plain = bodiesOf(withCells(list))
    for (const [compression, packed] of [
      ['', bytes],
      ['gzip', gzipSync(bytes)],
      ['zlib', deflateSync(bytes)],
      ['zstd', zstd],
    ] as const) {
      expect(bodiesOf(withCells(packed.toString('base64'), { encoding: 'base64', compression }))).toEqual(plain)
    }
  })

  it('lie in chunks of an infinite map, also left of and above its origin', () => {
    const chunk = (x: number, y: number) => ({ x, y, width: 2, height: 1, data: [1, 1] })
    const file = withCells(undefined, { chunks: [chunk(-2, -1), chunk(0, -1)] }, { infinite: true })
    expect(bodiesOf(file)).toMatchObject([
      { id: 'Ground:-2.-1', shape: { width: 64, height: 16 }, position: { x: 0, y: -8 } },
    ])
  })

  it('stand on the lower left corner of their cell where they are larger, and shift with their tileset', () => {
    const large = tileset(
      { tilewidth: 32, tileheight: 48, tileoffset: { x: 1, y: 2 } },
      tile(0, { width: 32, height: 48 }),
    )
    const [body] = bodiesOf(
      imported({ 'a.tmj': text(map({ tilesets: [large], layers: [cells([1, 0, 0, 0, 0, 0, 0, 0])] })) }),
    )
    expect(body).toMatchObject({ shape: { width: 32, height: 48 }, position: { x: 17, y: 16 - 24 + 2 } })
  })

  it('stand in staggered rows and columns', () => {
    const hex = {
      orientation: 'hexagonal',
      tilewidth: 14,
      tileheight: 12,
      hexsidelength: 6,
      staggeraxis: 'y',
      staggerindex: 'odd',
    }
    const set = tileset({ tilewidth: 14, tileheight: 12 }, tile(0, { point: true, x: 7, y: 6 }))
    const file = imported({
      'a.tmj': text(map({ ...hex, tilesets: [set], layers: [cells([1, 1, 0, 0, 1, 0, 0, 0])] })),
    })
    expect(bodiesOf(file).map(({ position }) => position)).toEqual([
      { x: 7, y: 6 },
      { x: 21, y: 6 },
      { x: 14, y: 15 },
    ])
  })

  it('as objects have their collision shapes, scaled and turned over, or their rectangle', () => {
    const set = tileset({}, tile(0, { x: 0, y: 0, width: 8, height: 16 }))
    const at = { x: 100, y: 200, width: 32, height: 16 }
    const list = objects(
      { ...at, gid: 1 },
      { ...at, gid: 1 + FLIP_X },
      { ...at, gid: 2 },
      { ...at, gid: 2, rotation: 90 },
    )
    const all = bodiesOf(imported({ 'a.tmj': text(map({ tilesets: [set], layers: [list] })) }))
    expect(all[0]).toMatchObject({ shape: { width: 16, height: 16 }, position: { x: 108, y: 192 } })
    expect(all[1]?.position).toEqual({ x: 124, y: 192 })
    expect(all[2]).toMatchObject({ shape: { width: 32, height: 16 }, position: { x: 116, y: 192 } })
    close(all[3]?.position, 108, 216)
    const centred = bodiesOf(
      imported({ 'a.tmj': text(map({ tilesets: [{ ...set, objectalignment: 'center' }], layers: [list] })) }),
    )
    expect(centred[2]?.position).toEqual({ x: 100, y: 200 })
  })
})

const TMX = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">
<map orientation="orthogonal" width="4" height="2" tilewidth="16" tileheight="16" infinite="0">
 <tileset firstgid="1" source="../sets/set.tsx"/>
 <layer id="1" name="Ground" width="4" height="2"><data encoding="csv">
1,1,0,2,
0,1,0,0
</data></layer>
 <group name="G" offsetx="5"><objectgroup name="A &amp; B" visible="0">
  <object id="7" type="Door" x="1" y="2" width="8" height="4" rotation="45">
   <properties><property name="locked" type="bool" value="true"/><property name="story">Once &lt;upon&gt;
a time</property></properties></object>
  <object id="8" x="0" y="0"><polygon points="0,0 4,0 0,4"/></object>
  <object id="9" template="t/crate.tx" x="64" y="64"/>
 </objectgroup></group>
</map>`
const TSX = `<tileset name="Set" tilewidth="16" tileheight="16" tilecount="2" columns="2">
 <tile id="0" type="Stone"><objectgroup><object id="1" x="0" y="0" width="16" height="16"/></objectgroup></tile>
 <tile id="1"><objectgroup><object id="1" x="0" y="16"><polygon points="0,0 16,0 16,-16"/></object></objectgroup></tile>
</tileset>`
const TX = `<template><tileset firstgid="1" source="../sets/set.tsx"/><object type="Crate" gid="1" width="16" height="16">
<properties><property name="hp" type="int" value="5"/></properties></object></template>`

describe('maps in XML', () => {
  it('say the same as maps in JSON', () => {
    const fromXml = imported({ 'a.tmx': TMX, 'set.tsx': TSX, 'crate.tx': TX })
    const set = tileset(
      { firstgid: undefined },
      { ...WALL, type: 'Stone' },
      tile(1, {
        y: 16,
        polygon: [
          { x: 0, y: 0 },
          { x: 16, y: 0 },
          { x: 16, y: -16 },
        ],
      }),
    )
    const things = {
      type: 'objectgroup',
      name: 'A & B',
      visible: false,
      objects: [
        {
          id: 7,
          type: 'Door',
          x: 1,
          y: 2,
          width: 8,
          height: 4,
          rotation: 45,
          properties: [
            { name: 'locked', type: 'bool', value: true },
            { name: 'story', type: 'string', value: 'Once <upon>\na time' },
          ],
        },
        {
          id: 8,
          x: 0,
          y: 0,
          polygon: [
            { x: 0, y: 0 },
            { x: 4, y: 0 },
            { x: 0, y: 4 },
          ],
        },
        { id: 9, x: 64, y: 64, template: 'crate.tj' },
      ],
    }
    const json = map({
      tilesets: [{ firstgid: 1, source: 'set.tsj' }],
      layers: [cells([1, 1, 0, 2, 0, 1, 0, 0]), { type: 'group', name: 'G', offsetx: 5, layers: [things] }],
    })
    const crate = {
      tileset: { firstgid: 1, source: 'set.tsj' },
      object: { type: 'Crate', gid: 1, width: 16, height: 16, properties: [{ name: 'hp', type: 'int', value: 5 }] },
    }
    const fromJson = imported({ 'a.tmj': text(json), 'set.tsj': text(set), 'crate.tj': text(crate) })
    expect(bodiesOf(fromXml)).toEqual(bodiesOf(fromJson))
    expect(byId(fromXml)['A___B:9']).toMatchObject({ position: { x: 77, y: 56 }, data: '{"hp":5}' })
    expect(byId(fromXml)['A___B:7']?.tags).toEqual(['layer:A & B', 'kind:object', 'class:Door', 'hidden', 'import:map'])
    expect(byId(fromXml)['Ground:0.0']?.tags).toContain('class:Stone')
  })

  it('need not say how large an image is', () => {
    const set =
      '<tileset name="Set" tilewidth="16" tileheight="16"><tile id="0"><image source="a.png"/></tile></tileset>'
    const object = '<objectgroup name="o"><object id="1" gid="1" x="0" y="16"/></objectgroup>'
    const text = TMX.replace(/<layer[\s\S]*<\/group>/, object)
    expect(bodiesOf(imported({ 'a.tmx': text, 'set.tsx': set }))).toMatchObject([{ shape: { width: 16, height: 16 } }])
  })

  it('name a tileset that was not sent, and leave out what needs a template that was not', () => {
    expect(refused({ 'a.tmx': TMX })).toMatch(/^import-file-missing: .*"set\.tsx"/)
    const { skipped, bodies } = imported({ 'a.tmx': TMX, 'set.tsx': TSX })
    expect(skipped).toMatchObject([{ where: 'layer A & B, object 9', why: expect.stringContaining('crate.tx') }])
    expect(bodies).toHaveLength(4)
  })
})

const DATA = new URL('../../../shared/data/tiled/', import.meta.url)

it.skipIf(!existsSync(DATA))('accounts for every object of a real map', () => {
  const file = imported({
    'sandbox2.tmx': readFileSync(new URL('sandbox2.tmx', DATA), 'utf8'),
    'objs.tsx': readFileSync(new URL('objs.tsx', DATA), 'utf8'),
  })
  const count = readFileSync(new URL('sandbox2.tmx', DATA), 'utf8').match(/<object /g)!.length
  expect(file.bodies.length + file.skipped.length).toBe(count)
  expect(file.skipped.every(({ why }) => /template/.test(why))).toBe(true)
  const turned = byId(file)['background:341']!
  expect(turned).toMatchObject({ shape: { width: 392, height: 1472 } })
  close(turned.position, 2756, 448)
})
