/**
 * How deep two bodies that meet lie in each other: the shortest way out.
 *
 * Method: a body that only its skin brings to the other has its way out along the nearest points of the cores; deeper ones along the
 * nearest face of an expanding polytope, which for core points is a face of the difference itself, and for curved bodies lies
 * between two proven bounds (`expanding-polytope.ts`). Half-spaces have but one way.
 * Frame: world. The normal points from the first body to the second.
 */

import { ANCHOR, type Body, HALFSPACE, OFFSET, POINTS, POSITION, RADIUS, UNIT } from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import {
  CURVED_POLYTOPE_GAP_RATIO,
  DUALITY_GAP_RATIO,
  LEAST_DEPTH_SHARE,
  OPEN_GAP_RATIO,
  SHORTENING_COUNT,
  SHORTENING_REACH_RATIO,
} from '../tolerances.ts'
import { createPenetration, penetrate } from './expanding-polytope.ts'
import { type Bounds, createBounds } from './gjk.ts'
import type { PairFrame } from './pair-frame.ts'
import { boundCurved, searchWays, settle, settleWay } from './smooth-contact.ts'

export interface Depth {
  /** Length of the shortest translation that just parts the pair; Infinity where none does. */
  depth: number
  /** Unit vector from the first to the second; 0 0 0 where nothing parts them. */
  nx: number
  ny: number
  nz: number
  /** Point of the first body's surface that lies deepest in the second along it. */
  px: number
  py: number
  pz: number
}

export function createDepth(): Depth {
  return { depth: 0, nx: 0, ny: 0, nz: 0, px: 0, py: 0, pz: 0 }
}

const bounds = createBounds()
const penetration = createPenetration()
const point = new Float64Array(3)

/** Of a half-space, the second, and any body that it meets. */
export function measureHalfspaceDepth(frame: PairFrame, out: Depth): void {
  if (frame.first.kind === HALFSPACE) measureHalfspaces(frame.first, frame.second, out)
  else measureHalfspace(frame, out)
}

/** The pair, without half-spaces, meets; `found`: what GJK has found of it, `isSettled`: of curved cores that are apart as well as can be. */
export function measureDepth(frame: PairFrame, found: Bounds, out: Depth, isSettled = false): void {
  const { first, second, extent } = frame
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  const { upper, simplex } = found
  if (upper > OPEN_GAP_RATIO * extent) {
    // Of points the simplex is the nearest to the last digit; beside what is curved the direction is, once it has settled.
    if (first.kind === POINTS && second.kind === POINTS)
      setWay(out, -simplex.x / upper, -simplex.y / upper, -simplex.z / upper, Math.max(skins - upper, 0))
    else {
      if (!isSettled) settle(frame, found)
      setWay(out, -found.nx, -found.ny, -found.nz, Math.max(skins - found.lower, 0))
    }
    blend(simplex.a, simplex.weights, simplex.count)
  } else {
    penetrate(frame, simplex, penetration)
    if (first.kind !== POINTS || second.kind !== POINTS) {
      const isFound = settleWay(frame, penetration)
      // Only a curved body leaves the polytope short of the shortest way.
      if (penetration.upper - penetration.lower > CURVED_POLYTOPE_GAP_RATIO * extent) {
        if (shorten(frame) || !isFound) settleWay(frame, penetration)
        searchWays(frame, penetration)
      }
    }
    setWay(out, penetration.nx, penetration.ny, penetration.nz, Math.max(skins + penetration.upper, 0))
    point.set(penetration.a)
  }
  setPoint(first, out)
}

/** A depth that the pair, without half-spaces, surely has, no less than about half of its own where that is clear; 0 or less where none is known. */
export function leastDepth(frame: PairFrame, { upper, simplex }: Bounds): number {
  const { first, second, extent } = frame
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  if (upper > OPEN_GAP_RATIO * extent) return skins - upper
  penetrate(frame, simplex, penetration, LEAST_DEPTH_SHARE)
  return skins + Math.min(penetration.lower, penetration.upper)
}

