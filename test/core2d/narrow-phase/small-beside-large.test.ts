// What is far smaller than its pair: normals without digits, ellipses that rounding hides.

import { describe, expect, it } from 'vitest'
import { countSteps } from '../../../src/containers/budget.ts'
import { contact, createContact } from '../../../src/core2d/queries/contact.ts'
import { createDistance, distance } from '../../../src/core2d/queries/distance.ts'
import { relate } from '../../../src/core2d/queries/overlap.ts'
import { UNIT_X, UNIT_Y } from '../../../src/core2d/shape/body.ts'
import { queries } from '../../../src/queries/stateless/all.ts'
import { prepare } from '../../support/answers/slots.ts'

describe('half-planes with a normal below the normal doubles', () => {
  it.each([0, 1, -2.9])('have a unit normal when they are turned by %s', (rotation) => {
    const [x, y] = [-6.3e-322, -1.6e-322]
    const small = prepare({ shape: { type: 'halfplane', normal: { x, y }, offset: 0 }, rotation })
    const large = prepare({
      shape: { type: 'halfplane', normal: { x: x * 2 ** 1000, y: y * 2 ** 1000 }, offset: 0 },
      rotation,
    })
    expect(Math.hypot(small.numbers[UNIT_X], small.numbers[UNIT_Y])).toBeCloseTo(1, 15)
    expect([small.numbers[UNIT_X], small.numbers[UNIT_Y]]).toEqual([large.numbers[UNIT_X], large.numbers[UNIT_Y]])
  })

  it('let a circular way out end where it does', () => {
    const halfplane = { shape: { type: 'halfplane', normal: { x: -6.3e-322, y: -1.6e-322 }, offset: 0 } } as const
    const star = [2, 1, 2, 1, 2, 1].map((radius, i) => ({ x: radius * Math.cos(i), y: radius * Math.sin(i) }))
    const a = prepare({
      shape: {
        type: 'compound',
        children: [{ ...halfplane, rotation: 1 }, { shape: { type: 'region', outer: star } }],
      },
    })
    const b = prepare({
      shape: { type: 'capsule', a: { x: -1, y: 0 }, b: { x: 1, y: 0 }, radius: 7 },
      position: { x: 3, y: -6 },
    })
    const found = createContact()
    const { steps } = countSteps(() => contact(a, b, 0, found))
    expect(found.exact).toBe(true)
    expect(steps).toBeLessThan(2 ** 14)
  })
})

describe.each([0, Math.PI / 4])('an ellipse below the normal doubles, turned by %s', (rotation) => {
  const ellipse = { shape: { type: 'ellipse', rx: 2e-309, ry: 5e-324 }, rotation } as const
  const segment = { type: 'segment', a: { x: 0, y: 0 }, b: { x: 0, y: 1e-5 } } as const

  it.each([
    ['a circle', { type: 'circle', radius: 0.25 } as const, 0.75],
    ['a segment', segment, 1],
  ])('has the distance from %s that a point has', (_, shape, expected) => {
    const a = prepare({ shape, position: { x: 0, y: 1 } })
    const b = prepare(ellipse)
    const found = createDistance()
    distance(a, b, found)
    expect(relate(a, b)).toBe(1)
    expect(found.distance).toBe(expected)
    expect(found.nx).toBeCloseTo(0)
    expect(found.ny).toBe(-1)
  })

  it('is met by what turns, at a time', () => {
    const query = queries.find(({ op }) => op === 'time-of-impact')
    const a = { shape: segment, position: { x: 0, y: 0.0625 }, velocity: { x: 0, y: -0.0625 }, angularVelocity: 2.17 }
    const limits = {
      maxVertices: 100,
      maxParts: 1,
      maxTargets: 1,
      maxImpacts: 1,
      maxBodies: 1,
      maxPairs: 1,
      maxCells: 1,
    }
    const answer = query?.answer({ a, b: ellipse, duration: 1 }, limits)
    expect(answer).toMatchObject({ hit: true, status: 'converged' })
    expect((answer as { time: number }).time).toBeCloseTo(1, 12)
  })
})
