/** Meshes and compounds for tests, of short numbers that touch and miss each other often. */

import fc from 'fast-check'
import { convexHull } from '../../../src/core3d/shape/convex-hull.ts'
import type { AnyBody, AnyShape } from '../composite-bodies-3d.ts'
import type { Triple } from '../convex-cases-3d.ts'
import { everyBody, triples } from './convex-bodies.ts'

const CUBE_FACES = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
]

/** Fans over faces that are counter-clockwise from outside. */
function fans(faces: readonly (readonly number[])[]): Triple[] {
  return faces.flatMap((face) => face.slice(2).map((_, i): Triple => [face[0], face[i + 1], face[i + 2]]))
}

/** A box from one corner to the other. */
export function boxMesh(min: Triple, max: Triple, solid = true): AnyShape {
  const vertices = Array.from({ length: 8 }, (_, i): Triple => {
    const at = (k: number): number => ((i >> k) & 1 ? max[k] : min[k])
    return [at(0), at(1), at(2)]
  })
  return { type: 'mesh', vertices, triangles: fans(CUBE_FACES), solid }
}

/** The hull of points as a solid mesh; null where it has no volume. */
export function hullMesh(points: readonly Triple[], solid = true): AnyShape | null {
  const hull = convexHull(Float64Array.from(points.flat()), points.length)
  if (hull.dimension < 3) return null
  const { faceStarts, origins, vertices } = hull
  const faces = Array.from({ length: faceStarts.length - 1 }, (_, f) =>
    [...origins.subarray(faceStarts[f], faceStarts[f + 1])].map((corner) => vertices[corner]),
  )
  return { type: 'mesh', vertices: [...points], triangles: fans(faces), solid }
}

/** A box with a pit in its top, of which the sides stand on the half numbers. */
export function pitMesh(solid = true): AnyShape {
  const outer = boxMesh([-4, -4, -4], [4, 4, 4], solid)
  const inner = boxMesh([-2, -2, -2], [2, 2, 4], solid)
  const vertices = [...(outer.vertices ?? []), ...(inner.vertices ?? [])]
  const shell = CUBE_FACES.filter((_, i) => i !== 1)
  const pit = shell.map((face) => [...face].reverse().map((i) => i + 8))
  const rim = [
    [4, 5, 13, 12],
    [5, 7, 15, 13],
    [7, 6, 14, 15],
    [6, 4, 12, 14],
  ]
  return { type: 'mesh', vertices, triangles: fans([...shell, ...pit, ...rim]), solid }
}

/** Any triangles at all, some of no area. */
export const soups: fc.Arbitrary<AnyShape> = fc
  .tuple(
    fc.array(triples, { minLength: 3, maxLength: 8 }),
    fc.array(fc.tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000)), { minLength: 1, maxLength: 8 }),
  )
  .map(([vertices, picks]) => ({
    type: 'mesh',
    vertices,
    triangles: picks.map((pick) => pick.map((i) => i % vertices.length) as unknown as Triple),
    solid: false,
  }))

const corners = fc.tuple(
  triples,
  fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })),
)

const boxes = corners.chain(([min, size]) =>
  fc.boolean().map((solid) => boxMesh(min, min.map((x, k) => x + size[k]) as unknown as Triple, solid)),
)

const hulls = fc
  .tuple(fc.array(triples, { minLength: 4, maxLength: 8 }), fc.boolean())
  .map(([points, solid]) => hullMesh(points, solid))
  .filter((shape): shape is AnyShape => shape !== null)

export const meshes: fc.Arbitrary<AnyShape> = fc.oneof(soups, boxes, hulls, fc.boolean().map(pitMesh))

const quarter = Math.SQRT1_2
export const orientations = fc.constantFrom<[number, number, number, number]>(
  [0, 0, 0, 1],
  [0, 0, quarter, quarter],
  [1, 0, 0, 0],
  [0.5, 0.5, 0.5, 0.5],
  [0.1, -0.5, 0.7, 0.5],
)

const meshBodies: fc.Arbitrary<AnyBody> = fc.record({
  shape: meshes,
  position: triples,
  orientation: fc.oneof(fc.constant(undefined), orientations),
})

const compoundBodies: fc.Arbitrary<AnyBody> = fc.record({
  shape: fc
    .array(fc.oneof(everyBody.filter(({ shape }) => shape.type !== 'halfspace') as fc.Arbitrary<AnyBody>, meshBodies), {
      minLength: 1,
      maxLength: 4,
    })
    .map((children): AnyShape => ({ type: 'compound', children })),
  position: triples,
})

export const compositeBodies: fc.Arbitrary<AnyBody> = fc.oneof(meshBodies, compoundBodies)
export const allBodies: fc.Arbitrary<AnyBody> = fc.oneof(compositeBodies, everyBody as fc.Arbitrary<AnyBody>)

/** The body with its triangles and children in another order, each triangle begun at another corner. */
export function shuffled(body: AnyBody, salt: number): AnyBody {
  const { triangles, children } = body.shape
  if (children !== undefined) {
    const others = mixed(children, salt).map((child) => shuffled(child, salt))
    return { ...body, shape: { ...body.shape, children: others } }
  }
  if (triangles === undefined) return body
  const turned = triangles.map((triangle, i): Triple => {
    const by = (i + salt) % 3
    return [triangle[by], triangle[(by + 1) % 3], triangle[(by + 2) % 3]]
  })
  return { ...body, shape: { ...body.shape, triangles: mixed(turned, salt) } }
}

function mixed<Item>(items: readonly Item[], salt: number): Item[] {
  const order = items.map((item, i) => ({ item, key: (i * 7919 + salt * 104729) % 1013 }))
  return order.sort((p, q) => p.key - q.key).map(({ item }) => item)
}
