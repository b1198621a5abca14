// Laws of `decompose` in space: pieces are convex, cover the mesh exactly, and hang neither on the order of its triangles nor on the unit.

import { describe, expect, it } from 'vitest'
import type { Decompose3dRequest, Decompose3dResponse, DecomposedPiece3d } from '../../schemas/queries/decompose.ts'
import type { Body3d, MeshShape3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { countSteps } from '../../src/containers/budget.ts'
import { createPlacedPoint } from '../../src/core3d/mesh/exact-placed.ts'
import { sideOfMesh } from '../../src/core3d/mesh/in-mesh.ts'
import { createPlacement, type Mesh, prepareMesh } from '../../src/core3d/mesh/mesh.ts'
import { contains, createProbe, setProbeAt } from '../../src/core3d/queries/containment.ts'
import { createDistance, distance } from '../../src/core3d/queries/distance.ts'
import { createBody } from '../../src/core3d/shape/body.ts'
import { convexHull } from '../../src/core3d/shape/convex-hull.ts'
import { MOST_STEPS } from '../../src/queries/ask/slices.ts'
import { decomposeMesh } from '../../src/queries/stateless/decompose.ts'
import { decodeBody } from '../../src/wire/body-3d.ts'
import { cases3dPresent, readCases3d } from '../support/shared-cases-3d.ts'

const limits = { maxVertices: 1_000_000, maxParts: 100 }

interface Solid {
  vertices: number[]
  triangles: number[]
}

type Options = Omit<Decompose3dRequest, 'mesh'>

function decompose({ vertices, triangles }: Solid, options: Options = {}): Decompose3dResponse {
  const answer = decomposeMesh({ mesh: { type: 'mesh', vertices, triangles }, ...options }, limits)
  expect(answer).toHaveProperty('pieces')
  return answer as Decompose3dResponse
}

/** A random number below 1, the same ones each time. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** The union of unit cubes; corners that touch are one vertex. */
function cubes(cells: readonly (readonly number[])[]): Solid {
  const filled = new Set(cells.map((cell) => cell.join()))
  const places = new Map<string, number>()
  const solid: Solid = { vertices: [], triangles: [] }
  const vertexAt = (p: readonly number[]): number => {
    const known = places.get(p.join())
    if (known !== undefined) return known
    places.set(p.join(), places.size)
    solid.vertices.push(...p)
    return places.size - 1
  }
  for (const cell of cells) {
    for (let side = 0; side < 6; side++) {
      const [axis, up] = [side % 3, side >= 3]
      const beyond = cell.map((x, k) => (k === axis ? x + (up ? 1 : -1) : x))
      if (filled.has(beyond.join())) continue
      const corners = [0, 1, 3, 2].map((n) =>
        vertexAt(cell.map((x, k) => x + (k === axis ? Number(up) : (n >> Number(k === (axis + 2) % 3)) & 1))),
      )
      const [a, b, c, d] = up ? corners : corners.reverse()
      solid.triangles.push(a, b, c, a, c, d)
    }
  }
  return solid
}

function grid(size: readonly number[], isFilled: (cell: readonly number[]) => boolean): Solid {
  const cells: number[][] = []
  for (let x = 0; x < size[0]; x++)
    for (let y = 0; y < size[1]; y++) for (let z = 0; z < size[2]; z++) cells.push([x, y, z])
  return cubes(cells.filter(isFilled))
}

function torus(columns: number, rows: number): Solid {
  const solid: Solid = { vertices: [], triangles: [] }
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < rows; j++) {
      const [a, b] = [(2 * Math.PI * i) / columns, (2 * Math.PI * j) / rows]
      const far = 2 + 0.7 * Math.cos(b)
      solid.vertices.push(far * Math.cos(a), far * Math.sin(a), 0.7 * Math.sin(b))
      const [next, up] = [(i + 1) % columns, (j + 1) % rows]
      const [p, q, r, s] = [i * rows + j, next * rows + j, next * rows + up, i * rows + up]
      solid.triangles.push(p, q, r, p, r, s)
    }
  }
  return solid
}

/** Turned, so that nothing lies along an axis and no corner of a cut is a double. */
function turned({ vertices, triangles }: Solid): Solid {
  const place = (x: number, y: number, z: number): number[] => {
    const [u, v] = [0.76 * x - 0.65 * y, 0.65 * x + 0.76 * y]
    return [u, 0.95 * v - 0.3 * z, 0.3 * v + 0.95 * z]
  }
  const moved: number[] = []
  for (let i = 0; i < vertices.length; i += 3) moved.push(...place(vertices[i], vertices[i + 1], vertices[i + 2]))
  return { vertices: moved, triangles }
}

