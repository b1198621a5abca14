// Rays at meshes and compounds: against brute force over triangles, through edges and vertices, into and out of solids.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countSteps } from '../../../src/containers/budget.ts'
import { createPlacedPoint } from '../../../src/core3d/mesh/exact-placed.ts'
import { sideOfMesh } from '../../../src/core3d/mesh/in-mesh.ts'
import { isOpenEdge, type Mesh, prepareMesh } from '../../../src/core3d/mesh/mesh.ts'
import {
  createRay,
  createRayHit,
  featureVertices,
  type Ray,
  type RayHit,
  rayCast,
} from '../../../src/core3d/ray/ray-cast.ts'
import { rayConvex } from '../../../src/core3d/ray/ray-convex.ts'
import { setDirection } from '../../../src/core3d/ray/ray-line.ts'
import { type Body, type Composite, createBody, setPose } from '../../../src/core3d/shape/body.ts'
import { setLeaf, setMesh } from '../../../src/core3d/shape/composite.ts'
import { anyBodyOf } from '../../support/composite-bodies-3d.ts'
import type { Triple } from '../../support/convex-cases-3d.ts'
import {
  described,
  insideOut,
  lattice,
  lehmer,
  sharedMesh,
  type Triangles,
  tetrahedron,
  together,
  torus,
} from '../../support/families/meshes.ts'
import { runCount, runs } from '../../support/runs.ts'

type Quaternion = [number, number, number, number]

function meshFrom(source: Triangles, solid: boolean): Mesh {
  const made = prepareMesh({ ...source, solid })
  if (isOpenEdge(made)) throw new RangeError(JSON.stringify(made))
  return made
}

function bodyFrom(source: Triangles, solid: boolean, position: Triple = [0, 0, 0], orientation?: Quaternion): Body {
  const body = createBody()
  setPose(body, { position, orientation })
  setMesh(body, meshFrom(source, solid))
  return body
}

function rayFrom(origin: Triple, direction: Triple, maxDistance = Infinity): Ray {
  const ray = createRay()
  ;[ray.ox, ray.oy, ray.oz] = origin
  setDirection(ray, ...direction)
  ray.maxDistance = maxDistance
  return ray
}

function cast(ray: Ray, body: Body, startInside: 'hit' | 'ignore' | 'exit' = 'hit'): RayHit | null {
  const out = createRayHit()
  return rayCast(ray, body, startInside, out) ? out : null
}

const slot = createBody()

/** The least distance to any leaf; Infinity for none. */
function nearestLeaf(ray: Ray, body: Body): number {
  const { leafCount } = body.composite as Composite
  const hit = createRayHit()
  let nearest = Infinity
  for (let leaf = 0; leaf < leafCount; leaf++) {
    if (rayConvex(ray, setLeaf(body, leaf, slot), 'hit', hit)) nearest = Math.min(nearest, hit.distance)
  }
  return nearest
}

/** Convex bodies are not measured to the last digit. */
function expectNear(hit: RayHit | null, distance: number): void {
  expect(hit !== null).toBe(distance < Infinity)
  if (hit !== null) expect(Math.abs(hit.distance - distance)).toBeLessThanOrEqual(4e-16 * distance)
}

const triple = (of: fc.Arbitrary<number>): fc.Arbitrary<Triple> => fc.tuple(of, of, of)
const real = fc.double({ min: -3, max: 3, noNaN: true })
const whole = fc.integer({ min: -3, max: 6 })
const cells = fc.uniqueArray(triple(fc.integer({ min: 0, max: 2 })), { minLength: 1, maxLength: 9, selector: String })

