// Worker threads of the services in tests: one file that starts at once. Each would compile some hundred sources for itself otherwise,
// which is most of what an app in a test costs, and no part of what is tested.

import { pathToFileURL } from 'node:url'
import type { TestProject } from 'vitest/node'
import { bundled, bundlePlace, removeBundles } from './bundled.ts'

const SOURCE = 'src/threads/worker.ts'
const POOL = 'src/threads/pool.ts'
const AS_SOURCES = ["'./worker.ts'", "['--import', 'tsx']"]

const file = bundlePlace(SOURCE)

/** Makes pools take it. */
export const bundledWorker = {
  name: 'bundled-worker',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | undefined {
    if (!id.endsWith(POOL)) return undefined
    const [worker, loader] = AS_SOURCES
    if (!AS_SOURCES.every((text) => code.includes(text))) throw new Error(`${POOL} starts workers in another way`)
    return code.replace(worker, JSON.stringify(pathToFileURL(file).href)).replace(loader, '[]')
  },
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
