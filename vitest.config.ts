import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { bundledWorker } from './test/support/services/bundled-worker.ts'

/** They weigh the process they run in: in one that is full of what other tests left, every collection takes many times as long. */
const weighing = ['test/laws/room.test.ts', 'test/laws/room-3d.test.ts']

/** One test that takes a minute, in a small file, would come last and alone. */
const long = [
  '/test/scale/',
  '/test/clients/',
  '/test/examples/',
  '/kill.test.ts',
  '-hostile.test.ts',
  '/replicated.test.ts',
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => long.some((part) => moduleId.includes(part))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

// A third of the random runs that tests name are made, so that `npm test` stays short;
// TANGENT_RUNS=1 makes them all, TANGENT_RUNS=10 ten times as many, FC_SEED=<number> or FC_SEED=random changes the seed.
export default defineConfig({
  plugins: [bundledWorker],
  test: {
    globalSetup: 'test/support/services/bundled-worker.ts',
    projects: [
      {
        extends: true,
        test: { name: 'together', include: ['test/**/*.test.ts'], exclude: [...configDefaults.exclude, ...weighing] },
      },
      { extends: true, test: { name: 'alone', include: weighing, isolate: true } },
    ],
    environment: 'node',
    pool: 'forks',
    // modules are loaded once by each worker: for each file anew takes a fifth of the time
    isolate: false,
    sequence: { sequencer: LongFirst },
    // many tests wait for processes that they have started
    maxWorkers: availableParallelism() + 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // pages are waited for; a second is not enough where tests share their processors with others
    expect: { poll: { timeout: 30_000 } },
    coverage: { provider: 'v8', include: ['src/**/*.ts', 'schemas/**/*.ts'] },
  },
})
