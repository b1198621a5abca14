/**
 * Which leaves of two bodies may meet while one of them moves on straight.
 *
 * Method: the leaves of the resting body whose boxes meet that of the way of the moving one, through its box tree; and for each of
 * these the moving body's own leaves, in the same way. Boxes are rounded outward, so that none is missed that is met exactly.
 */

import type { BoxTree } from '../../core2d/bvh/box-tree.ts'
import { measureOuterBox } from '../../core2d/measures/outer-box.ts'
import { type Body, COMPOSITE, type Composite } from '../../core2d/shape/body.ts'
import { SWEPT_SLACK_RATIO } from '../../core2d/tolerances.ts'

const box = new Float64Array(4)
const FIRST: readonly number[] = [0]

/**
 * Each leaf of `resting` that may be met, with the leaves of `moving` that may meet it, both in their order; a body that is no
 * composite is its leaf 0. `moving` moves by (dx, dy).
 */
export function* leavesAlong(
  resting: Body,
  moving: Body,
  dx: number,
  dy: number,
): Generator<readonly [leaf: number, owns: readonly number[]], void, undefined> {
  if (resting.kind !== COMPOSITE && moving.kind !== COMPOSITE) {
    yield [0, FIRST]
    return
  }
  const pad =
    SWEPT_SLACK_RATIO *
    (Math.abs(resting.x) + Math.abs(resting.y) + Math.abs(moving.x) + Math.abs(moving.y) + Math.abs(dx) + Math.abs(dy))
  for (const leaf of leavesMet(resting, moving, dx, dy, pad)) {
    if (moving.kind !== COMPOSITE) {
      yield [leaf, FIRST]
      continue
    }
    const shiftX = resting.x - moving.x
    const shiftY = resting.y - moving.y
    setLeafBox(resting, leaf)
    const [minX, minY, maxX, maxY] = box
    // seen from the moving body, the leaf comes the other way
    const owns = leavesInBox(
      moving.composite as Composite,
      minX + shiftX - Math.max(0, dx) - pad,
      minY + shiftY - Math.max(0, dy) - pad,
      maxX + shiftX - Math.min(0, dx) + pad,
      maxY + shiftY - Math.min(0, dy) + pad,
    )
    yield [leaf, owns]
  }
}

/** The leaves of `resting` whose boxes meet that of the way. */
function leavesMet(resting: Body, moving: Body, dx: number, dy: number, pad: number): readonly number[] {
  if (resting.kind !== COMPOSITE) return FIRST
  measureWhole(moving)
  const [minX, minY, maxX, maxY] = box
  const { x, y } = resting
  return leavesInBox(
    resting.composite as Composite,
    minX + Math.min(0, dx) - x - pad,
    minY + Math.min(0, dy) - y - pad,
    maxX + Math.max(0, dx) - x + pad,
    maxY + Math.max(0, dy) - y + pad,
  )
}

/** Sets `box` to that of a body. */
function measureWhole(body: Body): void {
  if (body.kind !== COMPOSITE) {
    measureOuterBox(body, box, 0)
    return
  }
  // the root of its tree has it, relative to its position
  const { boxes } = (body.composite as Composite).tree
  for (let k = 0; k < 4; k++) box[k] = boxes[k] + (k % 2 === 0 ? body.x : body.y)
}

/** Sets `box` to that of a leaf, relative to the body's position. */
function setLeafBox(body: Body, leaf: number): void {
  if (body.kind === COMPOSITE) {
    box.set((body.composite as Composite).boxes.subarray(4 * leaf, 4 * leaf + 4))
    return
  }
  measureOuterBox(body, box, 0)
  box[0] -= body.x
  box[1] -= body.y
  box[2] -= body.x
  box[3] -= body.y
}

const stack: number[] = []

/** In their order. */
function leavesInBox({ tree }: Composite, minX: number, minY: number, maxX: number, maxY: number): number[] {
  const { nodeCount, boxes, child }: BoxTree = tree
  const found: number[] = []
  stack.length = 0
  if (nodeCount > 0) stack.push(0)
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const at = 4 * node
    const isMet = boxes[at] <= maxX && boxes[at + 1] <= maxY && boxes[at + 2] >= minX && boxes[at + 3] >= minY
    if (!isMet) continue
    const first = child[node]
    if (first < 0) found.push(~first)
    else stack.push(first, first + 1)
  }
  return found.sort((a, b) => a - b)
}
