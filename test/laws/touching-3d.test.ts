// Convex bodies in space that touch: their separation is 0, not what rounding makes of it, and so are those of the points that touch.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contact, createContact } from '../../src/core3d/queries/contact.ts'
import { contactPoints } from '../../src/core3d/queries/contact-points.ts'
import { relate } from '../../src/core3d/queries/overlap.ts'
import { bodyOf, type CaseBody, type Triple } from '../support/convex-cases-3d.ts'
import { everyBody, triples } from '../support/families/convex-bodies.ts'
import { isLongRun, runCount, runs } from '../support/runs.ts'

const found = createContact()

/** Holds the contact of a pair; returns whether it only touches. */
function touches(wireA: CaseBody, wireB: CaseBody): boolean {
  const a = bodyOf(wireA)
  const b = bodyOf(wireB)
  const relation = relate(a, b)
  contact(a, b, found)
  const { separation, touching, tx, ty, tz } = found
  expect(touching).toBe(relation <= 0)
  if (relation !== 0) {
    if (relation > 0) expect(separation).toBeGreaterThan(0)
    return false
  }
  // Neither −0.
  expect([separation, tx, ty, tz]).toEqual([0, 0, 0, 0])
  const points = contactPoints(a, b, found, 0, 64)
  expect(points.length).toBeGreaterThan(0)
  for (const point of points) expect(point.separation).toBe(0)
  return true
}

const turns = fc.constantFrom<CaseBody['orientation']>(undefined, undefined, [1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5])
const bodies = fc
  .tuple(everyBody, turns)
  .map(([body, orientation]): CaseBody => (body.shape.type === 'aabb' ? body : { ...body, orientation }))

it('is 0 for bodies of every kind that touch', () => {
  const kinds = new Set<string>()
  let count = 0
  fc.assert(
    fc.property(bodies, bodies, (a, b) => {
      if (!touches(a, b)) return
      count++
      kinds.add(a.shape.type).add(b.shape.type)
    }),
    runs(12_000),
  )
  expect(count).toBeGreaterThan(runCount(100))
  if (isLongRun) expect(kinds.size).toBe(12)
})

it('is 0 for points on curved surfaces', () => {
  // Sides and rims at whole multiples of 3, 4 and 5, where rounding leaves most.
  const on: [CaseBody['shape'], Triple][] = [
    [{ type: 'cylinder', radius: 5, height: 4 }, [3, 1, 4]],
    [{ type: 'cylinder', radius: 5, height: 4 }, [3, 2, -4]],
    [{ type: 'cone', radius: 10, height: 8 }, [3, 0, 4]],
    [{ type: 'cone', radius: 5, height: 8 }, [-3, -4, 4]],
    [{ type: 'cone', radius: 100, height: 8 }, [-40, 0, -30]],
    [{ type: 'cone', radius: 20, height: 16 }, [6, 0, 8]],
    [{ type: 'ellipsoid', radii: [5, 10, 15] }, [3, 0, 12]],
    [{ type: 'ellipsoid', radii: [15, 5, 10] }, [9, 4, 0]],
    [{ type: 'sphere', radius: 3 }, [1, -2, 2]],
    [{ type: 'capsule', a: [0, 0, 0], b: [4, 0, 0], radius: 7 }, [-2, 3, -6]],
    [{ type: 'halfspace', normal: [2, 3, 6], offset: 7 }, [2, 3, 6]],
  ]
  fc.assert(
    fc.property(fc.constantFrom(...on), triples, fc.constantFrom(1, 0.125, 2 ** 300), ([shape, point], place, size) => {
      const normalPoint = shape.type === 'halfspace' ? point.map((x) => x / 7) : point
      const times = (vector: readonly number[]): Triple => vector.map((x) => x * size) as Triple
      const larger = Object.fromEntries(
        Object.entries(shape).map(([name, value]) => {
          if (name === 'normal' || typeof value === 'string') return [name, value]
          return [name, Array.isArray(value) ? times(value) : value * size]
        }),
      ) as unknown as CaseBody['shape']
      const position = times(place)
      const end = times(place.map((x, k) => x + normalPoint[k]))
      const isExact = end.every((x, k) => x - position[k] === size * normalPoint[k])
      if (shape.type === 'halfspace' && !isExact) return
      const body: CaseBody = { shape: larger, position }
      const tip: CaseBody = { shape: { type: 'point' }, position: end }
      if (shape.type !== 'halfspace') expect([touches(body, tip), touches(tip, body)]).toEqual([true, true])
      else touches(body, tip)
    }),
    runs(300),
  )
})
