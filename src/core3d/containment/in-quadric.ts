/**
 * Whether a cylinder, cone or ellipsoid contains a bounded body.
 *
 * Method: it holds the parts that span the body (`spanning-parts.ts`). Points, which are clear as a rule, are measured; what is in line
 * with the axes is told exactly where a closed form does (`exact-in-quadric.ts`); else the surface is the zero set of a quadratic
 * polynomial, whose largest value over the part tells (`largest-quadratic.ts`), to within the error of heights.
 * Frame: the holder's own axes, origin at its position.
 */

import { spend } from '../../containers/budget.ts'
import { type Body, CONE, CYLINDER, LENGTHS, ROTATION } from '../shape/body.ts'
import { holdsExactly } from './exact-in-quadric.ts'
import { createQuadratic, largestValue } from './largest-quadratic.ts'
import type { Lie, Triple } from './lie.ts'
import { axesOf, isPoint, middleOf, partCount, partOf, type SpanningPart } from './spanning-parts.ts'

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

function ownTriple({ numbers }: Body, [x, y, z]: Triple): Triple {
  const along = (k: number): number =>
    numbers[ROTATION + k] * x + numbers[ROTATION + 3 + k] * y + numbers[ROTATION + 6 + k] * z
  return [along(0), along(1), along(2)]
}

/** A length by which the point lies beyond the surface, or within it; no more than its distance. */
function pointBeyond({ kind, numbers }: Body, [x, y, z]: Triple): number {
  const [a, b, c] = [numbers[LENGTHS], numbers[LENGTHS + 1], numbers[LENGTHS + 2]]
  const distance = Math.hypot(x, z)
  if (kind === CYLINDER) return Math.max(Math.abs(y) - b, distance - a)
  if (kind === CONE) return Math.max(-b - y, (2 * b * distance + a * (y - b)) / Math.hypot(2 * b, a))
  return (Math.hypot(x / a, y / b, z / c) - 1) * Math.min(a, b, c)
}

const quadratic = createQuadratic()

/** Whether the ellipsoid about the centre with these half axes lies within the holder, grown by the error. */
function holdsRounded({ kind, numbers }: Body, center: Triple, axes: readonly Triple[], error: number): boolean {
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
function largestForm(center: Triple, axes: readonly Triple[], scales: Triple, level: number): number {
  clear(-level)
  for (let k = 0; k < 3; k++) addSquare(center[k] * scales[k], axes, k, scales[k], 1)
  return largestValue(quadratic)
}

/** The largest of x² + z² − (steep·(apex − y))², over the square of the apex's height over the middle, in which it is of size 1. */
function largestSlant(center: Triple, axes: readonly Triple[], apex: number, steep: number): number {
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
function addSquare(constant: number, axes: readonly Triple[], k: number, scale: number, weight: number): void {
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
