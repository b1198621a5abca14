// Bounds, support, mass and containment of meshes and compounds: against brute force over their leaves, and against convex bodies.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { within } from '../../../src/containers/budget.ts'
import { isOpenEdge, prepareMesh } from '../../../src/core3d/mesh/mesh.ts'
import {
  addBodyBox,
  bounds,
  createBodyBoxes,
  createBounds,
  exactBoxesMeet,
  motionBounds,
} from '../../../src/core3d/queries/bounds.ts'
import { compositeMass } from '../../../src/core3d/queries/composite-mass.ts'
import { contains } from '../../../src/core3d/queries/containment.ts'
import { coneMass, hullMass, type Mass } from '../../../src/core3d/queries/mass.ts'
import { createSupport, support } from '../../../src/core3d/queries/support.ts'
import { type Body, COMPOSITE, type Composite, createBody, setPose } from '../../../src/core3d/shape/body.ts'
import { setMesh } from '../../../src/core3d/shape/composite.ts'
import { convexHull } from '../../../src/core3d/shape/convex-hull.ts'
import { createMotion } from '../../../src/core3d/shape/motion.ts'
import { anyBodyOf, leavesOf } from '../../support/composite-bodies-3d.ts'
import type { Triple } from '../../support/convex-cases-3d.ts'
import { torus as ring } from '../../support/families/generated-meshes-3d.ts'
import { insideOut, lattice, lehmer, type Triangles, tetrahedron, torus } from '../../support/families/meshes.ts'
import { runs } from '../../support/runs.ts'
import { cases3dPresent, readCases3d } from '../../support/shared-cases-3d.ts'

type Quaternion = [number, number, number, number]

function bodyFrom(source: Triangles, solid: boolean, position: Triple = [0, 0, 0], orientation?: Quaternion): Body {
  const mesh = prepareMesh({ ...source, solid })
  if (isOpenEdge(mesh)) throw new RangeError(JSON.stringify(mesh))
  const body = createBody()
  setPose(body, { position, orientation })
  setMesh(body, mesh)
  return body
}

const triples = (numbers: readonly number[]): Triple[] =>
  Array.from({ length: numbers.length / 3 }, (_, i) => numbers.slice(3 * i, 3 * i + 3) as Triple)
const asShape = ({ vertices, triangles }: Triangles, solid = true) => ({
  type: 'mesh',
  vertices: triples(vertices),
  triangles: triples(triangles),
  solid,
})
const boxShape = (size: Triple) => ({ type: 'box', size })
const unitCell = lattice([[0, 0, 0]])
const origin: Triple = [0, 0, 0]

const some = anyBodyOf({
  shape: {
    type: 'compound',
    children: [
      { shape: { type: 'sphere', radius: 0.7 }, position: [1.1, 0.2, -0.3] },
      { shape: asShape(torus(7, 5)), position: [0.1, -1.3, 0.7], orientation: [0.2, 0.1, -0.5, 0.8] },
      { shape: { type: 'cone', radius: 0.5, height: 2 }, position: [-2, 0.3, 0.1], orientation: [0.6, 0, 0, 0.8] },
      {
        shape: { type: 'compound', children: [{ shape: boxShape([1, 2, 3]), position: [0.3, 0.1, 2] }] },
        position: origin,
      },
    ],
  },
  position: [0.3, 10.1, -7.7],
  orientation: [0.1, 0.5, -0.3, 0.8],
})
const bodies: [string, Body][] = [
  ['a mesh', bodyFrom(torus(9, 7), false, [0.1, 0.2, 0.3])],
  ['a turned mesh', bodyFrom(torus(9, 7), true, [1e6 + 0.1, 0.2, 0.3], [0.1, 0.5, -0.3, 0.8])],
  ['a compound', some],
]

