// Scenes of Godot in the plane: shapes where their nodes lie, instances, tile maps, and scenes that mean harm.

import { describe, expect, it } from 'vitest'
import { bodiesOf, byId, cornersOf, type Files, imported, refusal } from './imported.ts'

const GODOT = { format: 'godot' } as const
const taken = (files: Files, merge = true) => imported(files, { ...GODOT, merge })
const refused = (files: Files) => refusal(files, GODOT)
const HEAD = '[gd_scene load_steps=2 format=3 uid="uid://x"]\n'
const shape = (type: string, fields: string) => `[sub_resource type="${type}" id="s"]\n${fields}\n`
const WALL = `[node name="Level" type="Node2D"]\n[node name="Wall" type="StaticBody2D" parent="."]\n`
const collision = (fields = '', name = 'Shape') =>
  `[node name="${name}" type="CollisionShape2D" parent="Wall"]\nshape = SubResource("s")\n${fields}\n`
const only = (type: string, fields: string, place = '') =>
  bodiesOf(taken({ 'a.tscn': HEAD + shape(type, fields) + WALL + collision(place) }))[0]!

describe('collision shapes', () => {
  it.each([
    ['RectangleShape2D', 'size = Vector2(8, 4)', { type: 'box', width: 8, height: 4 }],
    ['RectangleShape2D', '', { type: 'box', width: 20, height: 20 }],
    ['CircleShape2D', '', { type: 'circle', radius: 10 }],
    [
      'CapsuleShape2D',
      'radius = 3.0\nheight = 16.0',
      { type: 'capsule', a: { x: 0, y: -5 }, b: { x: 0, y: 5 }, radius: 3 },
    ],
    ['SegmentShape2D', 'b = Vector2(3, 4)', { type: 'segment', a: { x: 0, y: 0 }, b: { x: 3, y: 4 } }],
    ['SeparationRayShape2D', '', { type: 'segment', a: { x: 0, y: 0 }, b: { x: 0, y: 20 } }],
    ['WorldBoundaryShape2D', 'distance = 3.0', { type: 'halfplane', normal: { x: 0, y: -1 }, offset: 3 }],
    [
      'ConvexPolygonShape2D',
      'points = PackedVector2Array(0, 0, 4, 0, 0, 4)',
      {
        type: 'polygon',
        vertices: [
          { x: 0, y: 0 },
          { x: 4, y: 0 },
          { x: 0, y: 4 },
        ],
      },
    ],
    [
      'ConcavePolygonShape2D',
      'segments = PackedVector2Array(0, 0, 4, 0, 4, 0, 4, 4)',
      {
        type: 'chain',
        vertices: [
          { x: 0, y: 0 },
          { x: 4, y: 0 },
          { x: 4, y: 4 },
        ],
      },
    ],
  ])('%s %s', (type, fields, expected) => {
    const body = only(type, fields, 'position = Vector2(100, -20)')
    expect(body.shape).toEqual(expected)
    expect(body).toMatchObject({ id: 'Level:Wall_Shape', position: { x: 100, y: -20 } })
  })

  it('are turned, stretched and mirrored with their nodes', () => {
    const box = (place: string) => cornersOf(only('RectangleShape2D', 'size = Vector2(8, 4)', place))
    expect(box('rotation = 1.5708')).toEqual(['-2 -4', '-2 4', '2 -4', '2 4'])
    expect(box('scale = Vector2(2, -3)')).toEqual(['-8 -6', '-8 6', '8 -6', '8 6'])
    expect(box('transform = Transform2D(0, 1, -1, 0, 10, 20)')).toEqual(['12 16', '12 24', '8 16', '8 24'])
    expect(box('skew = 0.785398')).toEqual(['-2.586 -1.414', '-5.414 1.414', '2.586 1.414', '5.414 -1.414'].sort())
    expect(only('CircleShape2D', 'radius = 2.0', 'scale = Vector2(2, 1)').shape).toEqual({
      type: 'ellipse',
      rx: 4,
      ry: 2,
    })
    const floor = only('WorldBoundaryShape2D', 'distance = 3.0', 'rotation = 3.14159265\nscale = Vector2(2, 2)')
    expect(floor.shape).toMatchObject({ normal: { x: 0, y: 2 }, offset: 6 })
    // n · x < d stays on the same side in a mirror
    expect(
      only('WorldBoundaryShape2D', 'normal = Vector2(1, 0)\ndistance = 3.0', 'scale = Vector2(-1, 1)').shape,
    ).toEqual({
      type: 'halfplane',
      normal: { x: -1, y: 0 },
      offset: 3,
    })
  })

  it('lie in all nodes around them, and know their object', () => {
    const text = `${HEAD}${shape('CircleShape2D', 'radius = 1.0')}
[node name="Level" type="Node2D"]
position = Vector2(1000, 0)
[node name="Plain" type="Node" parent="."]
[node name="Gate" type="Area2D" parent="Plain" groups=["doors", "old"]]
position = Vector2(100, 0)
rotation = 1.570796
collision_layer = 5
collision_mask = 6
metadata/key = "brass"
metadata/_edit_lock_ = true
visible = false
[node name="Shape" type="CollisionShape2D" parent="Plain/Gate"]
position = Vector2(10, 0)
disabled = true
one_way_collision = true
shape = SubResource("s")
`
    const [body] = bodiesOf(taken({ 'a.tscn': text }))
    expect(body).toEqual({
      id: 'Level:Plain_Gate_Shape',
      position: { x: 100, y: 10 },
      shape: { type: 'circle', radius: 1 },
      sensor: true,
      data: '{"key":"brass"}',
      tags: [
        'layer:Level',
        'kind:node',
        'class:Area2D',
        'name:Gate',
        'group:doors',
        'group:old',
        'collision-layer:1',
        'collision-layer:3',
        'collision-mask:2',
        'collision-mask:3',
        'disabled',
        'one-way',
        'hidden',
        'import:map',
      ],
    })
    const all = bodiesOf(taken({ 'a.tscn': text.replace('collision_mask = 6', 'collision_mask = 4294967295') }))
    expect(all[0]?.tags?.filter((tag) => tag.startsWith('collision-mask:'))).toEqual(['collision-mask:all'])
  })

  it('may be polygons of nodes, filled or lines', () => {
    const polygon = (more: string) =>
      bodiesOf(
        taken({
          'a.tscn': `${HEAD}${WALL}[node name="P" type="CollisionPolygon2D" parent="Wall"]\npolygon = PackedVector2Array(0, 0, 8, 0, 8, 8, 4, 2)\n${more}`,
        }),
      )[0]!.shape
    expect(polygon('').type).toBe('region')
    expect(polygon('build_mode = 1')).toMatchObject({ type: 'chain', loop: true })
  })

  it('that are none are listed, with all that has none', () => {
    const text = `${HEAD}${WALL}[node name="A" type="CollisionShape2D" parent="Wall"]
[node name="B" type="CollisionShape2D" parent="Wall"]
shape = SubResource("none")
[node name="C" type="CollisionShape2D" parent="Wall"]
shape = ExtResource("none")
[node name="D" type="CollisionPolygon2D" parent="Wall"]
[node name="E" type="Sprite2D" parent="."]
[node name="F" type="StaticBody2D" parent="."]
position = Vector2(1e400, 0)
[node name="G" type="CollisionShape3D" parent="F"]
[node name="H" type="CollisionShape3D" parent="."]
[node name="I" type="StaticBody2D" parent="."]
`
    const file = taken({ 'a.tscn': text })
    expect(file.bodies).toEqual([])
    expect(file.skipped.map(({ where, what, why }) => [where, what, why])).toEqual([
      ['Wall/A', 'CollisionShape2D', 'It has no shape.'],
      ['Wall/B', 'CollisionShape2D', 'The file has no resource "none".'],
      ['Wall/C', 'CollisionShape2D', 'The file names no resource "none".'],
      ['Wall/D', 'CollisionPolygon2D', 'Its polygon has no points.'],
      ['E', 'Sprite2D', 'Nodes of the type Sprite2D have no collision shape.'],
      ['F', 'StaticBody2D', expect.stringMatching(/Its position is not.*below it is left out/)],
      ['H', 'CollisionShape3D', 'Collision shapes of the space go into scenes of that dimension.'],
      ['I', 'StaticBody2D', 'It has no collision shape.'],
    ])
  })
})

