import { defineConfig } from 'vitest/config'

// Run counts of the random tests are modest so that `npm test` stays short;
// TANGENT_RUNS=10 multiplies them, FC_SEED=<number> or FC_SEED=random changes the seed.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    // modules are loaded once by each worker: for each file anew takes a fifth of the time
    isolate: false,
    // one core less would be left idle by default: on two cores that is half the speed
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 60_000,
    coverage: { provider: 'v8', include: ['src/**/*.ts', 'schemas/**/*.ts'] },
  },
})
