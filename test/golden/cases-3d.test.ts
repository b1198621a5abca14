// The exact cases of ../shared/cases3d that the core in space answers so far.

import { describe, expect, it } from 'vitest'
import {
  type Axis,
  coneMass,
  cylinderMass,
  ellipsoidMass,
  hullMass,
  hullSize,
  type Mass,
} from '../../src/core3d/queries/mass.ts'
import { createLump, setSolidLump } from '../../src/core3d/queries/surface-lump.ts'
import { facesOf, hullFaults, hullOf, type Point } from '../support/families/hull-points.ts'
import { cases3dPresent, type MassCase, readCases3d, type Triple } from '../support/shared-cases-3d.ts'

if (!cases3dPresent) console.warn('../shared/cases3d is not here: its cases are skipped')

describe.skipIf(!cases3dPresent)('exact cases in space', () => {
  const hulls = cases3dPresent ? readCases3d('hull') : []
  const masses = cases3dPresent ? readCases3d('mass') : []

  it.each(hulls)('$id $tags', ({ points, expect: expected, tol }) => {
    const hull = hullOf(points)
    expect(hullFaults(points, hull)).toEqual([])
    const sorted = (list: readonly (readonly number[])[]): string[] =>
      list.map((p) => p.map((x) => x + 0).join()).sort()
    expect(sorted(Array.from(hull.vertices, (i) => points[i]))).toEqual(sorted(expected.vertices))
    // There what is flat has one face, here one on each side.
    const sides = hull.dimension === 2 ? 2 : 1
    if (expected.faces !== undefined) expect(facesOf(hull)).toHaveLength(sides * expected.faces)
    const { volume } = hullSize(Float64Array.from(points.flat()), hull)
    expect(Math.abs(volume - expected.volume)).toBeLessThanOrEqual(tol.volume ?? 1e-12 * expected.volume)
  })

  // Compounds have no place in the core yet.
  it.each(masses.filter(({ a }) => a.shape.type !== 'compound'))('$id $tags', ({ a, expect: expected, tol }) => {
    const { volume, center, inertia } = measured(a.shape)
    expect(Math.abs(volume - expected.volume)).toBeLessThanOrEqual(tol.volume)
    for (let i = 0; i < 3; i++) {
      expect(Math.abs(center[i] - expected.center[i])).toBeLessThanOrEqual(tol.center)
      for (let j = 0; j < 3; j++) {
        expect(Math.abs(inertia[i][j] - expected.inertia[i][j])).toBeLessThanOrEqual(tol.inertia)
      }
    }
  })
})

type Measured = MassCase['expect']

function measured(shape: MassCase['a']['shape']): Measured {
  if (shape.type === 'mesh') return meshMeasured(shape.vertices as Triple[], shape.triangles as Triple[])
  const { volume, x, y, z, inertia } = massOf(shape)
  const { xx, yy, zz, xy, xz, yz } = inertia
  return { volume, center: [x, y, z], inertia: matrix(xx, yy, zz, xy, xz, yz) }
}

function matrix(xx: number, yy: number, zz: number, xy: number, xz: number, yz: number): Measured['inertia'] {
  return [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ]
}

function massOf(shape: MassCase['a']['shape']): Mass {
  const { type, radius = 0, height = 0, axis = 'y' } = shape as { type: string } & Record<string, never>
  const along = ['x', 'y', 'z'].indexOf(axis) as Axis
  if (type === 'cylinder') return cylinderMass(radius, height, along, 1)
  if (type === 'cone') return coneMass(radius, height, along, 1)
  if (type === 'ellipsoid') return ellipsoidMass(shape.radii as Triple, 1)
  const points = cornersOf(shape)
  return hullMass(Float64Array.from(points.flat()), hullOf(points), radius, 1)
}

function cornersOf(shape: MassCase['a']['shape']): Point[] {
  const { type } = shape
  if (type === 'sphere') return [[0, 0, 0]]
  if (type === 'capsule') return [shape.a, shape.b] as Point[]
  if (type === 'hull') return shape.points as Point[]
  const size = shape.size as Triple
  const [low, high] = type === 'aabb' ? [shape.min, shape.max] : [size.map((s) => -s / 2), size.map((s) => s / 2)]
  const sides = [low, high] as [Triple, Triple]
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k): Point => [sides[k & 1][0], sides[(k >> 1) & 1][1], sides[k >> 2][2]])
}

function meshMeasured(vertices: Triple[], triangles: Triple[]): Measured {
  const lump = createLump()
  const points = Float64Array.from(vertices.flat())
  const corners = Int32Array.from(triangles.flat())
  const starts = Int32Array.from({ length: triangles.length + 1 }, (_, f) => 3 * f)
  setSolidLump({ points, corners, starts, unit: 1 }, lump)
  const { weight, xx, yy, zz, xy, xz, yz } = lump
  const first = vertices[triangles[0][0]]
  return {
    volume: weight,
    center: [first[0] + lump.x, first[1] + lump.y, first[2] + lump.z],
    inertia: matrix(yy + zz, xx + zz, xx + yy, -xy, -xz, -yz),
  }
}
