/**
 * Steps of conservative advancement that the query under way may still take. Convex pairs have their own limit; a query
 * about composites shares one among all its leaf pairs, so that no request keeps the process busy for long.
 */

import { exactWork } from './exact-ring.ts'
import { ADVANCEMENT_COUNT, EXACT_STEP_COUNT, SHARED_ADVANCEMENT_COUNT } from './roundoff.ts'

/** A record, because a number in a variable that modules share cannot be written. */
export const advancement = { left: Infinity }

/** Does the work with one share of steps for all its pairs. */
export function shareSteps<Result>(work: () => Result): Result {
  advancement.left = SHARED_ADVANCEMENT_COUNT
  try {
    return work()
  } finally {
    advancement.left = Infinity
  }
}

/** Steps that one pair may take from here on. */
export interface StepBudget {
  left: number
  /** Exact evaluations when it was last asked. */
  exact: number
}

export function grantSteps(): StepBudget {
  return { left: Math.min(ADVANCEMENT_COUNT, advancement.left), exact: exactWork.count }
}

/** Takes a step, which costs more if exact arithmetic ran since the last one; false when there is none left. */
export function takeStep(budget: StepBudget): boolean {
  const cost = 1 + EXACT_STEP_COUNT * (exactWork.count - budget.exact)
  budget.exact = exactWork.count
  budget.left -= cost
  advancement.left -= cost
  return budget.left > 0
}
