// The hull of points: holds all of them, is convex, is its own hull, and depends on nothing but the set.
import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HullResponse } from '../../schemas/queries/hull.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { orientation } from '../../src/core2d/outline/orientation.ts'
import { GRID, UNIFORM, vec2 } from '../support/families/arbitraries.ts'
import { runs } from '../support/runs.ts'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

async function hullOf(points: Vec2[]): Promise<Vec2[]> {
  const { body } = await client.post('hull', { points })
  return (body as HullResponse).vertices
}

const turn = (a: Vec2, b: Vec2, c: Vec2): number => orientation(a.x, a.y, b.x, b.y, c.x, c.y)

const clouds: Arbitrary<Vec2[]> = fc.constantFrom(GRID, UNIFORM).chain((source) =>
  fc
    .record({
      points: fc.array(vec2(source), { minLength: 1, maxLength: 40 }),
      // Far away, points gather on few doubles and many of them are collinear.
      offset: fc.constantFrom(0, 0, 2 ** 40, 1e15),
      scale: fc.constantFrom(1, 1, 2 ** -900, 2 ** 250),
    })
    .map(({ points, offset, scale }) =>
      points.map(({ x, y }) => ({ x: (x + offset) * scale, y: (y - offset) * scale })),
    ),
)

describe('a hull', () => {
  it('is convex and holds every point', async () => {
    await fc.assert(
      fc.asyncProperty(clouds, async (points) => {
        const hull = await hullOf(points)
        const at = (i: number): Vec2 => hull[i % hull.length]
        for (let i = 0; i < hull.length; i++) {
          expect(points).toContainEqual(hull[i])
          if (hull.length < 3) continue
          expect(turn(at(i), at(i + 1), at(i + 2))).toBe(1)
          for (const p of points) expect(turn(at(i), at(i + 1), p)).toBeGreaterThanOrEqual(0)
        }
        if (hull.length > 2) return
        const [a] = hull
        const b = at(1)
        for (const p of points) {
          expect(turn(a, b, p)).toBe(0)
          for (const axis of ['x', 'y'] as const) {
            expect(p[axis]).toBeGreaterThanOrEqual(Math.min(a[axis], b[axis]))
            expect(p[axis]).toBeLessThanOrEqual(Math.max(a[axis], b[axis]))
          }
        }
      }),
      runs(500),
    )
  })

  it('is its own hull, in any order of the points', async () => {
    await fc.assert(
      fc.asyncProperty(clouds, async (points) => {
        const hull = await hullOf(points)
        expect(await hullOf(hull)).toEqual(hull)
        expect(await hullOf([...points].reverse())).toEqual(hull)
      }),
      runs(300),
    )
  })
})
