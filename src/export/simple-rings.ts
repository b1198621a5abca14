/**
 * Rings that adding a position or turning has rounded, kept from crossing.
 *
 * Method: a sweep finds two edges in conflict. Mostly one of their ends has come to lie on the wrong side of the other edge, the side
 * on which its neighbours do not lie: it is moved back by a few units in the last place. Else the ends are moved one after the other by
 * single units, and the first move after which nothing is in conflict is taken, or the first that ends this conflict. And so on.
 */

import type { Vec2 } from '../../schemas/vector.ts'
import { orientation } from '../core2d/outline/orientation.ts'
import { createOutline, setRings } from '../core2d/outline/outline.ts'
import { releaseSweep, sweepRings } from '../core2d/outline/sweep-line.ts'

/** Vertices of rings that are looked at: more would hold others up. */
const MOST_VERTICES = 20_000
/** Vertices looked at in all tries together. */
const MOST_LOOKS = 2 ** 20

/** Times that a vertex is moved back, in the mean: two edges may push it to and fro. */
const MOST_PUSHES = 2

/** Rings whose sides do not cross, made by moving last digits; returns the rings as they are where they do not cross or no such move helps. */
export function simpleRings(rings: Vec2[][]): Vec2[][] {
  const count = rings.reduce((sum, ring) => sum + ring.length, 0)
  if (count > MOST_VERTICES) return rings
  try {
    return withPushes(rings, count) ?? withMoves(rings, count) ?? rings
  } finally {
    releaseSweep()
  }
}

/** Ends are moved back one after the other; null where that does not help. */
function withPushes(rings: Vec2[][], count: number): Vec2[][] | null {
  let current = rings
  let left = Math.min(MOST_PUSHES * count, MOST_LOOKS / count)
  for (let conflict = conflictOf(current); conflict !== null; conflict = conflictOf(current)) {
    const pushed = left-- > 0 ? pushedBack(current, conflict) : null
    if (pushed === null) return null
    current = pushed
  }
  return current
}

/** Moves are tried until nothing is in conflict. */
function withMoves(rings: Vec2[][], count: number): Vec2[][] | null {
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
      if (left <= 0) return null
    }
    if (better === null) return null
    current = better
  }
  return null
}

/** The ends of two edges in conflict. */
type Conflict = readonly [Vec2, Vec2, Vec2, Vec2]

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
  const at = (i: number): Vec2 => ({ x: vertices[2 * i], y: vertices[2 * i + 1] })
  return [at(edge), at(edgeEnd[edge]), at(other), at(edgeEnd[other])]
}

function isSameConflict(a: Conflict, b: Conflict): boolean {
  return a.every((end, k) => isAt(end, b[k]))
}

/** The rings with the end that lies nearest to the other edge on the side of its neighbours; null where they lie on both, or on none. */
function pushedBack(rings: readonly Vec2[][], [a, b, c, d]: Conflict): Vec2[][] | null {
  for (const [end, from, to] of nearestFirst([a, b, c, d])) {
    if (isAt(end, from) || isAt(end, to)) continue
    const side = sideOfNeighbours(rings, end, from, to)
    if (side === 0) continue
    const back = movedTo(side, end, from, to, greatest(rings) * Number.EPSILON)
    if (back !== null) return withMoved(rings, end, back)
  }
  return null
}

function isAt(a: Vec2, b: Vec2): boolean {
  return a.x === b.x && a.y === b.y
}

/** 1 or −1: all neighbours of the vertices at a place that do not lie on the line lie on its left, or its right; else 0. */
function sideOfNeighbours(rings: readonly Vec2[][], place: Vec2, from: Vec2, to: Vec2): number {
  let side = 0
  for (const ring of rings) {
    for (const [k, point] of ring.entries()) {
      if (!isAt(point, place)) continue
      for (const near of [ring[(k + 1) % ring.length], ring[(k + ring.length - 1) % ring.length]]) {
        const its = Math.sign(orientation(from.x, from.y, to.x, to.y, near.x, near.y))
        if (its === -side && its !== 0) return 0
        if (its !== 0) side = its
      }
    }
  }
  return side
}

/** A vertex is moved back by a sixteenth of the unit of the greatest coordinate or more, doubled so often. */
const LEAST_UNIT = 1 / 16
const MOST_DOUBLINGS = 9

/** The point moved as little as may be, so that it lies strictly on that side of the line; null where that is far. */
function movedTo(side: number, point: Vec2, from: Vec2, to: Vec2, unit: number): Vec2 | null {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const isFlat = Math.abs(dx) >= Math.abs(dy)
  const [axis, sense] = isFlat ? (['y', Math.sign(dx)] as const) : (['x', -Math.sign(dy)] as const)
  const value = point[axis]
  const last = Math.max(Math.abs(value) * Number.EPSILON, unit * LEAST_UNIT)
  for (let by = Math.min(last, unit), k = 0; k < MOST_DOUBLINGS; by *= 2, k++) {
    const moved = { ...point, [axis]: value + side * sense * by }
    if (Math.sign(orientation(from.x, from.y, to.x, to.y, moved.x, moved.y)) === side) return moved
  }
  return null
}

/** All vertices at the one place are moved to the other, so that rings that touch go on touching. */
function withMoved(rings: readonly Vec2[][], from: Vec2, to: Vec2): Vec2[][] {
  return rings.map((ring) => ring.map((point) => (isAt(point, from) ? to : point)))
}

/** Units in the last place by which a coordinate is moved, its own and that of the greatest: near 0 the rounding of others is more. */
const STEPS = [1, 2, 3]
const UNITS = [1, 2, 4]

function* movesOf(rings: readonly Vec2[][], conflict: Conflict): Generator<Vec2[][], void, undefined> {
  const unit = greatest(rings) * Number.EPSILON
  const ends = nearestFirst(conflict)
  const ways: ((value: number) => number)[] = [
    ...STEPS.flatMap((step) => [(value: number) => stepped(value, step), (value: number) => stepped(value, -step)]),
    ...UNITS.flatMap((step) => [(value: number) => value + step * unit, (value: number) => value - step * unit]),
  ]
  for (const way of ways) {
    for (const [end] of ends) {
      for (const axis of ['x', 'y'] as const) {
        yield withMoved(rings, end, { ...end, [axis]: way(end[axis]) })
      }
    }
  }
}

/** Magnitude of the greatest coordinate. */
function greatest(rings: readonly Vec2[][]): number {
  let most = 0
  for (const ring of rings) for (const { x, y } of ring) most = Math.max(most, Math.abs(x), Math.abs(y))
  return most
}

/** The ends, each with the other edge: that one first which lies nearest to the line of that. */
function nearestFirst([a, b, c, d]: Conflict): [Vec2, Vec2, Vec2][] {
  const from = ([p, u, v]: [Vec2, Vec2, Vec2]) =>
    Math.abs((v.x - u.x) * (p.y - u.y) - (v.y - u.y) * (p.x - u.x)) / Math.hypot(v.x - u.x, v.y - u.y)
  const ends: [Vec2, Vec2, Vec2][] = [
    [a, c, d],
    [b, c, d],
    [c, a, b],
    [d, a, b],
  ]
  return ends.sort((p, q) => from(p) - from(q))
}

const view = new DataView(new ArrayBuffer(8))

/** The double so many further away from 0, or closer to it. */
function stepped(value: number, steps: number): number {
  if (value === 0) return steps * Number.MIN_VALUE
  view.setFloat64(0, value)
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(steps))
  return view.getFloat64(0)
}
