// The core's impacts of unrotated bodies without spin are the exact ones: hit or miss, grazing, ending at the contact, entry and exit.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contactAnswer, distanceAnswer } from '../support/answers/answers.ts'
import { advancedPair, impactAnswer, type MovingPair } from '../support/answers/impact-answers.ts'
import { EXACT_TYPES, unrotatedBody } from '../support/families/arbitraries.ts'
import { unrotatedComposite } from '../support/families/composite-arbitraries.ts'
import { ACCURACY_RATIO, pairExtent, pairTolerance } from '../support/families/extent.ts'
import { motionFamilies } from '../support/families/motion-families.ts'
import { runs, unshrunk } from '../support/runs.ts'
import { exactSweep } from './exact-sweep.ts'

/** Allowed error of a time, by the way that the pair goes in it. */
function timeTolerance(pair: MovingPair): number {
  const { a, b, duration } = pair
  const speed = Math.hypot((a.velocity?.x ?? 0) - (b.velocity?.x ?? 0), (a.velocity?.y ?? 0) - (b.velocity?.y ?? 0))
  const end = advancedPair(pair, duration)
  const length = pairTolerance(a, b) + ACCURACY_RATIO * pairExtent(end.a, end.b)
  return speed > 0 ? length / speed : 0
}

function check(pair: MovingPair): void {
  const expected = exactSweep(pair)
  if (expected === null) return
  const answer = impactAnswer(pair)
  expect(answer !== null).toBe(expected.hit)
  if (answer === null) return
  expect(answer.converged).toBe(true)
  expect(answer.startedOverlapping).toBe(expected.relation <= 0)
  const { duration } = pair
  const tolerance = timeTolerance(pair)
  expect(answer.time).toBeGreaterThanOrEqual(0)
  expect(answer.time).toBeLessThanOrEqual(duration)
  if (expected.entry === null) return
  expect(Math.abs(answer.time - expected.entry * duration)).toBeLessThanOrEqual(tolerance)
  const parting = answer.exitTime ?? duration
  const exact = expected.exit === null ? duration : expected.exit * duration
  if (Math.abs(parting - exact) <= tolerance) return
  // In between they are apart, or in each other, by less than any length promises.
  const length = pairTolerance(pair.a, pair.b)
  for (let i = 1; i < 16; i++) {
    const between = advancedPair(pair, exact + ((parting - exact) * i) / 16)
    if (parting > exact) expect(distanceAnswer(between).distance).toBeLessThanOrEqual(length)
    else expect(contactAnswer(between).separation).toBeGreaterThanOrEqual(-length)
  }
}

describe('points, segments, boxes, polygons, circles, capsules', () => {
  it.each(Object.entries(motionFamilies((source) => unrotatedBody(source, EXACT_TYPES))))('%s', (_name, pairs) => {
    fc.assert(fc.property(pairs, check), runs(400))
  })
})

describe('with half-planes', () => {
  const families = motionFamilies((source) => unrotatedBody(source, [...EXACT_TYPES, 'halfplane', 'halfplane']))
  it.each(Object.entries(families).slice(0, 4))('%s', (_name, pairs) => {
    fc.assert(fc.property(pairs, check), runs(200))
  })
})

describe('chains, regions, compounds', () => {
  it.each(Object.entries(motionFamilies((source) => unrotatedComposite(source, EXACT_TYPES))))('%s', (_name, pairs) => {
    fc.assert(fc.property(pairs, check), unshrunk(150))
  })
})