describe('instanced scenes', () => {
  const crate = `${HEAD}${shape('RectangleShape2D', 'size = Vector2(2, 2)')}[node name="Crate" type="RigidBody2D" groups=["crates"]]\n[node name="Box" type="CollisionShape2D" parent="."]\nshape = SubResource("s")\n`
  const outer = `${HEAD}[ext_resource type="PackedScene" path="res://props/crate.tscn" id="1"]
[sub_resource type="CircleShape2D" id="s"]
radius = 7.0
[node name="Level" type="Node2D"]
[node name="One" parent="." instance=ExtResource("1")]
position = Vector2(10, 0)
[node name="Two" parent="." groups=["heavy"] instance=ExtResource("1")]
scale = Vector2(2, 2)
[node name="Box" parent="Two" index="0"]
shape = SubResource("s")
`
  it('are put in, with what the outer scene changes', () => {
    const bodies = byId(taken({ 'level.tscn': outer, 'crate.tscn': crate }))
    expect(bodies['Level:One_Box']).toMatchObject({ shape: { type: 'box', width: 2 }, position: { x: 10, y: 0 } })
    expect(bodies['Level:Two_Box']).toMatchObject({ shape: { type: 'circle', radius: 14 } })
    expect(bodies['Level:Two_Box']?.tags).toEqual(
      expect.arrayContaining(['scene:crate', 'group:crates', 'group:heavy']),
    )
  })

  it('that are missing are listed, and what is added to them is taken', () => {
    const more = `[node name="Deep" type="CollisionShape2D" parent="One/Inside/Out"]\nposition = Vector2(0, 1)\nshape = SubResource("s")\n`
    const file = taken({ 'level.tscn': outer + more })
    expect(bodiesOf(file)).toMatchObject(
      [{ position: { x: 10, y: 1 } }, { id: 'Level:Two_Box' }].slice(0, file.bodies.length),
    )
    expect(file.skipped).toEqual(
      expect.arrayContaining([
        { where: 'One', what: 'instance', why: 'It is an instance of "crate.tscn", which was not sent as text.' },
        expect.objectContaining({ where: 'Two', what: 'instance' }),
      ]),
    )
  })

  it('may be inherited, and have shapes in files of their own', () => {
    const heir = `${HEAD}[ext_resource type="PackedScene" path="res://crate.tscn" id="1"]
[ext_resource type="Shape2D" path="res://ball.tres" id="2"]
[node name="Heir" instance=ExtResource("1")]
[node name="Ball" type="CollisionShape2D" parent="."]
shape = ExtResource("2")
`
    const ball = '[gd_resource type="CircleShape2D" format=3]\n[resource]\nradius = 5.0\n'
    expect(byId(taken({ 'a.tscn': heir, 'crate.tscn': crate, 'ball.tres': ball }))).toMatchObject({
      'Heir:Box': { shape: { type: 'box' } },
      'Heir:Ball': { shape: { type: 'circle', radius: 5 } },
    })
    expect(taken({ 'a.tscn': heir, 'crate.tscn': crate }).skipped).toMatchObject([
      { where: 'Ball', why: expect.stringMatching(/ball\.tres/) },
    ])
  })
})

