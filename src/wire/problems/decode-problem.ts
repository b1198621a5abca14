// What a decoder finds wrong with a request: the code, the places, and one sentence about it.

import type { ProblemCode } from '../../../schemas/problem-code.ts'
import type { Vec2 } from '../../../schemas/vec2.ts'

/** Largest magnitude of a coordinate, size, angle, speed or time: far enough from overflow that no answer meets it. */
export const MAX_COORDINATE = 1e100

export interface DecodeProblem {
  code: ProblemCode
  detail: string
  /** Where: JSON pointers relative to what was decoded. A place without a detail of its own has that of the whole. */
  places: { pointer: string; detail?: string }[]
  limit?: number
  actual?: number
}

/** Answers have no places. */
export function isProblem(outcome: object): outcome is DecodeProblem {
  return 'places' in outcome
}

/** What a problem document says besides code and detail. */
export function problemExtras({ code: _, detail, places, ...sizes }: DecodeProblem) {
  const errors = places.map((place) => ({ pointer: `#${place.pointer}`, detail: place.detail ?? detail }))
  return errors.length === 0 ? sizes : { errors, ...sizes }
}

export interface Sizes {
  limit: number
  actual: number
}

/** A problem with one place. */
export function problemAt(pointer: string, code: ProblemCode, detail: string, sizes?: Sizes): DecodeProblem {
  return { code, detail, places: [{ pointer }], ...sizes }
}

/** The problem as seen from around the part that it was found in; null stays null. */
export function under<Problem extends DecodeProblem | null>(pointer: string, problem: Problem): Problem {
  if (problem === null) return problem
  return { ...problem, places: problem.places.map((place) => ({ ...place, pointer: pointer + place.pointer })) }
}

export function inRange(value: number): boolean {
  return Math.abs(value) <= MAX_COORDINATE
}

export function vectorOutOfRange(vector: Vec2, pointer: string, what?: string): DecodeProblem {
  const axis = inRange(vector.x) ? 'y' : 'x'
  return outOfRange(vector[axis], `${pointer}/${axis}`, what)
}

/** `what`: the quantities that the sentence speaks of. */
export function outOfRange(actual: number, pointer: string, what = 'Coordinates and sizes'): DecodeProblem {
  const detail = `${what} may reach ${MAX_COORDINATE} in magnitude, got ${actual}.`
  return problemAt(pointer, 'coordinate-out-of-range', detail, { limit: MAX_COORDINATE, actual })
}
