// Scenes of Godot in space: shapes with their nodes' turns, and what no shape is left of.

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bodiesOf, type Files, imported } from './imported.ts'

const taken = (files: Files) => imported(files, { format: 'godot', dimension: 3 })
const HEAD = '[gd_scene format=3]\n'
const scene = (type: string, fields: string, place: string) => `${HEAD}[sub_resource type="${type}" id="s"]
${fields}
[node name="Level" type="Node3D"]
[node name="Wall" type="StaticBody3D" parent="."]
${place}
[node name="Shape" type="CollisionShape3D" parent="Wall"]
shape = SubResource("s")
`
const fileOf = (type: string, fields = '', place = '') => taken({ 'a.tscn': scene(type, fields, place) })
const only = (type: string, fields = '', place = '') => bodiesOf(fileOf(type, fields, place))[0]!
const why = (type: string, fields = '', place = '') => fileOf(type, fields, place).skipped[0]?.why
const place = (rows: number[], at = [0, 0, 0]) => `transform = Transform3D(${[...rows, ...at].join(', ')})`
const AT = place([1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 2, 3])
/** A quarter about z, as single precision writes it. */
const QUARTER = place([-4.37114e-8, -1, 0, 1, -4.37114e-8, 0, 0, 0, 1])
const TURNED = place([0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1])
const SHEAR = place([1, 1, 0, 0, 1, 0, 0, 0, 1])
const pointsOf = (points: { x: number; y: number; z: number }[]) => points.map(({ x, y, z }) => `${x} ${y} ${z}`).sort()

