// Cuts of planes through bodies: points of the cut lie in the body and others do not, regions are valid, and how the body was described does not matter.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Slice3dRequest, Slice3dResponse } from '../../schemas/queries/slice.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Body3d, MeshShape3d } from '../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../schemas/vector.ts'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { isOpenEdge, prepareMesh } from '../../src/core3d/mesh/mesh.ts'
import { OUTLINE_POINT_COUNT } from '../../src/core3d/tolerances.ts'
import { massQuery } from '../../src/queries/stateless/mass.ts'
import { overlapQuery } from '../../src/queries/stateless/overlap.ts'
import { sliceQuery } from '../../src/queries/stateless/slice.ts'
import { validateQuery } from '../../src/queries/stateless/validate.ts'
import type { DecodeProblem } from '../../src/wire/decode-problem.ts'
import { rememberMesh } from '../../src/wire/mesh-3d.ts'
import type { AnyBody, AnyShape } from '../support/composite-bodies-3d.ts'
import type { Triple } from '../support/convex-cases-3d.ts'
import { triples } from '../support/families/convex-bodies.ts'
import { ball, cubes, fins, spiralStairs, sponge, terrain, torus } from '../support/families/generated-meshes-3d.ts'
import { allBodies, hullMesh, meshes, orientations, shuffled } from '../support/families/meshes-3d.ts'
import { nextAfter } from '../support/families/next-after.ts'
import { runCount, runs, unshrunk } from '../support/runs.ts'
import { bodyOfCase, shapeOfCase } from '../support/wire-cases-3d.ts'

const limits = queryLimits(loadConfig({ MAX_VERTICES: '1000000' }))

type Plane = Slice3dRequest['plane']

function found<T extends object>(answer: T): Exclude<T, DecodeProblem> {
  if ('code' in answer) throw new Error(JSON.stringify(answer))
  return answer as Exclude<T, DecodeProblem>
}

function cut(body: Body3d, plane: Plane, tolerance?: number): Slice3dResponse {
  return found(sliceQuery.answer(tolerance === undefined ? { body, plane } : { body, plane, tolerance }, limits))
}

function planeAt([x, y, z]: Triple, offset: number): Plane {
  return { normal: { x, y, z }, offset }
}

function ringsOf({ shape }: Body2d): Vec2[][] {
  return shape.type === 'region'
    ? [shape.outer, ...(shape.holes ?? [])]
    : shape.type === 'chain'
      ? [shape.vertices]
      : []
}

function areaOf({ bodies }: Slice3dResponse): number {
  let area = 0
  for (const body of bodies) area += found(massQuery['2d'].answer({ shape: body.shape }, limits)).area
  return area
}

function expectValid({ bodies }: Slice3dResponse): void {
  for (const { shape } of bodies) {
    const { valid, findings } = found(validateQuery['2d'].answer({ shape } as never, limits))
    expect(valid, JSON.stringify({ shape, findings })).toBe(true)
    if (shape.type === 'region') expect(findings.filter(({ kind }) => kind !== 'touching')).toEqual([])
  }
}

function lift({ frame: { origin: o, x: u, y: v } }: Slice3dResponse, { x, y }: Vec2): Vec3 {
  return { x: o.x + x * u.x + y * v.x, y: o.y + x * u.y + y * v.y, z: o.z + x * u.z + y * v.z }
}

function pointsNear({ bodies }: Slice3dResponse, size: number): Vec2[] {
  const base: Vec2[] = [{ x: 0, y: 0 }]
  for (const body of bodies) {
    base.push(...ringsOf(body).flat().slice(0, 12))
    const { position = { x: 0, y: 0 }, shape } = body
    base.push(position)
    if (shape.type === 'circle') base.push({ x: position.x + shape.radius, y: position.y })
  }
  const points: Vec2[] = []
  base.forEach((p, i) => {
    const q = base[(7 * i + 3) % base.length]
    points.push({ x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 })
    for (const far of [1e-5, 0.01, 0.2]) {
      const angle = 2.4 * i + 100 * far
      points.push({ x: p.x + far * size * Math.cos(angle), y: p.y + far * size * Math.sin(angle) })
    }
  })
  return points
}

