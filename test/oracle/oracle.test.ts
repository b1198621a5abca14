// The oracle itself: known answers, and agreement with an independent approximate method and with the exact cases.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RayDefinition } from '../../schemas/queries/ray-cast.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { BOUNDED_TYPES, GRID, SHAPE_TYPES, UNIFORM, unrotatedBody } from '../support/families/arbitraries.ts'
import { pairTolerance } from '../support/families/extent.ts'
import { pairFamilies } from '../support/families/pair-families.ts'
import { runs } from '../support/runs.ts'
import { casesPresent, readCases } from '../support/shared-cases.ts'
import { signOfRadical, signOfTwoRadicals } from './exact-numbers.ts'
import { exactRayCast } from './exact-ray.ts'
import { exactRelation, exactSeparation } from './exact-relation.ts'
import { measuredBody, sweptSeparation } from './measured-bodies.ts'
import { signedDistance } from './point-distance.ts'

const point = (x: number, y: number): Body2d => ({ shape: { type: 'point' }, position: { x, y } })
const segment = (ax: number, ay: number, bx: number, by: number): Body2d => ({
  shape: { type: 'segment', a: { x: ax, y: ay }, b: { x: bx, y: by } },
})
const square: Body2d = { shape: { type: 'box', width: 2, height: 2 } }
const disk = (x: number, y: number, radius: number): Body2d => ({
  shape: { type: 'circle', radius },
  position: { x, y },
})

const COMPOSITE = /chain|region|compound/

/** Rotated, or with a child that is. */
function isTurned({ shape, rotation }: Body2d): boolean {
  return (rotation ?? 0) !== 0 || (shape.type === 'compound' && shape.children.some(isTurned))
}

describe('known answers', () => {
  it.each([
    ['point inside a box', square, point(0.5, 0), -1, -0.5],
    ['point on a box', square, point(1, 0.25), 0, 0],
    ['point one ulp outside a box', square, point(1 + 2 ** -52, 0.25), 1, 2 ** -52],
    ['point on a segment', segment(0, 0, 4, 2), point(2, 1), 0, 0],
    ['crossing segments', segment(-1, 0, 1, 0), segment(0, -1, 0, 1), -1, -1],
    ['collinear overlapping segments', segment(0, 0, 3, 3), segment(1, 1, 5, 5), 0, 0],
    ['circles touching along 3-4-5', disk(0, 0, 2), disk(3, 4, 3), 0, 0],
    ['circles overlapping', disk(0, 0, 2), disk(3, 4, 3.5), -1, -0.5],
    ['concentric circles', disk(0, 0, 2), disk(0, 0, 1), -1, -3],
    ['points apart', point(0, 0), point(3, 4), 1, 5],
  ] as const)('%s', (_name, a, b, relation, separation) => {
    expect(exactRelation(a, b)).toBe(relation)
    expect(exactSeparation(a, b)).toBeCloseTo(separation, 14)
  })

  it('decides ellipses by the pencil of their conics', () => {
    const ellipse = (x: number, y: number, rx: number, ry: number): Body2d => ({
      shape: { type: 'ellipse', rx, ry },
      position: { x, y },
    })
    expect(exactRelation(ellipse(0, 0, 2, 1), ellipse(5, 0, 3, 4))).toBe(0)
    expect(exactRelation(ellipse(0, 0, 2, 1), ellipse(5 + 2 ** -50, 0, 3, 4))).toBe(1)
    expect(exactRelation(ellipse(0, 0, 2, 1), ellipse(5 - 2 ** -50, 0, 3, 4))).toBe(-1)
    expect(exactRelation(ellipse(0, 0, 2, 1), ellipse(0.25, 0, 0.5, 0.25))).toBe(-1)
    expect(exactRelation(ellipse(0, 0, 2, 1), ellipse(1, 0, 1, 0.5))).toBe(-1)
  })

  it('takes the sign of sums with roots', () => {
    expect(signOfRadical(-3n, 2n, 2n)).toBe(-1)
    expect(signOfRadical(-2n, 1n, 4n)).toBe(0)
    expect(signOfTwoRadicals(-5n, 1n, 4n, 1n, 9n)).toBe(0)
    expect(signOfTwoRadicals(0n, 1n, 5n, -1n, 6n)).toBe(-1)
    expect(signOfTwoRadicals(3n, 1n, 5n, -2n, 7n)).toBe(-1)
    expect(signOfTwoRadicals(3n, 2n, 5n, -2n, 7n)).toBe(1)
  })

  it('casts rays with a limit in world units', () => {
    const ray = (maxDistance?: number): RayDefinition => ({
      origin: { x: -3, y: -4 },
      direction: { x: 30, y: 40 },
      ...(maxDistance === undefined ? {} : { maxDistance }),
    })
    expect(exactRayCast(ray(), disk(0, 0, 1))).toEqual({ hit: true, startedInside: false, distance: 4 })
    expect(exactRayCast(ray(4), disk(0, 0, 1)).hit).toBe(true)
    expect(exactRayCast(ray(4 - 2 ** -50), disk(0, 0, 1)).hit).toBe(false)
    expect(exactRayCast(ray(5), point(0, 0))).toEqual({ hit: true, startedInside: false, distance: 5 })
    expect(exactRayCast(ray(5 - 2 ** -50), point(0, 0)).hit).toBe(false)
    expect(exactRayCast(ray(), square)).toMatchObject({ hit: true, startedInside: false })
  })
})

