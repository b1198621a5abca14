// What things of a map are called and carry: ids, classes and custom properties, of every version of Tiled, and what templates say.

import { describe, expect, it } from 'vitest'
import { bodiesOf, byId, refusal } from './imported.ts'
import { cells, map, objects, onlyBody, taken, takenMap, text, tile, tileset } from './tiled-maps.ts'

const START = '<map orientation="orthogonal" width="4" height="4" tilewidth="16" tileheight="16">'
const inXml = (object: string) =>
  bodiesOf(taken({ 'a.tmx': `${START}<objectgroup name="Things">${object}</objectgroup></map>` }))[0]!
const dataOf = ({ data = 'null' }: { data?: string }) => JSON.parse(data)

describe('custom properties', () => {
  it('are values of every type, alike in XML and JSON', () => {
    const values = {
      text: 'a',
      lines: 'a\nb ',
      whole: -3,
      part: 0.25,
      yes: true,
      no: false,
      paint: '#ff00aa',
      path: '../a.png',
      other: 7,
      stats: { hp: 3, loot: { gold: 1.5 }, drops: ['x', 2] },
      list: ['x', 2, true, ['y'], { hp: 4 }],
    }
    const fromXml = inXml(`<object id="1" x="0" y="0"><properties>
      <property name="text" value="a"/>
      <property name="lines">a
b </property>
      <property name="whole" type="int" value="-3"/>
      <property name="part" type="float" value="0.25"/>
      <property name="yes" type="bool" value="true"/>
      <property name="no" type="bool" value="false"/>
      <property name="paint" type="color" value="#ff00aa"/>
      <property name="path" type="file" value="../a.png"/>
      <property name="other" type="object" value="7"/>
      <property name="stats" type="class" propertytype="Stats"><properties>
        <property name="hp" type="int" value="3"/>
        <property name="loot" type="class" propertytype="Loot"><properties><property name="gold" type="float" value="1.5"/></properties></property>
        <property name="drops" type="list"><item value="x"/><item type="int" value="2"/></property>
      </properties></property>
      <property name="list" type="list">
        <item value="x"/><item type="int" value="2"/><item type="bool" value="true"/>
        <item type="list"><item type="string" value="y"/></item>
        <item type="class" propertytype="Stats"><properties><property name="hp" type="int" value="4"/></properties></item>
      </property>
    </properties></object>`)
    const drops = [
      { type: 'string', value: 'x' },
      { type: 'int', value: 2 },
    ]
    const list = [
      { type: 'string', value: 'x' },
      { type: 'int', value: 2 },
      { type: 'bool', value: true },
      { type: 'list', value: [{ type: 'string', value: 'y' }] },
      { type: 'class', propertytype: 'Stats', value: { hp: 4 } },
    ]
    const typed = { ...values, stats: { ...values.stats, drops }, list }
    const properties = Object.entries(typed).map(([name, value]) => ({ name, type: 'any', value }))
    const fromJson = onlyBody({ layers: [objects({ properties })] })
    expect(dataOf(fromXml)).toEqual(values)
    expect(dataOf(fromJson)).toEqual(values)
  })

  it('are taken from the objects and lists of Tiled before 1.2', () => {
    const old = tileset(
      { tiles: { 3: { type: 'Crate', objectgroup: { objects: [{ x: 0, y: 0, width: 8, height: 16 }] } } } },
      tile(0),
    )
    const object = { gid: 4, width: 16, height: 16, properties: { hp: 3, name: 'x' }, propertytypes: { hp: 'int' } }
    const body = onlyBody({ tilesets: [old], layers: [objects(object)] })
    expect(dataOf(body)).toEqual({ hp: 3, name: 'x' })
    expect(body.tags).toContain('class:Crate')
    expect(body.shape).toEqual({ type: 'box', width: 8, height: 16 })
  })

  it('are left out where they are too large, and that is said', () => {
    const file = takenMap({ layers: [objects({ properties: [{ name: 'long', value: 'x'.repeat(5000) }] })] })
    expect(file.skipped).toMatchObject([{ where: 'layer Things, object 1', what: 'properties' }])
    expect(file.bodies[0]?.data).toBeUndefined()
  })
})

