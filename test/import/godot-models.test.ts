// Models that scenes of Godot have instances of: nodes where the scene puts them, named and changed as Godot does.

import { describe, expect, it } from 'vitest'
import { glbOf } from '../support/mesh-files.ts'
import { byId, type Files, imported, refusal } from './imported.ts'

const taken = (files: Files, solid = false) => imported(files, { format: 'godot', dimension: 3, solid })

/** A tetrahedron with its corners at the origin and at 2 on each axis. */
const SOLID = { vertices: [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2], triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] }
const modelOf = (nodes: object[], roots = [0]) => glbOf(SOLID, { nodes, scenes: [{ nodes: roots }] })
const HEAD = `[gd_scene format=3]
[ext_resource type="PackedScene" path="res://models/rock.glb" id="rock"]
[node name="Level" type="Node3D"]
`
const ROCK = '[node name="Rock" parent="." groups=["stones"] instance=ExtResource("rock")]\n'
const QUARTER = 'transform = Transform3D(0, 0, 2, 0, 2, 0, -2, 0, 0, 10, 0, 0)\n'

describe('models in scenes of Godot', () => {
  it('are listed by name where they were not sent', () => {
    const file = taken({ 'a.tscn': HEAD + ROCK })
    expect(file.skipped).toEqual([
      { where: 'Rock', what: 'instance', why: expect.stringMatching(/"rock.glb", which was not sent: add it/) },
    ])
  })

  it('stand where their nodes do, and say what collides by their names', () => {
    const nodes = [
      { name: 'Rock', children: [1, 2, 3, 4], translation: [0, 1, 0] },
      { name: 'Seen', mesh: 0 },
      { name: 'Body-convcol.001', mesh: 0, translation: [1, 0, 0] },
      { name: 'Wall-colonly', mesh: 0, scale: [1, 1, -1] },
      { name: 'Left-noimp', mesh: 0, children: [5] },
      { name: 'Below', mesh: 0 },
    ]
    const file = taken({ 'a.tscn': HEAD + ROCK + QUARTER, 'rock.glb': modelOf(nodes) })
    const bodies = byId(file)
    expect(Object.keys(bodies)).toEqual(['Level:Rock_Rock_Seen', 'Level:Rock_Rock_Body_001', 'Level:Rock_Rock_Wall'])
    const common = ['layer:Level', 'kind:node']
    expect(bodies['Level:Rock_Rock_Seen']).toMatchObject({
      position: { x: 10, y: 2, z: 0 },
      tags: [...common, 'scene:rock', 'visual', 'import:map'],
      // a quarter turn is exact
      shape: { type: 'mesh', vertices: [0, 0, 0, 0, 0, -4, 0, 4, 0, 4, 0, 0] },
    })
    const collider = (name: string) => [...common, 'class:StaticBody3D', `name:${name}`, 'collision-layer:1', 'collision-mask:1', 'scene:rock', 'collider', 'import:map'] // biome-ignore format: a list
    // x of the model points to −z of the scene
    expect(bodies['Level:Rock_Rock_Body_001']).toMatchObject({
      position: { x: 10, y: 2, z: -2 },
      tags: collider('Body_001'),
      shape: { type: 'hull' },
    })
    expect(bodies['Level:Rock_Rock_Wall']?.tags).toEqual(collider('Wall'))
    expect(bodies['Level:Rock_Rock_Wall']?.shape.vertices.slice(-3)).toEqual([-4, 0, 0])
    expect(file.skipped).toEqual([
      { where: 'Rock/Rock/Left', what: 'node', why: 'Its name in the model ends in -noimp.' },
    ])
  })

  it('are turned without a change of their shapes', () => {
    const turned = 'transform = Transform3D(0.6, 0, 0.8, 0, 1, 0, -0.8, 0, 0.6, 1, 2, 3)\n'
    const file = taken({ 'a.tscn': HEAD + ROCK + turned, 'rock.glb': modelOf([{ name: 'Stone', mesh: 0 }]) })
    const stone = byId(file)['Level:Rock_Stone']
    expect(stone?.shape.vertices).toEqual(SOLID.vertices)
    expect(stone?.position).toEqual({ x: 1, y: 2, z: 3 })
    // y of a half turn of the angle whose cosine is 0.6
    expect(stone?.orientation?.y).toBeCloseTo(1 / Math.sqrt(5), 14)
    expect(stone?.orientation?.w).toBeCloseTo(2 / Math.sqrt(5), 14)
  })

  it('share their shapes, and are solid if asked', () => {
    const model = modelOf([{ name: 'Stone-col', mesh: 0 }])
    const two = `${HEAD}${ROCK}${QUARTER}${ROCK.replace('Rock', 'Other')}${QUARTER.replace('10,', '20,')}`
    const file = taken({ 'a.tscn': two, 'rock.glb': model }, true)
    const [one, other] = Object.values(byId(file))
    expect(one?.shape).toMatchObject({ type: 'mesh', solid: true })
    expect(other?.shape).toEqual(one?.shape)
    expect([one?.position, other?.position]).toEqual([
      { x: 10, y: 0, z: 0 },
      { x: 20, y: 0, z: 0 },
    ])
  })

  it('take what the scene changes in them, and adds to them', () => {
    const nodes = [
      { name: 'Base', children: [1], translation: [0, 0, 5] },
      { name: 'Arm', mesh: 0, translation: [1, 0, 0] },
    ]
    const text = `${HEAD}[sub_resource type="SphereShape3D" id="ball"]
${ROCK}
[node name="Arm" parent="Rock/Base" groups=["arms"]]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0)
visible = false
metadata/heavy = true
[node name="StaticBody3D" type="StaticBody3D" parent="Rock/Base/Arm"]
[node name="Hand" type="CollisionShape3D" parent="Rock/Base/Arm/StaticBody3D"]
shape = SubResource("ball")
[node name="Bone" parent="Rock/Skeleton3D"]
`
    const file = taken({ 'a.tscn': text, 'rock.glb': modelOf(nodes) })
    const bodies = byId(file)
    expect(bodies['Level:Rock_Base_Arm']).toMatchObject({
      position: { x: 3, y: 0, z: 5 },
      tags: expect.arrayContaining(['group:arms', 'visual', 'hidden']),
      data: '{"heavy":true}',
    })
    expect(bodies['Level:Rock_Base_Arm_StaticBody3D_Hand']).toMatchObject({ position: { x: 3, y: 0, z: 5 } })
    expect(file.skipped.map(({ where }) => where)).toEqual(['Rock/Skeleton3D/Bone'])
  })

  it('may be roots, inherited, and of two nodes of one name', () => {
    const text = `[gd_scene format=3]
[ext_resource type="PackedScene" path="res://rock.glb" id="1"]
[node name="Inherited" instance=ExtResource("1")]
`
    const nodes = [
      { name: 'A', mesh: 0 },
      { name: 'A', mesh: 0, translation: [1, 0, 0] },
    ]
    const file = taken({ 'a.tscn': text, 'rock.glb': modelOf(nodes, [0, 1]) })
    expect(Object.keys(byId(file))).toEqual(['Inherited:A', 'Inherited:A2'])
  })

  it('are refused by name where they are damaged, or too deep, or go round', () => {
    const scene = HEAD + ROCK
    const refused = (model: Uint8Array) =>
      refusal({ 'a.tscn': scene, 'rock.glb': model }, { format: 'godot', dimension: 3 })
    expect(refused(Buffer.from('glTF'))).toMatch(/^import-malformed: rock\.glb, /)
    expect(refused(modelOf([{ children: [0] }]))).toMatch(/rock\.glb, nodes\/0: A node must have one parent/)
    expect(refused(modelOf([{ children: [7] }]))).toMatch(/rock\.glb, nodes\/7: There are only 1 nodes/)
    const deep = Array.from({ length: 400 }, (_, k) => (k === 399 ? { mesh: 0 } : { children: [k + 1] }))
    expect(refused(modelOf(deep))).toMatch(/rock\.glb, nodes\/256: Nodes lie in nodes more than 256 deep/)
    expect(refused(modelOf([{ mesh: 4 }]))).toMatch(/rock\.glb, /)
  })

  it('have nothing for scenes of the plane', () => {
    const text = (HEAD + ROCK).replace('Node3D', 'Node2D')
    const file = imported({ 'a.tscn': text, 'rock.glb': modelOf([{ mesh: 0 }]) }, { format: 'godot' })
    expect(file.bodies).toEqual([])
    expect(file.skipped[0]?.why).toMatch(/is no text scene/)
  })
})
