// Maps of Quake and scenes of Godot into scenes of space over HTTP: turned, with sizes, tried out, and again after a change.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'

let client: SceneClient
beforeAll(async () => {
  client = await startScenes({}, '3d')
})
afterAll(() => client.close())

const face = (...plane: number[]) => `( ${plane.join(' ')} ) ( ( 1 0 0 ) ( 0 1 0 ) ) "wall" 0 0 0\n`
const slab = (top: number) =>
  `{ brushDef3 { ${face(-1, 0, 0, -8)}${face(1, 0, 0, -8)}${face(0, -1, 0, -8)}${face(0, 1, 0, -8)}${face(0, 0, -1, 0)}${face(0, 0, 1, -top)} } }`
const level = (...slabs: string[]) =>
  `{ "classname" "worldspawn"\n${slabs.join('\n')} }\n{ "classname" "lamp" "origin" "0 4 6" }\n`

describe('a map of Quake', () => {
  it('is told from its content, turned, scaled, tried out and put again', async () => {
    const id = await client.createScene()
    const text = { 'content-type': 'text/plain' }
    const ask = `/${id}/import?source=map&up=y&scale=0.5&sizes=lamp:-2 -2 -2 2 2 4`
    const dry = await client.send('POST', `${ask}&dryRun=true`, level(slab(2), slab(4)), text)
    expect(dry.body).toMatchObject({ version: 1, added: 3, skipped: [] })
    const first = await client.send('POST', ask, level(slab(2), slab(4)), text)
    expect(first.body).toEqual({
      version: 2,
      bodies: 3,
      added: 3,
      updated: 0,
      removed: 0,
      skipped: [],
      repaired: [],
      bounds: { min: { x: -4, y: 0, z: -4 }, max: { x: 4, y: 5, z: 4 } },
    })
    expect((await client.send('POST', ask, level(slab(2), slab(4)), text)).body).toMatchObject({ version: 2, added: 0 })
    const changed = await client.send('POST', ask, level(slab(3)), text)
    expect(changed.body).toMatchObject({ version: 3, added: 0, updated: 1, removed: 1 })
    const { body } = await client.send('GET', `/${id}/bodies/default:1`)
    expect(body.body).toMatchObject({
      shape: { type: 'box', size: { x: 2, y: 3, z: 2 } },
      position: { x: 0, y: 3.5, z: -2 },
      data: { origin: '0 4 6' },
      tags: ['layer:default', 'kind:entity', 'class:lamp', 'import:map'],
    })
  })

  it('is refused with the line, or where a parameter is no size', async () => {
    const id = await client.createScene()
    const text = { 'content-type': 'text/plain' }
    const broken = await client.send(
      'POST',
      `/${id}/import?format=map`,
      '{ "classname" "worldspawn"\n{ ( 0 0 1e400 )',
      text,
    )
    expect(broken).toMatchObject({ status: 422, body: { code: 'import-malformed' } })
    expect(broken.body.detail).toMatch(/line 2: "1e400" is not a number/)
    const size = await client.send('POST', `/${id}/import?format=map&sizes=lamp:1 2 3`, level(slab(1)), text)
    expect(size).toMatchObject({ status: 400, body: { code: 'schema-violation' } })
  })
})

describe('a scene of Godot', () => {
  it('is told from its content, and lists what it has not got', async () => {
    const id = await client.createScene()
    const scene = `[gd_scene format=3]
[ext_resource type="PackedScene" path="res://crate.tscn" id="1"]
[sub_resource type="SphereShape3D" id="2"]
[node name="Level" type="Node3D"]
[node name="Crate" parent="." instance=ExtResource("1")]
[node name="Zone" type="Area3D" parent="."]
[node name="Ball" type="CollisionShape3D" parent="Zone"]
shape = SubResource("2")
`
    const { body } = await client.send('POST', `/${id}/import`, scene, { 'content-type': 'text/plain' })
    expect(body).toMatchObject({ bodies: 1, added: 1, skipped: [{ where: 'Crate', what: 'instance' }] })
    const ball = await client.send('GET', `/${id}/bodies/Level:Zone_Ball`)
    expect(ball.body.body).toMatchObject({ shape: { type: 'sphere', radius: 0.5 }, sensor: true })
  })
})
