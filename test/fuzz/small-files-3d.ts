// As small-files.ts, of the formats that are read into scenes of space.

import type { Import3dFormat } from '../../schemas/scenes/import.ts'
import { glbFile, objOf, stlOf } from '../support/mesh-files.ts'

const TETRAHEDRON = { vertices: [0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4], triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] }
const NUMBERS = Buffer.concat([
  Buffer.from(Float32Array.from([...TETRAHEDRON.vertices, 1, 2, 3, 4, 5, 6, 0, 0, 0, 1, 0, 1, 0, 0]).buffer),
  Buffer.from(Uint16Array.from([...TETRAHEDRON.triangles, 0, 2]).buffer),
  Buffer.from(Int16Array.from([0, 0, 0, 32767, 0, 0, 0, 32767, 0, 0]).buffer),
])
const SHAPES = [
  { type: 'box', box: { size: [2, 4, 6] } },
  { type: 'sphere', sphere: { radius: 1 } },
  { type: 'capsule', capsule: { radius: 1, height: 6 } },
  { type: 'cylinder', cylinder: { radius: 1, height: 3 } },
  { type: 'convex', convex: { mesh: 0 } },
  { type: 'trimesh', trimesh: { mesh: 1 } },
]
const omi = (body: object) => ({ OMI_physics_body: body })
const khr = (body: object) => ({ KHR_physics_rigid_bodies: body })

const GLTF = {
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: [0, 1, 2, 4, 5, 6, 7, 8] }],
  nodes: [
    { name: 'a', mesh: 0, translation: [1, 2, 3], rotation: [0, 0.6, 0, 0.8], scale: [2, 1, -1], extras: { hp: 3 } },
    { name: 'b-col', mesh: 1, matrix: [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1] },
    { name: 'arm', children: [3], extensions: khr({ motion: { isKinematic: true, linearVelocity: [1, 0, 0] } }) },
    { name: 'hand', extensions: khr({ collider: { geometry: { shape: 0 } } }) },
    {
      name: 'trees',
      mesh: 0,
      extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2, ROTATION: 3 } } },
    },
    {
      name: 'box',
      extensions: omi({ motion: { type: 'dynamic', angularVelocity: [0, 1, 0] }, collider: { shape: 0 } }),
    },
    { name: 'zone', extensions: omi({ trigger: { shape: 2 } }), scale: [1, 2, 1] },
    { name: 'rock', extensions: omi({ collider: { shape: 4 } }) },
    { name: 'floor-convcolonly', mesh: 2, extensions: omi({ collider: { shape: 5 } }) },
  ],
  meshes: [
    { name: 'm', primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] },
    { primitives: [{ attributes: { POSITION: 5 }, mode: 5 }] },
    { primitives: [{ attributes: { POSITION: 6 }, mode: 6 }] },
  ],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3' },
    { bufferView: 3, componentType: 5123, count: 12, type: 'SCALAR' },
    { bufferView: 1, componentType: 5126, count: 2, type: 'VEC3' },
    { bufferView: 2, componentType: 5126, count: 2, type: 'VEC4' },
    { bufferView: 4, componentType: 5123, count: 2, type: 'SCALAR' },
    { bufferView: 5, componentType: 5122, normalized: true, count: 3, type: 'VEC3' },
    {
      bufferView: 0,
      componentType: 5126,
      count: 4,
      type: 'VEC3',
      sparse: {
        count: 2,
        indices: { bufferView: 4, componentType: 5123 },
        values: { bufferView: 1 },
      },
    },
  ],
  bufferViews: [
    { buffer: 0, byteLength: 48, byteStride: 12 },
    { buffer: 0, byteOffset: 48, byteLength: 24 },
    { buffer: 0, byteOffset: 72, byteLength: 32 },
    { buffer: 0, byteOffset: 104, byteLength: 24 },
    { buffer: 0, byteOffset: 128, byteLength: 4 },
    { buffer: 0, byteOffset: 132, byteLength: 20 },
  ],
  extensionsUsed: ['KHR_mesh_quantization', 'OMI_physics_body'],
  extensionsRequired: ['KHR_mesh_quantization'],
  extensions: {
    OMI_physics_shape: { shapes: SHAPES },
    KHR_implicit_shapes: {
      shapes: [
        { type: 'cylinder', cylinder: { height: 4, radiusTop: 1, radiusBottom: 2 } },
        { type: 'plane', plane: {} },
      ],
    },
  },
}
const withBuffer = (buffer: object) => ({ ...GLTF, buffers: [{ byteLength: NUMBERS.length, ...buffer }] })
const URI = `data:application/octet-stream;base64,${NUMBERS.toString('base64')}`

