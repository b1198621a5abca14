/**
 * A search of what is least around a start, without derivatives.
 *
 * Method: R. Hooke, T. Jeeves, "Direct search solution of numerical and statistical problems", Journal of the ACM 8 (1961), without their
 * pattern moves: rounds of moves by a step, which is halved when none of them gains.
 */

export interface Steps {
  first: number
  halvingCount: number
  roundCount: number
}

/** `round`: what a round of moves of a size finds, or the best so far itself where no move gains. */
export function patternSearch<T>(
  start: T,
  { first, halvingCount, roundCount }: Steps,
  round: (best: T, step: number) => T,
): T {
  let best = start
  let step = first
  let halvings = 0
  for (let i = 0; halvings < halvingCount && i < roundCount; i++) {
    const found = round(best, step)
    if (found === best) {
      step /= 2
      halvings++
    }
    best = found
  }
  return best
}