describe('tile maps', () => {
  const set = (more = '') => `[sub_resource type="TileSetAtlasSource" id="atlas"]
0:0/0 = 0
0:0/0/physics_layer_0/polygon_0/points = PackedVector2Array(-8, -8, 8, -8, 8, 8, -8, 8)
1:0/0 = 0
1:0/0/physics_layer_1/polygon_0/points = PackedVector2Array(-8, 8, 8, 8, 8, -8)
1:0/0/physics_layer_1/polygon_0/one_way = true
2:0/0 = 0
[sub_resource type="TileSet" id="set"]
${more}
physics_layer_0/collision_layer = 1
physics_layer_1/collision_layer = 4
sources/3 = SubResource("atlas")
`
  /** Cells as x, y, column of the atlas, and how they are turned over. */
  const bytes = (cells: number[][]) => {
    const buffer = Buffer.alloc(2 + 12 * cells.length)
    cells.forEach(([x, y, column, alternative = 0], k) => {
      const at = 2 + 12 * k
      buffer.writeInt16LE(x!, at)
      buffer.writeInt16LE(y!, at + 2)
      buffer.writeUInt16LE(3, at + 4)
      buffer.writeUInt16LE(column!, at + 6)
      buffer.writeUInt16LE(alternative, at + 10)
    })
    return buffer
  }
  const layer = (data: string, more = '', setting = '') =>
    `${HEAD}${set(setting)}[node name="Level" type="Node2D"]\n[node name="Ground" type="TileMapLayer" parent="."]\n${more}\ntile_map_data = PackedByteArray(${data})\ntile_set = SubResource("set")\n`
  const CELLS = [
    [0, 0, 0],
    [1, 0, 0],
    [-1, 2, 1],
    [5, 5, 2],
  ]

  it.each([
    ['numbers', [...bytes(CELLS)].join(', ')],
    ['a text', `"${bytes(CELLS).toString('base64')}"`],
  ])('have cells and tiles by their polygons, packed as %s', (_, data) => {
    const file = taken({ 'a.tscn': layer(data, 'position = Vector2(100, 0)') })
    const bodies = byId(file)
    expect(Object.keys(bodies)).toEqual(['Level:Ground_-1.2', 'Level:Ground_0.0'])
    expect(bodies['Level:Ground_0.0']).toMatchObject({
      shape: { type: 'box', width: 32, height: 16 },
      position: { x: 116, y: 8 },
    })
    expect(bodies['Level:Ground_0.0']?.tags).toEqual(
      expect.arrayContaining(['kind:tile', 'class:TileMapLayer', 'name:Ground', 'collision-layer:1']),
    )
    expect(cornersOf(bodies['Level:Ground_-1.2']!)).toEqual(['100 32', '100 48', '84 48'])
    expect(bodies['Level:Ground_-1.2']?.tags).toEqual(expect.arrayContaining(['collision-layer:3', 'one-way']))
    expect(file).toMatchObject({ cells: 2, merged: 1, skipped: [] })
    expect(taken({ 'a.tscn': layer(data) }, false).bodies).toHaveLength(3)
  })

  it('turn tiles over', () => {
    const corners = (alternative: number) =>
      cornersOf(bodiesOf(taken({ 'a.tscn': layer([...bytes([[0, 0, 1, alternative]])].join(', ')) }))[0]!)
    expect(corners(0)).toEqual(['0 16', '16 0', '16 16'])
    expect(corners(1 << 12)).toEqual(['0 0', '0 16', '16 16'])
    expect(corners(1 << 13)).toEqual(['0 0', '16 0', '16 16'])
    expect(corners((1 << 14) | (1 << 12))).toEqual(['0 0', '0 16', '16 16'])
  })

  it('may be isometric', () => {
    const setting = 'tile_shape = 1\ntile_layout = 5\ntile_size = Vector2i(32, 16)'
    const file = taken({
      'a.tscn': layer(
        [
          ...bytes([
            [1, 0, 0],
            [0, 1, 0],
          ]),
        ].join(', '),
        '',
        setting,
      ),
    })
    expect(bodiesOf(file).map(({ position }) => position)).toEqual([
      { x: 32, y: 16 },
      { x: 0, y: 16 },
    ])
  })

  it('may be those of Godot 4.0', () => {
    const cells = [0, 3, 0, 0x10001, 3, 0, 0xffff, 0x10003, 0]
    const text = `${HEAD}${set()}[node name="Level" type="TileMap"]\ntile_set = SubResource("set")\nformat = 2\nlayer_0/tile_data = PackedInt32Array(${cells.join(', ')})\n`
    expect(bodiesOf(taken({ 'a.tscn': text })).map(({ id }) => id)).toEqual(['Level:_-1.0', 'Level:_0.0', 'Level:_1.1'])
  })

  it('that give nothing are listed', () => {
    const none = [...bytes([[0, 0, 2]])].join(', ')
    expect(taken({ 'a.tscn': layer(none) }).skipped).toMatchObject([
      { where: 'Ground', why: 'None of its 1 tiles has a collision polygon.' },
    ])
    expect(taken({ 'a.tscn': layer('') }).skipped).toMatchObject([{ why: 'It has no cells.' }])
    expect(taken({ 'a.tscn': layer('0, 0, 1') }).skipped).toMatchObject([
      { why: expect.stringMatching(/middle of one/) },
    ])
    expect(taken({ 'a.tscn': layer(none).replace('SubResource("set")', 'ExtResource("set")') }).skipped).toMatchObject([
      { where: 'Ground' },
    ])
    const far = [
      ...bytes([
        [-32768, -32768, 0],
        [32767, 32767, 0],
      ]),
    ].join(', ')
    expect(taken({ 'a.tscn': layer(far) }).skipped).toMatchObject([{ why: expect.stringMatching(/farther apart/) }])
  })
})

