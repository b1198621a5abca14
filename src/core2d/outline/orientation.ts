/**
 * The side of a line that a point lies on, decided exactly for any finite doubles.
 *
 * Method: the rounded determinant with Shewchuk's bound on its error, then his adaptive orientation test (robust-predicates);
 * where one of its products may have underflowed, or a difference overflowed, exact arithmetic without that risk.
 */

import { orient2d } from 'robust-predicates'
import { spend } from '../../containers/budget.ts'
import { createInputRange, exactly, includeInput, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { SMALLEST_SAFE_DETERMINANT } from '../../numeric/roundoff.ts'
import { SMALLEST_SAFE_TURN, TURN_ERROR_RATIO } from '../tolerances.ts'

/** Steps of an adaptive test, nearly at most. */
const ADAPTIVE_STEPS = 8
/** A power of two. */
const UP = 1 / SMALLEST_SAFE_TURN

/** 1 when c lies to the left of the way from a to b, −1 to the right, 0 on the line (or a = b). */
export function orientation(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): Sign {
  const left = (ax - cx) * (by - cy)
  const right = (ay - cy) * (bx - cx)
  const turn = left - right
  if (Math.abs(turn) > TURN_ERROR_RATIO * (Math.abs(left) + Math.abs(right)) + SMALLEST_SAFE_DETERMINANT) {
    return turn > 0 ? 1 : -1
  }
  return closeOrientation(ax, ay, bx, by, cx, cy)
}

/** The orientation where rounding leaves it open. */
function closeOrientation(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): Sign {
  // Edges that share a vertex, and the lines of a grid, come here often.
  if ((ax === cx && ay === cy) || (bx === cx && by === cy)) return 0
  if ((ax === bx && ax === cx) || (ay === by && ay === cy)) return 0
  const largest = Math.max(Math.abs(ax), Math.abs(ay), Math.abs(bx), Math.abs(by), Math.abs(cx), Math.abs(cy))
  if (largest < SMALLEST_SAFE_TURN) {
    // Exact, and after it the quick ways hold: thousands of points this close to the origin would take seconds without.
    return orientation(ax * UP, ay * UP, bx * UP, by * UP, cx * UP, cy * UP)
  }
  // A difference that overflows would outweigh any product.
  if (largest > Number.MAX_VALUE / 2) return exactOrientation(ax, ay, bx, by, cx, cy)
  spend(ADAPTIVE_STEPS)
  const clockwise = orient2d(ax, ay, bx, by, cx, cy)
  if (clockwise > SMALLEST_SAFE_DETERMINANT) return -1
  if (clockwise < -SMALLEST_SAFE_DETERMINANT) return 1
  return exactOrientation(ax, ay, bx, by, cx, cy)
}

function exactOrientation(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): Sign {
  const range = createInputRange()
  for (const value of [ax, ay, bx, by, cx, cy]) includeInput(range, value)
  return exactly(range, 2, <T>({ of, sub, mul, sign }: Ring<T>) => {
    const left = mul(sub(of(bx), of(ax)), sub(of(cy), of(ay)))
    return sign(sub(left, mul(sub(of(by), of(ay)), sub(of(cx), of(ax)))))
  })
}

/** The orientation of three vertices of a list x0, y0, x1, y1, …: 1 when the way from h over i to j turns left. */
export function turnAt(vertices: Float64Array, h: number, i: number, j: number): Sign {
  return orientation(
    vertices[2 * h],
    vertices[2 * h + 1],
    vertices[2 * i],
    vertices[2 * i + 1],
    vertices[2 * j],
    vertices[2 * j + 1],
  )
}

/** Whether all points lie on one line, or are the same; there must be one. */
export function areInLine(points: readonly { x: number; y: number }[]): boolean {
  const p = points[0]
  const q = points.find(({ x, y }) => x !== p.x || y !== p.y)
  return q === undefined || points.every(({ x, y }) => orientation(p.x, p.y, q.x, q.y, x, y) === 0)
}
