/**
 * A queue of the bodies that a ray or a moving body may meet, to be tested one by one, with pauses.
 *
 * Method: the tree is walked in one go, because it may change in a pause. Bodies are filtered and ordered afterwards, in a binary
 * heap, so that bodies beyond the answer are never sorted.
 */
import type { Pace, Slices } from '../../containers/budget.ts'
import type { Accepts } from '../state/filter.ts'
import type { Kinds } from '../state/geometry.ts'
import { type View, visitOnTheWay } from '../state/view.ts'

interface WayQueue {
  count: number
  readonly slots: Int32Array
  /** The earliest time at which each may be met. */
  readonly times: Float64Array
  /** True: the earliest comes first. False: in any order. */
  readonly isOrdered: boolean
  /** The body that was taken last. */
  slot: number
  time: number
}

let slots = new Int32Array(64)
let times = new Float64Array(64)
let count = 0

/** Notes the bodies whose boxes the moving box may meet within the time `limit`, for `queueNoted`. */
export function noteOnTheWay<K extends Kinds>(view: View<K>, moving: K['movingBox'], limit: number): void {
  count = 0
  visitOnTheWay(view, moving, limit, (slot, time) => {
    note(slot, time)
    return limit
  })
}

/** Notes the first bodies of a list, which may be met at any time. */
export function noteList(items: Int32Array, length: number): void {
  count = 0
  for (let k = 0; k < length; k++) note(items[k], 0)
}

function note(slot: number, time: number): void {
  if (count === slots.length) {
    const more = new Int32Array(2 * count)
    more.set(slots)
    slots = more
    const moreTimes = new Float64Array(2 * count)
    moreTimes.set(times)
    times = moreTimes
  }
  slots[count] = slot
  times[count++] = time
}

/** A queue of the noted bodies that pass the filter. `wanted`: how many hits are needed, at most; a queue with no more is not ordered. */
export function* queueNoted(accepts: Accepts, wanted: number, pace: Pace): Slices<WayQueue> {
  const queue: WayQueue = {
    count: 0,
    slots: slots.slice(0, count),
    times: times.slice(0, count),
    isOrdered: wanted < count,
    slot: -1,
    time: 0,
  }
  const noted = queue.slots.length
  for (let k = 0; k < noted; k++) {
    if (accepts(queue.slots[k])) {
      queue.slots[queue.count] = queue.slots[k]
      queue.times[queue.count++] = queue.times[k]
    }
    if (pace.isDue(1)) yield
  }
  if (!queue.isOrdered) return queue
  for (let at = (queue.count >> 1) - 1; at >= 0; at--) {
    sink(queue, at, queue.slots[at], queue.times[at])
    if (pace.isDue(1)) yield
  }
  return queue
}

/** Sets `slot` and `time` to those of the next body; false when there is none. O(log n). */
export function takeNext(queue: WayQueue): boolean {
  const { slots, times, isOrdered } = queue
  if (queue.count === 0) return false
  const last = --queue.count
  const taken = isOrdered ? 0 : last
  queue.slot = slots[taken]
  queue.time = times[taken]
  if (isOrdered) sink(queue, 0, slots[last], times[last])
  return true
}

/** Sifts a body down the heap from an index. */
function sink({ slots, times, count }: WayQueue, from: number, slot: number, time: number): void {
  let at = from
  for (;;) {
    let child = 2 * at + 1
    if (child >= count) break
    if (child + 1 < count && times[child + 1] < times[child]) child++
    if (times[child] >= time) break
    slots[at] = slots[child]
    times[at] = times[child]
    at = child
  }
  slots[at] = slot
  times[at] = time
}
