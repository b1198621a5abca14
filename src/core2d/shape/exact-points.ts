/**
 * Exact core points of convex bodies in the world, which the exact predicates start from, and the answer of these.
 * Frame: world; position + vertex is taken as an exact number.
 */

import { createInputRange, type InputRange, includeInput, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { type Body, following, RADIUS, X, X_LOW, Y, Y_LOW } from './body.ts'

/** Exact sign of the separation, and its value where that is known better than rounding; NaN otherwise. */
export interface ExactSeparation {
  sign: Sign
  value: number
}

/** The inputs of a predicate on two bodies with core points. */
export function inputRangeOf(a: Body, b: Body): InputRange {
  const range = createInputRange()
  includeBody(range, a)
  includeBody(range, b)
  return range
}

/** Notes the numbers that the exact position, core points and radius of `body` are made of. */
export function includeBody(range: InputRange, body: Body): void {
  const { difference } = body
  if (difference !== null) {
    includeBody(range, difference.a)
    includeBody(range, difference.b)
    return
  }
  includePosition(range, body)
  includeInput(range, body.numbers[RADIUS])
  for (let i = 0; i < 2 * body.count; i++) includeInput(range, body.numbers[body.vertices + i])
}

export function includePosition(range: InputRange, { numbers }: Body): void {
  const x = numbers[X]
  const y = numbers[Y]
  const xLow = numbers[X_LOW]
  const yLow = numbers[Y_LOW]
  includeInput(range, x)
  includeInput(range, y)
  includeInput(range, xLow)
  includeInput(range, yLow)
}

/** Exact world position. */
export function positionX<T>(ring: Ring<T>, { numbers }: Body): T {
  const x = numbers[X]
  const xLow = numbers[X_LOW]
  return xLow === 0 ? ring.of(x) : ring.add(ring.of(x), ring.of(xLow))
}

export function positionY<T>(ring: Ring<T>, { numbers }: Body): T {
  const y = numbers[Y]
  const yLow = numbers[Y_LOW]
  return yLow === 0 ? ring.of(y) : ring.add(ring.of(y), ring.of(yLow))
}

/** Exact world coordinates of core point `i`. */
export function exactX<T>(ring: Ring<T>, body: Body, i: number): T {
  const { difference } = body
  if (difference === null) return ring.add(positionX(ring, body), ring.of(body.numbers[body.vertices + 2 * i]))
  return ring.sub(exactX(ring, difference.b, difference.fromB[i]), exactX(ring, difference.a, difference.fromA[i]))
}

export function exactY<T>(ring: Ring<T>, body: Body, i: number): T {
  const { difference } = body
  if (difference === null) return ring.add(positionY(ring, body), ring.of(body.numbers[body.vertices + 2 * i + 1]))
  return ring.sub(exactY(ring, difference.b, difference.fromB[i]), exactY(ring, difference.a, difference.fromA[i]))
}

/** Exact skin radius. */
export function exactRadius<T>(ring: Ring<T>, { difference, numbers }: Body): T {
  const radius = numbers[RADIUS]
  return difference === null
    ? ring.of(radius)
    : ring.add(ring.of(difference.a.numbers[RADIUS]), ring.of(difference.b.numbers[RADIUS]))
}

/** Exact vector along edge `i`. */
export function exactEdge<T>(ring: Ring<T>, body: Body, i: number): [T, T] {
  const { of, sub } = ring
  const { vertices, numbers } = body
  const j = following(body, i)
  if (body.difference !== null) {
    return [sub(exactX(ring, body, j), exactX(ring, body, i)), sub(exactY(ring, body, j), exactY(ring, body, i))]
  }
  return [
    sub(of(numbers[vertices + 2 * j]), of(numbers[vertices + 2 * i])),
    sub(of(numbers[vertices + 2 * j + 1]), of(numbers[vertices + 2 * i + 1])),
  ]
}

/** Exact core points of a body, each computed when it is first asked for: a 1,024-gon may need all or two of them. */
export interface ExactPoints<T> {
  body: Body
  x(i: number): T
  y(i: number): T
}

export function createExactPoints<T>(ring: Ring<T>, body: Body): ExactPoints<T> {
  const xs: T[] = []
  const ys: T[] = []
  return {
    body,
    x: (i) => {
      xs[i] ??= exactX(ring, body, i)
      return xs[i]
    },
    y: (i) => {
      ys[i] ??= exactY(ring, body, i)
      return ys[i]
    },
  }
}
