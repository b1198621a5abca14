/**
 * The minimum translation of two overlapping bodies of any make: the shortest t for which the insides of A and B + t do not
 * meet.
 *
 * Method: t lies on the boundary of what is forbidden, which is made of pieces of the convolution of the two bodies'
 * boundaries (`minimum-translation-obstacle.ts`). Every piece is a path that leads away from the origin
 * (`minimum-translation-path.ts`). Paths, and pairs of nodes of the two box trees that have yet to yield theirs, wait in one
 * queue by their distance from the origin. What comes first is looked at: a pair of nodes is split, a pair of leaves adds its
 * paths, and a path's point is the answer if it is free. If not, the path goes on to where it leaves what forbids it, and
 * back into the queue. So the first free point found is the nearest of all.
 * Frame: the translation is in world axes.
 */
import { vectorLength } from './body.ts'
import { createComposite } from './composite.ts'
import type { CompositeFrame } from './composite-pair.ts'
import { setBestDirection } from './minimum-translation-bound.ts'
import { addPaths, setPlanes } from './minimum-translation-boundary.ts'
import { isParted } from './minimum-translation-check.ts'
import { keepTranslation, polygonExcess, refineTranslation } from './minimum-translation-curved.ts'
import {
  BY_HALFPLANE,
  BY_LEAVES,
  type Cause,
  causeAt,
  createScene,
  FREE,
  setSpare,
  sizeOf,
  wayToOutline,
} from './minimum-translation-forbidden.ts'
import {
  addLine,
  createPathPoint,
  createPaths,
  goToObstacle,
  isAtBeginning,
  leaveHalfplane,
  leaveObstacle,
  setPathPoint,
  splitPath,
} from './minimum-translation-path.ts'
import { addToQueue, clearQueue, createQueue, leastKey, takeFromQueue } from './minimum-translation-queue.ts'
import { createSide, setSide } from './minimum-translation-side.ts'
import {
  NODE_SHARE_COUNT,
  REFINED_START_COUNT,
  REFINEMENT_WORK_COUNT,
  SEPARATION_ERROR_RATIO,
  TRANSLATION_WORK_COUNT,
} from './tolerances.ts'

export interface Translation {
  /** False when no translation separates the pair (half-planes). */
  found: boolean
  tx: number
  ty: number
  length: number
  /** Unit vector along the translation; where that vanishes, one that points out of A. */
  nx: number
  ny: number
  /** False where the translation is only the best bound found. */
  exact: boolean
  /** Whether ellipses take part. */
  curved: boolean
  /** Bound on the rounding error of distances of the pair. */
  error: number
}

export function createTranslation(): Translation {
  return { found: false, tx: 0, ty: 0, length: 0, nx: 0, ny: 0, exact: true, curved: false, error: 0 }
}

const nothing = createComposite()
const scene = createScene(createSide(nothing, 1), createSide(nothing, -1))
const queue = createQueue()
const paths = createPaths()
const point = createPathPoint()
const other = createTranslation()

/** Pairs of nodes in the queue, which holds them as ~index: nodes 2·index of A's tree and 2·index + 1 of B's. */
let nodes = new Int32Array(64)
let nodeCount = 0

/**
 * Fills `out` for an ordered pair that overlaps or touches. Cost: as a rule O(n + k log k), k the pairs of leaves that are
 * nearer than the answer.
 */
export function minimumTranslation(frame: CompositeFrame, out: Translation): void {
  const { first, second, firstView, secondView } = frame
  setSide(scene.a, first, firstView, firstView)
  setSide(scene.b, second, secondView, firstView)
  scene.tolerance = SEPARATION_ERROR_RATIO * (scene.a.reach + scene.b.reach)
  scene.work = 0
  scene.refinement = 0
  scene.obstacle.hollow = true
  clearQueue(queue)
  paths.count = 0
  paths.partA = -1
  paths.partB = -1
  nodeCount = 0
  out.found = setPlanes(scene)
  out.exact = true
  out.error = scene.tolerance
  out.curved = scene.a.ellipseCount + scene.b.ellipseCount > 0
  if (!out.found) return
  for (let i = 0; i < scene.planes.length; i += 3) {
    const nx = scene.planes[i]
    const ny = scene.planes[i + 1]
    const height = scene.planes[i + 2]
    addLine(paths, height * nx, height * ny, nx, ny, Infinity, scene.tolerance)
  }
  queuePaths(0)
  queueNodes(0, 0, 0)
  out.found = search(Infinity)
  if (!out.found && scene.work > TRANSLATION_WORK_COUNT) takeBound(out)
  if (!out.found) return
  finish(out)
  if (!out.curved) return
  out.exact = false
  other.error = out.error
  // The search has judged by polygons around the ellipses.
  if (!isParted(frame, scene, out.tx, out.ty)) {
    takeBound(out)
    if (!out.found) return
    finish(out)
  }
  // Against the true shapes another one may turn out to be shorter, but for as much as the polygons reach beyond them.
  const limit = out.length + polygonExcess(frame)
  refineTranslation(frame, scene, out)
  for (let start = 1; start < REFINED_START_COUNT && scene.refinement < REFINEMENT_WORK_COUNT; start++) {
    if (!search(limit)) break
    finish(other)
    if (!isParted(frame, scene, other.tx, other.ty)) continue
    refineTranslation(frame, scene, other)
    if (other.length < out.length - scene.tolerance) keepTranslation(other, out)
  }
}

