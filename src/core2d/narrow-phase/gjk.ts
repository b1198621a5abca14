/**
 * GJK: distance and nearest points of two disjoint cores, through their support mappings.
 *
 * Method: E. Gilbert, D. Johnson, S. Keerthi, IEEE J. Robotics and Automation 4 (1988); the plane needs simplices of at
 * most two points once the origin is known to lie outside. Every step must shorten the distance in floating point, so
 * it cannot cycle; the answer is accepted only with its own proof, the support plane of the last step. Failing that
 * (rounding near the limit, or too many steps), an exhaustive search over vertex–edge pairs takes over.
 * Frame: world axes, origin at A's anchor, B's anchor at (dx, dy).
 */

import { spend } from '../../containers/budget.ts'
import { type Body, following, LOCAL, REACH } from '../shape/body.ts'
import type { Frame } from '../shape/position.ts'
import { GJK_ITERATION_COUNT, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { lowestVertex } from './sat.ts'

export interface NearestPair {
  distance: number
  /** The vector between the nearest points, from A to B, to full precision. */
  x: number
  y: number
  /** Nearest core points. */
  ax: number
  ay: number
  bx: number
  by: number
  /** The vertices they lie between; equal when the nearest point is a vertex. */
  a0: number
  a1: number
  b0: number
  b1: number
}

export function createNearestPair(): NearestPair {
  return { distance: 0, x: 0, y: 0, ax: 0, ay: 0, bx: 0, by: 0, a0: 0, a1: 0, b0: 0, b1: 0 }
}

/** Direction of the current search; module scratch. */
const toward = [0.5, 0.5]

/** `startA`, `startB`: vertices to start from. The cores must be disjoint. */
export function nearestPair(a: Body, b: Body, frame: Frame, startA: number, startB: number, out: NearestPair): void {
  const { dx, dy } = frame
  const A = a.numbers
  const B = b.numbers
  // Simplex: w0 (and w1 when two), t the place of the nearest point between them.
  let a0 = startA
  let b0 = startB
  let a1 = startA
  let b1 = startB
  let two = false
  let t = 0
  let w0x = dx + B[LOCAL + 2 * b0] - A[LOCAL + 2 * a0]
  let w0y = dy + B[LOCAL + 2 * b0 + 1] - A[LOCAL + 2 * a0 + 1]
  let w1x = 0
  let w1y = 0
  let vx = w0x
  let vy = w0y
  let square = vx * vx + vy * vy
  let proven = false
  for (let iteration = 0; iteration < GJK_ITERATION_COUNT; iteration++) {
    toward[0] = vx
    toward[1] = vy
    const a2 = lowestVertex(a, toward, 0, -1, a0)
    const b2 = lowestVertex(b, toward, 0, 1, b0)
    const w2x = dx + B[LOCAL + 2 * b2] - A[LOCAL + 2 * a2]
    const w2y = dy + B[LOCAL + 2 * b2 + 1] - A[LOCAL + 2 * a2 + 1]
    // |v|² − v·w bounds how much nearer the origin's nearest point can be.
    const length = Math.sqrt(square)
    const gap = square - (vx * w2x + vy * w2y)
    proven = gap <= SEPARATION_ERROR_RATIO * (a.numbers[REACH] + b.numbers[REACH] + length) * length
    if ((a2 === a0 && b2 === b0) || (two && a2 === a1 && b2 === b1)) break
    // Nearest of the segments from the new point to the simplex points.
    const t0 = nearestParameter(w0x, w0y, w2x, w2y)
    let nextX = w0x + t0 * (w2x - w0x)
    let nextY = w0y + t0 * (w2y - w0y)
    let nextSquare = nextX * nextX + nextY * nextY
    let keepFirst = true
    let nextT = t0
    if (two) {
      const t1 = nearestParameter(w1x, w1y, w2x, w2y)
      const x = w1x + t1 * (w2x - w1x)
      const y = w1y + t1 * (w2y - w1y)
      const candidate = x * x + y * y
      if (candidate < nextSquare) {
        keepFirst = false
        nextX = x
        nextY = y
        nextSquare = candidate
        nextT = t1
      }
    }
    if (!(nextSquare < square)) break
    if (!keepFirst) {
      w0x = w1x
      w0y = w1y
      a0 = a1
      b0 = b1
    }
    if (nextT === 1) {
      w0x = w2x
      w0y = w2y
      a0 = a2
      b0 = b2
      two = false
    } else {
      w1x = w2x
      w1y = w2y
      a1 = a2
      b1 = b2
      two = true
    }
    t = nextT
    vx = nextX
    vy = nextY
    square = nextSquare
    proven = false
  }
  if (!proven) {
    exhaustiveNearestPair(a, b, frame, out)
    return
  }
  if (!two) {
    a1 = a0
    b1 = b0
    t = 0
  }
  out.a0 = a0
  out.a1 = a1
  out.b0 = b0
  out.b1 = b1
  out.ax = A[LOCAL + 2 * a0] + t * (A[LOCAL + 2 * a1] - A[LOCAL + 2 * a0])
  out.ay = A[LOCAL + 2 * a0 + 1] + t * (A[LOCAL + 2 * a1 + 1] - A[LOCAL + 2 * a0 + 1])
  out.bx = dx + B[LOCAL + 2 * b0] + t * (B[LOCAL + 2 * b1] - B[LOCAL + 2 * b0])
  out.by = dy + B[LOCAL + 2 * b0 + 1] + t * (B[LOCAL + 2 * b1 + 1] - B[LOCAL + 2 * b0 + 1])
  out.x = vx
  out.y = vy
  out.distance = Math.sqrt(square)
}

/** Where on the segment from p to q the origin is nearest: 0 at p, 1 at q. */
function nearestParameter(px: number, py: number, qx: number, qy: number): number {
  const ex = qx - px
  const ey = qy - py
  const along = -(px * ex + py * ey)
  if (!(along > 0)) return 0
  const square = ex * ex + ey * ey
  return along < square ? along / square : 1
}

/** Every vertex of each core against every edge of the other. Cost O(vertices · vertices). */
function exhaustiveNearestPair(a: Body, b: Body, { dx, dy }: Frame, out: NearestPair): void {
  spend(a.count * b.count)
  out.distance = Infinity
  for (let i = 0; i < b.count; i++) {
    tryVertex(a, dx + b.numbers[LOCAL + 2 * i], dy + b.numbers[LOCAL + 2 * i + 1], 0, 0, i, false, out)
  }
  for (let i = 0; i < a.count; i++)
    tryVertex(b, a.numbers[LOCAL + 2 * i], a.numbers[LOCAL + 2 * i + 1], dx, dy, i, true, out)
}

/** Vertex `vertex` at (px, py) against the edges of `owner`, whose anchor stands at (ox, oy). */
function tryVertex(
  owner: Body,
  px: number,
  py: number,
  ox: number,
  oy: number,
  vertex: number,
  ownerIsB: boolean,
  out: NearestPair,
): void {
  const { count, numbers } = owner
  for (let i = 0; i < count; i++) {
    const j = following(owner, i)
    const qx = ox + numbers[LOCAL + 2 * i] - px
    const qy = oy + numbers[LOCAL + 2 * i + 1] - py
    const ex = numbers[LOCAL + 2 * j] - numbers[LOCAL + 2 * i]
    const ey = numbers[LOCAL + 2 * j + 1] - numbers[LOCAL + 2 * i + 1]
    const t = nearestParameter(qx, qy, qx + ex, qy + ey)
    const x = qx + t * ex
    const y = qy + t * ey
    const distance = Math.hypot(x, y)
    if (distance >= out.distance) continue
    const first = t === 1 ? j : i
    const second = t === 0 ? i : j
    out.distance = distance
    out.x = ownerIsB ? x : -x
    out.y = ownerIsB ? y : -y
    out.a0 = ownerIsB ? vertex : first
    out.a1 = ownerIsB ? vertex : second
    out.b0 = ownerIsB ? first : vertex
    out.b1 = ownerIsB ? second : vertex
    out.ax = ownerIsB ? px : px + x
    out.ay = ownerIsB ? py : py + y
    out.bx = ownerIsB ? px + x : px
    out.by = ownerIsB ? py + y : py
  }
}
