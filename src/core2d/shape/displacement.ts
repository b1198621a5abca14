/**
 * How far two bodies move relative to each other, exactly: (velocity of A − velocity of B) · duration as a sum of doubles.
 * Frame: world.
 */

import { type InputRange, includeInput, type Ring } from '../../numeric/exact-ring.ts'
import { productError, sumError } from '../../numeric/expansion.ts'
import { scaleBy } from '../../numeric/safe-range.ts'

/** Velocities of A and B, and the duration. */
export interface RelativeMotion {
  ax: number
  ay: number
  bx: number
  by: number
  duration: number
}

/** Terms of the displacement along each axis. */
export interface Displacement {
  x: number[]
  y: number[]
}

/** The displacement of A relative to B over the duration. */
export function displacementOf({ ax, ay, bx, by, duration }: RelativeMotion): Displacement {
  return { x: terms(ax, bx, duration), y: terms(ay, by, duration) }
}

function terms(a: number, b: number, duration: number): number[] {
  const difference = a - b
  const rest = sumError(a, -b, difference)
  const large = difference * duration
  const small = rest * duration
  return [large, productError(difference, duration, large), small, productError(rest, duration, small)].filter(
    (term) => term !== 0,
  )
}

/** All terms times 2^exponent; null when one of them would lose digits. */
export function scaleDisplacement({ x, y }: Displacement, exponent: number): Displacement | null {
  for (const value of [...x, ...y]) {
    const scaled = scaleBy(value, exponent)
    if (!Number.isFinite(scaled) || scaleBy(scaled, -exponent) !== value) return null
  }
  return { x: x.map((value) => scaleBy(value, exponent)), y: y.map((value) => scaleBy(value, exponent)) }
}

export function includeDisplacement(range: InputRange, { x, y }: Displacement): void {
  for (const value of x) includeInput(range, value)
  for (const value of y) includeInput(range, value)
}

/** The exact sum of the terms of one axis. */
export function exactSum<T>(ring: Ring<T>, values: readonly number[]): T {
  let sum = ring.integer(0)
  for (const value of values) sum = ring.add(sum, ring.of(value))
  return sum
}