/**
 * Shortens the way in `penetration`: where a shape of revolution has a circle of shortest ways, the polytope ends before it is round.
 * The second body is put beyond the end of the way, and the nearest points of the pair so parted give a way that is no longer: the
 * step of the proximal point method (R. Rockafellar, "Monotone operators and the proximal point algorithm", SIAM Journal on Control
 * and Optimization 14 (1976)). Returns whether it is shorter.
 */
function shorten(frame: PairFrame): boolean {
  const { extent, dx, dy, dz } = frame
  const stop = DUALITY_GAP_RATIO * extent
  let isShorter = false
  for (let step = 0; step < SHORTENING_COUNT; step++) {
    const { upper, nx, ny, nz } = penetration
    const way = upper + SHORTENING_REACH_RATIO * extent
    const parted = { ...frame, dx: dx + way * nx, dy: dy + way * ny, dz: dz + way * nz }
    boundCurved(parted, bounds)
    const gap = bounds.lower
    const cosine = -(bounds.nx * nx + bounds.ny * ny + bounds.nz * nz)
    const shorter = cosine * way - gap
    if (!(shorter < upper)) return isShorter
    isShorter = true
    penetration.upper = shorter
    penetration.nx = -bounds.nx
    penetration.ny = -bounds.ny
    penetration.nz = -bounds.nz
    blend(bounds.simplex.a, bounds.simplex.weights, bounds.simplex.count)
    penetration.a.set(point)
    blend(bounds.simplex.b, bounds.simplex.weights, bounds.simplex.count)
    penetration.b.set(point)
    if (upper - shorter <= stop) return isShorter
  }
  return isShorter
}

function setWay(out: Depth, nx: number, ny: number, nz: number, depth: number): void {
  out.depth = depth
  out.nx = nx
  out.ny = ny
  out.nz = nz
}

/** The nearest point of the simplex in `point`. */
function blend(points: Float64Array, weights: Float64Array, count: number): void {
  point.fill(0)
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) point[k] += weights[i] * points[3 * i + k]
}

/** What lies in `point`, from the anchor, out to the skin and into the world. */
function setPoint({ numbers }: Body, out: Depth): void {
  const radius = numbers[RADIUS]
  out.px = numbers[POSITION] + (numbers[ANCHOR] + point[0] + radius * out.nx)
  out.py = numbers[POSITION + 1] + (numbers[ANCHOR + 1] + point[1] + radius * out.ny)
  out.pz = numbers[POSITION + 2] + (numbers[ANCHOR + 2] + point[2] + radius * out.nz)
}

function measureHalfspace({ first, second, dx, dy, dz }: PairFrame, out: Depth): void {
  const { numbers } = second
  const nx = -numbers[UNIT]
  const ny = -numbers[UNIT + 1]
  const nz = -numbers[UNIT + 2]
  point.fill(0)
  kindOf(first).support(first, nx, ny, nz, point)
  const height = (point[0] - dx) * nx + (point[1] - dy) * ny + (point[2] - dz) * nz
  setWay(out, nx, ny, nz, Math.max(height + numbers[OFFSET] + first.numbers[RADIUS], 0))
  setPoint(first, out)
}

/** Two half-spaces can be parted only where their normals are opposite. */
function measureHalfspaces({ numbers: a }: Body, { numbers: b }: Body, out: Depth): void {
  const isOpposite = [0, 1, 2].every((k) => a[UNIT + k] === -b[UNIT + k])
  if (!isOpposite) {
    setWay(out, 0, 0, 0, Infinity)
    return
  }
  let apart = 0
  for (let k = 0; k < 3; k++) apart += (b[POSITION + k] - a[POSITION + k]) * a[UNIT + k]
  setWay(out, a[UNIT], a[UNIT + 1], a[UNIT + 2], Math.max(a[OFFSET] + b[OFFSET] - apart, 0))
  out.px = a[POSITION] + a[OFFSET] * a[UNIT]
  out.py = a[POSITION + 1] + a[OFFSET] * a[UNIT + 1]
  out.pz = a[POSITION + 2] + a[OFFSET] * a[UNIT + 2]
}
