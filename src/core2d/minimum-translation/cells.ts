/**
 * A long search goes by cells of translations instead of pairs of leaves: nearly all of them lie wholly within what a single
 * pair forbids, and so do nearly all pieces of the boundary, which then are never made.
 *
 * Method: cells wait in the search's queue by their distance from the origin. One that a disc or a pair of leaves forbids as a
 * whole is done with; of another one the pieces that pass through it are added as paths, cut to it, where they are few; else
 * it is split. Leaves have no skins here: what is forbidden by two of them is a convex polygon, or nothing. Cells reach a little
 * beyond their sides, so that a path that ends at a side goes on behind it.
 * Frame: as `search-body.ts`; translations are B's.
 */

import { addToQueue, type PriorityQueue } from '../../containers/priority-queue.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { type BoxTree, TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import {
  CELL_DEEP_COUNT,
  CELL_LOOK_COUNT,
  CELL_OVERLAP_RATIO,
  CELL_PATH_COUNT,
  LEAST_CELL_RATIO,
  SEPARATION_ERROR_RATIO,
} from '../tolerances.ts'
import { addPathsWithin, tracesNothing } from './boundary.ts'
import { type CObstacle, INNER } from './c-obstacle.ts'
import { hintAt, isBoxCovered } from './cover.ts'
import { mayForbid, type Search, setSpare, sizeOf, takeSteps } from './forbidden.ts'
import { CONVEX, type Leaf } from './leaf-loop.ts'
import { type Paths, takeBack } from './paths.ts'
import { readLeaf, type SearchBody } from './search-body.ts'

/** Cells that wait, numbered; numbers of those taken out are given to new ones. */
interface Cells {
  active: boolean
  count: number
  /** Middle and half the side of each. */
  data: Float64Array
  /** The number given back last, whose first field names the one before; −1: none. */
  free: number
  /** Half the side of all cells together. */
  reach: number
}

const FIELDS = 3
const CELLS_ACROSS = 32

export function createCells(): Cells {
  return { active: false, count: 0, data: new Float64Array(0), free: -1, reach: 0 }
}

/** Forgets all cells and gives back what they needed. */
export function clearCells(cells: Cells): void {
  if (cells.active) Object.assign(cells, createCells())
}

/** Queues cells for all translations up to `reach` long. */
export function addCells(cells: Cells, scene: Search, queue: PriorityQueue, reach: number): void {
  cells.active = true
  cells.reach = reach
  cells.data = new Float64Array(CELLS_ACROSS * CELLS_ACROSS * FIELDS)
  const half = reach / CELLS_ACROSS
  for (let i = 0; i < CELLS_ACROSS; i++) {
    for (let j = 0; j < CELLS_ACROSS; j++) {
      addCell(cells, scene, queue, (2 * i + 1 - CELLS_ACROSS) * half, (2 * j + 1 - CELLS_ACROSS) * half, half)
    }
  }
}

/** Queues a cell, unless it is out of reach or covered. */
function addCell(cells: Cells, scene: Search, queue: PriorityQueue, x: number, y: number, half: number): void {
  const distance = vectorLength(Math.max(Math.abs(x) - half, 0), Math.max(Math.abs(y) - half, 0))
  if (distance > cells.reach) return
  takeSteps(scene, 1)
  const outer = half * (1 + CELL_OVERLAP_RATIO)
  if (isBoxCovered(scene.cover, x - outer, y - outer, x + outer, y + outer)) return
  const number = cells.free >= 0 ? cells.free : cells.count++
  const at = number * FIELDS
  if (number === cells.free) cells.free = cells.data[at]
  else if (cells.count * FIELDS > cells.data.length) {
    const grown = new Float64Array(2 * cells.data.length)
    grown.set(cells.data)
    cells.data = grown
  }
  cells.data[at] = x
  cells.data[at + 1] = y
  cells.data[at + 2] = half
  addToQueue(queue, distance, ~number)
}

