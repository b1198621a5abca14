/**
 * The minimum translation of two overlapping bodies of any make: the shortest t for which the insides of A and B + t do not
 * meet.
 *
 * Method: t lies on the boundary of what is forbidden, which is made of pieces of the convolution of the two bodies'
 * boundaries (`c-obstacle.ts`). Every piece is a path that leads away from the origin
 * (`paths.ts`). Paths, and pairs of nodes of the two box trees that have yet to yield theirs, wait in one
 * queue by their distance from the origin. What comes first is looked at: a pair of nodes is split, a pair of leaves adds its
 * paths, and a path's point is the answer if it is free. If not, the path goes on to where it leaves what forbids it, and
 * back into the queue. So the first free point found is the nearest of all.
 * Frame: the translation is in world axes.
 */

import {
  addToQueue,
  clearQueue,
  createPriorityQueue,
  leastKey,
  takeFromQueue,
  takeNegatives,
} from '../../containers/priority-queue.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import type { CompositeFrame } from '../narrow-phase/leaf-pairs.ts'
import { createComposite } from '../shape/composite.ts'
import {
  DIRECTION_COUNT,
  LONG_SEARCH_COUNT,
  NODE_SHARE_COUNT,
  REFINED_START_COUNT,
  REFINEMENT_WORK_COUNT,
  SEPARATION_ERROR_RATIO,
  TOUCH_ERROR_COUNT,
  TRANSLATION_PATH_COUNT,
  TRANSLATION_STEP_COUNT,
} from '../tolerances.ts'
import { addPaths, findGap, isFreeBeyond, lowest, setPlanes, tracesNothing } from './boundary.ts'
import { startAlongLine } from './c-obstacle.ts'
import {
  addCells,
  addNodePair,
  addToBin,
  clearCells,
  clearNodePairs,
  createCells,
  createNodePairs,
  endNodePair,
  leastBinned,
  makeBins,
  openCell,
  takeBinned,
} from './cells.ts'
import { forgetCover, isBoxCovered, setCover } from './cover.ts'
import {
  BY_HALFPLANE,
  BY_LEAVES,
  BY_OUTLINE,
  type Cause,
  causeAt,
  createSearch,
  FREE,
  type Search,
  setSpare,
  sizeOf,
  takeSteps,
} from './forbidden.ts'
import {
  addLine,
  clearPaths,
  createPathPoint,
  createPaths,
  endPath,
  goToObstacle,
  isAtBeginning,
  leaveHalfplane,
  leaveObstacle,
  measureWay,
  type PathPoint,
  setPathPoint,
  splitPath,
  type Way,
} from './paths.ts'
import {
  createTranslation,
  isParted,
  keepTranslation,
  polygonExcess,
  refineTranslation,
  type Translation,
} from './refine.ts'
import { createSearchBody, forgetSearchBody, setSearchBody } from './search-body.ts'
import { wayToNodes, wayToOutline } from './ways.ts'

const nothing = createComposite()
const scene = createSearch(createSearchBody(nothing, 1), createSearchBody(nothing, -1))
const queue = createPriorityQueue()
const paths = createPaths()
const point = createPathPoint()
/** The free translation that a long search begins with. */
const bound = createPathPoint()
const other = createTranslation()
/** How far the path that is followed goes on. */
const way: Way = { step: 0, trueStep: 0, unit: 1 }

/** Pairs of nodes or cells in the queue, which holds them as ~number. */
const pairs = createNodePairs()
const cells = createCells()

/** Translations longer than this are not looked at: a shorter one is known to be free. */
let reach = Infinity
let isLong = false

/**
 * Fills `out` for an ordered pair that overlaps or touches. Cost: as a rule O(n + k log k), k the pairs of leaves that are
 * nearer than the answer.
 */
export function minimumTranslation(frame: CompositeFrame, out: Translation): void {
  try {
    findTranslation(frame, out)
  } finally {
    forget()
  }
}

/** Sets the search anew; what a long one needed is given back. */
function forget(): void {
  clearQueue(queue)
  clearPaths(paths)
  clearNodePairs(pairs)
  clearCells(cells)
  forgetCover(scene.cover)
  forgetSearchBody(scene.a, nothing)
  forgetSearchBody(scene.b, nothing)
}

