/**
 * Steps of conservative advancement that the query under way may still take. Convex pairs have their own limit; a query
 * about composites shares one among all its leaf pairs, so that no request keeps the process busy for long.
 */

import { exactEvaluations } from './exact-ring.ts'
import { ADVANCEMENT_COUNT, EXACT_STEP_COUNT, SHARED_ADVANCEMENT_COUNT } from './roundoff.ts'

/** A record: a double in a variable of its own would be boxed anew at each step. */
const shared = { left: Infinity }

/** Does the work with one share of steps for all its pairs, which is part of that of the work around it, if any. */
export function shareSteps<Result>(work: () => Result): Result {
  const outer = shared.left
  const granted = Math.min(SHARED_ADVANCEMENT_COUNT, outer)
  shared.left = granted
  try {
    return work()
  } finally {
    shared.left = outer - (granted - shared.left)
  }
}

/** Steps left of the share; Infinity outside of any, below 0 where more was taken. */
export function sharedSteps(): number {
  return shared.left
}

/** Takes one step of the share. */
export function takeSharedStep(): void {
  shared.left--
}

/** Steps that one pair may take from here on. */
export interface StepBudget {
  left: number
  /** Exact evaluations when it was last asked. */
  exact: number
}

export function grantSteps(): StepBudget {
  return { left: Math.min(ADVANCEMENT_COUNT, shared.left), exact: exactEvaluations() }
}

/** Takes a step, which costs more if exact arithmetic ran since the last one; false when there is none left. */
export function takeStep(budget: StepBudget): boolean {
  const cost = 1 + EXACT_STEP_COUNT * (exactEvaluations() - budget.exact)
  budget.exact = exactEvaluations()
  budget.left -= cost
  shared.left -= cost
  return budget.left > 0
}
