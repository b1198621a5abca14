// Scenes of space as files of other programs: binary glTF that an import takes back, and OBJ.

import { NodeIO } from '@gltf-transform/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SceneClient, startScenes } from '../support/services/scene-client.ts'

let client: SceneClient
beforeAll(async () => {
  client = await startScenes({}, '3d')
})
afterAll(() => client.close())

const p = (x: number, y: number, z: number) => ({ x, y, z })
const TURN = { x: 0.5, y: 0.5, z: -0.5, w: 0.5 }
const CORNERS = [0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 3]
const MESH = { type: 'mesh', vertices: CORNERS, triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] }
const BODIES = [
  { id: 'aabb', shape: { type: 'aabb', min: p(0, 0, 0), max: p(1, 2, 3) }, position: p(0.1, 0, 0) },
  { id: 'ball', shape: { type: 'sphere', radius: 1.1 }, velocity: p(1, 0, 0), angularVelocity: p(0, 3, 0) },
  { id: 'box', shape: { type: 'box', size: p(1, 2, 3), radius: 0.25 }, orientation: TURN, tags: ['a', 'b'], sensor: true },
  { id: 'capsule', shape: { type: 'capsule', a: p(0, 0, 0), b: p(0, 1, 1), radius: 0.5 }, data: { n: 1.5 } },
  { id: 'cone', shape: { type: 'cone', radius: 1, height: 2, axis: 'z' }, orientation: { x: 0, y: 0.6001, z: 0, w: 0.8 } },
  { id: 'cylinder', shape: { type: 'cylinder', radius: 1, height: 2 } },
  { id: 'egg', shape: { type: 'ellipsoid', radii: p(1, 2, 3) } },
  { id: 'field', shape: { type: 'heightfield', columns: 2, cellSize: { x: 1, z: 1 }, heights: [0, 1, null, 2, 3, 4] } },
  { id: 'ground', shape: { type: 'halfspace', normal: p(0, 1, 0), offset: 0.1 } },
  { id: 'group', shape: { type: 'compound', children: [{ shape: MESH, position: p(1, 0, 0) }, { shape: { type: 'point' } }] } },
  { id: 'hull', shape: { type: 'hull', points: [p(0, 0, 0), p(1, 0, 0), p(0, 1, 0), p(0, 0, 1)] } },
  { id: 'line', shape: { type: 'segment', a: p(0, 0, 0), b: p(1, 1, 1) } },
  { id: 'mesh', shape: MESH, position: p(1, 2, 3) },
  { id: 'parts', shape: { ...MESH, groups: [7, 7, 2, 7] } },
  { id: 'same', shape: MESH, position: p(0, 0, 0), orientation: { x: 0, y: 0, z: 0, w: 1 } },
  { id: 'solid', shape: { ...MESH, solid: true }, orientation: TURN },
  { id: 'speck', shape: { type: 'point' }, position: p(1e99, 0, 0) },
  { id: 'vast', shape: { ...MESH, vertices: CORNERS.map((each) => 1e60 * each) } },
] // biome-ignore format: a table

async function fileOf(id: string, query: string): Promise<Buffer> {
  const answer = await client.app.inject({ url: `/v1/3d/scenes/${id}/export?${query}` })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.rawPayload
}

const exported = async (id: string) => (await client.send('GET', `/${id}/export?format=json`)).body.bodies

describe('binary glTF', () => {
  it('is taken back as it was', async () => {
    const from = await client.createScene(BODIES, { name: 'Attic' })
    const file = await fileOf(from, 'format=gltf')
    const to = await client.createScene()
    const report = await client.send('POST', `/${to}/import`, file)
    expect(report.body).toMatchObject({ bodies: BODIES.length, skipped: [], repaired: [] })
    expect(await exported(to)).toEqual((await exported(from)).map((body: { tags?: string[] }) => ({ ...body, tags: [...(body.tags ?? []), 'import:import'] }))) // biome-ignore format: one comparison
    expect((await client.send('POST', `/${to}/import`, file)).body).toMatchObject({ added: 0, updated: 0, removed: 0 })
  })

  it('is read by a second library, with one mesh for bodies of one shape', async () => {
    const from = await client.createScene(BODIES)
    const document = await new NodeIO().readBinary(new Uint8Array(await fileOf(from, 'format=gltf')))
    const nodes = document.getRoot().listNodes()
    expect(nodes.map((node) => node.getName())).toEqual(BODIES.map(({ id }) => id))
    const meshOf = (id: string) => nodes.find((node) => node.getName() === id)!.getMesh()
    expect(meshOf('mesh')).toBe(meshOf('same'))
    expect(['speck', 'line', 'ground', 'vast'].map(meshOf)).toEqual([null, null, null, null])
    expect(meshOf('parts')!.listPrimitives()).toHaveLength(3)
    expect(Array.from(meshOf('mesh')!.listPrimitives()[0]!.getAttribute('POSITION')!.getArray()!)).toEqual(CORNERS)
  })

  it('says where a node is that was moved since', async () => {
    const from = await client.createScene([BODIES[12], BODIES[0]])
    const file = await fileOf(from, 'format=gltf')
    const text = file.toString('latin1').replace('"translation":[1,2,3]', '"translation":[9,2,3]')
    const to = await client.createScene()
    await client.send('POST', `/${to}/import`, Buffer.from(text, 'latin1'))
    expect((await exported(to)).find(({ id }: { id: string }) => id === 'mesh').position).toEqual(p(9, 2, 3))
  })

  it('has what is asked for by tag, and may have nothing', async () => {
    const from = await client.createScene(BODIES)
    const io = new NodeIO()
    const nodesOf = async (query: string) =>
      (await io.readBinary(new Uint8Array(await fileOf(from, query)))).getRoot().listNodes().length
    expect([await nodesOf('format=gltf&tag=a'), await nodesOf('format=gltf&tag=z')]).toEqual([1, 0])
  })
})

describe('OBJ', () => {
  it('has an object for each body, where it stands', async () => {
    const from = await client.createScene(BODIES)
    const file = await fileOf(from, 'format=obj')
    const to = await client.createScene()
    const report = await client.send('POST', `/${to}/import?format=obj`, file)
    expect(report.body, report.text.slice(0, 500)).toMatchObject({ skipped: [] })
    const bodies = await exported(to)
    const without = ['ground', 'line', 'speck']
    expect(bodies.map(({ id }: { id: string }) => id)).toEqual(
      BODIES.map(({ id }) => id).filter((id) => !without.includes(id)),
    )
    const vertices = bodies.find(({ id }: { id: string }) => id === 'mesh').shape.vertices
    expect(vertices).toEqual([1, 2, 3, 4, 2, 3, 1, 5, 3, 1, 2, 6])
  })
})
