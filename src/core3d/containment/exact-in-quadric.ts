/**
 * Whether a cylinder, cone or ellipsoid contains a part that spans another body, exactly, where that is the sign of a rational number
 * and at most two roots.
 *
 * Method: bodies of revolution hold a part that is round about their axis, or in the middle of it, where they do so in the half-plane of
 * distances from the axis and heights along it; ellipsoids one about their middle by comparing half axes, and flat ones by the
 * section in their plane, which is another ellipse. What remains is left to bounds (`in-quadric.ts`).
 * Frame: the holder's own axes, y the axis of cylinders and cones, origin at its position. Both bodies in line with the world's axes.
 */

import { spend } from '../../containers/budget.ts'
import {
  createInputRange,
  exactly,
  type InputRange,
  includeInput,
  type Ring,
  signOfRootSum,
  signOfTwoRootSum,
} from '../../numeric/exact-ring.ts'
import { type Body, CONE, CYLINDER, LENGTHS, POINTS, POSITION, ROTATION, VERTICES } from '../shape/body.ts'
import {
  type Exact,
  exactOffset,
  exactTriple,
  exactVertex,
  includeBody,
  ownVector,
  plus,
  times,
} from '../shape/exact-points.ts'
import type { SpanningPart } from './spanning-parts.ts'

/** Degree of the polynomials that come up, squares of squares of products of heights and radii among them. */
const DEGREE = 24

/** Steps of one part. */
const PART_STEPS = 32

/** A part in the holder's own axes, and the lengths of the holder. */
interface Pair<T> {
  center: Exact<T>
  radii: Exact<T>
  lengths: Exact<T>
}

/** Whether the holder has the part of the guest; null where no closed form tells. */
export function holdsExactly(holder: Body, guest: Body, part: SpanningPart): boolean | null {
  if (!holder.aligned || (guest.kind !== POINTS && !guest.aligned)) return null
  spend(PART_STEPS)
  return exactly(rangeOf(holder, guest, part), DEGREE, (ring) => {
    const pair: Pair<ReturnType<typeof ring.of>> = {
      center: ownVector(ring, holder, plus(ring, exactOffset(ring, guest, holder), exactMiddle(ring, guest, part))),
      radii: ownRadii(ring, holder, guest, part),
      lengths: exactTriple(ring, holder, LENGTHS),
    }
    return holder.kind === CYLINDER
      ? isInCylinder(ring, pair)
      : holder.kind === CONE
        ? isInCone(ring, pair)
        : isInEllipsoid(ring, pair)
  })
}

function rangeOf(holder: Body, guest: Body, part: SpanningPart): InputRange {
  const range = createInputRange()
  includeBody(range, holder)
  for (let k = POSITION; k < POSITION + 3; k++) includeInput(range, guest.numbers[k])
  for (const radius of part.radii) includeInput(range, radius)
  if (part.end !== 0) includeInput(range, guest.numbers[LENGTHS + 1])
  const at = VERTICES + 3 * part.core
  for (let i = at; part.core >= 0 && i < at + 3; i++) includeInput(range, guest.numbers[i])
  return range
}

function exactMiddle<T>(ring: Ring<T>, guest: Body, { core, end }: SpanningPart): Exact<T> {
  if (core >= 0) return exactVertex(ring, guest, core)
  const { integer, of } = ring
  const [x, y, z] = [0, 1, 2].map((k) => integer(end * guest.numbers[ROTATION + 3 * k + 1]))
  return times(ring, end === 0 ? integer(0) : of(guest.numbers[LENGTHS + 1]), [x, y, z])
}

/** Half axes of the part along the holder's own axes. */
function ownRadii<T>({ of }: Ring<T>, holder: Body, guest: Body, { core, radii }: SpanningPart): Exact<T> {
  const along = (i: number): T => {
    if (core >= 0) return of(radii[0])
    const row = [0, 1, 2].find((k) => holder.numbers[ROTATION + 3 * k + i] !== 0) ?? 0
    const j = [0, 1, 2].find((column) => guest.numbers[ROTATION + 3 * row + column] !== 0) ?? 0
    return of(radii[j])
  }
  return [along(0), along(1), along(2)]
}

function squared<T>({ mul }: Ring<T>, value: T): T {
  return mul(value, value)
}

function sizeOf<T>({ sign, sub, integer }: Ring<T>, value: T): T {
  return sign(value) < 0 ? sub(integer(0), value) : value
}

function isAtMost<T>({ sign, sub }: Ring<T>, a: T, b: T): boolean {
  return sign(sub(a, b)) <= 0
}

function isEqual<T>({ sign, sub }: Ring<T>, a: T, b: T): boolean {
  return sign(sub(a, b)) === 0
}

