import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  coneMass,
  cylinderMass,
  ellipsoidArea,
  ellipsoidMass,
  hullMass,
  hullSize,
  type Mass,
} from '../../../src/core3d/queries/mass.ts'
import type { Moments } from '../../../src/core3d/queries/surface-lump.ts'
import { hullOf, type Point } from '../../support/families/hull-points.ts'
import { runs } from '../../support/runs.ts'

const KEYS = ['xx', 'yy', 'zz', 'xy', 'xz', 'yz'] as const

function massOf(points: readonly Point[], radius = 0): Mass {
  return hullMass(Float64Array.from(points.flat()), hullOf(points), radius, 1)
}

/** Within a share of the size of the whole. */
function expectClose(actual: Mass, expected: Mass, share: number): void {
  expect(Math.abs(actual.volume - expected.volume)).toBeLessThanOrEqual(share * expected.volume)
  expect(Math.abs(actual.area - expected.area)).toBeLessThanOrEqual(share * expected.area)
  const size = Math.sqrt(expected.area)
  for (const key of ['x', 'y', 'z'] as const) {
    expect(Math.abs(actual[key] - expected[key])).toBeLessThanOrEqual(share * size)
  }
  const largest = Math.max(...KEYS.map((key) => Math.abs(expected.inertia[key])))
  for (const key of KEYS) {
    expect(Math.abs(actual.inertia[key] - expected.inertia[key])).toBeLessThanOrEqual(share * largest)
  }
}

function box([x, y, z]: Point, [sx, sy, sz]: Point): Point[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k): Point => [x + (k & 1) * sx, y + ((k >> 1) & 1) * sy, z + (k >> 2) * sz])
}

/** Points of a ball's surface about a point, in two even turns. */
function spherePoints([x, y, z]: Point, radius: number, count: number): Point[] {
  return Array.from({ length: count }, (_, k): Point => {
    const height = 1 - (2 * k + 1) / count
    const angle = k * Math.PI * (3 - Math.sqrt(5))
    const r = radius * Math.sqrt(1 - height * height)
    return [x + r * Math.cos(angle), y + r * Math.sin(angle), z + radius * height]
  })
}

const WEDGE: Point[] = [
  [0, 0, 0],
  [3, 0, 0],
  [0, 2, 0],
  [0.5, 0.5, 1],
  [2, 1, 0.5],
]

