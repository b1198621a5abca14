// Scenes of glTF as bodies: nodes with their poses and what poses cannot say, shared meshes, what names and extensions say of collision,
// and files that are not as they should be.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { PLAIN_FRAME_3D } from '../../src/import/body-in-frame-3d.ts'
import type { Import3dOptions } from '../../src/import/import-file.ts'
import { loadMeshopt } from '../../src/import/meshes/meshopt.ts'
import { SCHEMA_LIMITS } from '../../src/wire/body.ts'
import { type DecodeProblem, isProblem } from '../../src/wire/decode-problem.ts'
import { type ImportedFile, importFile } from '../support/imported-file.ts'
import { glbFile } from '../support/mesh-files.ts'

beforeAll(async () => {
  await loadMeshopt()
})

type Sent = Record<string, Uint8Array | string>

function tried(files: Sent, asked: Partial<Import3dOptions> = {}): ImportedFile | DecodeProblem {
  const [main, ...others] = Object.entries(files).map(([name, content]) => ({ name, bytes: Buffer.from(content) }))
  const options: Import3dOptions = { dimension: 3, format: 'gltf', source: null, solid: false, tolerance: 0.05, frame: PLAIN_FRAME_3D, ...asked } // biome-ignore format: a record
  const most = { mostBodies: 100, mostPieces: 100 }
  return importFile({ kind: 'import', files: { main: main!, others }, options, limits: SCHEMA_LIMITS, ...most })
}

function imported(files: Sent, asked: Partial<Import3dOptions> = {}) {
  const file = tried(files, asked)
  if (isProblem(file)) throw new Error(file.detail)
  const bodies = file.bodies.map(({ form, found: _, items: __, ...rest }) => ({ ...rest, shape: JSON.parse(form) }))
  return { ...file, byId: Object.fromEntries(bodies.map((body) => [body.id, body])) }
}

/** A document with the numbers of two meshes: a triangle and a tetrahedron whose corners are shared by no two faces. */
const TRIANGLE = [0, 0, 0, 2, 0, 0, 0, 4, 0]
const TETRAHEDRON = [
  ...[0, 0, 0, 0, 3, 0, 3, 0, 0],
  ...[0, 0, 0, 3, 0, 0, 0, 0, 3],
  ...[0, 0, 0, 0, 0, 3, 0, 3, 0],
  ...[3, 0, 0, 0, 3, 0, 0, 0, 3],
]

function floats(...lists: number[][]): Buffer {
  return Buffer.from(Float32Array.from(lists.flat()).buffer)
}

function documentOf(nodes: object[], more: object = {}): object {
  return {
    asset: { version: '2.0' },
    nodes,
    meshes: [
      { name: 'Plate', primitives: [{ attributes: { POSITION: 0 } }] },
      { primitives: [{ attributes: { POSITION: 1 } }] },
      { primitives: [{ attributes: { POSITION: 0 }, mode: 1 }] },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' },
      { bufferView: 1, componentType: 5126, count: 12, type: 'VEC3' },
      { bufferView: 2, componentType: 5126, count: 2, type: 'VEC3' },
      { bufferView: 3, componentType: 5126, count: 2, type: 'VEC4' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 36 },
      { buffer: 0, byteOffset: 36, byteLength: 144 },
      { buffer: 0, byteOffset: 180, byteLength: 24 },
      { buffer: 0, byteOffset: 204, byteLength: 32 },
    ],
    buffers: [{ byteLength: 236 }],
    ...more,
  }
}
const BYTES = floats(TRIANGLE, TETRAHEDRON, [1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 0, 1, 0, 0])
const glb = (nodes: object[], more: object = {}) => ({ 'level.glb': glbFile(documentOf(nodes, more), BYTES) })

const HALF = Math.SQRT1_2