/** Each point that is clear of outlines lies in the body exactly where it lies in the cut; how many of them do. */
function expectSameSet(body: Body3d, answer: Slice3dResponse, size: number): number {
  let within = 0
  const clear = 1e-9 * size + 2 * answer.error
  for (const point of pointsNear(answer, size)) {
    const disc = { shape: { type: 'circle' as const, radius: clear }, position: point }
    let isIn = false
    let isNear = false
    for (const own of answer.bodies) {
      const { overlap, aContainsB } = found(overlapQuery['2d'].answer({ a: own, b: disc, explain: true }, limits))
      if (aContainsB === true) isIn = true
      if (overlap) isNear = true
    }
    if (isNear && !isIn) continue
    if (isIn) within++
    const position = lift(answer, point)
    const { overlap } = found(overlapQuery['3d'].answer({ a: body, b: { shape: { type: 'point' }, position } }, limits))
    if (overlap !== isIn) {
      // a face in the plane belongs to the cut on one side of it only
      const near = found(
        overlapQuery['3d'].answer(
          { a: body, b: { shape: { type: 'sphere', radius: clear }, position }, explain: true },
          limits,
        ),
      )
      if (near.overlap && near.aContainsB !== true) continue
    }
    expect(overlap, JSON.stringify({ body, answer, point, position })).toBe(isIn)
  }
  return within
}

/** Cells of a layer of a sponge. */
function carpetArea(layer: number, level: number): number {
  let count = 1
  for (let [k, i] = [layer, 0]; i < level; k = Math.floor(k / 3), i++) count *= k % 3 === 1 ? 4 : 8
  return count
}

const GENERATED: [string, AnyShape][] = [
  ['a torus', torus(24, 12)],
  ['a ball', ball(16, 9, 3)],
  ['a sponge', sponge(2)],
  ['a stair', spiralStairs(14)],
  ['land', terrain(16)],
  ['fins', fins(20)],
]

/** Prepared once: most of the time would be spent on that. */
function prepared(shape: AnyShape): Body3d {
  const wire = shapeOfCase(shape) as MeshShape3d
  const mesh = prepareMesh(wire as never)
  if (!isOpenEdge(mesh)) rememberMesh(wire, mesh)
  return { shape: wire }
}

const normals = fc.oneof(
  fc.constantFrom<Triple>([1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, -1], [-1, 0, 0]),
  fc.constantFrom<Triple>(
    [1, 1, 0],
    [3, 0, 4],
    [1, 1, 1],
    [-2, 1, 2],
    [1, 1e-9, 0],
    [1e-200, 0, 1e-200],
    [3e90, 4e90, 0],
  ),
  triples.filter((t) => t.some((x) => x !== 0)),
)
const offsets = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.double({ min: -3, max: 3, noNaN: true }))
const bounded = allBodies.filter(({ shape }) => shape.type !== 'halfspace')

/** Where the outlines of a cut have corners, in an order of their own. */
function cornersOf({ bodies }: Slice3dResponse, place: (corner: Vec2) => Vec2 = (corner) => corner): Vec2[] {
  const plain = ({ x, y }: Vec2) => ({ x: x + 0, y: y + 0 })
  const corners = bodies.flatMap((body) => ringsOf(body).flat()).map((corner) => plain(place(corner)))
  return corners.sort((p, q) => p.x - q.x || p.y - q.y)
}

function mirrored({ shape, position: [x, y, z] = [0, 0, 0] }: AnyBody): AnyBody {
  const { vertices = [], triangles = [] } = shape
  const turned = triangles.map(([a, b, c]): Triple => [a, c, b])
  const flipped = vertices.map(([u, v, w]): Triple => [-u, v, w])
  return { shape: { ...shape, vertices: flipped, triangles: turned }, position: [-x, y, z] }
}

/** Of a body, by the areas of cuts in the middles of many layers. */
function volumeOf(body: Body3d, low: number, high: number, layers: number, normal: Triple = [0, 0, 1]): number {
  const step = (high - low) / layers
  let volume = 0
  for (let i = 0; i < layers; i++) volume += areaOf(cut(body, planeAt(normal, low + (i + 0.5) * step), 1e-4)) * step
  return volume
}

