// Distances of curved bodies where iterations creep: rim to mantle, rim to rim, cap to corner.
import { describe, expect, it } from 'vitest'
import { createDistance, distance } from '../../../src/core3d/queries/distance.ts'
import { REACH } from '../../../src/core3d/shape/body.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { seededRandom } from '../../support/families/box-sets.ts'
import { runCount, seed } from '../../support/runs.ts'

const out = createDistance()

function apart(a: CaseShape, at: Triple, b: CaseShape, place: Triple): number {
  distance(bodyOf({ shape: a, position: at }), bodyOf({ shape: b, position: place }), out)
  return out.distance
}

it('from the rim of a disc to the mantle of a cylinder', () => {
  const disc: CaseShape = { type: 'cylinder', radius: 1, height: 0, axis: 'z' }
  const cylinder: CaseShape = { type: 'cylinder', radius: 4, height: 4 }
  expect(apart(disc, [2, 0, -4], cylinder, [-1, -2, 2])).toBeCloseTo(2 * Math.sqrt(10) - 4, 13)
})

it('from an end of a capsule to the corner between mantle and cap', () => {
  const capsule: CaseShape = { type: 'capsule', a: [-2, -3, 0], b: [0, 0, 0], radius: 1.25 }
  const post: CaseShape = { type: 'cylinder', radius: 1.875, height: 1.25 }
  expect(apart(capsule, [0, 0, 0], post, [1.875, 0.625, 2.75])).toBeCloseTo(Math.hypot(1.875, 2.75) - 3.125, 13)
})

it('from the apex of a cone to an ellipsoid', () => {
  const cone: CaseShape = { type: 'cone', radius: 2, height: 2 }
  expect(apart(cone, [0, -4, 0], { type: 'ellipsoid', radii: [3, 1, 2] }, [0, 0, 0])).toBeCloseTo(2, 14)
})

it('of what is nearer than its square is a number', () => {
  const slab: CaseShape = { type: 'aabb', min: [1e-200, 0, 0], max: [1e-100, 1e-109, 4e-38] }
  expect(apart(slab, [0, 0, 2e-320], { type: 'point' }, [1e-150, 0, 0])).toBe(2e-320)
  expect([out.nx, out.ny, out.nz, out.az]).toEqual([0, 0, -1, 2e-320])
  const long: CaseShape = { type: 'capsule', a: [-4.5e18, -1, 1e100], b: [0, 3.5e-158, 0], radius: 1.4e-33 }
  expect(apart({ type: 'point' }, [0, 0, 0], long, [0, 0, 0])).toBe(0)
  expect([out.ax, out.ay, out.az].every(Number.isFinite)).toBe(true)
})

it('of an ellipsoid that is too thin for doubles is a number', () => {
  const needle: CaseShape = { type: 'ellipsoid', radii: [1e100, 1.7e-192, 3.5e-323] }
  expect(apart(needle, [0, 0, 1e99], { type: 'segment', a: [-3, 2, -2], b: [-3, 0, 1] }, [0, 0, 0])).toBeCloseTo(
    1e99,
    -86,
  )
})

describe('the common point', () => {
  /** How far it lies outside of either body, as a part of the pair's extent; both ways round. Null where they do not meet. */
  function outside(a: CaseBody, b: CaseBody, extent: number): number | null {
    let farthest = 0
    for (const [p, q] of [
      [a, b],
      [b, a],
    ]) {
      distance(bodyOf(p), bodyOf(q), out)
      if (out.hasNormal) return null
      const point: CaseBody = { shape: { type: 'point' }, position: [out.ax, out.ay, out.az] }
      for (const body of [p, q]) {
        distance(bodyOf(body), bodyOf(point), out)
        farthest = Math.max(farthest, out.distance / extent)
      }
    }
    return farthest
  }

  const origin: Triple = [0, 0, 0]
  it.each<[string, CaseShape, Triple, CaseShape, Triple]>([
    [
      'a long segment that crosses a flat ellipsoid in its plane',
      { type: 'segment', a: [-27667.77, 0, 0], b: [2e-6, 0.0295, 0] },
      origin,
      { type: 'ellipsoid', radii: [4.8e-5, 0.1124, 0] },
      origin,
    ],
    [
      'an ellipsoid that is a point, and a flat box about it',
      { type: 'ellipsoid', radii: [0, 0, 0] },
      origin,
      { type: 'box', size: [0.6, 0, 1.5] },
      origin,
    ],
    [
      'a cylinder that is a line along a flat ellipsoid',
      { type: 'ellipsoid', radii: [0.4, 2e-4, 0] },
      origin,
      { type: 'cylinder', radius: 0, height: 2603, axis: 'y' },
      origin,
    ],
    [
      'a small disc at the skin of a long needle',
      { type: 'cone', radius: 0.0012, height: 0, axis: 'y' },
      [0.00018, -0.0012, 0.0004],
      { type: 'box', size: [0.012, 4e-6, 375349.75], radius: 1.27 },
      origin,
    ],
    [
      'a small disc and a rounded sheet a million times as long',
      { type: 'box', size: [0, 0.4963, 204272.36], radius: 0.02 },
      origin,
      { type: 'cylinder', radius: 1.4e-5, height: 0, axis: 'y' },
      [1e-6, 2e-6, -5e-6],
    ],
  ])('of %s lies in both', (_, a, at, b, place) => {
    const turned: [number, number, number, number] = [0.36, 0.48, -0.48, 0.64]
    for (const orientation of [undefined, turned]) {
      const extent = 4 * Math.max(...[a, b].map((shape) => bodyOf({ shape, position: origin }).numbers[REACH]))
      const found = outside({ shape: a, position: at, orientation }, { shape: b, position: place, orientation }, extent)
      if (found !== null) expect(found).toBeLessThan(1e-9)
      if (orientation === undefined) expect(found).not.toBeNull()
    }
  })

  it('of bodies whose sizes are up to twelve orders apart lies in both', () => {
    const random = seededRandom(seed())
    const between = (low: number, high: number): number => low + (high - low) * random()
    const size = (): number => (random() < 0.2 ? 0 : 10 ** between(-6, 6))
    const triple = (): Triple => [size(), size(), size()]
    const shape = (): CaseShape =>
      [
        { type: 'cylinder', radius: size(), height: size(), axis: 'y' as const },
        { type: 'cone', radius: size(), height: size(), axis: 'y' as const },
        { type: 'ellipsoid', radii: triple() },
        { type: 'box', size: triple() },
        { type: 'box', size: triple(), radius: size() },
        { type: 'capsule', a: [0, -size(), 0] as Triple, b: [0, size(), 0] as Triple, radius: size() },
      ][Math.floor(6 * random())]
    let meetings = 0
    for (let round = 0; round < runCount(2000); round++) {
      const [a, b] = [shape(), shape()]
      const reaches = [a, b].map((one) => bodyOf({ shape: one, position: origin }).numbers[REACH])
      const near = Math.min(...reaches)
      const place: Triple = [near * between(-1, 1), near * between(-1, 1), near * between(-1, 1)]
      const turn = [between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)]
      const length = Math.hypot(...turn)
      const orientation = turn.map((x) => x / length) as [number, number, number, number]
      const extent = 4 * Math.max(...reaches) || 1
      const found = outside({ shape: a, position: origin }, { shape: b, position: place, orientation }, extent)
      if (found === null) continue
      meetings++
      expect(found).toBeLessThan(1e-6)
    }
    expect(meetings).toBeGreaterThan(runCount(2000) / 8)
  })
})
