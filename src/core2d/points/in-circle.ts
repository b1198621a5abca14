/**
 * Whether a point lies inside the circle through three others, decided exactly for any finite doubles.
 *
 * Method: the rounded determinant with Shewchuk's bound on its error, then his adaptive test (robust-predicates); where one of
 * its products may have under- or overflowed, exact arithmetic without that risk.
 */

import { incircle } from 'robust-predicates'
import { spend } from '../../containers/budget.ts'
import { createInputRange, exactly, includeInput, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { LARGEST_SAFE_FOURTH, SMALLEST_SAFE_FOURTH, SMALLEST_SAFE_INCIRCLE } from '../../numeric/roundoff.ts'
import { INCIRCLE_ERROR_RATIO } from '../tolerances.ts'

/** What an adaptive test takes: it seldom comes to its end, which would be ten times as far. */
const ADAPTIVE_STEPS = 64

/** 1 when vertex d lies inside the circle through a, b, c, which turn left; −1 outside, 0 on it. */
export function inCircleAt(vertices: Float64Array, a: number, b: number, c: number, d: number): Sign {
  const dx = vertices[2 * d]
  const dy = vertices[2 * d + 1]
  const ax = vertices[2 * a] - dx
  const ay = vertices[2 * a + 1] - dy
  const bx = vertices[2 * b] - dx
  const by = vertices[2 * b + 1] - dy
  const cx = vertices[2 * c] - dx
  const cy = vertices[2 * c + 1] - dy
  if (!(isSafe(ax) && isSafe(ay) && isSafe(bx) && isSafe(by) && isSafe(cx) && isSafe(cy))) {
    return exactInCircle(vertices, a, b, c, d)
  }
  const liftA = ax * ax + ay * ay
  const liftB = bx * bx + by * by
  const liftC = cx * cx + cy * cy
  const bcLeft = bx * cy
  const bcRight = by * cx
  const caLeft = cx * ay
  const caRight = cy * ax
  const abLeft = ax * by
  const abRight = ay * bx
  const determinant = liftA * (bcLeft - bcRight) + liftB * (caLeft - caRight) + liftC * (abLeft - abRight)
  const permanent =
    liftA * (Math.abs(bcLeft) + Math.abs(bcRight)) +
    liftB * (Math.abs(caLeft) + Math.abs(caRight)) +
    liftC * (Math.abs(abLeft) + Math.abs(abRight))
  if (Math.abs(determinant) > INCIRCLE_ERROR_RATIO * permanent) return determinant > 0 ? 1 : -1
  spend(ADAPTIVE_STEPS)
  const adaptive = adaptiveInCircle(vertices, a, b, c, d)
  if (Math.abs(adaptive) > SMALLEST_SAFE_INCIRCLE) return adaptive > 0 ? 1 : -1
  return exactInCircle(vertices, a, b, c, d)
}

/** Whether products of four such differences neither overflow nor lose digits to underflow. */
function isSafe(difference: number): boolean {
  const magnitude = Math.abs(difference)
  return magnitude < LARGEST_SAFE_FOURTH && (magnitude > SMALLEST_SAFE_FOURTH || magnitude === 0)
}

function adaptiveInCircle(vertices: Float64Array, a: number, b: number, c: number, d: number): number {
  return incircle(
    vertices[2 * a],
    vertices[2 * a + 1],
    vertices[2 * b],
    vertices[2 * b + 1],
    vertices[2 * c],
    vertices[2 * c + 1],
    vertices[2 * d],
    vertices[2 * d + 1],
  )
}

function exactInCircle(vertices: Float64Array, a: number, b: number, c: number, d: number): Sign {
  const range = createInputRange()
  for (const i of [a, b, c, d]) {
    includeInput(range, vertices[2 * i])
    includeInput(range, vertices[2 * i + 1])
  }
  return exactly(range, 4, <T>({ of, add, sub, mul, sign }: Ring<T>) => {
    const fromD = (i: number, axis: number): T => sub(of(vertices[2 * i + axis]), of(vertices[2 * d + axis]))
    const [ax, ay, bx, by, cx, cy] = [fromD(a, 0), fromD(a, 1), fromD(b, 0), fromD(b, 1), fromD(c, 0), fromD(c, 1)]
    const lifted = (x: T, y: T, px: T, py: T, qx: T, qy: T): T =>
      mul(add(mul(x, x), mul(y, y)), sub(mul(px, qy), mul(py, qx)))
    return sign(
      add(add(lifted(ax, ay, bx, by, cx, cy), lifted(bx, by, cx, cy, ax, ay)), lifted(cx, cy, ax, ay, bx, by)),
    )
  })
}
