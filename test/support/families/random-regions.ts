/** Regions for tests of what takes them apart: on small grids, where rings touch all the time, and off them. */

import fc, { type Arbitrary } from 'fast-check'
import type { Vec2 } from '../../../schemas/vector.ts'
import { createOutline, type Outline } from '../../../src/core2d/outline/outline.ts'
import { setRegion } from '../../../src/core2d/outline/region.ts'
import { createOutlineFault } from '../../../src/core2d/outline/ring-check.ts'

export type Rings = readonly (readonly Vec2[])[]

/** The outline of rings that bound a region with an area; null of others. */
export function outlineOf(rings: Rings): Outline | null {
  const outline = createOutline()
  const starts = [0]
  for (const ring of rings) starts.push(starts[starts.length - 1] + ring.length)
  const points = Float64Array.from(rings.flat().flatMap(({ x, y }) => [x, y]))
  return setRegion(outline, points, starts, 1, 0, createOutlineFault()) && outline.solid ? outline : null
}

const vertex = (size: number): Arbitrary<Vec2> => fc.record({ x: fc.nat(size), y: fc.nat(size) })

/** A ring of a small grid, with repeated and collinear vertices, from which crossings are removed by reversing stretches. */
export function gridRing(size: number, most: number): Arbitrary<Vec2[]> {
  return fc.array(vertex(size), { minLength: 3, maxLength: most }).map(untangled)
}

/** Reverses the way between two edges that cross, until none do: every such step makes the ring shorter. */
function untangled(ring: Vec2[]): Vec2[] {
  const points = [...ring]
  const count = points.length
  const turn = (a: Vec2, b: Vec2, c: Vec2): number => Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x))
  for (let changed = true; changed; ) {
    changed = false
    for (let i = 0; i < count; i++) {
      for (let j = i + 2; j < count; j++) {
        const [a, b, c, d] = [points[i], points[i + 1], points[j], points[(j + 1) % count]]
        if (turn(a, b, c) * turn(a, b, d) >= 0 || turn(c, d, a) * turn(c, d, b) >= 0) continue
        points.splice(i + 1, j - i, ...points.slice(i + 1, j + 1).reverse())
        changed = true
      }
    }
  }
  return points
}

/** Regions with holes on a grid: rings touch themselves and each other, in vertices and along the way. */
export function gridRegion(most = 16): Arbitrary<Rings> {
  const around = fc.constant<Vec2[]>([
    { x: 0, y: 0 },
    { x: 6, y: 0 },
    { x: 6, y: 6 },
    { x: 0, y: 6 },
  ])
  return fc
    .record({
      outer: fc.oneof(gridRing(6, most), around),
      holes: fc.array(gridRing(6, 5), { maxLength: 4 }),
    })
    .map(({ outer, holes }) => {
      // Holes that do not fit are left out.
      let rings: Vec2[][] = [outer]
      for (const hole of holes) if (outlineOf([...rings, hole]) !== null) rings = [...rings, hole]
      return rings
    })
    .filter((rings) => outlineOf(rings) !== null)
}

/** Rays from a centre to random distances: many reflex vertices, and coordinates that use all bits of a double. */
export function starRegion(most = 40): Arbitrary<Rings> {
  return fc.array(fc.integer({ min: 10, max: 99 }), { minLength: 5, maxLength: most }).map((radii) => [
    radii.map((r, i) => {
      const angle = (i * 2 * Math.PI) / radii.length
      return { x: r * Math.cos(angle), y: r * Math.sin(angle) }
    }),
  ])
}

export function mapped(rings: Rings, map: (p: Vec2) => Vec2): Rings {
  return rings.map((ring) => ring.map(map))
}
