/**
 * The leaves of a composite body that are not hidden within another one: what lies wholly in another part adds nothing to the
 * body, however many times it is there.
 *
 * Method: each convex part is looked for in parts whose boxes hold its own, a few of them. Of equal parts the first one stays.
 * A leaf that lies within another part for certain, by more than rounding, is hidden; one that may only touch it from within is not. Small
 * bodies are taken as they are.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { type BoxTree, buildBoxTree, createBoxTree, TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  type Composite,
  HALFPLANE,
  isCored,
  isCurved,
  LOCAL,
  POLYGON,
  RADIUS,
  REACH,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import { HOLDER_SEARCH_COUNT, LEAST_CROWD_COUNT, SEPARATION_ERROR_RATIO } from '../tolerances.ts'

/** The tree over the outer leaves, which is that over all leaves where none is hidden. Made once. Cost O(n log n). */
export function outerTree(composite: Composite): BoxTree {
  composite.outer ??= composite.partCount < LEAST_CROWD_COUNT ? composite.tree : makeOuterTree(composite)
  return composite.outer
}

function makeOuterTree(composite: Composite): BoxTree {
  const { leafCount, tree } = composite
  const outer: number[] = []
  for (let leaf = 0; leaf < leafCount; leaf++) if (!isHidden(composite, leaf)) outer.push(leaf)
  return outer.length === leafCount ? tree : treeOf(composite, outer)
}

/** A tree over some of the leaves, by their own numbers. */
export function treeOf({ boxes }: Composite, leaves: readonly number[]): BoxTree {
  const tree = createBoxTree()
  const chosen = new Float64Array(4 * leaves.length)
  for (let i = 0; i < leaves.length; i++) {
    for (let side = 0; side < 4; side++) chosen[4 * i + side] = boxes[4 * leaves[i] + side]
  }
  spend(leaves.length)
  buildBoxTree(tree, chosen, leaves.length)
  const { child, nodeCount } = tree
  for (let node = 0; node < nodeCount; node++) if (child[node] < 0) child[node] = ~leaves[~child[node]]
  return tree
}

/** Nodes yet to visit: one more for each level, at most. */
const stack = new Int32Array(TREE_DEPTH_COUNT + 2)

function isHidden(composite: Composite, leaf: number): boolean {
  const { parts, leafPart, boxes, tree } = composite
  const part = parts[leafPart[leaf]]
  if (part.outline !== null) return false
  let visits = 0
  let top = 0
  stack[top++] = 0
  while (top > 0 && visits < HOLDER_SEARCH_COUNT) {
    const node = stack[--top]
    visits++
    if (!isWithin(boxes, leaf, tree.boxes, node)) continue
    const next = tree.child[node]
    if (next >= 0) {
      stack[top++] = next + 1
      stack[top++] = next
      continue
    }
    const other = parts[leafPart[~next]]
    if (~next === leaf || other.outline !== null) continue
    visits += (part.body.count * other.body.count) >>> 3
    if (equals(part.body, other.body) ? ~next < leaf : holds(other.body, part.body)) {
      spend(visits)
      return true
    }
  }
  spend(visits)
  return false
}

function isWithin(boxes: Float64Array, i: number, outer: Float64Array, j: number): boolean {
  const a = 4 * i
  const b = 4 * j
  return (
    outer[b] <= boxes[a] && outer[b + 1] <= boxes[a + 1] && outer[b + 2] >= boxes[a + 2] && outer[b + 3] >= boxes[a + 3]
  )
}

function equals(a: Body, b: Body): boolean {
  if (a.kind !== b.kind || a.count !== b.count || a.numbers[RADIUS] !== b.numbers[RADIUS]) return false
  if (
    a.numbers[X] !== b.numbers[X] ||
    a.numbers[Y] !== b.numbers[Y] ||
    a.numbers[X_LOW] !== b.numbers[X_LOW] ||
    a.numbers[Y_LOW] !== b.numbers[Y_LOW]
  )
    return false
  for (let i = 0; i < 2 * a.count; i++) if (a.numbers[a.vertices + i] !== b.numbers[b.vertices + i]) return false
  return kindOf(a).compare(a, b) === 0
}

/** Whether `outer` holds `inner` by more than rounding. */
function holds(outer: Body, inner: Body): boolean {
  if (!isCored(outer) || inner.kind === HALFPLANE) return false
  const dx =
    inner.numbers[X] -
    outer.numbers[X] +
    (inner.numbers[X_LOW] - outer.numbers[X_LOW]) +
    (inner.numbers[ANCHOR_X] - outer.numbers[ANCHOR_X])
  const dy =
    inner.numbers[Y] -
    outer.numbers[Y] +
    (inner.numbers[Y_LOW] - outer.numbers[Y_LOW]) +
    (inner.numbers[ANCHOR_Y] - outer.numbers[ANCHOR_Y])
  const size =
    Math.abs(inner.numbers[X]) +
    Math.abs(outer.numbers[X]) +
    Math.abs(inner.numbers[Y]) +
    Math.abs(outer.numbers[Y]) +
    inner.numbers[REACH] +
    outer.numbers[REACH]
  const anchors =
    Math.abs(inner.numbers[ANCHOR_X]) +
    Math.abs(outer.numbers[ANCHOR_X]) +
    Math.abs(inner.numbers[ANCHOR_Y]) +
    Math.abs(outer.numbers[ANCHOR_Y])
  const slack = 4 * SEPARATION_ERROR_RATIO * (size + anchors)
  // A disc about each core point: of a curve one about its centre.
  const curved = isCurved(inner)
  const count = curved ? 1 : inner.count
  const radius = (curved ? inner.numbers[REACH] : inner.numbers[RADIUS]) + slack
  for (let i = 0; i < count; i++) {
    const x = curved ? dx : dx + inner.numbers[LOCAL + 2 * i]
    const y = curved ? dy : dy + inner.numbers[LOCAL + 2 * i + 1]
    if (!holdsDisc(outer, x, y, radius)) return false
  }
  return true
}

/** Whether a disc about a point relative to the anchor lies within a body of core points. */
function holdsDisc({ kind, count, normals, offsets, numbers }: Body, x: number, y: number, r: number): boolean {
  const radius = numbers[RADIUS]
  if (kind !== POLYGON) return count === 1 && vectorLength(x - numbers[LOCAL], y - numbers[LOCAL + 1]) + r <= radius
  if (count < 3) return false
  // The core has to hold the points beyond the skin.
  const depth = Math.max(r - radius, 0)
  for (let k = 0; k < count; k++)
    if (numbers[normals + 2 * k] * x + numbers[normals + 2 * k + 1] * y + depth > numbers[offsets + k]) return false
  return true
}
