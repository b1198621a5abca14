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
import { type Body, CENTER_X, CENTER_Y, LOCAL } from '../shape/body.ts'
import type { Frame } from '../shape/position.ts'
import { CLIMB_COUNT } from '../tolerances.ts'

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

/** Best face of `a` against `b`. Cost O(edges + vertices) as a rule, O(edges · vertices) at worst. */
export function largestFaceDistance(a: Body, b: Body, frame: Frame, out: Face): void {
  const { dx, dy } = frame
  const { count, normals, offsets, numbers } = a
  const centerX = dx + b.numbers[CENTER_X]
  const centerY = dy + b.numbers[CENTER_Y]
  let first = 0
  let highest = -Infinity
  for (let i = 0; i < count; i++) {
    const height = numbers[normals + 2 * i] * centerX + numbers[normals + 2 * i + 1] * centerY - numbers[offsets + i]
    if (height > highest) {
      highest = height
      first = i
    }
  }
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
