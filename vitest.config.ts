import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { bundledWorker } from './test/support/services/bundled-worker.ts'

/** They weigh the process they run in: in one that is full of what other tests left, every collection takes many times as long. */
const weighing = ['test/laws/room.test.ts', 'test/laws/room-3d.test.ts']

/** They wait for processes most of the time, and are long: last, they would come alone, and all at once they would leave processors idle. */
const waiting = [
  '/test/scale/',
  '/test/clients/',
  '/test/deploy/',
  '/test/examples/',
  '/test/scene-service.test.ts',
  '/test/move-scenes.test.ts',
  '/scene-store.test.ts',
  '/kill.test.ts',
  '/lock.test.ts',
  '-hostile.test.ts',
  '/test/scene/postgres/',
]
/** As many that compute as this come between two that wait. */
const BETWEEN = 2

class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const waits = ({ moduleId }: TestSpecification) => waiting.some((part) => moduleId.includes(part))
    const computing = sorted.filter((file) => !waits(file))
    return [...sorted.filter(waits).flatMap((file) => [file, ...computing.splice(0, BETWEEN)]), ...computing]
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
    sequence: { sequencer: Mixed },
    // many tests wait for processes that they have started
    maxWorkers: availableParallelism() + 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // pages are waited for; a second is not enough where tests share their processors with others
    expect: { poll: { timeout: 30_000 } },
    coverage: { provider: 'v8', include: ['src/**/*.ts', 'schemas/**/*.ts'] },
  },
})
