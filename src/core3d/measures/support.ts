/**
 * The support query: the farthest point of a convex body along a direction.
 *
 * Method: of core points the farthest is told exactly, of equally far ones the one of least index; curved bodies in closed form, by
 * their kind. Of a whole disc or line that is farthest, the middle.
 * Frame: the answer is in world coordinates. Cost O(points).
 */

import { createInputRange, exactly, includeInput, type Ring } from '../../numeric/exact-ring.ts'
import { type FeatureCode, NO_FEATURE, SURFACE_FEATURE, vertexFeature } from '../feature.ts'
import { lowest } from '../narrow-phase/exact-cores.ts'
import { type Body, HALFSPACE, POINTS, POSITION, RADIUS, REACH, VERTICES } from '../shape/body.ts'
import { exponentOf, scaleBody, scaleBy } from '../shape/body-scaling.ts'
import { kindOf } from '../shape/kinds.ts'

export interface Support {
  /** False when the body has no farthest point: it reaches to infinity. */
  bounded: boolean
  x: number
  y: number
  z: number
  feature: FeatureCode
}

export function createSupport(): Support {
  return { bounded: true, x: 0, y: 0, z: 0, feature: NO_FEATURE }
}

/** Degree of a height in direction and coordinates. */
const DEGREE = 2

const point = new Float64Array(3)

/** Fills `out` for the direction (dx, dy, dz), which has any length but 0. */
export function support(body: Body, dx: number, dy: number, dz: number, out: Support): void {
  out.bounded = body.kind !== HALFSPACE
  if (!out.bounded) {
    out.feature = NO_FEATURE
    return
  }
  // Only the direction counts, and a power of two keeps it: very long or short ones would leave the range of products.
  const exponent = exponentOf(Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz)))
  const direction: [number, number, number] = [scaleBy(dx, -exponent), scaleBy(dy, -exponent), scaleBy(dz, -exponent)]
  if (body.kind === POINTS) supportPoints(body, direction, out)
  else supportCurve(body, direction, out)
}

function supportPoints(body: Body, direction: readonly [number, number, number], out: Support): void {
  const { numbers, count, names } = body
  const i = count === 1 ? 0 : farthestPoint(body, direction)
  const radius = numbers[RADIUS]
  const length = Math.hypot(direction[0], direction[1], direction[2])
  const along = (k: number): number =>
    numbers[POSITION + k] + (numbers[VERTICES + 3 * i + k] + radius * (direction[k] / length))
  out.x = along(0)
  out.y = along(1)
  out.z = along(2)
  out.feature = count === 1 && radius > 0 ? SURFACE_FEATURE : vertexFeature(names[i])
}

function farthestPoint(body: Body, direction: readonly [number, number, number]): number {
  const { numbers, count } = body
  const range = createInputRange()
  for (const component of direction) includeInput(range, component)
  for (let i = VERTICES; i < VERTICES + 3 * count; i++) includeInput(range, numbers[i])
  return exactly(range, DEGREE, (ring) => farthestAlong(ring, body, direction))
}

function farthestAlong<T>(ring: Ring<T>, body: Body, [x, y, z]: readonly [number, number, number]): number {
  return lowest(ring, body, [ring.of(x), ring.of(y), ring.of(z)], -1)
}

function supportCurve(body: Body, [x, y, z]: readonly [number, number, number], out: Support): void {
  const exponent = exponentOf(body.numbers[REACH])
  const scaled = exponent === 0 ? body : scaleBody(body, exponent)
  point.fill(0)
  kindOf(scaled).support(scaled, x, y, z, point)
  const { numbers } = body
  out.x = numbers[POSITION] + scaleBy(point[0], exponent)
  out.y = numbers[POSITION + 1] + scaleBy(point[1], exponent)
  out.z = numbers[POSITION + 2] + scaleBy(point[2], exponent)
  out.feature = SURFACE_FEATURE
}
