// Sums and differences of convex bodies in space, against the hull of all sums of their core points and by their laws.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDistance, distance } from '../../../src/core3d/queries/distance.ts'
import { type Body, createBody, POSITION, RADIUS, setPose, VERTICES } from '../../../src/core3d/shape/body.ts'
import { convexHull } from '../../../src/core3d/shape/convex-hull.ts'
import { type MinkowskiSum, minkowskiSum } from '../../../src/core3d/shape/minkowski-sum.ts'
import { setHull, setPoint } from '../../../src/core3d/shape/shapes.ts'
import { bodyOf, type CaseBody, type Triple } from '../../support/convex-cases-3d.ts'
import { coredBodies, triples } from '../../support/families/convex-bodies.ts'
import { runs } from '../../support/runs.ts'

const wide = fc.integer({ min: -9, max: 9 })
const clouds: fc.Arbitrary<CaseBody> = fc.record({
  shape: fc.record({
    type: fc.constant('hull'),
    points: fc.array(fc.tuple(wide, wide, wide), { minLength: 12, maxLength: 60 }),
  }),
  position: triples,
})
/** All points in one plane through an axis, along it, or in a plane at an angle. */
const flats: fc.Arbitrary<CaseBody> = fc
  .tuple(
    fc.array(fc.tuple(wide, wide), { minLength: 1, maxLength: 30 }),
    fc.constantFrom<Triple>([1, 0, 0], [0, 1, 2], [1, 1, 0]),
    fc.constantFrom<Triple>([0, 1, 0], [1, 0, 3]),
  )
  .map(([points, u, v]) => ({
    shape: {
      type: 'hull',
      points: points.map(([s, t]): Triple => [s * u[0] + t * v[0], s * u[1] + t * v[1], s * u[2] + t * v[2]]),
    },
    position: [0, 0, 0],
  }))
const bodies = fc.oneof(coredBodies, clouds, clouds, flats)
const turns = fc
  .tuple(...[1, 2, 3, 4].map(() => fc.integer({ min: -9, max: 9 })))
  .filter((q) => q.some((c) => c !== 0))
  .map((q): [number, number, number, number] => {
    const length = Math.hypot(...q)
    return [q[0]! / length, q[1]! / length, q[2]! / length, q[3]! / length]
  })
const turned = fc
  .record({ body: bodies, orientation: turns })
  .map(({ body, orientation }) => ({ ...body, orientation }))

function cornersOf({ numbers, count }: Body): Triple[] {
  return Array.from({ length: count }, (_, i): Triple => {
    const at = (k: number): number => numbers[POSITION + k]! + numbers[VERTICES + 3 * i + k]!
    return [at(0), at(1), at(2)]
  })
}

/** The hull of all sums, which small whole numbers make exact. */
function hullOfAll(a: Body, b: Body, side: 1 | -1): { vertices: number[]; faces: number[][] } {
  const sums = cornersOf(a).flatMap(([x, y, z]) =>
    cornersOf(b).map(([u, v, w]) => [x + side * u, y + side * v, z + side * w]),
  )
  const { vertices, faceStarts, origins } = convexHull(Float64Array.from(sums.flat()), sums.length)
  const faces = Array.from({ length: faceStarts.length - 1 }, (_, f) =>
    Array.from(origins.subarray(faceStarts[f], faceStarts[f + 1])),
  )
  return { vertices: Array.from(vertices, (i) => sums[i]!).flat(), faces }
}

function sum(a: CaseBody, b: CaseBody, side: 1 | -1): MinkowskiSum {
  return minkowskiSum(bodyOf(a), bodyOf(b), side) as MinkowskiSum
}

const sides = fc.constantFrom<1 | -1>(1, -1)

