/** How a body is put where it overlaps nothing, in space: over what `walker-3d.ts` does. */

import { withinOrNull } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createEscape, findEscape } from '../../core3d/minimum-translation/escape.ts'
import { plus, positionOf, REACH, type Vector } from '../../core3d/shape/body.ts'
import { unionOf } from '../../core3d/shape/composite.ts'
import { SPACE, type Space, type WayOut } from '../state/geometry.ts'
import { weightAt } from '../state/view.ts'
import type { InTheWay, Place, Placing } from './placing.ts'
import { GROWTH_RATIO, LAST_PLACE_RATIO } from './tolerances.ts'
import { bodiesOf } from './walker.ts'
import {
  overlappedBy3d,
  putWalker3d,
  settleBetween,
  settleFree3d,
  sizeOf,
  vectorOf,
  type Walker3d,
} from './walker-3d.ts'

/** Limits for the larger body: most points of the bodies in the way, and most steps. */
const MOST_GROWN_POINTS = 2 ** 11
const GROWN_STEPS = 2 ** 18

/** Steps out of what is overlapped, each twice as long as the one before. */
const OUT_COUNT = 24

export function spacePlacing(walker: Walker3d): Placing<Space> {
  const { view } = walker
  const settle = (from: Place, out: WayOut): FarSlices<boolean> => settleOut(walker, from, out)
  return {
    ...walker,
    position: () => [...positionOf(walker.body)],
    put: (place) => putWalker3d(walker, vectorOf(place)),
    *overlapped() {
      return (yield* overlappedBy3d(walker)).map((slot) => ({ slot, points: weightAt(view, slot) }))
    },
    settle,
    stand: settle,
    wayOutGrown: (inTheWay) => wayOutGrown(walker, inTheWay),
  }
}

/** −1: the walker overlaps something, 1: it is free. */
function* standing(walker: Walker3d): FarSlices<number> {
  return (yield* overlappedBy3d(walker)).length > 0 ? -1 : 1
}

function* isFree(walker: Walker3d, place: Vector): FarSlices<boolean> {
  putWalker3d(walker, place)
  return (yield* standing(walker)) > 0
}

/** Puts the walker at the end of the way, or along the normal at the next double where it overlaps nothing. */
function* settleOut(walker: Walker3d, from: Place, { way, normal, room }: WayOut): FarSlices<boolean> {
  const [start, out, off] = [from, way, normal].map(vectorOf)
  const placeAt = (height: number): Vector => plus(start, plus(out, off, height), 1)
  if (yield* isFree(walker, placeAt(0))) return true
  const most = Math.max(...normal.map(Math.abs))
  if (most === 0) return false
  const length = Math.hypot(...way)
  const unit = Math.max(LAST_PLACE_RATIO * sizeOf(walker, length), Number.MIN_VALUE) / most
  let bad = 0
  let good = room > 0 ? room : unit
  for (let k = 0; !(yield* isFree(walker, placeAt(good))); k++) {
    if (k === OUT_COUNT) return yield* settleFree3d(walker, length)
    bad = good
    good = 2 * Math.max(good, unit)
  }
  yield* settleBetween(walker, { placeAt, judge: () => standing(walker) }, bad, good)
  return true
}

const found = createEscape()

function* wayOutGrown(walker: Walker3d, { slots, points }: InTheWay): FarSlices<WayOut | null> {
  if (points > MOST_GROWN_POINTS) return null
  const { body } = walker
  const union = unionOf(yield* bodiesOf(walker, slots))
  const reach = union.numbers[REACH]
  const extent = SPACE.positionSize(union) + sizeOf(walker, 0) + (reach < Infinity ? reach : 0)
  return withinOrNull(GROWN_STEPS, (): WayOut => {
    findEscape(union, body, GROWTH_RATIO * extent, found)
    const { found: isFound, way, off, room } = found
    return { found: isFound, way: [...way], normal: [...off], room, exact: false }
  })
}
