/**
 * Two bodies of which at least one is composite: whether they meet, their nearest leaves, and a point of both.
 *
 * Method: leaf pairs are decided as convex pairs, those alone whose boxes are near enough (`composite-walk.ts`). Bodies of which no
 * leaves meet still do where a solid holds a connected piece of the other: since nothing crosses its surface then, one exact point of
 * the piece tells. Insides of bodies that touch: `composite-interiors.ts`.
 * Of all pairs of leaves that would do for an answer the one is taken whose points come first in order, and of leaves that share these the
 * one whose own corners do, so that the order of parts and triangles does not matter.
 * Frame: world; leaves and `swapped` are those of the frame.
 */

import { spend } from '../../containers/budget.ts'
import { scaleSigned } from '../../numeric/safe-range.ts'
import { type Body, COMPOSITE, createBody, POINTS, VERTICES } from '../shape/body.ts'
import { setLeaf } from '../shape/composite.ts'
import { LEAF_PAIR_STEP_COUNT, MANY_TOUCHES_COUNT } from '../tolerances.ts'
import { findHeldPoint, holdsSomething } from './composite-holding.ts'
import { clearTouches, createTouches, interiorsMeet, noteTouch } from './composite-interiors.ts'
import { visitNearestPairs, visitNearPairs } from './composite-near.ts'
import {
  type CompositeFrame,
  END,
  gapMeasure,
  leafOf,
  leafPair,
  type Measure,
  visitLeafPairs,
} from './composite-walk.ts'
import { createSeparation, type PairFrame, type Relation, type Separation } from './pair-frame.ts'
import { meets, relate, separate } from './separate.ts'
import { relateAtCorner, shareCorner } from './shared-corner.ts'

/** Whether the closed sets meet. */
export function compositesMeet(frame: CompositeFrame): boolean {
  let meet = false
  visitNearPairs(frame, 0, (leafA, leafB) => {
    meet = leavesMeet(frame, leafA, leafB)
    return meet ? END : 0
  })
  return meet || holdsSomething(frame)
}

/** Whether two leaves meet. */
export function leavesMeet(frame: CompositeFrame, leafA: number, leafB: number): boolean {
  if (shareCorner(leafOf(frame.first, leafA), leafOf(frame.second, leafB))) return true
  spend(LEAF_PAIR_STEP_COUNT)
  return meets(leafPair(frame, leafA, leafB))
}

function relateLeaves(frame: CompositeFrame, leafA: number, leafB: number): Relation {
  const known = relateAtCorner(leafOf(frame.first, leafA), leafOf(frame.second, leafB))
  if (known !== null) return known
  spend(LEAF_PAIR_STEP_COUNT)
  return relate(leafPair(frame, leafA, leafB))
}

const touches = createTouches()

/** Whether the pair overlaps, touches or is apart. */
export function relateComposites(frame: CompositeFrame): Relation {
  clearTouches(touches)
  let least = 1 as Relation
  visitNearPairs(frame, 0, (leafA, leafB) => {
    const relation = relateLeaves(frame, leafA, leafB)
    if (relation > 0) return 0
    least = relation
    if (relation < 0) return END
    noteTouch(touches, leafA, leafB)
    if (!isTimeToAsk(touches.count) || !interiorsMeet(frame, touches)) return 0
    least = -1
    return END
  })
  if (least === 0 && interiorsMeet(frame, touches)) least = -1
  if (least >= 0 && holdsSomething(frame)) least = -1
  clearTouches(touches)
  return least
}

/** Surfaces that coincide touch in thousands of places, any few of which tell: asked each time there are twice as many. */
function isTimeToAsk(count: number): boolean {
  return count >= MANY_TOUCHES_COUNT && (count & (count - 1)) === 0
}

/** The leaves at which a pair is nearest, or a point that it has in common. */
export interface NearestLeaves {
  /** The leaves of the first and of the second body; −1 where a solid holds a piece of the other. */
  leafA: number
  leafB: number
  /** How they are separated, in the order and at the scale of their own pair: whether its first is that of the second body, and the scale. */
  separation: Separation
  swapped: boolean
  exponent: number
  /** In that case a point of the piece, in the world. */
  held: Float64Array
}

export function createNearestLeaves(): NearestLeaves {
  return {
    leafA: -1,
    leafB: -1,
    separation: createSeparation(),
    swapped: false,
    exponent: 0,
    held: new Float64Array(3),
  }
}

const probe = createSeparation()

