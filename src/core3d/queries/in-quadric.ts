/**
 * Whether a cylinder, cone or ellipsoid contains a bounded body.
 *
 * Method: it holds the parts that span the body (below). Points, which are clear as a rule, are measured; what is in line
 * with the axes is decided exactly where there is a closed form (below); else the surface is the zero set of a quadratic
 * polynomial, whose largest value over the part tells (below), to within the error of heights.
 * Frame: the holder's own axes, origin at its position.
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
import { pointBeyond } from '../narrow-phase/point-membership.ts'
import {
  type Body,
  CONE,
  CYLINDER,
  LENGTHS,
  POINTS,
  POSITION,
  RADIUS,
  ROTATION,
  VERTICES,
  type Vector,
} from '../shape/body.ts'
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
import { MULTIPLIER_HALVING_COUNT } from '../tolerances.ts'

// How a guest lies to what may hold it.

export interface Lie {
  /** From the anchor of the holder to that of the guest, rounded once. World axes. */
  offset: Vector
  /** No two points of the pair are farther apart. */
  extent: number
  /** Bound on the rounding error of a height. */
  error: number
}

/** Whether the curved holder has all of the guest; what rounding leaves open, it has. */
export function quadricHolds(holder: Body, guest: Body, lie: Lie): boolean {
  const count = partCount(guest)
  for (let i = 0; i < count; i++) {
    spend(2)
    if (!holdsPart(holder, guest, partOf(guest, i), lie)) return false
  }
  return true
}

function holdsPart(holder: Body, guest: Body, part: SpanningPart, { offset, error }: Lie): boolean {
  const middle = middleOf(guest, part)
  const center = ownTriple(holder, [offset[0] + middle[0], offset[1] + middle[1], offset[2] + middle[2]])
  if (isPoint(part)) {
    const beyond = pointBeyond(holder, center)
    if (Math.abs(beyond) > error) return beyond < 0
    return holdsExactly(holder, guest, part) ?? true
  }
  const axes = axesOf(guest, part).map((axis) => ownTriple(holder, axis))
  return holdsExactly(holder, guest, part) ?? holdsRounded(holder, center, axes, error)
}

function ownTriple({ numbers }: Body, [x, y, z]: Vector): Vector {
  const along = (k: number): number =>
    numbers[ROTATION + k] * x + numbers[ROTATION + 3 + k] * y + numbers[ROTATION + 6 + k] * z
  return [along(0), along(1), along(2)]
}

const quadratic = createQuadratic()

/** Whether the ellipsoid about the centre with these half axes lies within the holder, grown by the error. */
function holdsRounded({ kind, numbers }: Body, center: Vector, axes: readonly Vector[], error: number): boolean {
  const [a, b, c] = [numbers[LENGTHS], numbers[LENGTHS + 1], numbers[LENGTHS + 2]]
  const reach = Math.hypot(axes[0][1], axes[1][1], axes[2][1])
  if (kind === CYLINDER) {
    if (Math.abs(center[1]) + reach - b > error) return false
    const wide = a + error
    return largestForm(center, axes, [1 / wide, 0, 1 / wide], 1) <= 0
  }
  if (kind === CONE) {
    if (reach - b - center[1] > error) return false
    // Its apex moved up so far that the slant moves out by the error: (2·half·distance)² ≤ (radius·(apex − y))².
    const apex = b + (error * Math.hypot(2 * b, a)) / a
    const steep = a / (2 * b)
    if (center[1] + reach > apex) return false
    return largestSlant(center, axes, apex, steep) <= 0
  }
  const largest = largestForm(center, axes, [1 / a, 1 / b, 1 / c], 1)
  return (Math.sqrt(Math.max(largest + 1, 0)) - 1) * Math.min(a, b, c) <= error
}

/** The largest of Σ (scale_k·x_k)² − level over the ellipsoid. */
function largestForm(center: Vector, axes: readonly Vector[], scales: Vector, level: number): number {
  clear(-level)
  for (let k = 0; k < 3; k++) addSquare(center[k] * scales[k], axes, k, scales[k], 1)
  return largestValue(quadratic)
}

/** The largest of x² + z² − (steep·(apex − y))², over the square of the apex's height over the middle, in which it is of size 1. */
function largestSlant(center: Vector, axes: readonly Vector[], apex: number, steep: number): number {
  clear(0)
  const scale = 1 / (steep * (apex - center[1]))
  addSquare(center[0] * scale, axes, 0, scale, 1)
  addSquare(center[2] * scale, axes, 2, scale, 1)
  addSquare(1, axes, 1, -scale * steep, -1)
  return largestValue(quadratic)
}

function clear(constant: number): void {
  quadratic.matrix.fill(0)
  quadratic.b.fill(0)
  quadratic.constant = constant
}

