// When bodies that spin meet and part, and where they touch.

import { describe, expect, it } from 'vitest'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../../../src/core3d/motion/time-of-impact.ts'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { POSITION } from '../../../src/core3d/shape/body.ts'
import { type Motion, turnBody } from '../../../src/core3d/shape/motion.ts'
import { bodyOf, type CaseBody, type Triple } from '../../support/convex-cases-3d.ts'
import { moveBody, scaleBody, TURNS, turnBody as turnCase, turned } from '../../support/families/moved-bodies-3d.ts'

interface Mover extends CaseBody {
  velocity: Triple
  spin: Triple
}

const motionOf = ({ velocity: [vx, vy, vz], spin: [wx, wy, wz] }: Mover): Motion => ({ vx, vy, vz, wx, wy, wz })

function impact(a: Mover, b: Mover, duration = 4): TimeOfImpact {
  const out = createTimeOfImpact()
  timeOfImpact(bodyOf(a), motionOf(a), bodyOf(b), motionOf(b), duration, false, 'exit', out)
  return out
}

const STILL = { velocity: [0, 0, 0] as Triple, spin: [0, 0, 0] as Triple }

interface Variant {
  name: string
  a: Mover
  b: Mover
  /** By which lengths are multiplied. */
  size: number
}

/** Swapped, moved by a million, larger and smaller, and turned by the quarter turns that mirror nothing. */
function variantsOf(a: Mover, b: Mover): Variant[] {
  const times = ({ velocity, spin, ...body }: Mover, size: number): Mover => ({
    ...scaleBody(body, size),
    velocity: velocity.map((v) => v * size) as Triple,
    spin,
  })
  const inTurn = (turn: (typeof TURNS)[number], { velocity, spin, ...body }: Mover): Mover => ({
    ...turnCase(turn, body),
    velocity: turned(turn, velocity),
    spin: turned(turn, spin),
  })
  const far = [1e6, -1e6, 1e6]
  return [
    { name: 'as it is', a, b, size: 1 },
    { name: 'swapped', a: b, b: a, size: 1 },
    { name: 'far away', a: { ...a, ...moveBody(a, far)! }, b: { ...b, ...moveBody(b, far)! }, size: 1 },
    ...[2 ** -10, 2 ** 10, 1e-3, 1e3].map((size) => ({
      name: `times ${size}`,
      a: times(a, size),
      b: times(b, size),
      size,
    })),
    ...TURNS.filter(({ determinant }) => determinant > 0).map((turn) => ({
      name: `turned ${turn.order} ${turn.sign}`,
      a: inTurn(turn, a),
      b: inTurn(turn, b),
      size: 1,
    })),
  ]
}

const point: Mover = { ...STILL, shape: { type: 'point' }, position: [0, 0, 0] }
const cube: Mover = {
  shape: { type: 'box', size: [2, 2, 2] },
  position: [3, 0, 0],
  velocity: [-2, 0, 0],
  spin: [0, 1, -1],
}

describe('a point that a spinning box goes over', () => {
  it.each(variantsOf(point, cube))('is in it from its edge to its far side, $name', ({ a, b }) => {
    const { hit, time, hasExit, exitTime, converged } = impact(a, b)
    expect({ hit, hasExit, converged }).toEqual({ hit: true, hasExit: true, converged: true })
    expect(time).toBeCloseTo(0.659936173411796, 12)
    expect(exitTime).toBeCloseTo(2.02082191020458, 11)
  })
})

const corner: Mover = {
  ...STILL,
  shape: {
    type: 'hull',
    points: [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
  },
  position: [0, 0, 0],
}
const drum: Mover = {
  shape: { type: 'cylinder', radius: 1, height: 2 },
  position: [3, 1, -1],
  velocity: [-2, 0, 0],
  spin: [0, 0, -2],
}

describe('a cylinder that spins onto the edge of a corner', () => {
  const found = createContact()

  it.each(variantsOf(corner, drum))('touches it in one place, $name', ({ name, a, b, size }) => {
    const { hit, time, ax, ay, az, bx, by, bz } = impact(a, b)
    expect(hit).toBe(true)
    expect(time).toBeCloseTo(1.31237584318008, 11)
    expect(Math.hypot(ax - bx, ay - by, az - bz)).toBeLessThan(1e-12 * size)
    const place = bodyOf({ shape: { type: 'point' }, position: [ax, ay, az] })
    for (const mover of [a, b]) {
      const posed = bodyOf(mover)
      turnBody(bodyOf(mover), motionOf(mover), time, posed)
      for (let k = 0; k < 3; k++) posed.numbers[POSITION + k] += mover.velocity[k] * time
      contact(place, posed, found)
      expect(Math.abs(found.separation)).toBeLessThan(name === 'far away' ? 1e-9 : 1e-9 * size)
    }
  })
})
