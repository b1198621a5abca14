/**
 * A dynamic tree over many items at once.
 *
 * Method: items are sorted along a Z-order curve through the centres of their boxes, by radix, and split where the curve
 * crosses the middle of a square (C. Lauterbach et al., "Fast BVH Construction on GPUs", 2009, 3.1). In space, of a cube. Where many centres share
 * one cell of the curve, they are sorted again along a finer one of their own. Below a depth that ordinary items never reach,
 * splits are at the median. Unbounded boxes have no centre and get a side of the root to themselves.
 */

import { type Pace, type Slices, spend } from '../containers/budget.ts'
import { KEPT_ENTRIES } from '../containers/scratch.ts'
import { clearNodes, type DynamicTree, reserveItemsInSlices, reserveNodes, type TreeSpace } from './dynamic-tree.ts'

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
  /** The box of the centres, and the curve through it as `TreeSpace` has it. */
  bounds: Float64Array
  curve: Float64Array
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
    bounds: new Float64Array(6),
    curve: new Float64Array(5),
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
  const { space } = tree
  const end = space.sides * count
  for (let at = 0; at < end; at += COPY_COUNT) {
    tree.itemBoxes.set(boxes.subarray(at, Math.min(at + COPY_COUNT, end)), at)
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
  const bounded = yield* gather(tree, scratch)
  yield* split(tree, bounded, scratch)
  for (let node = 2 * count - 1; node >= 0; node -= SLICE_COUNT) {
    space.fillNodes(tree, node, Math.max(0, node - SLICE_COUNT + 1))
    yield
  }
}

/** Lists the items, unbounded ones last; returns how many are bounded. */
function* gather({ space, itemBoxes, count }: DynamicTree, scratch: Scratch): Slices<number> {
  const { order, spareOrder, spareCodes } = scratch
  const { sides } = space
  let bounded = 0
  let last = count
  for (let i = 0; i < count; i++) {
    let sum = 0
    // not a number where a side is infinite
    for (let at = sides * i; at < sides * i + sides; at++) sum += 0 * itemBoxes[at]
    if (sum === 0) order[bounded++] = i
    else order[--last] = i
    // the sort writes all over these, which is slow where their memory has never been touched
    spareOrder[i] = 0
    spareCodes[i] = 0
    if (i % LIGHT_SLICE_COUNT === LIGHT_SLICE_COUNT - 1) yield
  }
  return bounded
}

/** Sorts a range of the order along the curve through its own square or cube. */
function* sortAlongCurve(
  space: TreeSpace,
  boxes: Float64Array,
  start: number,
  end: number,
  scratch: Scratch,
): Slices<void> {
  const { order, bounds, curve } = scratch
  const half = space.sides / 2
  bounds.fill(Infinity, 0, half)
  bounds.fill(-Infinity, half)
  for (let from = start; from < end; from += LIGHT_SLICE_COUNT) {
    const to = Math.min(from + LIGHT_SLICE_COUNT, end)
    space.boundCentres(boxes, order, from, to, bounds)
    if (to < end) yield
  }
  spend(4 * (end - start))
  layCurve(space, bounds, curve)
  for (let from = start; from < end; from += LIGHT_SLICE_COUNT) {
    const to = Math.min(from + LIGHT_SLICE_COUNT, end)
    space.placeOnCurve(boxes, scratch, from, to, curve)
    if (to < end) yield
  }
  if (end - start <= INSERTION_COUNT) insertionSort(start, end, scratch)
  else yield* radixSort(start, end, scratch)
}

function layCurve({ sides, axisBits }: TreeSpace, bounds: Float64Array, curve: Float64Array): void {
  const half = sides / 2
  let extent = 0
  for (let axis = 0; axis < half; axis++) extent = Math.max(extent, bounds[half + axis] - bounds[axis])
  // a power of two with which neither a difference overflows nor the scale does
  const unit = extent === Infinity ? 0.5 : extent < 1 / LARGE ? LARGE : 1
  let side = 0
  for (let axis = 0; axis < half; axis++) side = Math.max(side, unit * bounds[half + axis] - unit * bounds[axis])
  curve[0] = unit
  curve[1] = side > 0 ? (2 ** axisBits - 1) / side : 0
  for (let axis = 0; axis < half; axis++) curve[2 + axis] = unit * bounds[axis]
}

/** Whether so much has been done since the last pause. */
const isDue = (k: number, start: number) => (k - start) % LIGHT_SLICE_COUNT === LIGHT_SLICE_COUNT - 1

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
  for (let shift = 0; shift < 32; shift += bits) {
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
  { space, count, itemBoxes, child, parent }: DynamicTree,
  bounded: number,
  scratch: Scratch,
): Slices<void> {
  const { order, codes, pending } = scratch
  if (bounded > 0) yield* sortAlongCurve(space, itemBoxes, 0, bounded, scratch)
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
      yield* sortAlongCurve(space, itemBoxes, start, end, scratch)
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