describe('nodes', () => {
  it('become bodies of their names, where they stand', () => {
    const turn = [0, HALF, 0, HALF]
    const { byId, skipped, bodies } = imported(
      glb([
        { name: 'Wall 1', mesh: 0, translation: [1, 2, 3], rotation: turn, extras: { hp: 3 } },
        { name: 'arm', translation: [10, 0, 0], rotation: [0, 1, 0, 0], children: [2, 3] },
        { name: 'hand', mesh: 0, translation: [1, 0, 0] },
        { mesh: 1 },
      ]),
    )
    expect(bodies).toHaveLength(3)
    const shape = { type: 'mesh', vertices: TRIANGLE, triangles: [0, 1, 2] }
    expect(byId.Wall_1).toEqual({
      id: 'Wall_1',
      shape,
      position: { x: 1, y: 2, z: 3 },
      orientation: { x: 0, y: HALF, z: 0, w: HALF },
      tags: ['kind:node', 'mesh:Plate'],
      data: '{"hp":3}',
    })
    expect(byId.hand).toMatchObject({ position: { x: 9, y: 0, z: 0 }, orientation: { x: 0, y: 1, z: 0, w: 0 } })
    expect(byId['node.3'].shape.vertices).toHaveLength(12)
    expect(skipped).toEqual([{ where: 'arm', what: 'group', why: expect.stringContaining('no mesh of its own') }])
  })

  it('give scale and shear to their shapes, and share them', () => {
    const file = imported(
      glb([
        { name: 'a', mesh: 0, scale: [2, 3, 1], rotation: [0, 0, HALF, HALF] },
        { name: 'b', mesh: 0, scale: [2, 3, 1], translation: [5, 0, 0] },
        { name: 'mirrored', mesh: 0, scale: [-1, 1, 1] },
        { name: 'stretched', scale: [2, 1, 1], children: [4] },
        { name: 'sheared', mesh: 0, rotation: [0, 0, HALF, HALF], translation: [1, 0, 0] },
        { name: 'matrix', mesh: 0, matrix: [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1] },
        { name: 'slanted', mesh: 0, matrix: [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1] },
      ]),
    )
    const { byId } = file
    expect(byId.a).toMatchObject({
      shape: { vertices: [0, 0, 0, 4, 0, 0, 0, 12, 0] },
      orientation: { z: HALF, w: HALF },
    })
    expect(byId.b!.shape).toEqual(byId.a!.shape)
    expect(byId.mirrored).toMatchObject({ shape: { vertices: [0, 0, 0, -2, 0, 0, 0, 4, 0], triangles: [0, 2, 1] } })
    // a quarter turn below unequal scales is unequal scales below a quarter turn, to a roundoff
    expect(byId.sheared!.position).toEqual({ x: 2, y: 0, z: 0 })
    expect(byId.matrix).toMatchObject({
      shape: { vertices: [0, 0, 0, 4, 0, 0, 0, 12, 0] },
      position: { x: 7, y: 8, z: 9 },
      orientation: { x: 0, y: 0 },
    })
    expect(byId.slanted).toMatchObject({
      shape: { vertices: [0, 0, 0, 2, 0, 0, 4, 4, 0] },
      position: { x: 7, y: 8, z: 9 },
    })
    expect(byId.slanted).not.toHaveProperty('orientation')
  })

  it('are all accounted for', () => {
    const { byId, skipped } = imported(
      glb(
        [
          { name: 'same', mesh: 0 },
          { name: 'same', mesh: 0 },
          { name: 'wire', mesh: 2 },
          { name: 'eye', camera: 0 },
          { name: 'out', mesh: 0 },
          { name: 'hull-noimp', mesh: 0, children: [6] },
          { name: 'below', mesh: 0 },
        ],
        { scenes: [{ nodes: [0, 1, 2, 3, 5] }] },
      ),
    )
    expect(Object.keys(byId)).toEqual(['same', 'same.2'])
    expect(skipped.map(({ where, what }) => `${where} ${what}`)).toEqual([
      'wire mesh',
      'eye camera',
      'hull-noimp node',
      'below node',
      'nodes/4 node',
    ])
  })

  it('say what of their meshes is not taken', () => {
    const plate = { attributes: { POSITION: 0 } }
    const meshes = [
      { primitives: [{ ...plate, targets: [{ POSITION: 0 }] }], weights: [0, 0] },
      { primitives: [{ ...plate, mode: 1 }, plate] },
      // packed, with the numbers beside it
      { primitives: [{ ...plate, extensions: { KHR_draco_mesh_compression: { bufferView: 0 } } }] },
    ]
    const { byId, repaired } = imported(
      glb(
        [
          { name: 'still', mesh: 0 },
          { name: 'bent', mesh: 0, weights: [0, 0.5] },
          { name: 'mixed', mesh: 1 },
          { name: 'boned', mesh: 0, skin: 0 },
          { name: 'packed', mesh: 2 },
        ],
        { meshes },
      ),
    )
    expect(Object.keys(byId)).toEqual(['still', 'bent', 'mixed', 'boned', 'packed'])
    expect(repaired.map(({ where, what }) => `${where} ${what}`)).toEqual(['bent weights', 'mixed mesh', 'boned skin'])
  })

  it('may end in what Godot reads', () => {
    const { byId } = imported(
      glb([
        { name: 'a-col', mesh: 1 },
        { name: 'b-convcol', mesh: 1 },
        { name: 'c-colonly.001', mesh: 1 },
        { name: 'd-convcolonly', mesh: 1, scale: [2, 1, 1] },
        { name: 'plain', mesh: 1 },
      ]),
    )
    const typeOf = (id: string) => byId[id]!.shape.type
    expect(['a-col', 'b-convcol', 'c-colonly.001', 'd-convcolonly', 'plain'].map(typeOf)).toEqual(['mesh', 'hull', 'mesh', 'hull', 'mesh']) // biome-ignore format: one list
    expect(new Set(byId['d-convcolonly']!.shape.points.map(({ x }: { x: number }) => x))).toEqual(new Set([0, 6]))
    expect(byId['a-col']!.tags).toContain('collider')
    expect(byId.plain!.tags).not.toContain('collider')
  })

  it('may be many instances', () => {
    const extensions = { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2, ROTATION: 3 } } }
    const { byId } = imported(
      glb([{ name: 'tree', mesh: 0, translation: [10, 0, 0], extensions }], {
        extensionsRequired: ['EXT_mesh_gpu_instancing'],
      }),
    )
    expect(byId['tree:0']).toMatchObject({ position: { x: 11, y: 2, z: 3 } })
    expect(byId['tree:1']).toMatchObject({ position: { x: 14, y: 5, z: 6 }, orientation: { x: 0, y: 1, z: 0, w: 0 } })
    expect(byId['tree:1']!.shape).toEqual(byId['tree:0']!.shape)
  })

  it('have an inside where they are closed, if that is asked for', () => {
    const { byId, repaired } = imported(
      glb([
        { name: 'ball', mesh: 1 },
        { name: 'plate', mesh: 0 },
      ]),
      { solid: true },
    )
    expect([byId.ball!.shape.solid, byId.plate!.shape.solid]).toEqual([true, undefined])
    expect(repaired).toEqual([{ where: 'plate', what: 'mesh', why: expect.stringContaining('surface is taken') }])
  })
})

