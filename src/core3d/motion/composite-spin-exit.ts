/**
 * When two bodies of which at least one is composite, and at least one turns, part after they have met.
 *
 * Method: from the contact on, leaf pairs that meet at a time are followed until each of them parts, and from the latest of these times
 * on again, until none is left that meets any longer. Surfaces that have parted still leave the bodies together where a solid holds a
 * piece of the other: a little later, when no leaves meet, exact points of its pieces tell, and then the next leaves that meet are sought.
 * Frame: world axes; times are seconds from the start. Cost: that of the leaf pairs that lengthen what is joined, some at each time.
 */

import { spend } from '../../containers/budget.ts'
import { createPlacement } from '../mesh/mesh.ts'
import { hasSolid, holdsSomething } from '../narrow-phase/composite-holding.ts'
import { createCompositeFrame, END, orderComposites, visitLeafPairs } from '../narrow-phase/composite-walk.ts'
import { type Body, COMPOSITE, type Composite, createBody, POSITION } from '../shape/body.ts'
import { addConvexPart, addMeshPart, beginComposite, finishComposite } from '../shape/composite.ts'
import { type Motion, turnBody } from '../shape/motion.ts'
import { LONGER_PAIR_COUNT, PARTING_ROUND_COUNT, PARTING_STEP_FACTOR, PARTING_STEP_RATIO } from '../tolerances.ts'
import {
  leavesOf,
  setRotationAt,
  slabMeasure,
  slabsOf,
  type TurningPair,
  visitTurningPairs,
} from './composite-spin-sweep.ts'
import type { TimeOfImpact } from './impact.ts'

/** Sets `found` to how two leaves meet from a time on: with their exit if they do so then, or else only when they do so next. */
export type FollowLeaves = (leafA: number, leafB: number, from: number, want: 'exit' | 'time') => TimeOfImpact

export interface SpinExit {
  /** When they part; Infinity where they do not within the duration. */
  time: number
  /** False where that is only a time up to which they are together. */
  isSure: boolean
}

/** When bodies that meet at a time first part after that. */
export function spinExit(pair: TurningPair, from: number, follow: FollowLeaves): SpinExit {
  const { duration, frame } = pair
  const { length } = slabsOf(pair)
  const mayHold = hasSolid(frame.first.body) || hasSolid(frame.second.body)
  const left = new Map<number, number>()
  let end = from
  let step = 0
  for (let round = 0; round < PARTING_ROUND_COUNT; round++) {
    const time = end + step
    if (time > duration) return { time: Infinity, isSure: true }
    const { meets, until, isSure } = followAt(pair, time, left, follow)
    if (until > duration) return { time: Infinity, isSure: true }
    if (until > time) {
      end = until
      step = 0
    } else if (!isSure) return { time: end, isSure: false }
    else if (step === 0 || (meets && mayHold && step < length)) {
      // Others may meet from then on, but for rounding. What is inside is told when those that part have done touching.
      step = Math.max(PARTING_STEP_FACTOR * step, PARTING_STEP_RATIO * length, PARTING_STEP_RATIO * end)
    } else if (meets || !mayHold || !isHeldAt(pair, time)) return { time: end, isSure: true }
    else {
      end = nextTouch(pair, time, follow)
      step = 0
    }
  }
  return { time: end, isSure: false }
}

interface Followed {
  /** Whether any leaves meet at that time. */
  meets: boolean
  /** Until when some of them go on doing so. */
  until: number
  isSure: boolean
}

