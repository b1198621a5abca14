// Worker threads of the services in tests: one file that starts at once, written before all tests.

import { pathToFileURL } from 'node:url'
import type { TestProject } from 'vitest/node'
import { bundled, bundlePlace, removeBundles } from './bundled.ts'
import { withBundledWorker } from './native-modules.mjs'

const SOURCE = 'src/threads/worker.ts'

// of the process that runs the others; these have it from that
process.env.TANGENT_TEST_WORKER ??= pathToFileURL(bundlePlace(SOURCE)).href

/** Makes pools take it where Vitest loads modules. */
export const bundledWorker = {
  name: 'bundled-worker',
  enforce: 'pre' as const,
  transform: (code: string, id: string) => withBundledWorker(id, code),
}

/** Before all tests, and whenever sources have changed. */
export default async function setup(project: TestProject): Promise<() => void> {
  const write = async () => {
    await bundled(SOURCE, { isAnew: true })
  }
  await write()
  project.onTestsRerun(write)
  return removeBundles
}
