// Binary glTF against what a second library and a second encoder write, and files that want to take much.

import { Accessor, Document, Logger, NodeIO, Primitive } from '@gltf-transform/core'
import fc from 'fast-check'
import { MeshoptEncoder } from 'meshoptimizer/encoder'
import { beforeAll, describe, expect, it } from 'vitest'
import { within } from '../../../src/containers/budget.ts'
import { readGlb } from '../../../src/import/meshes/glb.ts'
import { TooManyOfMesh } from '../../../src/import/meshes/mesh-data.ts'
import { loadMeshopt } from '../../../src/import/meshes/meshopt.ts'
import { ImportFault } from '../../../src/import/source-files.ts'
import { glbFile, glbOf } from '../../support/mesh-files.ts'

beforeAll(async () => {
  await loadMeshopt()
  await MeshoptEncoder.ready
})

const LIMITS = { maxVertices: 100_000, maxTriangles: 200_000 }
const STEPS = 2 ** 24
const read = (bytes: Uint8Array, limits = LIMITS) => within(STEPS, () => readGlb(Buffer.from(bytes), null, limits))

/** The corners of each triangle, from the first least one on, in an order of their own. */
function corners({ vertices, triangles }: ReturnType<typeof read>): string[] {
  const places = Array.from(triangles, (v) => Array.from(vertices.subarray(3 * v, 3 * v + 3)).join(' '))
  const found: string[] = []
  for (let t = 0; t < places.length; t += 3) found.push(firstLeast(places.slice(t, t + 3)))
  return found.sort()
}

function firstLeast(loop: readonly string[]): string {
  const k = loop.indexOf([...loop].sort()[0])
  return [...loop.slice(k), ...loop.slice(0, k)].join(', ')
}

describe('files of a second library', () => {
  // whole coordinates and turns by quarters: both are exact
  const coordinate = fc.integer({ min: -9, max: 9 })
  const point = fc.tuple(coordinate, coordinate, coordinate)
  const primitive = fc.record({
    points: fc.array(point, { minLength: 3, maxLength: 9 }),
    mode: fc.constantFrom(Primitive.Mode.TRIANGLES, Primitive.Mode.TRIANGLE_STRIP, Primitive.Mode.TRIANGLE_FAN, 1),
    indices: fc.option(fc.array(fc.nat(2), { minLength: 3, maxLength: 12 })),
    array: fc.constantFrom(Float32Array, Int8Array, Int16Array),
    isSparse: fc.boolean(),
  })
  const node = fc.record({
    translation: point,
    scale: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(1, 2, -1))),
    parent: fc.option(fc.nat(9)),
    primitives: fc.array(primitive, { maxLength: 3 }),
  })

  it('are read as it reads them itself', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(node, { minLength: 1, maxLength: 5 }), async (wanted) => {
        const document = new Document()
        const buffer = document.createBuffer()
        const scene = document.createScene()
        const nodes = wanted.map(({ translation, scale, primitives }, k) => {
          const mesh = document.createMesh()
          for (const { points, mode, indices, array, isSparse } of primitives) {
            const position = document
              .createAccessor()
              .setType(Accessor.Type.VEC3)
              .setArray(array.from(points.flat()))
              .setSparse(isSparse)
              .setBuffer(buffer)
            const made = document
              .createPrimitive()
              .setMode(mode as Primitive['getMode'] extends () => infer M ? M : never)
            made.setAttribute('POSITION', position)
            if (indices !== null) {
              made.setIndices(document.createAccessor().setArray(Uint16Array.from(indices)).setBuffer(buffer))
            }
            mesh.addPrimitive(made)
          }
          return document
            .createNode(`${k}`)
            .setTranslation(translation)
            .setScale(scale as [number, number, number])
            .setMesh(mesh)
        })
        for (const [k, { parent }] of wanted.entries()) {
          if (parent !== null && parent < k) nodes[parent].addChild(nodes[k])
          else scene.addChild(nodes[k])
        }
        const expected: string[] = []
        for (const each of nodes) {
          const m = each.getWorldMatrix()
          const isTurned = m[0] * m[5] * m[10] < 0
          for (const made of each.getMesh()?.listPrimitives() ?? []) {
            const place = (index: number) => {
              const [x, y, z] = (made.getAttribute('POSITION') as Accessor).getElement(index, [0, 0, 0])
              return [m[0] * x + m[12], m[5] * y + m[13], m[10] * z + m[14]].map((value) => value + 0).join(' ')
            }
            const own = made.getIndices()
            const at = (k: number) => place(own === null ? k : own.getScalar(k))
            const total = own === null ? (made.getAttribute('POSITION') as Accessor).getCount() : own.getCount()
            const mode = made.getMode()
            if (mode === 1) continue
            for (let k = 0; k + 2 < total; k += mode === 4 ? 3 : 1) {
              const [a, b, c] = [at(mode === 6 ? 0 : k), at(k + 1), at(k + 2)]
              const isOdd = (mode === 5 && k % 2 === 1) !== isTurned
              expected.push(firstLeast(isOdd ? [a, c, b] : [a, b, c]))
            }
          }
        }
        const bytes = await new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT)).writeBinary(document)
        if (expected.length === 0) {
          expect(() => read(bytes)).toThrow(/triangles/)
          return
        }
        count++
        expect(corners(read(bytes))).toEqual(expected.sort())
      }),
      { numRuns: 150 },
    )
    expect(count).toBeGreaterThan(50)
  })
})