/** Settles a cell that has waited, its paths being added, or splits it. */
export function openCell(cells: Cells, number: number, scene: Search, paths: Paths, queue: PriorityQueue): void {
  const { data, reach } = cells
  const at = number * FIELDS
  const x = data[at]
  const y = data[at + 1]
  const half = data[at + 2]
  data[at] = cells.free
  cells.free = number
  const outer = half * (1 + CELL_OVERLAP_RATIO)
  // The smaller the cell, the more is looked at before it is split.
  const looks = CELL_LOOK_COUNT * (reach / (half * CELLS_ACROSS))
  const least = half <= LEAST_CELL_RATIO * reach
  const forbidding = countForbidding(scene, x, y, outer, 2 * looks)
  if (forbidding === Infinity) return
  if (least) addPathsOfCell(scene, paths, x, y, outer, Infinity, Infinity)
  if (least || (forbidding < CELL_DEEP_COUNT && addPathsOfCell(scene, paths, x, y, outer, 8 * looks, CELL_PATH_COUNT)))
    return
  takeAllBack(paths)
  const next = half / 2
  for (let corner = 0; corner < 4; corner++) {
    addCell(cells, scene, queue, x + (corner % 2 === 0 ? -next : next), y + (corner < 2 ? -next : next), next)
  }
}

function takeAllBack(paths: Paths): void {
  const { added } = paths
  while (added.length > 0) takeBack(paths, added[added.length - 1])
}

/** Pairs of nodes yet to visit: one more for each level of either tree, at most. */
const stack = new Int32Array(4 * (TREE_DEPTH_COUNT + 1))

/**
 * How many pairs of leaves, of those found in so many visits, forbid the middle of a cell, CELL_DEEP_COUNT standing for more;
 * Infinity when one forbids all of it.
 * Nodes that reach far into each other come first: the pair that forbids a cell is among those that would still meet if
 * they were moved by half its side, and the farther they would, the likelier.
 */
function countForbidding(scene: Search, x: number, y: number, half: number, visits: number): number {
  const { a, b, cover } = scene
  const hint = hintAt(cover, x, y)
  if (hint >= 0 && cover.hints[hint] >= 0) {
    if (depthOf(scene, cover.hints[hint], cover.hints[hint + 1], x, y) > half) return Infinity
  }
  const hasConvex = a.convexCount + b.convexCount > 0
  const treeA = a.tree
  const treeB = b.tree
  let found = 0
  let top = push(0, 0, 0)
  for (let left = visits; top > 0 && left > 0; left--) {
    takeSteps(scene, 1)
    const j = stack[--top]
    const i = stack[--top]
    const childA = treeA.child[i]
    const childB = treeB.child[j]
    const least = found < CELL_DEEP_COUNT ? 0 : half
    if (childA < 0 && childB < 0) {
      const depth = hasConvex
        ? depthOrNear(scene, ~childA, ~childB, x, y, least, half)
        : depthOf(scene, ~childA, ~childB, x, y)
      if (!(depth > 0)) continue
      if (found < CELL_DEEP_COUNT) found++
      if (!(depth > half)) continue
      if (hint >= 0) {
        cover.hints[hint] = ~childA
        cover.hints[hint + 1] = ~childB
      }
      return Infinity
    }
    // Nothing below the node forbids as much as counts.
    if (childB < 0 && b.convexCount > 0 && isLarge(treeA, childA) && reachOver(scene, i, ~childB, x, y, 1) < least)
      continue
    const splitA = childA >= 0 && (childB < 0 || sizeOf(treeA.boxes, i) >= sizeOf(treeB.boxes, j))
    const firstA = splitA ? childA : i
    const firstB = splitA ? j : childB
    const nextA = splitA ? childA + 1 : i
    const nextB = splitA ? j : childB + 1
    const first = overlapOf(scene, firstA, firstB, x, y) - half
    const next = overlapOf(scene, nextA, nextB, x, y) - half
    if (first < next) {
      if (first > 0) top = push(firstA, firstB, top)
      if (next > 0) top = push(nextA, nextB, top)
    } else {
      if (next > 0) top = push(nextA, nextB, top)
      if (first > 0) top = push(firstA, firstB, top)
    }
  }
  return found
}

/** Whether there is more below a node, whose first child this is, than two leaves: then it pays to look whether it can be passed over. */
function isLarge({ child }: BoxTree, first: number): boolean {
  return first >= 0 && (child[first] >= 0 || child[first + 1] >= 0)
}

