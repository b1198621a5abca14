/**
 * How many random runs a test makes, and from which seed.
 *
 * `TANGENT_RUNS` multiplies every count: 1 for what the tests name, 10 for a nightly run. `npm test` makes a tenth, so that it ends
 * within minutes on two slow cores; `npm run test:all` makes a third, where it is not set. A floor under how often something has to
 * be seen follows the number of runs; where a tenth is too few to see everything, it is only looked at in a long run.
 * `FC_SEED` replaces the fixed seed: a number printed by a failing run, or `random`.
 */
const DEFAULT_SEED = 20261121

const DEFAULT_FACTOR = 0.1

const factor = Number(process.env.TANGENT_RUNS || DEFAULT_FACTOR)
if (!(factor > 0)) throw new Error(`TANGENT_RUNS must be a positive number, not ${process.env.TANGENT_RUNS}`)

/** Whether so many runs are made that tests see all that they want to see: `npm run test:all`. */
export const isLongRun: boolean = factor >= 0.3

export function runCount(base: number): number {
  return Math.max(1, Math.round(base * factor))
}

export function seed(): number {
  const given = process.env.FC_SEED
  if (given === undefined || given === '') return DEFAULT_SEED
  if (given === 'random') return Math.floor(Math.random() * 0x7fffffff)
  const value = Number(given)
  if (!Number.isInteger(value)) throw new Error(`FC_SEED must be an integer or "random", not ${given}`)
  return value
}

/** Parameters for `fc.assert`; fast-check prints the seed and the shrunk example when a run fails. */
export function runs(base: number): { numRuns: number; seed: number } {
  return { numRuns: runCount(base), seed: seed() }
}

/** The same without shrinking: composite shapes shrink too slowly to wait for, and are readable as they are. */
export function unshrunk(base: number): { numRuns: number; seed: number; endOnFailure: boolean } {
  return { ...runs(base), endOnFailure: true }
}
