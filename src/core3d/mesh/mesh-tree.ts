/**
 * The bounding-volume tree of a mesh: its build.
 *
 * Method: top-down over boxes of triangles, split where the surface-area heuristic over bins of box centres says (I. Wald, "On fast
 * construction of SAH-based bounding volume hierarchies", 2007), over some of them where they are many, and over all planes between them
 * where they are few. Each side of a split has four triangles or more, and seven are not
 * split, so a leaf has four to seven (fewer only in a mesh of fewer). Boxes are moved as they are sorted, not an index of them, and
 * triangles are kept once more, as records, in the order of the tree. Below `BINNED_DEPTH_COUNT` splits halve the count: so the depth is bounded, and
 * equal, overlapping or crowded triangles cost no more than others.
 * Layout: a node is eight numbers of 32 bits: least x, y, z and greatest x, y, z in single precision, then the first of its two
 * children, which stand together, and 0; or of a leaf its first record and their count. Node 0 is the root; children come after their parents,
 * in treelets of seven pairs, those with the largest boxes below a first one (S. Yoon, D. Manocha, "Cache-efficient layouts of bounding volume
 * hierarchies", 2006).
 * A record is eleven numbers of 16 bits: x, y, z of three corners, as shares of the sides of the leaf's box, and which triangle it is, the lower half
 * first. So all of a leaf is in two or three cache lines, and a triangle that is not met costs no look at the caller's arrays, where each corner lies elsewhere.
 * Frame: (vertex − origin) · scale: the origin is the middle of the mesh's box, the scale the power of two that brings it into ±1; boxes
 * are rounded outward to single precision, but not for the rounding of that difference: queries widen theirs by `TREE_ERROR`.
 */

import { spend } from '../../containers/budget.ts'
import { binaryExponent } from '../../numeric/exact-ring.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { midway } from '../../numeric/safe-range.ts'

/** Numbers of 32 bits in a node, and of 16 bits in the record of a triangle. */
export const NODE_SIZE = 8
export const RECORD_SIZE = 11

/** The greatest error of a box's coordinates in the frame of the tree. */
export const TREE_ERROR = 4 * UNIT_ROUNDOFF
/** A side of a leaf's box in steps of its records' corners, and a step as a share of it. */
const RECORD_STEP_COUNT = 2 ** 16 - 1
export const RECORD_STEP = 1 / RECORD_STEP_COUNT

/** Most triangles of a leaf, and the fewest on a side of a split. */
const LEAF_COUNT = 7
const LEAST_COUNT = 4

const BIN_COUNT = 16

/** Up to so many items are sorted, not binned; up to so many have fewer bins; of 2^so many and more only a part is binned. */
const SORTED_COUNT = 16
const FEW_COUNT = 64
const FEWER_BIN_COUNT = 8
const SAMPLE_EXPONENT = 10

/** From this depth on splits halve the count, which is below 2^32. */
const BINNED_DEPTH_COUNT = 48
/** Nodes on the way to any node. */
export const MESH_DEPTH_COUNT = BINNED_DEPTH_COUNT + 32

/**
 * Pairs of nodes in a treelet: those that a walk from the first is likeliest to come to. They stand together, so that a walk that comes to
 * the first can have the cache lines of all fetched at once, in the time of one.
 */
const TREELET_COUNT = 7
/** … in numbers of 32 bits. */
export const TREELET_SIZE = 2 * NODE_SIZE * TREELET_COUNT

/**
 * Reads one number of each pair of the treelet that begins with the pair at this index, so that their cache lines are fetched together. The
 * result means nothing, but store it: reads that nobody uses are left out by compilers.
 */
export function touchTreelet(links: Uint32Array, at: number): number {
  const near = links[at + 2 * NODE_SIZE] ^ links[at + 4 * NODE_SIZE] ^ links[at + 6 * NODE_SIZE]
  return near ^ links[at + 8 * NODE_SIZE] ^ links[at + 10 * NODE_SIZE] ^ links[at + 12 * NODE_SIZE]
}

/** Rounds of a search for the median, after which any order will do. */
const MEDIAN_ROUND_COUNT = 40

