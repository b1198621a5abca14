/**
 * Circle, polygon, capsule or segment (anything with core points) against half-plane: the lowest core point.
 * Frame: world axes, origin at A's anchor, the half-plane's position at (dx, dy).
 */

import { spend } from '../../containers/budget.ts'
import { createInputRange, exactly, includeInput, type Ring, signOfRootSum } from '../../numeric/exact-ring.ts'
import { edgeFeature } from '../feature.ts'
import { type Body, LOCAL, NORMAL_X, NORMAL_Y, OFFSET, RADIUS, UNIT_X, UNIT_Y } from '../shape/body.ts'
import {
  type ExactSeparation,
  exactX,
  exactY,
  includeBody,
  includePosition,
  positionX,
  positionY,
} from '../shape/exact-points.ts'
import { type Displacement, exactSum, includeDisplacement } from '../shape/motion.ts'
import type { Frame } from '../shape/position.ts'
import { gapFromSquares } from './exact-convex.ts'
import { supportVertex } from './sat.ts'
import { addSkins, type Separation, setFacePoints, settle } from './separation.ts'

export function polygonHalfplane(a: Body, b: Body, frame: Frame, out: Separation): void {
  const { dx, dy, error } = frame
  const { numbers } = b
  const unitX = numbers[UNIT_X]
  const unitY = numbers[UNIT_Y]
  const vertex = supportVertex(a, -unitX, -unitY)
  const x = a.numbers[LOCAL + 2 * vertex]
  const y = a.numbers[LOCAL + 2 * vertex + 1]
  const height = unitX * (x - dx) + unitY * (y - dy) - b.numbers[OFFSET]
  out.nx = -unitX
  out.ny = -unitY
  out.value = height - a.numbers[RADIUS]
  out.face = 2
  out.edge = 0
  out.vertex = vertex
  setFacePoints(out, true, vertex, vertex, 0)
  out.featureA = a.vertexFeatures[vertex]
  out.featureB = edgeFeature(0)
  out.ax = x
  out.ay = y
  out.bx = x - unitX * height
  out.by = y - unitY * height
  addSkins(out, a, b)
  if (Math.abs(out.value) > 2 * error) {
    out.relation = out.value > 0 ? 1 : -1
    return
  }
  const exact = exactHeight(a, b, out.nx, out.ny, error, null)
  if (!Number.isNaN(exact.value)) out.value = exact.value
  settle(out, exact.sign, frame)
}

/**
 * Exact sign of the least height of A's surface over the boundary, after a displacement;
 * (nx, ny): rounded unit normal into the half-plane.
 */
export function exactHeight(
  a: Body,
  b: Body,
  nx: number,
  ny: number,
  error: number,
  displacement: Displacement | null,
): ExactSeparation {
  spend(a.count)
  const range = createInputRange()
  if (displacement !== null) includeDisplacement(range, displacement)
  includeBody(range, a)
  includePosition(range, b)
  for (const value of [b.numbers[NORMAL_X], b.numbers[NORMAL_Y], b.numbers[OFFSET]]) includeInput(range, value)
  const depths = Array.from(
    { length: a.count },
    (_, i) => nx * a.numbers[LOCAL + 2 * i] + ny * a.numbers[LOCAL + 2 * i + 1],
  )
  const deepest = Math.max(...depths)
  return exactly(range, 4, <T>(ring: Ring<T>): ExactSeparation => {
    const { of, add, sub, mul } = ring
    const normalX = of(b.numbers[NORMAL_X])
    const normalY = of(b.numbers[NORMAL_Y])
    let lowest: T | undefined
    for (let i = 0; i < a.count; i++) {
      if (depths[i] < deepest - 4 * error) continue
      const height = add(
        mul(normalX, sub(exactX(ring, a, i), positionX(ring, b))),
        mul(normalY, sub(exactY(ring, a, i), positionY(ring, b))),
      )
      if (lowest === undefined || ring.sign(sub(height, lowest)) < 0) lowest = height
    }
    let height = lowest as T
    if (displacement !== null) {
      const x = exactSum(ring, displacement.x)
      const y = exactSum(ring, displacement.y)
      height = add(height, add(mul(normalX, x), mul(normalY, y)))
    }
    const square = add(mul(normalX, normalX), mul(normalY, normalY))
    const level = add(of(b.numbers[OFFSET]), of(a.numbers[RADIUS]))
    const sign = signOfRootSum(ring, height, sub(ring.integer(0), level), square)
    // height/|n| − level = ±(√(height²/|n|²) − |level|) when both have one sign.
    const side = ring.sign(level)
    if (side === 0 || side !== ring.sign(height)) return { sign, value: Number.NaN }
    const bound = mul(mul(level, level), square)
    const excess = ring.ratio(sub(mul(height, height), bound), bound)
    return { sign, value: side * gapFromSquares(excess, Math.abs(b.numbers[OFFSET] + a.numbers[RADIUS])) }
  })
}
