/**
 * The budget of the work under way, in steps. A step is about as much as looking at one point, edge, box or pair of them: some
 * tens of nanoseconds. Steps are counted, not timed, so the same request takes as many on every machine.
 *
 * Every loop whose length depends on values spends steps as it goes. Work starts with a grant of steps (`within`). When none
 * are left, `spend` throws `OutOfBudget` through the work, which must then hold nothing that it does not set anew at its next start.
 * Without a grant there is no limit. Long work also pauses by a pace (below), so that others have their turn.
 */

/** Thrown where the steps are used up. */
export class OutOfBudget extends Error {
  constructor() {
    super('the work takes more steps than it was granted')
  }
}

/** A record: a double in a variable of its own would be boxed anew at each step. */
const budget = { left: Infinity }

/** Asked for more steps when there are none left. */
type Renewal = () => number

let renew: Renewal | null = null

/** Counts steps; throws `OutOfBudget` when there are none left. */
export function spend(steps: number): void {
  budget.left -= steps
  if (budget.left < 0) overdraw()
}

function overdraw(): void {
  while (budget.left < 0) {
    const granted = renew === null ? 0 : renew()
    if (granted <= 0) throw new OutOfBudget()
    budget.left += granted
  }
}

/**
 * Does the work within so many steps, and within those of the work that it is part of. `renewal` is asked for more when they are
 * used up. Throws `OutOfBudget`.
 */
export function within<Result>(steps: number, work: () => Result, renewal: Renewal | null = null): Result {
  const outer = budget.left
  const outerRenewal = renew
  const granted = Math.min(steps, outer)
  budget.left = granted
  renew = renewal
  try {
    return work()
  } finally {
    budget.left = renewal === null ? outer - (granted - budget.left) : outer
    renew = outerRenewal
  }
}

/** As `within`; null where the work takes more steps. */
export function withinOrNull<Result>(steps: number, work: () => Result): Result | null {
  try {
    return within(steps, work)
  } catch (error) {
    if (error instanceof OutOfBudget) return null
    throw error
  }
}

/** The result and how many steps it took. */
export function countSteps<Result>(work: () => Result): { result: Result; steps: number } {
  const granted = Number.MAX_SAFE_INTEGER
  let left = granted
  const result = within(granted, () => {
    const found = work()
    left = budget.left
    return found
  })
  return { result, steps: granted - left }
}

// Pauses of long work: after so many points looked at, whatever the clock says.

/** Work that pauses now and then and returns its result at the end. No slot that others use is held over a pause. */
export type Slices<Result> = Generator<undefined, Result, undefined>

const PAUSE_POINTS = 2 ** 11

export class Pace {
  #left = PAUSE_POINTS

  /** Counts work, in points of bodies, which are steps of the budget; whether it is time to pause. */
  isDue(points: number): boolean {
    spend(points)
    this.#left -= points
    if (this.#left > 0) return false
    this.#left = PAUSE_POINTS
    return true
  }
}

/** Numbers that are written in one go: memory that was never touched takes milliseconds to fill. */
const FILL_COUNT = 2 ** 16

/** Fills numbers from an index on. */
export function* fillInSlices(numbers: Int32Array, value: number, from = 0): Slices<void> {
  for (let at = from; at < numbers.length; at += FILL_COUNT) {
    numbers.fill(value, at, at + FILL_COUNT)
    yield
  }
}

/** Does work that pauses without a pause. */
export function finishAtOnce<Result>(work: Slices<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