export interface MeshTree {
  nodeCount: number
  /** Of the triangles, exactly. */
  box: Float64Array
  origin: Float64Array
  scale: number
  /** Larger than needed; the boxes in it are single-precision numbers. */
  links: Uint32Array
  records: Uint16Array
}

/** Boxes of triangles, six numbers each and, as an integer, which triangle it is: seven in eight. */
interface Items {
  boxes: Float32Array
  names: Uint32Array
}

/** The tree over at least one triangle, three finite vertices each. Cost O(triangles · log triangles), 32 bytes a triangle while it works. */
export function buildMeshTree(vertices: Float64Array, triangles: Uint32Array): MeshTree {
  const count = triangles.length / 3
  spend(2 * count)
  const box = boxOfTriangles(vertices, triangles)
  const origin = new Float64Array(3)
  let reach = 0
  for (let k = 0; k < 3; k++) {
    origin[k] = midway(box[k], box[k + 3])
    reach = Math.max(reach, box[k + 3] - origin[k], origin[k] - box[k])
  }
  const scale = reach === 0 ? 1 : 2 ** Math.max(-1022, Math.min(1022, -1 - binaryExponent(reach)))
  const items = itemsOf(vertices, triangles, origin, scale)
  const links = new Uint32Array(NODE_SIZE * Math.max(1, (count >> 1) + 1))
  const nodeCount = makeNodes(new Float32Array(links.buffer), links, items, count)
  const records = makeRecords(vertices, triangles, items, origin, scale, links, nodeCount)
  return { nodeCount, box, origin, scale, links, records }
}

/** Which triangle a record is of. */
export function triangleOf(records: Uint16Array, record: number): number {
  const at = RECORD_SIZE * record + 9
  return records[at] + 2 ** 16 * records[at + 1]
}

function makeRecords(
  vertices: Float64Array,
  triangles: Uint32Array,
  { names }: Items,
  origin: Float64Array,
  scale: number,
  links: Uint32Array,
  nodeCount: number,
): Uint16Array {
  const records = new Uint16Array((RECORD_SIZE * triangles.length) / 3)
  const nodes = new Float32Array(links.buffer)
  for (let at = 0; at < NODE_SIZE * nodeCount; at += NODE_SIZE) {
    const first = links[at + 6]
    const count = links[at + 7]
    for (let k = 0; count > 0 && k < 3; k++) {
      const low = nodes[at + k]
      const middle = origin[k]
      const side = nodes[at + 3 + k] - low
      const steps = side > 0 ? RECORD_STEP_COUNT / side : 0
      for (let i = first; i < first + count; i++) {
        const triangle = 3 * names[8 * i + 6]
        const to = RECORD_SIZE * i + k
        // as the box was made, so none is below it
        for (let corner = 0; corner < 3; corner++) {
          const place = (vertices[3 * triangles[triangle + corner] + k] - middle) * scale
          records[to + 3 * corner] = (place - low) * steps + 0.5
        }
        if (k > 0) continue
        records[to + 9] = names[8 * i + 6]
        records[to + 10] = names[8 * i + 6] >>> 16
      }
    }
  }
  return records
}

function boxOfTriangles(vertices: Float64Array, triangles: Uint32Array): Float64Array {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity)
  for (let i = 0; i < triangles.length; i++) {
    const at = 3 * triangles[i]
    for (let k = 0; k < 3; k++) {
      const value = vertices[at + k]
      if (value < box[k]) box[k] = value
      if (value > box[k + 3]) box[k + 3] = value
    }
  }
  return box
}

const single = new Float32Array(1)
const singleBits = new Int32Array(single.buffer)

/** The greatest number of single precision that is not above it. Of magnitude up to 2. */
export function singleBelow(value: number): number {
  const rounded = Math.fround(value)
  if (rounded <= value) return rounded
  single[0] = rounded
  if (rounded === 0) singleBits[0] = BELOW_ZERO
  else singleBits[0] += rounded > 0 ? -1 : 1
  return single[0]
}

/** The bits of the single-precision number next below 0. */
const BELOW_ZERO = 0x80000001 | 0

