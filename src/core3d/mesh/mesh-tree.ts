/**
 * The bounding-volume tree of a mesh: its build.
 *
 * Method: top-down over boxes of triangles, split where the surface-area heuristic over bins of box centres says (I. Wald, "On fast
 * construction of SAH-based bounding volume hierarchies", 2007), over some of them where they are many, and over all planes between them
 * where they are few. Boxes of bins are kept as bits, one for each of `LEVEL_COUNT` levels of the node's box that a side lies in: so they are
 * joined without comparing, whose outcome no processor foresees, and areas are compared within some thirtieths of sides. Each side of a split has four triangles or more, and seven are not
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
import { LEAST_SIDE_RATIO } from '../tolerances.ts'

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

const BIN_COUNT = 32
/** As many as there are bits in a number. */
const LEVEL_COUNT = 32

/** Up to so many items are sorted, not binned; up to so many have fewer bins; of 2^so many and more only a part is binned. */
const SORTED_COUNT = 16
const FEW_COUNT = 64
const FEWER_BIN_COUNT = 16
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
  /** In the order of the leaves. */
  items: Items
}

/** Boxes of triangles, six numbers each and, as an integer, which triangle it is: seven in eight. */
interface Items {
  boxes: Float32Array
  names: Uint32Array
}

/** Bytes for each triangle that a build works in. */
export const BUILD_SIZE = 32

/** The tree over at least one triangle, three finite vertices each. Cost O(triangles · log triangles). It works in `room`, which its items keep. */
export function buildMeshTree(vertices: Float64Array, triangles: Uint32Array, room: ArrayBuffer): MeshTree {
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
  const items = itemsOf(vertices, triangles, origin, scale, room)
  const links = new Uint32Array(NODE_SIZE * Math.max(1, (count >> 1) + 1))
  const nodeCount = makeNodes(new Float32Array(links.buffer), links, items, count)
  return { nodeCount, box, origin, scale, links, items }
}

/** Which triangle a record is of. */
export function triangleOf(records: Uint16Array, record: number): number {
  const at = RECORD_SIZE * record + 9
  return records[at] + 2 ** 16 * records[at + 1]
}

/** Writes the records of all triangles, in the order of the tree's leaves. */
export function putRecords(
  vertices: Float64Array,
  triangles: Uint32Array,
  { items: { names }, origin, scale, links, nodeCount }: MeshTree,
  records: Uint16Array,
): void {
  const nodes = new Float32Array(links.buffer)
  const [middleX, middleY, middleZ] = origin
  for (let at = 0; at < NODE_SIZE * nodeCount; at += NODE_SIZE) {
    const first = links[at + 6]
    const end = first + links[at + 7]
    if (end === first) continue
    const minX = nodes[at]
    const minY = nodes[at + 1]
    const minZ = nodes[at + 2]
    const stepsX = recordSteps(nodes[at + 3] - minX)
    const stepsY = recordSteps(nodes[at + 4] - minY)
    const stepsZ = recordSteps(nodes[at + 5] - minZ)
    for (let i = first; i < end; i++) {
      const triangle = names[8 * i + 6]
      const to = RECORD_SIZE * i
      for (let corner = 0; corner < 3; corner++) {
        const from = 3 * triangles[3 * triangle + corner]
        const put = to + 3 * corner
        // as the box was made, so none is below it
        records[put] = ((vertices[from] - middleX) * scale - minX) * stepsX + 0.5
        records[put + 1] = ((vertices[from + 1] - middleY) * scale - minY) * stepsY + 0.5
        records[put + 2] = ((vertices[from + 2] - middleZ) * scale - minZ) * stepsZ + 0.5
      }
      records[to + 9] = triangle
      records[to + 10] = triangle >>> 16
    }
  }
}

function recordSteps(side: number): number {
  return side > 0 ? RECORD_STEP_COUNT / side : 0
}

