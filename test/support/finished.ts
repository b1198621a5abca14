/** The result of work that is done in slices, all of them at once. */
export function finished<Result>(slices: Generator<undefined, Result, undefined>): Result {
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
  }
}
