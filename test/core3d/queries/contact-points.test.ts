import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countSteps } from '../../../src/containers/budget.ts'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { type ContactPoint, contactPoints } from '../../../src/core3d/queries/contact-points.ts'
import { createDistance, distance } from '../../../src/core3d/queries/distance.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { convexBodies } from '../../support/families/convex-bodies.ts'
import { runs } from '../../support/runs.ts'

const at = (shape: CaseShape, ...position: Triple): CaseBody => ({ shape, position })
const box = (...size: Triple): CaseShape => ({ type: 'box', size })

function pointsOf(a: CaseBody, b: CaseBody, maxDistance = 0, most = 4): ContactPoint[] {
  const found = createContact()
  const [one, other] = [bodyOf(a), bodyOf(b)]
  contact(one, other, found)
  return contactPoints(one, other, found, maxDistance, most)
}

/** Places, sorted. */
const places = (points: readonly ContactPoint[]): number[][] =>
  points
    .map(({ x, y, z }) => [x, y, z].map((k) => Math.round(k * 1e9) / 1e9 + 0))
    .sort((p, q) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2])

const sunk = { type: 'capsule', a: [-3, 0, 0], b: [3, 0, 0], radius: 1 } satisfies CaseShape

describe('contact points in space', () => {
  it('span the common part of two faces', () => {
    const points = pointsOf(at(box(4, 4, 2), 0, 0, 0), at(box(4, 2, 2), 1, 0, 1.5))
    expect(places(points)).toEqual([
      [-1, -1, 0.75],
      [-1, 1, 0.75],
      [2, -1, 0.75],
      [2, 1, 0.75],
    ])
    expect(points.map(({ separation }) => separation)).toEqual([-0.5, -0.5, -0.5, -0.5])
    for (const { featureA, featureB } of points) expect([featureA.length, featureB.length].sort()).not.toEqual([4, 4])
  })

  it('are one where edges cross', () => {
    const turn = (axis: 0 | 1): [number, number, number, number] => [
      axis === 0 ? Math.sin(Math.PI / 8) : 0,
      axis === 1 ? Math.sin(Math.PI / 8) : 0,
      0,
      Math.cos(Math.PI / 8),
    ]
    const height = 2 * Math.SQRT2 - 0.25
    const points = pointsOf(
      { ...at(box(2, 2, 2), 0, 0, 0), orientation: turn(0) },
      { ...at(box(2, 2, 2), 0.1, 0.2, height), orientation: turn(1) },
    )
    expect(points).toHaveLength(1)
    expect(points[0].x).toBeCloseTo(0.1, 9)
    expect(points[0].y).toBeCloseTo(0, 9)
    expect(points[0].separation).toBeCloseTo(-0.25, 9)
    expect([points[0].featureA.length, points[0].featureB.length]).toEqual([2, 2])
  })

  it('are two along a capsule or the side of a cylinder', () => {
    expect(places(pointsOf(at(box(4, 4, 2), 0, 0, 0), at(sunk, 0, 0, 1.75)))).toEqual([
      [-2, 0, 0.875],
      [2, 0, 0.875],
    ])
    const cylinder: CaseShape = { type: 'cylinder', radius: 1, height: 6, axis: 'x' }
    expect(places(pointsOf(at(box(4, 4, 2), 0, 0, 0), at(cylinder, 0, 0, 1.75)))).toEqual([
      [-2, 0, 0.875],
      [2, 0, 0.875],
    ])
    expect(places(pointsOf(at(sunk, 0, 0, 0), at(sunk, 2, 0, 1.5)))).toEqual([
      [-1, 0, 0.75],
      [3, 0, 0.75],
    ])
  })

  it('ring the disc that a cylinder or cone stands on', () => {
    for (const type of ['cylinder', 'cone']) {
      const standing: CaseBody = at({ type, radius: 1, height: 2, axis: 'z' }, 0, 0, 2)
      const points = pointsOf(at(box(4, 4, 2), 0, 0, 0), standing)
      expect(points).toHaveLength(4)
      for (const { x, y, z } of points) expect([Math.hypot(x, y), z]).toEqual([expect.closeTo(1, 12), 1])
      // Where the box ends within the disc, its corner counts.
      const corner = places(pointsOf(at(box(4, 4, 2), -2.7, -2.7, 0), standing, 0, 64))
      expect(corner).toContainEqual([-0.7, -0.7, 1])
    }
  })

  it('take as many as are wanted, those that are nearest to each other too', () => {
    const low = at(box(4, 4, 2), 0, 0, 0)
    expect(pointsOf(low, at(box(2, 2, 2), 0, 0, 1.5), 0, 1)).toHaveLength(1)
    expect(pointsOf(low, at(box(2, 2, 2), 0, 0, 2.5), 0)).toEqual([])
    expect(pointsOf(low, at(box(2, 2, 2), 0, 0, 2.5), 1).map(({ separation }) => separation)).toEqual([
      0.5, 0.5, 0.5, 0.5,
    ])
  })

  it('rest on half-spaces', () => {
    const ground: CaseShape = { type: 'halfspace', normal: [0, 0, 2], offset: 0 }
    expect(places(pointsOf(at(ground, 0, 0, 0), at(box(2, 2, 2), 0, 0, 0.5)))).toEqual([
      [-1, -1, -0.25],
      [-1, 1, -0.25],
      [1, -1, -0.25],
      [1, 1, -0.25],
    ])
  })

  it('keep the deepest, lie on both bodies once moved, and swap with them', () => {
    const found = createContact()
    const gap = createDistance()
    fc.assert(
      fc.property(convexBodies, convexBodies, (a, b) => {
        const points = pointsOf(a, b)
        contact(bodyOf(a), bodyOf(b), found)
        const { nx, ny, nz, touching, separation } = found
        expect(points.length > 0).toBe(touching)
        expect(pointsOf(b, a).map(({ x, y, z }) => [x + 0, y + 0, z + 0])).toEqual(
          points.map(({ x, y, z }) => [x + 0, y + 0, z + 0]),
        )
        if (!touching) return
        expect(Math.min(...points.map((point) => point.separation))).toBeCloseTo(separation, 6)
        for (const point of points) {
          const half = point.separation / 2
          for (const [body, side] of [
            [a, -half],
            [b, half],
          ] as const) {
            const probe = at({ type: 'point' }, point.x + side * nx, point.y + side * ny, point.z + side * nz)
            distance(bodyOf(probe), bodyOf(body), gap)
            expect(gap.distance).toBeLessThan(1e-6)
          }
        }
      }),
      runs(300),
    )
  })

  it('lie where an edge meets a rim, near which the rim is nearly as deep', () => {
    const a: CaseBody = {
      shape: { type: 'cylinder', radius: 1.2732729719951748, height: 1.9446797786513343 },
      position: [0, 0, 0],
      orientation: [0.7477847232606167, 0.0012995385488531572, 0.09894042720573314, -0.6565265498987454],
    }
    const b: CaseBody = {
      shape: { type: 'box', size: [1.1645211059367284, 2.6498347428860143, 2.482394385850057] },
      position: [-1.4374075131490827, -0.8657420286908746, -1.174689944833517],
      orientation: [0.5403017110991374, 0.5171450976024848, -0.5866034535135383, 0.3106950230290967],
    }
    const found = createContact()
    contact(bodyOf(a), bodyOf(b), found)
    const [point, ...others] = pointsOf(a, b)
    expect(others).toEqual([])
    const gap = createDistance()
    const half = point.separation / 2
    for (const [body, side] of [
      [a, -half],
      [b, half],
    ] as const) {
      const { nx, ny, nz } = found
      const probe = at({ type: 'point' }, point.x + side * nx, point.y + side * ny, point.z + side * nz)
      distance(bodyOf(probe), bodyOf(body), gap)
      expect(gap.distance).toBeLessThan(1e-6)
    }
  })

  it('are the same for a box and for the hull of its corners', () => {
    const found = createContact()
    const told = (points: readonly ContactPoint[]): string[] =>
      points
        .map((point) => {
          const { featureA, featureB, separation } = point
          const names = [featureA, featureB].map((feature) => [...feature].sort())
          return JSON.stringify([places([point]), names, Math.round(separation * 1e9) / 1e9 + 0])
        })
        .sort()
    const length = fc.constantFrom(0.5, 1, 2, 1e-3)
    const step = fc.integer({ min: -4, max: 4 })
    fc.assert(
      fc.property(fc.tuple(length, length, length), fc.tuple(step, step, step), convexBodies, (size, turn, other) => {
        // Turned so that no two sides are as near to facing a direction.
        const ways = [turn[0] + 0.1, turn[1] + 0.23, turn[2] + 0.37, 5]
        const turned = ways.map((k) => k / Math.hypot(...ways)) as [number, number, number, number]
        const points = Array.from({ length: 8 }, (_, i) => size.map((k, axis) => ((i >> axis) & 1 ? k / 2 : -k / 2)))
        const pose = { position: [0, 0, 0], orientation: turned } satisfies Partial<CaseBody>
        const a = bodyOf({ shape: box(...size), ...pose })
        const hull = bodyOf({ shape: { type: 'hull', points: points as unknown as Triple[] }, ...pose })
        const b = bodyOf(other)
        contact(a, b, found)
        expect(told(contactPoints(a, b, found, 1, 64))).toEqual(told(contactPoints(hull, b, found, 1, 64)))
      }),
      runs(300),
    )
  })

  it('take steps in the measure of the corners', () => {
    const ring = Array.from({ length: 512 }, (_, k): Triple => [Math.cos(k), Math.sin(k), k % 2])
    const hull: CaseShape = { type: 'hull', points: ring }
    const pair = [bodyOf(at(hull, 0, 0, 0)), bodyOf(at(hull, 0.25, 0, 0.75))] as const
    const found = createContact()
    contact(pair[0], pair[1], found)
    expect(countSteps(() => contactPoints(...pair, found, 0, 64)).steps).toBeLessThan(2 ** 20)
  })
})