describe('classes', () => {
  it('are what is called type or class, or those of the tile', () => {
    const tagsOf = (object: object, own: object = {}) =>
      onlyBody({ tilesets: [tileset({}, { id: 0, ...own })], layers: [objects(object)] }).tags?.filter((tag) =>
        tag.startsWith('class:'),
      )
    expect(tagsOf({ type: 'Door' })).toEqual(['class:Door'])
    expect(tagsOf({ class: 'Door' })).toEqual(['class:Door'])
    expect(tagsOf({ class: '', type: 'Door' })).toEqual(['class:Door'])
    expect(tagsOf({ type: '' })).toEqual([])
    expect(tagsOf({ gid: 1 }, { type: 'Crate' })).toEqual(['class:Crate'])
    expect(tagsOf({ gid: 1 }, { class: 'Crate' })).toEqual(['class:Crate'])
    expect(tagsOf({ gid: 1, type: 'Door' }, { type: 'Crate' })).toEqual(['class:Door'])
  })
})

describe('templates', () => {
  const template = (object: object, more: object = {}) => text({ type: 'template', object, ...more })
  const made = (object: object, file: string, more: object = {}) =>
    taken({ 'a.tmj': text(map({ layers: [objects(object)], ...more })), 'sets/it.tj': file })

  it('give what their objects do not say themselves', () => {
    const file = template({
      name: 'crate',
      type: 'Crate',
      width: 8,
      height: 4,
      rotation: 0,
      visible: true,
      ellipse: true,
      properties: [
        { name: 'hp', value: 3 },
        { name: 'open', value: false },
      ],
    })
    const plain = bodiesOf(made({ template: '../t/it.tj', x: 10, y: 20 }, file))[0]!
    expect(plain).toMatchObject({ shape: { type: 'ellipse', rx: 4, ry: 2 }, position: { x: 14, y: 22 } })
    expect(plain.tags).toEqual(['layer:Things', 'kind:object', 'class:Crate', 'name:crate', 'import:map'])
    const changed = { width: 16, rotation: 90, name: 'chest', type: 'Chest', visible: false }
    const properties = [{ name: 'open', value: true }]
    const other = bodiesOf(made({ template: 'it.tj', x: 10, y: 20, ...changed, properties }, file))[0]!
    expect(other).toMatchObject({ shape: { type: 'ellipse', rx: 2, ry: 8 } })
    expect(other.position?.x).toBeCloseTo(8, 12)
    expect(other.position?.y).toBeCloseTo(28, 12)
    expect(other.tags).toEqual(['layer:Things', 'kind:object', 'class:Chest', 'name:chest', 'hidden', 'import:map'])
    expect(dataOf(other)).toEqual({ hp: 3, open: true })
  })

  it('may be written by another version, with another word for the class', () => {
    const body = bodiesOf(made({ template: 'it.tj', type: 'Chest' }, template({ class: 'Crate' })))[0]!
    expect(body.tags).toContain('class:Chest')
  })

  it('of texts are skipped, and bring tilesets that the map does not have', () => {
    expect(made({ template: 'it.tj' }, template({ text: { text: 'Hello' } })).skipped).toMatchObject([
      { where: 'layer Things, object 1', what: 'text' },
    ])
    const set = tileset({ firstgid: undefined }, tile(0), tile(1, { width: 4, height: 16 }))
    const crate = template(
      { gid: 0x80000002, width: 16, height: 16 },
      { tileset: { firstgid: 1, source: '../sets/own.tsj' } },
    )
    const files = {
      'a.tmj': text(map({ tilesets: [tileset({})], layers: [objects({ template: 'it.tj', x: 0, y: 16 })] })),
      'it.tj': crate,
      'own.tsj': text(set),
    }
    // Turned over: the left quarter of the tile is its right one.
    expect(bodiesOf(taken(files))[0]).toMatchObject({ shape: { width: 4, height: 16 }, position: { x: 14, y: 8 } })
  })
})

