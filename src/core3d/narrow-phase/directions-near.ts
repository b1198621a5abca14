/**
 * Directions near one that a search ended with, which may be what it was looking for.
 *
 * Method: a search knows the direction of a smooth contact to the root of what it knows of the distance. What a user builds on purpose
 * touches along an axis, in a plane of two axes, or along short whole numbers: the least common denominator that all components
 * nearly have gives these back. Candidates only: what they are good for is proven by whoever asks.
 */

import { COMMON_DENOMINATOR_COUNT, SNAP_RATIO } from '../tolerances.ts'

export type Direction = readonly [number, number, number]

/** The unit vector itself, itself without what is nearly 0, the axis nearest to it, and the shortest whole numbers near it. */
export function directionsNear(unit: Direction): Direction[] {
  const greatest = Math.max(...unit.map(Math.abs))
  const map = (change: (component: number) => number): Direction => [change(unit[0]), change(unit[1]), change(unit[2])]
  const cleared = map((component) => (Math.abs(component) < SNAP_RATIO ? 0 : component))
  const axis = map((component) => (Math.abs(component) === greatest ? Math.sign(component) : 0))
  const found = [unit, cleared, axis]
  for (let under = 1; under <= COMMON_DENOMINATOR_COUNT; under++) {
    const scaled = map((component) => (component / greatest) * under)
    const isWhole = scaled.every((component) => Math.abs(component - Math.round(component)) < SNAP_RATIO * under)
    if (!isWhole) continue
    found.push([Math.round(scaled[0]), Math.round(scaled[1]), Math.round(scaled[2])])
    break
  }
  return found
}
