// Which test files import a module, directly or through others: what decides where a test is run, and which tests try a mutant.

import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const root = join(import.meta.dirname, '../..')

const IMPORT = /(?:from|import\() ?'([^']+)'/g

/** Paths from the root of the sources in a folder. */
export function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name))
    .filter((path) => path.endsWith('.ts') && !/\/(node_modules|dist)\//.test(path))
}

const imports = new Map(
  ['src', 'schemas', 'test', 'examples', 'loadtest'].flatMap(sourcesIn).map((path) => [path, importsOf(path)]),
)

/** Paths from the root of all test files. */
export const testFiles: readonly string[] = [...imports.keys()].filter((path) => path.endsWith('.test.ts'))

/** Whether `npm test` leaves a test file to `npm run test:all`. */
export const isSlow = (path: string): boolean => /\.(slow|alone)\.test\.ts$|^loadtest\//.test(path)

function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(IMPORT)].map(([, name]) =>
    name!.startsWith('.') ? posix.join(posix.dirname(path), name!) : name!,
  )
}

/**
 * Test files that reach a module, and over how many imports. `module`: its path from the root or the name of a package, or what these match.
 */
export function distancesTo(module: string | RegExp): Map<string, number> {
  const isIt = (name: string) => (typeof module === 'string' ? name === module : module.test(name))
  const distances = new Map<string, number>()
  for (const test of testFiles) {
    const seen = new Map([[test, 0]])
    for (const [reached, distance] of seen) {
      const next = imports.get(reached) ?? []
      if (next.some(isIt)) {
        distances.set(test, distance + 1)
        break
      }
      for (const name of next) if (!seen.has(name)) seen.set(name, distance + 1)
    }
  }
  return distances
}