const PYRAMID = { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] }

describe('sparse accessors', () => {
  const bytes = Buffer.concat([
    Buffer.from(Float32Array.from(PYRAMID.vertices).buffer),
    Buffer.from(Float32Array.of(0, 0, 7, 5, 0, 0).buffer),
    Buffer.from(Uint16Array.from(PYRAMID.triangles).buffer),
    Buffer.from(Uint16Array.of(1, 3).buffer),
  ])
  const file = (position: object) =>
    glbFile(
      {
        asset: { version: '2.0' },
        nodes: [{ mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
        accessors: [
          { type: 'VEC3', componentType: 5126, count: 4, ...position },
          { bufferView: 2, type: 'SCALAR', componentType: 5123, count: 12 },
        ],
        bufferViews: [
          { buffer: 0, byteLength: 48 },
          { buffer: 0, byteOffset: 48, byteLength: 24 },
          { buffer: 0, byteOffset: 72, byteLength: 24 },
          { buffer: 0, byteOffset: 96, byteLength: 4 },
        ],
        buffers: [{ byteLength: bytes.length }],
      },
      bytes,
    )
  const sparse = { count: 2, indices: { bufferView: 3, componentType: 5123 }, values: { bufferView: 1 } }

  it('change some elements of a base, or of zeros', () => {
    expect(Array.from(read(file({ bufferView: 0, sparse })).vertices)).toEqual([0, 0, 0, 0, 0, 7, 0, 1, 0, 5, 0, 0])
    expect(Array.from(read(file({ sparse })).vertices)).toEqual([0, 0, 0, 0, 0, 7, 5, 0, 0])
  })

  it.each([
    ['more than there are', { ...sparse, count: 5 }],
    ['a count without end', { ...sparse, count: 2 ** 50 }],
    ['numbers for indices', { ...sparse, indices: { bufferView: 3, componentType: 5126 } }],
    [
      'places out of range',
      { ...sparse, indices: { bufferView: 2, byteOffset: 8, componentType: 5121, count: 2 }, count: 3 },
    ],
    ['no values', { ...sparse, values: undefined }],
    ['no such view', { ...sparse, values: { bufferView: 9 } }],
  ])('refuses %s', (_, wrong) => {
    expect(() => read(file({ bufferView: 0, count: 4, sparse: wrong }))).toThrow(ImportFault)
  })
})

describe('packed by meshopt', () => {
  const count = 40
  const vertices = Array.from(
    { length: 3 * count * count },
    (_, k) =>
      [k % 3 === 0 ? Math.floor(k / 3 / count) : k % 3 === 1 ? Math.fround(Math.sin(k)) : Math.floor(k / 3) % count][0],
  )
  const triangles: number[] = []
  for (let i = 0; i + 1 < count; i++) {
    for (let j = 0; j + 1 < count; j++) {
      const a = i * count + j
      triangles.push(a, a + 1, a + count, a + 1, a + count + 1, a + count)
    }
  }
  const attributes = () =>
    MeshoptEncoder.encodeVertexBuffer(new Uint8Array(Float32Array.from(vertices).buffer), count * count, 12)
  const indices = () =>
    MeshoptEncoder.encodeIndexBuffer(new Uint8Array(Uint32Array.from(triangles).buffer), triangles.length, 4)

  function packed(change: object = {}, name = 'EXT_meshopt_compression', copies = 1): Buffer {
    const [a, b] = [Buffer.from(attributes()), Buffer.from(indices())]
    const pad = Buffer.alloc(-a.length & 3)
    const view = (
      mode: string,
      byteOffset: number,
      bytes: Buffer,
      byteStride: number,
      items: number,
      rest: object,
    ) => ({
      buffer: 1,
      byteLength: byteStride * items,
      extensions: {
        [name]: { buffer: 0, byteOffset, byteLength: bytes.length, byteStride, count: items, mode, ...rest },
      },
    })
    return glbFile(
      {
        asset: { version: '2.0' },
        extensionsRequired: [name],
        extensionsUsed: [name],
        nodes: Array.from({ length: copies }, (_, k) => ({ mesh: 0, translation: [100 * k, 0, 0] })),
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
        accessors: [
          { bufferView: 0, type: 'VEC3', componentType: 5126, count: count * count },
          { bufferView: 1, type: 'SCALAR', componentType: 5125, count: triangles.length },
        ],
        bufferViews: [
          view('ATTRIBUTES', 0, a, 12, count * count, change),
          view('TRIANGLES', a.length + pad.length, b, 4, triangles.length, {}),
        ],
        buffers: [{ byteLength: 0 }, { byteLength: 12 * count * count, extensions: { [name]: { fallback: true } } }],
      },
      Buffer.concat([a, pad, b]),
    )
  }

  it.each(['EXT_meshopt_compression', 'KHR_meshopt_compression'])('is what was packed: %s', (name) => {
    const plain = read(glbOf({ vertices, triangles }))
    expect(corners(read(packed({}, name)))).toEqual(corners(plain))
    expect(read(packed({}, name, 3)).triangles.length).toBe(3 * plain.triangles.length)
  })

  it.each([
    ['a huge count', { count: 2 ** 31 }],
    ['a count without end', { count: 2 ** 52 }],
    ['a wrong count', { count: 7 }],
    ['a stride of 0', { byteStride: 0 }],
    ['a stride of 1000', { byteStride: 1000 }],
    ['bytes beyond the file', { byteLength: 1e9 }],
    ['bytes cut off', { byteLength: 40 }],
    ['another mode', { mode: 'INDICES' }],
    ['no mode', { mode: 'MAGIC' }],
    ['no filter', { filter: 'MAGIC' }],
    ['another buffer', { buffer: 1 }],
  ])('refuses %s', (_, change) => {
    expect(() => read(packed(change))).toThrow(ImportFault)
  })

  it('ends with a mesh or a fault for any bytes', () => {
    const whole = packed()
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 9 }),
        (places) => {
          const bytes = Buffer.from(whole)
          for (const [at, value] of places) bytes[at] = value
          try {
            read(bytes)
          } catch (error) {
            if (!(error instanceof ImportFault) && !(error instanceof TooManyOfMesh)) throw error
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('files that want to take much', () => {
  it('are refused before a triangle is read', () => {
    const vertices = Array.from({ length: 3 * 300 }, (_, k) => k)
    const triangles = Array.from({ length: 3 * 10_000 }, (_, k) => k % 300)
    const nodes = Array.from({ length: 10_000 }, () => ({ mesh: 0 }))
    const file = glbOf({ vertices, triangles }, { nodes, scenes: [{ nodes: nodes.map((_, k) => k) }] })
    // a hundred million triangles: looking at the nodes takes some steps each
    expect(() => within(2 ** 17, () => readGlb(file, null, LIMITS))).toThrow(TooManyOfMesh)
    const spread = { bufferView: 0, type: 'VEC3', componentType: 5126, count: 2 ** 40 }
    const huge = glbOf(PYRAMID, {
      accessors: [spread, { bufferView: 1, type: 'SCALAR', componentType: 5123, count: 12 }],
    })
    expect(() => read(huge)).toThrow(TooManyOfMesh)
  })

  it('walk chains of nodes at the pace of their number', () => {
    const nodes = Array.from({ length: 20_000 }, (_, k) => ({
      translation: [1, 0, 0],
      ...(k < 19_999 ? { children: [k + 1] } : { mesh: 0 }),
    }))
    const { vertices } = read(glbOf(PYRAMID, { nodes, scenes: [{ nodes: [0] }] }))
    expect(vertices[0]).toBe(20_000)
  })

  it('name the file where the numbers are', () => {
    const file = glbOf(PYRAMID, { buffers: [{ uri: 'other.bin', byteLength: 100 }] })
    expect(() => read(file)).toThrow(/another file \("other\.bin"\)/)
  })
})