/** Adds weight·(constant + scale·(coordinate k of the half axes)·u)². */
function addSquare(constant: number, axes: readonly Vector[], k: number, scale: number, weight: number): void {
  const { matrix, b } = quadratic
  const [x, y, z] = axes.map((axis) => scale * axis[k])
  matrix[0] += weight * x * x
  matrix[1] += weight * y * y
  matrix[2] += weight * z * z
  matrix[3] += weight * x * y
  matrix[4] += weight * x * z
  matrix[5] += weight * y * z
  b[0] += weight * constant * x
  b[1] += weight * constant * y
  b[2] += weight * constant * z
  quadratic.constant += weight * constant * constant
}

// Whether a cylinder, cone or ellipsoid contains a part that spans another body, exactly, where that is the sign of a rational number
// and at most two roots.
//
// Method: bodies of revolution hold a part that is round about their axis, or in the middle of it, where they do so in the half-plane of
// distances from the axis and heights along it; ellipsoids one about their middle by comparing half axes, and flat ones by the
// section in their plane, which is another ellipse. What remains is left to bounds (`in-quadric.ts`).
// Frame: the holder's own axes, y the axis of cylinders and cones, origin at its position. Both bodies in line with the world's axes.

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
function holdsExactly(holder: Body, guest: Body, part: SpanningPart): boolean | null {
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

// The largest value of a quadratic polynomial in the unit ball of space.
//
// Method: it is the least of value(λ) = constant + λ + b·(λ − M)⁻¹·b over those λ ≥ 0 for which λ − M is positive definite (V. Yakubovich,
// "S-procedure in nonlinear control theory", Vestnik Leningrad University 1 (1971)), each of which is an upper bound. It falls where
// (λ − M)⁻¹·b is longer than 1 and rises where it is shorter; halving finds where that changes.
// Cost: some thousands of products.

/** uᵀ·M·u + 2·b·u + constant. */
interface Quadratic {
  /** xx, yy, zz, xy, xz, yz of the symmetric M. */
  matrix: Float64Array
  b: Float64Array
  constant: number
}

function createQuadratic(): Quadratic {
  return { matrix: new Float64Array(6), b: new Float64Array(3), constant: 0 }
}

/** The vector u = (λ − M)⁻¹·b. */
const u = new Float64Array(3)

/** Over all u with |u| ≤ 1. */
function largestValue(quadratic: Quadratic): number {
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

// The parts that span a bounded body, which is their convex hull, each an ellipsoid, of which some half axes may be 0. A convex body
// contains it where it contains all of them.
//
// Of core points the points, or the balls about them; of a cylinder the discs at its ends, of a cone its apex and its disc; an
// ellipsoid itself.

interface SpanningPart {
  /** The core point that it is about, −1 for none. */
  core: number
  /** At which end of the body's axis it lies; 0 in its middle. */
  end: -1 | 0 | 1
  /** Half axes along the body's own axes. */
  radii: Vector
}

export function partCount({ kind, count }: Body): number {
  return kind === POINTS ? count : kind === CYLINDER || kind === CONE ? 2 : 1
}

export function partOf({ kind, numbers }: Body, i: number): SpanningPart {
  const [a, b, c] = [numbers[LENGTHS], numbers[LENGTHS + 1], numbers[LENGTHS + 2]]
  if (kind === POINTS) {
    const radius = numbers[RADIUS]
    return { core: i, end: 0, radii: [radius, radius, radius] }
  }
  if (kind === CYLINDER) return { core: -1, end: i === 0 ? -1 : 1, radii: [a, 0, a] }
  if (kind === CONE) return i === 0 ? { core: -1, end: -1, radii: [a, 0, a] } : { core: -1, end: 1, radii: [0, 0, 0] }
  return { core: -1, end: 0, radii: [a, b, c] }
}

/** Middle of the part, from the anchor of its body. World axes. */
export function middleOf({ numbers, local }: Body, { core, end }: SpanningPart): Vector {
  if (core >= 0) return [numbers[local + 3 * core], numbers[local + 3 * core + 1], numbers[local + 3 * core + 2]]
  const along = (k: number): number => end * numbers[LENGTHS + 1] * numbers[ROTATION + 3 * k + 1]
  return [along(0), along(1), along(2)]
}

/** Its half axes as vectors. World axes; those of a ball are the world's. */
export function axesOf({ numbers }: Body, { core, radii }: SpanningPart): readonly [Vector, Vector, Vector] {
  const axis = (j: number): Vector => {
    const along = (k: number): number => radii[j] * (core >= 0 ? (j === k ? 1 : 0) : numbers[ROTATION + 3 * k + j])
    return [along(0), along(1), along(2)]
  }
  return [axis(0), axis(1), axis(2)]
}

function isPoint({ radii }: SpanningPart): boolean {
  return radii[0] === 0 && radii[1] === 0 && radii[2] === 0
}