function findTranslation(frame: CompositeFrame, out: Translation): void {
  const { first, second, firstView, secondView, firstTree, secondTree } = frame
  setSearchBody(scene.a, first, firstView, firstTree, firstView)
  setSearchBody(scene.b, second, secondView, secondTree, firstView)
  scene.tolerance = SEPARATION_ERROR_RATIO * (scene.a.reach + scene.b.reach)
  scene.work = 0
  scene.steps = 0
  scene.refinement = 0
  scene.obstacle.hollow = true
  reach = Infinity
  isLong = false
  out.found = setPlanes(scene)
  out.exact = true
  out.error = scene.tolerance
  out.curved = scene.a.curveCount + scene.b.curveCount > 0
  if (!out.found) return
  for (let i = 0; i < scene.planes.length; i += 3) {
    const nx = scene.planes[i]
    const ny = scene.planes[i + 1]
    const height = scene.planes[i + 2]
    addLine(paths, { x: height * nx, y: height * ny, nx, ny, length: Infinity }, scene.tolerance)
  }
  queuePaths()
  if (scene.a.tree.nodeCount > 0 && scene.b.tree.nodeCount > 0) queueNodes(0, 0, 0)
  out.found = search(frame, Infinity)
  // Where the search has looked at all that is no longer than the bound, the bound is no more than that.
  if (!out.found) takeBound(frame, out)
  if (!out.found) return
  finish(out)
  if (!out.curved) return
  out.exact = false
  other.error = out.error
  // The search has judged by polygons around the ellipses.
  if (!isParted(frame, scene, out.tx, out.ty)) {
    takeBound(frame, out)
    if (!out.found) return
    finish(out)
  }
  // Against the true shapes another one may turn out to be shorter, but for as much as the polygons reach beyond them.
  const limit = out.length + polygonExcess(frame)
  refineTranslation(frame, scene, out)
  for (let start = 1; start < REFINED_START_COUNT && scene.refinement < REFINEMENT_WORK_COUNT; start++) {
    if (!search(frame, limit)) break
    finish(other)
    if (!isParted(frame, scene, other.tx, other.ty)) continue
    refineTranslation(frame, scene, other)
    if (other.length < out.length - scene.tolerance) keepTranslation(other, out)
  }
}

function takeBound(frame: CompositeFrame, out: Translation): void {
  out.exact = false
  // A long search has looked for it before.
  out.found = reach < Infinity || setBestDirection(scene, point, polygonExcess(frame))
  if (reach < Infinity) Object.assign(point, bound)
}

function isTooMuch(): boolean {
  return paths.count > TRANSLATION_PATH_COUNT || scene.steps > TRANSLATION_STEP_COUNT
}

/** Leaves the nearest free translation yet unseen in `point`. False when none is within `limit`, or the work is too much. */
function search(frame: CompositeFrame, limit: number): boolean {
  while (!isTooMuch()) {
    if (!isLong && scene.work > LONG_SEARCH_COUNT) prepareLongSearch(frame)
    takeSteps(scene, 2)
    const distance = leastKey(queue)
    const binned = leastBinned(pairs)
    const least = Math.min(distance, binned)
    if (least > Math.min(limit, reach) || least === Infinity) return false
    if (binned <= distance) open(takeBinned(pairs), binned)
    else {
      const entry = takeFromQueue(queue)
      if (entry < 0) open(~entry, distance)
      else if (follow(entry)) return true
    }
  }
  return false
}

/** Opens a pair of nodes or a cell that has waited. */
function open(number: number, distance: number): void {
  if (cells.active) {
    openCell(cells, number, scene, paths, queue)
    queuePaths()
    return
  }
  const i = pairs.nodes[2 * number]
  const j = pairs.nodes[2 * number + 1]
  endNodePair(pairs, number)
  openNodes(i, j, distance / NODE_SHARE_COUNT)
}

/** A search that takes long is worth a bound on what it looks for, and to know what is forbidden for certain. */
function prepareLongSearch(frame: CompositeFrame): void {
  isLong = true
  const { work, tolerance, a, b } = scene
  if (setBestDirection(scene, point, polygonExcess(frame))) {
    // The polygons that stand for ellipses reach farther than they do: the search goes as far beyond the first translation.
    reach = (vectorLength(point.x, point.y) + 2 * polygonExcess(frame)) * (1 + SEPARATION_ERROR_RATIO) + 16 * tolerance
    Object.assign(bound, point)
    setCover(scene.cover, a, b, reach, tolerance)
    const byCells = a.plain && b.plain
    if (!byCells) makeBins(pairs, reach)
    takeNegatives(queue, (distance, entry) => {
      if (!byCells && distance <= reach) addToBin(pairs, ~entry, distance)
    })
    if (byCells) addCells(cells, scene, queue, reach)
  }
  scene.work = work
}

