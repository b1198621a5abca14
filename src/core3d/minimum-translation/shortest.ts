/**
 * The shortest vector on or beyond up to four planes, of which the last is known to have a part in it.
 *
 * Method: it lies across the planes that it is on, with no weight against one (Karush, Kuhn, Tucker); at most three are needed. The few
 * sets of them are tried one after the other.
 */

import { cross, dot, type Vector } from '../shape/body.ts'
import { PARALLEL_WALLS_RATIO } from './tolerances.ts'
import type { Wall } from './walls.ts'

export interface Shortest {
  place: Vector
  /** Indices of the walls that it is on. */
  walls: readonly number[]
}

/** `kept`: up to three others that it is to be beyond, but for the slack. Null where no vector is. */
export function shortestBeyond(
  walls: readonly Wall[],
  kept: readonly number[],
  added: number,
  slack: number,
): Shortest | null {
  const size = kept.length
  const wall = walls[added]
  // Those that it is on besides: none, one or two of the others.
  for (let i = -1; i < size; i++) {
    const place = i < 0 ? placeOn([wall]) : placeOn([walls[kept[i]], wall])
    if (place === null || !isBeyond(walls, kept, place, slack, i, i)) continue
    return { place, walls: i < 0 ? [added] : [kept[i], added] }
  }
  for (let i = 0; i < size; i++) {
    for (let j = i + 1; j < size; j++) {
      const place = placeOn([walls[kept[i]], walls[kept[j]], wall])
      if (place === null || !isBeyond(walls, kept, place, slack, i, j)) continue
      return { place, walls: [kept[i], kept[j], added] }
    }
  }
  return null
}

/** Whether the place is beyond the walls kept but for two, which it is on. */
function isBeyond(
  walls: readonly Wall[],
  kept: readonly number[],
  place: Vector,
  slack: number,
  i: number,
  j: number,
): boolean {
  for (let k = 0; k < kept.length; k++) {
    const { normal, height } = walls[kept[k]]
    if (k !== i && k !== j && dot(normal, place) < height - slack) return false
  }
  return true
}

/** The shortest vector on all of up to three planes; null where one of them holds it back, or two are parallel. */
function placeOn(on: readonly Wall[]): Vector | null {
  const [n, m, o] = on
  if (on.length === 1) return n.height >= 0 ? combined(n.normal, n.height) : null
  const duals = dualsOf(n.normal, m.normal, o?.normal)
  if (duals === null) return null
  const [p, q, r] = duals
  const place = combined(p, n.height, q, m.height, r, o?.height)
  const isHeld = dot(p, place) < 0 || dot(q, place) < 0 || (r !== undefined && dot(r, place) < 0)
  return isHeld ? null : place
}

/** The shortest vector that leads off each of up to three planes by one; 0 0 0 where there is none. */
export function wayOff(normals: readonly Vector[]): Vector {
  const [n, m, o] = normals
  if (n === undefined || m === undefined) return n ?? [0, 0, 0]
  const duals = dualsOf(n, m, o)
  return duals === null ? [0, 0, 0] : combined(duals[0], 1, duals[1], 1, duals[2], 1)
}

/** For each of two or three unit vectors the one in their span with which it has the product 1, and the others 0; null where they are not independent. */
function dualsOf(n: Vector, m: Vector, o: Vector | undefined): Vector[] | null {
  if (o === undefined) {
    const c = dot(n, m)
    const d = cross(n, m)
    const det = dot(d, d)
    if (det < PARALLEL_WALLS_RATIO) return null
    return [combined(n, 1 / det, m, -c / det), combined(m, 1 / det, n, -c / det)]
  }
  const mo = cross(m, o)
  const det = dot(n, mo)
  if (det * det < PARALLEL_WALLS_RATIO) return null
  return [combined(mo, 1 / det), combined(cross(o, n), 1 / det), combined(cross(n, m), 1 / det)]
}

/** a p + b q + c r, without negative zeros. */
function combined(p: Vector, a: number, q?: Vector, b = 0, r?: Vector, c = 0): Vector {
  if (q === undefined) return [a * p[0] + 0, a * p[1] + 0, a * p[2] + 0]
  if (r === undefined) return [a * p[0] + b * q[0] + 0, a * p[1] + b * q[1] + 0, a * p[2] + b * q[2] + 0]
  return [a * p[0] + b * q[0] + c * r[0] + 0, a * p[1] + b * q[1] + c * r[1] + 0, a * p[2] + b * q[2] + c * r[2] + 0]
}
