// Normals where a ray meets or grazes a corner or an edge: away from all of the body, and against the ray.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRay, createRayHit, rayCast } from '../../../src/core3d/ray/ray-cast.ts'
import { POSITION, RADIUS, VERTICES } from '../../../src/core3d/shape/body.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { runs } from '../../support/runs.ts'

const short = fc.integer({ min: -4, max: 4 })
const triple = fc.tuple(short, short, short)
const sizes = fc.tuple(fc.constantFrom(2, 4, 8), fc.constantFrom(2, 4, 8), fc.constantFrom(2, 4, 8))

const shapes: fc.Arbitrary<CaseShape> = fc.oneof(
  fc.record({ type: fc.constant('box'), size: sizes, radius: fc.constantFrom(0, 0, 1e-9, 0.25) }),
  fc.record({ type: fc.constant('triangle'), a: triple, b: triple, c: triple }),
  fc.record({
    type: fc.constant('hull'),
    points: fc.array(triple, { minLength: 4, maxLength: 10 }),
    radius: fc.constantFrom(0, 0, 0.125),
  }),
  fc.record({ type: fc.constant('segment'), a: triple, b: triple }),
  fc.record({ type: fc.constant('capsule'), a: triple, b: triple, radius: fc.constantFrom(1, 1e-17) }),
)

const orientation = fc.constantFrom(
  undefined,
  [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
  [0.5, 0.5, 0.5, 0.5],
  [0.48, 0.6, 0, 0.64],
  [0.1, -0.7, 0.5, Math.sqrt(0.25)],
) as fc.Arbitrary<CaseBody['orientation']>

const bodies = fc.record({ shape: shapes, position: triple, orientation }) as fc.Arbitrary<CaseBody>

const ray = createRay()
const hit = createRayHit()

function cast(wire: CaseBody, target: Triple, direction: Triple, far: number): void {
  const body = bodyOf(wire)
  const { numbers, count } = body
  const origin = target.map((x, k) => x - far * direction[k])
  Object.assign(ray, { ox: origin[0], oy: origin[1], oz: origin[2], maxDistance: Infinity })
  Object.assign(ray, { dx: direction[0], dy: direction[1], dz: direction[2] })
  if (!rayCast(ray, body, 'hit', hit) || !hit.hasNormal) return
  const size = 16
  const check = (normal: Triple, point: Triple, side: 1 | -1): void => {
    expect(Math.hypot(...normal)).toBeCloseTo(1, 12)
    expect((side * normal.reduce((sum, n, k) => sum + n * direction[k], 0)) / Math.hypot(...direction)).toBeGreaterThan(
      -1e-9,
    )
    for (let i = 0; i < count; i++) {
      const height = normal.reduce(
        (sum, n, k) => sum + n * (numbers[POSITION + k] + numbers[VERTICES + 3 * i + k] - point[k]),
        0,
      )
      expect(height + numbers[RADIUS]).toBeLessThan(1e-9 * size)
    }
  }
  check([hit.nx, hit.ny, hit.nz], [hit.x, hit.y, hit.z], -1)
  if (hit.hasExit) check([hit.exitNx, hit.exitNy, hit.exitNz], [hit.exitX, hit.exitY, hit.exitZ], 1)
}

const aims = fc.record({
  from: fc.nat(),
  to: fc.nat(),
  share: fc.constantFrom(0, 0, 0.5, 0.25),
  direction: triple.filter((d) => d.some((x) => x !== 0)),
  far: fc.constantFrom(1, 2, 8),
  isAlong: fc.boolean(),
})

describe('the normal at a corner or an edge', () => {
  it('leads away from all of the body and against the ray, whatever the ray grazes', () => {
    fc.assert(
      fc.property(bodies, aims, (wire, { from, to, share, direction, far, isAlong }) => {
        const { numbers, count } = bodyOf(wire)
        const corner = (i: number): Triple => {
          const at = VERTICES + 3 * (i % count)
          return [0, 1, 2].map((k) => numbers[POSITION + k] + numbers[at + k]) as Triple
        }
        const [a, b] = [corner(from), corner(to)]
        const edge = b.map((x, k) => x - a[k]) as Triple
        // Also along an edge or a side, and past it.
        const way = isAlong && edge.some((x) => x !== 0) ? edge : direction
        cast(wire, a.map((x, k) => x + share * edge[k]) as Triple, way, far)
      }),
      runs(6000),
    )
  })

  it('of a segment met at its end by a ray that comes along it is no way into it', () => {
    const a: CaseBody = {
      shape: { type: 'segment', a: [1, 2, 0], b: [-2, -4, -2] },
      position: [0, 0, 0],
      orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
    }
    cast(a, [4.000000000000001, -2.000000000000001, -2], [5.999999999999998, -3.000000000000001, -2], 8)
  })
})