describe('extensions of physics', () => {
  const shapes = [
    { type: 'box', box: { size: [2, 4, 6] } },
    { type: 'sphere', sphere: { radius: 1 } },
    { type: 'capsule', capsule: { radius: 1, height: 6 } },
    { type: 'cylinder', cylinder: { radius: 1, height: 3 } },
    { type: 'convex', convex: { mesh: 1 } },
    { type: 'trimesh', trimesh: { mesh: 0 } },
    { type: 'pyramid' },
  ]
  const omi = (collider: object) => ({ extensions: { OMI_physics_body: collider } })

  it('say what collides: those of OMI', () => {
    const { byId, skipped } = imported(
      glb(
        [
          {
            name: 'box',
            ...omi({ collider: { shape: 0 }, motion: { type: 'dynamic', linearVelocity: [1, 0, 0] } }),
            scale: [1, 2, 1],
          },
          { name: 'ball', ...omi({ collider: { shape: 1 } }), scale: [1, 2, 1] },
          { name: 'zone', ...omi({ trigger: { shape: 2 } }) },
          { name: 'pillar', ...omi({ collider: { shape: 3 } }), scale: [2, 1, 2] },
          { name: 'rock', ...omi({ collider: { shape: 4 } }), mesh: 1 },
          { name: 'floor', ...omi({ collider: { shape: 5 } }) },
          { name: 'tomb', ...omi({ collider: { shape: 6 } }) },
          { name: 'visible', mesh: 0 },
          { name: 'oval', ...omi({ collider: { shape: 3 } }), scale: [2, 1, 1] },
        ],
        {
          extensions: { OMI_physics_shape: { shapes } },
          extensionsRequired: ['OMI_physics_body', 'OMI_physics_shape'],
        },
      ),
    )
    expect(byId.box).toMatchObject({
      shape: { type: 'box', size: { x: 2, y: 8, z: 6 } },
      velocity: { x: 1, y: 0, z: 0 },
      tags: ['kind:node', 'collider', 'motion:dynamic'],
    })
    expect(byId.ball!.shape).toEqual({ type: 'ellipsoid', radii: { x: 1, y: 2, z: 1 } })
    expect(byId.zone).toMatchObject({ sensor: true, shape: { type: 'capsule', a: { y: -2 }, b: { y: 2 }, radius: 1 } })
    expect(byId.pillar!.shape).toEqual({ type: 'cylinder', radius: 2, height: 3 })
    expect(byId.rock!.shape.type).toBe('hull')
    expect(byId.floor!.shape.type).toBe('mesh')
    expect(skipped.map(({ where, what }) => `${where} ${what}`)).toEqual([
      'tomb collider',
      'visible mesh',
      'oval collider',
    ])
  })

  it('say what collides: those of Khronos', () => {
    const implicit = [
      { type: 'capsule', capsule: { height: 4, radiusTop: 1, radiusBottom: 1 } },
      { type: 'cylinder', cylinder: { height: 4, radiusTop: 0, radiusBottom: 1 } },
      { type: 'plane', plane: {} },
    ]
    const khr = (body: object) => ({ extensions: { KHR_physics_rigid_bodies: body } })
    const { byId } = imported(
      glb(
        [
          {
            name: 'pill',
            ...khr({ collider: { geometry: { shape: 0 } }, motion: { isKinematic: true } }),
            children: [3],
          },
          { name: 'cone', ...khr({ collider: { geometry: { shape: 1 } } }) },
          { name: 'ground', ...khr({ collider: { geometry: { shape: 2 } } }), translation: [0, -1, 0] },
          { name: 'hat', ...khr({ collider: { geometry: { mesh: 1, convexHull: true } } }), translation: [0, 3, 0] },
        ],
        { extensions: { KHR_implicit_shapes: { shapes: implicit } } },
      ),
    )
    expect(byId.pill).toMatchObject({
      shape: { type: 'capsule', a: { y: -2 }, b: { y: 2 } },
      tags: ['kind:node', 'collider', 'motion:kinematic'],
    })
    expect(byId.cone!.shape).toEqual({ type: 'cone', radius: 1, height: 4 })
    expect(byId.ground).toMatchObject({ shape: { type: 'halfspace' }, position: { y: -1 } })
    expect(byId.hat).toMatchObject({ shape: { type: 'hull' }, tags: ['kind:node', 'collider', 'body:pill'] })
  })
})

