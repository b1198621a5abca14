import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OutOfBudget, within } from '../../../src/containers/budget.ts'
import { type MeshData, TooManyOfMesh } from '../../../src/import/meshes/mesh-data.ts'
import { type MeshFormat, type MeshFrame, readMeshFile } from '../../../src/import/meshes/mesh-file.ts'
import { ImportFault } from '../../../src/import/source-files.ts'
import { glbOf, stlOf } from '../../support/mesh-files.ts'

const FRAME: MeshFrame = { scale: 1, up: 'y', node: null }
const LIMITS = { maxVertices: 100_000, maxTriangles: 100_000 }

function read(format: MeshFormat, file: string | Buffer, frame: Partial<MeshFrame> = {}, limits = LIMITS): MeshData {
  return readMeshFile(format, Buffer.from(file as string), { ...FRAME, ...frame }, limits)
}

/** Edges that are not passed as often one way as the other. */
function openEdges({ triangles }: MeshData): number {
  const sums = new Map<string, number>()
  for (let i = 0; i < triangles.length; i++) {
    const [a, b] = [triangles[i], triangles[i % 3 === 2 ? i - 2 : i + 1]]
    const name = `${Math.min(a, b)} ${Math.max(a, b)}`
    sums.set(name, (sums.get(name) ?? 0) + Math.sign(b - a))
  }
  return [...sums.values()].filter((sum) => sum !== 0).length
}

const data = join(import.meta.dirname, '../../../../shared/data')

describe.skipIf(!existsSync(data))('real files', () => {
  it.each([
    ['meshes/spot.obj', 2930, 5856, 0],
    ['meshes/fandisk.obj', 6475, 12946, 0],
    ['gltf/character.glb', 310, 550, 34],
    ['gltf/flag.glb', 76, 132, 0],
    ['gltf/platform-grass-large-round.glb', 64, 124, 0],
    ['gltf/platform-medium.glb', 116, 188, 32],
  ])('%s has the triangles that it is known to have', (name, vertices, triangles, open) => {
    const mesh = read(name.endsWith('obj') ? 'obj' : 'glb', readFileSync(join(data, name)))
    expect([mesh.vertices.length / 3, mesh.triangles.length / 3, openEdges(mesh)]).toEqual([vertices, triangles, open])
  })
})

const PYRAMID = { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] }

describe('OBJ', () => {
  it('takes faces of any form, fans, indices from the end, materials and long lines', () => {
    const mesh = read(
      'obj',
      '# a comment\r\nmtllib x.mtl\nv 0 0 0\nv 1 0 -0\n v 1 1e0 0 1.0\nv 0 1 0\nvn 0 0 1\nusemtl stone\nf 1/1/1 2/2/1 3//1 \\\n 4\nusemtl lava\nf -4 -3 -2\nusemtl stone\nf 1 2 4',
    )
    expect(Array.from(mesh.triangles)).toEqual([0, 1, 2, 0, 2, 3, 0, 1, 2, 0, 1, 3])
    expect(Array.from(mesh.groups ?? [])).toEqual([0, 0, 1, 0])
    expect(Object.is(mesh.vertices[5], 0)).toBe(true)
  })

  it.each([
    ['v 0 0', 'line 1'],
    ['v 0 0 nan', 'line 1'],
    ['v 0 0 1e999', 'line 1'],
    ['v 0 0 0\nf 1 1', 'line 2'],
    ['v 0 0 0\nf 1 1 2', 'line 2'],
    ['v 0 0 0\nf 0 1 1', 'line 2'],
    ['v 0 0 0\nf 1 1 -2', 'line 2'],
    ['v 0 0 0\nf 1 1 1.5', 'line 2'],
    [`v 0 0 0\n\nf ${'1 '.repeat(40_000)}`, 'line 3'],
    ['v 0 0 0\nv 1 0 0\nv 0 1 0\n', ''],
    ['{}', ''],
  ])('refuses %j', (text, where) => {
    expect(() => read('obj', text)).toThrow(expect.objectContaining({ code: 'import-malformed', where }))
  })
})

