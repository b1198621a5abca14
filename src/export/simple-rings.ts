/**
 * Rings that adding a position or turning has rounded, kept from crossing.
 *
 * Method: a sweep finds two edges in conflict; of their ends, one after the other is moved by single units in the last place, and the
 * first move after which nothing is in conflict is taken. Where there is none, the first that ends this conflict is, and it goes on.
 */

import type { Vec2 } from '../../schemas/vec2.ts'
import { createOutline, setRings } from '../core2d/outline/outline.ts'
import { releaseSweep, sweepRings } from '../core2d/outline/sweep-line.ts'

/** Vertices of rings that are looked at: more would hold others up. */
const MOST_VERTICES = 20_000
/** Vertices looked at in all tries together. */
const MOST_LOOKS = 2 ** 20

/** The same rings where they do not cross, or where no moves of last digits help. */
export function simpleRings(rings: Vec2[][]): Vec2[][] {
  const count = rings.reduce((sum, ring) => sum + ring.length, 0)
  if (count > MOST_VERTICES) return rings
  try {
    let current = rings
    for (let left = MOST_LOOKS; left > 0; ) {
      const conflict = conflictOf(current)
      if (conflict === null) return current
      let better: Vec2[][] | null = null
      for (const moved of movesOf(current, conflict)) {
        left -= count
        const next = conflictOf(moved)
        if (next === null) return moved
        if (better === null && !isSameConflict(conflict, next)) better = moved
        if (left <= 0) return rings
      }
      if (better === null) return rings
      current = better
    }
    return rings
  } finally {
    releaseSweep()
  }
}

/** The ends of two edges in conflict. */
type Conflict = readonly Vec2[]

function conflictOf(rings: readonly Vec2[][]): Conflict | null {
  const starts = [0]
  for (const ring of rings) starts.push(starts[starts.length - 1] + ring.length)
  const points = Float64Array.from(rings.flat().flatMap(({ x, y }) => [x, y]))
  const outline = createOutline()
  const ringOf = new Int32Array(Math.max(8, points.length / 2))
  setRings(outline, ringOf, points, starts)
  const { edge, other } = sweepRings(outline, ringOf, rings.length)
  if (edge < 0) return null
  const { vertices, edgeEnd } = outline
  return [edge, edgeEnd[edge], other, edgeEnd[other]].map((i) => ({ x: vertices[2 * i], y: vertices[2 * i + 1] }))
}

function isSameConflict(a: Conflict, b: Conflict): boolean {
  return a.every(({ x, y }, k) => x === b[k].x && y === b[k].y)
}

/** Units in the last place by which a vertex is moved, the least first. */
const STEPS = [1, -1, 2, -2, 3, -3]

/** All vertices that lie where one of the ends does are moved together, so that rings that touch go on touching. */
function* movesOf(rings: readonly Vec2[][], conflict: Conflict): Generator<Vec2[][], void, undefined> {
  for (const step of STEPS) {
    for (const end of conflict) {
      for (const axis of ['x', 'y'] as const) {
        const to = { ...end, [axis]: stepped(end[axis], step) }
        yield rings.map((ring) => ring.map((point) => (point.x === end.x && point.y === end.y ? to : point)))
      }
    }
  }
}

const view = new DataView(new ArrayBuffer(8))

/** The double so many further away from 0, or closer to it. */
function stepped(value: number, steps: number): number {
  if (value === 0) return steps * Number.MIN_VALUE
  view.setFloat64(0, value)
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(steps))
  return view.getFloat64(0)
}
