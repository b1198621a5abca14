// Minkowski sums in space by what is known of them: volumes by products and by Steiner, prisms, moved bodies, and who meets whom.
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contact, createContact } from '../../src/core3d/queries/contact.ts'
import { hullMass } from '../../src/core3d/queries/mass.ts'
import { bodiesMeet, relate } from '../../src/core3d/queries/overlap.ts'
import { convexHull } from '../../src/core3d/shape/convex-hull.ts'
import { type MinkowskiSum, minkowskiSum } from '../../src/core3d/shape/minkowski-sum.ts'
import { bodyOf, type CaseBody, type Triple } from '../support/convex-cases-3d.ts'
import { coredBodies, triples } from '../support/families/convex-bodies.ts'
import { isLongRun, runCount, runs } from '../support/runs.ts'

const ORIGIN: Triple = [0, 0, 0]
const POINT: CaseBody = { shape: { type: 'point' }, position: ORIGIN }

const at = (shape: CaseBody['shape'], position: Triple = ORIGIN): CaseBody => ({ shape, position })
const sum = (a: CaseBody, b: CaseBody, side: 1 | -1 = 1): MinkowskiSum =>
  minkowskiSum(bodyOf(a), bodyOf(b), side) as MinkowskiSum

const cornersOf = ({ vertices }: MinkowskiSum): Triple[] =>
  Array.from({ length: vertices.length / 3 }, (_, k) => [...vertices.subarray(3 * k, 3 * k + 3)] as Triple)
const asBody = (found: MinkowskiSum): CaseBody => at({ type: 'hull', points: cornersOf(found), radius: found.radius })

function massOf({ vertices, radius }: MinkowskiSum): { volume: number; area: number } {
  return hullMass(vertices, convexHull(vertices, vertices.length / 3), radius, 1)
}

/** The solids among hulls of short whole numbers. */
const whole = fc.integer({ min: -5, max: 5 })
const solids: Arbitrary<CaseBody> = fc
  .array(fc.tuple(whole, whole, whole), { minLength: 4, maxLength: 10 })
  .filter((points) => convexHull(Float64Array.from(points.flat()), points.length).dimension === 3)
  .map((points) => at({ type: 'hull', points }))

const minus = (p: Triple, q: Triple): Triple => [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
const cross = ([a, b, c]: Triple, [x, y, z]: Triple): Triple => [b * z - c * y, c * x - a * z, a * y - b * x]
const dot = (p: Triple, q: Triple): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2]

/** Twice the area of the ring along the unit normal of its plane, as a vector. */
const ringArea = (ring: readonly Triple[]): Triple =>
  ring
    .map((p, k) => cross(minus(p, ring[0]), minus(ring[(k + 1) % ring.length], ring[0])))
    .reduce((total, v) => [total[0] + v[0], total[1] + v[1], total[2] + v[2]], ORIGIN)

/** The integral of the mean curvature: half the sum over the edges of their lengths times the angles that the normals turn by. */
function meanCurvature(found: MinkowskiSum): number {
  const corners = cornersOf(found)
  const sides = new Map<string, Triple>()
  let total = 0
  for (const face of found.faces) {
    const normal = ringArea(face.map((v) => corners[v]))
    face.forEach((v, k) => {
      const w = face[(k + 1) % face.length]
      const other = sides.get(`${w} ${v}`)
      if (other === undefined) sides.set(`${v} ${w}`, normal)
      else {
        const angle = Math.atan2(Math.hypot(...cross(normal, other)), dot(normal, other))
        total += (angle * Math.hypot(...minus(corners[v], corners[w]))) / 2
      }
    })
  }
  return total
}

/** Turns whose matrices are whole numbers. */
const squareTurns = fc.constantFrom<NonNullable<CaseBody['orientation']>>(
  [0, 0, 0, 1],
  [1, 0, 0, 0],
  [0.5, 0.5, 0.5, 0.5],
  [0.5, -0.5, 0.5, -0.5],
)
const sizes = fc.integer({ min: 1, max: 1000 })
/** Boxes and points that touch in a face, an edge or a corner as often as not. */
const few = fc.integer({ min: 1, max: 2 })
const near = fc.integer({ min: -2, max: 2 })
const blocks: Arbitrary<CaseBody> = fc
  .tuple(fc.option(fc.tuple(few, few, few)), fc.tuple(near, near, near))
  .map(([size, position]) => at(size === null ? { type: 'point' } : { type: 'box', size }, position))
const box = fc.tuple(sizes, sizes, sizes)

