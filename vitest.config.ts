import { defineConfig } from 'vitest/config'

// Run counts of the random tests are modest so that `npm test` stays short;
// TANGENT_RUNS=10 multiplies them, FC_SEED=<number> or FC_SEED=random changes the seed.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 60_000,
    coverage: { provider: 'v8', include: ['src/**/*.ts', 'schemas/**/*.ts'] },
  },
})
