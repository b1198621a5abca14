/**
 * The query `separate`: the minimum translation (MTV) of a body out of everything that it overlaps.
 *
 * Method: the minimum translation out of the union of what is overlapped (`minimum-translation.ts` of the plane, `escape.ts` of space).
 * If that puts the body into others, they join the union, and the search starts again: the shortest way out of some bodies is no
 * longer than the way out of all, so the first one that ends free is the shortest of all.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { type Accepts, sortById } from '../state/filter.ts'
import type { Kinds } from '../state/geometry.ts'
import { idAt, type View } from '../state/view.ts'
import { type Describe, UNDESCRIBED } from './described-body.ts'
import { addAround, addTo, type InTheWay, type Place, type Placing, wayOut } from './placing.ts'
import { planePlacing } from './placing-2d.ts'
import { placingOf } from './placing-of.ts'
import type { Walker } from './walker.ts'

export interface Separated {
  /** False: no translation was found, and the body does not move. */
  separated: boolean
  dx: number
  dy: number
  /** In space. */
  dz?: number
  /** False where the translation is only the best bound found. */
  exact: boolean
  /** The bodies in the way, which it overlapped or would have been pushed into, by id. */
  slots: number[]
  ids: string[]
}

/** Rounds after which the search is taken to run in circles. */
const ROUND_COUNT = 64
/** Rounds in space after which all that the way may lead into joins what is in the way: in a crowd a few at a time would not do. */
const FEW_ROUND_COUNT = 8

/** The translation, null if the body overlaps nothing. The position of the body is left where it ended. */
export function* querySeparate<K extends Kinds>(
  view: View<K>,
  body: K['body'],
  accepts: Accepts,
  describe: Describe = UNDESCRIBED,
): FarSlices<Separated | null> {
  const placing = placingOf(view, body, accepts, describe, new Pace())
  const found = yield* separateBy(placing)
  if (placing.body !== body) view.table.geometry.moveTo(body, placing.position())
  return found
}

/** Moves the walker out of everything that it overlaps; null if it overlaps nothing. */
export function separateWalker(walker: Walker): FarSlices<Separated | null> {
  return separateBy(planePlacing(walker))
}

export function* separateBy<K extends Kinds>(placing: Placing<K>): FarSlices<Separated | null> {
  const { pace } = placing
  const from = placing.position()
  const inTheWay: InTheWay = { slots: new Set(), points: 0 }
  let exact = true
  /** How many bodies the last way out was asked of. */
  let asked = 0
  for (let round = 0; round < ROUND_COUNT; round++) {
    const overlapped = yield* placing.overlapped()
    if (round === 0 && overlapped.length === 0) return null
    if (overlapped.length === 0) return yield* result(placing, inTheWay, from, exact)
    for (const { slot, points } of overlapped) {
      addTo(inTheWay, slot, points)
      if (pace.isDue(1)) yield
    }
    if (inTheWay.slots.size === asked) break
    asked = inTheWay.slots.size
    placing.put(from)
    const out = yield* wayOut(placing, inTheWay)
    exact = out.exact
    if (!out.found) break
    if (round >= FEW_ROUND_COUNT && from.length > 2) yield* addAround(placing, Math.hypot(...out.way), inTheWay)
    yield* placing.settle(from, out)
  }
  placing.put(from)
  return { ...(yield* result(placing, inTheWay, from, false)), separated: false }
}

function* result<K extends Kinds>(
  { view, pace, position }: Placing<K>,
  inTheWay: InTheWay,
  from: Place,
  exact: boolean,
): Slices<Separated> {
  const [dx, dy, dz = 0] = position().map((x, k) => x - from[k])
  const slots = [...inTheWay.slots]
  yield* sortById(view, slots, pace)
  const ids: string[] = []
  for (const slot of slots) {
    ids.push(idAt(view, slot))
    if (pace.isDue(1)) yield
  }
  return { separated: true, dx, dy, ...(from.length > 2 && { dz }), exact, slots, ids }
}