function itemsOf(vertices: Float64Array, triangles: Uint32Array, origin: Float64Array, scale: number): Items {
  const count = triangles.length / 3
  const boxes = new Float32Array(8 * count)
  const names = new Uint32Array(boxes.buffer)
  for (let i = 0; i < count; i++) {
    const a = 3 * triangles[3 * i]
    const b = 3 * triangles[3 * i + 1]
    const c = 3 * triangles[3 * i + 2]
    for (let k = 0; k < 3; k++) {
      const p = vertices[a + k]
      const q = vertices[b + k]
      const r = vertices[c + k]
      const least = Math.min(p, q, r)
      const greatest = Math.max(p, q, r)
      boxes[8 * i + k] = singleBelow((least - origin[k]) * scale)
      boxes[8 * i + 3 + k] = -singleBelow((origin[k] - greatest) * scale)
    }
    names[8 * i + 6] = i
  }
  return { boxes, names }
}

// Splitting. Centres are taken twice: the sum of both sides of a box.

const bins = { counts: new Int32Array(3 * BIN_COUNT), boxes: new Float32Array(6 * 3 * BIN_COUNT) }
/** Areas and counts of what lies below each plane between bins. */
const below = { areas: new Float64Array(BIN_COUNT), counts: new Int32Array(BIN_COUNT) }
const centers = new Float64Array(6)
const swept = new Float64Array(6)
/** The plane found last: its axis, −1 for none, the bin before it, and how many bins there are along an axis. */
const plane = { axis: -1, bin: 0, binCount: BIN_COUNT }

/** Ranges of items that wait to be split: node, start, end and depth of each, its area, and the bounds of its items' centres. */
const WAITING_COUNT = (TREELET_COUNT + 1) * MESH_DEPTH_COUNT
const waiting = {
  ranges: new Int32Array(4 * WAITING_COUNT),
  areas: new Float64Array(WAITING_COUNT),
  centers: new Float64Array(6 * WAITING_COUNT),
}

/** Fills the nodes, treelet by treelet, each from the largest box that is left in it; returns how many there are. */
function makeNodes(nodes: Float32Array, links: Uint32Array, items: Items, count: number): number {
  const { ranges } = waiting
  let nodeCount = 1
  let top = placeNode(nodes, links, items, 0, 0, count, 0, 0)
  while (top > 0) {
    const base = top - 1
    for (let pairs = 0; pairs < TREELET_COUNT && top > base; pairs++) {
      const slot = largestWaiting(base, top)
      const node = ranges[4 * slot]
      const start = ranges[4 * slot + 1]
      const end = ranges[4 * slot + 2]
      const depth = ranges[4 * slot + 3]
      for (let k = 0; k < 6; k++) centers[k] = waiting.centers[6 * slot + k]
      moveWaiting(--top, slot)
      const middle = split(items, start, end, depth)
      links[NODE_SIZE * node + 6] = nodeCount
      links[NODE_SIZE * node + 7] = 0
      top = placeNode(nodes, links, items, nodeCount, start, middle, depth + 1, top)
      top = placeNode(nodes, links, items, nodeCount + 1, middle, end, depth + 1, top)
      nodeCount += 2
    }
  }
  return nodeCount
}

function largestWaiting(from: number, to: number): number {
  const { areas } = waiting
  let largest = from
  for (let slot = from + 1; slot < to; slot++) if (areas[slot] > areas[largest]) largest = slot
  return largest
}

function moveWaiting(from: number, to: number): void {
  const { ranges, areas, centers: bounds } = waiting
  areas[to] = areas[from]
  for (let k = 0; k < 4; k++) ranges[4 * to + k] = ranges[4 * from + k]
  for (let k = 0; k < 6; k++) bounds[6 * to + k] = bounds[6 * from + k]
}

