// The hull of points in space: holds all of them, is convex and closed, is its own hull, and depends on nothing but the set.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clouds, hullFaults, hullOf, type Point, surfaceOf } from '../support/families/hull-points.ts'
import { runs } from '../support/runs.ts'

describe('a hull in space', () => {
  it('is closed and convex and holds every point', () => {
    fc.assert(
      fc.property(clouds, (points) => {
        expect(hullFaults(points, hullOf(points))).toEqual([])
      }),
      runs(1000),
    )
  })

  it('is its own hull, in any order of the points', () => {
    fc.assert(
      fc.property(clouds, fc.infiniteStream(fc.nat()), (points, numbers) => {
        const hull = hullOf(points)
        const surface = surfaceOf(points, hull)
        const corners = Array.from(hull.vertices, (i) => points[i])
        const again = hullOf(corners)
        expect(surfaceOf(corners, again)).toEqual(surface)
        expect(Array.from(again.vertices)).toEqual(corners.map((_, k) => k))
        const keyed = points.map((p) => ({ p, key: numbers.next().value as number }))
        const mixed = keyed.sort((a, b) => a.key - b.key).map(({ p }) => p)
        expect(surfaceOf(mixed, hullOf(mixed))).toEqual(surface)
      }),
      runs(500),
    )
  })

  it('moves with its points, and grows with them', () => {
    const short = fc.integer({ min: -50, max: 50 })
    const points = fc.array(fc.tuple(short, short, short), { minLength: 1, maxLength: 30 })
    const factor = fc.constantFrom(0.5, 1, 2 ** 40, 2 ** -60)
    fc.assert(
      fc.property(points, fc.tuple(short, short, short), fc.tuple(factor, factor, factor), (given, by, scale) => {
        const moved = given.map((p) => p.map((c, axis) => (c + 1000 * by[axis]) * scale[axis]) as unknown as Point)
        expect(hullOf(moved)).toEqual(hullOf(given))
      }),
      runs(500),
    )
  })

  it('turns with its axes', () => {
    fc.assert(
      fc.property(clouds, (points) => {
        const turned = points.map(([x, y, z]): Point => [y, z, x])
        const back = (hull: ReturnType<typeof hullOf>): string[] =>
          faceSets(
            turned.map(([y, z, x]) => [x, y, z]),
            hull,
          )
        expect(back(hullOf(turned))).toEqual(faceSets(points, hullOf(points)))
        // In a mirror the faces go round the other way.
        const mirrored = points.map(([x, y, z]): Point => [x, z, y])
        const seen = faceSets(
          mirrored.map(([x, z, y]) => [x, y, z]),
          hullOf(mirrored),
          true,
        )
        expect(seen).toEqual(faceSets(points, hullOf(points)))
      }),
      runs(300),
    )
  })
})

/** The faces as texts, each from its least corner on. */
function faceSets(points: readonly Point[], hull: ReturnType<typeof hullOf>, mirrored = false): string[] {
  const { vertices, faceStarts, origins } = hull
  const faces = []
  for (let f = 0; f + 1 < faceStarts.length; f++) {
    const ring = Array.from(origins.subarray(faceStarts[f], faceStarts[f + 1]), (v) =>
      points[vertices[v]].map((c) => c + 0).join(),
    )
    if (mirrored) ring.reverse()
    const least = ring.indexOf([...ring].sort()[0])
    faces.push([...ring.slice(least), ...ring.slice(0, least)].join(' '))
  }
  return faces.sort()
}
