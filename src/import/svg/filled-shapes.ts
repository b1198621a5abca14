/**
 * What the closed rings of a path fill, by its fill rule: outlines with their holes.
 *
 * Rings that do not cross lie in each other or beside each other: how often each is wound about by those around it says whether what
 * is just within it is filled, and it is an outline or a hole where that changes. They stay as they are drawn. Rings that cross themselves
 * or each other are repaired: they are cut into the simple regions that the rule fills. Cost O(n log n), and that of the crossings.
 */

import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { createEdgeIntersection, edgesConflict } from '../../core2d/outline/edge-intersection.ts'
import type { FillRule } from '../../core2d/outline/noded-edges.ts'
import { createOutline, setRings } from '../../core2d/outline/outline.ts'
import { releaseSweep, type SweepLine, sweepRings } from '../../core2d/outline/sweep-line.ts'
import { shownPoint } from '../../wire/bodies/body.ts'
import { closedShape } from '../drawing/closed-shape.ts'
import { countedOutlines, filledBodies } from '../drawing/repaired-shape.ts'

/** What is filled, piece by piece. */
export interface Filled {
  parts: Body2d[]
  /** Where the rings cross, and what was done about it, as a sentence; null where they do not. */
  repaired: string | null
}

/** Or a sentence why nothing is. `offset`: where the rings stand, for sentences. */
export function filledShapes(
  rings: readonly Vec2[][],
  rule: FillRule,
  repair: boolean,
  offset: Vec2 = { x: 0, y: 0 },
): Filled | string {
  const starts = [0]
  for (const ring of rings) starts.push(starts[starts.length - 1] + ring.length)
  const points = Float64Array.from(rings.flat().flatMap(({ x, y }) => [x, y]))
  const outline = createOutline()
  const ringOf = new Int32Array(Math.max(8, points.length / 2))
  setRings(outline, ringOf, points, starts)
  try {
    const sweep = sweepRings(outline, ringOf, rings.length)
    if (sweep.edge < 0) return { parts: nestedShapes(rings, rule, sweep), repaired: null }
    const place = createEdgeIntersection()
    edgesConflict(outline, sweep.edge, sweep.other, place)
    const where = shownPoint({ x: place.x + offset.x, y: place.y + offset.y })
    const fault = `${rings.length === 1 ? 'Its outline crosses itself' : 'Its rings cross or overlap'}, as at ${where}`
    if (!repair) return `${fault}.`
    const parts = filledBodies(points, starts, rule)
    if (typeof parts === 'string') return `${fault}: ${parts}`
    return { parts, repaired: `${fault}. What the rule ${rule} fills is taken: ${countedOutlines(parts.length)}.` }
  } finally {
    releaseSweep()
  }
}

/** What is known of a ring: how often what is just within it is wound about, by how many rings, and the outline that it is part of. */
interface Within {
  winding: number
  depth: number
  isFilled: boolean
  outline: number
}

const OUTSIDE: Within = { winding: 0, depth: 0, isFilled: false, outline: -1 }

/** Of rings that do not cross. */
function nestedShapes(rings: readonly Vec2[][], rule: FillRule, { windings, parents }: SweepLine): Body2d[] {
  if (rings.length === 1) return [{ shape: closedShape(rings[0]) }]
  const known: (Within | undefined)[] = []
  const within = (ring: number): Within => (ring < 0 ? OUTSIDE : (known[ring] as Within))
  const parts = new Map<number, { outer: Vec2[]; holes: Vec2[][] }>()
  rings.forEach((_, ring) => {
    // From the outside in, as far as it is not known yet.
    const path: number[] = []
    for (let at = ring; at >= 0 && windings[at] !== 0 && known[at] === undefined; at = parents[at]) path.push(at)
    for (let at = path.pop(); at !== undefined; at = path.pop()) {
      const around = within(parents[at])
      const winding = around.winding + windings[at]
      const depth = around.depth + 1
      const isFilled = rule === 'evenodd' ? depth % 2 === 1 : winding !== 0
      const begins = isFilled && !around.isFilled
      known[at] = { winding, depth, isFilled, outline: begins ? at : around.outline }
    }
  })
  rings.forEach((outer, ring) => {
    if (known[ring]?.outline === ring) parts.set(ring, { outer, holes: [] })
  })
  rings.forEach((hole, ring) => {
    const { isFilled, outline } = known[ring] ?? OUTSIDE
    if (known[ring] !== undefined && !isFilled && within(parents[ring]).isFilled) parts.get(outline)?.holes.push(hole)
  })
  return [...parts.values()].map(({ outer, holes }) => {
    return { shape: holes.length === 0 ? closedShape(outer) : { type: 'region', outer, holes } }
  })
}
