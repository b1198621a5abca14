/**
 * What a half-space contains: any body whose highest point does not reach beyond its boundary, and half-spaces of the same normal.
 *
 * Method: the highest point in closed form; where rounding leaves it open, the sign of a sum of a rational number and at most two
 * roots in exact arithmetic, as where the two meet (`narrow-phase/halfspace-any.ts`).
 * Frame: world; heights count along the normal, from the boundary.
 */

import { exactly, type Ring, signOfTwoRootSum } from '../../numeric/exact-ring.ts'
import { lowestHeight } from '../narrow-phase/exact-height.ts'
import { type Body, NORMAL, OFFSET, POINTS, RADIUS, UNIT } from '../shape/body.ts'
import { cross, dot, type Exact, exactOffset, exactTriple, inputRangeOf, isZero, minus } from '../shape/exact-points.ts'
import { kindOf } from '../shape/kinds.ts'
import { PARALLEL_NORMALS_SINE } from '../tolerances.ts'
import type { Lie } from './lie.ts'

/** Degree of the polynomials that come up. */
const DEGREE = 24

const point = new Float64Array(3)

/** Of a bounded guest. Exact for core points, and for curved bodies in line with the axes; others to within the error of heights. */
export function halfspaceHolds(holder: Body, guest: Body, { offset, error }: Lie): boolean {
  const { numbers } = holder
  point.fill(0)
  kindOf(guest).support(guest, numbers[UNIT], numbers[UNIT + 1], numbers[UNIT + 2], point)
  let height = guest.numbers[RADIUS] - numbers[OFFSET]
  for (let k = 0; k < 3; k++) height += (offset[k] + point[k]) * numbers[UNIT + k]
  if (Math.abs(height) > error) return height < 0
  if (guest.kind !== POINTS && !guest.aligned) return true
  return exactly(inputRangeOf(holder, guest), DEGREE, (ring) => isBelow(ring, holder, guest))
}

/** n·(difference of positions) + highest height − (offset − radius)·|n| ≤ 0. */
function isBelow<T>(ring: Ring<T>, holder: Body, guest: Body): boolean {
  const { sub, of, integer } = ring
  const zero = integer(0)
  const normal = exactTriple(ring, holder, NORMAL)
  const lowest = lowestHeight(ring, guest, minus(ring, [zero, zero, zero], normal))
  const rational = sub(dot(ring, normal, exactOffset(ring, guest, holder)), lowest.rational)
  const shift = sub(of(guest.numbers[RADIUS]), of(holder.numbers[OFFSET]))
  return signOfTwoRootSum(ring, rational, shift, dot(ring, normal, normal), integer(1), lowest.square) <= 0
}

/** Those with the same normal, to within rounding where one has been turned, compare by their offsets; others reach out of each other. */
export function halfspaceHoldsHalfspace(holder: Body, guest: Body): boolean {
  return exactly(inputRangeOf(holder, guest), DEGREE, (ring) => {
    const normal = exactTriple(ring, holder, NORMAL)
    if (!isSameWay(ring, holder, guest, normal)) return false
    const height = dot(ring, normal, exactOffset(ring, guest, holder))
    const level = ring.sub(ring.of(guest.numbers[OFFSET]), ring.of(holder.numbers[OFFSET]))
    const zero = ring.integer(0)
    return signOfTwoRootSum(ring, height, level, dot(ring, normal, normal), zero, zero) <= 0
  })
}

function isSameWay<T>(ring: Ring<T>, holder: Body, guest: Body, normal: Exact<T>): boolean {
  const other = exactTriple(ring, guest, NORMAL)
  if (ring.sign(dot(ring, normal, other)) <= 0) return false
  if (holder.aligned && guest.aligned) return isZero(ring, cross(ring, normal, other))
  const [a, b] = [holder.numbers, guest.numbers]
  return [0, 1, 2].every((k) => {
    const i = UNIT + ((k + 1) % 3)
    const j = UNIT + ((k + 2) % 3)
    return Math.abs(a[i] * b[j] - a[j] * b[i]) <= PARALLEL_NORMALS_SINE
  })
}
