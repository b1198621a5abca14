/**
 * The area of an ellipsoid.
 *
 * Method: it is 4π R_G(a²b², a²c², b²c²), here over a²b² (NIST Digital Library of Mathematical Functions, 19.33.1), with R_G from R_F
 * and R_D (19.21.10), and these by duplication and a series: B. C. Carlson, "Numerical computation of real or complex elliptic
 * integrals", Numerical Algorithms 10 (1995).
 */

import { spend } from '../../containers/budget.ts'
import { SMALLEST_SAFE_SQUARE } from '../../numeric/roundoff.ts'
import { CARLSON_SPREAD } from '../tolerances.ts'

/** Of radii ≥ 0, the greatest near 1. Those that are 0 beside it leave a disc or a needle. */
export function ellipsoidArea(...radii: readonly [number, number, number]): number {
  const [a, b, c] = radii.toSorted((p, q) => q - p)
  if (b === 0) return 0
  // The formula below wants the middle one last: then nothing cancels.
  return 4 * Math.PI * a * b * symmetricSecond(1, (c / a) ** 2, (c / b) ** 2)
}

/** R_G, z between x and y. */
function symmetricSecond(x: number, y: number, z: number): number {
  // Two sides of a disc: its rim is less than a roundoff of them.
  if (z < SMALLEST_SAFE_SQUARE) return Math.sqrt(x) / 2
  const root = y === 0 ? 0 : Math.sqrt((x * y) / z)
  return (z * symmetricFirst(x, y, z) - ((x - z) * (y - z) * symmetricDegenerate(x, y, z)) / 3 + root) / 2
}

/** R_F. */
function symmetricFirst(givenX: number, givenY: number, givenZ: number): number {
  let [x, y, z] = [givenX, givenY, givenZ]
  let mean = (x + y + z) / 3
  while (Math.max(Math.abs(x - mean), Math.abs(y - mean), Math.abs(z - mean)) > CARLSON_SPREAD * mean) {
    spend(1)
    const shift = Math.sqrt(x * y) + Math.sqrt(x * z) + Math.sqrt(y * z)
    x = (x + shift) / 4
    y = (y + shift) / 4
    z = (z + shift) / 4
    mean = (x + y + z) / 3
  }
  const p = 1 - x / mean
  const q = 1 - y / mean
  const r = -p - q
  const second = p * q - r * r
  const third = p * q * r
  return (1 - second / 10 + third / 14 + (second * second) / 24 - (3 * second * third) / 44) / Math.sqrt(mean)
}

/** R_D. */
function symmetricDegenerate(givenX: number, givenY: number, givenZ: number): number {
  let [x, y, z] = [givenX, givenY, givenZ]
  let mean = (x + y + 3 * z) / 5
  let sum = 0
  let power = 1
  while (Math.max(Math.abs(x - mean), Math.abs(y - mean), Math.abs(z - mean)) > CARLSON_SPREAD * mean) {
    spend(1)
    const shift = Math.sqrt(x * y) + Math.sqrt(x * z) + Math.sqrt(y * z)
    sum += power / (Math.sqrt(z) * (z + shift))
    power /= 4
    x = (x + shift) / 4
    y = (y + shift) / 4
    z = (z + shift) / 4
    mean = (x + y + 3 * z) / 5
  }
  const p = 1 - x / mean
  const q = 1 - y / mean
  const r = -(p + q) / 3
  const second = p * q - 6 * r * r
  const third = (3 * p * q - 8 * r * r) * r
  const fourth = 3 * (p * q - r * r) * r * r
  const fifth = p * q * r * r * r
  const series =
    1 -
    (3 * second) / 14 +
    third / 6 +
    (9 * second * second) / 88 -
    (3 * fourth) / 22 -
    (9 * second * third) / 52 +
    (3 * fifth) / 26
  return 3 * sum + (power * series) / (mean * Math.sqrt(mean))
}