describe('slice', () => {
  it('is the part of the body in the plane', () => {
    let within = 0
    fc.assert(
      fc.property(bounded, normals, offsets, (body, normal, offset) => {
        const wire = bodyOfCase(body)
        const answer = cut(wire, planeAt(normal, offset))
        expectValid(answer)
        within += expectSameSet(wire, answer, 10)
      }),
      unshrunk(1000),
    )
    expect(within).toBeGreaterThan(runCount(1000))
  })

  it.each(GENERATED)('is the part in the plane of %s', (_, shape) => {
    const whole = prepared(shape)
    fc.assert(
      fc.property(normals, offsets, orientations, (normal, offset, [x, y, z, w]) => {
        const body = { ...whole, orientation: { x, y, z, w } }
        const answer = cut(body, planeAt(normal, offset))
        expectValid(answer)
        expectSameSet(body, answer, 10)
      }),
      unshrunk(30),
    )
  })

  it('does not depend on the order of triangles and of their corners', () => {
    fc.assert(
      fc.property(meshes, orientations, normals, offsets, fc.nat(1000), (shape, orientation, normal, offset, salt) => {
        const body: AnyBody = { shape, position: [1, 0, 2], orientation }
        const plane = planeAt(normal, offset)
        expect(cut(bodyOfCase(shuffled(body, salt)), plane)).toEqual(cut(bodyOfCase(body), plane))
      }),
      unshrunk(1000),
    )
    for (const [, shape] of GENERATED) {
      const plane = planeAt([1, 2, 3], 1)
      expect(cut(bodyOfCase(shuffled({ shape, position: [0, 0, 0] }, 77)), plane)).toEqual(
        cut(bodyOfCase({ shape }), plane),
      )
    }
  })

  it('is mirrored where the body is mirrored, and where the plane is seen from behind', () => {
    fc.assert(
      fc.property(meshes, triples, offsets, (shape, position, offset) => {
        const body: AnyBody = { shape, position }
        for (const [normal, place] of [
          [[0, 0, 1], ({ x, y }: Vec2) => ({ x: -x, y })],
          [[0, 1, 0], ({ x, y }: Vec2) => ({ x, y: -y })],
        ] as const) {
          const plane = planeAt([...normal], offset)
          const there = cut(bodyOfCase(mirrored(body)), plane)
          expect(cornersOf(there)).toEqual(cornersOf(cut(bodyOfCase(body), plane), place))
        }
        const [front, back] = [planeAt([1, 2, 2], 1 / 7), planeAt([-1, -2, -2], -1 / 7)]
        const behind = cornersOf(cut(bodyOfCase(body), back))
        expect(behind).toEqual(cornersOf(cut(bodyOfCase(body), front), ({ x, y }) => ({ x, y: -y })))
      }),
      unshrunk(1000),
    )
  })

  it('of the mesh of a hull is that of the hull', () => {
    fc.assert(
      fc.property(fc.array(triples, { minLength: 4, maxLength: 12 }), normals, offsets, (points, normal, offset) => {
        const mesh = hullMesh(points)
        if (mesh === null) return
        const plane = planeAt(normal, offset)
        const hull = cut(bodyOfCase({ shape: { type: 'hull', points } }), plane)
        expect(cut(bodyOfCase({ shape: mesh }), plane)).toEqual(hull)
      }),
      runs(1000),
    )
  })

  it('of a compound is the union of those of its children', () => {
    const filled = (x: number, y: number, z: number) => (x * 5 + y * 3 + z * 7) % 4 !== 0
    const children: AnyBody[] = []
    for (let i = 0; i < 27; i++) {
      const [x, y, z] = [i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9)]
      if (filled(x, y, z))
        children.push({ shape: { type: 'aabb', min: [x, y, z], max: [x + 1, y + 1, z + 1] }, position: [0, 0, 0] })
    }
    const compound = bodyOfCase({ shape: { type: 'compound', children } })
    const whole = bodyOfCase({ shape: cubes(3, filled) })
    for (const normal of [
      [0, 0, 1],
      [1, 0, 0],
      [0, -1, 0],
    ] as Triple[]) {
      for (const offset of [-2.5, -2, -1, 0, 0.5, 1, 1.25, 2, 3]) {
        expect(cut(compound, planeAt(normal, offset))).toEqual(cut(whole, planeAt(normal, offset)))
      }
    }
    fc.assert(
      fc.property(normals, offsets, (normal, offset) => {
        const [parts, one] = [cut(compound, planeAt(normal, offset)), cut(whole, planeAt(normal, offset))]
        expectValid(parts)
        expect(areaOf(parts)).toBeCloseTo(areaOf(one), 9)
      }),
      runs(200),
    )
  })

  it('integrates to the volume', () => {
    const solids: [Body3d, number, number][] = [
      [bodyOfCase({ shape: torus(48, 24) }), -1, 1],
      [bodyOfCase({ shape: ball(40, 20) }), -1, 1],
      [bodyOfCase({ shape: spiralStairs(12) }), 0, 12],
      [{ shape: { type: 'cone', radius: 2, height: 3, axis: 'x' } }, -2, 2],
      [{ shape: { type: 'cylinder', radius: 2, height: 3 }, orientation: { x: 0.6, y: 0, z: 0, w: 0.8 } }, -3, 3],
      [{ shape: { type: 'ellipsoid', radii: { x: 1, y: 2, z: 3 } } }, -3, 3],
      [{ shape: { type: 'box', size: { x: 1, y: 2, z: 3 }, radius: 0.5 } }, -2, 2],
      [{ shape: { type: 'capsule', a: { x: 0, y: 0, z: -1 }, b: { x: 2, y: 0, z: 1 }, radius: 1 } }, -2, 2],
    ]
    for (const [body, low, high] of solids) {
      const { volume } = found(massQuery['3d'].answer({ shape: body.shape }, limits))
      expect(volumeOf(body, low, high, 48) / volume).toBeCloseTo(1, 2)
    }
  })

  it('counts each layer of a sponge once, also at its faces', () => {
    const level = 2
    const size = 3 ** level
    const body = bodyOfCase({ shape: sponge(level) })
    for (const normal of [
      [0, 0, 1],
      [0, 1, 0],
    ] as Triple[]) {
      for (let layer = 0; layer < size; layer++) {
        const inner = cut(body, planeAt(normal, layer + 0.5))
        // what lies in the plane belongs to the layer below it
        expect(cut(body, planeAt(normal, layer + 1)).bodies).toEqual(inner.bodies)
        expect(areaOf(inner)).toBe(carpetArea(layer, level))
        expectValid(inner)
      }
      expect(cut(body, planeAt(normal, 0)).bodies).toEqual([])
      expect(cut(body, planeAt(normal, nextAfter(size, 1))).bodies).toEqual([])
      const last = cut(body, planeAt(normal, nextAfter(size, -1)))
      expect(areaOf(last)).toBe(carpetArea(size - 1, level))
    }
  })

  it('goes through vertices, or past them by a unit in the last place', () => {
    const vertices = GENERATED.map(([, shape]) => shape.vertices ?? [])
    const bodies = GENERATED.map(([, shape]) => prepared(shape))
    const index = fc.nat(100000)
    fc.assert(
      fc.property(
        fc.nat(GENERATED.length - 1),
        index,
        index,
        index,
        fc.integer({ min: -2, max: 2 }),
        (which, i, j, k, ulps) => {
          const [p, q, r] = [i, j, k].map((n) => vertices[which][n % vertices[which].length])
          const [u, v] = [q, r].map((end) => end.map((x, axis) => x - p[axis]))
          const normal: Triple = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
          const length = Math.hypot(...normal)
          if (length === 0) return
          const offset = nextAfter((normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2]) / length, ulps)
          const body = bodies[which]
          const answer = cut(body, planeAt(normal, offset))
          expectValid(answer)
          expectSameSet(body, answer, 10)
        },
      ),
      unshrunk(100),
    )
  })

  it('is valid where places of cuts become one by rounding', () => {
    const tiny: [AnyShape, number][] = [
      [ball(24, 12), 2 ** -20],
      [torus(24, 12), 2 ** -22],
      [sponge(2), 2 ** -23],
      [spiralStairs(14), 2 ** -23],
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...tiny),
        normals,
        fc.double({ min: -1, max: 1, noNaN: true }),
        ([shape, by], normal, share) => {
          const vertices = (shape.vertices ?? []).map((vertex) => vertex.map((x) => x * by) as unknown as Triple)
          const place: Triple = [1e9, -1e9, 1e9 / 3]
          const length = Math.max(...normal.map(Math.abs))
          const unit = normal.map((x) => x / length)
          const far = Math.hypot(...unit)
          const offset = (unit[0] * place[0] + unit[1] * place[1] + unit[2] * place[2]) / far + share * 3 * by
          expectValid(cut(bodyOfCase({ shape: { ...shape, vertices }, position: place }), planeAt(normal, offset)))
        },
      ),
      unshrunk(100),
    )
  })

  it('has no coarser outline where a finer one is asked for than there are points for', () => {
    const shapes: Body3d['shape'][] = [
      { type: 'cone', radius: 1, height: 2 },
      { type: 'cylinder', radius: 1, height: 1 },
      { type: 'box', size: { x: 1, y: 1, z: 1 }, radius: 0.5 },
    ]
    for (const shape of shapes) {
      const errors = [1e-2, 1e-4, 1e-6, 1e-7, 1e-9, 0].map((tolerance) => {
        const answer = cut({ shape }, planeAt([1, 2, 3], 0.1), tolerance)
        expect(ringsOf(answer.bodies[0])[0].length).toBeLessThanOrEqual(OUTLINE_POINT_COUNT)
        return answer.error
      })
      for (let i = 1; i < errors.length; i++) expect(errors[i]).toBeLessThanOrEqual(2 * errors[i - 1])
      expect(errors[5]).toBeLessThan(1e-5)
    }
  })

  it('leaves out no more of flat and long curved bodies than it says', () => {
    const exponent = fc.double({ min: -3, max: 3, noNaN: true })
    const share = fc.double({ min: -0.45, max: 0.45, noNaN: true })
    const along = (a: Vec3, b: Vec3) => a.x * b.x + a.y * b.y + a.z * b.z
    const expectCovered = (type: 'cone' | 'cylinder', radius: number, height: number, normal: Vec3, offset: number) => {
      const answer = cut({ shape: { type, radius, height } }, { normal, offset })
      const [ring] = answer.bodies.flatMap(ringsOf)
      if (ring === undefined) return
      const size = Math.max(radius, height)
      for (let i = 0; i < 100; i++) {
        const [c, s] = [Math.cos(i / 16), Math.sin(i / 16)].map((x) => radius * x)
        const [low, high]: Vec3[] = [
          { x: c, y: -height / 2, z: s },
          type === 'cone' ? { x: 0, y: height / 2, z: 0 } : { x: c, y: height / 2, z: s },
        ]
        const [below, above] = [along(normal, low) - offset, along(normal, high) - offset]
        if (below * above >= 0) continue
        const part = below / (below - above)
        const point = {
          x: low.x + part * (high.x - low.x),
          y: low.y + part * (high.y - low.y),
          z: low.z + part * (high.z - low.z),
        }
        const [x, y] = [along(answer.frame.x, point), along(answer.frame.y, point)]
        ring.forEach((p, k) => {
          const q = ring[(k + 1) % ring.length]
          const outward = ((q.y - p.y) * (x - p.x) - (q.x - p.x) * (y - p.y)) / Math.hypot(q.x - p.x, q.y - p.y)
          expect(outward).toBeLessThanOrEqual(answer.error + 1e-8 * size)
        })
      }
    }
    const found = { x: 0.9721729872703694, y: 0.10396462850544995, z: 0.20993103353608714 }
    expectCovered('cone', 49.77797439800405, 0.004016060963862864, found, 0.24227680537883728)
    fc.assert(
      fc.property(fc.constantFrom('cone', 'cylinder'), exponent, exponent, exponent, share, (type, r, h, lean, at) => {
        const [radius, height] = [10 ** r, 10 ** h]
        const length = Math.hypot(1, 10 ** (lean - 3), 0.3)
        const normal = { x: 1 / length, y: 10 ** (lean - 3) / length, z: 0.3 / length }
        expectCovered(type, radius, height, normal, at * normal.x * radius)
      }),
      runs(100),
    )
  })

  it('does not depend on the length of the normal', () => {
    const shapes: Body3d['shape'][] = [
      { type: 'box', size: { x: 2, y: 3, z: 4 } },
      { type: 'sphere', radius: 1 },
      { type: 'cone', radius: 1, height: 2 },
    ]
    for (const shape of shapes) {
      const expected = cut({ shape }, planeAt([1, 2, 2], 0.1))
      expect(expected.bodies).toHaveLength(1)
      for (const length of [Number.MIN_VALUE, 2 ** -1040, 2 ** -600, 2 ** -530, 2 ** -401, 2 ** 330]) {
        expect(cut({ shape }, planeAt([length, 2 * length, 2 * length], 0.1)), `${length}`).toEqual(expected)
      }
    }
  })

  it('scales with bodies as small as doubles are', () => {
    for (const size of [2 ** -500, 2 ** -540, 2 ** -700, 2 ** -900]) {
      const shapes: ((size: number) => Body3d['shape'])[] = [
        (k) => ({ type: 'cone', radius: k, height: 2 * k }),
        (k) => ({ type: 'box', size: { x: k, y: k, z: k }, radius: k }),
        (k) => ({ type: 'ellipsoid', radii: { x: k, y: 2 * k, z: 3 * k } }),
      ]
      for (const shape of shapes) {
        const plane = (k: number) => planeAt([1, 2, 3], 0.125 * k)
        const { bodies: large, error } = cut({ shape: shape(1) }, plane(1))
        const { bodies: small, error: smallError } = cut({ shape: shape(size) }, plane(size))
        const numbers = (bodies: Body2d[], k: number) =>
          bodies.flatMap(({ shape }) =>
            shape.type === 'ellipse'
              ? [shape.rx / k, shape.ry / k]
              : ringsOf({ shape }).flatMap((ring) => ring.flatMap(({ x, y }) => [x / k, y / k])),
          )
        const [expected, got] = [numbers(large, 1), numbers(small, size)]
        expect(got.length).toBe(expected.length)
        got.forEach((value, i) => {
          expect(value).toBeCloseTo(expected[i], 9)
        })
        expect(smallError / size).toBeCloseTo(error, 9)
        expect(small[0].rotation ?? 0).toBeCloseTo(large[0].rotation ?? 0, 9)
      }
    }
  })

  it('is the same far from the origin', () => {
    const shape = sponge(1)
    const [near, far] = [bodyOfCase({ shape }), bodyOfCase({ shape, position: [1e9, -1e9, 1e9] })]
    for (const offset of [0.5, 1, 1.5, 2.75]) {
      const [here, there] = [cut(near, planeAt([0, 0, 1], offset)), cut(far, planeAt([0, 0, 1], 1e9 + offset))]
      expect(cornersOf(there)).toEqual(cornersOf(here, ({ x, y }) => ({ x: x + 1e9, y: y - 1e9 })))
    }
    const slanted = cut(far, planeAt([1, 1, 1], (1e9 + 3.5) / Math.sqrt(3)))
    expectValid(slanted)
    expect(areaOf(slanted)).toBeGreaterThan(0)
  })

  it('fills what triangles enclose, however often and whichever way round', () => {
    const outer = cubes(3, () => true)
    const moved = (shape: AnyShape, by: number) =>
      (shape.vertices ?? []).map((v): Triple => [v[0] + by, v[1] + by, v[2]])
    const both = (second: AnyShape, by: number, turns: boolean): AnyShape => ({
      ...outer,
      vertices: [...(outer.vertices ?? []), ...moved(second, by)],
      triangles: [
        ...(outer.triangles ?? []),
        ...(second.triangles ?? []).map(([a, b, c]): Triple => {
          const first = outer.vertices?.length ?? 0
          return turns ? [a + first, c + first, b + first] : [a + first, b + first, c + first]
        }),
      ],
    })
    const plane = planeAt([0, 0, 1], 0.5)
    const areas: [AnyShape, number][] = [
      [both(outer, 0, false), 9],
      [both(outer, 2, false), 17],
      [both(outer, 5, true), 18],
      [
        both(
          cubes(1, () => true),
          1,
          true,
        ),
        8,
      ],
      [both(outer, 2, true), 16],
    ]
    for (const [shape, area] of areas) {
      const body = bodyOfCase({ shape })
      const answer = cut(body, plane)
      expect(areaOf(answer)).toBe(area)
      expectValid(answer)
      expectSameSet(body, answer, 10)
    }
  })

  it('of a surface is chains, in an order of their own', () => {
    const land = bodyOfCase({ shape: terrain(20) })
    const { bodies } = cut(land, planeAt([0, 0, 1], 0.25))
    expect(bodies.length).toBeGreaterThan(5)
    for (const { shape } of bodies) expect(shape.type).toBe('chain')
    const flat = {
      shape: { type: 'triangle', a: { x: 0, y: 0, z: -1 }, b: { x: 4, y: 0, z: -1 }, c: { x: 0, y: 0, z: 1 } },
    } as const
    expect(cut(flat, planeAt([0, 0, 1], 0)).bodies).toEqual([
      {
        shape: {
          type: 'chain',
          vertices: [
            { x: 0, y: 0 },
            { x: 2, y: 0 },
          ],
        },
      },
    ])
  })
})