function boxOfTriangles(vertices: Float64Array, triangles: Uint32Array): Float64Array {
  let minX = Infinity
  let minY = Infinity
  let minZ = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  let maxZ = -Infinity
  for (let i = 0; i < triangles.length; i++) {
    const at = 3 * triangles[i]
    const x = vertices[at]
    const y = vertices[at + 1]
    const z = vertices[at + 2]
    if (x < minX) minX = x
    if (y < minY) minY = y
    if (z < minZ) minZ = z
    if (x > maxX) maxX = x
    if (y > maxY) maxY = y
    if (z > maxZ) maxZ = z
  }
  return Float64Array.of(minX, minY, minZ, maxX, maxY, maxZ)
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

function itemsOf(
  vertices: Float64Array,
  triangles: Uint32Array,
  origin: Float64Array,
  scale: number,
  room: ArrayBuffer,
): Items {
  const count = triangles.length / 3
  const boxes = new Float32Array(room, 0, 8 * count)
  const names = new Uint32Array(room, 0, 8 * count)
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

/** Of each bin, axis by axis, how many centres lie in it, and the levels of its items' sides along x, y and z. */
const bins = new Int32Array(4 * 3 * BIN_COUNT)
/** Areas and counts of what lies below each plane between bins. */
const below = { areas: new Float64Array(BIN_COUNT), counts: new Int32Array(BIN_COUNT) }
const centers = new Float64Array(6)
/** Of the node that is split: the side of a level along each axis, and levels for each unit of length. */
const level = { sides: new Float64Array(3), scales: new Float64Array(3) }
/** The plane found last: its axis, −1 for none, the bin before it, how many bins there are along an axis, and the cost. */
const plane = { axis: -1, bin: 0, binCount: BIN_COUNT, cost: Infinity }

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
      const middle = split(items, nodes, NODE_SIZE * node, start, end, depth)
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
  if (end - start > SORTED_COUNT) setNodeBox(nodes, at, items, start, end)
  else setFewBox(nodes, at, items, start, end)
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

/** Sets the box of a node of few items, of which no centres are asked for. */
function setFewBox(nodes: Float32Array, at: number, { boxes }: Items, start: number, end: number): void {
  spend((end - start) >> 2)
  for (let k = 0; k < 3; k++) {
    let least = Infinity
    let greatest = -Infinity
    for (let i = 8 * start + k; i < 8 * end; i += 8) {
      if (boxes[i] < least) least = boxes[i]
      if (boxes[i + 3] > greatest) greatest = boxes[i + 3]
    }
    nodes[at + k] = least
    nodes[at + 3 + k] = greatest
  }
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

/** Puts the items into two halves and returns where the second begins. `nodes[at]` begins the box about them. */
function split(items: Items, nodes: Float32Array, at: number, start: number, end: number, depth: number): number {
  setLevels(nodes, at)
  if (end - start <= SORTED_COUNT) return splitSorted(items, nodes, at, start, end)
  if (depth < BINNED_DEPTH_COUNT) {
    // of many, every so many say as well where to split, but not for certain that enough are on each side
    const step = ((end - start) >> SAMPLE_EXPONENT) | 1
    let middle = splitAtPlane(items, nodes, at, start, end, step)
    if (middle < 0 && step > 1) middle = splitAtPlane(items, nodes, at, start, end, 1)
    if (middle >= 0) return middle
  }
  return halve(items, start, end)
}

/** As `split`, at the best plane between the bins of every item that is `step` behind another; −1 if there is none. */
function splitAtPlane(items: Items, nodes: Float32Array, at: number, start: number, end: number, step: number): number {
  const widest = Math.max(centers[3] - centers[0], centers[4] - centers[1], centers[5] - centers[2])
  if (widest === 0) return -1
  fillBins(items, nodes, at, start, end, step)
  plane.axis = -1
  plane.cost = Infinity
  for (let axis = 0; axis < 3; axis++) {
    if (centers[axis + 3] - centers[axis] >= NARROW_RATIO * widest) sweepAxis(axis, Math.ceil((end - start) / step))
  }
  if (plane.axis < 0) return -1
  const middle = partition(items, start, end, plane.axis, plane.bin)
  return middle - start >= LEAST_COUNT && end - middle >= LEAST_COUNT ? middle : -1
}

/** Planes across sides of less than this share of the widest hardly ever win. */
const NARROW_RATIO = 1 / 2

/** What is multiplied by this rounds to less than it would. */
const BELOW_ONE = 1 - 2 ** 16 * UNIT_ROUNDOFF

function setLevels(nodes: Float32Array, at: number): void {
  const { sides, scales } = level
  for (let k = 0; k < 3; k++) sides[k] = nodes[at + 3 + k] - nodes[at + k]
  const least = LEAST_SIDE_RATIO * Math.max(sides[0], sides[1], sides[2])
  for (let k = 0; k < 3; k++) {
    scales[k] = sides[k] > 0 ? (LEVEL_COUNT * BELOW_ONE) / sides[k] : 0
    sides[k] = Math.max(sides[k], least) / LEVEL_COUNT
  }
}

/** The levels that both sides of a box lie in, from the node's box on, as bits. */
function levelsOf(low: number, high: number, from: number, scale: number): number {
  return (1 << ((low - from) * scale)) | (1 << ((high - from) * scale))
}

/** Half the area of a box that reaches from the first of some levels to the last of them. */
function levelArea(x: number, y: number, z: number): number {
  const { sides } = level
  const a = (Math.clz32(x & -x) - Math.clz32(x) + 1) * sides[0]
  const b = (Math.clz32(y & -y) - Math.clz32(y) + 1) * sides[1]
  const c = (Math.clz32(z & -z) - Math.clz32(z) + 1) * sides[2]
  return a * b + b * c + c * a
}

// Few items: a bin for each, sorted along each axis.

/** Centres along each axis in whole steps, each with the place of its item in the lowest bits. */
const keys = new Int32Array(3 * SORTED_COUNT)
/** Of these steps the sum of two sides of the node's box has as many as there is room for. */
const KEY_STEP_COUNT = 2 ** 30 / SORTED_COUNT
const moved = new Uint32Array(8 * SORTED_COUNT)

/** As `split`, of at most `SORTED_COUNT` items, but at least `2 · LEAST_COUNT`. */
function splitSorted(items: Items, nodes: Float32Array, at: number, start: number, end: number): number {
  const count = end - start
  const { sides } = level
  const widest = Math.max(sides[0], sides[1], sides[2])
  plane.axis = -1
  plane.cost = Infinity
  plane.binCount = count
  for (let axis = 0; axis < 3; axis++) {
    if (level.scales[axis] === 0 || sides[axis] < NARROW_RATIO * widest) continue
    sortAlong(items, nodes[at + axis], start, count, axis)
    fillSortedBins(items, nodes, at, start, axis)
    sweepAxis(axis, count)
  }
  if (plane.axis < 0) return start + (count >> 1)
  const { names } = items
  for (let i = 0; i < 8 * count; i++) moved[i] = names[8 * start + i]
  for (let i = 0; i < count; i++) {
    const from = 8 * (keys[SORTED_COUNT * plane.axis + i] % SORTED_COUNT)
    for (let k = 0; k < 7; k++) names[8 * (start + i) + k] = moved[from + k]
  }
  return start + plane.bin + 1
}

function sortAlong({ boxes }: Items, low: number, start: number, count: number, axis: number): void {
  const first = SORTED_COUNT * axis
  const scale = (level.scales[axis] / LEVEL_COUNT) * (KEY_STEP_COUNT / 2)
  for (let i = 0; i < count; i++) {
    const at = 8 * (start + i) + axis
    const step = ((boxes[at] - low + (boxes[at + 3] - low)) * scale) | 0
    const key = SORTED_COUNT * step + i
    let to = first + i
    for (; to > first && keys[to - 1] > key; to--) keys[to] = keys[to - 1]
    keys[to] = key
  }
}

function fillSortedBins({ boxes }: Items, nodes: Float32Array, at: number, start: number, axis: number): void {
  const { scales } = level
  const count = plane.binCount
  for (let i = 0; i < count; i++) {
    const from = 8 * (start + (keys[SORTED_COUNT * axis + i] % SORTED_COUNT))
    const bin = 4 * (axis * count + i)
    bins[bin] = 1
    for (let k = 0; k < 3; k++) {
      bins[bin + 1 + k] = levelsOf(boxes[from + k], boxes[from + 3 + k], nodes[at + k], scales[k])
    }
  }
}

// More items.

function binScale(axis: number): number {
  const extent = centers[axis + 3] - centers[axis]
  return extent > 0 ? (plane.binCount * BELOW_ONE) / extent : 0
}

/** Every item that is `step` behind another is put into a bin of each axis. */
function fillBins({ boxes }: Items, nodes: Float32Array, at: number, start: number, end: number, step: number): void {
  plane.binCount = end - start <= FEW_COUNT ? FEWER_BIN_COUNT : BIN_COUNT
  const along = 4 * plane.binCount
  const minX = nodes[at]
  const minY = nodes[at + 1]
  const minZ = nodes[at + 2]
  const levelX = level.scales[0]
  const levelY = level.scales[1]
  const levelZ = level.scales[2]
  const firstX = centers[0]
  const firstY = centers[1]
  const firstZ = centers[2]
  const scaleX = binScale(0)
  const scaleY = binScale(1)
  const scaleZ = binScale(2)
  // without a call of `fill`, which takes longer than so few numbers
  for (let i = 0; i < 3 * along; i++) bins[i] = 0
  for (let i = 8 * start; i < 8 * end; i += 8 * step) {
    const lowX = boxes[i]
    const lowY = boxes[i + 1]
    const lowZ = boxes[i + 2]
    const highX = boxes[i + 3]
    const highY = boxes[i + 4]
    const highZ = boxes[i + 5]
    const x = levelsOf(lowX, highX, minX, levelX)
    const y = levelsOf(lowY, highY, minY, levelY)
    const z = levelsOf(lowZ, highZ, minZ, levelZ)
    putInBin(4 * (((lowX + highX - firstX) * scaleX) | 0), x, y, z)
    putInBin(4 * (((lowY + highY - firstY) * scaleY) | 0) + along, x, y, z)
    putInBin(4 * (((lowZ + highZ - firstZ) * scaleZ) | 0) + 2 * along, x, y, z)
  }
}

function putInBin(at: number, x: number, y: number, z: number): void {
  bins[at]++
  bins[at + 1] |= x
  bins[at + 2] |= y
  bins[at + 3] |= z
}

/** Compares the planes between the bins of an axis, which hold so many items. */
function sweepAxis(axis: number, count: number): void {
  const { binCount } = plane
  const from = 4 * axis * binCount
  let sum = 0
  let x = 0
  let y = 0
  let z = 0
  for (let bin = 0; bin < binCount - 1; bin++) {
    const at = from + 4 * bin
    sum += bins[at]
    x |= bins[at + 1]
    y |= bins[at + 2]
    z |= bins[at + 3]
    below.counts[bin] = sum
    below.areas[bin] = levelArea(x, y, z)
  }
  x = 0
  y = 0
  z = 0
  for (let bin = binCount - 2; bin >= 0; bin--) {
    const at = from + 4 * bin + 4
    x |= bins[at + 1]
    y |= bins[at + 2]
    z |= bins[at + 3]
    const lower = below.counts[bin]
    if (lower < LEAST_COUNT || count - lower < LEAST_COUNT) continue
    const cost = below.areas[bin] * lower + levelArea(x, y, z) * (count - lower)
    if (cost >= plane.cost) continue
    plane.cost = cost
    plane.axis = axis
    plane.bin = bin
  }
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
    // as `fillBins` has it, to the last bit
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
