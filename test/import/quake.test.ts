// Maps of Quake: brushes as hulls whose corners come from their planes, patches as meshes, entities as boxes, and what TrenchBroom says.

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PLAIN_FRAME_3D } from '../../src/import/body-in-frame-3d.ts'
import type { Import3dOptions } from '../../src/import/import-file.ts'
import { bodiesOf, byId, imported, refusal } from './imported.ts'

const MAP = { format: 'map', dimension: 3 } as const
const taken = (text: string, more: Partial<Import3dOptions> = {}) => imported({ 'a.map': text }, { ...MAP, ...more })
const refused = (text: string) => refusal({ 'a.map': text }, MAP)

type Box = readonly [number, number, number, number, number, number]

/** Three points of each side of a box, clockwise seen from outside. */
function sides([x, y, z, X, Y, Z]: Box): number[][][] {
  return [
    [
      [x, y, z],
      [x, Y, z],
      [x, y, Z],
    ],
    [
      [x, y, z],
      [x, y, Z],
      [X, y, z],
    ],
    [
      [x, y, z],
      [X, y, z],
      [x, Y, z],
    ],
    [
      [X, Y, Z],
      [X, Y, z],
      [X, y, Z],
    ],
    [
      [X, Y, Z],
      [x, Y, Z],
      [X, Y, z],
    ],
    [
      [X, Y, Z],
      [X, y, Z],
      [x, Y, Z],
    ],
  ]
}
const pointsText = (points: number[][]) => points.map((point) => `( ${point.join(' ')} )`).join(' ')
const STANDARD = 'wall 0 0 0 1 1'
const brush = (box: Box, rest = STANDARD) =>
  `{\n${sides(box)
    .map((side) => `${pointsText(side)} ${rest}`)
    .join('\n')}\n}\n`
const entity = (keys: Record<string, string>, ...parts: string[]) =>
  `{\n${Object.entries(keys)
    .map(([key, value]) => `"${key}" "${value}"`)
    .join('\n')}\n${parts.join('')}}\n`
const world = (...parts: string[]) => entity({ classname: 'worldspawn', message: 'Hall' }, ...parts)
const pointsOf = (shape: { points: { x: number; y: number; z: number }[] }) =>
  shape.points.map(({ x, y, z }) => `${x} ${y} ${z}`).sort()
const UNIT = ['0 0 0', '0 0 4', '0 2 0', '0 2 4', '8 0 0', '8 0 4', '8 2 0', '8 2 4']
const BOX: Box = [0, 0, 0, 8, 2, 4]