describe('the nearest triangle', () => {
  const body = bodyFrom(torus(17, 11, 0.4), false, [0.3, -0.7, 1.1], [0.1, 0.5, -0.3, 0.8])
  const far = bodyFrom(torus(17, 11, 0.4), false, [1e9, -1e9 / 3, 1e9 / 7], [0.1, 0.5, -0.3, 0.8])
  const small = bodyFrom({ ...torus(9, 9), vertices: torus(9, 9).vertices.map((x) => x * 1e-300) }, false)

  it('is that of brute force: turned', () => {
    fc.assert(
      fc.property(triple(real), triple(real), fc.double({ min: 0.1, max: 10, noNaN: true }), (from, way, limit) => {
        fc.pre(Math.hypot(...way) > 0)
        const ray = rayFrom(from, way, limit)
        expectNear(cast(ray, body), nearestLeaf(ray, body))
      }),
      runs(3000),
    )
  })

  it('is that of brute force: far from the origin of the world, and of rays from far away', () => {
    fc.assert(
      fc.property(triple(real), triple(real), (from, way) => {
        fc.pre(Math.hypot(...way) > 0)
        const ray = rayFrom([1e9 + 2 * from[0], -1e9 / 3 + 2 * from[1], 1e9 / 7 + 2 * from[2]], way)
        expectNear(cast(ray, far), nearestLeaf(ray, far))
        const long = rayFrom([1e9 * from[0], 1e9 * from[1], 1e9 * from[2]], from.map((x) => -x) as Triple)
        expectNear(cast(long, body), nearestLeaf(long, body))
      }),
      runs(1000),
    )
  })

  it('is that of brute force: too small for products', () => {
    fc.assert(
      fc.property(triple(real), triple(real), (from, way) => {
        fc.pre(Math.hypot(...way) > 0)
        const ray = rayFrom(from.map((x) => x * 1e-300) as Triple, way)
        expectNear(cast(ray, small), nearestLeaf(ray, small))
      }),
      runs(500),
    )
  })

  it('is that of brute force: integers, through edges and vertices, along faces', () => {
    fc.assert(
      fc.property(cells, triple(whole), triple(whole), fc.boolean(), (filled, from, way, solid) => {
        fc.pre(way.some((x) => x !== 0))
        const block = bodyFrom(lattice(filled), solid)
        const ray = rayFrom(from, way)
        const hit = cast(ray, block)
        if (hit?.startedInside && solid) return
        expectNear(hit, nearestLeaf(ray, block))
      }),
      runs(1000),
    )
  })

  it('is the same in any order of the triangles, begun at any corner', () => {
    const source = torus(9, 7)
    const random = lehmer(4)
    const other = bodyFrom(described(source, random), true)
    const one = bodyFrom(source, true)
    fc.assert(
      fc.property(triple(real), triple(real), (from, way) => {
        fc.pre(Math.hypot(...way) > 0)
        const ray = rayFrom(from, way)
        const [a, b] = [cast(ray, one), cast(ray, other)]
        expect(b === null).toBe(a === null)
        if (a === null || b === null) return
        expect([b.distance, b.startedInside, b.hasExit]).toEqual([a.distance, a.startedInside, a.hasExit])
        expect(b.exitDistance).toBeCloseTo(a.exitDistance, 12)
        expect(Math.hypot(a.nx - b.nx, a.ny - b.ny, a.nz - b.nz)).toBeLessThan(1e-12)
      }),
      runs(500),
    )
  })

  it('is found in few steps', () => {
    const large = bodyFrom(torus(200, 100), false)
    const { steps } = countSteps(() => cast(rayFrom([3, 0.1, 0.1], [-1, 0.01, 0.02]), large))
    expect(steps).toBeLessThan(500)
  })
})

describe('watertight', () => {
  it.each([
    ['unturned', [0, 0, 0], undefined],
    ['turned', [0.3, -0.7, 1.1], [0.1, 0.5, -0.3, 0.8]],
    ['far away', [1e7, -1e7 / 3, 1e6 / 7], [0.1, 0.5, -0.3, 0.8]],
  ] as [string, Triple, Quaternion | undefined][])(
    'nothing that is inside gets out through an edge or a vertex: %s',
    (_, position, orientation) => {
      const source = sharedMesh('spot') ?? torus(60, 40)
      const solid = bodyFrom(source, true, position, orientation)
      const surface = bodyFrom(source, false, position, orientation)
      const { mesh, placement } = (solid.composite as Composite).parts[0]
      const random = lehmer(11)
      const inner: Triple[] = []
      const point = createPlacedPoint()
      while (inner.length < 20) {
        const at = position.map((x) => x + 2 * random() - 1) as Triple
        point.sum.set(at)
        if (sideOfMesh(mesh as Mesh, placement, point) > 0) inner.push(at)
      }
      const { leafCount } = solid.composite as Composite
      for (let i = 0; i < runCount(60_000); i++) {
        const from = inner[i % inner.length]
        const { numbers, local } = setLeaf(solid, Math.floor(random() * leafCount), slot)
        const share = i % 3 === 0 ? 1 : random()
        const corner = Math.floor(3 * random())
        const next = (corner + 1) % 3
        const at = (c: number, k: number) => numbers[local - 9 + 3 * c + k]
        const to = [0, 1, 2].map((k) => position[k] + share * at(corner, k) + (1 - share) * at(next, k))
        const ray = rayFrom(from, to.map((x, k) => x - from[k]) as Triple)
        const hit = cast(ray, surface)
        if (hit === null) expect({ from, to, i }).toBeNull()
        if (i % 100 !== 0) continue
        const out = cast(ray, solid, 'exit')
        expect(out?.startedInside).toBe(true)
        expect(out?.distance).toBeGreaterThanOrEqual((hit as RayHit).distance)
      }
    },
    900_000,
  )

  it('counts each crossing of a lattice once, through edges and vertices', () => {
    fc.assert(
      fc.property(cells, triple(fc.integer({ min: 0, max: 5 })), (filled, doubled) => {
        // the middle of a cell is inside, and so is no point that is beside all filled ones
        const mesh = meshFrom(lattice(filled), true)
        const point = createPlacedPoint()
        point.sum.set(doubled.map((x) => x / 2))
        const around = [0, 1, 2].map((k) =>
          doubled[k] % 2 === 1 ? [(doubled[k] - 1) / 2] : [doubled[k] / 2 - 1, doubled[k] / 2],
        )
        const set = new Set(filled.map(String))
        const near = around[0].flatMap((x) =>
          around[1].flatMap((y) => around[2].map((z) => set.has(String([x, y, z])))),
        )
        const expected = near.every((is) => is) ? 1 : near.some((is) => is) ? 0 : -1
        const placement = (bodyFrom(tetrahedron, true).composite as Composite).parts[0].placement
        expect(sideOfMesh(mesh, placement, point)).toBe(expected)
      }),
      runs(3000),
    )
  })
})

