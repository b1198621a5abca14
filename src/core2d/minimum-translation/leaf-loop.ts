/**
 * A leaf of a body as the search for the minimum translation sees it: a point loop that knows at which of its points and edges
 * the whole body has an outside.
 *
 * An edge of an outline is a loop of two points. Of a solid outline only its right side is outer; at a vertex the
 * directions between the normals of its two edges are outer, and none where the outline bends the other way.
 * Frame: as `search-body.ts`.
 */
import { PARALLEL_RATIO } from '../tolerances.ts'

export const CONVEX = 0
export const LINE_WORK = 1
export const SOLID = 2

/** A leaf as a counter-clockwise loop of core points with a skin; edge i runs from point i to the next one. */
export interface Leaf {
  /** Leaf of the composite; −1 when the record holds none. */
  index: number
  part: number
  count: number
  x: Float64Array
  y: Float64Array
  nx: Float64Array
  ny: Float64Array
  /** Order of the edges by direction, see `turnOf`, and the edge that comes first. */
  turns: Float64Array
  firstEdge: number
  radius: number
  /** CONVEX for a part of its own (or a single point); LINE_WORK or SOLID for an edge of an outline. */
  outline: 0 | 1 | 2
  /** A convex part without an inside: a point or a segment. */
  flat: boolean
  /** Whether no other edge of the outline starts at point 1. */
  ownsEnd: boolean
  /** Outer directions at points 0 and 1 of an outline's edge, counter-clockwise from … to …; none where `hasCone` is 0. */
  hasCone: Uint8Array
  coneFromX: Float64Array
  coneFromY: Float64Array
  coneToX: Float64Array
  coneToY: Float64Array
  /** Lengths of the edges whose normals bound these directions. */
  coneFromLength: Float64Array
  coneToLength: Float64Array
}

export function createLeaf(): Leaf {
  return {
    index: -1,
    part: 0,
    count: 0,
    ...createLoop(8),
    firstEdge: 0,
    radius: 0,
    outline: CONVEX,
    flat: false,
    ownsEnd: false,
    hasCone: new Uint8Array(2),
    coneFromX: new Float64Array(2),
    coneFromY: new Float64Array(2),
    coneToX: new Float64Array(2),
    coneToY: new Float64Array(2),
    coneFromLength: new Float64Array(2),
    coneToLength: new Float64Array(2),
  }
}

function createLoop(capacity: number): Pick<Leaf, 'x' | 'y' | 'nx' | 'ny' | 'turns'> {
  return {
    x: new Float64Array(capacity),
    y: new Float64Array(capacity),
    nx: new Float64Array(capacity),
    ny: new Float64Array(capacity),
    turns: new Float64Array(capacity),
  }
}

export function reserveLeaf(leaf: Leaf, count: number): void {
  leaf.count = count
  if (leaf.x.length < count) Object.assign(leaf, createLoop(2 ** Math.ceil(Math.log2(count))))
}

/**
 * Outer directions where an edge with normal (fx, fy) and length `fl` is followed by one with normal (tx, ty) and length `tl`. Where
 * they go straight on but for rounding, these are the normals' own: an edge of the other body along both lies on either.
 */
export function setJoint(
  leaf: Leaf,
  point: number,
  fx: number,
  fy: number,
  fl: number,
  tx: number,
  ty: number,
  tl: number,
): void {
  const turn = fx * ty - fy * tx
  const straight = Math.abs(turn) <= PARALLEL_RATIO
  if (turn > 0 || straight) setCone(leaf, point, fx, fy, fl, tx, ty, tl)
  else if (leaf.outline === LINE_WORK) setCone(leaf, point, -tx, -ty, tl, -fx, -fy, fl)
  else leaf.hasCone[point] = 0
}

export function setCone(
  leaf: Leaf,
  point: number,
  fx: number,
  fy: number,
  fl: number,
  tx: number,
  ty: number,
  tl: number,
): void {
  leaf.hasCone[point] = 1
  leaf.coneFromX[point] = fx
  leaf.coneFromY[point] = fy
  leaf.coneFromLength[point] = fl
  leaf.coneToX[point] = tx
  leaf.coneToY[point] = ty
  leaf.coneToLength[point] = tl
}

/**
 * Whether the unit normal (x, y) of an edge so long lies among the outer directions at a point of an outline's edge, up to
 * rounding. `error`: bound on how far rounding moves vertices: the shorter an edge, the more it turns.
 */
export function isOuterDirection(
  leaf: Leaf,
  point: number,
  x: number,
  y: number,
  length: number,
  error: number,
): boolean {
  if (leaf.hasCone[point] === 0) return false
  const fx = leaf.coneFromX[point]
  const fy = leaf.coneFromY[point]
  const tx = leaf.coneToX[point]
  const ty = leaf.coneToY[point]
  if (!isParallel(Math.max(x * fy - y * fx, 0), leaf.coneFromLength[point], length, error)) return false
  if (!isParallel(Math.max(y * tx - x * ty, 0), leaf.coneToLength[point], length, error)) return false
  return (fx + tx) * x + (fy + ty) * y >= -PARALLEL_RATIO
}

/** Whether two edges with this sine between them and these lengths may be parallel but for rounding. */
export function isParallel(sine: number, length: number, otherLength: number, error: number): boolean {
  return sine <= PARALLEL_RATIO || sine * Math.min(length, otherLength) <= error
}

/** A number in [0, 4) that grows with the angle of the unit direction (x, y) from the x axis. */
function turnOf(x: number, y: number): number {
  if (y >= 0) return x > 0 ? y / (x + y) : 1 + x / (x - y)
  return x < 0 ? 2 + y / (x + y) : 3 + x / (x - y)
}

/**
 * Sets the order of the edges of a convex loop by direction. Where a loop is so thin that rounding turns an edge behind the one
 * before it, the two count as parallel: the order is that of the loop.
 */
export function orderEdges(leaf: Leaf, sign: 1 | -1): void {
  const { nx, ny, turns, count } = leaf
  leaf.firstEdge = 0
  if (count === 1) return
  for (let i = 0; i < count; i++) {
    turns[i] = turnOf(-sign * ny[i], sign * nx[i])
    if (turns[i] < turns[leaf.firstEdge]) leaf.firstEdge = i
  }
  if (count > 2) straightenTurns(leaf)
}

function straightenTurns(leaf: Leaf): void {
  const { turns, count } = leaf
  for (let i = 1; i < count; i++) {
    const before = leaf.firstEdge === 0 ? count - 1 : leaf.firstEdge - 1
    // From the last edge to the first the number falls by 2 or more.
    if (turns[leaf.firstEdge] - turns[before] <= -1) break
    leaf.firstEdge = before
  }
  let last = turns[leaf.firstEdge]
  for (let i = 1, k = leaf.firstEdge; i < count; i++) {
    k = k + 1 === count ? 0 : k + 1
    // A step back, or one of nearly a whole turn.
    if (turns[k] < last || turns[k] > last + 3) turns[k] = last
    else last = turns[k]
  }
}
