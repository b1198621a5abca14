/**
 * Brute force: every box against every other. The broad phase for a handful of boxes, and the oracle of all others.
 *
 * Boxes (here and in all broad phases): min x, min y, max x, max y of box i at boxes[4i…4i+3], min ≤ max. They are closed:
 * touching counts. They may be infinite.
 */
import { finishAtOnce, Pace, type Slices } from '../../containers/pace.ts'
import { addPair, boxTestSteps, type PairList } from '../../containers/pair-list.ts'

/** Adds the pairs that meet, sorted; false when the list was full, or its budget spent, before the end. */
export function allPairs(boxes: Float64Array, count: number, out: PairList): boolean {
  return finishAtOnce(allPairsInSlices(boxes, count, out, new Pace()))
}

/** The same with pauses, in which boxes and list must stay as they are. */
export function* allPairsInSlices(boxes: Float64Array, count: number, out: PairList, pace: Pace): Slices<boolean> {
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
