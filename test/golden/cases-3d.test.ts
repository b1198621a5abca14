// The exact cases of ../shared/cases3d that the core in space answers so far.
import { describe, expect, it } from 'vitest'
import { facesOf, hullFaults, hullOf } from '../support/families/hull-points.ts'
import { cases3dPresent, readCases3d } from '../support/shared-cases-3d.ts'

if (!cases3dPresent) console.warn('../shared/cases3d is not here: its cases are skipped')

describe.skipIf(!cases3dPresent)('exact cases in space', () => {
  const hulls = cases3dPresent ? readCases3d('hull') : []

  it.each(hulls)('$id $tags', ({ points, expect: expected }) => {
    const hull = hullOf(points)
    expect(hullFaults(points, hull)).toEqual([])
    const sorted = (list: readonly (readonly number[])[]): string[] =>
      list.map((p) => p.map((x) => x + 0).join()).sort()
    expect(sorted(Array.from(hull.vertices, (i) => points[i]))).toEqual(sorted(expected.vertices))
    // There what is flat has one face, here one on each side.
    const sides = hull.dimension === 2 ? 2 : 1
    if (expected.faces !== undefined) expect(facesOf(hull)).toHaveLength(sides * expected.faces)
  })
})
