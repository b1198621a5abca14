/**
 * The support query: the farthest point of a convex body along a direction.
 *
 * Method: the farthest core point is exact, of equally far ones the one of least index; curved bodies in closed form, by
 * their kind. Of a whole disc or line that is farthest, the middle.
 * Frame: the answer is in world coordinates. Cost O(points).
 */

import { createInputRange, exactly, includeInput, type Ring } from '../../numeric/exact-ring.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import { FACE_FEATURE, type FeatureCode, NO_FEATURE, SURFACE_FEATURE, vertexFeature } from '../feature.ts'
import { lowest } from '../narrow-phase/exact-cores.ts'
import { type Body, HALFSPACE, NORMAL, OFFSET, POINTS, POSITION, RADIUS, REACH, UNIT, VERTICES } from '../shape/body.ts'
import { exponentOf, scaleBody } from '../shape/body-scaling.ts'
import { kindOf } from '../shape/kinds.ts'
import { keepCorners } from '../shape/shapes.ts'

interface Support {
  /** False when the body has no farthest point: it reaches to infinity, as half-spaces do but along their own normal. */
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
  if (body.kind === HALFSPACE) {
    supportHalfspace(body, dx, dy, dz, out)
    return
  }
  out.bounded = true
  // Only the direction counts, and a power of two keeps it: very long or short ones would leave the range of products.
  const exponent = exponentOf(Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz)))
  const direction: [number, number, number] = [scaleBy(dx, -exponent), scaleBy(dy, -exponent), scaleBy(dz, -exponent)]
  if (body.kind === POINTS) {
    // A point on a face is none of its farthest corners.
    keepCorners(body)
    supportPoints(body, direction, out)
  } else supportCurve(body, direction, out)
}

/** Along its own normal, exactly, the point of its boundary that is nearest to the position; none along any other direction. */
function supportHalfspace({ numbers }: Body, dx: number, dy: number, dz: number, out: Support): void {
  const normal = [numbers[NORMAL], numbers[NORMAL + 1], numbers[NORMAL + 2]]
  const range = createInputRange()
  for (const component of [dx, dy, dz, ...normal]) includeInput(range, component)
  out.bounded = exactly(range, DEGREE, (ring) => isAlong(ring, [dx, dy, dz], normal))
  out.feature = out.bounded ? FACE_FEATURE : NO_FEATURE
  if (!out.bounded) return
  out.x = numbers[POSITION] + numbers[OFFSET] * numbers[UNIT]
  out.y = numbers[POSITION + 1] + numbers[OFFSET] * numbers[UNIT + 1]
  out.z = numbers[POSITION + 2] + numbers[OFFSET] * numbers[UNIT + 2]
}

function isAlong<T>(ring: Ring<T>, direction: readonly number[], normal: readonly number[]): boolean {
  const a = direction.map(ring.of)
  const b = normal.map(ring.of)
  const isParallel = [0, 1, 2].every((i) => {
    const j = (i + 1) % 3
    return ring.sign(ring.sub(ring.mul(a[i], b[j]), ring.mul(a[j], b[i]))) === 0
  })
  return isParallel && [0, 1, 2].every((k) => ring.sign(a[k]) === ring.sign(b[k]))
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
