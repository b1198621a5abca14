/**
 * All pairs of boxes in space that meet, by the method asked for or one that suits the boxes.
 *
 * Method: brute force, sweep and prune, a spatial hash or a tree of boxes, see there. All give the same pairs. Where one of the
 * first three has made more box tests than its budget allows, the tree takes over; where more pairs meet than the list takes,
 * the first ones are found box by box, so that a list cut short is the same for all methods too.
 * The texts of the plane have siblings here, and not one text for both: asked about boxes without a third axis these take up to twice
 * as long as those.
 */

import { addPair, clearPairs, type PairList, sortPairs } from '../../containers/pair-list.ts'
import { type BoxTree, buildBoxTree } from '../bvh/box-tree.ts'
import { leavesAt, treePairs } from '../bvh/box-tree-pairs.ts'
import { allPairs } from './brute-force.ts'
import { chooseCellSize, hashPairs, sampleSides } from './spatial-hash.ts'
import { columnPairs } from './sweep-and-prune.ts'

export type BroadPhaseMethod = 'brute-force' | 'sweep-and-prune' | 'spatial-hash' | 'dynamic-tree'

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
 * when 0. Boxes as in `brute-force.ts`.
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
  const tree = buildBoxTree(boxes, count)
  clearPairs(out)
  // What was spent in vain is over and done with; the tree's own work is bounded by the pairs it finds.
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
  switch (method) {
    case 'brute-force':
      return allPairs(boxes, count, out)
    case 'sweep-and-prune':
      return columnPairs(boxes, count, out)
    case 'spatial-hash':
      return hashPairs(boxes, count, cellSize > 0 ? cellSize : chooseCellSize(boxes, count), out)
    case 'dynamic-tree':
      return treePairs(buildBoxTree(boxes, count), out)
  }
}

/** The method that suits the boxes, and why. */
function pickMethod(boxes: Float64Array, count: number): { method: BroadPhaseMethod; reason: string } {
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
function firstPairs(tree: BoxTree, boxes: Float64Array, count: number, out: PairList): void {
  for (let i = 0; i < count; i++) {
    const found: number[] = []
    out.boxTests += leavesAt(tree, boxes, i, found)
    found.sort((a, b) => a - b)
    for (const j of found) if (j > i && !addPair(out, i, j)) return
  }
}
