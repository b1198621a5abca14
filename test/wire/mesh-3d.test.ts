import { describe, expect, it } from 'vitest'
import type { Body3d, CompoundShape3d, HeightfieldShape3d, MeshShape3d } from '../../schemas/shapes3d.ts'
import type { Mesh } from '../../src/core3d/mesh/mesh.ts'
import { type Composite, createBody } from '../../src/core3d/shape/body.ts'
import { decodeBody } from '../../src/wire/body-3d.ts'
import { decodeMesh } from '../../src/wire/mesh-3d.ts'

const LIMITS = { maxVertices: 100, maxParts: 4 }
const LEAF: MeshShape3d = { type: 'mesh', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] }
const GRID: HeightfieldShape3d = {
  type: 'heightfield',
  heights: [0, 1, 2, 3, 4, 5],
  columns: 3,
  cellSize: { x: 2, z: 3 },
}
const cube = { type: 'box' as const, size: { x: 1, y: 1, z: 1 } }

function refusal(shape: Body3d['shape'], rest: Partial<Body3d> = {}) {
  const problem = decodeBody({ shape, ...rest }, createBody(), LIMITS)
  return problem && [problem.code, problem.places[0]?.pointer]
}

describe('meshes', () => {
  it.each([
    ['coordinates left over', { ...LEAF, vertices: [0, 0, 0, 1] }, 'mesh-misshapen', '/shape/vertices'],
    ['indices left over', { ...LEAF, triangles: [0, 1, 2, 0] }, 'mesh-misshapen', '/shape/triangles'],
    ['a group for no triangle', { ...LEAF, groups: [1, 2] }, 'mesh-misshapen', '/shape/groups'],
    ['an index too far', { ...LEAF, triangles: [0, 1, 2, 0, 3, 1] }, 'mesh-index-out-of-range', '/shape/triangles/4'],
    [
      'a number too large',
      { ...LEAF, vertices: [0, 0, 0, 1, 1e101, 0, 0, 1, 0] },
      'coordinate-out-of-range',
      '/shape/vertices/4',
    ],
    ['many vertices', { ...LEAF, vertices: new Array(303).fill(0) }, 'too-many-vertices', '/shape/vertices'],
    ['many triangles', { ...LEAF, triangles: new Array(603).fill(0) }, 'too-many-triangles', '/shape/triangles'],
    ['half a row', { ...GRID, columns: 4 }, 'heightfield-misshapen', '/shape/heights'],
    ['one row', { ...GRID, columns: 6 }, 'heightfield-misshapen', '/shape/heights'],
    ['holes alone', { ...GRID, heights: [0, null, 0, null, 0, null] }, 'heightfield-misshapen', '/shape/heights'],
    [
      'a height too large',
      { ...GRID, heights: [0, 1, 2, 3, 4, -1e101] },
      'coordinate-out-of-range',
      '/shape/heights/5',
    ],
    ['a far end', { ...GRID, cellSize: { x: 1e100, z: 1 } }, 'coordinate-out-of-range', '/shape/cellSize/x'],
  ] as [string, MeshShape3d, string, string][])('are refused with %s', (_, shape, code, pointer) => {
    expect(refusal(shape)).toEqual([code, pointer])
  })

  it('keep groups', () => {
    expect((decodeMesh({ ...LEAF, groups: [7] }, 9) as Mesh).groups).toEqual(Int32Array.of(7))
  })
})

describe('height fields', () => {
  const meshOf = (shape: HeightfieldShape3d) => decodeMesh(shape, 100) as Mesh
  const vertex = ({ vertices }: Mesh, k: number) => Array.from(vertices.subarray(3 * k, 3 * k + 3))

  it('have a vertex for each height', () => {
    expect(vertex(meshOf(GRID), 4)).toEqual([2, 4, 3])
    expect(vertex(meshOf({ ...GRID, axis: 'z' }), 4)).toEqual([2, 3, 4])
    expect(vertex(meshOf({ ...GRID, axis: 'x' }), 4)).toEqual([4, 2, 3])
  })

  it.each(['x', 'y', 'z'] as const)('face along the axis %s', (axis) => {
    const mesh = meshOf({ ...GRID, heights: new Array(6).fill(0), axis })
    expect(mesh.triangleCount).toBe(4)
    for (let t = 0; t < 4; t++) {
      const [a, b, c] = [0, 1, 2].map((k) => vertex(mesh, mesh.triangles[3 * t + k]))
      const [p, q] = [b, c].map((end) => end.map((value, k) => value - a[k]))
      const normal = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
      expect(normal).toEqual(
        ['x', 'y', 'z'].map((name) => (name === axis ? 6 : 0)).map((value) => expect.closeTo(value)),
      )
    }
  })

  it('share the diagonal from the least corner', () => {
    const { triangles } = meshOf(GRID)
    const corners = [0, 1, 2, 3].map((t) => [...triangles.subarray(3 * t, 3 * t + 3)].sort())
    expect(corners).toEqual([
      [0, 1, 4],
      [0, 3, 4],
      [1, 2, 5],
      [1, 4, 5],
    ])
  })

  it('name triangles by their cells, also behind holes', () => {
    const mesh = meshOf({ ...GRID, heights: [0, 1, 2, null, 4, 5] })
    expect(mesh.triangleCount).toBe(3)
    expect(mesh.names).toEqual(Uint32Array.of(0, 2, 3))
  })
})

describe('compounds', () => {
  const compound = (...children: Body3d[]): CompoundShape3d => ({ type: 'compound', children })

  it('are their parts, with the paths to them', () => {
    const body = createBody()
    const nested = compound(
      { shape: cube },
      { shape: compound({ shape: LEAF }, { shape: GRID }), position: { x: 1, y: 2, z: 3 } },
    )
    expect(decodeBody({ shape: nested }, body, LIMITS)).toBeNull()
    const { parts, partCount, leafCount } = body.composite as Composite
    expect(parts.slice(0, partCount).map(({ path }) => path)).toEqual([[0], [1, 0], [1, 1]])
    expect(leafCount).toBe(1 + 1 + 4)
    expect(Array.from(parts[1].placement.position.subarray(0, 3))).toEqual([1, 2, 3])
  })

  const turned = { orientation: { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 } }
  const aabb = { type: 'aabb' as const, min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } }

  it.each([
    ['too many parts', compound(...new Array(5).fill({ shape: cube })), 'too-many-parts', '/shape/children'],
    ['a turned aabb', compound({ shape: aabb, ...turned }), 'aabb-rotated', '/shape/children/0/orientation'],
    [
      'an aabb in a turned compound',
      compound({ shape: compound({ shape: aabb }), ...turned }),
      'aabb-rotated',
      '/shape/children/0/shape/children/0/shape',
    ],
    [
      'a fault of a child',
      compound({ shape: cube }, { shape: { ...LEAF, triangles: [0, 1, 5] } }),
      'mesh-index-out-of-range',
      '/shape/children/1/shape/triangles/2',
    ],
    [
      'a child far away',
      compound({ shape: cube, position: { x: 0, y: 1e101, z: 0 } }),
      'coordinate-out-of-range',
      '/shape/children/0/position/y',
    ],
  ] as const)('are refused with %s', (_, shape, code, pointer) => {
    expect(refusal(shape)).toEqual([code, pointer])
  })

  it('leave nothing of one that is refused', () => {
    const body = createBody()
    decodeBody({ shape: compound({ shape: cube }, { shape: { ...LEAF, triangles: [0, 1, 5] } }) }, body, LIMITS)
    expect(body.composite).toBeNull()
  })
})