const SPONGE = grid([3, 3, 3], (cell) => cell.filter((x) => x === 1).length < 2)
const NOTCHED = grid([3, 3, 3], ([x, , z]) => !(x === 1 && z === 2))
const CORNERED = grid([2, 2, 2], (cell) => cell.includes(0))
const HOLLOW = grid([3, 3, 3], (cell) => cell.some((x) => x !== 1))
const STAIRS = grid([6, 1, 6], ([x, , z]) => z <= x)
const APART = cubes([
  [0, 0, 0],
  [3, 3, 3],
])
const TOUCHING = cubes([
  [0, 0, 0],
  [1, 1, 0],
])
const CUBE = cubes([[0, 0, 0]])
const TORUS = torus(10, 6)

const SOLIDS: [string, Solid][] = Object.entries({
  SPONGE,
  NOTCHED,
  CORNERED,
  HOLLOW,
  STAIRS,
  APART,
  TOUCHING,
  CUBE,
  TORUS,
})

function bodyOf({ vertices = [], body }: DecomposedPiece3d): Body3d {
  return body ?? { shape: { type: 'hull', points: vertices } }
}

/** Points of the solid that no piece holds, all of it decided exactly: vertices, points of triangles, points inside. */
function uncovered({ vertices, triangles }: Solid, pieces: readonly DecomposedPiece3d[], count: number): Vec3[] {
  const mesh = prepareMesh({ vertices, triangles, solid: true }) as Mesh
  const [placement, point, probe] = [createPlacement(), createPlacedPoint(), createProbe()]
  const bodies = pieces.map((piece) => {
    const body = createBody()
    expect(decodeBody(bodyOf(piece), body, limits)).toBe(null)
    return body
  })
  const next = random(5)
  const missing: Vec3[] = []
  const largest = vertices.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
  for (let n = 0; n < count; n++) {
    let place = [0, 1, 2].map(() => (2 * next() - 1) * largest)
    const t = Math.floor((next() * triangles.length) / 3)
    const corner = (k: number): number[] => vertices.slice(3 * triangles[3 * t + k], 3 * triangles[3 * t + k] + 3)
    const [a, b, c] = [corner(0), corner(1), corner(2)]
    if (n % 3 === 0) place = a
    if (n % 3 === 1) {
      const [u, v] = [next() / 2, next() / 2]
      place = a.map((x, k) => x + u * (b[k] - x) + v * (c[k] - x))
    }
    const [x, y, z] = place
    point.sum.set(place)
    if (sideOfMesh(mesh, placement, point) < 0) continue
    setProbeAt(probe, x, y, z)
    if (!bodies.some((body) => contains(body, probe))) missing.push({ x, y, z })
  }
  return missing
}

/** What is wrong with a hull: corners that are none, faces that are not closed or not planar. */
function faultsOf({ vertices = [], faces = [] }: DecomposedPiece3d): string[] {
  const points = Float64Array.from(vertices.flatMap(({ x, y, z }) => [x, y, z]))
  const hull = convexHull(points, vertices.length)
  const faults: string[] = []
  if (hull.vertices.length !== vertices.length) faults.push('a corner is none')
  if (hull.faceStarts.length - 1 !== faces.length) faults.push('faces are not those of the hull')
  const edges = new Set(faces.flatMap((face) => face.map((v, k) => `${v} ${face[(k + 1) % face.length]}`)))
  for (const edge of edges) if (!edges.has(edge.split(' ').reverse().join(' '))) faults.push(`open at ${edge}`)
  return faults
}

/** The greatest distance from the solid of random points of a hull. */
function sampledError(
  { vertices, triangles }: Solid,
  { vertices: corners = [] }: DecomposedPiece3d,
  count: number,
): number {
  const solid = createBody()
  expect(decodeBody({ shape: { type: 'mesh', vertices, triangles, solid: true } }, solid, limits)).toBe(null)
  const [probe, gap] = [createProbe(), createDistance()]
  const next = random(11)
  let greatest = 0
  for (let n = 0; n < count; n++) {
    const chosen = [0, 1, 2, 3].map(() => corners[Math.floor(next() * corners.length)])
    const shares = chosen.map((_, i) => (i === 3 && n % 2 === 0 ? 0 : next()))
    const total = shares.reduce((sum, share) => sum + share, 0)
    const along = (axis: 'x' | 'y' | 'z'): number =>
      chosen.reduce((sum, p, i) => sum + (shares[i] / total) * p[axis], 0)
    setProbeAt(probe, along('x'), along('y'), along('z'))
    distance(probe, solid, gap)
    greatest = Math.max(greatest, gap.distance)
  }
  return greatest
}

