/**
 * Separating-axis search over the edges of two polygon cores.
 *
 * Method: for convex sets it is enough to try the edge normals (S. Gottschalk, M. Lin, D. Manocha, "OBBTree", SIGGRAPH
 * 1996; in the plane C. Ericson, "Real-Time Collision Detection", 5.2.1). The edge of largest signed distance is the
 * face of least penetration, or the best separating face. Front-side test: the edge that faces the other core's centre
 * most is searched first; any other is searched only if a known low vertex of the other core lies farther in front of it
 * than the best distance found. That bound holds for overlap and for penetration alike.
 * Frame: world axes, origin at A's anchor, B's anchor at (dx, dy).
 */

import { spend } from '../../containers/budget.ts'
import { isSafeExtent } from '../../numeric/safe-range.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  CENTER_X,
  CENTER_Y,
  LOCAL,
  POLYGON,
  RADIUS,
  REACH,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import type { Frame } from '../shape/position.ts'
import { CLIMB_COUNT, SEPARATION_ERROR_RATIO } from '../tolerances.ts'

export interface Face {
  /** Signed distance of the other core from the edge's line. */
  distance: number
  /** Edge of the searched body. */
  edge: number
  /** Nearest (or deepest) vertex of the other body. */
  vertex: number
  /** No other face lies farther out than this, as far as rounding tells. */
  rival: number
}

export function createFace(): Face {
  return { distance: 0, edge: 0, vertex: 0, rival: 0 }
}

/**
 * Whether two bodies are polygons of few corners, and the edges by which they face one another tell that they are farther apart than
 * `limit`. They tell it of nearly all polygons that are, at a fraction of the cost of a search. Frame: world. No allocation.
 */
export function areClearlyFar(a: Body, b: Body, limit: number): boolean {
  if (a.kind !== POLYGON || b.kind !== POLYGON || a.count + b.count > CLIMB_COUNT) return false
  const { numbers: numbersA } = a
  const { numbers: numbersB } = b
  const positionX = numbersB[X] - numbersA[X]
  const positionY = numbersB[Y] - numbersA[Y]
  const anchorX = numbersB[ANCHOR_X] - numbersA[ANCHOR_X]
  const anchorY = numbersB[ANCHOR_Y] - numbersA[ANCHOR_Y]
  const lowX = numbersB[X_LOW] - numbersA[X_LOW]
  const lowY = numbersB[Y_LOW] - numbersA[Y_LOW]
  const dx = positionX + anchorX + lowX
  const dy = positionY + anchorY + lowY
  // What the offsets are sums of, because it may cancel.
  const terms = Math.abs(positionX) + Math.abs(positionY) + Math.abs(anchorX) + Math.abs(anchorY)
  const extent = terms + Math.abs(lowX) + Math.abs(lowY) + numbersA[REACH] + numbersB[REACH]
  if (!isSafeExtent(extent)) return false
  // Twice the margin of the search, so that this is never told of a pair of which the search would not tell it.
  const far = limit + (numbersA[RADIUS] + numbersB[RADIUS]) + 4 * SEPARATION_ERROR_RATIO * extent
  return isBeyondFacingEdge(a, b, dx, dy, far) || isBeyondFacingEdge(b, a, -dx, -dy, far)
}

/** The edge of `a` over which the centre of `b`, which is at (dx, dy) from `a`, is highest. */
function facingEdge({ count, normals, offsets, numbers }: Body, b: Body, dx: number, dy: number): number {
  const centerX = dx + b.numbers[CENTER_X]
  const centerY = dy + b.numbers[CENTER_Y]
  let facing = 0
  let highest = -Infinity
  for (let i = 0; i < count; i++) {
    const height = numbers[normals + 2 * i] * centerX + numbers[normals + 2 * i + 1] * centerY - numbers[offsets + i]
    if (height > highest) {
      highest = height
      facing = i
    }
  }
  return facing
}

/** Whether `b`, at (dx, dy) from `a`, lies farther than `limit` in front of the edge of `a` that faces its centre most. */
function isBeyondFacingEdge(a: Body, b: Body, dx: number, dy: number, limit: number): boolean {
  const { normals, offsets, numbers } = a
  const { count: countB, numbers: numbersB } = b
  const facing = facingEdge(a, b, dx, dy)
  const nx = numbers[normals + 2 * facing]
  const ny = numbers[normals + 2 * facing + 1]
  const least = limit + numbers[offsets + facing] - (nx * dx + ny * dy)
  for (let i = 0; i < countB; i++) {
    if (!(nx * numbersB[LOCAL + 2 * i] + ny * numbersB[LOCAL + 2 * i + 1] > least)) return false
  }
  return true
}

