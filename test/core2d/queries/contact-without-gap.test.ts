/**
 * A contact whose gap is not wanted is the contact where the bodies are near enough, and says that they are apart elsewhere.
 */

import { describe, expect, it } from 'vitest'
import { contact, createContact } from '../../../src/core2d/queries/contact.ts'
import { relate } from '../../../src/core2d/queries/overlap.ts'
import { prepare } from '../../support/answers/slots.ts'
import { CLOSED_PAIRS, createDraw, drawBody, NUMBERS } from '../../support/families/closed-pairs.ts'
import { runCount, seed } from '../../support/runs.ts'

const RUNS = Math.ceil(runCount(200))

describe.each(Object.keys(NUMBERS))('%s', (family) => {
  it.each(CLOSED_PAIRS)('%s and %s', (typeA, typeB) => {
    const draw = createDraw(seed())
    for (let run = 0; run < RUNS; run++) {
      const numbers = NUMBERS[family](draw)
      const a = prepare(drawBody(typeA, numbers, draw))
      const b = prepare(drawBody(typeB, numbers, draw))
      const whole = createContact()
      const found = createContact()
      const any = createContact()
      contact(a, b, Infinity, any)
      const limit = draw() < 0.5 ? 0 : Math.abs(any.separation) * (draw() < 0.3 ? 1 : 2 * draw())
      contact(a, b, limit, whole)
      contact(a, b, limit, found, false)
      if (whole.separation <= limit) expect(found).toEqual(whole)
      else expect([found.relation, found.count]).toEqual([1, 0])
      expect(relate(a, b)).toBe(whole.relation)
    }
  })
})