describe('solids', () => {
  it('are entered and left, against and along the ray', () => {
    for (const source of [tetrahedron, insideOut(tetrahedron)]) {
      const body = bodyFrom(source, true)
      const hit = cast(rayFrom([1, 1, -3], [0, 0, 2]), body) as RayHit
      expect(hit).toMatchObject({ distance: 3, nz: -1, startedInside: false, hasExit: true, exitDistance: 5, exitZ: 2 })
      expect([hit.exitNx, hit.exitNy, hit.exitNz].every((n) => Math.abs(n - 3 ** -0.5) < 1e-15)).toBe(true)
      expect(hit.feature).toBe('face')
      expect(featureVertices(body, hit).toSorted()).toEqual([0, 1, 2])
      const within = rayFrom([1, 1, 1], [0, 0, -3])
      expect(cast(within, body)).toMatchObject({ distance: 0, hasNormal: false, startedInside: true, exitDistance: 1 })
      expect(cast(within, body, 'ignore')).toBeNull()
      expect(cast(within, body, 'exit')).toMatchObject({ distance: 1, nz: -1, feature: 'face', startedInside: true })
      expect(cast(rayFrom([1, 1, 1], [0, 0, -3], 0.5), body)).toMatchObject({ hasExit: false })
      expect(cast(rayFrom([1, 1, 1], [0, 0, -3], 0.5), body, 'exit')).toBeNull()
    }
  })

  it('have cavities, and are left into them', () => {
    const cavity = insideOut({
      vertices: tetrahedron.vertices.map((x) => x / 4 + 0.25),
      triangles: tetrahedron.triangles,
    })
    const body = bodyFrom(together(tetrahedron, cavity), true)
    expect(cast(rayFrom([0.5, 0.5, -1], [0, 0, 1]), body)).toMatchObject({ distance: 1, exitDistance: 1.25, exitNz: 1 })
    expect(cast(rayFrom([0.5, 0.5, 0.5], [0, 0, 1]), body)).toMatchObject({
      startedInside: false,
      distance: 0.25,
    })
  })

  it('go on where they touch themselves', () => {
    const row = bodyFrom(
      lattice([
        [0, 0, 0],
        [1, 1, 0],
      ]),
      true,
    )
    // through the edge that both cells share
    expect(cast(rayFrom([-1, -1, 0.5], [1, 1, 0]), row)).toMatchObject({ distance: Math.SQRT2 })
    expect(cast(rayFrom([-1, -1, 0.5], [1, 1, 0]), row)?.exitDistance).toBeCloseTo(3 * Math.SQRT2, 14)
    // along it
    expect(cast(rayFrom([1, 1, -1], [0, 0, 1]), row)).toMatchObject({ distance: 1, exitDistance: 2 })
    // along a face
    expect(cast(rayFrom([-1, 0.25, 1], [1, 0, 0]), row)).toMatchObject({ distance: 1, exitDistance: 2 })
  })
})