describe('STL', () => {
  it('is read as text and as bytes, with one corner for each place', () => {
    const text = `solid some name\n${[0, 3, 6, 9]
      .map((t) => {
        const corners = PYRAMID.triangles.slice(t, t + 3)
        const lines = corners.map((v) => `vertex ${PYRAMID.vertices.slice(3 * v, 3 * v + 3).join(' ')}`)
        return `facet normal 0 0 0\nouter loop\n${lines.join('\n')}\nendloop\nendfacet`
      })
      .join('\n')}\nendsolid`
    const bytes = stlOf(PYRAMID)
    expect(read('stl', text)).toEqual(read('stl', bytes))
    expect(read('stl', bytes).vertices.length).toBe(12)
    expect(openEdges(read('stl', bytes))).toBe(0)
    expect(read('stl', text.toUpperCase())).toEqual(read('stl', text))
    // some begin as texts do
    bytes.write('solid')
    expect(read('stl', bytes)).toEqual(read('stl', text))
  })

  it.each([
    ['solid a\nfacet normal 0 0 1\nvertex 0 0 0\nendfacet', 'facet 0'],
    ['solid a\nfacet normal 0 0 1\nvertex 0 0 x', 'facet 0'],
    ['solid a\nvertex 0 0', 'facet 0'],
    ['solid a\nvertex 0 0 0', 'facet 0'],
    ['solid nothing', ''],
    [stlOf({ vertices: [], triangles: [] }), ''],
    [stlOf(PYRAMID).subarray(0, 200), 'byte 80'],
    [Buffer.concat([stlOf({ ...PYRAMID, vertices: PYRAMID.vertices.map(() => Number.NaN) })]), 'facet 0'],
  ])('refuses what is malformed', (file, where) => {
    expect(() => read('stl', file as string)).toThrow(expect.objectContaining({ code: 'import-malformed', where }))
  })
})

describe('glTF', () => {
  it('applies the transforms of nodes, turns mirrored triangles round and numbers primitives', () => {
    const file = glbOf(PYRAMID, {
      nodes: [
        { children: [1, 2], translation: [10, 0, 0] },
        { name: 'turned', mesh: 0, rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], scale: [2, 1, 1] },
        { name: 'mirrored', mesh: 0, matrix: [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1] },
      ],
      scenes: [{ nodes: [0] }],
    })
    const { vertices, triangles, groups } = read('glb', file)
    // the vertex (1, 0, 0)
    expect(Array.from(vertices.subarray(3, 6), (value) => Math.round(1e9 * value) / 1e9)).toEqual([10, 2, 0])
    expect(vertices.length).toBe(24)
    expect(Array.from(groups ?? [])).toEqual([0, 0, 0, 0, 1, 1, 1, 1])
    expect(Array.from(triangles.subarray(0, 3))).toEqual([0, 2, 1])
    expect(Array.from(triangles.subarray(12, 15))).toEqual([4, 5, 6])
    expect(read('glb', file, { node: 'mirrored' }).vertices.length).toBe(12)
    expect(read('glb', file, { node: '1' }).groups).toBeNull()
    expect(read('glb', file, { scale: 2, up: 'z' }).vertices.subarray(12, 15)).toEqual(Float64Array.of(20, 10, 0))
  })

  const spoilt = (change: object) => () => glbOf(PYRAMID, change)
  it.each([
    ['another magic', () => Buffer.concat([Buffer.from('glTX'), glbOf(PYRAMID).subarray(4)])],
    ['the end cut off', () => glbOf(PYRAMID).subarray(0, 300)],
    ['a node below itself', spoilt({ nodes: [{ mesh: 0, children: [0] }] })],
    ['a node with two parents', spoilt({ nodes: [{ children: [1, 1] }, { mesh: 0 }], scenes: [{ nodes: [0] }] })],
    ['no such mesh', spoilt({ nodes: [{ mesh: 4 }] })],
    ['no such node', spoilt({ scenes: [{ nodes: [7] }] })],
    ['a huge count', spoilt({ accessors: [{ type: 'VEC3', componentType: 5126, count: 1e9 }, {}] })],
    [
      'a huge count in a view',
      spoilt({ accessors: [{ bufferView: 0, type: 'VEC3', componentType: 5126, count: 2 ** 52 }, {}] }),
    ],
    ['a view without end', spoilt({ bufferViews: [{ buffer: 0, byteLength: 1e15 }, {}] })],
    [
      'a stride of 1',
      spoilt({
        bufferViews: [
          { buffer: 0, byteLength: 48, byteStride: 1 },
          { buffer: 0, byteOffset: 48, byteLength: 24 },
        ],
      }),
    ],
    ['another file', spoilt({ buffers: [{ uri: 'other.bin', byteLength: 100 }] })],
    ['Draco', spoilt({ extensionsRequired: ['KHR_draco_mesh_compression'] })],
    ['an extension that nobody knows', spoilt({ extensionsRequired: ['ACME_triangles'] })],
    ['numbers for lists', spoilt({ nodes: 3 })],
    ['null for a node', spoilt({ nodes: [null] })],
    ['a zero rotation', spoilt({ nodes: [{ mesh: 0, rotation: [0, 0, 0, 0] }] })],
    [
      'an infinite scale',
      spoilt({ nodes: [{ mesh: 0, scale: [1e308, 1e308, 1e308], translation: [1e308, 0, 0] }, {}] }),
    ],
    ['an index too far', () => glbOf({ ...PYRAMID, triangles: [0, 1, 9] })],
    ['no triangles', spoilt({ nodes: [{}] })],
  ])('refuses %s', (_, make) => {
    expect(() => read('glb', make())).toThrow(ImportFault)
  })

  it('names what packs triangles', () => {
    const file = glbOf(PYRAMID, { extensionsRequired: ['KHR_draco_mesh_compression'] })
    expect(() => read('glb', file)).toThrow(/KHR_draco_mesh_compression.*without Draco/)
  })
})

