/**
 * A dynamic tree over many items at once.
 *
 * Method: items are sorted along a Z-order curve through the centres of their boxes, by radix, and split where the curve
 * crosses the middle of a square (C. Lauterbach et al., "Fast BVH Construction on GPUs", 2009, 3.1). Where many centres share
 * one cell of the curve, they are sorted again along a finer one of their own. Below a depth that ordinary items never reach,
 * splits are at the median. Unbounded boxes have no centre and get a side of the root to themselves.
 */

import { type Pace, type Slices, spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/scratch.ts'
import { clearNodes, reserveItemsInSlices, reserveNodes } from './dynamic-tree.ts'
import { type DynamicTree, refit } from './dynamic-tree-node.ts'

/** Bits of the curve along one axis. */
const AXIS_BITS = 16
/** So many items or fewer that share a cell are not sorted again. */
const FEW_COUNT = 4
/** Splits are at the median below this depth. */
const MOST_DEPTH_COUNT = 64
/** Sorted by counting so many bits at a time; by insertion up to so many items. */
const RADIX_BITS = 11
const INSERTION_COUNT = 32
/** Differences below its inverse are scaled by it before they are divided by. */
const LARGE = 2 ** 500

/** Items after which a build that is done in slices may pause; where little is done for each. */
const SLICE_COUNT = 2 ** 12
const LIGHT_SLICE_COUNT = 2 ** 14
/** Numbers. */
const COPY_COUNT = 2 ** 17

/** Items in the order of the curve, and where on it they are. */
interface Ordered {
  order: Uint32Array
  codes: Uint32Array
}

interface Scratch extends Ordered {
  /** The other half of the sort. */
  spareOrder: Uint32Array
  spareCodes: Uint32Array
  /** The nodes yet to split. */
  pending: Int32Array
  /** Of one pass of the sort. */
  buckets: Uint32Array
}

/** Of builds without pauses. */
const shared = createScratch(64)

function createScratch(capacity: number): Scratch {
  return {
    order: new Uint32Array(capacity),
    codes: new Uint32Array(capacity),
    spareOrder: new Uint32Array(capacity),
    spareCodes: new Uint32Array(capacity),
    pending: new Int32Array(4 * (MOST_DEPTH_COUNT + 34)),
    buckets: new Uint32Array(1 << RADIX_BITS),
  }
}

/** Replaces what the tree holds by the items 0 … count − 1. O(n), or O(n) for each time that centres must be sorted again. */
export function buildDynamicTree(tree: DynamicTree, boxes: Float64Array, count: number): void {
  if (shared.order.length < count) Object.assign(shared, createScratch(2 ** Math.ceil(Math.log2(count))))
  const work = build(tree, boxes, count, shared)
  try {
    while (work.next().done !== true);
  } finally {
    if (shared.order.length > KEPT_ENTRIES) Object.assign(shared, createScratch(64))
  }
}

/** `buildDynamicTree` with pauses, during which you must not read the tree or change the boxes. */
export function* buildDynamicTreeInSlices(
  tree: DynamicTree,
  boxes: Float64Array,
  count: number,
  pace: Pace,
): Slices<void> {
  for (const _ of build(tree, boxes, count, createScratch(Math.max(1, count)))) if (pace.isDue(SLICE_COUNT)) yield
}

function* build(tree: DynamicTree, boxes: Float64Array, count: number, scratch: Scratch): Slices<void> {
  yield* reserveItemsInSlices(tree, count)
  reserveNodes(tree, Math.max(1, count))
  yield
  tree.leafOf.fill(-1)
  tree.isFat.fill(0)
  yield
  for (let at = 0; at < 4 * count; at += COPY_COUNT) {
    tree.itemBoxes.set(boxes.subarray(at, Math.min(at + COPY_COUNT, 4 * count)), at)
    yield
  }
  tree.count = count
  tree.fatCount = 0
  tree.used = Math.max(1, count)
  tree.free = -1
  clearNodes(tree)
  if (count === 0) return
  spend(4 * count)
  yield
  const bounded = yield* gather(tree.itemBoxes, count, scratch)
  yield* split(tree, bounded, count, scratch)
  for (let node = 2 * count - 1; node >= 0; node--) {
    if (node !== 1) place(tree, node)
    if (node % SLICE_COUNT === 0) yield
  }
}

function place(tree: DynamicTree, node: number): void {
  const { boxes, child, itemBoxes, leafOf, height } = tree
  const item = ~child[node]
  if (item < 0) {
    refit(tree, node)
    return
  }
  boxes[4 * node] = itemBoxes[4 * item]
  boxes[4 * node + 1] = itemBoxes[4 * item + 1]
  boxes[4 * node + 2] = itemBoxes[4 * item + 2]
  boxes[4 * node + 3] = itemBoxes[4 * item + 3]
  height[node] = 0
  leafOf[item] = node
}

/** Lists the items, unbounded ones last; returns how many are bounded. */
function* gather(boxes: Float64Array, count: number, { order, spareOrder, spareCodes }: Scratch): Slices<number> {
  let bounded = 0
  let last = count
  for (let i = 0; i < count; i++) {
    const sum = boxes[4 * i] + boxes[4 * i + 1] - boxes[4 * i + 2] - boxes[4 * i + 3]
    if (sum - sum === 0) order[bounded++] = i
    else order[--last] = i
    // the sort writes all over these, which is slow where their memory has never been touched
    spareOrder[i] = 0
    spareCodes[i] = 0
    if (i % LIGHT_SLICE_COUNT === LIGHT_SLICE_COUNT - 1) yield
  }
  return bounded
}

function centre(boxes: Float64Array, item: number, axis: number): number {
  return 0.5 * boxes[4 * item + axis] + 0.5 * boxes[4 * item + 2 + axis]
}

/** Sorts a range of the order along the curve through its own square. */
function* sortAlongCurve(boxes: Float64Array, start: number, end: number, scratch: Scratch): Slices<void> {
  const { order, codes } = scratch
  let minX = Infinity
  let minY = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  for (let k = start; k < end; k++) {
    const x = centre(boxes, order[k], 0)
    const y = centre(boxes, order[k], 1)
    if (x < minX) minX = x
    if (x > maxX) maxX = x
    if (y < minY) minY = y
    if (y > maxY) maxY = y
    if (isDue(k, start)) yield
  }
  spend(4 * (end - start))
  const extent = Math.max(maxX - minX, maxY - minY)
  // a power of two with which neither a difference overflows nor the scale does
  const unit = extent === Infinity ? 0.5 : extent < 1 / LARGE ? LARGE : 1
  const side = Math.max(unit * maxX - unit * minX, unit * maxY - unit * minY)
  const scale = side > 0 ? (2 ** AXIS_BITS - 1) / side : 0
  for (let k = start; k < end; k++) {
    const x = (unit * centre(boxes, order[k], 0) - unit * minX) * scale
    const y = (unit * centre(boxes, order[k], 1) - unit * minY) * scale
    codes[k] = spread(x) | (spread(y) << 1)
    if (isDue(k, start)) yield
  }
  if (end - start <= INSERTION_COUNT) insertionSort(start, end, scratch)
  else yield* radixSort(start, end, scratch)
}

/** Whether so much has been done since the last pause. */
const isDue = (k: number, start: number) => (k - start) % LIGHT_SLICE_COUNT === LIGHT_SLICE_COUNT - 1

/** The lower 16 bits of a number, each followed by a zero. */
function spread(place: number): number {
  let bits = place & 0xffff
  bits = (bits | (bits << 8)) & 0x00ff00ff
  bits = (bits | (bits << 4)) & 0x0f0f0f0f
  bits = (bits | (bits << 2)) & 0x33333333
  return (bits | (bits << 1)) & 0x55555555
}

function insertionSort(start: number, end: number, { order, codes }: Scratch): void {
  for (let k = start + 1; k < end; k++) {
    const code = codes[k]
    const item = order[k]
    let at = k
    for (; at > start && codes[at - 1] > code; at--) {
      codes[at] = codes[at - 1]
      order[at] = order[at - 1]
    }
    codes[at] = code
    order[at] = item
  }
}

function* radixSort(start: number, end: number, scratch: Scratch): Slices<void> {
  const { order, codes, spareOrder, spareCodes, buckets } = scratch
  const own = { order, codes }
  const spare = { order: spareOrder, codes: spareCodes }
  // Emptying the buckets costs as much as so many items.
  const bits = end - start < 1 << RADIX_BITS ? 8 : RADIX_BITS
  let swapped = false
  for (let shift = 0; shift < 2 * AXIS_BITS; shift += bits) {
    const [from, to] = swapped ? [spare, own] : [own, spare]
    yield* distribute(from, to, start, end, shift, buckets.subarray(0, 1 << bits))
    swapped = !swapped
  }
  if (!swapped) return
  codes.set(spareCodes.subarray(start, end), start)
  order.set(spareOrder.subarray(start, end), start)
}

/** One stable pass of a counting sort. */
function* distribute(
  { order: fromOrder, codes: from }: Ordered,
  { order: toOrder, codes: to }: Ordered,
  start: number,
  end: number,
  shift: number,
  buckets: Uint32Array,
): Slices<void> {
  const mask = buckets.length - 1
  buckets.fill(0)
  for (let k = start; k < end; k++) {
    buckets[(from[k] >>> shift) & mask]++
    if (isDue(k, start)) yield
  }
  let next = start
  for (let b = 0; b <= mask; b++) {
    const size = buckets[b]
    buckets[b] = next
    next += size
  }
  for (let k = start; k < end; k++) {
    const at = buckets[(from[k] >>> shift) & mask]++
    to[at] = from[k]
    toOrder[at] = fromOrder[k]
    if (isDue(k, start)) yield
  }
}

/** Makes the nodes, each pair before those below it, and those below a first sibling before those below the second. */
function* split(
  { itemBoxes, child, parent }: DynamicTree,
  bounded: number,
  count: number,
  scratch: Scratch,
): Slices<void> {
  const { order, codes, pending } = scratch
  if (bounded > 0) yield* sortAlongCurve(itemBoxes, 0, bounded, scratch)
  codes.fill(0, bounded, count)
  yield
  let pairs = 1
  let top = push(pending, 0, 0, 0, count, 0)
  while (top > 0) {
    top -= 4
    const node = pending[top]
    const start = pending[top + 1]
    const end = pending[top + 2]
    const depth = pending[top + 3]
    if (end - start === 1) {
      child[node] = ~order[start]
      if (start % SLICE_COUNT === 0) yield
      continue
    }
    const isMixed = start < bounded && bounded < end
    const isAtMedian = depth >= MOST_DEPTH_COUNT || start >= bounded
    if (!isMixed && !isAtMedian && codes[start] === codes[end - 1] && end - start > FEW_COUNT) {
      yield* sortAlongCurve(itemBoxes, start, end, scratch)
    }
    const middle = isMixed ? bounded : splitPlace(codes, start, end, isAtMedian)
    const first = 2 * pairs
    child[node] = first
    parent[pairs++] = node
    top = push(pending, top, first + 1, middle, end, depth + 1)
    top = push(pending, top, first, start, middle, depth + 1)
  }
}

function push(pending: Int32Array, top: number, node: number, start: number, end: number, depth: number): number {
  pending[top] = node
  pending[top + 1] = start
  pending[top + 2] = end
  pending[top + 3] = depth
  return top + 4
}

/** Where the second half of a range begins. */
function splitPlace(codes: Uint32Array, start: number, end: number, isAtMedian: boolean): number {
  const median = (start + end) >>> 1
  if (isAtMedian) return median
  const differing = codes[start] ^ codes[end - 1]
  if (differing === 0) return median
  // the first code that has the highest bit in which the first and the last one differ
  const bit = 31 - Math.clz32(differing)
  let low = start
  let high = end - 1
  while (low + 1 < high) {
    const middle = (low + high) >>> 1
    if (((codes[middle] >>> bit) & 1) === 1) high = middle
    else low = middle
  }
  return high
}