describe('ids', () => {
  it('are those of the file, or places where an old file has none', () => {
    const layer = { type: 'objectgroup', name: 'Old', objects: [{ x: 0, y: 0 }, { id: 9 }, { x: 1, y: 1 }] }
    expect(Object.keys(byId(takenMap({ layers: [layer] })))).toEqual(['Old:0', 'Old:9', 'Old:2'])
  })

  it('are told apart where layers have one name, or letters that ids have not, or very many', () => {
    const layer = (name: string) => ({ ...objects({}), name })
    const ids = Object.keys(
      byId(takenMap({ layers: [layer('A'), layer('A'), layer('Ä'), layer('ß'), layer('x'.repeat(300)), layer('')] })),
    )
    expect(ids.slice(0, 4)).toEqual(['A:1', 'A:1.2', '_:1', '_:1.2'])
    expect(ids[4]).toMatch(/^x{100,}\.[0-9a-f]{12}$/)
    expect(ids[5]).toBe(':1')
  })
})

describe('maps', () => {
  it('may name any layer', () => {
    const [body] = bodiesOf(takenMap({ layers: [{ ...objects({}), name: '地面 🙂' }] }))
    expect(body).toMatchObject({ id: '_____:1', tags: ['layer:地面 🙂', 'kind:object', 'import:map'] })
  })

  it('may have gaps in the ids of their tilesets', () => {
    const sets = [
      tileset({ firstgid: 100 }, { id: 7, type: 'Late', imagewidth: 8, imageheight: 4 }),
      tileset({ firstgid: 1 }, { id: 2, type: 'Early' }),
    ]
    const file = takenMap({ tilesets: sets, layers: [objects({ gid: 107 }, { gid: 3 })] })
    expect(bodiesOf(file)).toMatchObject([
      { shape: { width: 8, height: 4 }, tags: expect.arrayContaining(['class:Late']) },
      { shape: { width: 16, height: 16 }, tags: expect.arrayContaining(['class:Early']) },
    ])
  })

  it('are told from worlds and tilesets', () => {
    const refused = (file: object) => refusal({ 'a.json': text(file) }, { format: 'tiled' })
    expect(refused({ type: 'world', maps: [{ fileName: 'a.tmx', x: 0, y: 0 }] })).toMatch(
      /"a\.tmx", which was not sent/,
    )

    expect(refused(tileset({}))).toMatch(/no map of Tiled: it has no layers/)
    expect(refused({ levels: [], defs: {} })).toMatch(/no map of Tiled/)
  })

  it('may have objects that go the other way', () => {
    expect(onlyBody({ layers: [objects({ x: 10, y: 10, width: -4, height: 6 })] })).toMatchObject({
      shape: { type: 'box', width: 4, height: 6 },
      position: { x: 8, y: 13 },
    })
  })

  it('name what is no number', () => {
    const file = `${START}<objectgroup name="a"><object id="1" x="left" y="0"/></objectgroup></map>`
    expect(refusal({ 'a.tmx': file }, { format: 'tiled' })).toMatch(
      /\/layers\/0\/objects\/0\/x: It must be a number, got "left"/,
    )
  })

  it('list tiles one by one in the oldest files', () => {
    const list = Array.from({ length: 8 }, (_, k) => (k === 5 ? '<tile gid="1"/>' : '<tile/>')).join('')
    const file = `${START}<tileset firstgid="1" name="s" tilewidth="16" tileheight="16"><tile id="0"><objectgroup><object x="0" y="0" width="16" height="16"/></objectgroup></tile></tileset><layer name="G" width="4" height="2"><data>${list}</data></layer></map>`
    expect(bodiesOf(taken({ 'a.tmx': file }))).toMatchObject([{ id: 'G:1.1', position: { x: 24, y: 24 } }])
    expect(
      byId(
        takenMap({
          tilesets: [tileset({}, tile(0, { width: 16, height: 16 }))],
          layers: [cells([0, 0, 0, 0, 0, 1, 0, 0], { name: 'G' })],
        }),
      )['G:1.1'],
    ).toMatchObject({ position: { x: 24, y: 24 } })
  })
})
