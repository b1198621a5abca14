/** Composite bodies in space that turn and move, of any numbers: near each other and far from the origin, slow and fast. */

import fc from 'fast-check'
import type { Motion } from '../../../src/core3d/shape/motion.ts'
import type { AnyBody, AnyShape } from '../composite-bodies-3d.ts'
import type { Triple } from '../convex-cases-3d.ts'
import { boxMesh, hullMesh } from './meshes-3d.ts'

export interface TurningBody {
  body: AnyBody
  motion: Motion
}

const within = (limit: number): fc.Arbitrary<number> =>
  fc.integer({ min: -1e6, max: 1e6 }).map((n) => (n / 1e6) * limit)
const triples = (limit: number): fc.Arbitrary<Triple> => fc.tuple(within(limit), within(limit), within(limit))
const sizes = fc.integer({ min: 1, max: 1e6 }).map((n) => n / 1e6)
const orientations = fc
  .tuple(within(1), within(1), within(1), within(1))
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((x) => x / Math.hypot(...q)) as [number, number, number, number])

const soups: fc.Arbitrary<AnyShape> = fc
  .array(fc.tuple(triples(3), triples(1), triples(1)), { minLength: 1, maxLength: 5 })
  .map((found) => ({
    type: 'mesh',
    vertices: found.flatMap(([p, u, v]) => [p, sum(p, u), sum(p, v)]),
    triangles: found.map((_, i): Triple => [3 * i, 3 * i + 1, 3 * i + 2]),
  }))

function sum(p: Triple, q: Triple): Triple {
  return [p[0] + q[0], p[1] + q[1], p[2] + q[2]]
}

const rods: fc.Arbitrary<AnyShape> = fc.tuple(triples(2), sizes, fc.boolean()).map(([min, width, solid]) => {
  return boxMesh(min, sum(min, [3, width / 8, width / 8]), solid)
})

const hulls: fc.Arbitrary<AnyShape> = fc
  .tuple(fc.array(triples(2), { minLength: 4, maxLength: 7 }), fc.boolean())
  .map(([points, solid]) => hullMesh(points, solid))
  .filter((shape) => shape !== null)

/** Two triangles for each cell, as of a height field. */
const fields: fc.Arbitrary<AnyShape> = fc.array(within(1), { minLength: 9, maxLength: 9 }).map((heights) => ({
  type: 'mesh',
  vertices: heights.map((y, i): Triple => [(i % 3) - 1, y, Math.floor(i / 3) - 1]),
  triangles: [0, 1, 3, 4].flatMap((i): Triple[] => [
    [i, i + 3, i + 4],
    [i, i + 4, i + 1],
  ]),
}))

const convex: fc.Arbitrary<AnyShape> = fc.oneof(
  fc.constant<AnyShape>({ type: 'point' }),
  fc.record({ type: fc.constant('sphere'), radius: sizes }),
  fc.record({ type: fc.constant('segment'), a: triples(2), b: triples(2) }),
  fc.record({ type: fc.constant('capsule'), a: triples(2), b: triples(2), radius: sizes }),
  fc.record({ type: fc.constant('box'), size: fc.tuple(sizes, sizes, sizes), radius: fc.constantFrom(0, 0.25) }),
  fc.record({ type: fc.constant('cylinder'), radius: sizes, height: sizes, axis: fc.constantFrom('x', 'y', 'z') }),
  fc.record({ type: fc.constant('cone'), radius: sizes, height: sizes, axis: fc.constantFrom('x', 'y', 'z') }),
  fc.record({ type: fc.constant('ellipsoid'), radii: fc.tuple(sizes, sizes, sizes) }),
) as fc.Arbitrary<AnyShape>

const plane: fc.Arbitrary<AnyShape> = fc.record({
  type: fc.constant('halfspace'),
  normal: triples(1).filter((n) => Math.hypot(...n) > 0.1),
  offset: fc.constantFrom(-4, -8),
})

const meshes = fc.oneof(soups, rods, hulls, fields)

const children: fc.Arbitrary<AnyBody> = fc.record({
  shape: fc.oneof({ weight: 8, arbitrary: convex }, { weight: 8, arbitrary: meshes }, { weight: 1, arbitrary: plane }),
  position: triples(3),
  orientation: fc.option(orientations, { nil: undefined }),
})

const compounds: fc.Arbitrary<AnyShape> = fc
  .array(children, { minLength: 1, maxLength: 4 })
  .map((list) => ({ type: 'compound', children: list }))

const motions: fc.Arbitrary<Motion> = fc
  .tuple(
    triples(2),
    triples(3),
    fc.constantFrom(0, 1, 1, 1, 100),
    fc.constantFrom(0, 1, 1, 1, 30),
    fc.constantFrom<Triple>([1, 1, 1], [0, 0, 1], [0, 1, 0], [1, 0, 0]),
  )
  .map(([v, w, speed, spin, axis]) => ({
    vx: v[0] * speed,
    vy: v[1] * speed,
    vz: v[2] * speed,
    wx: w[0] * spin * axis[0],
    wy: w[1] * spin * axis[1],
    wz: w[2] * spin * axis[2],
  }))

function turning(shapes: fc.Arbitrary<AnyShape>): fc.Arbitrary<TurningBody> {
  return fc.record({
    body: fc.record({
      shape: shapes,
      position: triples(3),
      orientation: fc.option(orientations, { nil: undefined }),
    }),
    motion: motions,
  })
}

/** The body as it lies after some time. */
export function bodyAfter({ body, motion: { vx, vy, vz, wx, wy, wz } }: TurningBody, time: number): AnyBody {
  const rate = Math.hypot(wx, wy, wz)
  const half = (rate * time) / 2
  const [x, y, z] = [wx, wy, wz].map((c) => (rate > 0 ? (c / rate) * Math.sin(half) : 0))
  const [a, b, c, d] = body.orientation ?? [0, 0, 0, 1]
  const s = Math.cos(half)
  return {
    ...body,
    position: sum(body.position, [vx * time, vy * time, vz * time]),
    orientation: [
      s * a + x * d + y * c - z * b,
      s * b - x * c + y * d + z * a,
      s * c + x * b - y * a + z * d,
      s * d - x * a - y * b - z * c,
    ],
  }
}

/** Of which one is composite. */
export const turningPairs: fc.Arbitrary<[TurningBody, TurningBody]> = fc
  .tuple(
    turning(fc.oneof(meshes, compounds)),
    turning(fc.oneof(meshes, compounds, convex, plane)),
    fc.constantFrom(0, 0, 1e3, 1e7),
    fc.boolean(),
  )
  .map(([a, b, far, isSwapped]) => {
    const moved = [a, b].map(({ body, motion }) => ({
      body: { ...body, position: sum(body.position, [far, -far / 3, far / 7]) },
      motion,
    }))
    return isSwapped ? [moved[1], moved[0]] : [moved[0], moved[1]]
  })