it('takes no more than the limits, whatever is in a file', () => {
  const few = { maxVertices: 3, maxTriangles: 2 }
  expect(() => read('obj', 'v 0 0 0\n'.repeat(4), {}, few)).toThrow(TooManyOfMesh)
  expect(() => read('obj', `v 0 0 0\n${'f 1 1 1\n'.repeat(3)}`, {}, few)).toThrow(TooManyOfMesh)
  expect(() => read('stl', stlOf(PYRAMID), {}, few)).toThrow(TooManyOfMesh)
  expect(() => read('glb', glbOf(PYRAMID), {}, few)).toThrow(TooManyOfMesh)
})

it('takes steps also for what has no triangles', () => {
  const COUNT = 1000
  const materials = Array.from({ length: COUNT }, (_, k) => `usemtl ${k}\n`).join('')
  const nothing = { bufferView: 1, type: 'SCALAR', componentType: 5123, count: 0 }
  const primitives = Array(COUNT).fill({ attributes: { POSITION: 1 }, indices: 0 })
  const accessors = [nothing, { bufferView: 0, type: 'VEC3', componentType: 5126, count: 0 }]
  const scene = glbOf(PYRAMID, { accessors, meshes: [{ primitives }] })
  expect(() => within(20 * COUNT, () => read('obj', materials))).toThrow(OutOfBudget)
  expect(() => within(20 * COUNT, () => read('glb', scene))).toThrow(OutOfBudget)
  expect(() => within(100 * COUNT, () => read('obj', materials))).toThrow(ImportFault)
  expect(() => within(100 * COUNT, () => read('glb', scene))).toThrow(ImportFault)
})

it('ends with a mesh or a fault for any bytes', () => {
  const files = { obj: Buffer.from('v 0 0 0\nv 1 0 0\nf 1 2 -1\n'), stl: stlOf(PYRAMID), glb: glbOf(PYRAMID) }
  const any = fc.record({
    format: fc.constantFrom('obj' as const, 'stl' as const, 'glb' as const),
    places: fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { maxLength: 6 }),
    end: fc.nat(600),
  })
  fc.assert(
    fc.property(any, ({ format, places, end }) => {
      const bytes = Buffer.from(files[format])
      for (const [at, value] of places) bytes[at % bytes.length] = value
      try {
        within(1e6, () => read(format, end > 500 ? bytes : bytes.subarray(0, end)))
      } catch (error) {
        if (!(error instanceof ImportFault || error instanceof TooManyOfMesh)) throw error
      }
    }),
    { numRuns: 2000 },
  )
})
