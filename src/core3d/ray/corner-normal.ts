/**
 * The normal nearest to a given direction of those that a core has at a corner or along an edge.
 *
 * Method: the normals at a point are the vectors that lead away from all of the core. The nearest of them to a direction is what is
 * left of it once the nearest vector of the cone that the core spans from there is taken away: least squares with shares of at
 * least 0 (C. Lawson, R. Hanson, "Solving Least Squares Problems", 1974, chapter 23), of at most three of the core's points.
 * Frame: any. Cost: O(points) for each of a few steps.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { type Body, dot, plus, type Vector } from '../shape/body.ts'
import { CORNER_NORMAL_COUNT, CORNER_NORMAL_RATIO } from '../tolerances.ts'
import { type RayLine, type SpanEnd, setNormal } from './ray-line.ts'

/** Has the normal at a corner or edge lead away from all of the core, and against the ray where that comes in. */
export function keepOutward(line: RayLine, body: Body, end: SpanEnd, side: -1 | 1): void {
  const { first, second, face, nx, ny, nz } = end
  if (face >= 0 || first < 0 || body.count < 2) return
  const way: Vector = [side * line.ux, side * line.uy, side * line.uz]
  const facing = (n: Vector | null): boolean => n !== null && dot(n, way) > -CORNER_NORMAL_RATIO
  let normal = cornerNormal(body, first, second, [nx, ny, nz])
  if (!facing(normal)) normal = cornerNormal(body, first, second, way)
  // A ray along an edge, or along the core to a corner, only grazes it.
  if (!facing(normal)) normal = cornerNormal(body, first, second, acrossOf(way))
  if (normal !== null) setNormal(end, normal[0], normal[1], normal[2])
}

/** A unit vector at right angles to another. */
function acrossOf([x, y, z]: Vector): Vector {
  const isFlat = Math.abs(x) < Math.abs(y)
  const length = isFlat ? Math.hypot(y, z) : Math.hypot(x, z)
  return isFlat ? [0, z / length, -y / length] : [-z / length, 0, x / length]
}

/** The unit normal at core point i, or along the edge from there to j, nearest to the direction; null where all normals lead the other way. */
function cornerNormal(body: Body, i: number, j: number, direction: Vector): Vector | null {
  const { count } = body
  // Along an edge nothing leads on, nor back.
  const back = j >= 0 && j !== i ? unitBetween(body, j, i) : null
  let active: Vector[] = []
  let left = direction
  for (let step = 0; step < CORNER_NORMAL_COUNT; step++) {
    spend(1 + (count >> 1))
    let worst = CORNER_NORMAL_RATIO
    let next: Vector | null = null
    for (let k = -1; k < count; k++) {
      const way = k < 0 ? back : k === i ? null : unitBetween(body, i, k)
      if (way === null || dot(way, left) <= worst) continue
      worst = dot(way, left)
      next = way
    }
    if (next === null) break
    active = spanned([...active, next], direction)
    const shares = sharesOf(active, direction)
    left = active.reduce((rest, way, k) => plus(rest, way, -shares[k]), direction)
  }
  const length = vectorLength3d(left[0], left[1], left[2])
  return length > CORNER_NORMAL_RATIO ? [left[0] / length, left[1] / length, left[2] / length] : null
}

/** From one core point to another; null where they are one. */
function unitBetween({ numbers, local }: Body, from: number, to: number): Vector | null {
  const a = local + 3 * from
  const b = local + 3 * to
  const x = numbers[b] - numbers[a]
  const y = numbers[b + 1] - numbers[a + 1]
  const z = numbers[b + 2] - numbers[a + 2]
  const length = vectorLength3d(x, y, z)
  return length > 0 ? [x / length, y / length, z / length] : null
}

/** Of the ways the fewest, the last one among them, that the nearest vector of their cone is made of. */
function spanned(ways: readonly Vector[], direction: Vector): Vector[] {
  const last = ways[ways.length - 1]
  let best: Vector[] = [last]
  let nearest = Infinity
  for (let mask = 0; mask < 2 ** (ways.length - 1); mask++) {
    const some = [...ways.filter((_, k) => k < ways.length - 1 && ((mask >> k) & 1) === 1), last]
    if (some.length > 3) continue
    const shares = sharesOf(some, direction)
    if (!shares.every((share) => share >= 0 && share < Infinity)) continue
    const rest = some.reduce((left, way, k) => plus(left, way, -shares[k]), direction)
    if (dot(rest, rest) >= nearest) continue
    nearest = dot(rest, rest)
    best = some
  }
  return best
}

/** Of one to three vectors: how much of each makes the vector of their span nearest to the direction. */
function sharesOf(ways: readonly Vector[], direction: Vector): number[] {
  // Orthonormal directions of the span, one after the other, and back again.
  const frame: Vector[] = []
  const table: number[][] = []
  for (const way of ways) {
    let rest = way
    const row: number[] = []
    for (const axis of frame) {
      const share = dot(axis, rest)
      row.push(share)
      rest = plus(rest, axis, -share)
    }
    const length = vectorLength3d(rest[0], rest[1], rest[2])
    row.push(length)
    table.push(row)
    frame.push([rest[0] / length, rest[1] / length, rest[2] / length])
  }
  const shares = ways.map(() => 0)
  for (let k = ways.length - 1; k >= 0; k--) {
    let wanted = dot(frame[k], direction)
    for (let m = k + 1; m < ways.length; m++) wanted -= table[m][k] * shares[m]
    shares[k] = wanted / table[k][k]
  }
  return shares
}
