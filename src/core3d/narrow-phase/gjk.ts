/**
 * How far apart the cores of two bounded bodies are, between two bounds that are both proven.
 *
 * Method: GJK (E. Gilbert, D. Johnson, S. Keerthi, 1988). The nearest point of the simplex bounds the distance from above; the plane
 * through the support across it bounds it from below (G. van den Bergen, "A fast and robust GJK implementation", Journal of Graphics
 * Tools 4 (1999)). The best of either are kept, so that what rounding does late undoes nothing.
 * Frame: world axes; points of the first body count from its anchor, those of the second from its own.
 * Cost: O(points of both) a step.
 */

import { spend } from '../../containers/budget.ts'
import { DUALITY_GAP_RATIO, GJK_ITERATION_COUNT, STALLED_ITERATION_COUNT } from '../tolerances.ts'
import type { PairFrame } from './pair-frame.ts'
import { createSimplex, reduceSimplex, type Simplex } from './simplex.ts'
import { putDifference } from './support-difference.ts'

export interface Bounds {
  /** No larger than the distance of the cores, but for a height's rounding error; negative where nothing is known. */
  lower: number
  /** No smaller than that, likewise; 0 where the cores meet. */
  upper: number
  /** Unit vector from the second to the first, along which the lower bound holds; 0 0 0 where the cores meet. */
  nx: number
  ny: number
  nz: number
  /** What the upper bound holds for. */
  simplex: Simplex
}

export function createBounds(): Bounds {
  return { lower: 0, upper: 0, nx: 0, ny: 0, nz: 0, simplex: createSimplex() }
}

function putSupport(frame: PairFrame, simplex: Simplex, x: number, y: number, z: number): number {
  return putDifference(frame, x, y, z, simplex, simplex.count)
}

function isRepeated(simplex: Simplex): boolean {
  const { count, indexA, indexB, w } = simplex
  for (let i = 0; i < count; i++) {
    if (indexA[i] >= 0 && indexB[i] >= 0) {
      if (indexA[i] === indexA[count] && indexB[i] === indexB[count]) return true
    } else if (w[3 * i] === w[3 * count] && w[3 * i + 1] === w[3 * count + 1] && w[3 * i + 2] === w[3 * count + 2]) {
      return true
    }
  }
  return false
}

/** Bounds the distance of the cores of a pair without half-spaces, to within `gap` of the extent if rounding lets it. */
export function boundDistance(frame: PairFrame, out: Bounds, gap = DUALITY_GAP_RATIO): void {
  const { dx, dy, dz } = frame
  const work = scratch
  work.count = 0
  out.lower = -Infinity
  out.upper = Infinity
  out.nx = 0
  out.ny = 0
  out.nz = 0
  // Towards the second body, if there is a way.
  putSupport(frame, work, dx === 0 && dy === 0 && dz === 0 ? 1 : dx, dy, dz)
  work.count = 1
  isOpen = search(frame, out, gap * frame.extent)
}

/** Whether the last search could have gone on. */
let isOpen = false

/** Narrows the bounds that `boundDistance` has just found of the same pair as far as rounding lets it. */
export function narrowDistance(frame: PairFrame, out: Bounds): void {
  const stop = DUALITY_GAP_RATIO * frame.extent
  if (!isOpen || out.upper - out.lower <= stop) return
  scratch.count++
  isOpen = search(frame, out, stop)
}

/** Returns whether it ended at bounds so near that a search for nearer ones might go on with one more point. */
function search(frame: PairFrame, out: Bounds, stop: number): boolean {
  const { extent } = frame
  const { simplex } = out
  const work = scratch
  let stalled = 0
  for (let step = 0; step < GJK_ITERATION_COUNT; step++) {
    spend(2 + ((frame.first.count + frame.second.count) >> 2))
    reduceSimplex(work, extent)
    const distance = work.holds > 0 ? 0 : Math.sqrt(work.square)
    const flat = work.x * work.x + work.y * work.y + work.z * work.z
    const length = flat === work.square ? distance : Math.sqrt(flat)
    const isInside = distance === 0 || length === 0
    const x = isInside ? 0 : work.x / length
    const y = isInside ? 0 : work.y / length
    const z = isInside ? 0 : work.z / length
    if (distance < out.upper) {
      out.upper = distance
      copySimplex(work, simplex)
      simplex.x = x * distance
      simplex.y = y * distance
      simplex.z = z * distance
      stalled = 0
    } else if (++stalled > STALLED_ITERATION_COUNT) return false
    if (isInside) return false
    const lower = -putSupport(frame, work, -x, -y, -z)
    if (lower > out.lower) {
      out.lower = lower
      out.nx = x
      out.ny = y
      out.nz = z
    }
    if (isRepeated(work)) return false
    if (out.upper - out.lower <= stop) return true
    work.count++
  }
  return false
}

const scratch = createSimplex()

function copySimplex(from: Simplex, to: Simplex): void {
  const { count } = from
  to.count = count
  for (let i = 0; i < count; i++) {
    to.indexA[i] = from.indexA[i]
    to.indexB[i] = from.indexB[i]
    to.weights[i] = from.weights[i]
  }
  // Copied one by one: three calls would cost more.
  for (let i = 0; i < 3 * count; i++) {
    to.w[i] = from.w[i]
    to.a[i] = from.a[i]
    to.b[i] = from.b[i]
  }
  to.holds = from.holds
}
