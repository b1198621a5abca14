// Relation and distance of composite bodies: against all pairs of leaves, and meshes of hulls against the hulls.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDistance, type Distance, distance } from '../../../src/core3d/queries/distance.ts'
import { bodiesMeet, createOverlap, overlap, relate } from '../../../src/core3d/queries/overlap.ts'
import type { Body } from '../../../src/core3d/shape/body.ts'
import { type AnyBody, anyBodyOf, leavesOf } from '../../support/composite-bodies-3d.ts'
import { bodyOf, type CaseBody, type Triple } from '../../support/convex-cases-3d.ts'
import { everyBody, triples } from '../../support/families/convex-bodies.ts'
import {
  allBodies,
  boxMesh,
  compositeBodies,
  hullMesh,
  orientations,
  shuffled,
} from '../../support/families/meshes-3d.ts'
import { unshrunk } from '../../support/runs.ts'

function measure(a: Body, b: Body): Distance {
  const out = createDistance()
  distance(a, b, out)
  return out
}

/** Least relation and distance of all pairs of leaves. */
function bruteForce(a: Body, b: Body): { relation: number; distance: number } {
  let relation = 1
  let least = Infinity
  for (const one of leavesOf(a)) {
    for (const other of leavesOf(b)) {
      relation = Math.min(relation, relate(one, other))
      least = Math.min(least, measure(one, other).distance)
    }
  }
  return { relation, distance: least }
}

const values = (found: Distance): number[] => Object.values(found).map((value) => Number(value) + 0)

