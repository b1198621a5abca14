// The problem of a request that cannot be answered: its code, one sentence, and where in the request it lies. Functions that decode
// return their result or a problem; `isProblem` tells them apart by the tag `ok`.

import type { ProblemCode } from '../../schemas/problem.ts'

/** Largest magnitude of a coordinate, size, angle, speed or time: far enough from overflow that no answer overflows. */
export const MAX_COORDINATE = 1e100

export interface DecodeProblem {
  ok: false
  code: ProblemCode
  detail: string
  /** JSON pointers relative to the decoded value. A place without a detail has the detail of the problem. */
  places: { pointer: string; detail?: string }[]
  limit?: number
  actual?: number
  /** Id of a kept shape. */
  shape?: string
}

export function isProblem(outcome: object): outcome is DecodeProblem {
  return (outcome as Partial<DecodeProblem>).ok === false
}

/** The members of a problem document besides code and detail. */
export function problemExtras({ ok: _ok, code: _, detail, places, ...sizes }: DecodeProblem) {
  const errors = places.map((place) => ({ pointer: `#${place.pointer}`, detail: place.detail ?? detail }))
  return errors.length === 0 ? sizes : { errors, ...sizes }
}

interface Sizes {
  limit: number
  actual: number
}

/** A problem of the request as a whole. */
export function problemOf(code: ProblemCode, detail: string, sizes?: Partial<Sizes>): DecodeProblem {
  return { ok: false, code, detail, places: [], ...sizes }
}

/** A problem with one place. */
export function problemAt(pointer: string, code: ProblemCode, detail: string, sizes?: Sizes): DecodeProblem {
  return { ok: false, code, detail, places: [{ pointer }], ...sizes }
}

/** The problem of a field of the request whose list has more items than `limit`, or null. */
export function checkLength(
  field: string,
  { length: actual }: { readonly length: number },
  code: ProblemCode,
  limit: number,
): DecodeProblem | null {
  if (actual <= limit) return null
  const detail = `${field} must have at most ${limit} items, got ${actual}.`
  return problemAt(`/${field}`, code, detail, { limit, actual })
}

/** Moves a problem of a part, which lies at `pointer`, to the whole; null stays null. */
export function under(pointer: string, problem: DecodeProblem): DecodeProblem
export function under(pointer: string, problem: DecodeProblem | null): DecodeProblem | null
export function under(pointer: string, problem: DecodeProblem | null): DecodeProblem | null {
  if (problem === null) return problem
  return { ...problem, places: problem.places.map((place) => ({ ...place, pointer: pointer + place.pointer })) }
}

export function inRange(value: number): boolean {
  return Math.abs(value) <= MAX_COORDINATE
}

/** The problem of a vector of which a coordinate is out of range. */
export function vectorOutOfRange(vector: AnyVector, pointer: string, what?: string): DecodeProblem {
  return checkVector(vector, pointer, what) as DecodeProblem
}

/** The problem of a vector of either dimension that is out of range, or null. `what` names the quantities in the sentence. */
export function checkVector({ x, y, z }: AnyVector, pointer: string, what?: string): DecodeProblem | null {
  if (!inRange(x)) return outOfRange(x, `${pointer}/x`, what)
  if (!inRange(y)) return outOfRange(y, `${pointer}/y`, what)
  return z === undefined || inRange(z) ? null : outOfRange(z, `${pointer}/z`, what)
}

export function isZeroVector({ x, y, z = 0 }: AnyVector): boolean {
  return x === 0 && y === 0 && z === 0
}

/** A vector of the plane or of space. */
interface AnyVector {
  readonly x: number
  readonly y: number
  readonly z?: number
}

/** `what` names the quantities in the sentence. */
export function outOfRange(actual: number, pointer: string, what = 'Coordinates and sizes'): DecodeProblem {
  const detail = `${what} may reach ${MAX_COORDINATE} in magnitude, got ${actual}.`
  return problemAt(pointer, 'coordinate-out-of-range', detail, { limit: MAX_COORDINATE, actual })
}
