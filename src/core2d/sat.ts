/**
 * Separating-axis search over the edges of two polygon cores.
 *
 * Method: for convex sets it is enough to try the edge normals (S. Gottschalk, M. Lin, D. Manocha, "OBBTree", SIGGRAPH
 * 1996; in the plane C. Ericson, "Real-Time Collision Detection", 5.2.1). The edge of largest signed distance is the
 * face of least penetration, or the best separating face. Front-side test: an edge is looked at only if the other core's
 * centre lies so far in front of it that, less the inscribed circle about that centre, it can beat the best one found;
 * the most promising edge is searched first. That bound is exact for overlap and for penetration alike.
 * Frame: world axes, origin at A's anchor, B's anchor at (dx, dy).
 */
import type { Body } from './body.ts'

export interface Face {
  /** Signed distance of the other core from the edge's line. */
  distance: number
  /** Edge of the searched body; −1 when none beat the given bound. */
  edge: number
  /** Nearest (or deepest) vertex of the other body. */
  vertex: number
}

export function createFace(): Face {
  return { distance: 0, edge: -1, vertex: 0 }
}

/** Centre heights over the edges of one search; module scratch. */
let heights = new Float64Array(64)

/** Best face of `a` against `b` among those whose distance exceeds `atLeast`. Cost O(edges + candidates · vertices). */
export function largestFaceDistance(a: Body, b: Body, dx: number, dy: number, atLeast: number, out: Face): void {
  const { count, normals, offsets } = a
  if (heights.length < count) heights = new Float64Array(2 * count)
  const centerX = dx + b.centerX
  const centerY = dy + b.centerY
  let first = 0
  let highest = -Infinity
  for (let i = 0; i < count; i++) {
    const height = normals[2 * i] * centerX + normals[2 * i + 1] * centerY - offsets[i]
    heights[i] = height
    if (height > highest) {
      highest = height
      first = i
    }
  }
  const { inradius } = b
  out.edge = -1
  out.distance = atLeast
  if (highest - inradius <= atLeast) return
  tryEdge(a, b, dx, dy, first, out)
  for (let i = 0; i < count; i++) {
    if (heights[i] - inradius > out.distance && i !== first) tryEdge(a, b, dx, dy, i, out)
  }
}

function tryEdge(a: Body, b: Body, dx: number, dy: number, edge: number, out: Face): void {
  const nx = a.normals[2 * edge]
  const ny = a.normals[2 * edge + 1]
  const vertex = supportVertex(b, -nx, -ny)
  const distance = nx * (dx + b.local[2 * vertex]) + ny * (dy + b.local[2 * vertex + 1]) - a.offsets[edge]
  if (distance > out.distance) {
    out.distance = distance
    out.edge = edge
    out.vertex = vertex
  }
}

/** Core point of `body` farthest along (x, y); the first of equals. Cost O(vertices). */
export function supportVertex(body: Body, x: number, y: number): number {
  const { local, count } = body
  let best = 0
  let highest = x * local[0] + y * local[1]
  for (let i = 1; i < count; i++) {
    const height = x * local[2 * i] + y * local[2 * i + 1]
    if (height > highest) {
      highest = height
      best = i
    }
  }
  return best
}