describe('the Minkowski sum in space', () => {
  it('of boxes turned alike has the product of the summed sides as its volume, in whole numbers exactly', () => {
    fc.assert(
      fc.property(box, box, triples, triples, squareTurns, (one, other, here, there, orientation) => {
        const a: CaseBody = { ...at({ type: 'box', size: one }, here), orientation }
        const b: CaseBody = { ...at({ type: 'box', size: other }, there), orientation }
        const [x, y, z] = one.map((side, k) => side + other[k])
        const found = sum(a, b)
        expect(found.vertices).toHaveLength(24)
        expect(found.faces).toHaveLength(6)
        expect(massOf(found).volume).toBe(x * y * z)
        expect(massOf(found).area).toBe(2 * (x * y + y * z + z * x))
      }),
      runs(200),
    )
  })

  it('with a ball has the volume and the area that J. Steiner said', () => {
    fc.assert(
      fc.property(solids, fc.constantFrom(0.25, 1, 3, 100), triples, (solid, radius, place) => {
        const bare = sum(solid, POINT)
        const found = sum(solid, at({ type: 'sphere', radius }, place))
        expect(found.radius).toBe(radius)
        const { volume, area } = massOf(bare)
        const curvature = meanCurvature(bare)
        const sphere = 4 * Math.PI * radius ** 2
        const expected = volume + area * radius + curvature * radius ** 2 + (sphere * radius) / 3
        expect(Math.abs(massOf(found).volume / expected - 1)).toBeLessThan(1e-13)
        expect(Math.abs(massOf(found).area / (area + 2 * curvature * radius + sphere) - 1)).toBeLessThan(1e-13)
      }),
      runs(200),
    )
  })

  it('has a volume to the power of a third that is concave, and twice itself has eight times its own (H. Brunn, H. Minkowski)', () => {
    fc.assert(
      fc.property(solids, solids, (a, b) => {
        const side = (found: MinkowskiSum): number => Math.cbrt(massOf(found).volume)
        const own = side(sum(a, POINT))
        expect(side(sum(a, b))).toBeGreaterThan((own + side(sum(b, POINT))) * (1 - 1e-14))
        expect(massOf(sum(a, a)).volume).toBe(8 * massOf(sum(a, POINT)).volume)
      }),
      runs(200),
    )
  })

  it('with a point is the body moved, and less a point moved back', () => {
    fc.assert(
      fc.property(coredBodies, triples, (body, [x, y, z]) => {
        const still = sum(body, POINT)
        for (const side of [1, -1] as const) {
          const found = sum(body, at({ type: 'point' }, [x, y, z]), side)
          const moved = cornersOf(still).map(([u, v, w]) => [u + side * x, v + side * y, w + side * z])
          expect(cornersOf(found)).toEqual(moved)
          expect([found.faces, found.radius]).toEqual([still.faces, still.radius])
        }
      }),
      runs(300),
    )
  })

  it('with a segment across a face is a prism upon it', () => {
    fc.assert(
      fc.property(solids, fc.nat(), sizes, (solid, which, height) => {
        const bare = sum(solid, POINT)
        const corners = cornersOf(bare)
        const ring = bare.faces[which % bare.faces.length].map((v) => corners[v])
        const out = ringArea(ring)
        const way = out.map((c) => c * height) as Triple
        const rod = at({ type: 'segment', a: ORIGIN, b: way })
        const lid = sum(at({ type: 'hull', points: ring }), rod)
        // Top and bottom, and a face for each side.
        expect(lid.faces).toHaveLength(ring.length + 2)
        expect(lid.vertices).toHaveLength(6 * ring.length)
        const volume = (dot(out, out) / 2) * height
        expect(Math.abs(massOf(lid).volume / volume - 1)).toBeLessThan(1e-13)
        // Of the whole: what it hides from the way, all along.
        const shadow = bare.faces
          .map((face) => Math.max(0, dot(ringArea(face.map((v) => corners[v])), way) / 2))
          .reduce((total, part) => total + part, 0)
        const expected = massOf(bare).volume + shadow
        expect(Math.abs(massOf(sum(solid, rod)).volume / expected - 1)).toBeLessThan(1e-13)
      }),
      runs(200),
    )
  })

  it('of a difference holds the origin, or touches it, exactly where the two meet, or touch', () => {
    const seen = new Map<number, number>()
    fc.assert(
      fc.property(fc.oneof(coredBodies, blocks), fc.oneof(coredBodies, blocks), (a, b) => {
        const difference = bodyOf(asBody(sum(a, b, -1)))
        const here = relate(bodyOf(a), bodyOf(b))
        seen.set(here, (seen.get(here) ?? 0) + 1)
        expect(bodiesMeet(difference, bodyOf(POINT))).toBe(bodiesMeet(bodyOf(a), bodyOf(b)))
        expect(relate(difference, bodyOf(POINT))).toBe(here)
      }),
      runs(800),
    )
    if (isLongRun)
      expect(Math.min(...[-1, 0, 1].map((relation) => seen.get(relation) ?? 0))).toBeGreaterThan(runCount(15))
  })

  it('of a difference is as deep about the origin as the two in each other', () => {
    const out = createContact()
    fc.assert(
      fc.property(coredBodies, coredBodies, (a, b) => {
        contact(bodyOf(a), bodyOf(b), out)
        const { separation } = out
        contact(bodyOf(asBody(sum(a, b, -1))), bodyOf(POINT), out)
        expect(Math.abs(out.separation - separation)).toBeLessThan(1e-13)
      }),
      runs(400),
    )
  })

  it('of three does not hang on which two are summed first', () => {
    fc.assert(
      fc.property(coredBodies, coredBodies, coredBodies, (a, b, c) => {
        const left = sum(asBody(sum(a, b)), c)
        const right = sum(a, asBody(sum(b, c)))
        expect(cornersOf(left)).toEqual(cornersOf(right))
        expect(left.radius).toBe(right.radius)
        expect(left.faces).toHaveLength(right.faces.length)
      }),
      runs(150),
    )
  })
})