function takeBound(out: Translation): void {
  out.exact = false
  out.found = setBestDirection(scene, point)
}

/** Leaves the nearest free translation yet unseen in `point`. False when none is within `limit`, or the work is too much. */
function search(limit: number): boolean {
  while (queue.count > 0 && scene.work <= TRANSLATION_WORK_COUNT) {
    const distance = leastKey(queue)
    if (distance > limit) return false
    const entry = takeFromQueue(queue)
    if (entry < 0) openNodes(nodes[2 * ~entry], nodes[2 * ~entry + 1], distance / NODE_SHARE_COUNT)
    else if (follow(entry)) return true
  }
  return false
}

function queueNodes(i: number, j: number, _size: number): void {
  const { a, b } = scene
  const boxesA = a.view.tree.boxes
  const boxesB = b.view.tree.boxes
  const shiftX = b.shiftX - a.shiftX
  const shiftY = b.shiftY - a.shiftY
  const p = 4 * i
  const q = 4 * j
  const x = Math.max(boxesB[q] + shiftX - boxesA[p + 2], boxesA[p] - (boxesB[q + 2] + shiftX), 0)
  const y = Math.max(boxesB[q + 1] + shiftY - boxesA[p + 3], boxesA[p + 1] - (boxesB[q + 3] + shiftY), 0)
  const index = nodeCount++
  if (2 * nodeCount > nodes.length) {
    const grown = new Int32Array(2 * nodes.length)
    grown.set(nodes)
    nodes = grown
  }
  nodes[2 * index] = i
  nodes[2 * index + 1] = j
  addToQueue(queue, vectorLength(x, y), ~index)
}

/** Splits a pair of nodes; those smaller than `size` at once down to their leaves: no use in ordering what is so near together. */
function openNodes(i: number, j: number, size: number): void {
  const treeA = scene.a.view.tree
  const treeB = scene.b.view.tree
  const childA = treeA.child[i]
  const childB = treeB.child[j]
  if (childA < 0 && childB < 0) {
    if (!setSpare(scene, ~childA, ~childB)) return
    const first = paths.count
    addPaths(paths, scene)
    queuePaths(first)
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

function queuePaths(first: number): void {
  for (let path = first; path < paths.count; path++) queuePath(path)
}

function queuePath(path: number): void {
  setPathPoint(paths, path, false, point)
  addToQueue(queue, vectorLength(point.x, point.y), path)
}

/** Whether the path's point is free: then it is the answer. Else the path goes on. */
function follow(path: number): boolean {
  setPathPoint(paths, path, false, point)
  const cause = causeAt(scene, point)
  if (cause === FREE) {
    setPathPoint(paths, path, true, point)
    return true
  }
  const other = isAtBeginning(paths, path) ? splitPath(paths, path) : -1
  if (goOn(path, cause)) queuePath(path)
  if (other < 0) return false
  setPathPoint(paths, other, false, point)
  if (goOn(other, cause)) queuePath(other)
  return false
}

/** Moves the path on from `point`, past what forbids it there; false when it ends before. */
function goOn(path: number, cause: Cause): boolean {
  const { obstacle, planes, plane, tolerance } = scene
  if (cause === BY_LEAVES) {
    // an arc is held against each side of the obstacle, and where it meets the line of one, against the whole skin
    scene.work += (obstacle.radius > 0 ? obstacle.count * obstacle.count : obstacle.count) >>> 6
    return leaveObstacle(paths, path, point, obstacle, tolerance)
  }
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
  // At a foot the free side is the direction, without the rounding error of a short vector's direction.
  const isFoot = length - along <= scene.tolerance
  out.nx = isFoot ? nx : x / length
  out.ny = isFoot ? ny : y / length
}
