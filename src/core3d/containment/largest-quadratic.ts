/**
 * The largest value of a quadratic polynomial in the unit ball of space.
 *
 * Method: it is the least of value(λ) = constant + λ + b·(λ − M)⁻¹·b over those λ ≥ 0 for which λ − M is positive definite (V. Yakubovich,
 * "S-procedure in nonlinear control theory", Vestnik Leningrad University 1 (1971)), each of which is an upper bound. It falls where
 * (λ − M)⁻¹·b is longer than 1 and rises where it is shorter; halving finds where that changes.
 * Cost: some thousands of products.
 */

import { spend } from '../../containers/budget.ts'
import { MULTIPLIER_HALVING_COUNT } from '../tolerances.ts'

/** uᵀ·M·u + 2·b·u + constant. */
export interface Quadratic {
  /** xx, yy, zz, xy, xz, yz of the symmetric M. */
  matrix: Float64Array
  b: Float64Array
  constant: number
}

export function createQuadratic(): Quadratic {
  return { matrix: new Float64Array(6), b: new Float64Array(3), constant: 0 }
}

/** The vector u = (λ − M)⁻¹·b. */
const u = new Float64Array(3)

/** Over all u with |u| ≤ 1. */
export function largestValue(quadratic: Quadratic): number {
  spend(16)
  const { matrix, b, constant } = quadratic
  let size = Math.abs(b[0]) + Math.abs(b[1]) + Math.abs(b[2])
  for (let i = 0; i < 6; i++) size += (i < 3 ? 1 : 2) * Math.abs(matrix[i])
  if (size === 0) return constant
  let low = 0
  let high = 2 * size
  for (let step = 0; step < MULTIPLIER_HALVING_COUNT; step++) {
    const middle = (low + high) / 2
    if (solve(quadratic, middle) && u[0] * u[0] + u[1] * u[1] + u[2] * u[2] <= 1) high = middle
    else low = middle
  }
  solve(quadratic, high)
  return constant + high + (b[0] * u[0] + b[1] * u[1] + b[2] * u[2])
}

/** Sets `u` by the factors of λ − M; false where it is not positive definite. */
function solve({ matrix, b }: Quadratic, lambda: number): boolean {
  const [xx, yy, zz, xy, xz, yz] = matrix
  const first = lambda - xx
  if (!(first > 0)) return false
  const yx = -xy / first
  const zx = -xz / first
  const second = lambda - yy - yx * yx * first
  if (!(second > 0)) return false
  const zy = (-yz - zx * yx * first) / second
  const third = lambda - zz - zx * zx * first - zy * zy * second
  if (!(third > 0)) return false
  const q = b[1] - yx * b[0]
  u[2] = (b[2] - zx * b[0] - zy * q) / third
  u[1] = q / second - zy * u[2]
  u[0] = b[0] / first - yx * u[1] - zx * u[2]
  return true
}
