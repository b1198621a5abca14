/**
 * Pairs of boxes of two trees that meet while the second tree moves past the first at constant velocity.
 *
 * Method: slabs. A moving box meets a standing one while their extents overlap on both axes (C. Ericson, "Real-Time
 * Collision Detection", 5.5.8).
 * Frame: boxes as the trees have them; the second tree starts at (dx, dy) from the first.
 */
import { type BoxTree, TREE_DEPTH_COUNT } from './box-tree.ts'
import { SEPARATION_ERROR_RATIO, UNIT_ROUNDOFF } from './tolerances.ts'

/** How the second tree stands and moves. */
export interface BoxMotion {
  dx: number
  dy: number
  vx: number
  vy: number
  /** Bound on the error of the boxes' places. */
  slack: number
}

/**
 * Pairs of nodes yet to visit: one more for each level of either tree, at most. A stack for each walk under way, because
 * what is visited may be walked itself.
 */
const stacks: Int32Array[] = []
let walks = 0

/** First instant in [0, limit] at which box j may meet box i; Infinity when they never do. */
function entryTime(
  boxesA: Float64Array,
  i: number,
  boxesB: Float64Array,
  j: number,
  motion: BoxMotion,
  limit: number,
): number {
  const { dx, dy, vx, vy, slack } = motion
  const left = boxesA[4 * i] - (boxesB[4 * j + 2] + dx) - slack
  const right = boxesA[4 * i + 2] - (boxesB[4 * j] + dx) + slack
  const low = boxesA[4 * i + 1] - (boxesB[4 * j + 3] + dy) - slack
  const high = boxesA[4 * i + 3] - (boxesB[4 * j + 1] + dy) + slack
  let enter = 0
  let leave = limit
  if (vx === 0) {
    if (left > 0 || right < 0) return Infinity
  } else {
    enter = Math.max(enter, (vx > 0 ? left : right) / vx)
    leave = Math.min(leave, (vx > 0 ? right : left) / vx)
  }
  if (vy === 0) {
    if (low > 0 || high < 0) return Infinity
  } else {
    enter = Math.max(enter, (vy > 0 ? low : high) / vy)
    leave = Math.min(leave, (vy > 0 ? high : low) / vy)
  }
  const rounding = 4 * UNIT_ROUNDOFF * enter
  return enter - rounding <= leave + rounding ? enter - rounding : Infinity
}

function isLarger(boxesA: Float64Array, i: number, boxesB: Float64Array, j: number): boolean {
  const sizeA = boxesA[4 * i + 2] - boxesA[4 * i] + (boxesA[4 * i + 3] - boxesA[4 * i + 1])
  const sizeB = boxesB[4 * j + 2] - boxesB[4 * j] + (boxesB[4 * j + 3] - boxesB[4 * j + 1])
  return sizeA >= sizeB
}

/** The motion of two composites, its slack set from their extents. */
export function setBoxMotion(out: BoxMotion, dx: number, dy: number, vx: number, vy: number): void {
  out.dx = dx
  out.dy = dy
  out.vx = vx
  out.vy = vy
  out.slack = SEPARATION_ERROR_RATIO * (Math.abs(dx) + Math.abs(dy))
}

/**
 * Calls `visit` for leaf pairs whose boxes meet up to the time that it last returned (`limit` at first), those that meet
 * sooner first.
 */
export function visitMovingLeafPairs(
  treeA: BoxTree,
  treeB: BoxTree,
  motion: BoxMotion,
  limit: number,
  visit: (leafA: number, leafB: number) => number,
): void {
  if (treeA.nodeCount === 0 || treeB.nodeCount === 0) return
  stacks[walks] ??= new Int32Array(4 * (TREE_DEPTH_COUNT + 1))
  const stack = stacks[walks++]
  const boxesA = treeA.boxes
  const boxesB = treeB.boxes
  let latest = limit
  let top = 0
  stack[top++] = 0
  stack[top++] = 0
  while (top > 0) {
    const j = stack[--top]
    const i = stack[--top]
    if (entryTime(boxesA, i, boxesB, j, motion, latest) === Infinity) continue
    const childA = treeA.child[i]
    const childB = treeB.child[j]
    if (childA < 0 && childB < 0) {
      latest = visit(~childA, ~childB)
      continue
    }
    const splitA = childB < 0 || (childA >= 0 && isLarger(boxesA, i, boxesB, j))
    const nearA = splitA ? childA : i
    const nearB = splitA ? j : childB
    const farA = splitA ? childA + 1 : i
    const farB = splitA ? j : childB + 1
    const inOrder =
      entryTime(boxesA, nearA, boxesB, nearB, motion, latest) <= entryTime(boxesA, farA, boxesB, farB, motion, latest)
    stack[top++] = inOrder ? farA : nearA
    stack[top++] = inOrder ? farB : nearB
    stack[top++] = inOrder ? nearA : farA
    stack[top++] = inOrder ? nearB : farB
  }
  walks--
}
