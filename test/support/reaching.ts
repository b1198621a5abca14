// Which test files import a module, directly or through other files of the tests and examples: what decides where a test is run.

import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const root = join(import.meta.dirname, '../..')

const IMPORT = /(?:from|import\() ?'([^']+)'/g

/** Paths from the root of all test files in test/. */
export const testFiles: readonly string[] = sourcesIn('test').filter((path) => path.endsWith('.test.ts'))

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name))
    .filter((path) => path.endsWith('.ts') && !/\/(node_modules|dist)\//.test(path))
}

const imports = new Map(['test', 'examples', 'loadtest'].flatMap(sourcesIn).map((path) => [path, importsOf(path)]))

function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(IMPORT)].map(([, name]) =>
    name!.startsWith('.') ? posix.join(posix.dirname(path), name!) : name!,
  )
}

/** The test files that reach a module whose path from the root, or whose name, matches. */
export function testsReaching(module: RegExp): string[] {
  return testFiles.filter((path) => {
    const seen = new Set([path])
    for (const reached of seen) {
      for (const next of imports.get(reached) ?? []) {
        if (module.test(next)) return true
        seen.add(next)
      }
    }
    return false
  })
}