/** Sets the box of a node, and what it holds if it is a leaf; else it waits in the slot `top`. Returns the first free slot. */
function placeNode(
  nodes: Float32Array,
  links: Uint32Array,
  items: Items,
  node: number,
  start: number,
  end: number,
  depth: number,
  top: number,
): number {
  const at = NODE_SIZE * node
  const isLeaf = end - start <= LEAF_COUNT
  setNodeBox(nodes, at, items, start, end)
  if (isLeaf) {
    links[at + 6] = start
    links[at + 7] = end - start
    return top
  }
  const { ranges, areas, centers: bounds } = waiting
  ranges[4 * top] = node
  ranges[4 * top + 1] = start
  ranges[4 * top + 2] = end
  ranges[4 * top + 3] = depth
  const x = nodes[at + 3] - nodes[at]
  const y = nodes[at + 4] - nodes[at + 1]
  const z = nodes[at + 5] - nodes[at + 2]
  areas[top] = x * y + y * z + z * x
  for (let k = 0; k < 6; k++) bounds[6 * top + k] = centers[k]
  return top + 1
}

/** Sets the box of a node, and the bounds of its items' centres. */
function setNodeBox(nodes: Float32Array, at: number, { boxes }: Items, start: number, end: number): void {
  spend((end - start) >> 2)
  let minX = Infinity
  let minY = Infinity
  let minZ = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  let maxZ = -Infinity
  let firstX = Infinity
  let firstY = Infinity
  let firstZ = Infinity
  let lastX = -Infinity
  let lastY = -Infinity
  let lastZ = -Infinity
  for (let i = 8 * start; i < 8 * end; i += 8) {
    const lowX = boxes[i]
    const lowY = boxes[i + 1]
    const lowZ = boxes[i + 2]
    const highX = boxes[i + 3]
    const highY = boxes[i + 4]
    const highZ = boxes[i + 5]
    const x = lowX + highX
    const y = lowY + highY
    const z = lowZ + highZ
    if (lowX < minX) minX = lowX
    if (lowY < minY) minY = lowY
    if (lowZ < minZ) minZ = lowZ
    if (highX > maxX) maxX = highX
    if (highY > maxY) maxY = highY
    if (highZ > maxZ) maxZ = highZ
    if (x < firstX) firstX = x
    if (y < firstY) firstY = y
    if (z < firstZ) firstZ = z
    if (x > lastX) lastX = x
    if (y > lastY) lastY = y
    if (z > lastZ) lastZ = z
  }
  nodes[at] = minX
  nodes[at + 1] = minY
  nodes[at + 2] = minZ
  nodes[at + 3] = maxX
  nodes[at + 4] = maxY
  nodes[at + 5] = maxZ
  centers[0] = firstX
  centers[1] = firstY
  centers[2] = firstZ
  centers[3] = lastX
  centers[4] = lastY
  centers[5] = lastZ
}

/** Puts the items into two halves and returns where the second begins. */
function split(items: Items, start: number, end: number, depth: number): number {
  if (depth < BINNED_DEPTH_COUNT) {
    if (end - start <= SORTED_COUNT) return splitSorted(items, start, end)
    // of many, every so many say as well where to split, but not for certain that enough are on each side
    const step = ((end - start) >> SAMPLE_EXPONENT) | 1
    let middle = splitAtPlane(items, start, end, step)
    if (middle < 0 && step > 1) middle = splitAtPlane(items, start, end, 1)
    if (middle >= 0) return middle
  }
  return halve(items, start, end)
}

/** As `split`, at the best plane between the bins of every item that is `step` behind another; −1 if there is none. */
function splitAtPlane(items: Items, start: number, end: number, step: number): number {
  findPlane(items, start, end, step)
  if (plane.axis < 0) return -1
  const middle = partition(items, start, end, plane.axis, plane.bin)
  return middle - start >= LEAST_COUNT && end - middle >= LEAST_COUNT ? middle : -1
}

// Few items: all planes between them, sorted along each axis.

const keys = new Float64Array(SORTED_COUNT)
const order = new Uint8Array(SORTED_COUNT)
const bestOrder = new Uint8Array(SORTED_COUNT)
const lowerAreas = new Float64Array(SORTED_COUNT)
const moved = new Uint32Array(8 * SORTED_COUNT)