describe('the mass of a hull', () => {
  it('is that of its tetrahedra', () => {
    const coordinate = fc.integer({ min: -20, max: 20 })
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 4, maxLength: 4 }), (points) => {
        const [a, b, c, d] = points
        const [u, v, w] = [b, c, d].map((p) => p.map((x, k) => x - a[k]))
        const six = Math.abs(
          u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]),
        )
        const mass = massOf(points)
        if (six === 0) {
          expect(mass.volume).toBe(0)
          return
        }
        expect(mass.volume).toBeCloseTo(six / 6, 9)
        const centre = [0, 1, 2].map((k) => (a[k] + b[k] + c[k] + d[k]) / 4)
        expect([mass.x, mass.y, mass.z].map((x, k) => Math.abs(x - centre[k]) < 1e-12)).toEqual([true, true, true])
        // ∫ p pᵀ over a tetrahedron about its centroid is V/20 Σ v vᵀ.
        const second = (i: number, j: number): number =>
          (six / 120) * points.reduce((sum, p) => sum + (p[i] - centre[i]) * (p[j] - centre[j]), 0)
        const scale = 1e-12 * (second(0, 0) + second(1, 1) + second(2, 2))
        expect(Math.abs(mass.inertia.xx - second(1, 1) - second(2, 2))).toBeLessThanOrEqual(scale)
        expect(Math.abs(mass.inertia.zz - second(0, 0) - second(1, 1))).toBeLessThanOrEqual(scale)
        expect(Math.abs(mass.inertia.xy + second(0, 1))).toBeLessThanOrEqual(scale)
        expect(Math.abs(mass.inertia.yz + second(1, 2))).toBeLessThanOrEqual(scale)
      }),
      runs(1000),
    )
  })

  it('loses nothing to distance or thinness', () => {
    const far = 2 ** 40
    const moved = WEDGE.map((p) => p.map((c) => c + far) as unknown as Point)
    const [here, there] = [massOf(WEDGE), massOf(moved)]
    expect(there.inertia).toEqual(here.inertia)
    expect([there.volume, there.area]).toEqual([here.volume, here.area])
    // A slab as thin as the last place of where it stands.
    const slab = massOf(box([1, -3, 1e6], [2 ** -52, 1e3, 2]))
    expect(slab.volume).toBe(2 ** -52 * 2e3)
    expect(slab.inertia.xx).toBeCloseTo(slab.volume * ((1e6 + 4) / 12), 18)
    for (const size of [2 ** -300, 2 ** 300]) {
      const scaled = hullSize(
        Float64Array.from(WEDGE.flat().map((c) => c * size)),
        hullOf(WEDGE.map((p) => p.map((c) => c * size) as unknown as Point)),
      )
      expect(scaled).toEqual({ volume: here.volume * size ** 3, area: here.area * size ** 2 })
    }
  })

  it('is none of a needle that is too thin for its area', () => {
    expect(ellipsoidArea(1, 0, 0)).toBe(0)
    expect(ellipsoidMass([2 ** -1022, 5e-324, 1e99], 1)).toMatchObject({ volume: 0, area: 0 })
    expect(ellipsoidArea(1, 1, 0)).toBe(2 * Math.PI)
  })

  it('has a skin about what is too thin for its normals', () => {
    const thin = 2.2250738585072014e-308
    const sheet = massOf(box([0, 0, 0], [1, 1, 0]), 1)
    for (const size of [
      [1, 1, thin],
      [1, 1, 1e-200],
    ] as const)
      expectClose(massOf(box([0, 0, 0], size), 1), sheet, 1e-14)
    const rod = massOf(box([0, 0, 0], [1, 0, 0]), 1)
    for (const size of [
      [1, 1e-200, 1e-200],
      [1, thin, 1e-100],
    ] as const)
      expectClose(massOf(box([0, 0, 0], size), 1), rod, 1e-14)
    expectClose(massOf(box([0, 0, 0], [2 ** 53, 0, thin]), 1), massOf(box([0, 0, 0], [2 ** 53, 0, 0]), 1), 1e-14)
  })

  it('is that of its surface, its length or its place where there is no volume', () => {
    const square = massOf([
      [0, 5, 0],
      [2, 5, 0],
      [2, 5, 1],
      [0, 5, 1],
    ])
    expect(square).toMatchObject({ volume: 0, area: 4, mass: 0, x: 1, y: 5, z: 0.5 })
    expect(KEYS.every((key) => square.inertia[key] === 0)).toBe(true)
    expect(
      massOf([
        [1, 2, 3],
        [3, 2, 5],
      ]),
    ).toMatchObject({ volume: 0, area: 0, x: 2, y: 2, z: 4 })
    expect(massOf([[1, 2, 3]])).toMatchObject({ volume: 0, area: 0, x: 1, y: 2, z: 3 })
  })

  it('grows with a skin by the pieces of Steiner', () => {
    const r = 0.75
    for (const points of [WEDGE, box([1, 1, 1], [1, 2, 3]), WEDGE.slice(0, 3), WEDGE.slice(1, 3), WEDGE.slice(1, 2)]) {
      const round = points.flatMap((p) => spherePoints(p, r, 3000))
      expectClose(massOf(points, r), massOf(round), 0.005)
    }
    // What corners alone add is a ball.
    const core = massOf(WEDGE)
    const [one, two, three] = [1, 2, 3].map((k) => massOf(WEDGE, k).volume - core.volume)
    // A third difference leaves six times the cubic term.
    expect(three - 3 * two + 3 * one).toBeCloseTo(6 * (4 / 3) * Math.PI, 9)
  })

  it('is that of the axes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)), { minLength: 4, maxLength: 12 }), (points) => {
        const { inertia, principal } = massOf(points, 0.5)
        const turned = fromAxes(principal)
        const scale = 1e-12 * (inertia.xx + inertia.yy + inertia.zz)
        for (const key of KEYS) expect(Math.abs(turned[key] - inertia[key])).toBeLessThanOrEqual(scale)
        const [a, b, c] = principal.moments
        expect(a <= b && b <= c && c <= (a + b) * (1 + 1e-12)).toBe(true)
        expect(principal.orientation[3]).toBeGreaterThanOrEqual(0)
      }),
      runs(500),
    )
    expect(massOf(box([0, 0, 0], [3, 2, 1])).principal.orientation).toEqual([0, 0, 0, 1])
    expect(massOf([[1, 2, 3]], 2).principal.orientation).toEqual([0, 0, 0, 1])
  })
})