/** Sets the nearest leaves of the pair, or a common point; returns whether it meets. `isApart`: it is known not to meet. */
export function nearestLeaves(frame: CompositeFrame, out: NearestLeaves, isApart = false): boolean {
  out.leafA = -1
  out.leafB = -1
  let distance = Infinity
  let meet = false
  out.separation.normal.fill(0)
  const toward = (): ArrayLike<number> => out.separation.normal
  visitNearestPairs(frame, toward, (leafA, leafB) => {
    spend(LEAF_PAIR_STEP_COUNT)
    const pair = leafPair(frame, leafA, leafB)
    separate(pair, probe)
    meet = probe.meet
    if (meet) return END
    const found = scaleSigned(probe.distance, pair.exponent)
    if (found < distance || (found === distance && comesBefore(frame, leafA, leafB, pair, out))) {
      distance = found
      take(leafA, leafB, pair, out)
    }
    return distance
  })
  if (meet) setFirstMeeting(frame, out)
  else if (!isApart && findHeldPoint(frame, out.held)) {
    out.leafA = -1
    out.leafB = -1
    meet = true
  }
  return meet
}

/** Takes over the pair that is in `probe`. */
function take(leafA: number, leafB: number, pair: PairFrame, out: NearestLeaves): void {
  const { separation } = out
  out.leafA = leafA
  out.leafB = leafB
  out.swapped = pair.swapped
  out.exponent = pair.exponent
  separation.meet = probe.meet
  separation.distance = probe.distance
  separation.a.set(probe.a)
  separation.b.set(probe.b)
  separation.normal.set(probe.normal)
}

/**
 * Whether the points of the pair in `probe` come before those that were found: those of the first body, then those of the second; then their normal, which
 * leaves that share the points may round otherwise; then the leaves themselves.
 */
function comesBefore(
  { first, second }: CompositeFrame,
  leafA: number,
  leafB: number,
  { swapped }: PairFrame,
  { swapped: isSwapped, separation, leafA: foundA, leafB: foundB }: NearestLeaves,
): boolean {
  for (const isFirst of [true, false]) {
    const own = swapped === isFirst ? probe.b : probe.a
    const other = isSwapped === isFirst ? separation.b : separation.a
    for (let k = 0; k < 3; k++) if (own[k] !== other[k]) return own[k] < other[k]
  }
  for (let k = 0; k < 3; k++) {
    const own = swapped ? -probe.normal[k] : probe.normal[k]
    const other = isSwapped ? -separation.normal[k] : separation.normal[k]
    if (own !== other) return own < other
  }
  return (compareLeaves(first.body, leafA, foundA) || compareLeaves(second.body, leafB, foundB)) < 0
}

const slots = [createBody(), createBody()] as const

/** Negative where the first of two leaves of a body comes before the second: by how they lie, and of those that lie alike by the caller's vertices. */
function compareLeaves(body: Body, i: number, j: number): number {
  if (i === j || body.kind !== COMPOSITE) return 0
  const a = setLeaf(body, i, slots[0])
  const b = setLeaf(body, j, slots[1])
  if (a.kind !== b.kind || a.count !== b.count) return a.kind - b.kind || a.count - b.count
  const count = a.kind === POINTS ? a.count : 0
  for (let at = 0; at < VERTICES + 3 * count; at++) {
    if (a.numbers[at] !== b.numbers[at]) return a.numbers[at] - b.numbers[at]
  }
  for (let at = 0; at < count; at++) if (a.names[at] !== b.names[at]) return a.names[at] - b.names[at]
  return 0
}

/** Of all leaves that meet, sets those whose boxes begin to do so first along x; of several those whose point comes first. */
function setFirstMeeting(frame: CompositeFrame, out: NearestLeaves): void {
  const gap = gapMeasure(frame)
  const begin: Measure = (a, b) => (gap(a, b) > 0 ? Infinity : Math.max(a[0], b[0], -Number.MAX_VALUE))
  let least = Infinity
  visitLeafPairs(frame, Number.MAX_VALUE, begin, (leafA, leafB, key) => {
    spend(LEAF_PAIR_STEP_COUNT)
    const pair = leafPair(frame, leafA, leafB)
    if (!meets(pair)) return least
    separate(pair, probe)
    if (probe.meet && (key < least || comesBefore(frame, leafA, leafB, pair, out))) {
      least = key
      take(leafA, leafB, pair, out)
    }
    return least
  })
}
