/**
 * How a pair of which at least one body turns stands to each other at a time.
 *
 * Method: bounds of the distance, and where they leave it open the depth. What is within some errors of a height counts as touching.
 * Frame: world axes.
 */

import { createDepth, leastDepth, measureDepth, measureHalfspaceDepth } from '../narrow-phase/depth.ts'
import { HALFSPACE, POINTS } from '../shape/body.ts'
import { OPEN_GAP_RATIO, SHALLOW_DEPTH_RATIO, TOUCHING_COUNT } from '../tolerances.ts'
import { type AdvancingPair, look, lookClosely } from './advancing-pair.ts'

const depth = createDepth()

/** A depth that the pair surely has at a time; 0 or less where it touches, or is apart. */
export function depthAt(state: AdvancingPair, time: number): number {
  look(state, time)
  const { now, bounds, gap } = state
  if (gap > 0) return -gap
  // What GJK does not find deep seldom is.
  if (now.second.kind !== HALFSPACE && (bounds.simplex.holds === 2 || bounds.upper > OPEN_GAP_RATIO * now.extent)) {
    state.looks++
    const least = leastDepth(now, bounds)
    if (least > SHALLOW_DEPTH_RATIO * now.extent) return least
  }
  return relate(state) < 0 ? state.depth : 0
}

/** −1 sunk in, 0 touching within rounding, 1 apart, at a time. Sets the depth of what is not apart. */
export function relationAt(state: AdvancingPair, time: number): -1 | 0 | 1 {
  look(state, time)
  return relate(state)
}

/** The same at the time last looked at. */
function relate(state: AdvancingPair): -1 | 0 | 1 {
  const { now, bounds } = state
  const margin = TOUCHING_COUNT * now.error
  if (state.gap > margin) return 1
  if (now.second.kind === HALFSPACE) {
    measureHalfspaceDepth(now, depth)
    state.depth = depth.depth
    return depth.depth > margin ? -1 : 0
  }
  // As dear as the look itself, or more.
  state.looks += state.weight
  measureDepth(now, bounds, depth)
  state.depth = depth.depth
  if (depth.depth > SHALLOW_DEPTH_RATIO * now.extent) return -1
  const isCored = now.first.kind === POINTS && now.second.kind === POINTS
  if (isCored && depth.depth > margin) return -1
  // Of what nearly touches, either may be off by more than that: by a direction, or, of curved bodies, by slivers.
  lookClosely(state, depth.nx, depth.ny, depth.nz)
  if (state.gap > margin) return 1
  state.depth = Math.min(depth.depth, Math.max(-state.gap, 0))
  return state.depth > margin ? -1 : 0
}
