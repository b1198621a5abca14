// Contacts do not hang on what the slots of the bodies have held before.

import { expect, it } from 'vitest'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { type Body, createBody, setPose } from '../../../src/core3d/shape/body.ts'
import {
  setBox,
  setCone,
  setCylinder,
  setEllipsoid,
  setHalfspace,
  setHull,
  setSphere,
} from '../../../src/core3d/shape/shapes.ts'

const ORIGIN = { position: [0, 0, 0] } as const
const FORMER: ((slot: Body) => void)[] = [
  (slot) => setSphere(slot, 1),
  (slot) => setCylinder(slot, 5, 3, 'x'),
  (slot) => setHalfspace(slot, [3, -4, 5], 6),
  (slot) => setEllipsoid(slot, [7, 8, 9]),
  (slot) => setBox(slot, [2, 3, 4], 0),
  (slot) => setHull(slot, Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), 4, 0),
]
const SHAPES: [name: string, set: (slot: Body) => void][] = [
  ['spheres', (slot) => setSphere(slot, 1)],
  ['cylinders', (slot) => setCylinder(slot, 1, 2, 'z')],
  ['boxes', (slot) => setBox(slot, [1, 2, 3], 0.5)],
  ['hulls', (slot) => setHull(slot, Float64Array.of(0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2), 4, 0)],
  ['cones', (slot) => setCone(slot, 1, 2, 'y')],
  ['ellipsoids', (slot) => setEllipsoid(slot, [1, 2, 3])],
]

function filled(former: (slot: Body) => void, set: (slot: Body) => void): Body {
  const slot = createBody()
  for (const each of [former, set]) {
    setPose(slot, ORIGIN)
    each(slot)
  }
  return slot
}

it.each(SHAPES)('of two equal %s are the same whatever was there before', (_name, set) => {
  const answers = FORMER.flatMap((before) =>
    FORMER.map((other) => {
      const out = createContact()
      contact(filled(before, set), filled(other, set), out)
      return out
    }),
  )
  for (const answer of answers) expect(answer).toEqual(answers[0])
})
