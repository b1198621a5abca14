// A point that is found in doubles lies inside both bodies, by the exact test: also where they hardly overlap, far from the origin, of
// very different size, of subnormal numbers, and turned by a quarter.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundDistance, createBounds } from '../../../src/core3d/narrow-phase/gjk.ts'
import { findInHalfspace, findInnerPoint, isClearlyInside } from '../../../src/core3d/narrow-phase/inner-point.ts'
import { type PairFrame, pairInRange } from '../../../src/core3d/narrow-phase/pair-frame.ts'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { bodiesMeet, createOverlap, overlap, relate } from '../../../src/core3d/queries/overlap.ts'
import { HALFSPACE } from '../../../src/core3d/shape/body.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { everyBody } from '../../support/families/convex-bodies.ts'
import { runCount, runs } from '../../support/runs.ts'

const half = Math.SQRT1_2
const turns = fc.oneof(
  fc.constantFrom<CaseBody['orientation']>(
    undefined,
    [0, 0, half, half],
    [half, 0, 0, half],
    [0.5, 0.5, -0.5, 0.5],
    [2 ** -30, 0, 0, 1],
  ),
  fc
    .tuple(...Array.from({ length: 4 }, () => fc.double({ min: -1, max: 1, noNaN: true })))
    .filter((q) => Math.hypot(...q) > 0.1)
    .map((q) => q.map((x) => x / Math.hypot(...q)) as CaseBody['orientation']),
)

/** All lengths times a factor. */
function resize({ shape, position, orientation }: CaseBody, factor: number): CaseBody {
  const times = (value: unknown): unknown => {
    if (typeof value === 'number') return value * factor
    return Array.isArray(value) ? value.map(times) : value
  }
  const lengths = Object.entries(shape).map(([name, value]) => [name, name === 'normal' ? value : times(value)])
  return { shape: Object.fromEntries(lengths) as CaseShape, position: times(position) as Triple, orientation }
}

const uneven = fc.oneof(fc.constant(1), fc.double({ min: 0.1, max: 3, noNaN: true }))
const bodies = fc
  .tuple(everyBody, turns, uneven)
  .map(([body, orientation, factor]) => resize({ ...body, orientation }, factor))

/** By how much they overlap once B has been moved: not at all, by parts of their size down to nothing, or as drawn. */
const depths = fc.oneof(
  fc.constant(null),
  fc.constant(0),
  fc.integer({ min: -56, max: -3 }).map((power) => 2 ** power),
)

const sizes = fc.constantFrom(1, 1, 1e-6, 1e6, 2 ** -300, 2 ** 300, 2 ** -1060)
const far = fc.constantFrom(0, 0, 0, 1e3, 1e6, 1e9)

interface Case {
  a: CaseBody
  b: CaseBody
}

const cases: fc.Arbitrary<Case> = fc
  .tuple(bodies, bodies, depths, sizes, fc.constantFrom(1, 1, 1, 1e-6, 1e6), far)
  .map(([a, small, depth, size, ratio, away]) => {
    let b = resize(small, ratio)
    const found = createContact()
    for (let step = 0; step < 2 && depth !== null; step++) {
      contact(bodyOf(a), bodyOf(b), found)
      const way = found.separation + depth
      if (Number.isFinite(way)) b = moved(b, [-way * found.nx, -way * found.ny, -way * found.nz])
    }
    const place: Triple = [away, -away / 3, away]
    return { a: resize(moved(a, place), size), b: resize(moved(b, place), size) }
  })

function moved(body: CaseBody, by: Triple): CaseBody {
  return { ...body, position: body.position.map((x, k) => x + by[k]) as Triple }
}

const bounds = createBounds()
const inner = new Float64Array(3)
const out = createOverlap()

function isPierced(frame: PairFrame): boolean {
  if (frame.second.kind === HALFSPACE) return findInHalfspace(frame, inner)
  boundDistance(frame, bounds)
  return findInnerPoint(frame, bounds, inner)
}

const at = (x: number, y: number, z: number) => bodyOf({ shape: { type: 'point' }, position: [x, y, z] })

describe('a point that is found inside both bodies', () => {
  it('lies in both by the exact test, of a pair that overlaps by the exact test', () => {
    let pierced = 0
    fc.assert(
      fc.property(cases, ({ a, b }) => {
        const [first, second] = [bodyOf(a), bodyOf(b)]
        const frame = pairInRange(first, second)
        if (!isPierced(frame)) return
        pierced++
        overlap(first, second, out)
        expect(out.relation).toBe(relate(first, second))
        expect(out.relation).toBeLessThanOrEqual(isClearlyInside(frame) ? -1 : 0)
        const point = at(out.px, out.py, out.pz)
        expect([first, second].map((body) => bodiesMeet(point, body))).toEqual([true, true])
      }),
      runs(60_000),
    )
    expect(pierced).toBeGreaterThan(runCount(3000))
  })

  it('is found of nearly all pairs of solids that overlap clearly', () => {
    const shapes: CaseShape[] = [
      { type: 'sphere', radius: 1 },
      { type: 'capsule', a: [-1, 0, 0], b: [1, 0.5, 0], radius: 0.5 },
      { type: 'box', size: [1, 2, 3] },
      { type: 'box', size: [1, 1, 2], radius: 0.25 },
      { type: 'cylinder', radius: 1, height: 2 },
      { type: 'cone', radius: 1, height: 2 },
      { type: 'ellipsoid', radii: [1, 0.5, 0.75] },
      { type: 'halfspace', normal: [1, 2, 2], offset: 0.25 },
    ]
    const pick = fc.constantFrom(...shapes)
    let missed = 0
    let seen = 0
    fc.assert(
      fc.property(pick, pick, turns, turns, fc.integer({ min: -30, max: -2 }), (one, other, p, q, power) => {
        fc.pre(one.type !== 'halfspace')
        const found = createContact()
        const a: CaseBody = { shape: one, position: [0, 0, 0], orientation: p }
        let b: CaseBody = { shape: other, position: [5, 1, 2], orientation: q }
        for (let step = 0; step < 2; step++) {
          contact(bodyOf(a), bodyOf(b), found)
          const way = found.separation + 2 ** power
          b = moved(b, [-way * found.nx, -way * found.ny, -way * found.nz])
        }
        seen++
        if (!isPierced(pairInRange(bodyOf(a), bodyOf(b)))) missed++
      }),
      runs(5000),
    )
    expect(missed).toBeLessThanOrEqual(seen / 100)
  })
})
