/**
 * Exact inputs of the exact predicates: core points and positions in the world, and vectors of exact numbers.
 * Frame: world; position + vertex is taken as an exact number.
 */

import { createInputRange, type InputRange, includeInput, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import {
  ANCHOR,
  type Body,
  HALFSPACE,
  LENGTHS,
  NORMAL,
  OFFSET,
  POINTS,
  POSITION,
  RADIUS,
  ROTATION,
  VERTICES,
} from './body.ts'

export type Exact<T> = readonly [T, T, T]

/** The numbers that the exact place and shape of both bodies are made of. */
export function inputRangeOf(a: Body, b: Body): InputRange {
  const range = createInputRange()
  includeBody(range, a)
  includeBody(range, b)
  return range
}

export function includeBody(range: InputRange, { kind, numbers, count }: Body): void {
  const include = (from: number, size: number): void => {
    for (let i = from; i < from + size; i++) includeInput(range, numbers[i])
  }
  include(POSITION, 3)
  if (kind === POINTS) {
    include(RADIUS, 1)
    include(VERTICES, 3 * count)
  } else if (kind === HALFSPACE) {
    include(NORMAL, 3)
    include(OFFSET, 1)
  } else {
    include(LENGTHS, 3)
    include(ANCHOR, 3)
  }
}

/** Exact position of `a` minus that of `b`; of curved bodies, whose lengths count from there, the middle. */
export function exactOffset<T>(ring: Ring<T>, a: Body, b: Body): Exact<T> {
  const along = (k: number): T => ring.sub(placeOf(ring, a, k), placeOf(ring, b, k))
  return [along(0), along(1), along(2)]
}

function placeOf<T>({ of, add }: Ring<T>, { kind, numbers }: Body, k: number): T {
  const position = of(numbers[POSITION + k])
  const isAside = kind !== POINTS && numbers[ANCHOR + k] !== 0
  return isAside ? add(position, of(numbers[ANCHOR + k])) : position
}

/** Three numbers of the body, relative to its position. */
export function exactTriple<T>({ of }: Ring<T>, { numbers }: Body, at: number): Exact<T> {
  return [of(numbers[at]), of(numbers[at + 1]), of(numbers[at + 2])]
}

/** Exact core point `i`, relative to the position. */
export function exactVertex<T>(ring: Ring<T>, body: Body, i: number): Exact<T> {
  return exactTriple(ring, body, VERTICES + 3 * i)
}

export function plus<T>({ add }: Ring<T>, a: Exact<T>, b: Exact<T>): Exact<T> {
  return [add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])]
}

export function minus<T>({ sub }: Ring<T>, a: Exact<T>, b: Exact<T>): Exact<T> {
  return [sub(a[0], b[0]), sub(a[1], b[1]), sub(a[2], b[2])]
}

export function times<T>({ mul }: Ring<T>, s: T, a: Exact<T>): Exact<T> {
  return [mul(s, a[0]), mul(s, a[1]), mul(s, a[2])]
}

export function dot<T>({ add, mul }: Ring<T>, a: Exact<T>, b: Exact<T>): T {
  return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]))
}

export function cross<T>({ sub, mul }: Ring<T>, a: Exact<T>, b: Exact<T>): Exact<T> {
  return [
    sub(mul(a[1], b[2]), mul(a[2], b[1])),
    sub(mul(a[2], b[0]), mul(a[0], b[2])),
    sub(mul(a[0], b[1]), mul(a[1], b[0])),
  ]
}

/** The component of the largest size, without its sign. */
export function largestOf<T>(ring: Ring<T>, vector: Exact<T>): T {
  const sizes = vector.map((component) => (ring.sign(component) < 0 ? ring.sub(ring.integer(0), component) : component))
  return sizes.reduce((largest, size) => (ring.sign(ring.sub(size, largest)) > 0 ? size : largest))
}

export function isZero<T>({ sign }: Ring<T>, a: Exact<T>): boolean {
  return sign(a[0]) === 0 && sign(a[1]) === 0 && sign(a[2]) === 0
}

/** The vector in the axes of a body that goes from axes of the world to its own without rounding. */
export function ownVector<T>({ add, mul, integer }: Ring<T>, { numbers }: Body, vector: Exact<T>): Exact<T> {
  const component = (column: number): T => {
    let sum = integer(0)
    for (let row = 0; row < 3; row++) {
      const entry = numbers[ROTATION + 3 * row + column]
      if (entry !== 0) sum = add(sum, mul(integer(entry), vector[row]))
    }
    return sum
  }
  return [component(0), component(1), component(2)]
}

export function signOfDifference<T>({ sign, sub }: Ring<T>, a: T, b: T): Sign {
  return sign(sub(a, b))
}
