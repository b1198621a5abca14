/** Points in space for hulls, and what a hull of them must be. */

import fc, { type Arbitrary } from 'fast-check'
import { orientationAt } from '../../../src/core3d/mesh/orientation.ts'
import { areCollinearAt, convexHull } from '../../../src/core3d/shape/convex-hull.ts'
import type { ConvexHull } from '../../../src/core3d/shape/hull-surface.ts'

export type Point = readonly [number, number, number]

export function hullOf(points: readonly Point[]): ConvexHull {
  return convexHull(Float64Array.from(points.flat()), points.length)
}

/** The faces as lists of indices of the points. */
export function facesOf({ vertices, faceStarts, origins }: ConvexHull): number[][] {
  return Array.from({ length: faceStarts.length - 1 }, (_, f) =>
    Array.from(origins.subarray(faceStarts[f], faceStarts[f + 1]), (v) => vertices[v]),
  )
}

/** The hull without the points' numbers: corners and faces as coordinates. */
export function surfaceOf(points: readonly Point[], hull: ConvexHull): unknown {
  const named = (i: number): string => points[i].map((x) => x + 0).join()
  return {
    dimension: hull.dimension,
    corners: Array.from(hull.vertices, named),
    faces: facesOf(hull).map((face) => face.map(named)),
    twins: Array.from(hull.twins),
  }
}

/** What is wrong with a hull of these points, by exact signs: an empty list if nothing. */
export function hullFaults(points: readonly Point[], hull: ConvexHull): string[] {
  const flat = Float64Array.from(points.flat())
  const { dimension, vertices, faceStarts, origins, twins, faces } = hull
  const faults: string[] = []
  const check = (holds: boolean, what: string): void => {
    if (!holds) faults.push(what)
  }
  const end = (e: number): number => origins[twins[e]]
  for (let e = 0; e < origins.length; e++) {
    check(twins[twins[e]] === e && twins[e] !== e, `twin of ${e}`)
    check(origins[e] !== end(e), `edge ${e} without length`)
  }
  if (dimension < 2) return faults
  const faceCount = faceStarts.length - 1
  check(vertices.length - origins.length / 2 + faceCount === 2, 'Euler')
  check(faceStarts[faceCount] === origins.length, 'starts')
  for (let f = 0; f < faceCount; f++) {
    const first = faceStarts[f]
    const size = faceStarts[f + 1] - first
    check(size >= 3, `face ${f} of ${size} corners`)
    const at = (k: number): number => vertices[origins[first + (k % size)]]
    for (let k = 0; k < size; k++) {
      const e = first + k
      check(faces[e] === f, `face of ${e}`)
      check(vertices[end(e)] === at(k + 1), `end of ${e}`)
      check(!areCollinearAt(flat, at(k), at(k + 1), at(k + 2)), `corner ${k} of face ${f} is straight`)
    }
    let touching = 0
    for (let p = 0; p < points.length; p++) {
      const side = orientationAt(flat, at(0), at(1), at(2), p)
      check(side <= 0, `point ${p} outside face ${f}`)
      if (side === 0 && vertices.includes(p)) touching++
    }
    check(dimension === 2 || touching === size, `face ${f} lacks corners`)
    if (dimension === 3) checkConvexRing(flat, vertices, hull, f, check)
  }
  return faults
}

/** The corners of a face turn one way only, as seen from a corner below it. */
function checkConvexRing(
  points: Float64Array,
  vertices: Int32Array,
  { faceStarts, origins }: ConvexHull,
  f: number,
  check: (holds: boolean, what: string) => void,
): void {
  const ring = Array.from(origins.subarray(faceStarts[f], faceStarts[f + 1]), (v) => vertices[v])
  const below = vertices.find((p) => orientationAt(points, ring[0], ring[1], ring[2], p) < 0)
  check(below !== undefined, `face ${f} has nothing below`)
  if (below === undefined) return
  for (let k = 0; k < ring.length; k++) {
    for (let l = 0; l < ring.length; l++) {
      if (l === k || l === (k + 1) % ring.length) continue
      const side = orientationAt(points, ring[k], ring[(k + 1) % ring.length], ring[l], below)
      check(side === -1, `face ${f} is not convex`)
    }
  }
}

const SMALL = fc.integer({ min: -3, max: 3 })
const TENTHS = fc.integer({ min: -20, max: 20 }).map((k) => k * 0.1)
const REAL = fc.double({ min: -1, max: 1, noNaN: true })

function pointsOf(source: Arbitrary<number>, most: number): Arbitrary<Point[]> {
  return fc.array(fc.tuple(source, source, source), { minLength: 1, maxLength: most })
}

/** Small integers, tenths, reals; in a plane, on a line; some of them again. */
export const clouds: Arbitrary<Point[]> = fc
  .record({
    points: fc.oneof(pointsOf(SMALL, 40), pointsOf(TENTHS, 40), pointsOf(REAL, 40)),
    shape: fc.constantFrom('as it is', 'as it is', 'level', 'slanted', 'line'),
    offset: fc.constantFrom(0, 0, 2 ** 30, 1e15),
    scale: fc.constantFrom([1, 1, 1], [1, 1, 1], [1e6, 1, 1e-6], [2 ** -1050, 2 ** -900, 1], [2 ** 900, 1, 2 ** 300]),
    again: fc.nat(5),
  })
  .map(({ points, shape, offset, scale, again }) => {
    const shaped = points.map(([x, y, z]): Point => {
      const placed: Point =
        shape === 'level'
          ? [x, 2, z]
          : shape === 'slanted'
            ? [x, y, x + y]
            : shape === 'line'
              ? [x, 2 * x, -x]
              : [x, y, z]
      return placed.map((c, axis) => (c + offset) * scale[axis]) as unknown as Point
    })
    return [...shaped, ...shaped.slice(0, again)]
  })
