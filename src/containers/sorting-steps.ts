/** What sorting takes, in steps of the budget. */

/** Of so many things, by comparing them; their number times its logarithm. */
export function sortingSteps(count: number): number {
  return count * (32 - Math.clz32(count))
}