describe('against the sweep over all directions', () => {
  it.each(Object.entries(pairFamilies(SHAPE_TYPES)).slice(0, 6))('%s', (_name, pairs) => {
    fc.assert(
      fc.property(pairs, ({ a, b }) => {
        const swept = sweptSeparation(measuredBody(a), measuredBody(b))
        const tolerance = pairTolerance(a, b)
        const relation = exactRelation(a, b)
        const separation = exactSeparation(a, b)
        if (separation !== null) expect(Math.abs(separation - swept)).toBeLessThanOrEqual(tolerance)
        if (relation !== null && Math.abs(swept) > tolerance) expect(relation).toBe(Math.sign(swept))
        if (relation === 0) expect(Math.abs(swept)).toBeLessThanOrEqual(tolerance)
      }),
      runs(400),
    )
  })

  it('measures points as the sweep does', () => {
    fc.assert(
      fc.property(unrotatedBody(UNIFORM), unrotatedBody(GRID, ['point']), (body, probe) => {
        const measured = measuredBody(body)
        const swept = sweptSeparation(measured, measuredBody(probe))
        const direct = signedDistance(measured, probe.position ?? { x: 0, y: 0 })
        expect(Math.abs(swept - direct)).toBeLessThanOrEqual(pairTolerance(body, probe))
      }),
      runs(1000),
    )
  })
})

it('casts rays as it relates long segments', () => {
  const limited = fc.record({
    origin: fc.record({ x: GRID.coordinate, y: GRID.coordinate }),
    step: fc.constantFrom<[number, number][]>([3, 4], [4, -3], [1, 0], [0, -1], [-8, 6], [-5, -12]),
    count: fc.integer({ min: 0, max: 3 }),
  })
  fc.assert(
    fc.property(limited, unrotatedBody(GRID, BOUNDED_TYPES), ({ origin, step: [x, y], count }, target) => {
      const ray = { origin, direction: { x, y }, maxDistance: count * Math.hypot(x, y) }
      const end = { x: origin.x + count * x, y: origin.y + count * y }
      const relation = exactRelation({ shape: { type: 'segment', a: origin, b: end } }, target)
      if (relation !== null) expect(exactRayCast(ray, target).hit).toBe(relation <= 0)
    }),
    runs(4000),
  )
})

describe.skipIf(!casesPresent)('against the exact cases (skipped when ../shared/cases is absent)', () => {
  it.each(['overlap', 'distance', 'contact', 'degenerate'] as const)('%s', (file) => {
    const wrong = readCases(file)
      .filter(({ kind, a, b }) => kind !== 'ray' && !isTurned(a) && !isTurned(b))
      .filter(({ a, b, expect: { overlap, distance, touching } }) => {
        const relation = exactRelation(a, b)
        return relation !== null && relation <= 0 !== (overlap ?? touching ?? distance === 0)
      })
    expect(wrong.map(({ id }) => id)).toEqual([])
  })

  it('ray', () => {
    const wrong = readCases('ray')
      .filter(({ a }) => !isTurned(a) && !COMPOSITE.test(a.shape.type))
      .filter(({ a, ray, expect: { hit, inside, distance = 0 }, tol }) => {
        const answer = exactRayCast(ray, a)
        const lengthIsWrong = answer.distance !== null && Math.abs(answer.distance - distance) > (tol.distance ?? 0)
        return (
          answer.hit !== hit || (hit && (answer.startedInside !== (inside ?? answer.startedInside) || lengthIsWrong))
        )
      })
    expect(wrong.map(({ id }) => id)).toEqual([])
  })
})