function isInCylinder<T>(ring: Ring<T>, { center, radii, lengths }: Pair<T>): boolean | null {
  const { add, sub, sign } = ring
  const [x, y, z] = center
  const [a, b, c] = radii
  const [radius, half] = lengths
  if (!isAtMost(ring, add(sizeOf(ring, y), b), half)) return false
  const square = add(squared(ring, x), squared(ring, z))
  if (isEqual(ring, a, c)) {
    const rest = sub(radius, a)
    return sign(rest) >= 0 && isAtMost(ring, square, squared(ring, rest))
  }
  if (sign(square) === 0) return isAtMost(ring, a, radius) && isAtMost(ring, c, radius)
  // Seen along the axis it is a line.
  if (sign(c) === 0) {
    return isAtMost(ring, add(squared(ring, add(sizeOf(ring, x), a)), squared(ring, z)), squared(ring, radius))
  }
  if (sign(a) === 0) {
    return isAtMost(ring, add(squared(ring, x), squared(ring, add(sizeOf(ring, z), c))), squared(ring, radius))
  }
  return null
}

function isInCone<T>(ring: Ring<T>, { center, radii, lengths }: Pair<T>): boolean | null {
  const { add, sub, mul, integer, sign } = ring
  const [x, y, z] = center
  const [a, b, c] = radii
  const [radius, half] = lengths
  if (!isAtMost(ring, sub(b, y), half)) return false
  const square = add(squared(ring, x), squared(ring, z))
  if (!isEqual(ring, a, c) && sign(square) !== 0) return null
  const wide = isAtMost(ring, a, c) ? c : a
  // Along each slant, (height, radius): height·distance + radius·(y − half) + the part's own reach ≤ 0.
  const height = add(half, half)
  const reach = add(squared(ring, mul(height, wide)), squared(ring, mul(radius, b)))
  return signOfTwoRootSum(ring, mul(radius, sub(y, half)), height, square, integer(1), reach) <= 0
}

function isInEllipsoid<T>(ring: Ring<T>, pair: Pair<T>): boolean | null {
  const { sign, sub, add } = ring
  const { center, radii, lengths } = pair
  if (center.every((x) => sign(x) === 0)) return radii.every((radius, k) => isAtMost(ring, radius, lengths[k]))
  if (isRound(ring, radii) && isRound(ring, lengths)) {
    const rest = sub(lengths[0], radii[0])
    const square = center.reduce((sum, x) => add(sum, squared(ring, x)), ring.integer(0))
    return sign(rest) >= 0 && isAtMost(ring, square, squared(ring, rest))
  }
  for (let k = 0; k < 3; k++) {
    const found = sign(radii[k]) === 0 ? isInSection(ring, pair, k) : null
    if (found !== null) return found
  }
  return null
}

function isRound<T>(ring: Ring<T>, [a, b, c]: Exact<T>): boolean {
  return isEqual(ring, a, b) && isEqual(ring, b, c)
}

/** A part that is flat across axis k, in the section of the ellipsoid by its plane. */
function isInSection<T>(ring: Ring<T>, { center, radii, lengths }: Pair<T>, k: number): boolean | null {
  const { add, sub, mul, integer, sign } = ring
  const i = (k + 1) % 3
  const j = (k + 2) % 3
  const [high, along] = [squared(ring, center[k]), squared(ring, lengths[k])]
  if (sign(center[i]) === 0 && sign(center[j]) === 0) {
    // high / along + radius² / length² ≤ 1 on either axis.
    return [i, j].every((n) => {
      const across = squared(ring, lengths[n])
      const sum = add(mul(high, across), mul(squared(ring, radii[n]), along))
      return isAtMost(ring, sum, mul(along, across))
    })
  }
  if (!isEqual(ring, radii[i], radii[j])) return null
  if (sign(radii[i]) === 0) {
    // A point.
    const [a, b, c] = lengths.map((length) => squared(ring, length))
    const [x, y, z] = center.map((coordinate) => squared(ring, coordinate))
    const sum = add(add(mul(x, mul(b, c)), mul(y, mul(a, c))), mul(z, mul(a, b)))
    return isAtMost(ring, sum, mul(mul(a, b), c))
  }
  if (!isEqual(ring, lengths[i], lengths[j])) return null
  // high / along + (√square + radius)² / across ≤ 1.
  const across = squared(ring, lengths[i])
  const square = add(squared(ring, center[i]), squared(ring, center[j]))
  const rational = add(mul(sub(high, along), across), mul(add(square, squared(ring, radii[i])), along))
  return signOfRootSum(ring, rational, mul(integer(2), mul(radii[i], along)), square) <= 0
}