export const DOCUMENTS_OF_SPACE: readonly (readonly [Import3dFormat, object])[] = [
  ['gltf', withBuffer({ uri: URI })],
  [
    'json',
    {
      name: 'n',
      dimension: 3,
      bodies: [
        { id: 'a', shape: { type: 'box', size: { x: 1, y: 2, z: 3 }, radius: 1 }, tags: ['t'], data: { k: [1] } },
        { id: 'm', shape: { type: 'mesh', ...TETRAHEDRON, solid: true }, orientation: { x: 0, y: 0, z: 0.6, w: 0.8 } },
        {
          id: 'c',
          shape: {
            type: 'compound',
            children: [{ shape: { type: 'sphere', radius: 1 }, position: { x: 1, y: 0, z: 0 } }],
          },
          velocity: { x: 1, y: 0, z: 0 },
        },
      ],
    },
  ],
]

const MAP = `// Game: Quake
{
"classname" "worldspawn"
{
( 0 0 0 ) ( 0 2 0 ) ( 0 0 4 ) w 0 0 0 1 1
( 0 0 0 ) ( 0 0 4 ) ( 8 0 0 ) w 0 0 0 1 1
( 0 0 0 ) ( 8 0 0 ) ( 0 2 0 ) w [ 0 -1 0 112 ] [ 0 0 -1 0 ] 0 1 1
( 8 2 4 ) ( 8 2 0 ) ( 8 0 4 ) w 0 0 0 1 1
( 8 2 4 ) ( 0 2 4 ) ( 8 2 0 ) w 0 0 0 1 1
( 8 2 4 ) ( 8 0 4 ) ( 0 2 4 ) w 0 0 0 1 1
}
{
patchDef2
{
w
( 3 3 0 0 0 )
(
( ( 0 0 0 0 0 ) ( 0 4 4 0 0 ) ( 0 8 0 0 0 ) )
( ( 4 0 4 0 0 ) ( 4 4 8 0 0 ) ( 4 8 4 0 0 ) )
( ( 8 0 0 0 0 ) ( 8 4 4 0 0 ) ( 8 8 0 0 0 ) )
)
}
}
}
{
"classname" "info_player_start"
"origin" "1 2 3"
"angle" "90"
}
`
const GODOT = `[gd_scene load_steps=4 format=3]
[sub_resource type="BoxShape3D" id="b"]
size = Vector3(1, 2, 3)
[sub_resource type="ConcavePolygonShape3D" id="c"]
data = PackedVector3Array(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1)
[sub_resource type="HeightMapShape3D" id="h"]
map_width = 2
map_depth = 2
map_data = PackedFloat32Array(0, 1, 2, 3)
[node name="L" type="Node3D"]
[node name="W" type="StaticBody3D" parent="." groups=["g"]]
transform = Transform3D(0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1, 1, 2, 3)
collision_layer = 5
[node name="S" type="CollisionShape3D" parent="W"]
shape = SubResource("b")
[node name="T" type="CollisionShape3D" parent="W"]
transform = Transform3D(2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
shape = SubResource("c")
[node name="H" type="CollisionShape3D" parent="W"]
shape = SubResource("h")
`
const STL = `solid s
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 1e0 0
endloop
endfacet
endsolid s
`

export const TEXTS_OF_SPACE: readonly (readonly [Import3dFormat, string])[] = [
  ...DOCUMENTS_OF_SPACE.map(([format, document]) => [format, JSON.stringify(document)] as const),
  ['obj', `o first\n${objOf(TETRAHEDRON)}g second\nv 1 1 1 0.5\nf -1//2 1/2/3 2 3\nl 1 2\np 1\n`],
  ['stl', STL],
  ['map', MAP],
  ['godot', GODOT],
]

export const BYTES_OF_SPACE: readonly (readonly [Import3dFormat, Buffer])[] = [
  ['gltf', glbFile(withBuffer({}), NUMBERS)],
  ['stl', stlOf(TETRAHEDRON)],
]
