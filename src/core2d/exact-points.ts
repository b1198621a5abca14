/**
 * What the exact predicates of convex bodies start from: core points in the world, and what they answer.
 * Frame: world; position + vertex is taken as an exact number.
 */
import type { Body } from './body.ts'
import { following } from './edge.ts'
import { createInputRange, type InputRange, includeInput, type Ring, type Sign } from './exact-ring.ts'

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

function includeBody(range: InputRange, body: Body): void {
  includeInput(range, body.x)
  includeInput(range, body.y)
  includeInput(range, body.radius)
  for (let i = 0; i < 2 * body.count; i++) includeInput(range, body.vertices[i])
}

/** Exact world coordinates of core point `i`. */
export function exactX<T>(ring: Ring<T>, body: Body, i: number): T {
  return ring.add(ring.of(body.x), ring.of(body.vertices[2 * i]))
}

export function exactY<T>(ring: Ring<T>, body: Body, i: number): T {
  return ring.add(ring.of(body.y), ring.of(body.vertices[2 * i + 1]))
}

/** Exact vector along edge `i`. */
export function exactEdge<T>({ of, sub }: Ring<T>, body: Body, i: number): [T, T] {
  const { vertices } = body
  const j = following(body, i)
  return [sub(of(vertices[2 * j]), of(vertices[2 * i])), sub(of(vertices[2 * j + 1]), of(vertices[2 * i + 1]))]
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
