// Bodies that tip over an edge on a floor, or swing on a hinge along a wall: they are met again when they lie flat.

import { describe, expect, it } from 'vitest'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../../../src/core3d/motion/time-of-impact.ts'
import { createMotion, type Motion } from '../../../src/core3d/shape/motion.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { scaleBody, TURNS, turnBody, turned } from '../../support/families/moved-bodies-3d.ts'

function impact(a: CaseBody, motionA: Motion, b: CaseBody, motionB: Motion, ignoreSeparating = true): TimeOfImpact {
  const out = createTimeOfImpact()
  timeOfImpact(bodyOf(a), motionA, bodyOf(b), motionB, 4, ignoreSeparating, 'exit', out)
  return out
}

const spinning = ([wx, wy, wz]: Triple, [vx, vy, vz]: Triple = [0, 0, 0]): Motion => ({ vx, vy, vz, wx, wy, wz })
const STILL = createMotion()

const corners = (min: Triple, max: Triple): Triple[] =>
  Array.from({ length: 8 }, (_, bits) => [0, 1, 2].map((k) => ((bits >> k) & 1 ? max : min)[k]) as Triple)
const block = (min: Triple, max: Triple): CaseBody => ({
  shape: { type: 'hull', points: corners(min, max) },
  position: [0, 0, 0],
})

/** It stands with an edge through its position, about which it tips. */
const cube = block([-2, 0, -1], [0, 2, 1])
const TIPPING: Triple = [0, 0, -1]
const FLOORS: Record<string, CaseBody> = {
  'a half-space': { shape: { type: 'halfspace', normal: [0, 3, 0], offset: 0 }, position: [0, 0, 0] },
  'a box': { shape: { type: 'box', size: [20, 2, 20] }, position: [0, -1, 0] },
  'a rounded box': { shape: { type: 'box', size: [20, 1, 20], radius: 0.5 }, position: [0, -1, 0] },
  'a hull': {
    shape: {
      type: 'hull',
      points: [
        [-9, 0, -9],
        [9, 0, -9],
        [0, 0, 9],
        [0, -2, 0],
      ],
    },
    position: [0, 0, 0],
  },
  'a cylinder': { shape: { type: 'cylinder', radius: 9, height: 2 }, position: [0, -1, 0] },
  'a triangle': { shape: { type: 'triangle', a: [-9, 0, -9], b: [9, 0, -9], c: [0, 0, 9] }, position: [0, 0, 0] },
}

describe.each(Object.entries(FLOORS))('a cube that tips over its edge on %s', (_name, floor) => {
  const flat = (out: TimeOfImpact): void => {
    expect({ hit: out.hit, converged: out.converged }).toEqual({ hit: true, converged: true })
    expect(out.time).toBeCloseTo(Math.PI / 2, 13)
  }

  it('lies flat after a quarter turn', () => {
    const out = impact(floor, STILL, cube, spinning(TIPPING))
    flat(out)
    expect([out.nx, out.ny, out.nz]).toEqual([0, 1, 0].map((n) => expect.closeTo(n, 12)))
    expect(out.ay).toBeCloseTo(0, 13)
    flat(impact(cube, spinning(TIPPING), floor, STILL))
  })

  it.each(TURNS.filter(({ determinant }) => determinant > 0))('does so turned $order $sign', (turn) => {
    flat(impact(turnBody(turn, floor), STILL, turnBody(turn, cube), spinning(turned(turn, TIPPING))))
  })

  it.each([2 ** -10, 2 ** 10, 1e-3, 1e3])('does so at %f times the size', (size) => {
    flat(impact(scaleBody(floor, size), STILL, scaleBody(cube, size), spinning(TIPPING)))
  })

  it('does so while both are carried along', () => {
    const velocity: Triple = [3, -1, 2]
    flat(impact(floor, spinning([0, 0, 0], velocity), cube, spinning(TIPPING, velocity)))
  })

  it('hits at once where it tips the other way', () => {
    const { hit, time } = impact(floor, STILL, cube, spinning([0, 0, 1]))
    expect({ hit, time }).toEqual({ hit: true, time: 0 })
  })

  it('touches from the start where that counts, and does not part', () => {
    const { hit, time, hasExit, startedOverlapping } = impact(floor, STILL, cube, spinning(TIPPING), false)
    expect({ hit, time, hasExit, startedOverlapping }).toEqual({
      hit: true,
      time: 0,
      hasExit: false,
      startedOverlapping: true,
    })
  })
})

describe('a door on a hinge', () => {
  const wall = block([-4, -2, -3], [0, 0, 3])
  const doors: Record<string, CaseShape> = {
    'a thin one': { type: 'triangle', a: [0, 0, -1], b: [0, 0, 1], c: [2, 0, 0] },
    'a thick one': { type: 'hull', points: corners([0, 0, -1], [2, 0.5, 1]) },
  }
  const angle = { 'a thin one': Math.PI, 'a thick one': Math.PI / 2 }

  it.each(Object.keys(doors) as (keyof typeof angle)[])('at the edge of a wall shuts on either side: %s', (name) => {
    const door: CaseBody = { shape: doors[name], position: [0, 0, 0] }
    const opened = impact(wall, STILL, door, spinning([0, 0, 2]))
    expect(opened.converged).toBe(true)
    expect(opened.time).toBeCloseTo(angle[name] / 2, 13)
    const shut = impact(door, spinning([0, 0, -2]), wall, STILL)
    expect(shut.time).toBeCloseTo(Math.PI / 4, 13)
  })

  it('stays where it is turned with the wall', () => {
    const door: CaseBody = { shape: doors['a thick one'], position: [0, 0, 0] }
    expect(impact(wall, spinning([0, 0, 1]), door, spinning([0, 0, 1])).hit).toBe(false)
  })

  it('shuts as soon where the wall swings', () => {
    const door: CaseBody = { shape: doors['a thick one'], position: [0, 0, 0] }
    const { time, converged } = impact(wall, spinning([0, 0, 1]), door, STILL)
    expect(converged).toBe(true)
    expect(time).toBeCloseTo(Math.PI / 2, 13)
  })
})

describe('a cube that slides while it tips', () => {
  it('lies flat after a quarter turn on a half-space', () => {
    const { hit, time } = impact(FLOORS['a half-space'], STILL, cube, spinning(TIPPING, [2, 0, 1]))
    expect(hit).toBe(true)
    expect(time).toBeCloseTo(Math.PI / 2, 13)
  })
})

describe('spinning bodies that are apart by rounding', () => {
  const ball: CaseBody = { shape: { type: 'sphere', radius: 1 }, position: [1.8228756555322954, 0, 0.8228756555322954] }
  const drum: CaseBody = { shape: { type: 'cylinder', radius: 1, height: 2 }, position: [0, 0, 0] }

  it('do not hit as they part', () => {
    for (const ignoreSeparating of [true, false]) {
      const parting = impact(drum, STILL, ball, spinning([0, 0, 1], [1.4, 0, 0.1]), ignoreSeparating)
      expect(parting.hit).toBe(false)
      expect(impact(drum, spinning([0.25, 0, 0.25]), ball, spinning([0, 0, 0], [3, 0, 1]), ignoreSeparating).hit).toBe(
        false,
      )
    }
  })
})
