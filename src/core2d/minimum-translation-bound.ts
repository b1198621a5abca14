/**
 * A translation that is free for certain, for when the shortest one is out of reach.
 *
 * Method: along each of a few directions B is moved until it lies beyond A as a whole; the shortest of these ways is then gone
 * back until the two touch.
 * Frame: as `minimum-translation-side.ts`; translations are B's.
 */
import { spend } from '../containers/budget.ts'
import { TREE_DEPTH_COUNT } from './box-tree.ts'
import { lowest } from './minimum-translation-boundary.ts'
import { type Scene, setSpare, sizeOf } from './minimum-translation-forbidden.ts'
import { startAlongLine } from './minimum-translation-obstacle.ts'
import type { PathPoint } from './minimum-translation-path.ts'
import { DIRECTION_COUNT } from './tolerances.ts'

/**
 * Sets `point` to the translation, its free side the direction. `excess`: how far what stands for ellipses reaches beyond them. False
 * when there is none in the directions tried.
 */
export function setBestDirection(scene: Scene, point: PathPoint, excess: number): boolean {
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
function supportGap({ a, b, planes }: Scene, nx: number, ny: number): number {
  let gap = lowest(b, nx, ny, 1) + lowest(a, nx, ny, -1)
  for (let i = 0; i < planes.length; i += 3) {
    const same = planes[i] === nx && planes[i + 1] === ny
    gap = Math.min(gap, same ? -planes[i + 2] : -Infinity)
  }
  return gap
}

/** Pairs of nodes yet to visit: one more for each level of either tree, at most. */
const stack = new Int32Array(4 * (TREE_DEPTH_COUNT + 1))

/** How far B goes from the translation against its free side before it touches A; `limit` when it does not before. */
function wayBack(scene: Scene, { x, y, nx, ny }: PathPoint, limit: number): number {
  const { a, b, tolerance } = scene
  const treeA = a.tree
  const treeB = b.tree
  if (treeA.nodeCount === 0 || treeB.nodeCount === 0) return 0
  const shiftX = b.shiftX - a.shiftX + x
  const shiftY = b.shiftY - a.shiftY + y
  let way = limit
  let top = 2
  stack[0] = 0
  stack[1] = 0
  while (top > 0) {
    spend(1)
    const j = stack[--top]
    const i = stack[--top]
    const wayX = wayToBox(treeA.boxes, 4 * i, treeB.boxes, 4 * j, shiftX, -nx, way)
    if (!(wayX < way) || !(wayToBox(treeA.boxes, 4 * i + 1, treeB.boxes, 4 * j + 1, shiftY, -ny, way) < way)) continue
    const childA = treeA.child[i]
    const childB = treeB.child[j]
    if (childA < 0 && childB < 0) {
      setSpare(scene, ~childA, ~childB)
      way = Math.min(way, startAlongLine(scene.spare, x, y, -nx, -ny, -tolerance, tolerance))
      continue
    }
    const splitA = childA >= 0 && (childB < 0 || sizeOf(treeA.boxes, i) >= sizeOf(treeB.boxes, j))
    for (let child = 0; child < 2; child++) {
      stack[top++] = splitA ? childA + child : i
      stack[top++] = splitA ? j : childB + child
    }
  }
  return Math.max(way, 0)
}

/** Way at which two intervals begin to meet along one axis while the second moves at `rate`; Infinity when not before `limit`. */
function wayToBox(
  boxesA: Float64Array,
  i: number,
  boxesB: Float64Array,
  j: number,
  shift: number,
  rate: number,
  limit: number,
): number {
  const beyond = boxesB[j] + shift - boxesA[i + 2]
  const before = boxesA[i] - (boxesB[j + 2] + shift)
  if (beyond > 0) return beyond < -rate * limit ? beyond / -rate : Infinity
  if (before > 0) return before < rate * limit ? before / rate : Infinity
  return 0
}
