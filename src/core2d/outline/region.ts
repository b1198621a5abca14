/**
 * Regions: outlines with an inside, set from rings that have been found to bound one.
 *
 * Frame: as `outline.ts`.
 */

import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/kept-entries.ts'
import {
  addPath,
  beginOutline,
  closePath,
  createOutline,
  createOutlineArrays,
  type Outline,
  type SplitRings,
  setBands,
  setRings,
} from './outline.ts'
import { checkRings, type OutlineFault } from './ring-check.ts'
import { knownWindings } from './ring-windings.ts'
import { linkWedges, splitRings } from './split-rings.ts'
import { createTouching, releaseSweep } from './sweep-line.ts'

/** The rings of the region that is being set, before turning. */
const unturned = createOutline()
let ringOf = new Int32Array(8)
let touching = createTouching()

/**
 * Fills `outline` with a region turned by (cos, sin). `points`: x0, y0, … of all rings, ring r (0: outer, 1…: holes) from
 * vertex ringStarts[r] to ringStarts[r + 1]. Returns false with `fault` set when they do not bound a region; that is decided
 * on the unturned vertices. Cost O(n log n). `isPlain`: they have been found before to bound a region that does not touch itself;
 * that is not decided again then, and the cost is O(n). `asDrawn`: where it touches itself it is left as the user has linked it, for
 * whoever does not ask which passage is followed by which.
 */
export function setRegion(
  outline: Outline,
  points: Float64Array,
  ringStarts: readonly number[],
  cos: number,
  sin: number,
  fault: OutlineFault,
  isPlain = false,
  asDrawn = false,
): boolean {
  const ringCount = ringStarts.length - 1
  spend(4 * ringStarts[ringCount] + ringCount)
  try {
    gatherRings(points, ringStarts)
    const known = isPlain ? knownWindings(unturned, ringOf, ringCount) : null
    const windings = known ?? checkRings(unturned, ringOf, ringCount, fault, touching)
    if (windings === null) return false
    if (asDrawn || touching.all.length === 0) setSolid(outline, points, ringStarts, windings, cos, sin)
    else setTouching(outline, splitRings(unturned, ringOf, ringCount, touching.all), windings, cos, sin)
    return true
  } finally {
    if (touching.edges.length > 0) touching = createTouching()
    if (ringOf.length > KEPT_ENTRIES) {
      Object.assign(unturned, createOutlineArrays(8))
      ringOf = new Int32Array(8)
    }
    releaseSweep()
  }
}

function setSolid(
  outline: Outline,
  points: Float64Array,
  ringStarts: readonly number[],
  windings: Int8Array,
  cos: number,
  sin: number,
  split: SplitRings | null = null,
): void {
  const ringCount = ringStarts.length - 1
  // `points` may have room for far more
  beginOutline(outline, ringStarts[ringCount])
  outline.solid = windings[0] !== 0
  for (let ring = 0; ring < ringCount; ring++) {
    if (ring > 0 && windings[ring] === 0) continue
    const first = outline.edgeCount
    addPath(outline, points, ringStarts[ring], ringStarts[ring + 1], runsForward(windings, ring), cos, sin, split)
    closePath(outline)
    if (split !== null) mergeEnds(split, ringStarts[ring], ringStarts[ring + 1], first, outline.vertexCount)
  }
  setBands(outline)
}

/** The last vertices of a closed path may have been merged with its first one. */
function mergeEnds({ slots }: SplitRings, start: number, end: number, first: number, count: number): void {
  for (let i = start; i < end; i++) if (slots[i] >= count) slots[i] = first
}

/** Whether a ring has the inside of the region to its left in the user's order. */
function runsForward(windings: Int8Array, ring: number): boolean {
  return ring === 0 ? windings[ring] >= 0 : windings[ring] < 0
}

function setTouching(outline: Outline, split: SplitRings, windings: Int8Array, cos: number, sin: number): void {
  const { points, ringStarts } = split
  setSolid(outline, points, ringStarts, windings, cos, sin, split)
  outline.touchesItself = true
  linkWedges(
    outline,
    split,
    Array.from({ length: ringStarts.length - 1 }, (_, ring) => runsForward(windings, ring)),
  )
}

/** Fills `unturned` with all rings that have an area, as the user gave them, and `ringOf` with the ring of each edge. */
function gatherRings(points: Float64Array, ringStarts: readonly number[]): void {
  beginOutline(unturned, points.length / 2)
  if (ringOf.length < unturned.edgeEnd.length) ringOf = new Int32Array(unturned.edgeEnd.length)
  setRings(unturned, ringOf, points, ringStarts)
}
