/**
 * All pairs of a scene's bodies that meet.
 *
 * Method: for each body, those whose boxes meet its own. The pairs are found in the order of slots; where there are more than the
 * limit, once more in the order of ids, up to the limit, so that what is cut off hangs on nothing but the ids.
 */

import type { FarSlices } from '../../containers/far-call.ts'
import { Pace } from '../../containers/pace.ts'
import { compareIds } from '../../containers/ranking.ts'
import { sortInSlices } from '../../containers/sort-in-slices.ts'
import { createItemList } from '../../core2d/bvh/dynamic-tree-queries.ts'
import { bodiesMeet } from '../../core2d/pair-queries/bodies-meet.ts'
import { contact } from '../../core2d/pair-queries/contact.ts'
import { type Contact, createContact } from '../../core2d/pair-queries/contact-record.ts'
import { type Body, createBody } from '../../core2d/shape/body.ts'
import { fetchBody, isDear } from '../state/dear-body.ts'
import { farBodyAt } from '../state/far-body.ts'
import type { Accepts } from '../state/filter.ts'
import { sortById } from '../state/sorted-ids.ts'
import { bodiesInBox, bodyAt, boxAt, hasBody, heldBodyAt, idAt, slotLimit, type View } from '../state/view.ts'
import { bodyWeight } from '../table/body-cache.ts'
import { contactHeavy, isLight, meetHeavy } from './narrowing.ts'

export interface PairsQuery {
  /** Both bodies of a pair must pass. */
  accepts: Accepts
  contacts: boolean
  limit: number
}

export interface MetPair {
  slotA: number
  slotB: number
  /** Lower than `idB`. */
  idA: string
  idB: string
  contact: Contact | null
}

export interface PairsAnswer {
  /** By id of A, then of B. */
  pairs: MetPair[]
  truncated: boolean
}

const own = createBody()
const box = new Float64Array(4)

export function* queryPairs(view: View, query: PairsQuery): FarSlices<PairsAnswer> {
  const { accepts, contacts, limit } = query
  const pace = new Pace()
  const slots: number[] = []
  for (let slot = 0; slot < slotLimit(view); slot++) {
    if (pace.isDue(1)) yield
    if (hasBody(view, slot) && accepts(slot)) slots.push(slot)
  }
  let pairs = yield* pairsInOrder(view, slots, query, (slot, other) => other > slot, pace)
  const truncated = pairs.length > limit
  if (truncated) {
    yield* sortById(view, slots, pace)
    const isLater = (slot: number, other: number) => compareIds(idAt(view, slot), idAt(view, other)) < 0
    pairs = yield* pairsInOrder(view, slots, query, isLater, pace)
  }
  yield* sortInSlices(pairs, (a, b) => compareIds(a.idA, b.idA) || compareIds(a.idB, b.idB), pace)
  if (truncated) pairs.length = limit
  for (const pair of pairs) {
    if (!contacts) break
    pair.contact = createContact()
    const { slotA, slotB } = pair
    const a = isDear(view, slotA) ? yield* fetchBody(view, slotA) : heldBodyAt(view, slotA, own)
    const b = isDear(view, slotB) ? yield* fetchBody(view, slotB) : bodyAt(view, slotB)
    const points = bodyWeight(a) + bodyWeight(b)
    const farA = () => farBodyAt(view, slotA)
    if (isLight(a, b)) contact(a, b, 0, pair.contact)
    else yield* contactHeavy(a, farA, b, () => farBodyAt(view, slotB), pair.contact)
    if (pace.isDue(points)) yield
  }
  return { pairs, truncated }
}

/** The pairs of each body with those that are later than it, body by body until there are more than the limit. */
function* pairsInOrder(
  view: View,
  slots: readonly number[],
  { accepts, limit }: PairsQuery,
  isLater: (slot: number, other: number) => boolean,
  pace: Pace,
): FarSlices<MetPair[]> {
  const pairs: MetPair[] = []
  const near = createItemList()
  // Not shared: it is held over pauses.
  const held = createBody()
  for (const slot of slots) {
    if (pace.isDue(1)) yield
    boxAt(view, slot, box)
    bodiesInBox(view, box[0], box[1], box[2], box[3], near)
    let a: Body | null = null
    for (let k = 0; k < near.count; k++) {
      const other = near.items[k]
      if (other === slot || !isLater(slot, other) || !accepts(other)) {
        if (pace.isDue(1)) yield
        continue
      }
      a ??= isDear(view, slot) ? yield* fetchBody(view, slot) : heldBodyAt(view, slot, held)
      const b = isDear(view, other) ? yield* fetchBody(view, other) : bodyAt(view, other)
      const points = bodyWeight(a) + bodyWeight(b)
      const farA = () => farBodyAt(view, slot)
      const meets = isLight(a, b) ? bodiesMeet(a, b) : yield* meetHeavy(a, farA, b, () => farBodyAt(view, other))
      if (meets) pairs.push(pairOf(view, slot, other))
      if (pace.isDue(points)) yield
    }
    if (pairs.length > limit) break
  }
  return pairs
}

function pairOf(view: View, slot: number, other: number): MetPair {
  const id = idAt(view, slot)
  const otherId = idAt(view, other)
  return id < otherId
    ? { slotA: slot, slotB: other, idA: id, idB: otherId, contact: null }
    : { slotA: other, slotB: slot, idA: otherId, idB: id, contact: null }
}
