/**
 * How far a path goes through the inside of an outline that holds a part before the two touch.
 *
 * Method: both trees are walked together, down to the leaves of the two parts that the path may meet; a straight path is a ray
 * against the boxes' difference, a circular one meets what its circle does.
 * Frame: as `search-body.ts`; translations are B's.
 */

import { vectorLength } from '../../numeric/safe-range.ts'
import { type BoxTree, TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import { slabEntryTime } from '../broad-phase/moving-boxes.ts'
import type { StraightWay } from './c-obstacle.ts'
import { type Search, setSpare, sizeOf, takeSteps } from './forbidden.ts'
import { isLine, type PathPoint, type Paths, setCircleOf, wayToObstacle } from './paths.ts'

/** Pairs of nodes yet to visit: one more for each level of either tree, at most. */
const stack = new Int32Array(4 * (TREE_DEPTH_COUNT + 1))

const circle = { x: 0, y: 0, radius: 0 }

/** How far obstacles may reach beyond the boxes' difference, in tolerances. */
const REACH_COUNT = 16

/** The way beyond `point`; Infinity when they never touch. */
export function wayToOutline(scene: Search, paths: Paths, path: number, point: PathPoint): number {
  const { a, b, holderIsA, holder, held, tolerance } = scene
  const p = holderIsA ? holder : held
  const q = holderIsA ? held : holder
  const treeA = a.view.tree
  const treeB = b.view.tree
  const trees = { treeA, treeB }
  const straight = isLine(paths, path)
  setCircleOf(paths, path, circle)
  let way = Infinity
  let top = 2
  stack[0] = 0
  stack[1] = 0
  while (top > 0) {
    takeSteps(scene, 1)
    const j = stack[--top]
    const i = stack[--top]
    const meets = straight ? wayToNodes(scene, trees, i, j, point, way) < way : mayMeetCircle(scene, i, j)
    if (!meets) continue
    const childA = treeA.child[i]
    const childB = treeB.child[j]
    if (childA < 0 && childB < 0) {
      if (a.view.leafPart[~childA] !== p || b.view.leafPart[~childB] !== q) continue
      setSpare(scene, ~childA, ~childB)
      way = Math.min(way, wayToObstacle(paths, path, point, scene.spare, tolerance))
      continue
    }
    const splitA = childA >= 0 && (childB < 0 || sizeOf(treeA.boxes, i) >= sizeOf(treeB.boxes, j))
    for (let child = 0; child < 2; child++) {
      stack[top++] = splitA ? childA + child : i
      stack[top++] = splitA ? j : childB + child
    }
  }
  return way
}

/** Sides of the box of translations at which two nodes meet. */
let left = 0
let right = 0
let low = 0
let high = 0

function setSides({ a, b, tolerance }: Search, treeA: BoxTree, treeB: BoxTree, i: number, j: number): void {
  const boxesA = treeA.boxes
  const boxesB = treeB.boxes
  const shiftX = b.shiftX - a.shiftX
  const shiftY = b.shiftY - a.shiftY
  const reach = REACH_COUNT * tolerance
  left = boxesA[4 * i] - boxesB[4 * j + 2] - shiftX - reach
  right = boxesA[4 * i + 2] - boxesB[4 * j] - shiftX + reach
  low = boxesA[4 * i + 1] - boxesB[4 * j + 3] - shiftY - reach
  high = boxesA[4 * i + 3] - boxesB[4 * j + 1] - shiftY + reach
}

/** Trees of the leaves of A and of B. */
interface TreePair {
  treeA: BoxTree
  treeB: BoxTree
}

/**
 * How far along a way two nodes may begin to meet, or less; Infinity when they do not within
 * `limit`.
 */
export function wayToNodes(
  scene: Search,
  { treeA, treeB }: TreePair,
  i: number,
  j: number,
  { x, y, ux, uy }: StraightWay,
  limit: number,
): number {
  setSides(scene, treeA, treeB, i, j)
  return slabEntryTime(left - x, right - x, low - y, high - y, ux, uy, limit)
}

function mayMeetCircle(scene: Search, i: number, j: number): boolean {
  setSides(scene, scene.a.view.tree, scene.b.view.tree, i, j)
  const { x, y, radius } = circle
  const nearX = Math.max(left - x, x - right, 0)
  const nearY = Math.max(low - y, y - high, 0)
  const farX = Math.max(right - x, x - left)
  const farY = Math.max(high - y, y - low)
  return vectorLength(nearX, nearY) <= radius && vectorLength(farX, farY) >= radius
}
