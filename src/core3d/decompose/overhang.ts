/**
 * How far a convex body sticks out of a solid that it covers a part of.
 *
 * Method: branch and bound over boxes: no point of a box is farther from the solid than its middle by more than half its diagonal, and
 * boxes farther from the body than that hold nothing of it. The box that may hold the farthest point is halved along its longest side, until
 * it could be farther only by little.
 * Frame: that of the bodies. Cost: at most `MOST_LOOKS` distances.
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
import type { Body } from '../shape/body.ts'

const MOST_LOOKS = 256
/** The search ends when a box may be farther only by this part of the distance that was found, or of the body's diagonal. */
const DISTANCE_SHARE = 1 / 64
const SIZE_SHARE = 1 / 256

const queue = createPriorityQueue()
const probe = createProbe()
const gap = createDistance()

function distanceTo(body: Body, x: number, y: number, z: number): number {
  setProbeAt(probe, x, y, z)
  distance(probe, body, gap)
  return gap.distance
}

/** The greatest distance from the solid that was found in the body. `box`: least x, y, z, greatest x, y, z of it. `likely`: points about the body that may be such. */
export function overhang(body: Body, box: readonly number[], likely: Float64Array, solid: Body): number {
  const boxes: number[] = [...box]
  let found = 0
  const size = diagonal(boxes, 0)
  clearQueue(queue)
  const look = (at: number): void => {
    const [x, y, z] = [0, 1, 2].map((k) => boxes[at + k] + (boxes[at + 3 + k] - boxes[at + k]) / 2)
    const reach = diagonal(boxes, at) / 2
    const outside = distanceTo(body, x, y, z)
    if (outside > reach) return
    const far = distanceTo(solid, x, y, z)
    if (outside === 0 && far > found) found = far
    addToQueue(queue, -(far + reach), at)
  }
  const stride = 3 * Math.max(1, Math.ceil(likely.length / 3 / MOST_LOOKS))
  for (let i = 0; i < likely.length; i += stride) {
    found = Math.max(found, distanceTo(solid, likely[i], likely[i + 1], likely[i + 2]))
  }
  look(0)
  for (
    let looks = 0;
    looks < MOST_LOOKS && -leastKey(queue) > found * (1 + DISTANCE_SHARE) + SIZE_SHARE * size;
    looks += 2
  ) {
    spend(1)
    const at = takeFromQueue(queue)
    const sides = [0, 1, 2].map((k) => boxes[at + 3 + k] - boxes[at + k])
    const axis = sides.indexOf(Math.max(...sides))
    const middle = boxes[at + axis] + sides[axis] / 2
    for (const end of [axis + 3, axis]) {
      const half = boxes.slice(at, at + 6)
      half[end] = middle
      boxes.push(...half)
      look(boxes.length - 6)
    }
  }
  return found
}

function diagonal(boxes: readonly number[], at: number): number {
  return Math.hypot(boxes[at + 3] - boxes[at], boxes[at + 4] - boxes[at + 1], boxes[at + 5] - boxes[at + 2])
}
