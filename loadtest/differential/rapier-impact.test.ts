/** Times of impact without spin against Rapier's castShape (parry, single precision), to single precision. */
import RAPIER from '@dimforge/rapier2d-compat'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { contactAnswer } from '../../test/support/answers/answers.ts'
import { AT_REST, advancedPair, impactAnswer } from '../../test/support/answers/impact-answers.ts'
import { runs } from '../../test/support/runs.ts'
import { peer } from './rapier-peer.ts'
import { plainMotion } from './well-conditioned.ts'

const TOLERANCE = 1e-3
/** A contact this shallow may be found or not in single precision. */
const SHALLOW = 2e-2

beforeAll(() => RAPIER.init())

it('castShape', () => {
  fc.assert(
    fc.property(plainMotion(['circle', 'segment', 'capsule', 'box', 'polygon']), (pair) => {
      const { a, b, duration } = pair
      if (contactAnswer(pair).separation <= SHALLOW) return
      const [shapeA, positionA, turnA] = peer(a)
      const [shapeB, positionB, turnB] = peer(b)
      const { velocity: v = AT_REST } = a
      const { velocity: w = AT_REST } = b
      const hit = shapeA.castShape(positionA, turnA, v, shapeB, positionB, turnB, w, 0, duration, true)
      const answer = impactAnswer(pair)
      const at = (t: number): number => contactAnswer(advancedPair(pair, t)).separation
      if ((answer === null) !== (hit === null)) {
        const samples = Array.from({ length: 100 }, (_, i) => at((duration * i) / 99))
        expect(Math.min(...samples)).toBeGreaterThanOrEqual(-SHALLOW)
        return
      }
      if (answer === null || hit === null || Math.abs(answer.time - hit.time_of_impact) <= TOLERANCE) return
      expect(Math.abs(at((answer.time + hit.time_of_impact) / 2))).toBeLessThanOrEqual(SHALLOW)
    }),
    runs(2000),
  )
})
