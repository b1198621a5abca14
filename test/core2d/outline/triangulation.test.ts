import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Vec2 } from '../../../schemas/vector.ts'
import type { Outline } from '../../../src/core2d/outline/outline.ts'
import {
  inCircleAt,
  type Mesh,
  nextInTriangle,
  triangulate,
  turnDiagonals,
  validateMesh,
} from '../../../src/core2d/outline/triangulation.ts'
import { partitionFaults } from '../../oracle/exact-partition.ts'
import { gridRegion, outlineOf, type Rings, starRegion } from '../../support/families/random-regions.ts'
import { runCount, runs } from '../../support/runs.ts'

function meshOf(rings: Rings): Mesh {
  return triangulate(outlineOf(rings) as Outline)
}

function flipped(mesh: Mesh): Mesh {
  turnDiagonals(mesh)
  return mesh
}

function trianglesOf({ vertices, origin, triangleCount }: Mesh): Vec2[][] {
  const corner = (half: number): Vec2 => ({ x: vertices[2 * origin[half]], y: vertices[2 * origin[half] + 1] })
  return Array.from({ length: triangleCount }, (_, t) => [3 * t, 3 * t + 1, 3 * t + 2].map(corner))
}

describe('a triangulation', () => {
  it.each([
    ['on a grid, touching itself', gridRegion(), 3000],
    ['with coordinates of all bits', starRegion(), 100],
  ])('makes up a region %s, before and after its diagonals are turned', (_name, regions, count) => {
    fc.assert(
      fc.property(regions, (rings) => {
        const mesh = meshOf(rings)
        for (const state of [mesh, flipped(mesh)]) {
          expect(partitionFaults(rings, trianglesOf(state))).toEqual([])
          expect(validateMesh(state)).toBeNull()
        }
      }),
      runs(count),
    )
  })

  it('has every vertex, and diagonals wherever triangles meet', () => {
    let touching = 0
    fc.assert(
      fc.property(gridRegion(), (rings) => {
        const mesh = meshOf(rings)
        const { vertices, edgeCount } = outlineOf(rings) as Outline
        const points = new Set(Array.from({ length: edgeCount }, (_, i) => `${vertices.subarray(2 * i, 2 * i + 2)}`))
        expect(new Set(trianglesOf(mesh).flatMap((t) => t.map(({ x, y }) => `${x},${y}`)))).toEqual(points)
        if (points.size < edgeCount) touching++
        // Two half-edges between the same vertices are twins: no diagonal was missed.
        const halves = new Map<string, number>()
        for (let half = 0; half < 3 * mesh.triangleCount; half++) {
          const ends = [mesh.origin[half], mesh.origin[nextInTriangle(half)]]
          expect(halves.has(`${ends}`)).toBe(false)
          halves.set(`${ends}`, half)
        }
        for (const [key, half] of halves) {
          expect(mesh.twin[half]).toBe(halves.get(key.split(',').reverse().join(',')) ?? -1)
        }
      }),
      runs(500),
    )
    expect(touching).toBeGreaterThan(runCount(50))
  })

  it('is Delaunay once its diagonals are turned', () => {
    fc.assert(
      fc.property(fc.oneof(gridRegion(), starRegion()), (rings) => {
        const mesh = flipped(meshOf(rings))
        const { origin, twin, vertices, triangleCount } = mesh
        for (let half = 0; half < 3 * triangleCount; half++) {
          if (twin[half] < 0) continue
          const after = nextInTriangle(half)
          const beyond = nextInTriangle(nextInTriangle(twin[half]))
          const [a, b, c, d] = [half, after, nextInTriangle(after), beyond].map((h) => origin[h])
          expect(inCircleAt(vertices, a, b, c, d)).toBeLessThanOrEqual(0)
        }
      }),
      runs(300),
    )
  })
})

describe('inCircleAt', () => {
  it.each([1, 2 ** 300, 2 ** -300, 2 ** -1000, 2 ** -1074])(
    'sees one step off the circle at the size of %s',
    (size) => {
      const at = (dx: number, dy: number): number =>
        inCircleAt(
          Float64Array.of(...[500, 0, 0, 500, -300, -400, 300 + dx, -400 + dy].map((n) => n * size)),
          0,
          1,
          2,
          3,
        )
      expect([at(0, 0), at(1, 0), at(-1, 0), at(0, -1), at(0, 1)]).toEqual([0, -1, 1, -1, 1])
    },
  )

  it('is not misled by squares that underflow beside products that are large', () => {
    // The origin lies on the circle over the first two, by Thales; the third is just outside of that.
    const at = (y: number): number => inCircleAt(Float64Array.of(2 ** 300, 0, 0, 2 ** 300, y, -y, 0, 0), 0, 1, 2, 3)
    expect([at(2 ** -600), at(-(2 ** -600))]).toEqual([1, 1])
  })

  it('sees one unit in the last place', () => {
    const at = (y: number): number => inCircleAt(Float64Array.of(0.1, 0.1, 0.7, 0.1, 0.7, 0.9, 0.1, y), 0, 1, 2, 3)
    expect([at(0.9), at(0.9 + 2 ** -53), at(0.9 - 2 ** -53)]).toEqual([0, -1, 1])
  })
})