describe('hostile scenes', () => {
  it.each([
    ['', /begin with \[gd_scene\]/],
    ['[gd_resource type="TileSet" format=3]', /has no node/],
    ['[gd_scene format=2]', /Godot 3 or earlier/],
    [`${HEAD}[node`, /line 2.*ends in the middle/],
    [`${HEAD}[node name="a`, /not closed/],
    [`${HEAD}[node name="a" type="Node2D"]\nx = ${'['.repeat(1e5)}`, /more than 64 deep/],
    [`${HEAD}[node name="a" type="Node2D"]\nx = ${'Vector2('.repeat(1e5)}`, /more than 64 deep/],
    [`${HEAD}[node name="a" type="Node2D"]\nx = ${'{1:'.repeat(1e5)}`, /more than 64 deep/],
    [`${HEAD}[node name="a" type="Node2D"]\nx = }`, /line 3.*Expected a value, got "}"/],
    [`${HEAD}[node name="a" type="Node2D" parent="."]`, /first node has no parent/],
    [`${HEAD}${WALL}[node name="a" type="Node2D" parent="Nowhere"]`, /no node "Nowhere"/],
    [`${HEAD}${WALL}[node name="a" type="Node2D" parent="${'a/'.repeat(1e4)}"]`, /more than 256 deep/],
    [`${HEAD}${'[node name="a" type="Node2D"]\n'.repeat(3e5)}`, /sections/],
  ])('%.60s', (text, why) => {
    expect(refused({ 'a.tscn': text })).toMatch(why)
  })

  it('may not lie in themselves, nor in each other without end', () => {
    const inner = (name: string, count = 1) =>
      `${HEAD}[ext_resource type="PackedScene" path="res://${name}.tscn" id="1"]\n[node name="R" type="Node2D"]\n${Array.from({ length: count }, (_, k) => `[node name="n${k}" parent="." instance=ExtResource("1")]\n`).join('')}`
    expect(refused({ 'a.tscn': inner('b'), 'b.tscn': inner('c'), 'c.tscn': inner('b') })).toMatch(
      /b\.tscn: It is an instance in itself/,
    )
    const chain = Object.fromEntries(Array.from({ length: 80 }, (_, k) => [`s${k}.tscn`, inner(`s${k + 1}`)]))
    expect(refused(chain)).toMatch(/more than 64 deep/)
    const bomb = Object.fromEntries(Array.from({ length: 12 }, (_, k) => [`s${k}.tscn`, inner(`s${k + 1}`, 10)]))
    expect(refused(bomb)).toMatch(/more than 262144 nodes/)
  })
})
