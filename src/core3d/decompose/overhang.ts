/**
 * How far a convex body sticks out of a solid that it covers a part of.
 *
 * Method: from points about the body where it may stick out most the search goes uphill: straight away from the surface, and back onto the
 * body. Then branch and bound over boxes finds other summits. Of each box the point of the body that is nearest to its middle is looked at:
 * no point of the box is farther from the solid than that point and its own distance from it, nor farther than from the point of the
 * surface that is nearest there. The box that may hold the farthest point is halved along its longest side, until it could be farther only
 * by little.
 * Frame: that of the bodies. Cost: at most some 2,000 points, each with its distances from both bodies; of a mesh that has slivers beside its size,
 * a hundred.
 */

import { spend } from '../../containers/budget.ts'
import {
  addToQueue,
  clearQueue,
  createPriorityQueue,
  leastKey,
  takeFromQueue,
} from '../../containers/priority-queue.ts'
import { createProbe, setProbeAt } from '../queries/containment.ts'
import { createDistance, distance } from '../queries/distance.ts'
import type { Body, Vector } from '../shape/body.ts'
import { type Solid, sideOfSolid } from './part-hull.ts'

/** How much is looked at. */
interface Effort {
  /** Points about the body that the search may start from. */
  seeds: number
  /** Of them those that it goes uphill from. */
  climbs: number
  /** Boxes. */
  looks: number
}

const USUAL: Effort = { seeds: 128, climbs: 32, looks: 1024 }
/** Beside slivers, where a look takes some hundred times as long. */
const SLIGHT: Effort = { seeds: 16, climbs: 2, looks: 32 }
/** Steps uphill; the first is this part of the distance there, and one that does not lead higher is halved. */
const MOST_STEPS = 24
const STEP_SHARE = 1 / 4
/** The search ends when a box may be farther only by this part of the distance that was found, or of the body's diagonal. */
const DISTANCE_SHARE = 1 / 64
const SIZE_SHARE = 1 / 1024

const queue = createPriorityQueue()
const probe = createProbe()
const gap = createDistance()

/** A point of the body. */
interface Look {
  point: Vector
  /** From the solid, negative inside. */
  distance: number
  /** The point of the surface that is nearest to it. */
  nearest: Vector
}

/** At the point of the body that is nearest to the given one; `offset`: how far that is. */
function lookAt(point: Vector, body: Body, solid: Solid): Look & { offset: number } {
  spend(1)
  setProbeAt(probe, ...point)
  distance(probe, body, gap)
  const offset = gap.distance
  const own: Vector = offset > 0 ? [gap.bx, gap.by, gap.bz] : point
  setProbeAt(probe, ...own)
  distance(probe, solid.surface, gap)
  const isInside = sideOfSolid(solid, ...own) > 0
  return { point: own, distance: isInside ? -gap.distance : gap.distance, nearest: [gap.bx, gap.by, gap.bz], offset }
}

/** The highest look that steps uphill from a point outside of the solid come to. */
function climb(from: Look, body: Body, solid: Solid): Look {
  let best = from
  let step = STEP_SHARE * from.distance
  for (let steps = 0; steps < MOST_STEPS && best.distance > 0; steps++) {
    const { point, nearest } = best
    const height = Math.hypot(point[0] - nearest[0], point[1] - nearest[1], point[2] - nearest[2])
    // What sticks out by a rounding or less has no way up.
    if (height === 0) return best
    const share = step / height
    const along = (k: 0 | 1 | 2): number => point[k] + share * (point[k] - nearest[k])
    const next = lookAt([along(0), along(1), along(2)], body, solid)
    if (next.distance > best.distance) best = next
    else step /= 2
  }
  return best
}

/** The greatest distance from the solid that was found in the body. `box`: least x, y, z, greatest x, y, z of it. `likely`: points about the body that may be such. */
export function overhang(body: Body, box: readonly number[], likely: readonly Vector[], solid: Solid): number {
  const effort = solid.hasSlivers ? SLIGHT : USUAL
  const seeds: Look[] = likely.slice(0, effort.seeds).map((point) => lookAt(point, body, solid))
  seeds.sort((a, b) => b.distance - a.distance)
  const climbed = seeds.slice(0, effort.climbs).map((seed) => climb(seed, body, solid).distance)
  let found = Math.max(0, ...climbed)
  const boxes: number[] = [...box]
  const look = (at: number): void => {
    const half = (k: number): number => (boxes[at + 3 + k] - boxes[at + k]) / 2
    const middle: Vector = [boxes[at] + half(0), boxes[at + 1] + half(1), boxes[at + 2] + half(2)]
    const seen = lookAt(middle, body, solid)
    if (seen.offset > farthest(boxes, at, middle)) return
    const bound = Math.min(seen.distance + farthest(boxes, at, seen.point), farthest(boxes, at, seen.nearest))
    if (seen.distance > found) found = climb(seen, body, solid).distance
    if (bound > found) addToQueue(queue, -bound, at)
  }
  clearQueue(queue)
  const slack = SIZE_SHARE * farthest(boxes, 0, [boxes[0], boxes[1], boxes[2]])
  look(0)
  for (let looks = 0; looks < effort.looks && -leastKey(queue) > found * (1 + DISTANCE_SHARE) + slack; looks += 2) {
    const at = takeFromQueue(queue)
    const sides = [0, 1, 2].map((k) => boxes[at + 3 + k] - boxes[at + k])
    const axis = sides.indexOf(Math.max(...sides))
    const middle = boxes[at + axis] + sides[axis] / 2
    for (const end of [axis + 3, axis]) {
      boxes.push(...boxes.slice(at, at + 6))
      boxes[boxes.length - 6 + end] = middle
      look(boxes.length - 6)
    }
  }
  return found
}

/** How far the farthest point of a box is from a point. */
function farthest(boxes: readonly number[], at: number, point: Vector): number {
  const along = (k: 0 | 1 | 2): number =>
    Math.max(Math.abs(boxes[at + k] - point[k]), Math.abs(boxes[at + 3 + k] - point[k]))
  return Math.hypot(along(0), along(1), along(2))
}
