/**
 * The bodies of a view that a query selects, and lists of them: a page at a time, or in the order of their ids.
 *
 * Tags are decided once for each list of tags. An absent condition lets every body pass. Pages go by slots: a body keeps its slot while
 * it exists, so a body that is there from the first page to the last is listed once, whatever else comes and goes meanwhile.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import { orderByBytes } from '../../containers/byte-order.ts'
import { createItemList } from '../../containers/item-list.ts'
import { compareIds } from '../../containers/ranking.ts'
import { sortInSlices } from '../../containers/sorting.ts'
import { bodiesInBox, hasBody, idAt, isSensorAt, slotLimit, tagsAt, type View } from './view.ts'

export interface BodyFilter {
  /** Bodies with one of `any` at least, with all of `all`, and with none of `none`. */
  tags?: { any?: readonly string[]; all?: readonly string[]; none?: readonly string[] }
  ids?: { include?: readonly string[]; exclude?: readonly string[] }
  sensors?: 'include' | 'exclude' | 'only'
}

export type Accepts = (slot: number) => boolean

/** `self`: a slot that never passes; −1 for none. Good for as long as the view. */
export function compileFilter(view: View, filter: BodyFilter | undefined, self = -1): Accepts {
  if (filter === undefined) return self < 0 ? acceptsAll : (slot) => slot !== self
  const { tags, ids, sensors = 'include' } = filter
  const include = ids?.include === undefined ? null : new Set(ids.include)
  const exclude = ids?.exclude === undefined || ids.exclude.length === 0 ? null : new Set(ids.exclude)
  /** By the slot of a list of tags, one further on. */
  const verdicts: (boolean | undefined)[] = []
  return (slot) => {
    if (slot === self) return false
    if (sensors !== 'include' && isSensorAt(view, slot) !== (sensors === 'only')) return false
    if (tags !== undefined) {
      const list = tagsAt(view, slot)
      verdicts[list + 1] ??= passes(tags, list < 0 ? [] : view.table.tags.lists[list])
      if (!verdicts[list + 1]) return false
    }
    if (include === null && exclude === null) return true
    const id = idAt(view, slot)
    return (include === null || include.has(id)) && (exclude === null || !exclude.has(id))
  }
}

function acceptsAll(): boolean {
  return true
}

function passes({ any, all, none }: NonNullable<BodyFilter['tags']>, tags: readonly string[]): boolean {
  if (any !== undefined && !any.some((tag) => tags.includes(tag))) return false
  if (all !== undefined && !all.every((tag) => tags.includes(tag))) return false
  return none === undefined || !none.some((tag) => tags.includes(tag))
}

interface BodyListQuery {
  accepts: Accepts
  /** Only bodies whose boxes meet this one, and those without bounds; null for all. */
  box: Float64Array | null
  /** Slot of the last body that is known; −1 for none. */
  after: number
}

/**
 * Calls `takes` with the slots that follow; it returns the work for each, in points, or −1 without room. Returns whether there are more.
 */
export function* listBodies(view: View, query: BodyListQuery, takes: (slot: number) => number): Slices<boolean> {
  const { accepts, box, after } = query
  const pace = new Pace()
  if (box === null) {
    for (let slot = after + 1; slot < slotLimit(view); slot++) {
      const work = hasBody(view, slot) && accepts(slot) ? takes(slot) : 0
      if (work < 0) return true
      if (pace.isDue(1 + work)) yield
    }
    return false
  }
  const near = createItemList()
  bodiesInBox(view, box, near)
  const slots = near.items.subarray(0, near.count).filter((slot) => slot > after)
  for (const slot of slots.sort()) {
    const work = accepts(slot) ? takes(slot) : 0
    if (work < 0) return true
    if (pace.isDue(1 + work)) yield
  }
  return false
}

/** Room for the letters of ids at first, for each of them. */
const USUAL_LENGTH = 16

/** Sorts the slots in place. The view must stay open until the end. */
export function* orderById(view: View, slots: Int32Array, pace: Pace): Slices<void> {
  const starts = new Uint32Array(slots.length + 1)
  const order = new Int32Array(slots.length)
  let bytes = Buffer.allocUnsafe(USUAL_LENGTH * slots.length)
  let used = 0
  for (let k = 0; k < slots.length; k++) {
    const id = idAt(view, slots[k])
    if (used + id.length > bytes.length) {
      const larger = Buffer.allocUnsafe(2 * (used + id.length))
      larger.set(bytes.subarray(0, used))
      bytes = larger
    }
    starts[k] = used
    used += bytes.write(id, used, 'latin1')
    order[k] = k
    if (pace.isDue(1)) yield
  }
  starts[slots.length] = used
  yield* orderByBytes({ bytes, starts }, order, pace)
  for (let k = 0; k < order.length; k++) order[k] = slots[order[k]]
  slots.set(order)
}

/** Sorts the slots in place. */
export function* sortById(view: View, slots: number[], pace: Pace): Slices<void> {
  const named: { slot: number; id: string }[] = []
  for (const slot of slots) {
    named.push({ slot, id: idAt(view, slot) })
    if (pace.isDue(1)) yield
  }
  yield* sortInSlices(named, (a, b) => compareIds(a.id, b.id), pace)
  for (let k = 0; k < slots.length; k++) slots[k] = named[k].slot
}
