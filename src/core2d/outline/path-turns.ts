/**
 * How a path goes on at each of its vertices: it turns, goes straight on or back, or stays where it is.
 *
 * Method: exact orientation signs (`orientation.ts`) over the vertices that differ from the one before.
 * Frame: the path's own.
 */
import { turnAt } from './orientation.ts'

/** The vertex is left out of its path: it falls on the one before (of a closed path, also the last ones on the first). */
export const REPEATED = 2
/** The path goes back along the edge that it came by. */
export const BACK = 3
/** An end of an open path, or its only point. */
const END = 4
/** Otherwise 1 for a turn to the left, −1 to the right, 0 straight on. */
type Turn = -1 | 0 | 1 | typeof REPEATED | typeof BACK | typeof END

/** Fills turns[start … end − 1] for the path over these vertices of x0, y0, x1, y1, … Cost O(end − start). */
export function setTurns(turns: Int8Array, points: Float64Array, start: number, end: number, closed: boolean): void {
  const kept = new Int32Array(end - start)
  let count = 0
  for (let i = start; i < end; i++) {
    if (count > 0 && samePoint(points, kept[count - 1], i)) turns[i] = REPEATED
    else kept[count++] = i
  }
  while (closed && count > 1 && samePoint(points, kept[0], kept[count - 1])) turns[kept[--count]] = REPEATED
  for (let k = 0; k < count; k++) {
    const isEnd = count === 1 || (!closed && (k === 0 || k === count - 1))
    const before = kept[k === 0 ? count - 1 : k - 1]
    turns[kept[k]] = isEnd ? END : turnOver(points, before, kept[k], kept[k === count - 1 ? 0 : k + 1])
  }
}

function samePoint(points: Float64Array, i: number, j: number): boolean {
  return points[2 * i] === points[2 * j] && points[2 * i + 1] === points[2 * j + 1]
}

function turnOver(points: Float64Array, before: number, vertex: number, after: number): Turn {
  const turn = turnAt(points, before, vertex, after)
  if (turn !== 0) return turn
  return goesForward(points, before, vertex) === goesForward(points, vertex, after) ? 0 : BACK
}

/** Whether the way from i to j goes to the right, or straight up. */
function goesForward(points: Float64Array, i: number, j: number): boolean {
  const dx = points[2 * j] - points[2 * i]
  return dx > 0 || (dx === 0 && points[2 * j + 1] > points[2 * i + 1])
}

/**
 * The winding of a closed path whose turns are known: 1 counter-clockwise, −1 clockwise, 0 when all of it lies on one line.
 * It is the first turn from the lowest vertex (of several the leftmost) on, which is the way `setPolygon` sees it.
 */
export function pathWinding(turns: Int8Array, points: Float64Array, start: number, end: number): -1 | 0 | 1 {
  let lowest = start
  for (let i = start + 1; i < end; i++) {
    const dy = points[2 * i + 1] - points[2 * lowest + 1]
    if (turns[i] !== REPEATED && (dy < 0 || (dy === 0 && points[2 * i] < points[2 * lowest]))) lowest = i
  }
  for (let k = 0; k < end - start; k++) {
    const i = lowest + k < end ? lowest + k : lowest + k - end + start
    if (turns[i] === 1 || turns[i] === -1) return turns[i] as 1 | -1
  }
  return 0
}