describe('the Minkowski sum in space', () => {
  it('is the hull of all sums of core points', () => {
    fc.assert(
      fc.property(bodies, bodies, sides, (a, b, side) => {
        const found = sum(a, b, side)
        const expected = hullOfAll(bodyOf(a), bodyOf(b), side)
        expect(Array.from(found.vertices, (x) => x + 0)).toEqual(expected.vertices.map((x) => x + 0))
        // What is flat has one face here, of either winding, and two there.
        if (expected.faces.length !== 2) expect(found.faces).toEqual(expected.faces)
        else {
          const [one, other] = expected.faces
          expect(found.faces).toHaveLength(1)
          expect([one, other]).toContainEqual(found.faces[0])
        }
      }),
      runs(400),
    )
  })

  it('does not hang on the order of the two', () => {
    fc.assert(
      fc.property(fc.oneof(bodies, turned), fc.oneof(bodies, turned), (a, b) => {
        expect(sum(a, b, 1)).toEqual(sum(b, a, 1))
      }),
      runs(200),
    )
  })

  it('reaches as far as the two together, however they are turned', () => {
    fc.assert(
      fc.property(turned, turned, sides, fc.array(turns, { minLength: 12, maxLength: 12 }), (a, b, side, ways) => {
        const [one, other] = [cornersOf(bodyOf(a)), cornersOf(bodyOf(b))]
        const { vertices, faces } = sum(a, b, side)
        const corners = Array.from({ length: vertices.length / 3 }, (_, k) => vertices.subarray(3 * k, 3 * k + 3))
        for (const [x, y, z] of ways) {
          const top = (points: readonly ArrayLike<number>[], s: number): number =>
            Math.max(...points.map((p) => s * (x * p[0]! + y * p[1]! + z * p[2]!)))
          expect(Math.abs(top(corners, 1) - top(one, 1) - top(other, side))).toBeLessThan(1e-12)
        }
        // L. Euler, of what has a volume.
        const edges = faces.reduce((count, face) => count + face.length, 0) / 2
        if (faces.length > 1) expect(corners.length - edges + faces.length).toBe(2)
      }),
      runs(200),
    )
  })

  it('has whole faces where turned faces are parallel', () => {
    const orientation: CaseBody['orientation'] = [
      0.5341703053870098, 0.2670851526935049, 0.10683406107740197, 0.7947330479134063,
    ]
    const box = (size: Triple, position: Triple): CaseBody => ({ shape: { type: 'box', size }, position, orientation })
    const found = sum(box([1, 2, 3], [1e6, 3, 4]), box([0.3, 0.1, 0.7], [0.1, 1e6, 0.2]), 1)
    expect(found.vertices).toHaveLength(24)
    expect(found.faces.map((face) => face.length)).toEqual([4, 4, 4, 4, 4, 4])
    const rod = (b: Triple): CaseBody => ({
      shape: { type: 'segment', a: [0, 0, 0], b },
      position: [0, 0, 0],
      orientation,
    })
    expect(sum(rod([1, 2, 3]), rod([0.1, 0.2, 0.3]), 1)).toMatchObject({ faces: [], radius: 0 })
    expect(sum(rod([1, 2, 3]), rod([0.1, 0.2, 0.3]), 1).vertices).toHaveLength(6)
    expect(sum(rod([1, 2, 3]), rod([0.1, -0.2, 0.3]), 1).faces).toHaveLength(1)
  })

  it('of a difference lies as far from the origin as the two from each other', () => {
    const out = createDistance()
    fc.assert(
      fc.property(fc.oneof(bodies, turned), fc.oneof(bodies, turned), (a, b) => {
        const { vertices, radius } = sum(a, b, -1)
        const origin = createBody()
        setPose(origin, { position: [0, 0, 0] })
        setPoint(origin)
        const difference = createBody()
        setPose(difference, { position: [0, 0, 0] })
        setHull(difference, vertices, vertices.length / 3, radius)
        expect(radius).toBe(bodyOf(a).numbers[RADIUS]! + bodyOf(b).numbers[RADIUS]!)
        distance(bodyOf(a), bodyOf(b), out)
        const expected = out.distance
        distance(origin, difference, out)
        expect(Math.abs(out.distance - expected)).toBeLessThan(1e-12)
      }),
      runs(300),
    )
  })

  it('has some corners even where rounding leaves hardly any', () => {
    const far: CaseBody = { shape: { type: 'box', size: [4, 2.858311897766136e-6, 3] }, position: [0, 0, 2 ** 53] }
    fc.assert(
      fc.property(clouds, turns, (cloud, orientation) => {
        const { vertices } = sum(cloud, { ...far, orientation }, -1)
        expect(vertices.length).toBeGreaterThan(0)
        expect(vertices.every(Number.isFinite)).toBe(true)
      }),
      runs(100),
    )
    const spread: CaseBody = {
      shape: {
        type: 'hull',
        points: [
          [-2.1853056919936744, -1.3596365869670888, -2.384147255736993],
          [-2.0088941167072116, 2.9268722445103235, 3.7044113624976154],
          [1.8903002550146137, 3.5344153196368078, 2.8927607145438445],
          [-1.946315702149048, -0.3216073889553246, -3.418875197170765],
          [-1.3919902706107607, -2.2288444991436513, 0.9060669190069843],
        ],
      },
      position: [0.5630804252512203, 3.1591136721360487, 0.4176530226312165],
    }
    expect(sum(spread, far, -1).vertices.length).toBeGreaterThan(0)
  })

  it('is left out where it has more corners than anybody can read', () => {
    const fan = (along: (c: number, s: number) => Triple): CaseBody => ({
      shape: {
        type: 'hull',
        points: Array.from({ length: 1024 }, (_, k) => along(Math.cos(k / 163), Math.sin(k / 163))),
      },
      position: [0, 0, 0],
    })
    const lying = fan((c, s) => [c, s, 0])
    expect(minkowskiSum(bodyOf(lying), bodyOf(fan((c, s) => [c, 0, s])), 1)).toBeNull()
    // In one plane it has no more than both.
    expect(minkowskiSum(bodyOf(lying), bodyOf(lying), 1)?.vertices).toHaveLength(3 * 1024)
  })
})
