// What `explain` hands out in space can be checked: planes run between the bodies, common points are common.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDistance, distance } from '../../src/core3d/queries/distance.ts'
import { bodiesMeet, createOverlap, overlap } from '../../src/core3d/queries/overlap.ts'
import { ANCHOR, type Body, POSITION, RADIUS, VERTICES } from '../../src/core3d/shape/body.ts'
import { kindOf } from '../../src/core3d/shape/kinds.ts'
import { bodyOf, type CaseBody, type CaseShape } from '../support/convex-cases-3d.ts'
import { convexBodies, coredBodies } from '../support/families/convex-bodies.ts'
import { runs } from '../support/runs.ts'

const turns = fc.constantFrom<CaseBody['orientation'][]>(undefined, [0.1, 0.2, 0.3, 0.927], [0.5, 0.5, -0.5, 0.5])

function turned(bodies: fc.Arbitrary<CaseBody>): fc.Arbitrary<CaseBody> {
  return fc.tuple(bodies, turns).map(([body, orientation]) => ({ ...body, orientation }))
}

const out = createOverlap()
const apart = createDistance()
const point = new Float64Array(3)

const UNIT = 2n ** 200n

/** So many units of 2^-200, exactly: numbers of a test are multiples of them. */
function exact(value: number): bigint {
  let factor = 1n
  let rest = value
  while (!Number.isInteger(rest)) {
    rest *= 2
    factor *= 2n
  }
  return (BigInt(rest) * UNIT) / factor
}

/** Greatest height of the core points, in units of 2^-400. */
function exactTop({ numbers, count }: Body, normal: readonly bigint[]): bigint {
  let top: bigint | null = null
  for (let i = 0; i < count; i++) {
    let height = 0n
    for (let k = 0; k < 3; k++)
      height += normal[k] * (exact(numbers[POSITION + k]) + exact(numbers[VERTICES + 3 * i + k]))
    if (top === null || height > top) top = height
  }
  return top as bigint
}

function top(body: Body, x: number, y: number, z: number): number {
  const { numbers } = body
  point.fill(0)
  kindOf(body).support(body, x, y, z, point)
  const along = (k: number): number => numbers[POSITION + k] + numbers[ANCHOR + k] + point[k]
  return x * along(0) + y * along(1) + z * along(2) + numbers[RADIUS]
}

/** Whether the body has an inside. */
function isSolid({ type, radius, height, size, points }: CaseShape): boolean {
  if (type === 'ellipsoid') return true
  if (type === 'cylinder' || type === 'cone') return (radius as number) > 0 && (height as number) > 0
  if (radius !== undefined && radius > 0) return true
  return type === 'box' && size !== undefined && points === undefined && Math.min(...size) > 0
}

describe('certificates of overlap in space', () => {
  it('an axis leaves the gap between core points that it says, exactly', () => {
    fc.assert(
      fc.property(turned(coredBodies), turned(coredBodies), (one, other) => {
        const [a, b] = [bodyOf(one), bodyOf(other)]
        overlap(a, b, out)
        if (out.relation <= 0) return
        const normal = [out.nx, out.ny, out.nz].map(exact)
        const cores =
          -exactTop(a, normal) -
          exactTop(
            b,
            normal.map((component) => -component),
          )
        const skins = exact(a.numbers[RADIUS]) + exact(b.numbers[RADIUS])
        const gap = cores - skins * UNIT
        expect(gap > 0n).toBe(true)
        expect(Math.abs(Number(gap / UNIT) / Number(UNIT) - out.gap)).toBeLessThan(1e-13)
        expect(Math.abs(Math.hypot(out.nx, out.ny, out.nz) - 1)).toBeLessThan(1e-15)
      }),
      runs(1500),
    )
  })

  it('an axis leaves that gap between bodies of all kinds', () => {
    fc.assert(
      fc.property(turned(convexBodies), turned(convexBodies), (one, other) => {
        const [a, b] = [bodyOf(one), bodyOf(other)]
        overlap(a, b, out)
        if (out.relation <= 0) return
        const { nx, ny, nz, gap } = out
        expect(-top(b, -nx, -ny, -nz) - top(a, nx, ny, nz)).toBeGreaterThan(gap - 1e-12)
      }),
      runs(1500),
    )
  })

  it('a common point lies in both, and exactly so where both have an inside', () => {
    let solid = 0
    fc.assert(
      fc.property(turned(convexBodies), turned(convexBodies), (one, other) => {
        const [a, b] = [bodyOf(one), bodyOf({ ...other, position: [other.position[0] / 2, other.position[1] / 2, 0] })]
        overlap(a, b, out)
        if (out.relation > 0) return
        const shared = bodyOf({ shape: { type: 'point' }, position: [out.px, out.py, out.pz] })
        for (const body of [a, b]) {
          distance(shared, body, apart)
          // A part in 10⁹ of the extent.
          expect(apart.distance).toBeLessThan(1e-8)
        }
        if (out.relation === 0 || !isSolid(one.shape) || !isSolid(other.shape)) return
        solid++
        expect([a, b].map((body) => bodiesMeet(shared, body))).toEqual([true, true])
      }),
      runs(1500),
    )
    expect(solid).toBeGreaterThan(0)
  })

  it('a common point of what touches at a point of short coordinates is that point', () => {
    const box: CaseShape = { type: 'box', size: [2, 2, 2] }
    const touching: [CaseShape, CaseBody['position'], number[]][] = [
      [box, [2, 2, 2], [1, 1, 1]],
      [{ type: 'sphere', radius: 3 }, [2, 3, 3], [1, 1, 1]],
      [{ type: 'cone', radius: 0.25, height: 2 }, [1, -2, 1], [1, -1, 1]],
      [{ type: 'cylinder', radius: 5, height: 2 }, [4, 2, 5], [1, 1, 1]],
      [{ type: 'capsule', a: [0, 0, 0], b: [0, 4, 0], radius: 5 }, [4, -2, 5], [1, 0, 1]],
    ]
    for (const [shape, position, [x, y, z]] of touching) {
      const a = bodyOf({ shape: box, position: [0, 0, 0] })
      const b = bodyOf({ shape, position })
      for (const [first, second] of [
        [a, b],
        [b, a],
      ] as const) {
        overlap(first, second, out)
        expect(out.relation).toBe(0)
        expect([out.px, out.pz]).toEqual([x, z])
        if (shape.type !== 'capsule') expect(out.py).toBe(y)
      }
    }
  })
})