describe('bounds', () => {
  it.each(bodies)('are those of all leaves: %s', (_, body) => {
    const all = createBounds()
    bounds(body, all)
    const each = leavesOf(body).map((leaf) => {
      const out = createBounds()
      bounds(leaf, out)
      return out
    })
    for (let k = 0; k < 3; k++) {
      expect(all.min[k]).toBe(Math.min(...each.map(({ min }) => min[k])))
      expect(all.max[k]).toBe(Math.max(...each.map(({ max }) => max[k])))
    }
  })

  it.each(bodies)('hold all of a motion, and no more: %s', (_, body) => {
    const motion = createMotion()
    Object.assign(motion, { vx: 0.3, vy: -1, vz: 0.1, wx: 1, wy: 0.4, wz: -0.2 })
    const swept = createBounds()
    motionBounds(body, motion, 3, swept)
    const at = createBounds()
    const reached = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] }
    const rate = Math.hypot(1, 0.4, 0.2)
    const { numbers } = body
    const { position, turned } = unplaced(body)
    for (let i = 0; i <= 600; i++) {
      const time = i / 200
      const half = (rate * time) / 2
      const spin: Quaternion = [1, 0.4, -0.2, 0].map((x) => (x / rate) * Math.sin(half)) as Quaternion
      spin[3] = Math.cos(half)
      const moved = turned([0.3, -1, 0.1].map((v, k) => position[k] + v * time) as Triple, spin)
      bounds(moved, at)
      for (let k = 0; k < 3; k++) {
        expect(at.min[k]).toBeGreaterThanOrEqual(swept.min[k] - 1e-9 * Math.abs(numbers[k]) - 1e-12)
        expect(at.max[k]).toBeLessThanOrEqual(swept.max[k] + 1e-9 * Math.abs(numbers[k]) + 1e-12)
        reached.min[k] = Math.min(reached.min[k], at.min[k])
        reached.max[k] = Math.max(reached.max[k], at.max[k])
      }
    }
    for (let k = 0; k < 3; k++) {
      expect(reached.min[k] - swept.min[k]).toBeLessThan(1e-3)
      expect(swept.max[k] - reached.max[k]).toBeLessThan(1e-3)
    }
  })

  it('tell boxes that touch from boxes that do not, in the last digit', () => {
    const cell = (x: number) =>
      anyBodyOf({
        shape: {
          type: 'compound',
          children: [
            { shape: asShape(unitCell), position: [0.1, 0, 0] },
            { shape: { type: 'point' }, position: origin },
          ],
        },
        position: [x, 0, 0],
      })
    for (const [x, meet] of [
      [1.3, true],
      [1.3 + 2 ** -52, false],
    ] as const) {
      const list = createBodyBoxes(2)
      addBodyBox(list, cell(0.2))
      addBodyBox(list, anyBodyOf({ shape: { type: 'point' }, position: [x, 0, 0] }))
      // the child stands at the double nearest to 0.2 + 0.1, which is a little more than 0.3
      expect(exactBoxesMeet(list, 0, 1)).toBe(meet)
    }
  })
})

/** The body once more, elsewhere and turned further: its parts by the same functions that made it. */
function unplaced(body: Body): { position: Triple; turned: (position: Triple, spin: Quaternion) => Body } {
  const { numbers } = body
  const place = [numbers[0], numbers[1], numbers[2]] as Triple
  const leaves = leavesOf(body)
  const turned = (position: Triple, [x, y, z, w]: Quaternion): Body => {
    const copy = createBody()
    setPose(copy, { position, orientation: [x, y, z, w] })
    const r = copy.numbers.slice(3, 12)
    const { parts } = body.composite as Composite
    const to = structuredClone(body)
    const apply = (v: number[]): number[] =>
      [0, 1, 2].map((k) => r[3 * k] * v[0] + r[3 * k + 1] * v[1] + r[3 * k + 2] * v[2])
    const product = (m: Float64Array): number[] =>
      [0, 1, 2].flatMap((i) =>
        [0, 1, 2].map((j) => r[3 * i] * m[j] + r[3 * i + 1] * m[j + 3] + r[3 * i + 2] * m[j + 6]),
      )
    to.numbers.set(position)
    ;(to.composite as Composite).parts.forEach((part, p) => {
      if (p >= (body.composite as Composite).partCount) return
      const from = parts[p]
      if (part.mesh !== null) {
        const offset = apply(
          [0, 1, 2].map((k) => from.placement.position[k] + from.placement.position[k + 3] - place[k]),
        )
        for (let k = 0; k < 3; k++) part.placement.position[k] = position[k] + offset[k]
        part.placement.position.fill(0, 3)
        part.placement.rotation.set(product(from.placement.rotation))
        part.placement.turns = true
        return
      }
      const offset = apply([0, 1, 2].map((k) => from.body.numbers[k] - place[k]))
      for (let k = 0; k < 3; k++) part.body.numbers[k] = position[k] + offset[k]
      part.body.numbers.set(product(from.body.numbers.subarray(3, 12)), 3)
      part.body.aligned = false
      for (let i = 27; i < 27 + 3 * part.body.count; i += 3)
        part.body.numbers.set(apply([...from.body.numbers.subarray(i, i + 3)]), i)
    })
    return to
  }
  expect(leaves.length).toBeGreaterThan(0)
  return { position: place, turned }
}