/** Best face of `a` against `b`. Cost O(edges + vertices) as a rule, O(edges · vertices) at worst. */
export function largestFaceDistance(a: Body, b: Body, frame: Frame, out: Face): void {
  const { dx, dy } = frame
  const { normals, offsets, numbers } = a
  const first = facingEdge(a, b, dx, dy)
  const nx = numbers[normals + 2 * first]
  const ny = numbers[normals + 2 * first + 1]
  const vertex = lowestVertex(b, numbers, normals + 2 * first, 1, 0)
  out.edge = first
  out.vertex = vertex
  out.distance =
    nx * (dx + b.numbers[LOCAL + 2 * vertex]) + ny * (dy + b.numbers[LOCAL + 2 * vertex + 1]) - numbers[offsets + first]
  out.rival = -Infinity
  raiseFaceDistance(a, b, frame, 1, first, vertex, out)
}

/**
 * Replaces `out` by a face of `a` whose distance from `b` is greater, if there is one; returns whether there was.
 * `side`: 1 when `a` is the frame's A, −1 when it is its B. `known`: its edge that is `out` already, −1 if none. `vertex`: a vertex of `b`, the nearer to `a` the better: a
 * face reaches no farther than any one vertex of `b` lies over it, so most are ruled out by that vertex alone.
 */
export function raiseFaceDistance(
  a: Body,
  b: Body,
  frame: Frame,
  side: number,
  known: number,
  vertex: number,
  out: Face,
): boolean {
  const dx = side * frame.dx
  const dy = side * frame.dy
  const { count, normals, offsets, numbers } = a
  const { numbers: numbersB } = b
  let probe = vertex
  let x = dx + numbersB[LOCAL + 2 * probe]
  let y = dy + numbersB[LOCAL + 2 * probe + 1]
  let best = out.distance
  let rival = out.rival
  let raised = false
  for (let i = 0; i < count; i++) {
    const nx = numbers[normals + 2 * i]
    const ny = numbers[normals + 2 * i + 1]
    const offset = numbers[offsets + i]
    const most = nx * x + ny * y - offset
    if (most <= best) {
      if (most > rival && i !== known) rival = most
      continue
    }
    probe = lowestVertex(b, numbers, normals + 2 * i, 1, probe)
    x = dx + numbersB[LOCAL + 2 * probe]
    y = dy + numbersB[LOCAL + 2 * probe + 1]
    const distance = nx * x + ny * y - offset
    if (distance <= best) {
      if (distance > rival && i !== known) rival = distance
      continue
    }
    rival = best
    best = distance
    raised = true
    out.distance = distance
    out.edge = i
    out.vertex = probe
  }
  out.rival = rival
  return raised
}

/**
 * Core point lowest along ±(directions[at], directions[at + 1]): downhill from `start` where a polygon has few
 * vertices, else the first of all. `sign`: 1 or −1. The direction comes in an array so that it is not boxed.
 */
export function lowestVertex(
  body: Body,
  directions: readonly number[],
  at: number,
  sign: number,
  start: number,
): number {
  const { count, numbers } = body
  const nx = sign * directions[at]
  const ny = sign * directions[at + 1]
  if (count > CLIMB_COUNT) {
    spend(count >> 3)
    return supportVertex(body, -nx, -ny)
  }
  let vertex = start
  let height = nx * numbers[LOCAL + 2 * vertex] + ny * numbers[LOCAL + 2 * vertex + 1]
  for (let step = 1; step >= -1; step -= 2) {
    for (;;) {
      let next = vertex + step
      if (next === count) next = 0
      else if (next < 0) next = count - 1
      const nextHeight = nx * numbers[LOCAL + 2 * next] + ny * numbers[LOCAL + 2 * next + 1]
      if (!(nextHeight < height)) break
      vertex = next
      height = nextHeight
    }
    if (vertex !== start) break
  }
  return vertex
}

/** Core point of `body` farthest along (x, y); the first of equals. Cost O(vertices). */
export function supportVertex(body: Body, x: number, y: number): number {
  const { count, numbers } = body
  let best = 0
  let highest = x * numbers[LOCAL] + y * numbers[LOCAL + 1]
  for (let i = 1; i < count; i++) {
    const height = x * numbers[LOCAL + 2 * i] + y * numbers[LOCAL + 2 * i + 1]
    if (height > highest) {
      highest = height
      best = i
    }
  }
  return best
}
