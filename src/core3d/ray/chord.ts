/**
 * Where a line lies in a quadric Σ w·x² ≤ k about its centre: spheres, infinite cylinders, ellipsoids.
 *
 * Method: the line is counted from its point t₀ of least Σ w·x², where the discriminant k − Σ w·x² does not cancel; the half chord is
 * its root. The bound on its error is that of the sum where it equals k: 2·√(w·k) times the error of each coordinate. So a chord that
 * is not shorter than its bound allows is one for certain.
 * Frame: any; the line's points are p + t·u.
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { HIT, MISS, UNSURE, type Verdict } from './ray-span.ts'

/** A line and a quadric. Weights are ≥ 0. */
export interface Quadric {
  px: number
  py: number
  pz: number
  ux: number
  uy: number
  uz: number
  wx: number
  wy: number
  wz: number
  k: number
  /** Bound on the error of each coordinate of p, of u where it matters. */
  error: number
}

export function createQuadric(): Quadric {
  return { px: 0, py: 0, pz: 0, ux: 0, uy: 0, uz: 0, wx: 0, wy: 0, wz: 0, k: 0, error: 0 }
}

/** The parameters between which the line lies in the quadric, each within `slack`. */
export interface Chord {
  low: number
  high: number
  slack: number
}

export function createChord(): Chord {
  return { low: 0, high: 0, slack: 0 }
}

/** Sets `out` where the line meets the quadric; its square of weights along the line, Σ w·u², is not 0. */
export function findChord(q: Quadric, out: Chord): Verdict {
  const { ux, uy, uz, wx, wy, wz, k, error } = q
  const a = wx * ux * ux + wy * uy * uy + wz * uz * uz
  const middle = -(wx * q.px * ux + wy * q.py * uy + wz * q.pz * uz) / a
  const x = q.px + middle * ux
  const y = q.py + middle * uy
  const z = q.pz + middle * uz
  const value = wx * x * x + wy * y * y + wz * z * z
  // What is left over after counting from the middle.
  const rest = wx * x * ux + wy * y * uy + wz * z * uz
  const excess = k - value + (rest * rest) / a
  const far = Math.abs(middle)
  const errorX = error + 8 * UNIT_ROUNDOFF * (Math.abs(q.px) + far * Math.abs(ux))
  const errorY = error + 8 * UNIT_ROUNDOFF * (Math.abs(q.py) + far * Math.abs(uy))
  const errorZ = error + 8 * UNIT_ROUNDOFF * (Math.abs(q.pz) + far * Math.abs(uz))
  const edge =
    Math.sqrt(wx * k) * errorX +
    Math.sqrt(wy * k) * errorY +
    Math.sqrt(wz * k) * errorZ +
    (wx * errorX * errorX + wy * errorY * errorY + wz * errorZ * errorZ)
  const bound = 2 * edge + 16 * UNIT_ROUNDOFF * (k + value)
  if (excess < -bound) return MISS
  if (!(excess > 4 * bound)) return UNSURE
  const half = Math.sqrt(excess / a)
  const shift = rest / a
  out.low = middle - shift - half
  out.high = middle - shift + half
  out.slack = bound / (a * half) + 4 * UNIT_ROUNDOFF * (far + half)
  return HIT
}