/** Follows leaf pairs that meet at a time; `left`: when those that were followed before have parted. */
function followAt(pair: TurningPair, time: number, left: Map<number, number>, follow: FollowLeaves): Followed {
  const out: Followed = { meets: false, until: time, isSure: true }
  const columns = leavesOf(pair.frame.second)
  let longer = 0
  visitLeafPairs(pair.frame, 0, slabMeasure(pair, time, time), (leafA, leafB) => {
    const key = leafA * columns + leafB
    const known = left.get(key)
    if (known !== undefined && known >= time) {
      out.meets = true
      return 0
    }
    const { hit, hasExit, exitTime, converged } = follow(leafA, leafB, time, 'exit')
    if (!hit) return 0
    out.meets = true
    out.isSure &&= converged
    const until = hasExit ? exitTime : Infinity
    if (converged) left.set(key, until)
    if (!(until > time)) return 0
    out.until = Math.max(out.until, until)
    longer++
    return until === Infinity || longer === LONGER_PAIR_COUNT ? END : 0
  })
  return out
}

/** When the next leaves meet after a time at which none do; Infinity where that is beyond the duration. */
function nextTouch(pair: TurningPair, from: number, follow: FollowLeaves): number {
  let next = Infinity
  const sure = visitTurningPairs(pair, from, (leafA, leafB) => {
    const { hit, time } = follow(leafA, leafB, from, 'time')
    if (hit) next = Math.min(next, time)
    return Math.min(next, pair.duration)
  })
  return Math.min(next, sure)
}

// Whole bodies as they lie at a time, seen from the first, so that places are rounded by the pair's own size.

const held = createCompositeFrame()
const placement = createPlacement()
const turn = new Float64Array(9)

function isHeldAt({ frame, motionA, motionB }: TurningPair, time: number): boolean {
  const { first, second } = frame
  const from = first.body.numbers
  const { vx, vy, vz } = motionA
  const seen = { ...motionB, vx: motionB.vx - vx, vy: motionB.vy - vy, vz: motionB.vz - vz }
  const one = bodyAt(first.body, { ...motionA, vx: 0, vy: 0, vz: 0 }, time, from)
  orderComposites(one, bodyAt(second.body, seen, time, from), held)
  return holdsSomething(held)
}

/** The body as it lies at a time, as a new one whose position counts from that in `origin`; meshes are shared. */
function bodyAt(body: Body, motion: Motion, time: number, origin: Float64Array): Body {
  const out = createBody()
  const setPlace = (from: Float64Array, to: Float64Array): void => {
    const by = [0, 1, 2].map((k) => from[POSITION + k] - body.numbers[POSITION + k])
    const moved = [motion.vx * time, motion.vy * time, motion.vz * time]
    for (let k = 0; k < 3; k++) {
      const turned = turn[3 * k] * by[0] + turn[3 * k + 1] * by[1] + turn[3 * k + 2] * by[2]
      to[POSITION + k] = body.numbers[POSITION + k] - origin[POSITION + k] + turned + moved[k]
    }
  }
  setRotationAt(motion, time, turn)
  turnBody(body, motion, time, out)
  setPlace(body.numbers, out.numbers)
  if (body.kind !== COMPOSITE) return out
  const { parts, partCount } = body.composite as Composite
  const made = beginComposite(out)
  spend(partCount)
  for (let p = 0; p < partCount; p++) {
    const { mesh, path, body: own, placement: stands } = parts[p]
    if (mesh === null) {
      const slot = addConvexPart(made, stands, path)
      turnBody(own, motion, time, slot)
      setPlace(own.numbers, slot.numbers)
      continue
    }
    // Low halves of positions are no larger than what turning rounds.
    setPlace(stands.position, placement.position)
    for (let k = 0; k < 9; k++) placement.rotation[k] = turnedEntry(stands.rotation, Math.floor(k / 3), k % 3)
    placement.turns = true
    addMeshPart(made, mesh, placement, path)
  }
  finishComposite(out)
  return out
}

/** Row `i` of the turn times column `j`. */
function turnedEntry(numbers: Float64Array, i: number, j: number): number {
  return turn[3 * i] * numbers[j] + turn[3 * i + 1] * numbers[j + 3] + turn[3 * i + 2] * numbers[j + 6]
}
