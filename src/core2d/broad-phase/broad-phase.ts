/**
 * All pairs of boxes that meet, by the method asked for or one that suits the boxes.
 *
 * Method: brute force, sweep and prune, a spatial hash or a dynamic tree, see there. All give the same pairs. Where one of the
 * first three has made more box tests than its budget allows, the tree takes over; where more pairs meet than the list takes,
 * the first ones are found box by box, so that a list cut short is the same for all methods too.
 */

import { finishAtOnce, Pace, type Slices } from '../../containers/budget.ts'
import { createItemList } from '../../containers/item-list.ts'
import { addPair, boxTestSteps, clearPairs, type PairList, sortPairs } from '../../containers/pair-list.ts'
import type { DynamicTree } from '../../core/dynamic-tree.ts'
import { buildDynamicTree } from '../../core/dynamic-tree-build.ts'
import { createDynamicTree } from './dynamic-tree.ts'
import { queryBox, treePairs } from './dynamic-tree-queries.ts'
import { chooseCellSize, createSpatialHash, fillHashInSlices, hashPairsInSlices, sampleSides } from './spatial-hash.ts'
import { stripPairsInSlices } from './sweep-and-prune.ts'

/** The methods that start from the boxes alone. */
export type BoxesMethod = 'brute-force' | 'sweep-and-prune' | 'spatial-hash'
export type BroadPhaseMethod = BoxesMethod | 'dynamic-tree'

export interface BroadPhaseResult {
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
 * when 0. Boxes as `allPairs` takes them.
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
  const tree = createDynamicTree()
  buildDynamicTree(tree, boxes, count)
  clearPairs(out)
  // The failed attempt is not charged; the tree's own work is bounded by the pairs it finds.
  const { budget } = out
  out.budget = Infinity
  const complete = !isFull && treePairs(tree, out)
  out.budget = budget
  if (complete) {
    sortPairs(out, count)
    const reason = `${picked.method} was given up after ${out.budget} box tests`
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
  if (method !== 'dynamic-tree') return finishAtOnce(boxPairsInSlices(method, boxes, count, cellSize, out, new Pace()))
  const tree = createDynamicTree()
  buildDynamicTree(tree, boxes, count)
  return treePairs(tree, out)
}

/**
 * Adds the pairs that meet, in no particular order, with pauses, in which boxes and list must stay as they are; false when the list
 * was full, or its budget spent, before the end.
 */
export function* boxPairsInSlices(
  method: BoxesMethod,
  boxes: Float64Array,
  count: number,
  cellSize: number,
  out: PairList,
  pace: Pace,
): Slices<boolean> {
  switch (method) {
    case 'brute-force':
      return yield* allPairsInSlices(boxes, count, out, pace)
    case 'sweep-and-prune':
      return yield* stripPairsInSlices(boxes, count, out, pace)
    case 'spatial-hash': {
      const size = cellSize > 0 ? cellSize : chooseCellSize(boxes, count)
      const hash = createSpatialHash(size, leastFinite(boxes, count, 0), leastFinite(boxes, count, 1))
      yield* fillHashInSlices(hash, boxes, count, pace)
      return yield* hashPairsInSlices(hash, out, pace)
    }
  }
}

/** Of the low sides along an axis; 0 when none is finite. */
function leastFinite(boxes: Float64Array, count: number, axis: number): number {
  let least = Infinity
  for (let i = 0; i < count; i++) {
    const side = boxes[4 * i + axis]
    if (side > -Infinity && side < least) least = side
  }
  return least < Infinity ? least : 0
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

// Brute force: every box against every other. The broad phase for a handful of boxes, and the oracle of all others.
//
// Boxes (here and in all broad phases): min x, min y, max x, max y of box i at boxes[4i…4i+3], min ≤ max. They are closed:
// touching counts. They may be infinite.

/** Adds the pairs that meet, sorted; false when the list was full, or its budget spent, before the end. */
export function allPairs(boxes: Float64Array, count: number, out: PairList): boolean {
  return finishAtOnce(allPairsInSlices(boxes, count, out, new Pace()))
}

/** `allPairs` with pauses, during which boxes and list must stay as they are. */
function* allPairsInSlices(boxes: Float64Array, count: number, out: PairList, pace: Pace): Slices<boolean> {
  for (let i = 0; i < count; i++) {
    out.boxTests += count - 1 - i
    if (pace.isDue(boxTestSteps(count - 1 - i))) yield
    if (out.boxTests > out.budget || !pairsOf(i, boxes, count, out)) return false
  }
  return true
}

/** Adds the pairs of a box and those after it; false when the list was full before the end. */
function pairsOf(i: number, boxes: Float64Array, count: number, out: PairList): boolean {
  const minX = boxes[4 * i]
  const minY = boxes[4 * i + 1]
  const maxX = boxes[4 * i + 2]
  const maxY = boxes[4 * i + 3]
  for (let j = i + 1; j < count; j++) {
    const at = 4 * j
    if (minX <= boxes[at + 2] && boxes[at] <= maxX && minY <= boxes[at + 3] && boxes[at + 1] <= maxY) {
      if (!addPair(out, i, j)) return false
    }
  }
  return true
}