/** As `split`, of at most `SORTED_COUNT` items, but at least `2 · LEAST_COUNT`. */
function splitSorted(items: Items, start: number, end: number): number {
  const count = end - start
  const widest = Math.max(centers[3] - centers[0], centers[4] - centers[1], centers[5] - centers[2])
  let best = Infinity
  let lower = count >> 1
  for (let i = 0; i < count; i++) bestOrder[i] = i
  for (let axis = 0; axis < 3; axis++) {
    const extent = centers[axis + 3] - centers[axis]
    if (!(extent > 0) || extent < widest / 2) continue
    sortAlong(items, start, count, axis)
    clearSwept()
    for (let k = 0; k < count - LEAST_COUNT; k++) {
      widenSwept(items.boxes, 8 * (start + order[k]))
      if (k + 1 >= LEAST_COUNT) lowerAreas[k] = halfArea()
    }
    clearSwept()
    let isBest = false
    for (let k = count - 1; k >= LEAST_COUNT; k--) {
      widenSwept(items.boxes, 8 * (start + order[k]))
      if (k > count - LEAST_COUNT) continue
      const cost = lowerAreas[k - 1] * k + halfArea() * (count - k)
      if (cost >= best) continue
      best = cost
      lower = k
      isBest = true
    }
    for (let i = 0; isBest && i < count; i++) bestOrder[i] = order[i]
  }
  const { names } = items
  for (let i = 0; i < count; i++) {
    const from = 8 * (start + bestOrder[i])
    for (let k = 0; k < 7; k++) moved[8 * i + k] = names[from + k]
  }
  for (let i = 0; i < count; i++) {
    const to = 8 * (start + i)
    for (let k = 0; k < 7; k++) names[to + k] = moved[8 * i + k]
  }
  return start + lower
}

function sortAlong({ boxes }: Items, start: number, count: number, axis: number): void {
  for (let i = 0; i < count; i++) {
    const at = 8 * (start + i) + axis
    const key = boxes[at] + boxes[at + 3]
    let to = i
    for (; to > 0 && keys[to - 1] > key; to--) {
      keys[to] = keys[to - 1]
      order[to] = order[to - 1]
    }
    keys[to] = key
    order[to] = i
  }
}

function binScale(axis: number): number {
  const extent = centers[axis + 3] - centers[axis]
  return extent > 0 ? (plane.binCount * (1 - 2 ** 16 * UNIT_ROUNDOFF)) / extent : 0
}

function findPlane({ boxes }: Items, start: number, end: number, step: number): void {
  plane.axis = -1
  plane.binCount = end - start <= FEW_COUNT ? FEWER_BIN_COUNT : BIN_COUNT
  const { counts, boxes: own } = bins
  let best = Infinity
  // Planes across much shorter sides hardly ever win.
  const widest = Math.max(centers[3] - centers[0], centers[4] - centers[1], centers[5] - centers[2])
  for (let axis = 0; axis < 3; axis++) {
    const scale = binScale(axis)
    const first = centers[axis]
    if (!(scale > 0 && scale < Infinity) || centers[axis + 3] - centers[axis] < widest / 2) continue
    const from = axis * BIN_COUNT
    for (let bin = from; bin < from + plane.binCount; bin++) clearBin(counts, own, bin)
    for (let i = 8 * start; i < 8 * end; i += 8 * step) {
      const bin = from + (((boxes[i + axis] + boxes[i + 3 + axis] - first) * scale) | 0)
      counts[bin]++
      const at = 6 * bin
      if (boxes[i] < own[at]) own[at] = boxes[i]
      if (boxes[i + 1] < own[at + 1]) own[at + 1] = boxes[i + 1]
      if (boxes[i + 2] < own[at + 2]) own[at + 2] = boxes[i + 2]
      if (boxes[i + 3] > own[at + 3]) own[at + 3] = boxes[i + 3]
      if (boxes[i + 4] > own[at + 4]) own[at + 4] = boxes[i + 4]
      if (boxes[i + 5] > own[at + 5]) own[at + 5] = boxes[i + 5]
    }
    best = sweepAxis(axis, Math.ceil((end - start) / step), best)
  }
}

/** Without calls of `fill`, which take longer than so few numbers. */
function clearBin(counts: Int32Array, boxes: Float32Array, bin: number): void {
  const at = 6 * bin
  counts[bin] = 0
  boxes[at] = Infinity
  boxes[at + 1] = Infinity
  boxes[at + 2] = Infinity
  boxes[at + 3] = -Infinity
  boxes[at + 4] = -Infinity
  boxes[at + 5] = -Infinity
}