describe('surfaces', () => {
  it('are left where they are entered, or at the end of the triangles that the ray lies in', () => {
    const sheet = bodyFrom({ vertices: [0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0], triangles: [0, 1, 2, 0, 2, 3] }, false)
    expect(cast(rayFrom([0.5, 1, 3], [0, 0, -1]), sheet)).toMatchObject({ distance: 3, nz: 1, exitDistance: 3 })
    expect(cast(rayFrom([0.5, 1, -3], [0, 0, 1]), sheet)).toMatchObject({ distance: 3, nz: -1, exitDistance: 3 })
    expect(cast(rayFrom([-1, 1, 0], [1, 0, 0]), sheet)).toMatchObject({ distance: 1, exitDistance: 3 })
    expect(cast(rayFrom([1, 1, 0], [1, 0, 0]), sheet)).toMatchObject({
      distance: 0,
      startedInside: true,
      exitDistance: 1,
    })
    expect(cast(rayFrom([-1, 1, 5e-324], [1, 0, 0]), sheet)).toBeNull()
  })

  it('of no area are the segments and points that they are', () => {
    const thin = bodyFrom({ vertices: [0, 0, 0, 1, 1, 0, 2, 2, 0], triangles: [0, 1, 2, 2, 2, 2] }, false)
    expect(cast(rayFrom([1.5, 1.5, 3], [0, 0, -1]), thin)).toMatchObject({ distance: 3, feature: 'edge' })
    expect(cast(rayFrom([1.5, 1.25, 3], [0, 0, -1]), thin)).toBeNull()
    expect(cast(rayFrom([2, 2, 3], [0, 0, -1]), thin)).toMatchObject({ distance: 3 })
  })
})

describe('compounds', () => {
  const ball = { shape: { type: 'sphere', radius: 1 }, position: [0, 0, 0] as Triple }
  it('are one body where their children touch', () => {
    const body = anyBodyOf({
      shape: { type: 'compound', children: [ball, { ...ball, position: [2, 0, 0] }, { ...ball, position: [6, 0, 0] }] },
      position: [0.5, 0, 0],
    })
    expect(cast(rayFrom([-2, 0, 0], [1, 0, 0]), body)).toMatchObject({ distance: 1.5, leaf: 0, exitDistance: 5.5 })
    expect(cast(rayFrom([5, 0, 0], [1, 0, 0]), body)).toMatchObject({ distance: 0.5, leaf: 2 })
    expect(cast(rayFrom([1, 0, 0], [-1, 0, 0]), body)).toMatchObject({ startedInside: true, exitDistance: 1.5 })
    expect(cast(rayFrom([-2, 3, 0], [1, 0, 0]), body)).toBeNull()
  })

  it('hold meshes, half-spaces and compounds', () => {
    const vertices: Triple[] = [0, 1, 2, 3].map((i) => tetrahedron.vertices.slice(3 * i, 3 * i + 3) as Triple)
    const triangles = [0, 1, 2, 3].map((i) => tetrahedron.triangles.slice(3 * i, 3 * i + 3) as Triple)
    const origin: Triple = [0, 0, 0]
    const mesh = { shape: { type: 'mesh', vertices, triangles, solid: true }, position: origin }
    const ground = { shape: { type: 'halfspace', normal: [0, 0, 1] as Triple, offset: -2 }, position: origin }
    const nested = {
      shape: { type: 'compound', children: [mesh, ball] },
      position: [10, 0, 0] as Triple,
      orientation: [0, 0, 1, 0] as Quaternion,
    }
    const body = anyBodyOf({ shape: { type: 'compound', children: [ground, nested] }, position: [0, 0, 0] })
    expect(cast(rayFrom([9, -1, 5], [0, 0, -1]), body)).toMatchObject({ distance: 3, exitDistance: 5 })
    expect(cast(rayFrom([20, 0, 5], [0, 0, -1]), body)).toMatchObject({ distance: 7, leaf: 0, feature: 'face' })
    expect(cast(rayFrom([10.5, 0.25, 5], [0, 0, -1]), body)).toMatchObject({ leaf: 5, feature: 'surface' })
  })
})

it('takes as many triangles as there are at one point', () => {
  const count = 150_000
  const sheet = { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: Array.from({ length: 3 * count }, (_, i) => i % 3) }
  const body = bodyFrom(sheet, false)
  expect(cast(rayFrom([0.25, 0.25, 3], [0, 0, -1]), body)).toMatchObject({ distance: 3, leaf: 0, nz: 1 })
})
