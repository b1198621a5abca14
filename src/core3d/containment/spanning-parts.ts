/**
 * What spans a bounded body: parts whose convex hull it is, each an ellipsoid, of which some half axes may be 0. A convex body
 * contains it where it contains all of them.
 *
 * What: of core points the points, or the balls about them; of a cylinder the discs at its ends, of a cone its apex and its disc; an
 * ellipsoid itself.
 */

import { type Body, CONE, CYLINDER, LENGTHS, POINTS, RADIUS, ROTATION } from '../shape/body.ts'
import type { Triple } from './lie.ts'

export interface SpanningPart {
  /** The core point that it is about, −1 for none. */
  core: number
  /** At which end of the body's axis it lies; 0 in its middle. */
  end: -1 | 0 | 1
  /** Half axes along the body's own axes. */
  radii: Triple
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
export function middleOf({ numbers, local }: Body, { core, end }: SpanningPart): Triple {
  if (core >= 0) return [numbers[local + 3 * core], numbers[local + 3 * core + 1], numbers[local + 3 * core + 2]]
  const along = (k: number): number => end * numbers[LENGTHS + 1] * numbers[ROTATION + 3 * k + 1]
  return [along(0), along(1), along(2)]
}

/** Its half axes as vectors. World axes; those of a ball are the world's. */
export function axesOf({ numbers }: Body, { core, radii }: SpanningPart): readonly [Triple, Triple, Triple] {
  const axis = (j: number): Triple => {
    const along = (k: number): number => radii[j] * (core >= 0 ? (j === k ? 1 : 0) : numbers[ROTATION + 3 * k + j])
    return [along(0), along(1), along(2)]
  }
  return [axis(0), axis(1), axis(2)]
}

export function isPoint({ radii }: SpanningPart): boolean {
  return radii[0] === 0 && radii[1] === 0 && radii[2] === 0
}
