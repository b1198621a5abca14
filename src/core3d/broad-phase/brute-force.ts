/**
 * Brute force: every box against every other. The broad phase for a handful of boxes, and the oracle of all others.
 *
 * Boxes (here and in all broad phases): min x, min y, min z, max x, max y, max z of box i at boxes[6i…6i+5], min ≤ max. They are
 * closed: touching counts. They may be infinite.
 */

import { spend } from '../../containers/budget.ts'
import { addPair, boxTestSteps, type PairList } from '../../containers/pair-list.ts'

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