function queueNodes(i: number, j: number, _size: number): void {
  const { a, b } = scene
  const boxesA = a.tree.boxes
  const boxesB = b.tree.boxes
  const shiftX = b.shiftX - a.shiftX
  const shiftY = b.shiftY - a.shiftY
  const p = 4 * i
  const q = 4 * j
  const x = Math.max(boxesB[q] + shiftX - boxesA[p + 2], boxesA[p] - (boxesB[q + 2] + shiftX), 0)
  const y = Math.max(boxesB[q + 1] + shiftY - boxesA[p + 3], boxesA[p + 1] - (boxesB[q + 3] + shiftY), 0)
  const distance = vectorLength(x, y)
  if (distance > reach) return
  const number = addNodePair(pairs, i, j)
  if (reach < Infinity) addToBin(pairs, number, distance)
  else addToQueue(queue, distance, ~number)
}

/** Whether all translations at which two nodes meet are known to be forbidden. */
function isCovered(i: number, j: number): boolean {
  const { a, b, cover, tolerance } = scene
  const boxesA = a.tree.boxes
  const boxesB = b.tree.boxes
  const shiftX = b.shiftX - a.shiftX
  const shiftY = b.shiftY - a.shiftY
  const p = 4 * i
  const q = 4 * j
  return isBoxCovered(
    cover,
    boxesA[p] - boxesB[q + 2] - shiftX - tolerance,
    boxesA[p + 1] - boxesB[q + 3] - shiftY - tolerance,
    boxesA[p + 2] - boxesB[q] - shiftX + tolerance,
    boxesA[p + 3] - boxesB[q + 1] - shiftY + tolerance,
  )
}

/** Splits a pair of nodes; those smaller than `size` at once down to their leaves: no use in ordering what is so near together. */
function openNodes(i: number, j: number, size: number): void {
  const treeA = scene.a.tree
  const treeB = scene.b.tree
  takeSteps(scene, 1)
  if (scene.cover.active && isCovered(i, j)) return
  const childA = treeA.child[i]
  const childB = treeB.child[j]
  if (childA < 0 && childB < 0) {
    takeSteps(scene, 2)
    if (tracesNothing(scene, ~childA, ~childB)) return
    setSpare(scene, ~childA, ~childB)
    addPaths(paths, scene)
    queuePaths()
    return
  }
  const sizeA = childA < 0 ? 0 : sizeOf(treeA.boxes, i)
  const sizeB = childB < 0 ? 0 : sizeOf(treeB.boxes, j)
  const take = Math.max(sizeA, sizeB) <= size ? openNodes : queueNodes
  if (childA >= 0 && (childB < 0 || sizeA >= sizeB)) {
    take(childA, j, size)
    take(childA + 1, j, size)
  } else {
    take(i, childB, size)
    take(i, childB + 1, size)
  }
}

/** Queues the paths that have been added. */
function queuePaths(): void {
  const { added } = paths
  takeSteps(scene, 4 * added.length)
  for (const path of added) queuePath(path)
  added.length = 0
}

function queuePath(path: number): void {
  setPathPoint(paths, path, false, point)
  const distance = vectorLength(point.x, point.y)
  if (distance <= reach) addToQueue(queue, distance, path)
  else endPath(paths, path)
}

/** Whether the path's point is free: then it is the answer. Else the path goes on. */
function follow(path: number): boolean {
  setPathPoint(paths, path, false, point)
  const cause = causeAt(scene, point)
  if (cause === FREE || (cause === BY_OUTLINE && isFreeBeyond(scene, paths, path))) {
    setPathPoint(paths, path, true, point)
    return true
  }
  const other = isAtBeginning(paths, path) ? splitPath(paths, path) : -1
  paths.added.length = 0
  if (isInGap(path, cause)) return true
  if (goOn(path, cause)) queuePath(path)
  else endPath(paths, path)
  if (other < 0) return false
  setPathPoint(paths, other, false, point)
  if (isInGap(other, cause)) return true
  if (goOn(other, cause)) queuePath(other)
  else endPath(paths, other)
  return false
}

/** Sets `way` to where the path leaves what forbids `point`. Whether there is a way out of it at once. */
function isInGap(path: number, cause: Cause): boolean {
  if (cause !== BY_LEAVES) return false
  const { blocking, tolerance } = scene
  // an arc is held against each side of the obstacle, and where it meets the line of one, against the whole skin
  const { radius, count } = blocking
  scene.work += (radius > 0 ? count * count : count) >>> 6
  takeSteps(scene, (radius > 0 ? count * count : count) >>> 2)
  measureWay(paths, path, point, blocking, tolerance, way)
  return findGap(scene, paths, path, point, way)
}

/** Moves the path on from `point`, past what forbids it there (leaves: by `way`); false when it ends before. */
function goOn(path: number, cause: Cause): boolean {
  const { planes, plane, tolerance } = scene
  if (cause === BY_LEAVES) return leaveObstacle(paths, path, way, tolerance)
  if (cause === BY_HALFPLANE) {
    return leaveHalfplane(paths, path, point, planes[plane], planes[plane + 1], planes[plane + 2], tolerance)
  }
  return goToObstacle(paths, path, wayToOutline(scene, paths, path, point))
}

