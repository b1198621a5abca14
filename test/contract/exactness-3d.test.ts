// Keeps the table of docs/exactness.md about space true: every pair of the twelve convex shapes is asked through each query, touching,
// and apart or overlapping by as little as the table says is told.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Body3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import type { Query, QueryLimits } from '../../src/queries/ask/query.ts'
import { queries3d } from '../../src/queries/stateless/all.ts'
import { nextAfter } from '../support/families/next-after.ts'

const limits: QueryLimits = {
  maxVertices: 1e3,
  maxParts: 1e3,
  maxTargets: 1e3,
  maxImpacts: 1e3,
  maxBodies: 1e3,
  maxPairs: 1e3,
  maxCells: 1e3,
}

const byOp = new Map(queries3d.map((query) => [query.op, query]))

function ask(op: string, request: object): Record<string, unknown> {
  return (byOp.get(op) as Query).answer(request, limits) as Record<string, unknown>
}

const v = (x: number, y: number, z: number): Vec3 => ({ x, y, z })

/** A shape with the point where it is touched from above, and the one where it stands. */
interface Stood {
  shape: Shape3d
  top: Vec3
  bottom: Vec3
  isSolid: boolean
}

const stood = (shape: Shape3d, bottom: Vec3, top: Vec3, isSolid = true): Stood => ({ shape, top, bottom, isSolid })

const BOUNDED: Record<string, Stood> = {
  point: stood({ type: 'point' }, v(0, 0, 0), v(0, 0, 0), false),
  sphere: stood({ type: 'sphere', radius: 1.5 }, v(0, -1.5, 0), v(0, 1.5, 0)),
  segment: stood({ type: 'segment', a: v(0, 0, 0), b: v(1, 2, 0) }, v(0, 0, 0), v(1, 2, 0), false),
  capsule: stood({ type: 'capsule', a: v(0, 0, 0), b: v(1, 2, 0), radius: 0.5 }, v(0, -0.5, 0), v(1, 2.5, 0)),
  triangle: stood({ type: 'triangle', a: v(0, 0, 0), b: v(1, 2, 1), c: v(-1, 1, 1) }, v(0, 0, 0), v(1, 2, 1), false),
  box: stood({ type: 'box', size: v(2, 2, 2) }, v(0, -1, 0), v(0, 1, 0)),
  'rounded box': stood({ type: 'box', size: v(1, 2, 3), radius: 0.25 }, v(0, -1.25, 0), v(0, 1.25, 0)),
  aabb: stood({ type: 'aabb', min: v(-1, -0.5, -1), max: v(1, 1.5, 2) }, v(0, -0.5, 0), v(0, 1.5, 0)),
  hull: stood(
    { type: 'hull', points: [v(0, -1, 0), v(1.5, 0, 1), v(-1.5, 0, 1), v(0, 0, -2), v(0, 1.25, 0)] },
    v(0, -1, 0),
    v(0, 1.25, 0),
  ),
  cylinder: stood({ type: 'cylinder', radius: 1, height: 2 }, v(0, -1, 0), v(0, 1, 0)),
  cone: stood({ type: 'cone', radius: 1, height: 2 }, v(0, -1, 0), v(0, 1, 0)),
  ellipsoid: stood({ type: 'ellipsoid', radii: v(1, 1.5, 2) }, v(0, -1.5, 0), v(0, 1.5, 0)),
}

const CURVED = ['cylinder', 'cone', 'ellipsoid']

/** Those that stand below, and those that stand on them. */
const LOWER: Record<string, Stood> = {
  ...BOUNDED,
  halfspace: stood({ type: 'halfspace', normal: v(0, 2, 0), offset: 0.5 }, v(0, 0, 0), v(0, 0.5, 0)),
}
const UPPER: Record<string, Stood> = {
  ...BOUNDED,
  halfspace: stood({ type: 'halfspace', normal: v(0, -2, 0), offset: 0.5 }, v(0, -0.5, 0), v(0, 0, 0)),
}