describe('brushes', () => {
  it.each([
    ['Standard', brush(BOX)],
    ['Valve 220', brush(BOX, 'grk_brk16 [ -2.22045e-16 -1 0 112 ] [ 0 0 -1 0 ] 0 1 1')],
    ['Quake 2', brush(BOX, 'e1u1/box1_3 0 0 0 1 1 1 0 100')],
    ['with names of textures that look like marks', brush(BOX, '{fence#1 0 0 0 1 1')],
    ['with names of textures that begin as comments do', brush(BOX, '#rock 0 0 0 1 1')],
    ['and others', brush(BOX, '//base/;a 0 0 0 1 1 // a comment')],
    ['with names in quotes', brush(BOX, '"textures/a b" 0 0 0 1 1')],
    ['brushDef', `{ brushDef ${brush(BOX, '( ( 0.5 0 0 ) ( 0 0.5 0 ) ) base/grid 0 0 0')} }`],
    [
      'brushDef3',
      `{ brushDef3 { ${[
        [-1, 0, 0, 0],
        [0, -1, 0, 0],
        [0, 0, -1, 0],
        [1, 0, 0, -8],
        [0, 1, 0, -2],
        [0, 0, 1, -4],
      ]
        .map((plane) => `( ${plane.join(' ')} ) ( ( 1 0 0 ) ( 0 1 0 ) ) "wall" 0 0 0`)
        .join('\n')} } }`,
    ],
    ['on one line', brush(BOX).replaceAll('\n', ' ')],
    ['without spaces', brush(BOX).replaceAll('( ', '(').replaceAll(' )', ')')],
    ['with comments', brush(BOX).replaceAll('\n', ' // a } \n # b {\n ; c "\n /* d\n ( */ ')],
  ])('of the form %s', (_, text) => {
    const [body] = bodiesOf(taken(world(text)))
    expect(body?.shape.type).toBe('hull')
    expect(pointsOf(body!.shape)).toEqual(UNIT)
    expect(body?.position).toBeUndefined()
  })

  it('have corners that are the nearest to where their planes meet', () => {
    // x + y + z = 1 cuts a corner off a box of thirds
    const cut = '( 1 0 0 ) ( 0 0 1 ) ( 0 1 0 ) wall 0 0 0 1 1\n}'
    const third = brush([0, 0, 0, 0.3, 0.3, 0.9]).replace(/\}\s*$/, cut)
    const [body] = bodiesOf(taken(world(third)))
    expect(pointsOf(body!.shape)).toContain(`${1 - 0.9} 0 0.9`)
    expect(pointsOf(body!.shape)).toContain('0.3 0.3 0.4')
  })

  it('have the class and the keys of their entity, but not those of the world', () => {
    const door = entity(
      { classname: 'func_door', targetname: 'gate', angle: '-1' },
      brush(BOX),
      brush([9, 0, 0, 10, 1, 1]),
    )
    const trigger = entity({ classname: 'trigger_once' }, brush(BOX, 'trigger 0 0 0 1 1'))
    const bodies = byId(taken(world(brush(BOX)) + door + trigger))
    expect(Object.keys(bodies)).toEqual(['default:0.0', 'default:1.0', 'default:1.1', 'default:2.0'])
    const [wall, leaf, area] = ['default:0.0', 'default:1.1', 'default:2.0'].map((id) => bodies[id]!)
    expect(wall?.data).toBeUndefined()
    expect(wall?.tags).toEqual(['layer:default', 'kind:brush', 'class:worldspawn', 'texture:wall', 'import:map'])
    expect(JSON.parse(leaf!.data!)).toEqual({ targetname: 'gate', angle: '-1' })
    expect(leaf?.tags).toContain('name:gate')
    expect([wall, leaf, area].map((body) => body?.sensor)).toEqual([undefined, undefined, true])
  })

  it('of four numbers a plane count from the origin of their entity', () => {
    const planes = [
      [-1, 0, 0, -4],
      [0, -1, 0, -1],
      [0, 0, -1, -1],
      [1, 0, 0, -4],
      [0, 1, 0, -1],
      [0, 0, 1, -1],
    ]
    const text = planes.map((plane) => `( ${plane.join(' ')} ) ( ( 1 0 0 ) ( 0 1 0 ) ) "wall" 0 0 0`).join(' ')
    const mover = entity({ classname: 'func_mover', origin: '100 20 3' }, `{ brushDef3 { ${text} } }`)
    expect(bodiesOf(taken(`Version 2\n${world()}${mover}`))).toMatchObject([{ position: { x: 100, y: 20, z: 3 } }])
  })

  it('that are none are listed with the reason', () => {
    const boxes = sides(BOX).map((side) => `${pointsText(side)} ${STANDARD}`)
    const flat = brush([0, 0, 0, 8, 2, 0])
    const empty = brush([0, 0, 5, 8, 2, 4])
    const open = `{\n${boxes.slice(1).join('\n')}\n}\n`
    const line = `( 0 0 0 ) ( 1 1 1 ) ( 2 2 2 ) ${STANDARD}`
    const file = taken(
      world(
        flat,
        empty,
        open,
        '{ }',
        '{ mesh { ( 1 2 3 ) { "x" } } }',
        `{\n${[...boxes, line, boxes[0]].join('\n')}\n}`,
      ),
    )
    expect(file.skipped.map(({ where, what, why }) => `${where}: ${what}: ${why}`)).toEqual([
      'entity 0 worldspawn, brush 0: brush: What lies behind all of its planes has no volume.',
      'entity 0 worldspawn, brush 1: brush: Nothing lies behind all of its planes.',
      'entity 0 worldspawn, brush 2: brush: Its planes do not enclose it, or only far away.',
      'entity 0 worldspawn, brush 3: brush: Its planes do not enclose it, or only far away.',
      'entity 0 worldspawn, part 4: mesh: It is neither a brush nor a curved patch.',
    ])
    expect(file.repaired.map(({ where, why }) => `${where}: ${why}`)).toEqual([
      'entity 0 worldspawn, brush 5: One face has no plane: the points lie in a line. It is taken without.',
      'entity 0 worldspawn, brush 5: One face has no part of its surface: the others cut it off. It is taken without.',
    ])
    expect(file.bodies).toHaveLength(1)
  })

  it('stand upright where y is up', () => {
    const [body] = bodiesOf(taken(world(brush(BOX)), { frame: { ...PLAIN_FRAME_3D, up: 'y' } }))
    expect(pointsOf(body!.shape)).toEqual(['0 0 -2', '0 0 0', '0 4 -2', '0 4 0', '8 0 -2', '8 0 0', '8 4 -2', '8 4 0'])
  })
})