/** Writes `point` into `out`. */
function finish(out: Translation): void {
  const { x, y, nx, ny } = point
  const length = vectorLength(x, y)
  const along = nx * x + ny * y
  out.tx = x
  out.ty = y
  out.length = length
  // At a foot the free side is the direction, without the rounding error of a short vector's direction. What is no longer than rounding
  // has none: a path that has left an obstacle at once stands a little along its edge.
  const isFoot = length - along <= scene.tolerance || length <= TOUCH_ERROR_COUNT * scene.tolerance
  out.nx = isFoot ? nx : x / length
  out.ny = isFoot ? ny : y / length
}

// A translation that is free for certain, for when the shortest one is out of reach.
//
// Method: along each of a few directions B is moved until it lies beyond A as a whole; the shortest of these ways is then gone
// back until the two touch.
// Frame: as `search-body.ts`; translations are B's.

/**
 * Sets `point` to the translation, its free side the direction. `excess`: how far what stands for ellipses reaches beyond them. False
 * when there is none in the directions tried.
 */
function setBestDirection(scene: Search, point: PathPoint, excess: number): boolean {
  const { planes } = scene
  const count = planes.length > 0 ? planes.length / 3 : DIRECTION_COUNT
  let least = Infinity
  for (let k = 0; k < count; k++) {
    const angle = (2 * Math.PI * k) / count
    const nx = planes.length > 0 ? planes[3 * k] : Math.cos(angle)
    const ny = planes.length > 0 ? planes[3 * k + 1] : Math.sin(angle)
    const length = Math.max(excess - supportGap(scene, nx, ny), 0)
    if (length >= least) continue
    least = length
    point.nx = nx
    point.ny = ny
  }
  if (least === Infinity) return false
  point.x = least * point.nx
  point.y = least * point.ny
  // Half-planes stand in the way from the start.
  const way = planes.length > 0 ? 0 : Math.min(wayBack(scene, point, least), least)
  point.x -= way * point.nx
  point.y -= way * point.ny
  return true
}

/** How far B lies beyond A along (nx, ny), taken as wholes; negative when it has to move. −Infinity beside a half-plane. */
function supportGap({ a, b, planes }: Search, nx: number, ny: number): number {
  let gap = lowest(b, nx, ny, 1) + lowest(a, nx, ny, -1)
  for (let i = 0; i < planes.length; i += 3) {
    const same = planes[i] === nx && planes[i + 1] === ny
    gap = Math.min(gap, same ? -planes[i + 2] : -Infinity)
  }
  return gap
}

/** Pairs of nodes yet to visit: one more for each level of either tree, at most. */
const stack = new Int32Array(4 * (TREE_DEPTH_COUNT + 1))
/** How far away they are met. */
const entries = new Float64Array(2 * (TREE_DEPTH_COUNT + 1))

/** How far B goes from the translation against its free side before it touches A; `limit` when it does not before. */
function wayBack(scene: Search, { x, y, nx, ny }: PathPoint, limit: number): number {
  const { a, b, tolerance } = scene
  const treeA = a.tree
  const treeB = b.tree
  if (treeA.nodeCount === 0 || treeB.nodeCount === 0) return 0
  const trees = { treeA, treeB }
  const back = { x, y, ux: -nx, uy: -ny }
  let way = limit
  let top = 2
  stack[0] = 0
  stack[1] = 0
  entries[0] = 0
  while (top > 0) {
    takeSteps(scene, 1)
    const j = stack[--top]
    const i = stack[--top]
    if (!(entries[top >> 1] < way)) continue
    const childA = treeA.child[i]
    const childB = treeB.child[j]
    if (childA < 0 && childB < 0) {
      setSpare(scene, ~childA, ~childB)
      way = Math.min(way, startAlongLine(scene.spare, back, -tolerance, tolerance))
      continue
    }
    const splitA = childA >= 0 && (childB < 0 || sizeOf(treeA.boxes, i) >= sizeOf(treeB.boxes, j))
    const firstA = splitA ? childA : i
    const firstB = splitA ? j : childB
    const nextA = splitA ? childA + 1 : i
    const nextB = splitA ? j : childB + 1
    const first = wayToNodes(scene, trees, firstA, firstB, back, way)
    const next = wayToNodes(scene, trees, nextA, nextB, back, way)
    // The nearer one on top.
    if (first <= next) top = push(firstA, firstB, first, push(nextA, nextB, next, top))
    else top = push(nextA, nextB, next, push(firstA, firstB, first, top))
  }
  return Math.max(way, 0)
}

function push(i: number, j: number, entry: number, top: number): number {
  entries[top >> 1] = entry
  stack[top] = i
  stack[top + 1] = j
  return top + 2
}