describe('composite bodies in space', () => {
  it('meet where some leaves do, or where a solid holds a piece of the other', () => {
    fc.assert(
      fc.property(compositeBodies, allBodies, (one, other) => {
        const [a, b] = [anyBodyOf(one), anyBodyOf(other)]
        const all = bruteForce(a, b)
        const relation = relate(a, b)
        expect(relation).toBeLessThanOrEqual(all.relation)
        expect(bodiesMeet(a, b)).toBe(relation <= 0)
        expect(relate(b, a)).toBe(relation)
        const isBare = JSON.stringify([one, other]).includes('"solid":true') === false
        if (isBare) expect(relation).toBe(all.relation)
        const found = measure(a, b)
        expect(found.distance > 0).toBe(relation > 0)
        if (relation > 0) expect(found.distance).toBe(all.distance)
      }),
      unshrunk(2000),
    )
  })

  it('answer the other way round when swapped, to the last bit', () => {
    fc.assert(
      fc.property(compositeBodies, allBodies, (one, other) => {
        const [a, b] = [anyBodyOf(one), anyBodyOf(other)]
        const { ax, ay, az, bx, by, bz, nx, ny, nz, ...rest } = measure(b, a)
        const swapped = { ax: bx, ay: by, az: bz, bx: ax, by: ay, bz: az, nx: -nx, ny: -ny, nz: -nz }
        expect(values({ ...rest, ...swapped }).sort()).toEqual(values(measure(a, b)).sort())
      }),
      unshrunk(2000),
    )
  })

  it('answer alike whatever the order and the first corner of their triangles', () => {
    fc.assert(
      fc.property(compositeBodies, allBodies, fc.nat(100), (one, other, salt) => {
        const [a, b] = [anyBodyOf(one), anyBodyOf(other)]
        const [c, d] = [anyBodyOf(shuffled(one, salt)), anyBodyOf(shuffled(other, salt + 1))]
        expect(relate(c, d)).toBe(relate(a, b))
        expect(values(measure(c, d))).toEqual(values(measure(a, b)))
      }),
      unshrunk(2000),
    )
  })

  const hulls = fc
    .tuple(fc.array(triples, { minLength: 4, maxLength: 8 }), triples, orientations)
    .map(([points, position, orientation]) => ({ points, position, orientation, mesh: hullMesh(points) }))
    .filter(({ mesh }) => mesh !== null)

  it('answer as the hull whose mesh they are', () => {
    fc.assert(
      fc.property(hulls, everyBody, ({ points, position, orientation, mesh }, other) => {
        const hull = bodyOf({ shape: { type: 'hull', points }, position, orientation })
        const solid = anyBodyOf({ shape: mesh as AnyBody['shape'], position, orientation })
        const b = bodyOf(other)
        expect(relate(solid, b)).toBe(relate(hull, b))
        const found = measure(solid, b)
        expect(found.distance).toBeCloseTo(measure(hull, b).distance, 11)
      }),
      unshrunk(2000),
    )
  })

  it('answer as the hulls whose meshes both are', () => {
    fc.assert(
      fc.property(hulls, hulls, (one, other) => {
        const hull = (given: typeof one): CaseBody => ({ ...given, shape: { type: 'hull', points: given.points } })
        const solid = (given: typeof one): AnyBody => ({ ...given, shape: given.mesh as AnyBody['shape'] })
        expect(relate(anyBodyOf(solid(one)), anyBodyOf(solid(other)))).toBe(
          relate(bodyOf(hull(one)), bodyOf(hull(other))),
        )
      }),
      unshrunk(2000),
    )
  })

  it('tell by boxes that lie in each other, beside each other and across each other', () => {
    const at = (min: Triple, max: Triple, position: Triple): AnyBody => ({ shape: boxMesh(min, max), position })
    const box = at([0, 0, 0], [4, 4, 4], [0, 0, 0])
    const relations: [AnyBody, number][] = [
      [box, -1],
      [at([1, 1, 1], [3, 3, 3], [0, 0, 0]), -1],
      [at([1, 0, 0], [3, 4, 4], [0, 0, 0]), -1],
      [at([0, 0, 0], [4, 4, 4], [2, 0, 0]), -1],
      [at([0, 0, 0], [4, 4, 4], [4, 0, 0]), 0],
      [at([0, 0, 0], [4, 4, 4], [4, 4, 4]), 0],
      [at([-1, 1, 1], [5, 3, 3], [0, 0, 0]), -1],
      [at([0, 0, 0], [4, 4, 4], [5, 0, 0]), 1],
    ]
    for (const [other, relation] of relations) {
      expect(relate(anyBodyOf(box), anyBodyOf(other))).toBe(relation)
      expect(relate(anyBodyOf(other), anyBodyOf(box))).toBe(relation)
    }
  })

  it('are the same at every scale by a power of two', () => {
    const scaledBody = (body: AnyBody, factor: number): AnyBody => ({
      position: body.position.map((x) => x * factor) as Triple,
      shape: { ...body.shape, vertices: (body.shape.vertices ?? []).map((v) => v.map((x) => x * factor) as Triple) },
    })
    const boxes = fc.tuple(triples, triples).map(
      ([min, position]): AnyBody => ({
        shape: boxMesh(min, min.map((x) => x + 2) as Triple),
        position,
      }),
    )
    fc.assert(
      fc.property(boxes, boxes, fc.constantFrom(-900, -200, 60, 300), (one, other, exponent) => {
        const factor = 2 ** exponent
        const [a, b] = [anyBodyOf(one), anyBodyOf(other)]
        const [c, d] = [anyBodyOf(scaledBody(one, factor)), anyBodyOf(scaledBody(other, factor))]
        expect(relate(c, d)).toBe(relate(a, b))
        expect(measure(c, d).distance / factor).toBe(measure(a, b).distance)
      }),
      unshrunk(600),
    )
  })

  it('of no area have no inside', () => {
    const solid = anyBodyOf({ shape: boxMesh([-1, -1, -1], [1, 1, 1]), position: [0, 0, 0] })
    const needle = (z: number): AnyBody => ({
      shape: {
        type: 'mesh',
        vertices: [
          [-1, 0, z],
          [0, 1, z],
          [-0.5, 0.5, z],
        ],
        triangles: [[0, 1, 2]],
      },
      position: [0, 0, 0],
    })
    expect(relate(solid, anyBodyOf(needle(0)))).toBe(-1)
    expect(relate(solid, anyBodyOf(needle(1)))).toBe(0)
    expect(relate(solid, anyBodyOf(needle(1.5)))).toBe(1)
  })

  it('give a certificate that holds', () => {
    fc.assert(
      fc.property(compositeBodies, allBodies, (one, other) => {
        const [a, b] = [anyBodyOf(one), anyBodyOf(other)]
        const found = createOverlap()
        overlap(a, b, found)
        expect(found.relation).toBe(relate(a, b))
        // A half-space has no height but along its normal.
        if (!found.hasAxis || other.shape.type === 'halfspace') return
        const { nx, ny, nz, gap } = found
        const height = (body: Body, side: number): number =>
          Math.max(...leavesOf(body).map((leaf) => heightOf(leaf, side * nx, side * ny, side * nz)))
        expect(-height(b, -1) - height(a, 1)).toBeGreaterThanOrEqual(gap - 1e-12)
        expect(gap).toBeGreaterThan(0)
      }),
      unshrunk(1000),
    )
  })
})

/** In the world; by the distance to a half-space far away. */
function heightOf(body: Body, x: number, y: number, z: number): number {
  const far = bodyOf({ shape: { type: 'halfspace', normal: [-x, -y, -z], offset: -1024 }, position: [0, 0, 0] })
  const { distance: gap } = measure(body, far)
  return 1024 - gap
}