const COLUMNS = ['pair', '`overlap`', '`distance`', 'depth of `contact`', 'hit or miss without spin']
const CORES = 'flat-sided or rounded, with the same'
const CORE_ON_HALFSPACE = 'flat-sided or rounded, with a half-space'
const HALFSPACES = 'half-space with half-space'
const CURVED_ON_HALFSPACE = 'cylinder, cone or ellipsoid in line, with a half-space'
const TURNED_ON_HALFSPACE = 'the same turned, with a half-space'
const CURVED_ON_ANY = 'cylinder, cone or ellipsoid, with any bounded shape'

/** The rows of the table, by their first cell. */
const table = new Map(
  readFileSync(new URL('../../docs/exactness.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('| ---'))
    .map((line) => line.slice(2, -2).split(' | '))
    .map(([first, ...cells]) => [first, cells]),
)

function rowOf(lower: string, upper: string, isTurned: boolean): readonly string[] {
  const halfspaces = [lower, upper].filter((name) => name === 'halfspace').length
  const curved = [lower, upper].some((name) => CURVED.includes(name))
  const label =
    halfspaces === 2
      ? HALFSPACES
      : halfspaces === 0
        ? curved
          ? CURVED_ON_ANY
          : CORES
        : !curved
          ? CORE_ON_HALFSPACE
          : isTurned
            ? TURNED_ON_HALFSPACE
            : CURVED_ON_HALFSPACE
  return table.get(label) as string[]
}

const POWERS: Record<string, number> = { '10⁻⁹': 1e-9, '10⁻¹²': 1e-12, '10⁻¹³': 1e-13, '10⁻¹⁴': 1e-14 }

/** The part of the extent that the cell leaves open; 0 for what is exact. */
function openPart(cell: string, isTurned: boolean): number {
  if (cell === 'exact' || cell === 'to the last place') return 0
  if (cell.includes('and exact where both are in line') && !isTurned) return 0
  const [power] = Object.keys(POWERS).filter((name) => cell.includes(name))
  return POWERS[power]
}

/** No pair here is farther across. */
const EXTENT = 24

/** A height as far above, or below, as is told from it. */
function beside(y: number, part: number, side: 1 | -1): number {
  return part === 0 ? nextAfter(y, side) : y + side * part * EXTENT
}

/** Turned about the axis on which it stands; what has none stays. */
const ASIDE = { x: 0, y: 0.6, z: 0, w: 0.8 }

const pairs = Object.keys(LOWER).flatMap((lower) =>
  Object.keys(UPPER).flatMap((upper) =>
    (CURVED.includes(lower) || CURVED.includes(upper) ? [false, true] : [false]).map(
      (isTurned) => [lower, upper, isTurned] as const,
    ),
  ),
)

describe('the table of what is exact in space', () => {
  it('has the rows and columns that are kept here', () => {
    expect([...table.keys()]).toEqual([
      'pair',
      CORES,
      CORE_ON_HALFSPACE,
      HALFSPACES,
      CURVED_ON_HALFSPACE,
      TURNED_ON_HALFSPACE,
      CURVED_ON_ANY,
    ])
    expect(['pair', ...(table.get('pair') as string[])]).toEqual(COLUMNS)
  })

  describe.each(pairs)('%s below %s, turned: %s', (lower, upper, isTurned) => {
    const [one, other] = [LOWER[lower], UPPER[upper]]
    const [overlapCell, distanceCell, depthCell, sweepCell] = rowOf(lower, upper, isTurned)
    const turn = (name: string): object => (isTurned && CURVED.includes(name) ? { orientation: ASIDE } : {})
    const a: Body3d = { shape: one.shape, ...turn(lower) }
    const height = one.top.y - other.bottom.y
    const upperAt = (y: number, x = 0): Body3d => ({
      shape: other.shape,
      position: v(one.top.x - other.bottom.x + x, y, one.top.z - other.bottom.z),
      ...turn(upper),
    })
    const open = openPart(overlapCell, isTurned)
    const above = beside(height, open, 1)
    const below = beside(height, open, -1)

    it('overlap', () => {
      const relate = (y: number): unknown[] => {
        const there = ask('overlap', { a, b: upperAt(y), explain: true })
        const back = ask('overlap', { a: upperAt(y), b: a, explain: true })
        expect([back.overlap, back.relation, back.aContainsB, back.bContainsA]).toEqual([
          there.overlap,
          there.relation,
          there.bContainsA,
          there.aContainsB,
        ])
        expect(ask('overlap', { a, b: upperAt(y) })).toEqual({ overlap: there.overlap, relation: there.relation })
        return [there.overlap, there.relation]
      }
      if (open === 0) expect(relate(height)).toEqual([true, 'touching'])
      expect(relate(above)).toEqual([false, 'separated'])
      if (one.isSolid || other.isSolid) expect(relate(below)).toEqual([true, 'overlapping'])
    })

    it('distance', () => {
      if (open === 0) expect(ask('distance', { a, b: upperAt(height) }).distance).toBe(0)
      expect(ask('distance', { a, b: upperAt(above) }).distance).toBeGreaterThan(0)
      const { distance, normal } = ask('distance', { a, b: upperAt(height + 1) })
      const part = Math.max(openPart(distanceCell, isTurned), 2 ** -52)
      expect(Math.abs((distance as number) - 1)).toBeLessThanOrEqual(part * EXTENT)
      expect((normal as Vec3).y).toBeCloseTo(1, 9)
    })

    it('contact', () => {
      if (open === 0) expect(ask('contact', { a, b: upperAt(height) }).touching).toBe(true)
      expect(ask('contact', { a, b: upperAt(above) }).touching).toBe(false)
      expect(ask('contact', { a: upperAt(above), b: a }).separation).toBeGreaterThan(0)
      // A way of 1/16 up parts them, so the least is no longer.
      const { touching, separation } = ask('contact', { a, b: upperAt(height - 1 / 16) })
      if (one.isSolid || other.isSolid) expect(touching).toBe(true)
      expect(separation).toBeGreaterThanOrEqual(-1 / 16 - openPart(depthCell, isTurned) * EXTENT)
    })

    it('time-of-impact', () => {
      const fall = { ...upperAt(height + 1), velocity: v(0, -2, 0) }
      const { hit, time, status } = ask('time-of-impact', { a, b: fall, duration: 4 })
      expect([hit, status]).toEqual([true, 'converged'])
      expect(time).toBeCloseTo(0.5, 9)
      const part = openPart(sweepCell, isTurned)
      const slide = (y: number): unknown =>
        ask('time-of-impact', { a, b: { ...upperAt(y, -8), velocity: v(16, 0, 0) }, duration: 1 }).hit
      if (part === 0) expect(slide(height)).toBe(true)
      else if (one.isSolid || other.isSolid) expect(slide(beside(height, part, -1))).toBe(true)
      expect(slide(beside(height, part, 1))).toBe(false)
    })
  })

  describe.each(
    Object.keys(LOWER).flatMap((name) => [
      [name, false] as const,
      ...(CURVED.includes(name) ? [[name, true] as const] : []),
    ]),
  )('%s, turned: %s', (name, isTurned) => {
    it('ray-cast', () => {
      const { shape, top } = LOWER[name]
      const body: Body3d = isTurned ? { shape, orientation: ASIDE } : { shape }
      const part = isTurned ? 1e-12 : 0
      const cast = (y: number): unknown =>
        ask('ray-cast', { ray: { origin: v(-8, y, top.z), direction: v(1, 0, 0) }, targets: [body] }).hits
      const hits = (y: number): number => (cast(y) as unknown[]).length
      if (part === 0) expect(hits(top.y)).toBe(1)
      else expect(hits(beside(top.y, part, -1))).toBe(1)
      expect(hits(beside(top.y, part, 1))).toBe(0)
    })
  })
})
