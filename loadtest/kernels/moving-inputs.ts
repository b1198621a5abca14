// Pairs in motion: they start apart, and three in five meet within the second that is asked about; the others pass by or
// fall short. Found by dense sampling of the separation, and clear of grazing: around its impact a pair goes from well
// apart to well inside each other, so that skins and slops (planck stops 0.005 before or 0.015 after the surfaces meet)
// move the time of impact by less than `TIME_AGREEMENT`. Pairs with spin that meet are still inside each other at the end:
// planck looks there first, and does not promise to see what turns through and out again.

import type { Body2d } from '../../schemas/shapes2d.ts'
import { contact, createContact } from '../../src/core2d/queries/contact.ts'
import { createBody } from '../../src/core2d/shape/body.ts'
import type { Motion } from '../../src/core2d/shape/motion.ts'
import { decodeBody } from '../../src/wire/body.ts'
import { aabb, type Between, box, capsule, circle, polygon, seeded, segment } from '../measuring/random-body.ts'
import { PAIR_COUNT, TIME_AGREEMENT } from './kernel-table.ts'

export interface MovingPair {
  a: Body2d
  b: Body2d
  /** Over `DURATION`. */
  motionA: Motion
  motionB: Motion
}

export interface MovingInputs {
  impactCircles: MovingPair[]
  impactAabbs: MovingPair[]
  impactPolygons: MovingPair[]
  /** a is the capsule. */
  impactCapsuleBox: MovingPair[]
  /** a is the circle. */
  impactCircleSegment: MovingPair[]
  impactSpinningBoxes: MovingPair[]
  impactSpinningPolygons: MovingPair[]
  /** Of casts a is the target and stands still. */
  castPolygons: MovingPair[]
  /** a is the box. */
  castCircleBox: MovingPair[]
}

export const DURATION = 1
/** What a kernel returns when the pair does not meet: far from every time of impact. */
export const MISS = 2

const SAMPLE_COUNT = 256
export const CLEARANCE = 0.05
/** Largest spin: a bit more than half a turn in the second. */
export const SPIN = 4

export function makeMovingInputs(): MovingInputs {
  let stream = 0
  const pairs = (
    makeA: (between: Between) => Body2d,
    makeB: (between: Between) => Body2d,
    spin: number,
    speedA: number,
  ): MovingPair[] => {
    const between = seeded(++stream)
    const made: MovingPair[] = []
    while (made.length < PAIR_COUNT) {
      const pair = movingPair(between, makeA(between), makeB(between), spin, speedA)
      if (isClear(pair, made.length % 5 < 3)) made.push(pair)
    }
    return made
  }
  const anyPolygon = (between: Between) => polygon(between)
  return {
    impactCircles: pairs(circle, circle, 0, 3),
    impactAabbs: pairs(aabb, aabb, 0, 3),
    impactPolygons: pairs(anyPolygon, anyPolygon, 0, 3),
    impactCapsuleBox: pairs(capsule, box, 0, 3),
    impactCircleSegment: pairs(circle, segment, 0, 3),
    impactSpinningBoxes: pairs(box, box, SPIN, 3),
    impactSpinningPolygons: pairs(anyPolygon, anyPolygon, SPIN, 3),
    castPolygons: pairs(anyPolygon, anyPolygon, 0, 0),
    castCircleBox: pairs(box, circle, 0, 0),
  }
}

/** B starts 3 to 6 from A and comes closer by 2 to 12, aiming within 2 of A's centre. */
export function movingPair(between: Between, a: Body2d, b: Body2d, spin: number, speedA: number): MovingPair {
  const angle = between(-Math.PI, Math.PI)
  const x = Math.cos(angle)
  const y = Math.sin(angle)
  const distance = between(3, 6)
  const aside = between(-2, 2)
  const speed = between(2, 12)
  b.position = {
    x: a.position!.x - distance * x - aside * y,
    y: a.position!.y - distance * y + aside * x,
  }
  const motionA = { vx: between(-speedA, speedA), vy: between(-speedA, speedA), spin: between(-spin, spin) }
  return {
    a,
    b,
    motionA,
    motionB: {
      vx: motionA.vx + speed * x,
      vy: motionA.vy + speed * y,
      spin: speedA > 0 ? between(-spin, spin) : 0,
    },
  }
}

/** Whether the pair starts apart and then meets, or does not, by more than skins and slops. */
function isClear(pair: MovingPair, meeting: boolean): boolean {
  if (separationAt(pair, 0) < CLEARANCE) return false
  let closest = Infinity
  for (let sample = 1; sample <= SAMPLE_COUNT; sample++) {
    const time = (sample / SAMPLE_COUNT) * DURATION
    const separation = separationAt(pair, time)
    closest = Math.min(closest, separation)
    if (separation > 0) continue
    return (
      meeting &&
      time < DURATION - TIME_AGREEMENT &&
      separationAt(pair, time + TIME_AGREEMENT) < -CLEARANCE &&
      separationAt(pair, time - TIME_AGREEMENT) > CLEARANCE &&
      (pair.motionA.spin === 0 || separationAt(pair, DURATION) < -CLEARANCE)
    )
  }
  // Between two samples a pair comes closer by no more than this.
  const step = ((12 + 2 * SPIN * 1.5) * DURATION) / SAMPLE_COUNT
  return !meeting && closest > CLEARANCE + step
}

const slotA = createBody()
const slotB = createBody()
const out = createContact()

export function separationAt({ a, motionA, b, motionB }: MovingPair, time: number): number {
  if (decodeBody(moved(a, motionA, time), slotA) !== null || decodeBody(moved(b, motionB, time), slotB) !== null) {
    throw new Error('an input of the bench is wrong')
  }
  contact(slotA, slotB, 0, out)
  return out.separation
}

function moved({ shape, position, rotation }: Body2d, { vx, vy, spin }: Motion, time: number): Body2d {
  const { x, y } = position!
  return { shape, position: { x: x + vx * time, y: y + vy * time }, rotation: rotation! + spin * time }
}
