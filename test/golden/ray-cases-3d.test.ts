// The exact cases of ../shared/cases3d about a ray and a body.

import { describe, expect, it } from 'vitest'
import { createRay, createRayHit, rayCast } from '../../src/core3d/ray/ray-cast.ts'
import { setDirection } from '../../src/core3d/ray/ray-line.ts'
import { anyBodyOf } from '../support/composite-bodies-3d.ts'
import { casesPresent3d, type RayCase3d, rayCases, type Triple } from '../support/convex-cases-3d.ts'

if (!casesPresent3d) console.warn('../shared/cases3d is not here: its cases are skipped')

function farthest(a: readonly number[], b: readonly number[]): number {
  return Math.max(...a.map((value, k) => Math.abs(value - b[k])))
}

/** Whether the vector is a sum of some of these, none of them taken less than 0 times: three are enough (C. Carathéodory). */
function isInCone(n: Triple, cone: Triple[], tolerance: number): boolean {
  const subsets = cone.flatMap((a, i) => cone.slice(i).flatMap((b, j) => cone.slice(i + j).map((c) => [a, b, c])))
  return subsets.some((chosen) => residual(n, chosen) <= tolerance)
}

/** Of least squares by steps. */
function residual(n: Triple, chosen: Triple[]): number {
  const weights = chosen.map(() => 0)
  for (let step = 0; step < 2000; step++) {
    chosen.forEach((v, i) => {
      const rest = n.map((x, k) => x - chosen.reduce((sum, w, j) => sum + (j === i ? 0 : weights[j] * w[k]), 0))
      weights[i] = Math.max(0, v[0] * rest[0] + v[1] * rest[1] + v[2] * rest[2])
    })
  }
  const sum = [0, 1, 2].map((k) => chosen.reduce((total, v, i) => total + weights[i] * v[k], 0))
  return farthest(n, sum)
}

describe.skipIf(!casesPresent3d)('exact cases of rays in space', () => {
  const cases: RayCase3d[] = casesPresent3d ? rayCases('any') : []

  it.each(cases)('$id $tags', ({ a, ray: given, expect: expected, tol }) => {
    const ray = createRay()
    ;[ray.ox, ray.oy, ray.oz] = given.origin
    setDirection(ray, ...given.direction)
    ray.maxDistance = given.maxDistance
    const out = createRayHit()
    expect(rayCast(ray, anyBodyOf(a), 'hit', out)).toBe(expected.hit)
    if (!expected.hit) return
    expect(Math.abs(out.distance - expected.distance!)).toBeLessThanOrEqual(tol.distance!)
    expect(farthest([out.x, out.y, out.z], expected.point!)).toBeLessThanOrEqual(tol.point!)
    if (expected.inside !== undefined) expect(out.startedInside).toBe(expected.inside)
    const normal: Triple = [out.nx, out.ny, out.nz]
    if (out.hasNormal) expect(Math.hypot(...normal)).toBeCloseTo(1, 12)
    if (expected.normal !== undefined) expect(farthest(normal, expected.normal)).toBeLessThanOrEqual(tol.normal!)
    if (expected.normalCone !== undefined) expect(isInCone(normal, expected.normalCone, tol.normal!)).toBe(true)
    if (expected.exitDistance !== undefined) {
      expect(out.hasExit).toBe(true)
      expect(Math.abs(out.exitDistance - expected.exitDistance)).toBeLessThanOrEqual(tol.exitDistance!)
    }
    const along = given.direction.map((d, k) => given.origin[k] + out.fraction * d)
    expect(farthest(along, [out.x, out.y, out.z])).toBeLessThanOrEqual(2 * tol.point!)
  })
})
