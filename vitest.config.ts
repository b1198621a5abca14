import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { distancesTo, isSlow } from './test/support/reaching.ts'
import { bundledWorker } from './test/support/services/bundled-worker.ts'

// Where a test is run follows from the name of its file:
//   *.test.ts        quick: everything runs in this process and its worker threads; `npm test`
//   *.isolated.test.ts  quick, and mocks a module, which has no effect where other tests have loaded it
//   *.slow.test.ts   starts processes, browsers, databases or compilers, or takes long; `npm run test:all`
//   *.alone.test.ts  slow, and weighs the memory of its process, which therefore runs nothing else
// `npm run test:all` makes more runs of the quick tests that make random runs: TANGENT_RUNS says how many (test/support/runs.ts).
// Where that is set, these tests are the project `laws`, no longer `quick`, and no others are in it.
const SLOW = ['test/**/*.slow.test.ts', 'loadtest/differential/**/*.test.ts']
const ISOLATED = ['test/**/*.isolated.test.ts']
const ALONE = ['test/**/*.alone.test.ts']
const laws = process.env.TANGENT_RUNS
  ? [...distancesTo('test/support/runs.ts').keys()].filter(
      (path) => !isSlow(path) && !path.endsWith('.isolated.test.ts'),
    )
  : []

/** Slow tests wait for processes most of the time: in a row, they would leave processors idle. As many others come between two of them. */
const BETWEEN = 2

/** Short files that take long: they would come last, since longer files are run first. */
const FIRST = [
  'scale/nemesis',
  'examples/level-scene',
  'deploy/package',
  'clients/readme-client',
  'clients/packages',
  'scene-import-hostile',
  'examples/map-check',
  'clients/generated-clients',
  'keeper/kill',
  'scale/races',
].map((name) => `${name}.slow.test.ts`)

class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files)
    const isFirst = ({ moduleId }: TestSpecification) => FIRST.some((name) => moduleId.endsWith(name))
    const sorted = [...bySize.filter(isFirst), ...bySize.filter((file) => !isFirst(file))]
    const waits = ({ moduleId }: TestSpecification) => moduleId.endsWith('.slow.test.ts')
    const computing = sorted.filter((file) => !waits(file))
    return [...sorted.filter(waits).flatMap((file) => [file, ...computing.splice(0, BETWEEN)]), ...computing]
  }
}

/** How modules are loaded: by Vitest, which alone can mock them and say which lines have been run; or by Node, which takes less time. */
const BY_VITEST = { experimental: { viteModuleRunner: true }, execArgv: [] }
const BY_NODE = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: ['--import', join(import.meta.dirname, 'test/support/services/native-modules.mjs')],
}
const usual = process.argv.some((argument) => argument.startsWith('--coverage')) ? BY_VITEST : BY_NODE

const project = (name: string, include: string[], options: object = {}) => ({
  extends: true as const,
  test: { name, include, ...options },
})

export default defineConfig({
  plugins: [bundledWorker],
  test: {
    globalSetup: 'test/support/services/bundled-worker.ts',
    projects: [
      project('quick', ['test/**/*.test.ts'], {
        exclude: [...configDefaults.exclude, ...SLOW, ...ALONE, ...ISOLATED, ...laws],
      }),
      project('isolated', ISOLATED, { isolate: true, ...BY_VITEST }),
      project('slow', SLOW),
      project('alone', ALONE, { isolate: true }),
      ...(laws.length > 0 ? [project('laws', laws)] : []),
    ],
    ...usual,
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