/** The depth of two leaves, 0 for any up to `least`; up to rounding where that is far from `least` and from `half`. */
function depthOrNear(scene: Search, i: number, j: number, x: number, y: number, least: number, half: number): number {
  const margin = NEAR_ERROR_COUNT * scene.tolerance
  const near = depthNear(scene, i, j, x, y)
  if (near < least - margin) return 0
  return near > least + margin && Math.abs(near - half) > margin ? near : depthOf(scene, i, j, x, y)
}

/**
 * How deep a translation lies, at most, in what any leaf below node `i` of A and leaf `j` of B forbid, which is a polygon without a
 * skin; with `side` −1, how deep in what any point of the node's box forbids with it, at least. Infinity, or −Infinity, where `j` is
 * no such leaf.
 */
function reachOver(scene: Search, i: number, j: number, x: number, y: number, side: 1 | -1): number {
  const { a, b, tolerance } = scene
  if (isEdge(b, j)) return side * Infinity
  const polygon = readLeaf(b, j)
  if (!isPolygon(polygon)) return side * Infinity
  const { boxes } = a.tree
  const halfX = (side * (boxes[4 * i + 2] - boxes[4 * i])) / 2
  const halfY = (side * (boxes[4 * i + 3] - boxes[4 * i + 1])) / 2
  const px = (boxes[4 * i] + boxes[4 * i + 2]) / 2 + a.shiftX - x
  const py = (boxes[4 * i + 1] + boxes[4 * i + 3]) / 2 + a.shiftY - y
  let depth = Infinity
  for (let k = 0; k < polygon.count; k++) {
    const nx = polygon.nx[k]
    const ny = polygon.ny[k]
    const sizeX = Math.abs(nx)
    const sizeY = Math.abs(ny)
    const inside = nx * (polygon.x[k] - px) + ny * (polygon.y[k] - py) + halfX * sizeX + halfY * sizeY
    depth = Math.min(depth, inside / (sizeX + sizeY))
  }
  // Boxes are placed by a rounded shift.
  const shifts = Math.abs(a.shiftX) + Math.abs(a.shiftY)
  return depth + side * NEAR_ERROR_COUNT * (tolerance + SEPARATION_ERROR_RATIO * shifts)
}

/** How far two nodes reach into each other at a translation, along the axis along which that is least; negative: apart. */
function overlapOf({ a, b }: Search, i: number, j: number, x: number, y: number): number {
  const boxesA = a.tree.boxes
  const boxesB = b.tree.boxes
  const shiftX = b.shiftX - a.shiftX + x
  const shiftY = b.shiftY - a.shiftY + y
  const p = 4 * i
  const q = 4 * j
  return Math.min(
    boxesA[p + 2] - boxesB[q] - shiftX,
    boxesB[q + 2] + shiftX - boxesA[p],
    boxesA[p + 3] - boxesB[q + 1] - shiftY,
    boxesB[q + 3] + shiftY - boxesA[p + 1],
  )
}

/** Adds the paths through a cell, none where it is forbidden as a whole; false when there is more to it than was allowed. */
function addPathsOfCell(
  scene: Search,
  paths: Paths,
  x: number,
  y: number,
  half: number,
  visits: number,
  most: number,
): boolean {
  const { a, b, tolerance } = scene
  const treeA = a.tree
  const treeB = b.tree
  const slack = half + 2 * tolerance
  const hasConvex = a.convexCount + b.convexCount > 0
  let left = visits
  let top = push(0, 0, 0)
  while (top > 0) {
    takeSteps(scene, 1)
    if (left-- <= 0) return false
    const j = stack[--top]
    const i = stack[--top]
    if (overlapOf(scene, i, j, x, y) < -slack) continue
    const childA = treeA.child[i]
    const childB = treeB.child[j]
    if (childB < 0 && b.convexCount > 0 && isLarge(treeA, childA)) {
      // The cell lies beside all that the leaves below the node forbid, or within each of it.
      if (reachOver(scene, i, ~childB, x, y, 1) < -half || reachOver(scene, i, ~childB, x, y, -1) > half) continue
    }
    if (childA >= 0 && (childB < 0 || sizeOf(treeA.boxes, i) >= sizeOf(treeB.boxes, j))) {
      top = push(childA, j, push(childA + 1, j, top))
    } else if (childB >= 0) {
      top = push(i, childB, push(i, childB + 1, top))
    } else if (mayForbid(scene, ~childA, ~childB, x, y, half)) {
      if (hasConvex && passesBy(scene, ~childA, ~childB, x, y, half)) continue
      if (tracesNothing(scene, ~childA, ~childB)) continue
      setSpare(scene, ~childA, ~childB)
      addPathsWithin(paths, scene, x, y, half)
      if (paths.added.length > most) return false
    }
  }
  return true
}