describe('point entities', () => {
  const start = entity({ classname: 'info_player_start', origin: '8 16 24', angle: '90' })
  it('are as large as those of Quake, or points', () => {
    const torch = entity({ classname: 'light_torch', origin: '1 2 3' })
    expect(bodiesOf(taken(world() + start + torch))).toMatchObject([
      { id: 'default:1', shape: { type: 'box', size: { x: 32, y: 32, z: 56 } }, position: { x: 8, y: 16, z: 28 } },
      { id: 'default:2', shape: { type: 'point' }, position: { x: 1, y: 2, z: 3 } },
    ])
  })

  it('are as large as a table says, which must name what is there', () => {
    const sizes = ['light_*: -4 -4 0 4 4 8', 'nobody:0 0 0 1 1 1']
    const torch = entity({ classname: 'light_torch', origin: '1 2 3' })
    const file = taken(world() + start + torch, { sizes })
    expect(bodiesOf(file).map(({ shape }) => shape)).toEqual([
      { type: 'point' },
      { type: 'box', size: { x: 8, y: 8, z: 8 } },
    ])
    expect(file.skipped).toMatchObject([{ where: 'entity 0 worldspawn' }, { where: 'sizes=nobody', what: 'parameter' }])
  })

  it('without a place are listed', () => {
    const lost =
      entity({ classname: 'light' }) +
      entity({ classname: 'light', origin: '1 2' }) +
      entity({ classname: 'light', origin: '1 2 1e400' })
    expect(taken(lost).skipped.map(({ why }) => why)).toEqual([
      'It has no brush and no origin.',
      'Its origin is not three coordinates.',
      'Its origin is not three coordinates.',
    ])
  })
})

describe('layers and groups of TrenchBroom', () => {
  const layer = {
    classname: 'func_group',
    _tb_type: '_tb_layer',
    _tb_name: 'Cellar',
    _tb_id: '7',
    _tb_layer_hidden: '1',
    _tb_layer_omit_from_export: '1',
  }
  const outer = { classname: 'func_group', _tb_type: '_tb_group', _tb_name: 'House', _tb_id: '1', _tb_layer: '7' }
  const inner = { classname: 'func_group', _tb_type: '_tb_group', _tb_name: 'Door', _tb_id: '2', _tb_group: '1' }
  it('are tags', () => {
    const torch = { classname: 'light', origin: '0 0 0', _tb_group: '2' }
    const bodies = byId(taken(entity(inner, brush(BOX)) + entity(outer) + entity(layer) + entity(torch)))
    const around = ['layer:Cellar', 'group:House', 'group:Door', 'omit-from-export', 'hidden']
    expect(bodies['Cellar:0.0']?.tags).toEqual(expect.arrayContaining([...around, 'class:func_group']))
    expect(bodies['Cellar:3']?.tags).toEqual(expect.arrayContaining([...around, 'class:light']))
    expect(bodies['Cellar:3']?.data).toBe('{"origin":"0 0 0"}')
  })

  it('may lie in each other in a circle', () => {
    const ring = entity({ ...outer, _tb_group: '2' }, brush(BOX)) + entity(inner)
    expect(bodiesOf(taken(ring))[0]?.tags).toEqual(expect.arrayContaining(['group:House', 'group:Door']))
  })
})

describe('curved patches', () => {
  /** A quarter of a cylinder of radius 16 and height 32. */
  const quarter = (kind: string, more = '') =>
    `{ ${kind} { base/metal ( 3 3 ${more}0 0 0 ) ( ${[
      [16, 0],
      [16, 16],
      [0, 16],
    ]
      .map(([x, y]) => `( ${[0, 16, 32].map((z) => `( ${x} ${y} ${z} 0 0 )`).join(' ')} )`)
      .join(' ')} ) } }`
  it('lie within the tolerance of their surface', () => {
    for (const tolerance of [4, 0.05, 0.001]) {
      const [body] = bodiesOf(taken(world(quarter('patchDef2')), { tolerance }))
      const { vertices, triangles }: { vertices: number[]; triangles: number[] } = body!.shape
      expect(body!.shape.type).toBe('mesh')
      expect(body!.tags).toContain('kind:patch')
      // on the parabola: x = 16(1 - t²), y = 16(1 - (1-t)²); the middle of each edge of a triangle is near it
      const far = (x: number, y: number) =>
        Math.min(
          ...Array.from({ length: 4001 }, (_, k) => {
            const t = k / 4000
            return Math.hypot(x - 16 * (1 - t * t), y - 16 * (1 - (1 - t) ** 2))
          }),
        )
      for (let k = 0; k < triangles.length; k += 3) {
        const [i, j] = [triangles[k]!, triangles[k + 1]!]
        expect(
          far((vertices[3 * i]! + vertices[3 * j]!) / 2, (vertices[3 * i + 1]! + vertices[3 * j + 1]!) / 2),
        ).toBeLessThan(tolerance + 0.005)
      }
      if (tolerance === 4) expect(triangles.length).toBeLessThan(30)
      if (tolerance === 0.001) expect(triangles.length).toBeGreaterThan(300)
    }
  })

  it('may have their own cuts, tips, and no surface', () => {
    expect(bodiesOf(taken(world(quarter('patchDef3', '4 4 '))))).toHaveLength(1)
    const tip = quarter('patchDef2').replaceAll(/\( \S+ \S+ 32 0 0 \)/g, '( 0 0 32 0 0 )')
    const { vertices, triangles } = bodiesOf(taken(world(tip)))[0]!.shape
    expect(
      new Set(Array.from({ length: vertices.length / 3 }, (_, k) => vertices.slice(3 * k, 3 * k + 3).join())).size,
    ).toBe(vertices.length / 3)
    expect(triangles.every((corner: number) => corner < vertices.length / 3)).toBe(true)
    const flat = quarter('patchDef2').replaceAll(/\( (0|16) \S+ \S+ 0 0 \)/g, '( 1 2 3 0 0 )')
    expect(taken(world(flat)).skipped).toMatchObject([{ what: 'patch', why: 'Its control points span no surface.' }])
    const fine = taken(world(quarter('patchDef2')), { tolerance: 1e-12 })
    expect(fine.skipped).toMatchObject([{ what: 'patch', why: expect.stringMatching(/tolerance.*vertices/) }])
  })
})