/** R diag(moments) Rᵀ. */
function fromAxes({ moments, orientation: [x, y, z, w] }: Mass['principal']): Moments {
  const r = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ]
  const at = (i: number, j: number): number => moments.reduce((sum, m, k) => sum + r[i][k] * m * r[j][k], 0)
  return { xx: at(0, 0), yy: at(1, 1), zz: at(2, 2), xy: at(0, 1), xz: at(0, 2), yz: at(1, 2) }
}

describe('round bodies', () => {
  const rim = (count: number, y: number, r: number): Point[] =>
    Array.from({ length: count }, (_, k) => {
      const angle = (2 * Math.PI * k) / count
      return [r * Math.cos(angle), y, r * Math.sin(angle)]
    })

  it('are what hulls of many of their points come near to', () => {
    const cylinder = massOf([...rim(2000, 1, 1.5), ...rim(2000, -1, 1.5)])
    expectClose(cylinder, cylinderMass(1.5, 2, 1, 1), 1e-4)
    expectClose(massOf([...rim(2000, -2, 1.5), [0, 2, 0]]), coneMass(1.5, 4, 1, 1), 1e-4)
    const ball = spherePoints([0, 0, 0], 1, 20000)
    const ellipsoid = massOf(ball.map(([x, y, z]): Point => [x, 2 * y, 0.5 * z]))
    expectClose(ellipsoid, ellipsoidMass([1, 2, 0.5], 1), 1e-3)
  })

  it('lie along their axes', () => {
    const { inertia } = coneMass(1, 2, 0, 3)
    const upright = coneMass(1, 2, 1, 3)
    expect([inertia.xx, inertia.yy]).toEqual([upright.inertia.yy, upright.inertia.xx])
    expect([coneMass(1, 2, 0, 1).x, coneMass(1, 2, 2, 1).z, coneMass(0, 2, 2, 1).z]).toEqual([-0.5, -0.5, 0])
    expect(upright.mass).toBe(3 * upright.volume)
  })

  it('have areas without loss', () => {
    expect(ellipsoidArea(1, 1, 1)).toBeCloseTo(4 * Math.PI, 14)
    for (const c of [0.9, 0.5, 0.01, 1e-6, 1e-150]) {
      // Oblate and prolate spheroids in closed form.
      const e = Math.sqrt((1 - c) * (1 + c))
      const oblate = 2 * Math.PI * (1 + (c * c * Math.atanh(e === 1 ? 0 : e)) / e)
      const prolate = 2 * Math.PI * c * (c + Math.acos(c) / e)
      if (c >= 0.01) expect(ellipsoidArea(1, c, 1) / oblate).toBeCloseTo(1, 12)
      else expect(ellipsoidArea(1, c, 1) / (2 * Math.PI)).toBeCloseTo(1, 9)
      expect(ellipsoidArea(c, c, 1) / prolate).toBeCloseTo(1, 12)
    }
    for (const c of [1e-140, 1e-160, 1e-170]) expect(ellipsoidArea(1, 0.25, c) / (Math.PI / 2)).toBeCloseTo(1, 12)
    for (const size of [1e-90, 1e90]) {
      expect(
        ellipsoidMass([size, 2 * size, 3 * size], 1).area / ellipsoidMass([1, 2, 3], 1).area / size / size,
      ).toBeCloseTo(1, 12)
    }
  })
})