describe('support', () => {
  it.each(bodies)('is the farthest of all leaves: %s', (_, body) => {
    const leaves = leavesOf(body)
    const one = createSupport()
    const each = createSupport()
    const real = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(real, real, real, (x, y, z) => {
        const length = Math.hypot(x, y, z)
        fc.pre(length > 0)
        support(body, x, y, z, one)
        const height = (of: { x: number; y: number; z: number }) =>
          (x * (of.x - body.numbers[0]) + y * (of.y - body.numbers[1]) + z * (of.z - body.numbers[2])) / length
        let highest = -Infinity
        for (const leaf of leaves) {
          support(leaf, x, y, z, each)
          highest = Math.max(highest, height(each))
        }
        expect(Math.abs(height(one) - highest)).toBeLessThan(1e-9)
        support(leaves[one.leaf], x, y, z, each)
        expect(Math.abs(height(each) - highest)).toBeLessThan(1e-9)
      }),
      runs(1000),
    )
  })

  it('is the vertex of least index of equally far ones, and none where there is none', () => {
    const out = createSupport()
    support(bodyFrom(unitCell, true), 0, 0, 1, out)
    const top = triples(unitCell.vertices).findIndex(([, , z]) => z === 1)
    expect(out).toMatchObject({ feature: 8 * top + 1, z: 1, bounded: true })
    const ground = { shape: { type: 'halfspace', normal: [0, 0, 1] as Triple, offset: 1 }, position: origin }
    const body = anyBodyOf({ shape: { type: 'compound', children: [ground] }, position: origin })
    support(body, 0, 0, 1, out)
    expect(out).toMatchObject({ bounded: true, z: 1 })
    support(body, 0, 1, 1, out)
    expect(out.bounded).toBe(false)
  })
})

function expectLike(a: Mass | null, b: Mass, tolerance = 1e-12): void {
  expect(a).not.toBeNull()
  const numbers = ({ volume, area, mass, x, y, z, inertia, principal }: Mass) => [
    volume,
    area,
    mass,
    x,
    y,
    z,
    ...Object.values(inertia),
    ...principal.moments,
  ]
  const size = Math.max(...numbers(b).map(Math.abs))
  const wanted = numbers(b)
  for (const [i, value] of numbers(a as Mass).entries()) {
    expect(Math.abs(value - wanted[i])).toBeLessThan(tolerance * size)
  }
}

const corners = (shape: readonly number[]) => Float64Array.from(shape)
const hullMassOf = (points: readonly number[]) =>
  hullMass(corners(points), convexHull(corners(points), points.length / 3), 0, 2)