describe('collision shapes', () => {
  it.each([
    ['BoxShape3D', '', { type: 'box', size: { x: 1, y: 1, z: 1 } }],
    ['SphereShape3D', '', { type: 'sphere', radius: 0.5 }],
    ['CapsuleShape3D', '', { type: 'capsule', a: { x: 0, y: -0.5, z: 0 }, b: { x: 0, y: 0.5, z: 0 }, radius: 0.5 }],
    ['CylinderShape3D', 'height = 3.0', { type: 'cylinder', radius: 0.5, height: 3 }],
    ['SeparationRayShape3D', 'length = 2.0', { type: 'segment', a: { x: 0, y: 0, z: 0 }, b: { x: 0, y: 0, z: 2 } }],
    [
      'WorldBoundaryShape3D',
      'plane = Plane(0, 2, 0, 3)',
      { type: 'halfspace', normal: { x: 0, y: 2, z: 0 }, offset: 1.5 },
    ],
    [
      'ConvexPolygonShape3D',
      'points = PackedVector3Array(0, 0, 0, 1, 0, 0, 0, 1, 0)',
      {
        type: 'hull',
        points: [
          { x: 0, y: 0, z: 0 },
          { x: 1, y: 0, z: 0 },
          { x: 0, y: 1, z: 0 },
        ],
      },
    ],
    [
      'ConcavePolygonShape3D',
      'data = PackedVector3Array(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1)',
      { type: 'mesh', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1], triangles: [0, 1, 2, 2, 1, 3] },
    ],
  ])('%s %s', (type, fields, expected) => {
    const body = only(type, fields, AT)
    expect(body.shape).toEqual(expected)
    expect(body).toMatchObject({ id: 'Level:Wall_Shape', position: { x: 1, y: 2, z: 3 } })
    expect(body.orientation).toBeUndefined()
    expect(body.tags).toEqual([
      'layer:Level',
      'kind:node',
      'class:StaticBody3D',
      'name:Wall',
      'collision-layer:1',
      'collision-mask:1',
      'import:map',
    ])
  })

  it('are heights about the middle', () => {
    const body = only(
      'HeightMapShape3D',
      'map_width = 3\nmap_depth = 2\nmap_data = PackedFloat32Array(0, 1, 2, 3, 4, 5)',
      AT,
    )
    expect(body.shape).toEqual({
      type: 'heightfield',
      heights: [0, 1, 2, 3, 4, 5],
      columns: 3,
      cellSize: { x: 1, z: 1 },
    })
    expect(body.position).toEqual({ x: 0, y: 2, z: 2.5 })
    expect(why('HeightMapShape3D', 'map_width = 4')).toBe('It has 4 heights, not 4 × 2.')
  })

  it('are exact where they lie along the axes, and turned where not', () => {
    const size = 'size = Vector3(2, 4, 6)'
    expect(only('BoxShape3D', size, QUARTER)).toMatchObject({ shape: { size: { x: 4, y: 2, z: 6 } } })
    expect(only('BoxShape3D', size, QUARTER).orientation).toBeUndefined()
    const turned = only('BoxShape3D', size, TURNED)
    expect(turned.shape).toEqual({ type: 'box', size: { x: 2, y: 4, z: 6 } })
    expect(turned.orientation?.z).toBeCloseTo(1 / Math.sqrt(10), 14)
    expect(turned.orientation?.w).toBeCloseTo(3 / Math.sqrt(10), 14)
    expect(only('CylinderShape3D', '', QUARTER).shape).toEqual({ type: 'cylinder', radius: 0.5, height: 2, axis: 'x' })
    expect(only('BoxShape3D', size, 'rotation = Vector3(0, 0, 0.785398163)').orientation?.z).toBeCloseTo(0.3826834, 6)
    expect(only('WorldBoundaryShape3D', '', QUARTER).shape).toEqual({
      type: 'halfspace',
      normal: { x: -1, y: 0, z: 0 },
      offset: 0,
    })
  })

  it('are stretched, mirrored and sheared as far as a shape is left', () => {
    const tall = place([1, 0, 0, 0, 2, 0, 0, 0, 1])
    const wide = place([2, 0, 0, 0, 1, 0, 0, 0, 1])
    expect(only('SphereShape3D', '', wide).shape).toEqual({ type: 'ellipsoid', radii: { x: 1, y: 0.5, z: 0.5 } })
    expect(only('CapsuleShape3D', '', tall).shape).toMatchObject({
      type: 'compound',
      children: [{ shape: { height: 2 } }, { position: { y: -1 } }, { position: { y: 1 } }],
    })
    expect(why('CapsuleShape3D', '', wide)).toMatch(/stretches it unevenly/)
    expect(why('CylinderShape3D', '', wide)).toMatch(/stretches it unevenly/)
    expect(why('SphereShape3D', '', SHEAR)).toMatch(/shears it/)
    const sheared = only('BoxShape3D', 'size = Vector3(2, 2, 2)', SHEAR)
    expect(pointsOf(sheared.shape.points)).toEqual([
      '-2 -1 -1',
      '-2 -1 1',
      '0 -1 -1',
      '0 -1 1',
      '0 1 -1',
      '0 1 1',
      '2 1 -1',
      '2 1 1',
    ])
    const mirror = place([-1, 0, 0, 0, 1, 0, 0, 0, 1])
    const mesh = only('ConcavePolygonShape3D', 'data = PackedVector3Array(0, 0, 0, 1, 0, 0, 0, 1, 0)', mirror).shape
    expect(mesh).toEqual({ type: 'mesh', vertices: [0, 0, 0, -1, 0, 0, 0, 1, 0], triangles: [2, 1, 0] })
    expect(why('HeightMapShape3D', '', mirror)).toMatch(/mirrors/)
    expect(why('BoxShape3D', 'size = Vector3(-1, 1, 1)')).toMatch(/less than 0/)
    expect(why('SphereShape3D', 'radius = 1e400')).toMatch(/radius/)
    expect(why('ConvexPolygonShape3D', 'points = PackedVector3Array(1, 2)')).toMatch(/three numbers each/)
    expect(why('SoftShape3D')).toMatch(/not known/)
  })

  it('may be polygons with a depth: convex pieces of them', () => {
    const polygon = (points: string) =>
      taken({
        'a.tscn': `${HEAD}[node name="P" type="CollisionPolygon3D"]\ndepth = 4.0\npolygon = PackedVector2Array(${points})\n`,
      })
    const [square] = bodiesOf(polygon('0, 0, 2, 0, 2, 2, 0, 2'))
    expect(pointsOf(square!.shape.points)).toEqual([
      '0 0 -2',
      '0 0 2',
      '0 2 -2',
      '0 2 2',
      '2 0 -2',
      '2 0 2',
      '2 2 -2',
      '2 2 2',
    ])
    const [bend] = bodiesOf(polygon('0, 0, 4, 0, 4, 2, 2, 2, 2, 4, 0, 4'))
    expect(bend!.shape).toMatchObject({
      type: 'compound',
      children: [{ shape: { type: 'hull' } }, { shape: { type: 'hull' } }],
    })
    expect(polygon('0, 0, 2, 2, 2, 0, 0, 2').skipped[0]?.why).toMatch(/cross/)
    expect(polygon('0, 0, 2, 2').skipped[0]?.why).toMatch(/fewer than three/)
    expect(polygon('0, 0, 2, 2, 4, 4').skipped[0]?.why).toMatch(/no area/)
  })

  it('take no place from nodes that are in no space', () => {
    const text = `${HEAD}[sub_resource type="SphereShape3D" id="s"]
[node name="Level" type="Node3D"]
position = Vector3(1, 0, 0)
[node name="Hud" type="Sprite2D" parent="."]
scale = Vector2(2, 2)
[node name="Ball" type="CollisionShape3D" parent="Hud"]
position = Vector3(0, 5, 0)
shape = SubResource("s")
[node name="Flat" type="CollisionShape2D" parent="."]
`
    const file = taken({ 'a.tscn': text })
    expect(bodiesOf(file)).toMatchObject([{ position: { x: 0, y: 5, z: 0 } }])
    expect(file.skipped).toMatchObject([{ where: 'Flat', why: expect.stringMatching(/plane/) }])
  })
})

const DATA = '../shared/data/godot'
describe.skipIf(!existsSync(DATA))('a real scene', () => {
  it('has its player and platforms, and a line for each node that is none', () => {
    const names = ['main', 'player', 'platform_medium', 'platform_grass_large_round']
    const files = Object.fromEntries(names.map((name) => [`${name}.tscn`, readFileSync(`${DATA}/${name}.tscn`)]))
    const file = taken(files)
    const bodies = bodiesOf(file)
    expect(bodies.map(({ shape }) => shape.type)).toEqual(['capsule', ...new Array(6).fill('mesh')])
    expect(bodies.map(({ tags }) => tags?.find((tag) => tag.startsWith('scene:')))).toEqual([
      'scene:player',
      ...new Array(4).fill('scene:platform_medium'),
      ...new Array(2).fill('scene:platform_grass_large_round'),
    ])
    expect(bodies[0]).toMatchObject({
      position: { x: 0, y: 0.49277484 + 0.55, z: 0 },
      tags: expect.arrayContaining(['group:player']),
    })
    // instances share their shape
    expect(new Set(file.bodies.map(({ form }) => form)).size).toBe(3)
    const missing = file.skipped.filter(({ what }) => what === 'instance').map(({ where }) => where)
    expect(missing).toEqual(
      expect.arrayContaining(['World/coin', 'World/flag', 'World/brick3', 'World/platform6', 'Player/Character']),
    )
  })
})