describe('buffers', () => {
  const text = (uri: string) =>
    JSON.stringify(documentOf([{ name: 'a', mesh: 0 }], { buffers: [{ uri, byteLength: 236 }] }))

  it('lie in the document, or are sent along', () => {
    const uri = `data:application/octet-stream;base64,${BYTES.toString('base64')}`
    expect(imported({ 'a.gltf': text(uri) }).byId.a!.shape.vertices).toEqual(TRIANGLE)
    expect(imported({ 'a.gltf': text('my%20data.bin'), 'my data.bin': BYTES }).byId.a!.shape.vertices).toEqual(TRIANGLE)
    expect(imported({ 'a.gltf': `\ufeff${text(uri)}` }).byId.a!.shape.vertices).toEqual(TRIANGLE)
  })

  it('are asked for by name', () => {
    const file = tried({ 'a.gltf': text('my%20data.bin') })
    expect(isProblem(file) && [file.code, file.detail]).toEqual([
      'import-file-missing',
      expect.stringContaining('my data.bin'),
    ])
  })
})

describe('files that are not as they should be', () => {
  it.each([
    ['not glTF', 'hello'],
    ['another version', '{"asset":{"version":"1.0"}}'],
    ['a node below itself', JSON.stringify(documentOf([{ children: [0] }], { scenes: [{ nodes: [0] }] }))],
    ['a mesh that is not there', glbFile(documentOf([{ mesh: 9 }]), BYTES)],
    ['a rotation of zeros', glbFile(documentOf([{ mesh: 0, rotation: [0, 0, 0, 0] }]), BYTES)],
    ['numbers behind the end', glbFile(documentOf([{ mesh: 1 }]), BYTES.subarray(0, 40))],
    ['an extension that is not read', glbFile(documentOf([{ mesh: 0 }], { extensionsRequired: ['X_y'] }), BYTES)],
    ['texts for names', JSON.stringify({ asset: {}, nodes: 'x' })],
  ])('%s', (_, content) => {
    const file = tried({ 'a.glb': content })
    expect(isProblem(file) && file.code).toBe('import-malformed')
  })

  it('may be nodes that move below each other without end', () => {
    const nodes = Array.from({ length: 20_000 }, (_, k) => ({
      name: `n${k}`,
      extensions: { OMI_physics_body: { motion: { type: 'dynamic' } } },
      ...(k < 19_999 ? { children: [k + 1] } : { mesh: 0 }),
    }))
    expect(imported(glb(nodes)).byId.n19999!.tags).toEqual(['kind:node', 'mesh:Plate', 'body:n19998'])
  })

  it('may have more instances than are written', () => {
    const accessors = [{ componentType: 5126, count: 4e9, type: 'VEC3', sparse: { count: 0, indices: {}, values: {} } }]
    const extensions = { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 0 } } }
    const file = tried(glb([{ name: 'a', mesh: 0, extensions }], { accessors }))
    expect(isProblem(file)).toBe(true)
  })
})

const REAL = '/work/shared/data/gltf'.replace('/work/', '../')
it.skipIf(!existsSync(REAL))('real files have a body or a reason for each node', () => {
  for (const name of readdirSync(REAL)) {
    const bytes = readFileSync(`${REAL}/${name}`)
    const length = bytes.readUInt32LE(12)
    const document = JSON.parse(bytes.toString('utf8', 20, 20 + length))
    const { bodies, skipped } = imported({ [name]: bytes })
    expect(bodies.length).toBe(document.nodes.filter(({ mesh }: { mesh?: number }) => mesh !== undefined).length)
    expect(bodies.length + skipped.length).toBe(document.nodes.length)
  }
})
