/**
 * How a pair of which at least one body turns stands to each other at a time.
 *
 * Method: bounds of the distance, and where they leave it open the depth. What is within some errors of a height counts as touching.
 * Frame: world axes.
 */

import { createDepth, measureDepth, measureHalfspaceDepth } from '../narrow-phase/depth.ts'
import { HALFSPACE, RADIUS } from '../shape/body.ts'
import { TOUCHING_COUNT } from '../tolerances.ts'
import { type AdvancingPair, look } from './advancing-pair.ts'

const depth = createDepth()

/** −1 sunk in, 0 touching within rounding, 1 apart, at a time. Sets the depth of what is sunk in. */
export function relationAt(state: AdvancingPair, time: number): -1 | 0 | 1 {
  look(state, time)
  const { now, gap, bounds } = state
  const margin = TOUCHING_COUNT * now.error
  if (gap > margin) return 1
  if (now.second.kind === HALFSPACE) measureHalfspaceDepth(now, depth)
  else {
    const skins = now.first.numbers[RADIUS] + now.second.numbers[RADIUS]
    if (bounds.upper - skins > margin) return 1
    // As dear as the look itself, or more.
    state.looks += state.weight
    measureDepth(now, bounds, depth)
  }
  state.depth = depth.depth
  return depth.depth > margin ? -1 : 0
}