describe('decompose in space', { timeout: 120_000 }, () => {
  const METHODS: Options[] = [{ method: 'exact' }, { method: 'approximate' }, { method: 'primitives', maxPieces: 3 }]
  for (const [k, [name, solid]] of SOLIDS.entries()) {
    it.each(METHODS)(`covers ${name} by convex pieces: %j`, (options) => {
      const both = [solid, turned(solid)]
      // How far pieces stick out takes most of the time: each solid is turned for one of the methods that look for it.
      const [asked] = [both, [both[k % 2]], [both[(k + 1) % 2]]].slice(METHODS.indexOf(options))
      for (const one of asked) {
        const { pieces, volume, addedVolume } = decompose(one, options)
        expect(uncovered(one, pieces, 300)).toEqual([])
        if (options.method !== 'primitives') expect(pieces.flatMap(faultsOf)).toEqual([])
        if (options.method !== 'exact') expect(pieces.length).toBeLessThanOrEqual(options.maxPieces ?? 64)
        const total = pieces.reduce((sum, piece) => sum + piece.volume, 0)
        const share = options.method === 'exact' ? 1e-10 : Infinity
        expect(Math.abs(total - volume)).toBeLessThanOrEqual(share * volume)
        if (addedVolume > 0) expect(addedVolume).toBeCloseTo(total - volume, 8)
        if (options.method === 'approximate' && options.maxPieces === undefined) {
          expect(addedVolume).toBeLessThanOrEqual(0.05 * volume * (1 + 1e-9))
        }
      }
    })
  }

  it('gives as few exact pieces as there can be, of whole numbers where the mesh has such', () => {
    const counts: [Solid, number][] = [
      [CUBE, 1],
      [TOUCHING, 2],
      [APART, 2],
      [NOTCHED, 3],
      [CORNERED, 3],
      [STAIRS, 6],
      [HOLLOW, 6],
    ]
    for (const [solid, count] of counts) {
      const { pieces, volume, addedVolume, error } = decompose(solid, { method: 'exact' })
      expect(pieces).toHaveLength(count)
      expect(pieces.reduce((sum, piece) => sum + piece.volume, 0)).toBe(volume)
      expect([addedVolume, error]).toEqual([0, 0])
      const corners = pieces.flatMap(({ vertices = [] }) => vertices.flatMap(({ x, y, z }) => [x, y, z]))
      expect(corners.every(Number.isInteger)).toBe(true)
    }
  })

  it('encloses what boxes make up by boxes', () => {
    const { pieces, addedVolume } = decompose(NOTCHED, { method: 'primitives', kinds: ['box'], maxAddedVolume: 0 })
    expect(pieces.map(({ body }) => body?.shape.type)).toEqual(['box', 'box', 'box'])
    expect(addedVolume).toBe(0)
  })

  it('hangs neither on the order of triangles and vertices, nor on which way they are wound, nor on vertices twice', () => {
    const next = random(3)
    for (const solid of [NOTCHED, turned(TOUCHING), TORUS]) {
      const given = decompose(solid, { maxPieces: 3 })
      const count = solid.vertices.length / 3
      const order = Array.from({ length: count }, (_, i) => i).sort(() => next() - 0.5)
      const rings = Array.from({ length: solid.triangles.length / 3 }, (_, t) => {
        const ring = solid.triangles.slice(3 * t, 3 * t + 3)
        const from = Math.floor(3 * next())
        const [a, b, c] = [0, 1, 2].map((k) => order.indexOf(ring[(from + k) % 3]))
        // A vertex may be named by either of its two copies.
        return [c, b, a].map((i) => i + (next() < 0.5 ? count : 0))
      }).sort(() => next() - 0.5)
      const vertices = order.flatMap((i) => solid.vertices.slice(3 * i, 3 * i + 3))
      const again = { vertices: [...vertices, ...vertices], triangles: rings.flat() }
      expect(decompose(again, { maxPieces: 3 })).toEqual(given)
    }
  })

  it.each([2 ** 40, 2 ** -300, 2 ** 320])('scales by %d', (scale) => {
    for (const method of ['exact', 'approximate', 'primitives'] as const) {
      const solid = turned(method === 'exact' ? CORNERED : TOUCHING)
      const given = decompose(solid, { method })
      const scaled = decompose({ ...solid, vertices: solid.vertices.map((x) => x * scale) }, { method })
      const unit = (x: number): number => x * scale
      expect(scaled.pieces.map(({ vertices }) => vertices)).toEqual(
        given.pieces.map(({ vertices }) => vertices?.map(({ x, y, z }) => ({ x: unit(x), y: unit(y), z: unit(z) }))),
      )
      expect(scaled.error).toBe(unit(given.error))
    }
  })

  it.each([
    ['SPONGE', SPONGE, 4],
    ['HOLLOW', HOLLOW, 1],
    ['STAIRS', STAIRS, 2],
    ['TORUS', torus(24, 12), 5],
    ['TORUS', torus(24, 12), 12],
  ] as const)('finds how far pieces of %s stick out', (_, solid, maxPieces) => {
    const one = turned(solid)
    const { pieces, error } = decompose(one, { maxPieces, maxAddedVolume: 0 })
    expect(error).toBe(Math.max(...pieces.map((piece) => piece.error)))
    for (const piece of pieces) expect(sampledError(one, piece, 1000)).toBeLessThanOrEqual(1.01 * piece.error + 1e-11)
  })

  it('takes one piece for what is convex, its own corners', () => {
    const { pieces } = decompose(turned(CUBE))
    expect(pieces).toHaveLength(1)
    expect(pieces[0].vertices).toHaveLength(8)
    expect(pieces[0].error).toBeLessThan(1e-15)
  })

  it('gives no pieces for what has no volume, and problems for what is not solid', () => {
    const leaf: Solid = { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2, 0, 2, 1] }
    expect(decompose(leaf)).toEqual({ pieces: [], volume: 0, addedVolume: 0, error: 0 })
    const open: MeshShape3d = { type: 'mesh', vertices: leaf.vertices, triangles: [0, 1, 2] }
    expect(decomposeMesh({ mesh: open }, limits)).toMatchObject({ code: 'mesh-not-closed' })
    const kept = { type: 'sphere', radius: 1 } as unknown as MeshShape3d
    expect(decomposeMesh({ mesh: kept }, limits)).toMatchObject({ code: 'schema-violation' })
    const mesh: MeshShape3d = { type: 'mesh', ...torus(40, 20) }
    expect(decomposeMesh({ mesh, method: 'exact' }, limits)).toMatchObject({ code: 'too-many-reflex-edges' })
  })

  it('answers what crosses itself, holds itself, is tiny beside itself or far away', () => {
    const moved = ({ vertices, triangles }: Solid, by: number, from: number): Solid => ({
      vertices: vertices.map((x) => x + by),
      triangles: triangles.map((i) => i + from),
    })
    const joined = (a: Solid, b: Solid): Solid => ({
      vertices: [...a.vertices, ...b.vertices],
      triangles: [...a.triangles, ...b.triangles],
    })
    const solids: Solid[] = [
      joined(CORNERED, moved(turned(CORNERED), 0.25, CORNERED.vertices.length / 3)),
      joined(CUBE, moved(CUBE, 0.25, 8)),
      moved(turned(CORNERED), 1e9, 0),
      { ...STAIRS, vertices: STAIRS.vertices.map((x, i) => (x === 1 && i % 3 === 0 ? 1e-300 : 1e99 * x)) },
      { ...CORNERED, vertices: CORNERED.vertices.map((x, i) => (i % 3 === 0 ? 1e-9 * x : x)) },
    ]
    for (const solid of solids) {
      for (const method of ['exact', 'approximate'] as const) {
        const { pieces } = decompose(solid, { method })
        expect(uncovered(solid, pieces, 150)).toEqual([])
        expect(pieces.flatMap(faultsOf)).toEqual([])
      }
    }
  })

  it('takes far fewer steps than there are', () => {
    const { steps } = countSteps(() => decompose(torus(24, 12), { maxPieces: 8, maxAddedVolume: 0 }))
    expect(steps).toBeLessThan(MOST_STEPS / 32)
  })

  it.skipIf(!cases3dPresent)('answers the shared cases', () => {
    for (const { a, tags, maxVolumeError, expect: expected, tol } of cases3dPresent ? readCases3d('decompose') : []) {
      const solid = { vertices: a.shape.vertices.flat(), triangles: a.shape.triangles.flat() }
      const method = tags.includes('exact') ? 'exact' : 'approximate'
      const answer = decompose(solid, { method, maxAddedVolume: maxVolumeError })
      const total = answer.pieces.reduce((sum, { volume }) => sum + volume, 0)
      expect(Math.abs(total - expected.volume)).toBeLessThanOrEqual(tol.volume)
      expect(answer.pieces.flatMap(faultsOf)).toEqual([])
    }
  })
})
