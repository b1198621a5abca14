/**
 * Half-plane against half-plane: apart only when their normals are opposite, and then by their offsets.
 *
 * Otherwise they share a wedge, and no translation separates them: the separation is −Infinity and there is no normal
 * (both components 0), which the queries report as absent.
 * Frame: world axes, origin at A's position, B's position at (dx, dy).
 */

import { createInputRange, exactly, includeInput, type Sign, signOfRootSum } from '../../numeric/exact-ring.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { edgeFeature } from '../feature.ts'
import { type Body, NORMAL_X, NORMAL_Y, OFFSET, SIN, UNIT_X, UNIT_Y } from '../shape/body.ts'
import { includePosition, positionX, positionY } from '../shape/exact-points.ts'
import type { Frame } from '../shape/position.ts'
import { exactLineGap, normalTerms, offsetTerms } from './closed-gap.ts'
import { type Separation, settle } from './separation.ts'

export function halfplaneHalfplane(a: Body, b: Body, frame: Frame, out: Separation): void {
  const { dx, dy, error } = frame
  out.face = 0
  out.featureA = edgeFeature(0)
  out.featureB = edgeFeature(0)
  if (!areOpposite(a, b)) {
    out.relation = -1
    out.value = -Infinity
    out.nx = 0
    out.ny = 0
    setSharedPoint(a, b, dx, dy, out)
    return
  }
  out.nx = a.numbers[UNIT_X]
  out.ny = a.numbers[UNIT_Y]
  out.value = a.numbers[UNIT_X] * dx + a.numbers[UNIT_Y] * dy - a.numbers[OFFSET] - b.numbers[OFFSET]
  // The foot of B's position on both boundaries: the origin would do as well, but then swapping would not swap it.
  out.ax = a.numbers[UNIT_X] * a.numbers[OFFSET]
  out.ay = a.numbers[UNIT_Y] * a.numbers[OFFSET]
  out.bx = out.ax + out.nx * out.value
  out.by = out.ay + out.ny * out.value
  const sign: Sign = Math.abs(out.value) > 2 * error ? (out.value > 0 ? 1 : -1) : exactSign(a, b)
  settle(out, sign, frame)
}

/** Exactly opposite as given; opposite up to rounding where a rotation has rounded them. */
function areOpposite(a: Body, b: Body): boolean {
  if (a.numbers[UNIT_X] * b.numbers[UNIT_X] + a.numbers[UNIT_Y] * b.numbers[UNIT_Y] > 0) return false
  const cross = a.numbers[UNIT_X] * b.numbers[UNIT_Y] - a.numbers[UNIT_Y] * b.numbers[UNIT_X]
  if (Math.abs(cross) > 8 * UNIT_ROUNDOFF) return false
  if (a.numbers[SIN] !== 0 || b.numbers[SIN] !== 0) return true
  const range = createInputRange()
  for (const value of [a.numbers[NORMAL_X], a.numbers[NORMAL_Y], b.numbers[NORMAL_X], b.numbers[NORMAL_Y]])
    includeInput(range, value)
  return exactly(range, 2, (ring) => {
    const { of, mul } = ring
    return (
      ring.sign(
        ring.sub(
          mul(of(a.numbers[NORMAL_X]), of(b.numbers[NORMAL_Y])),
          mul(of(a.numbers[NORMAL_Y]), of(b.numbers[NORMAL_X])),
        ),
      ) === 0
    )
  })
}

/** Sign of n·d − (offsetA + offsetB)·|n|, n the normal of A. */
function exactSign(a: Body, b: Body): Sign {
  const range = createInputRange()
  includePosition(range, a)
  includePosition(range, b)
  for (const value of [a.numbers[NORMAL_X], a.numbers[NORMAL_Y], a.numbers[OFFSET], b.numbers[OFFSET]])
    includeInput(range, value)
  return exactly(range, 4, (ring) => {
    const { of, add, sub, mul } = ring
    const nx = of(a.numbers[NORMAL_X])
    const ny = of(a.numbers[NORMAL_Y])
    const height = add(
      mul(nx, sub(positionX(ring, b), positionX(ring, a))),
      mul(ny, sub(positionY(ring, b), positionY(ring, a))),
    )
    return signOfRootSum(
      ring,
      height,
      add(of(-a.numbers[OFFSET]), of(-b.numbers[OFFSET])),
      add(mul(nx, nx), mul(ny, ny)),
    )
  })
}

/** Signed distance of the boundaries, whose normals are opposite, along A's normal; rounded once. */
export function exactOppositeGap(a: Body, b: Body): number {
  const terms = offsetTerms(a, 0, b, 0)
  return exactLineGap(normalTerms(a), terms, [a.numbers[OFFSET], b.numbers[OFFSET]])
}

/** A point of both: where the boundary lines cross, or on the inner boundary when they run alongside. */
function setSharedPoint(a: Body, b: Body, dx: number, dy: number, out: Separation): void {
  const cross = a.numbers[UNIT_X] * b.numbers[UNIT_Y] - a.numbers[UNIT_Y] * b.numbers[UNIT_X]
  const offsetB = b.numbers[OFFSET] + b.numbers[UNIT_X] * dx + b.numbers[UNIT_Y] * dy
  const parallel = Math.abs(cross) <= 8 * UNIT_ROUNDOFF
  const offset = Math.min(a.numbers[OFFSET], offsetB)
  out.ax = parallel
    ? a.numbers[UNIT_X] * offset
    : (a.numbers[OFFSET] * b.numbers[UNIT_Y] - offsetB * a.numbers[UNIT_Y]) / cross
  out.ay = parallel
    ? a.numbers[UNIT_Y] * offset
    : (offsetB * a.numbers[UNIT_X] - a.numbers[OFFSET] * b.numbers[UNIT_X]) / cross
  out.bx = out.ax
  out.by = out.ay
}
