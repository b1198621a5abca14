// Where a new shape goes: beside those that are there, not on top of them.

import { plus, times, type Vec } from './vector.ts'

export interface Box {
  min: Vec
  max: Vec
}

/** Part of the size of the new shape that is left free beside it. */
const GAP = 0.2
/** Places that are tried on each side. */
const MOST_TRIES = 50

const SIDES = ['x', 'y', 'z'] as const

const meet = (p: Box, q: Box): boolean =>
  SIDES.every((side) => (p.min[side] ?? 0) <= (q.max[side] ?? 0) && (q.min[side] ?? 0) <= (p.max[side] ?? 0))

/** Whether all of a box lies in another one. */
export const isWithin = ({ min, max }: Box, box: Box): boolean =>
  [min, max].every((corner) => meet({ min: corner, max: corner }, box))

/** The position nearest to `middle`, to its right or left, at which a shape with that box (about its own origin) meets none of the others. */
export function freePlace(boxes: readonly Box[], own: Box | null, middle: Vec): Vec {
  if (own === null) return middle
  const width = (own.max.x - own.min.x || 1) * (1 + GAP)
  const across: Vec = { ...times(middle, 0), x: width }
  for (let i = 0; i < 2 * MOST_TRIES; i++) {
    const position = plus(middle, times(across, (i % 2 === 0 ? -1 : 1) * Math.ceil(i / 2)))
    const there = { min: plus(own.min, position), max: plus(own.max, position) }
    if (!boxes.some((box) => meet(box, there))) return position
  }
  return middle
}
