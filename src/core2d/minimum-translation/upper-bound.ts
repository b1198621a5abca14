/**
 * A translation that is free for certain, for when the shortest one is out of reach.
 *
 * Method: along each of a few directions B is moved until it lies beyond A as a whole; the shortest of these ways is then gone
 * back until the two touch.
 * Frame: as `search-body.ts`; translations are B's.
 */
import { TREE_DEPTH_COUNT } from '../bvh/box-tree.ts'
import { DIRECTION_COUNT } from '../tolerances.ts'
import { lowest } from './boundary.ts'
import { startAlongLine } from './c-obstacle.ts'
import { type Search, setSpare, sizeOf, takeSteps } from './forbidden.ts'
import type { PathPoint } from './paths.ts'
import { wayToNodes } from './ways.ts'

/**
 * Sets `point` to the translation, its free side the direction. `excess`: how far what stands for ellipses reaches beyond them. False
 * when there is none in the directions tried.
 */
export function setBestDirection(scene: Search, point: PathPoint, excess: number): boolean {
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
