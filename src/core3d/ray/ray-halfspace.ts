/**
 * Ray against half-space.
 *
 * Method: the ray is inside for good or leaves where the height over the boundary, n·(origin − position) − offset·|n|, comes to 0. The
 * height is summed to twice the digits; its sign, and what lies beyond rounding of the end of the ray, `exact-ray-halfspace.ts` decides.
 */

import { productError, sumError } from '../../numeric/expansion.ts'
import { UNDERFLOW_LENGTH, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength3d } from '../../numeric/vector-length.ts'
import { type Body, NORMAL, OFFSET, POSITION, UNIT } from '../shape/body.ts'
import { RAY_PARALLEL_RATIO } from '../tolerances.ts'
import type { Ray, RayLine } from './ray-line.ts'
import { HIT, MISS, type RaySpan, setFeature, setNormal, setPlace, UNSURE, type Verdict } from './ray-span.ts'

export function rayHalfspace(line: RayLine, ray: Ray, { numbers }: Body, span: RaySpan): Verdict {
  const { ux, uy, uz, along, maxDistance } = line
  const nx = numbers[UNIT]
  const ny = numbers[UNIT + 1]
  const nz = numbers[UNIT + 2]
  const x = ray.ox - numbers[POSITION]
  const y = ray.oy - numbers[POSITION + 1]
  const z = ray.oz - numbers[POSITION + 2]
  const length = vectorLength3d(numbers[NORMAL], numbers[NORMAL + 1], numbers[NORMAL + 2])
  const height = heightOf(ray, numbers) / length - numbers[OFFSET]
  const slope = nx * ux + ny * uy + nz * uz
  const error =
    16 * UNIT_ROUNDOFF * (Math.abs(x) + Math.abs(y) + Math.abs(z) + Math.abs(numbers[OFFSET])) + UNDERFLOW_LENGTH
  setFeature(span.enter, -1, -1)
  setFeature(span.leave, -1, -1)
  setNormal(span.enter, nx, ny, nz)
  setNormal(span.leave, nx, ny, nz)
  setPlace(span.enter, -Infinity, 0)
  setPlace(span.leave, Infinity, 0)
  if (Math.abs(height) <= error) return UNSURE
  span.inside = height < 0
  if (height < 0 !== slope > 0) {
    // Away from the boundary, unless by rounding alone.
    if (Math.abs(slope) <= RAY_PARALLEL_RATIO) return UNSURE
    span.exits = false
    return height < 0 ? HIT : MISS
  }
  if (Math.abs(slope) <= RAY_PARALLEL_RATIO) return UNSURE
  const at = -height / slope
  const slack = error / Math.abs(slope) + (16 * UNIT_ROUNDOFF * at) / Math.abs(slope)
  if (Math.abs(at - maxDistance) <= slack) return UNSURE
  if (at < maxDistance) setPlace(height < 0 ? span.leave : span.enter, at - along, slack)
  else if (height > 0) return MISS
  span.exits = height < 0 && at < maxDistance
  return HIT
}

/** n·(origin − position), summed to twice the digits. */
function heightOf(ray: Ray, numbers: Float64Array): number {
  let sum = 0
  let rest = 0
  for (let k = 0; k < 3; k++) {
    const origin = k === 0 ? ray.ox : k === 1 ? ray.oy : ray.oz
    const way = origin - numbers[POSITION + k]
    const wayLow = sumError(origin, -numbers[POSITION + k], way)
    const n = numbers[NORMAL + k]
    const product = n * way
    const next = sum + product
    rest += sumError(sum, product, next) + (productError(n, way, product) + n * wayLow)
    sum = next
  }
  return sum + rest
}