/** Compares the planes of an axis; returns the least cost so far. */
function sweepAxis(axis: number, count: number, least: number): number {
  const from = axis * BIN_COUNT
  let best = least
  clearSwept()
  let sum = 0
  for (let bin = 0; bin < plane.binCount - 1; bin++) {
    sum += addBin(from + bin)
    below.counts[bin] = sum
    below.areas[bin] = halfArea()
  }
  clearSwept()
  for (let bin = plane.binCount - 2; bin >= 0; bin--) {
    addBin(from + bin + 1)
    const lower = below.counts[bin]
    if (lower < LEAST_COUNT || count - lower < LEAST_COUNT) continue
    const cost = below.areas[bin] * lower + halfArea() * (count - lower)
    if (cost >= best) continue
    best = cost
    plane.axis = axis
    plane.bin = bin
  }
  return best
}

function clearSwept(): void {
  swept[0] = Infinity
  swept[1] = Infinity
  swept[2] = Infinity
  swept[3] = -Infinity
  swept[4] = -Infinity
  swept[5] = -Infinity
}

/** Widens the swept box by that of a bin; returns how many are in it. */
function addBin(bin: number): number {
  const { boxes, counts } = bins
  if (counts[bin] > 0) widenSwept(boxes, 6 * bin)
  return counts[bin]
}

function widenSwept(boxes: Float32Array, at: number): void {
  if (boxes[at] < swept[0]) swept[0] = boxes[at]
  if (boxes[at + 1] < swept[1]) swept[1] = boxes[at + 1]
  if (boxes[at + 2] < swept[2]) swept[2] = boxes[at + 2]
  if (boxes[at + 3] > swept[3]) swept[3] = boxes[at + 3]
  if (boxes[at + 4] > swept[4]) swept[4] = boxes[at + 4]
  if (boxes[at + 5] > swept[5]) swept[5] = boxes[at + 5]
}

function halfArea(): number {
  const x = swept[3] - swept[0]
  const y = swept[4] - swept[1]
  const z = swept[5] - swept[2]
  return x >= 0 ? x * y + y * z + z * x : 0
}

/** Moves the items of the bins up to `last` to the front and returns where the others begin. */
function partition(items: Items, start: number, end: number, axis: number, last: number): number {
  const { boxes } = items
  const scale = binScale(axis)
  const first = centers[axis]
  let low = start
  let high = end - 1
  while (low <= high) {
    const i = 8 * low
    // as `findPlane` has it, to the last bit
    const bin = ((boxes[i + axis] + boxes[i + 3 + axis] - first) * scale) | 0
    if (bin <= last) low++
    else swap(items, low, high--)
  }
  return low
}

function swap({ names }: Items, i: number, j: number): void {
  // the boxes lie in the same memory
  const a = 8 * i
  const b = 8 * j
  for (let k = 0; k < 7; k++) {
    const kept = names[a + k]
    names[a + k] = names[b + k]
    names[b + k] = kept
  }
}

/** Halves the items near the median of their centres along the longest side (C. A. R. Hoare, "Algorithm 65: Find", 1961). */
function halve(items: Items, start: number, end: number): number {
  const { boxes } = items
  const middle = (start + end) >> 1
  const sides = [centers[3] - centers[0], centers[4] - centers[1], centers[5] - centers[2]]
  const axis = sides[0] >= sides[1] && sides[0] >= sides[2] ? 0 : sides[1] >= sides[2] ? 1 : 2
  if (!(sides[axis] > 0)) return middle
  let from = start
  let to = end - 1
  for (let round = 0; round < MEDIAN_ROUND_COUNT && from < to; round++) {
    spend((to - from) >> 3)
    const pivot = boxes[8 * middle + axis] + boxes[8 * middle + 3 + axis]
    let low = from
    let high = to
    while (low <= high) {
      while (boxes[8 * low + axis] + boxes[8 * low + 3 + axis] < pivot) low++
      while (boxes[8 * high + axis] + boxes[8 * high + 3 + axis] > pivot) high--
      if (low <= high) swap(items, low++, high--)
    }
    if (high < middle) from = low
    if (low > middle) to = high
  }
  return middle
}