function push(i: number, j: number, top: number): number {
  stack[top] = i
  stack[top + 1] = j
  return top + 2
}

/** Half the side of a square about a translation all of which two leaves forbid for certain; 0 or less: none. */
function depthOf(scene: Search, i: number, j: number, x: number, y: number): number {
  const { a, b, tolerance } = scene
  if (!isEdge(a, i) || !isEdge(b, j)) {
    setSpare(scene, i, j)
    return depthIn(scene.spare, x, y, tolerance)
  }
  // Two edges forbid a parallelogram.
  const nx = a.normals[2 * i]
  const ny = a.normals[2 * i + 1]
  const mx = b.normals[2 * j]
  const my = b.normals[2 * j + 1]
  const dx = b.centers[2 * j] + x - a.centers[2 * i]
  const dy = b.centers[2 * j + 1] + y - a.centers[2 * i + 1]
  const sine = Math.abs(nx * my - ny * mx)
  const overA = sine * b.radii[j] - Math.abs(nx * dx + ny * dy) - 4 * tolerance
  const overB = sine * a.radii[i] - Math.abs(mx * dx + my * dy) - 4 * tolerance
  return Math.min(overA / (Math.abs(nx) + Math.abs(ny)), overB / (Math.abs(mx) + Math.abs(my)))
}

/** What the depth and the heights below may be off by, in tolerances: those of an obstacle may be changed by one besides. */
const NEAR_ERROR_COUNT = 16

function isPolygon({ count, radius, outline }: Leaf): boolean {
  return outline === CONVEX && count > 2 && radius === 0
}

/**
 * The depth of an edge and a polygon as `depthOf` tells it, up to rounding, but without making their obstacle; NaN for other leaves. Most
 * pairs that a cell meets are far from its border, and of these no more needs to be known.
 */
function depthNear(scene: Search, i: number, j: number, x: number, y: number): number {
  const { a, b } = scene
  const isEdgeA = isEdge(a, i)
  if (isEdgeA === isEdge(b, j)) return Number.NaN
  const edges = isEdgeA ? a : b
  const edge = isEdgeA ? i : j
  const polygon = isEdgeA ? readLeaf(b, j) : readLeaf(a, i)
  if (!isPolygon(polygon) || !(edges.radii[edge] > 0)) return Number.NaN
  const side = isEdgeA ? 1 : -1
  const n = edges.normals[2 * edge]
  const m = edges.normals[2 * edge + 1]
  const half = edges.radii[edge]
  // The middle of the edge from where the polygon stands.
  const px = edges.centers[2 * edge] - side * x
  const py = edges.centers[2 * edge + 1] - side * y
  let depth = Infinity
  let low = Infinity
  let high = -Infinity
  for (let k = 0; k < polygon.count; k++) {
    const dx = polygon.x[k] - px
    const dy = polygon.y[k] - py
    const nx = polygon.nx[k]
    const ny = polygon.ny[k]
    const inside = nx * dx + ny * dy + half * Math.abs(nx * m - ny * n)
    depth = Math.min(depth, inside / (Math.abs(nx) + Math.abs(ny)))
    const height = n * dx + m * dy
    low = Math.min(low, height)
    high = Math.max(high, height)
  }
  return Math.min(depth, Math.min(-low, high) / (Math.abs(n) + Math.abs(m)))
}

/** Whether an edge and a polygon have no boundary of what is forbidden in a cell; false for other leaves, and where the lines of their obstacle do not tell. */
function passesBy(scene: Search, i: number, j: number, x: number, y: number, half: number): boolean {
  const depth = depthNear(scene, i, j, x, y)
  return Math.abs(depth) > half + NEAR_ERROR_COUNT * scene.tolerance
}