describe('mass', () => {
  it('of a mesh of a hull is that of the hull, whichever way it is wound', () => {
    for (const source of [
      tetrahedron,
      unitCell,
      { ...tetrahedron, vertices: tetrahedron.vertices.map((x) => x + 1000) },
    ]) {
      const hull = hullMassOf(source.vertices)
      expectLike(compositeMass(bodyFrom(source, true), 2), hull)
      expectLike(compositeMass(bodyFrom(insideOut(source), true), 2), hull)
    }
  })

  it('of parts adds up, wherever they stand', () => {
    const halves = anyBodyOf({
      shape: {
        type: 'compound',
        children: [
          { shape: boxShape([1, 2, 2]), position: [-0.5, 0, 0] },
          {
            shape: asShape({ ...unitCell, vertices: unitCell.vertices.map((x) => 2 * x) }),
            position: [0, -1, 1],
            orientation: [0, Math.SQRT1_2, 0, Math.SQRT1_2],
          },
        ],
      },
      position: origin,
    })
    const box = hullMassOf([-1, 2].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x, y, z]))))
    const found = compositeMass(halves, 2) as Mass
    expectLike({ ...found, area: box.area }, box)
    expect(found.area).toBeCloseTo(16 + 24, 12)
  })

  it('of a turned curved part is that of the part, turned', () => {
    const body = anyBodyOf({
      shape: {
        type: 'compound',
        children: [
          {
            shape: { type: 'cone', radius: 1, height: 3 },
            position: [0, 0, 5],
            orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
          },
        ],
      },
      position: origin,
    })
    const upright = coneMass(1, 3, 2, 1)
    expectLike(compositeMass(body, 1), { ...upright, z: 5 + upright.z })
  })

  it('of what has no volume is nothing, in the middle of its area, its length or its points', () => {
    const sheet = compositeMass(
      bodyFrom({ vertices: [0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0], triangles: [0, 1, 2, 0, 2, 3] }, false),
      1,
    )
    expect(sheet).toMatchObject({ volume: 0, mass: 0, area: 8, x: 1, y: 1, z: 0 })
    const lines = anyBodyOf({
      shape: {
        type: 'compound',
        children: [
          { shape: { type: 'segment', a: [0, 0, 0], b: [2, 0, 0] }, position: origin },
          { shape: { type: 'point' }, position: [9, 9, 9] },
        ],
      },
      position: origin,
    })
    expect(compositeMass(lines, 1)).toMatchObject({ volume: 0, area: 0, x: 1, y: 0, z: 0 })
    expect(compositeMass(bodyFrom({ vertices: [1, 2, 3, 3, 2, 3], triangles: [0, 1, 1] }, false), 1)).toMatchObject({
      y: 2,
      z: 3,
      area: 0,
    })
    const ground = { shape: { type: 'halfspace', normal: [0, 0, 1] as Triple, offset: 1 }, position: origin }
    expect(
      compositeMass(anyBodyOf({ shape: { type: 'compound', children: [ground] }, position: origin }), 1),
    ).toBeNull()
  })

  it('is that of the exact cases', () => {
    if (!cases3dPresent) return
    const cases = readCases3d('mass').filter(({ a }) => a.shape.type === 'mesh' || a.shape.type === 'compound')
    expect(cases.length).toBeGreaterThan(0)
    for (const { a, expect: expected, tol } of cases) {
      const found = compositeMass(anyBodyOf({ position: origin, ...a } as never), 1) as Mass
      expect(Math.abs(found.volume - expected.volume)).toBeLessThanOrEqual(tol.volume)
      for (const [k, x] of [found.x, found.y, found.z].entries()) {
        expect(Math.abs(x - expected.center[k])).toBeLessThanOrEqual(tol.center)
      }
      const { xx, yy, zz, xy, xz, yz } = found.inertia
      const rows = [
        [xx, xy, xz],
        [xy, yy, yz],
        [xz, yz, zz],
      ]
      for (const [i, row] of rows.entries()) {
        for (const [j, x] of row.entries()) {
          expect(Math.abs(x - expected.inertia[i][j])).toBeLessThanOrEqual(tol.inertia)
        }
      }
    }
  })
})

