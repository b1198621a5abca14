/**
 * A capsule about a convex polygon with a skin, near the least, and a bound below which none is.
 *
 * Method: in each direction the thinnest capsule lies along the middle of the polygon's extent across, and is as short as its caps
 * allow. The best of the directions of edges and of an even fan of others is then turned, thickened and shifted by a pattern search
 * (`numeric/pattern-search.ts`).
 * The bound: a capsule of radius r and core length l about a set of extents w along and h across it has r ≥ h/2 and l + 2r ≥ w, and with
 * l = max(0, w − 2r) area and perimeter rise with r. Between two directions in which the polygon's corners take turns, w and h are
 * concave functions of the angle, so their least values are at the ends.
 * Frame: that of the polygon, in units near its size. Cost O(corners²), of at most `MOST_CORNERS`.
 */

import { spend } from '../../containers/budget.ts'
import { patternSearch, type Steps } from '../../numeric/pattern-search.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import type { Least, Polygon } from './calipers.ts'

export interface FoundCapsule {
  /** Middle and half of the core. */
  x: number
  y: number
  ax: number
  ay: number
  radius: number
  measure: number
  /** No capsule has a smaller measure. */
  lower: number
}

/** A polygon of more corners is seen by as many of them. */
export const MOST_CORNERS = 256
/** Directions of the fan. */
const FAN_COUNT = 128
const STEPS: Steps = { first: Math.PI / FAN_COUNT, halvingCount: 40, roundCount: 400 }

/** Of a polygon of `count` corners of size near 1. */
export function leastCapsule({ hull, hullCount: count, skin }: Polygon, least: Least): FoundCapsule {
  const angles = anglesOf(hull, count)
  let best = capsuleAt(hull, count, skin, least, [0, 0, 0])
  let lower = Infinity
  let [width, height] = extentsAt(hull, count, skin, angles[angles.length - 1] - Math.PI / 2)
  for (const angle of angles) {
    const [w, h] = extentsAt(hull, count, skin, angle)
    // Of both ways round: the fan covers a quarter turn.
    lower = Math.min(lower, boundOf(Math.min(w, width), Math.min(h, height), least))
    lower = Math.min(lower, boundOf(Math.min(h, height), Math.min(w, width), least))
    width = w
    height = h
    for (const way of [angle, angle + Math.PI / 2]) {
      const found = capsuleAt(hull, count, skin, least, [way, 0, 0])
      if (found.measure < best.measure) best = found
    }
  }
  const found = refined(hull, count, skin, least, best)
  return { ...found, lower: Math.min(lower * (1 - 64 * UNIT_ROUNDOFF), found.measure) }
}

/** Angles in a quarter turn at which corners take turns, and some more; the first follows the last by a quarter turn. */
function anglesOf(hull: Float64Array, count: number): number[] {
  const quarter = Math.PI / 2
  const angles = Array.from({ length: FAN_COUNT }, (_, i) => (i * quarter) / FAN_COUNT)
  for (let i = 0; i < count && count > 1; i++) {
    const j = 2 * ((i + 1) % count)
    const angle = Math.atan2(hull[j + 1] - hull[2 * i + 1], hull[j] - hull[2 * i])
    angles.push(((angle % quarter) + quarter) % quarter)
  }
  return angles.sort((a, b) => a - b)
}

function extentsAt(hull: Float64Array, count: number, skin: number, angle: number): [number, number] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  spend(1 + (count >> 2))
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let i = 0; i < 2 * count; i += 2) {
    const along = c * hull[i] + s * hull[i + 1]
    const across = c * hull[i + 1] - s * hull[i]
    if (along < left) left = along
    if (along > right) right = along
    if (across < low) low = across
    if (across > high) high = across
  }
  return [right - left + 2 * skin, high - low + 2 * skin]
}

/** Of extents that are good to some roundoffs of 1. */
function boundOf(along: number, across: number, least: Least): number {
  const width = Math.max(0, along - LOST)
  const height = Math.max(0, across - LOST)
  return measureOf(height / 2, Math.max(0, width - height), least)
}

const LOST = 32 * UNIT_ROUNDOFF

function measureOf(radius: number, length: number, least: Least): number {
  return least === 'area' ? radius * (Math.PI * radius + 2 * length) : 2 * (Math.PI * radius + length)
}

type Choice = readonly [angle: number, thicker: number, shift: number]

interface Candidate extends Omit<FoundCapsule, 'lower'> {
  choice: Choice
}

/** The shortest capsule at an angle, thicker than the thinnest one, and shifted across by some of that. */
function capsuleAt(hull: Float64Array, count: number, skin: number, least: Least, choice: Choice): Candidate {
  const [angle, thicker, shift] = choice
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  spend(1 + (count >> 1))
  let [low, high] = [Infinity, -Infinity]
  for (let i = 0; i < 2 * count; i += 2) {
    const across = c * hull[i + 1] - s * hull[i]
    if (across < low) low = across
    if (across > high) high = across
  }
  const spare = Math.max(0, thicker)
  const core = (high - low) / 2 + spare
  const middle = low + (high - low) / 2 + Math.max(-spare, Math.min(spare, shift))
  // The caps about `start` and `end` reach each corner.
  let [start, end] = [Infinity, -Infinity]
  for (let i = 0; i < 2 * count; i += 2) {
    const along = c * hull[i] + s * hull[i + 1]
    const across = c * hull[i + 1] - s * hull[i] - middle
    const reach = Math.sqrt(Math.max(0, (core - across) * (core + across)))
    if (along + reach < start) start = along + reach
    if (along - reach > end) end = along - reach
  }
  const half = Math.max(0, end - start) / 2
  const center = start + (end - start) / 2
  return {
    x: c * center - s * middle,
    y: s * center + c * middle,
    ax: c * half,
    ay: s * half,
    radius: core + skin,
    measure: measureOf(core + skin, 2 * half, least),
    choice,
  }
}

function refined(hull: Float64Array, count: number, skin: number, least: Least, from: Candidate): Candidate {
  return patternSearch(from, STEPS, (start, step) => {
    let best = start
    for (const [turn, thicken, shift] of MOVES) {
      const [angle, thicker, aside] = best.choice
      const choice: Choice = [angle + turn * step, Math.max(0, thicker + thicken * step), aside + shift * step]
      const found = capsuleAt(hull, count, skin, least, choice)
      if (found.measure < best.measure) best = found
    }
    return best
  })
}

const MOVES: readonly Choice[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 1, 1],
  [0, 1, -1],
  [0, 0, 1],
  [0, 0, -1],
]
