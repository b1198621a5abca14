// No translation shorter than the answer parts an overlapping pair of concave bodies, and the answer does: for searches so long
// that they first find out what they need not look at.

import { describe, expect, it } from 'vitest'
import {
  circlesInOneLine,
  gear,
  needles,
  randomChain,
  randomNumbers,
  rosette,
  roughDisc,
  squares,
  star,
  turnedBoxes,
} from '../../loadtest/slow-shapes.ts'
import type { Shape2d } from '../../schemas/shapes2d.ts'
import { countSteps } from '../../src/containers/budget.ts'
import { contact, createContact } from '../../src/core2d/queries/contact.ts'
import { relate } from '../../src/core2d/queries/overlap.ts'
import { TRANSLATION_STEP_COUNT } from '../../src/core2d/tolerances.ts'
import { prepare } from '../support/answers/slots.ts'

const SAMPLES = 150
/** Of a pair that takes a third of a second to look at. */
const FEW_SAMPLES = 40

const found = createContact()

describe.each<[string, Shape2d, Shape2d, boolean, number?]>([
  ['stars', star(160), star(160), true],
  ['a star and a gear', star(200), gear(200), true],
  ['rough discs', roughDisc(200, 3), roughDisc(200, 4), true],
  ['random chains', randomChain(150, 5), randomChain(150, 6), true],
  ['a rosette and a star', rosette(100), star(200), true],
  ['circles in a line and a rough disc', circlesInOneLine(100), roughDisc(200, 7), true],
  ['boxes about one point', turnedBoxes(40), turnedBoxes(30), true],
  ['squares', squares(90), squares(90), true, FEW_SAMPLES],
  ['needles and a star', needles(30, 8), star(100), false],
])('%s', (_name, shapeA, shapeB, exact, samples = SAMPLES) => {
  const random = randomNumbers(9)
  const pose = { x: 0.2 + random() / 4, y: random() / 4 }
  const a = prepare({ shape: shapeA })
  const b = (x: number, y: number) => prepare({ shape: shapeB, position: { x: pose.x + x, y: pose.y + y } })
  const { steps } = countSteps(() => contact(a, b(0, 0), 0, found))
  const { tx, ty, separation, exact: isExact } = found

  it('ends within its limit, with an answer that says what it is', () => {
    expect(isExact).toBe(exact)
    expect(steps).toBeLessThan(2 * TRANSLATION_STEP_COUNT)
    expect(Math.hypot(tx, ty)).toBeCloseTo(-separation, 12)
  })

  it('is parted by the translation', () => {
    expect(relate(a, b(tx * (1 + 1e-9), ty * (1 + 1e-9)))).toBeGreaterThanOrEqual(0)
  })

  it('is parted by no shorter one', () => {
    // Beside ellipses the answer may miss the best one by as much as polygons reach beyond them.
    const most = -separation * (exact ? 1 - 1e-9 : 0.99)
    for (let i = 0; i < samples; i++) {
      const angle = 2 * Math.PI * random()
      const length = most * (i % 2 === 0 ? 1 : Math.sqrt(random()))
      expect(relate(a, b(length * Math.cos(angle), length * Math.sin(angle)))).toBe(-1)
    }
  })
})