function isEdge({ view }: SearchBody, leaf: number): boolean {
  return view.parts[view.leafPart[leaf]].outline !== null
}

/** Depth of a point in an obstacle without a skin. */
function depthIn(
  { hollow, count, nx, ny, height, border }: CObstacle,
  x: number,
  y: number,
  tolerance: number,
): number {
  let depth = hollow ? 0 : Infinity
  for (let k = 0; k < count && depth > 0; k++) {
    const end = height[k] + (border[k] === INNER ? tolerance : -tolerance)
    depth = Math.min(depth, (end - nx[k] * x - ny[k] * y) / (Math.abs(nx[k]) + Math.abs(ny[k])))
  }
  return depth
}

/**
 * Pairs of nodes of two trees that wait to be opened, numbered; numbers of opened ones are given to new ones.
 *
 * Those of a long search wait in bins by their distance from the origin: they need no finer order, and there are many.
 */
interface NodePairs {
  /** Numbers given out so far. */
  count: number
  /** Nodes 2·number of A's tree and 2·number + 1 of B's. */
  nodes: Int32Array
  /** The number given back last, whose first node names the one before; −1: none. */
  free: number
  /** Of each bin the pair that came last, −1: none; of each pair the one that came before it. */
  bins: Int32Array
  next: Int32Array
  binSize: number
  /** No bin before this one has any. */
  bin: number
}

const BIN_COUNT = 2 ** 12

/** Pairs for which the memory is kept. */
const KEPT_COUNT = 2 ** 12

const NO_BINS = new Int32Array(0)

export function createNodePairs(): NodePairs {
  return { count: 0, nodes: new Int32Array(64), free: -1, bins: NO_BINS, next: NO_BINS, binSize: 0, bin: 0 }
}

/** Forgets all pairs; what a long search needed is given back. */
export function clearNodePairs(pairs: NodePairs): void {
  if (pairs.nodes.length > 2 * KEPT_COUNT || pairs.bins.length > 0) Object.assign(pairs, createNodePairs())
  pairs.count = 0
  pairs.free = -1
}

/** A number for the pair. */
export function addNodePair(pairs: NodePairs, i: number, j: number): number {
  let number = pairs.free
  if (number >= 0) pairs.free = pairs.nodes[2 * number]
  else {
    number = pairs.count++
    if (2 * pairs.count > pairs.nodes.length) {
      const grown = new Int32Array(2 * pairs.nodes.length)
      grown.set(pairs.nodes)
      pairs.nodes = grown
    }
  }
  pairs.nodes[2 * number] = i
  pairs.nodes[2 * number + 1] = j
  return number
}

/** Gives the pair's number to the next one. */
export function endNodePair(pairs: NodePairs, number: number): void {
  pairs.nodes[2 * number] = pairs.free
  pairs.free = number
}

/** Makes bins for distances up to `reach`. */
export function makeBins(pairs: NodePairs, reach: number): void {
  pairs.bins = new Int32Array(BIN_COUNT).fill(-1)
  pairs.next = new Int32Array(pairs.nodes.length)
  pairs.binSize = reach / BIN_COUNT
  pairs.bin = 0
}

/** Puts a pair into its bin; nothing comes before what has been taken out. */
export function addToBin(pairs: NodePairs, number: number, distance: number): void {
  const bin = Math.min(Math.max(Math.floor(distance / pairs.binSize), pairs.bin), BIN_COUNT - 1)
  if (pairs.next.length <= number) {
    const grown = new Int32Array(pairs.nodes.length)
    grown.set(pairs.next)
    pairs.next = grown
  }
  pairs.next[number] = pairs.bins[bin]
  pairs.bins[bin] = number
}

/** A bound on the distances of all pairs in bins, no greater than any of them; Infinity when there are none. */
export function leastBinned(pairs: NodePairs): number {
  const { bins } = pairs
  while (pairs.bin < bins.length && bins[pairs.bin] < 0) pairs.bin++
  return pairs.bin < bins.length ? pairs.bin * pairs.binSize : Infinity
}

/** Takes a pair out of the first bin that has any. */
export function takeBinned(pairs: NodePairs): number {
  const number = pairs.bins[pairs.bin]
  pairs.bins[pairs.bin] = pairs.next[number]
  return number
}