describe('containment', () => {
  const ell = lattice([
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
  ])
  const solid = bodyFrom(ell, true)
  const at = (shape: object, position: Triple = origin, orientation?: Quaternion) =>
    anyBodyOf({ shape: shape as never, position, orientation })

  it('of points is as exact as the inside', () => {
    for (const [x, y, is] of [
      [0.5, 0.5, true],
      [1, 1, true],
      [1 + 2 ** -52, 1 + 2 ** -52, false],
      [2, 0.5, true],
      [1.5, 1.5, false],
    ] as [number, number, boolean][]) {
      expect(contains(solid, at({ type: 'point' }, [x, y, 0.5]))).toBe(is)
    }
  })

  it('of convex bodies in a solid: within, flush, sticking out, and across a notch', () => {
    expect(contains(solid, at(boxShape([2, 1, 1]), [1, 0.5, 0.5]))).toBe(true)
    expect(contains(solid, at(boxShape([0.5, 0.5, 0.5]), [1, 0.5, 0.5]))).toBe(true)
    expect(contains(solid, at(boxShape([1.5, 1.5, 1]), [1, 1, 0.5]))).toBe(false)
    expect(contains(solid, at({ type: 'sphere', radius: 0.5 }, [1.5, 0.5, 0.5]))).toBe(true)
    expect(contains(solid, at({ type: 'sphere', radius: 0.51 }, [1.5, 0.5, 0.5]))).toBe(false)
    expect(contains(solid, at({ type: 'cylinder', radius: 0.5, height: 1 }, [0.5, 1, 0.5]))).toBe(true)
    expect(contains(solid, at({ type: 'segment', a: [2, 0, 0.5], b: [0, 2, 0.5] }))).toBe(true)
    expect(contains(solid, at({ type: 'segment', a: [2, 0.5, 0.5], b: [0.5, 2, 0.5] }))).toBe(false)
    expect(contains(solid, at({ type: 'segment', a: [0, 0, 0], b: [2, 0, 0] }))).toBe(true)
    expect(contains(solid, at({ type: 'triangle', a: [0, 0, 1], b: [2, 0, 1], c: [0, 2, 1] }))).toBe(true)
    expect(contains(solid, at({ type: 'triangle', a: [0, 0, 1], b: [2, 0.5, 1], c: [0, 2, 1] }))).toBe(false)
    expect(contains(solid, at({ type: 'halfspace', normal: [0, 0, 1], offset: 0 }))).toBe(false)
  })

  it('of meshes in convex bodies, and of solids in solids', () => {
    expect(contains(at(boxShape([2, 2, 1]), [1, 1, 0.5]), solid)).toBe(true)
    expect(contains(at(boxShape([2, 1.9, 1]), [1, 1, 0.5]), solid)).toBe(false)
    const large = bodyFrom({ ...unitCell, vertices: unitCell.vertices.map((x) => 4 * x - 1) }, true)
    expect(contains(large, solid)).toBe(true)
    expect(contains(solid, large)).toBe(false)
    expect(contains(solid, solid)).toBe(true)
    const cavity = insideOut({ ...unitCell, vertices: unitCell.vertices.map((x) => 0.25 + x / 4) })
    const from = large.composite?.parts[0].mesh
    const hollow = bodyFrom(
      {
        vertices: [...(from?.vertices ?? []), ...cavity.vertices],
        triangles: [...(from?.triangles ?? []), ...cavity.triangles.map((i) => i + 8)],
      },
      true,
    )
    expect(contains(hollow, solid)).toBe(false)
    expect(contains(large, hollow)).toBe(true)
  })

  it('of a solid in another that is the same, however it is written, needs few steps', () => {
    const shape = ring(60, 40)
    const triangles = (shape.triangles as Triple[]).map(([p, q, r], k): Triple => (k % 2 === 0 ? [q, r, p] : [r, p, q]))
    const vertices = (shape.vertices as Triple[]).map((v) => v.map((x) => Math.round(2 ** 20 * x) / 2 ** 20) as Triple)
    const body = anyBodyOf({ shape: { ...shape, vertices }, position: [8, -4, 0.5] })
    const reordered = anyBodyOf({
      shape: { ...shape, vertices, triangles: triangles.reverse() },
      position: [8, -4, 0.5],
    })
    const shifted = vertices.map(([x, y, z]): Triple => [x + 8, y - 4, z + 0.5])
    const moved = anyBodyOf({ shape: { ...shape, vertices: shifted }, position: [0, 0, 0] })
    for (const twin of [reordered, moved]) {
      within(2 ** 23, () => expect([contains(body, twin), contains(twin, body)]).toEqual([true, true]))
    }
  })

  it('of segments in a compound, across its children', () => {
    const row = at({
      type: 'compound',
      children: [0, 1].map((x) => ({ shape: boxShape([1, 1, 1]), position: [x, 0, 0] })),
    })
    expect(row.kind).toBe(COMPOSITE)
    expect(contains(row, at({ type: 'segment', a: [-0.5, 0, 0], b: [1.5, 0.2, 0] }))).toBe(true)
    expect(contains(row, at({ type: 'segment', a: [-0.5, 0, 0], b: [1.6, 0.2, 0] }))).toBe(false)
    expect(contains(row, at(boxShape([1, 0.5, 0.5])))).toBe(true)
  })

  it('agrees with sampled points', () => {
    const random = lehmer(2)
    for (let i = 0; i < 40; i++) {
      const position = [2.4 * random() - 0.2, 2.4 * random() - 0.2, 0.5] as Triple
      const guest = at({ type: 'sphere', radius: 0.3 * random() }, position)
      const isHeld = contains(solid, guest)
      const radius = guest.numbers[12]
      const isInside = (p: number[]) =>
        p.every((x) => x >= 0) && p[2] <= 1 && ((p[0] <= 2 && p[1] <= 1) || (p[0] <= 1 && p[1] <= 2))
      let all = true
      for (let k = 0; k < 400 && all; k++) {
        const direction = [random() - 0.5, random() - 0.5, random() - 0.5]
        const length = Math.hypot(...direction)
        all = isInside(position.map((x, axis) => x + (radius * direction[axis]) / length))
      }
      if (isHeld) expect(all).toBe(true)
      if (!all) expect(isHeld).toBe(false)
    }
  })
})
