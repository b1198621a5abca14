// Which way is down for a rule.

import { checkVector, type DecodeProblem, isZeroVector, problemAt } from '../../wire/decode-problem.ts'
import type { AnyVector, Lint } from './linting.ts'

/** The rule’s own, or that of the request, as a unit vector; or the problem that there is none. */
export function downOf(lint: Lint, { down }: { down?: AnyVector }): readonly number[] | DecodeProblem {
  if (down !== undefined) return unitDown(lint.numbers(down), down, '/down')
  if (lint.options.down !== null) return lint.options.down
  const detail = 'The rule has to know which way is down: give it down, or give the request one.'
  return problemAt('/down', 'schema-violation', detail)
}

/** Scaled first: squares of long and short ones leave the range. */
export function unitDown(
  numbers: readonly number[],
  down: AnyVector,
  pointer: string,
): readonly number[] | DecodeProblem {
  const wrong = checkVector(down as never, pointer, 'Directions')
  if (wrong !== null) return wrong
  if (isZeroVector(down as never))
    return problemAt(pointer, 'direction-zero', 'The direction must not be the zero vector.')
  const scale = Math.max(...numbers.map(Math.abs))
  const scaled = numbers.map((x) => x / scale)
  const length = Math.hypot(...scaled)
  return scaled.map((x) => x / length)
}
