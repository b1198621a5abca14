// The exact cases of ../shared/cases3d about two convex bodies at rest, in both orders.
import { describe, expect, it } from 'vitest'
import { type Contact, contact, createContact } from '../../src/core3d/queries/contact.ts'
import { createDistance, type Distance, distance } from '../../src/core3d/queries/distance.ts'
import { bodiesMeet } from '../../src/core3d/queries/overlap.ts'
import {
  bodyOf,
  type CaseBody,
  casesPresent3d,
  convexCases,
  type SharedCase3d,
  type Triple,
} from '../support/convex-cases-3d.ts'

if (!casesPresent3d) console.warn('../shared/cases3d is not here: its cases are skipped')

function measured({ a, b }: SharedCase3d): { there: Distance; back: Distance } {
  const there = createDistance()
  const back = createDistance()
  distance(bodyOf(a), bodyOf(b), there)
  distance(bodyOf(b), bodyOf(a), back)
  return { there, back }
}

function farthest(a: readonly number[], b: readonly number[]): number {
  return Math.max(...a.map((value, k) => Math.abs(value - b[k])))
}

const pointA = ({ ax, ay, az }: Distance): Triple => [ax, ay, az]
const pointB = ({ bx, by, bz }: Distance): Triple => [bx, by, bz]
const normal = ({ nx, ny, nz }: Distance): Triple => [nx, ny, nz]

function touched(a: CaseBody, b: CaseBody): Contact {
  const out = createContact()
  contact(bodyOf(a), bodyOf(b), out)
  return out
}

describe.skipIf(!casesPresent3d)('exact cases of convex bodies in space', () => {
  const cases = casesPresent3d ? ['overlap', 'distance', 'contact', 'degenerate'].flatMap(convexCases) : []

  it.each(cases)('$id $tags', (one) => {
    const { expect: expected, tol, a, b, tags } = one
    const meet = expected.overlap ?? expected.touching ?? tags.includes('expect-overlap')
    const { there, back } = measured(one)
    expect(bodiesMeet(bodyOf(a), bodyOf(b))).toBe(meet)
    expect(bodiesMeet(bodyOf(b), bodyOf(a))).toBe(meet)
    expect(there.hasNormal).toBe(!meet)
    expect(there.distance > 0).toBe(!meet)
    expect(back.distance).toBe(there.distance)
    expect(pointA(back)).toEqual(pointB(there))
    expect(pointB(back)).toEqual(pointA(there))
    expect(normal(back).map((n) => 0 - n)).toEqual(normal(there).map((n) => n + 0))
    if (expected.distance !== undefined)
      expect(Math.abs(there.distance - expected.distance)).toBeLessThanOrEqual(tol.distance!)
    if (expected.pA !== undefined) {
      expect(farthest(pointA(there), expected.pA)).toBeLessThanOrEqual(tol.point!)
      expect(farthest(pointB(there), expected.pB!)).toBeLessThanOrEqual(tol.point!)
    }
    if (expected.distance !== undefined && expected.normal !== undefined)
      expect(farthest(normal(there), expected.normal)).toBeLessThanOrEqual(tol.normal!)
  })

  const contacts = cases.filter(({ kind }) => kind === 'contact')

  it.each(contacts)('$id $tags: contact', ({ a, b, expect: expected, tol }) => {
    const there = touched(a, b)
    const back = touched(b, a)
    expect(there.touching).toBe(expected.touching)
    expect(back.separation).toBe(there.separation)
    expect(there.separation <= 0).toBe(there.touching)
    expect(Math.hypot(there.nx, there.ny, there.nz)).toBeCloseTo(1, 12)
    // Twins are the same pair either way.
    if (JSON.stringify(a) !== JSON.stringify(b))
      expect([back.nx, back.ny, back.nz]).toEqual([0 - there.nx, 0 - there.ny, 0 - there.nz])
    if (expected.depth !== undefined)
      expect(Math.abs(-there.separation - expected.depth)).toBeLessThanOrEqual(tol.depth!)
    if (expected.normal !== undefined)
      expect(farthest([there.nx, there.ny, there.nz], expected.normal)).toBeLessThanOrEqual(tol.normal!)
  })
})
