/**
 * The query `place`: the free position of a body that is nearest to the wanted one.
 *
 * Method: the minimum translation out of all bodies that a way of its length may reach (`minimum-translation.ts` of the plane,
 * `escape.ts` of space). The search begins with the bodies that are overlapped. The way out of some
 * bodies is no longer than the way out of all, so its length says how far to look next; once every body within that length is
 * included, the way is the shortest.
 * Frame: world.
 */

import { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import type { Accepts } from '../state/filter.ts'
import type { Kinds, WayOut } from '../state/geometry.ts'
import type { View } from '../state/view.ts'
import { type Describe, UNDESCRIBED } from './described-body.ts'
import { addAround, addTo, type InTheWay, type Place, type Placing, wayOut } from './placing.ts'
import { placingOf } from './placing-of.ts'
import { LAST_DIGITS_RATIO, PLACE_SLACK_RATIO } from './tolerances.ts'

interface PlaceQuery<K extends Kinds> {
  /** At the wanted position; its position is left where it ended. */
  body: K['body']
  describe?: Describe
  /** How far away it may be put, at most; may be infinite. */
  maxDistance: number
  accepts: Accepts
}

export interface Placed {
  /** False: there is no free place within the distance, and the body stays. */
  found: boolean
  /** From the wanted position. */
  distance: number
  /** False where a nearer one may exist that was out of reach. */
  exact: boolean
}

/** Each round looks at least twice as far as the one before. */
const ROUND_COUNT = 64

export function* queryPlace<K extends Kinds>(
  view: View<K>,
  { body, describe = UNDESCRIBED, maxDistance, accepts }: PlaceQuery<K>,
): FarSlices<Placed> {
  const placing = placingOf(view, body, accepts, describe, new Pace())
  const found = yield* placeWithin(placing, maxDistance)
  if (placing.body !== body) view.table.geometry.moveTo(body, placing.position())
  return found
}

function* placeWithin<K extends Kinds>(placing: Placing<K>, maxDistance: number): FarSlices<Placed> {
  const overlapped = yield* placing.overlapped()
  if (overlapped.length === 0) return { found: true, distance: 0, exact: true }
  const from = placing.position()
  const inTheWay: InTheWay = { slots: new Set(), points: 0 }
  for (const { slot, points } of overlapped) addTo(inTheWay, slot, points)
  let seen = 0
  let isExact = true
  for (let round = 0; round < ROUND_COUNT; round++) {
    const out = yield* wayOut(placing, inTheWay)
    isExact = out.exact
    if (!out.found) break
    const slack = slackOf(placing, out)
    const length = Math.hypot(...out.way)
    if (length > maxDistance + slack) break
    if (length > seen) {
      seen = Math.max(length + slack, Math.min(2 * seen, maxDistance + slack))
      const before = inTheWay.slots.size
      yield* addAround(placing, seen, inTheWay)
      if (inTheWay.slots.size > before) continue
    }
    if (yield* placing.stand(from, out)) return placed(placing, from, out.exact)
    // It would fit there without rounding. A slightly larger body does not.
    placing.put(from)
    return (yield* placeGrown(placing, inTheWay, from, maxDistance)) ?? { found: false, distance: 0, exact: false }
  }
  placing.put(from)
  return { found: false, distance: 0, exact: isExact }
}

function placed<K extends Kinds>({ position }: Placing<K>, from: Place, exact: boolean): Placed {
  return { found: true, distance: Math.hypot(...position().map((x, k) => x - from[k])), exact }
}

function slackOf<K extends Kinds>({ view, body }: Placing<K>, { way }: WayOut): number {
  const length = way.reduce((sum, x) => sum + Math.abs(x), 0)
  return PLACE_SLACK_RATIO * length + LAST_DIGITS_RATIO * view.table.geometry.positionSize(body)
}

/** Tries a body that is larger by a few rounding errors; null if that finds no place either. */
function* placeGrown<K extends Kinds>(
  placing: Placing<K>,
  inTheWay: InTheWay,
  from: Place,
  maxDistance: number,
): FarSlices<Placed | null> {
  const out = yield* placing.wayOutGrown(inTheWay)
  if (out === null || !out.found || Math.hypot(...out.way) > maxDistance) return null
  if (yield* placing.stand(from, out)) return placed(placing, from, false)
  placing.put(from)
  return null
}
