/**
 * A binary heap of numbered entries, least key first; of equal keys the one that was put in first, so that searches are
 * reproducible.
 */
export interface PriorityQueue {
  count: number
  keys: Float64Array
  /** Order of arrival, and the entry's number. */
  orders: Float64Array
  entries: Int32Array
  arrivals: number
}

export function createPriorityQueue(): PriorityQueue {
  return {
    count: 0,
    keys: new Float64Array(64),
    orders: new Float64Array(64),
    entries: new Int32Array(64),
    arrivals: 0,
  }
}

/** Entries for which an empty queue keeps its memory. */
const KEPT_COUNT = 2 ** 12

/** Empties the queue; what a long search needed is given back. */
export function clearQueue(queue: PriorityQueue): void {
  if (queue.keys.length > KEPT_COUNT) Object.assign(queue, createPriorityQueue())
  queue.count = 0
  queue.arrivals = 0
}

export function addToQueue(queue: PriorityQueue, key: number, entry: number): void {
  insert(queue, key, queue.arrivals++, entry)
}

/** Takes out all entries below 0 and hands them to `visit`; the others stay in their order. */
export function takeNegatives(queue: PriorityQueue, visit: (key: number, entry: number) => void): void {
  const { count, keys, orders, entries, arrivals } = queue
  Object.assign(queue, createPriorityQueue())
  queue.arrivals = arrivals
  for (let at = 0; at < count; at++) {
    if (entries[at] < 0) visit(keys[at], entries[at])
    else insert(queue, keys[at], orders[at], entries[at])
  }
}

function insert(queue: PriorityQueue, key: number, order: number, entry: number): void {
  if (queue.count === queue.keys.length) grow(queue)
  let at = queue.count++
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!isBefore(key, order, queue, parent)) break
    move(queue, parent, at)
    at = parent
  }
  put(queue, at, key, order, entry)
}

/** Least key in the queue; Infinity when it is empty. */
export function leastKey({ count, keys }: PriorityQueue): number {
  return count > 0 ? keys[0] : Infinity
}

/** Takes out the entry with the least key. */
export function takeFromQueue(queue: PriorityQueue): number {
  const taken = queue.entries[0]
  const last = --queue.count
  const key = queue.keys[last]
  const order = queue.orders[last]
  const entry = queue.entries[last]
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= last) break
    if (child + 1 < last && isBefore(queue.keys[child + 1], queue.orders[child + 1], queue, child)) child++
    if (isBefore(key, order, queue, child)) break
    move(queue, child, at)
    at = child
  }
  put(queue, at, key, order, entry)
  return taken
}

function isBefore(key: number, order: number, { keys, orders }: PriorityQueue, at: number): boolean {
  return key < keys[at] || (key === keys[at] && order < orders[at])
}

function move(queue: PriorityQueue, from: number, to: number): void {
  put(queue, to, queue.keys[from], queue.orders[from], queue.entries[from])
}

function put({ keys, orders, entries }: PriorityQueue, at: number, key: number, order: number, entry: number): void {
  keys[at] = key
  orders[at] = order
  entries[at] = entry
}

function grow(queue: PriorityQueue): void {
  const { keys, orders, entries } = queue
  queue.keys = new Float64Array(2 * keys.length)
  queue.orders = new Float64Array(2 * keys.length)
  queue.entries = new Int32Array(2 * keys.length)
  queue.keys.set(keys)
  queue.orders.set(orders)
  queue.entries.set(entries)
}
