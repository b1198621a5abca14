/**
 * All pairs of boxes in space that meet, by the method asked for or one that suits the boxes.
 *
 * Method: brute force, sweep and prune, a spatial hash or a dynamic tree, see there. All give the same pairs. Where one of the
 * first three has made more box tests than its budget allows, the tree takes over; where more pairs meet than the list takes,
 * the first ones are found box by box, so that a list cut short is the same for all methods too.
 * The other texts of the plane have siblings here, and not one text for both: asked about boxes without a third axis these take up to
 * twice as long as those.
 */

import { spend } from '../../containers/budget.ts'
import { createItemList } from '../../containers/item-list.ts'
import { addPair, boxTestSteps, clearPairs, type PairList, sortPairs } from '../../containers/pair-list.ts'
import type { DynamicTree } from '../../core/dynamic-tree.ts'
import { buildDynamicTree } from '../../core/dynamic-tree-build.ts'
import { createDynamicTree } from './dynamic-tree.ts'
import { queryBox, treePairs } from './dynamic-tree-queries.ts'
import { chooseCellSize, hashPairs, sampleSides } from './spatial-hash.ts'
import { columnPairs } from './sweep-and-prune.ts'

// Brute force: every box against every other. The broad phase for a handful of boxes, and the oracle of all others.
//
// Boxes (here and in all broad phases): min x, min y, min z, max x, max y, max z of box i at boxes[6i…6i+5], min ≤ max. They are
// closed: touching counts. They may be infinite.

/** Adds the pairs that meet, sorted; false when the list was full, or its budget spent, before the end. */
export function allPairs(boxes: Float64Array, count: number, out: PairList): boolean {
  for (let i = 0; i < count; i++) {
    out.boxTests += count - 1 - i
    spend(boxTestSteps(count - 1 - i))
    if (out.boxTests > out.budget || !pairsOf(i, boxes, count, out)) return false
  }
  return true
}

/** Adds the pairs of a box and those after it; false when the list was full before the end. */
function pairsOf(i: number, boxes: Float64Array, count: number, out: PairList): boolean {
  const minX = boxes[6 * i]
  const minY = boxes[6 * i + 1]
  const minZ = boxes[6 * i + 2]
  const maxX = boxes[6 * i + 3]
  const maxY = boxes[6 * i + 4]
  const maxZ = boxes[6 * i + 5]
  for (let j = i + 1; j < count; j++) {
    const at = 6 * j
    if (
      minX <= boxes[at + 3] &&
      boxes[at] <= maxX &&
      minY <= boxes[at + 4] &&
      boxes[at + 1] <= maxY &&
      minZ <= boxes[at + 5] &&
      boxes[at + 2] <= maxZ &&
      !addPair(out, i, j)
    )
      return false
  }
  return true
}

/** The methods that start from the boxes alone. */
type BoxesMethod = 'brute-force' | 'sweep-and-prune' | 'spatial-hash'
export type BroadPhaseMethod = BoxesMethod | 'dynamic-tree'

interface BroadPhaseResult {
  /** The method that found the pairs. */
  method: BroadPhaseMethod
  /** Why it was that one. */
  reason: string
  /** Whether more pairs meet than the list took. */
  truncated: boolean
}

/** Boxes up to which nothing beats brute force, and up to which how long they are makes no difference. */
const FEW_COUNT = 48
const SOME_COUNT = 256
/** Boxes count as alike when all but one in twenty are no longer than so many times the median. */
const ALIKE_COUNT = 64

/**
 * Fills `out` with the pairs that meet, sorted: all of them, or the first `out.limit`. `cellSize`, of the spatial hash, is chosen
 * when 0. Boxes as above.
 */
export function broadPhase(
  boxes: Float64Array,
  count: number,
  method: BroadPhaseMethod | 'auto',
  cellSize: number,
  out: PairList,
): BroadPhaseResult {
  const picked = method === 'auto' ? pickMethod(boxes, count) : { method, reason: 'asked for' }
  clearPairs(out)
  if (run(picked.method, boxes, count, cellSize, out)) {
    sortPairs(out, count)
    return { ...picked, truncated: false }
  }
  const isFull = out.boxTests <= out.budget
  const tree = treeOver(boxes, count)
  clearPairs(out)
  // Steps spent in vain no longer count; the tree's own work is bounded by the pairs it finds.
  const { budget } = out
  out.budget = Infinity
  const complete = !isFull && treePairs(tree, out)
  out.budget = budget
  if (complete) {
    sortPairs(out, count)
    const reason = `${picked.method} was given up after ${budget} box tests`
    return { method: 'dynamic-tree', reason, truncated: false }
  }
  clearPairs(out)
  firstPairs(tree, boxes, count, out)
  return {
    method: 'dynamic-tree',
    reason: `more than ${out.limit} pairs of boxes meet: the first were found box by box`,
    truncated: true,
  }
}

function run(method: BroadPhaseMethod, boxes: Float64Array, count: number, cellSize: number, out: PairList): boolean {
  return method === 'dynamic-tree'
    ? treePairs(treeOver(boxes, count), out)
    : boxPairs(method, boxes, count, cellSize, out)
}

/** Adds the pairs that meet, in no particular order; false when the list was full, or its budget spent, before the end. */
export function boxPairs(
  method: BoxesMethod,
  boxes: Float64Array,
  count: number,
  cellSize: number,
  out: PairList,
): boolean {
  switch (method) {
    case 'brute-force':
      return allPairs(boxes, count, out)
    case 'sweep-and-prune':
      return columnPairs(boxes, count, out)
    case 'spatial-hash':
      return hashPairs(boxes, count, cellSize > 0 ? cellSize : chooseCellSize(boxes, count), out)
  }
}

function treeOver(boxes: Float64Array, count: number): DynamicTree {
  const tree = createDynamicTree()
  buildDynamicTree(tree, boxes, count)
  return tree
}

/** The method that suits the boxes, and why. */
export function pickMethod(boxes: Float64Array, count: number): { method: BroadPhaseMethod; reason: string } {
  if (count <= FEW_COUNT) return { method: 'brute-force', reason: `at most ${FEW_COUNT} boxes` }
  if (count <= SOME_COUNT) return { method: 'sweep-and-prune', reason: `at most ${SOME_COUNT} boxes` }
  const sides = sampleSides(boxes, count)
  const share = (part: number) => sides[Math.floor(part * (sides.length - 1))]
  if (share(0.95) <= ALIKE_COUNT * share(0.5)) {
    const reason = `all but one in twenty of the boxes are at most ${ALIKE_COUNT} times as long as the median`
    return { method: 'sweep-and-prune', reason }
  }
  return { method: 'dynamic-tree', reason: 'the sizes of the boxes spread widely' }
}

/** Pairs in sorted order until the list is full. What a query finds besides was in the list before, as a pair of an earlier box. */
function firstPairs(tree: DynamicTree, boxes: Float64Array, count: number, out: PairList): void {
  const found = createItemList()
  for (let i = 0; i < count; i++) {
    queryBox(tree, boxes, i, found)
    out.boxTests += found.boxTests
    found.boxTests = 0
    const items = found.items.subarray(0, found.count).sort()
    for (const j of items) if (j > i && !addPair(out, i, j)) return
  }
}