describe('hostile maps', () => {
  it.each([
    ['', /no entity/],
    ['// nothing', /no entity/],
    ['{', /line 1.*ends before/],
    [`{${'{'.repeat(1e5)}`, /Expected a word/],
    [`{ { curve ${'{'.repeat(1e5)}`, /ends before/],
    ['}', /Expected \{, got "}"/],
    ['{ "classname" "worldspawn" "message }', /quote is not closed/],
    ['{ "classname" }', /has no value/],
    [world('{ ( 0 0 0 ) ( 1 0 1e400 ) ( 0 1 0 ) x }'), /line 4.*"1e400" is not a number/],
    [world('{ ( 0 0 zero ) }'), /"zero" is not a number/],
    [world('{ ( 0 0 ) }'), /three points or four numbers/],
    [world('{ ( 0 0 0 ) ( 1 0 0 0 ) }'), /3 numbers, got 4/],
    [world(`{ ${'( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) x 0 0 0 1 1 '.repeat(2000)} }`), /more than 1024 faces/],
    [world('{ patchDef2 { x ( 4 3 0 0 0 ) ( ) } }'), /odd number of columns/],
    [world('{ patchDef2 { x ( 1e9 3 0 0 0 ) ( ) } }'), /odd number of columns/],
    [world('{ patchDef2 { x ( 3 3 0 0 0 ) ( ( ( 0 0 0 ) ) ) } }'), /Expected \(/],
    [`{ ${Array.from({ length: 2000 }, (_, k) => `"${k}" ""`).join(' ')} }`, /more than 1024 keys/],
    ['{}'.repeat(3e5), /more than 262144 entities/],
  ])('%.40s', (text, why) => {
    expect(refused(text)).toMatch(why)
  })

  it('spend no more than a share on a brush', () => {
    const wide = Array.from({ length: 400 }, (_, k) => {
      const [c, s] = [Math.cos(k), Math.sin(k)]
      // numbers of all sizes: their integers have thousands of digits
      return `( ${c} ${s} 1e-300 ) ( ${c} ${s} 1e90 ) ( ${c - s} ${s + c} 1e-299 ) x 0 0 0 1 1`
    })
    const [skipped] = taken(world(`{ ${wide.join('\n')} }`)).skipped
    expect(skipped?.why).toMatch(/exact arithmetic|enclose/)
  })

  it('keep paths of Windows and quotes in texts', () => {
    const text = '{ "classname" "light" "origin" "0 0 0"\n"wad" "C:\\q\\"\n"say" "a \\"b\\" c" }'
    expect(JSON.parse(bodiesOf(taken(text))[0]!.data!)).toMatchObject({ wad: 'C:\\q\\', say: 'a \\"b\\" c' })
  })
})

const DATA = '../shared/data/quake'
describe.skipIf(!existsSync(DATA))('real maps', () => {
  it.each([
    ['librequake-e3m4', 3441, 594],
    ['qodot-groups', 184, 0],
    ['qodot-brush-entities', 31, 0],
  ])('%s', (name, brushes, entities) => {
    const file = taken(readFileSync(`${DATA}/${name}.map`, 'utf8'))
    const kinds = file.bodies.map(({ tags }) => tags?.find((tag) => tag.startsWith('kind:')))
    expect(kinds.filter((kind) => kind === 'kind:brush')).toHaveLength(brushes)
    expect(kinds.filter((kind) => kind === 'kind:entity')).toHaveLength(entities)
    expect(file.repaired).toEqual([])
    expect(file.skipped.every(({ what }) => what === 'group')).toBe(true)
  })
})
