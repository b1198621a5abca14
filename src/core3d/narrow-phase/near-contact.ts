/**
 * The gap of a pair that is within rounding of touching, with its direction: positive when apart, negative when the cores overlap.
 *
 * Method: near a contact the way between nearest points is too short to have a direction. So the second body is moved away along a
 * direction that is about right, and the nearest points of the pair so parted give a better one: the proximal point method
 * (R. Rockafellar, "Monotone operators and the proximal point algorithm", SIAM Journal on Control and Optimization 14 (1976)). The
 * plane across any direction bounds the gap from below, so a step is taken only where it raises that bound. A step that ends within a
 * face of the difference, and would do so from the face's own direction, is the last; edges and corners take two, curved surfaces a few.
 * Frame: that of `gjk.ts`. Cost: that of GJK a step.
 */

import { vectorLength3d } from '../../numeric/safe-range.ts'
import { POINTS, REACH } from '../shape/body.ts'
import {
  CONTACT_ERROR_RATIO,
  DUALITY_GAP_RATIO,
  NEAR_STEP_COUNT,
  SAME_DIRECTION_RATIO,
  SHORTENING_REACH_RATIO,
  WITHIN_FACE_RATIO,
} from '../tolerances.ts'
import { type Bounds, boundDistance, boundDistanceAgain, createBounds, type Simplex } from './gjk.ts'
import { createPairFrame, type PairFrame } from './pair-frame.ts'
import { boundCurved, type NearContact, settleNear } from './smooth-contact.ts'

export function createNearContact(): NearContact {
  return { gap: 0, nx: 0, ny: 0, nz: 0, a: new Float64Array(3), b: new Float64Array(3) }
}

const parted = createBounds()

/** The pair with its second body moved away. */
const moved = createPairFrame()

/**
 * Finds the contact from a direction near its own, a unit vector from the first to the second. The pair is without half-spaces.
 * `start`: of core points, the simplex of a pose of the same two bodies near this one.
 */
export function findNearContact(
  frame: PairFrame,
  nx: number,
  ny: number,
  nz: number,
  out: NearContact,
  start: Simplex | null = null,
): void {
  const { first, second, extent, dx, dy, dz } = frame
  out.gap = -Infinity
  if (first.numbers[REACH] + second.numbers[REACH] === 0) {
    // Two points, which have no direction where they meet but that along which they came.
    setPoints(frame, nx, ny, nz, out)
    return
  }
  const isCurved = first.kind !== POINTS || second.kind !== POINTS
  const open = isCurved ? settleNear(frame, nx, ny, nz, out) : Infinity
  if (open <= CONTACT_ERROR_RATIO * extent) return
  const isSettled = open < Infinity
  const way = SHORTENING_REACH_RATIO * extent
  moved.first = first
  moved.second = second
  moved.extent = extent
  moved.error = frame.error
  if (start !== null && !isCurved) takeCorners(start, parted.simplex)
  let mx = isSettled ? out.nx : nx
  let my = isSettled ? out.ny : ny
  let mz = isSettled ? out.nz : nz
  let stalled = 0
  let least = Infinity
  for (let step = 0; step < NEAR_STEP_COUNT && stalled < 2; step++) {
    moved.dx = dx + way * mx
    moved.dy = dy + way * my
    moved.dz = dz + way * mz
    if (isCurved) boundCurved(moved, parted)
    else if (start !== null || step > 0) boundDistanceAgain(moved, parted)
    else boundDistance(moved, parted)
    // The gap along the new direction, with the share of the move taken away.
    const gap = parted.lower + way * (parted.nx * mx + parted.ny * my + parted.nz * mz)
    const turn = vectorLength3d(mx + parted.nx, my + parted.ny, mz + parted.nz)
    mx = -parted.nx
    my = -parted.ny
    mz = -parted.nz
    const isClear = gap - out.gap > DUALITY_GAP_RATIO * extent
    // Rounding may take one step back on the way.
    stalled = isClear ? 0 : stalled + 1
    // Points come together as directions do, which the gap, at its greatest, hardly tells.
    if (isClear || (turn < least && !isSettled)) {
      least = turn
      putNearest(parted, parted.simplex.a, out.a)
      putNearest(parted, parted.simplex.b, out.b)
    }
    if (isClear || (gap > out.gap && !isSettled)) {
      out.gap = gap
      out.nx = mx
      out.ny = my
      out.nz = mz
    }
    // The gap is off by no more than the square of that.
    if (turn <= SAME_DIRECTION_RATIO) return
    if (isClear && staysOnFace(parted, moved.dx - dx - way * mx, moved.dy - dy - way * my, moved.dz - dz - way * mz)) {
      putNearest(parted, parted.simplex.a, out.a)
      putNearest(parted, parted.simplex.b, out.b)
      return
    }
  }
}

/** Whether the nearest point of the difference lies well within a face, and still does when the difference is moved by a vector: sets its weights then. */
function staysOnFace({ nx, ny, nz, simplex }: Bounds, x: number, y: number, z: number): boolean {
  const { count, holds, w, weights } = simplex
  if (count !== 3 || holds !== 0) return false
  const ax = w[0] + x
  const ay = w[1] + y
  const az = w[2] + z
  const bx = w[3] + x
  const by = w[4] + y
  const bz = w[5] + z
  const cx = w[6] + x
  const cy = w[7] + y
  const cz = w[8] + z
  // Of the triangles with the foot of the origin.
  const p = nx * (by * cz - bz * cy) + ny * (bz * cx - bx * cz) + nz * (bx * cy - by * cx)
  const q = nx * (cy * az - cz * ay) + ny * (cz * ax - cx * az) + nz * (cx * ay - cy * ax)
  const r = nx * (ay * bz - az * by) + ny * (az * bx - ax * bz) + nz * (ax * by - ay * bx)
  const sum = p + q + r
  const least = WITHIN_FACE_RATIO * Math.abs(sum)
  const side = sum < 0 ? -1 : 1
  if (!(side * p > least && side * q > least && side * r > least)) return false
  weights[0] = p / sum
  weights[1] = q / sum
  weights[2] = r / sum
  return true
}

function takeCorners({ count, indexA, indexB }: Simplex, out: Simplex): void {
  out.count = count
  for (let i = 0; i < count; i++) {
    out.indexA[i] = indexA[i]
    out.indexB[i] = indexB[i]
  }
}

function setPoints({ dx, dy, dz }: PairFrame, nx: number, ny: number, nz: number, out: NearContact): void {
  out.gap = dx * nx + dy * ny + dz * nz
  out.nx = nx
  out.ny = ny
  out.nz = nz
  out.a.fill(0)
  out.b.fill(0)
}

function putNearest({ simplex: { count, weights } }: Bounds, points: Float64Array, out: Float64Array): void {
  out.fill(0)
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) out[k] += weights[i] * points[3 * i + k]
}
