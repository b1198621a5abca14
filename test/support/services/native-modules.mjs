// Node's own loader for sources, which it is told to take for JavaScript without their types. Vitest's loader puts a getter between a module
// and each thing that it imports, which costs a kernel an eighth of its time; but it alone can mock modules.
//
// Where this is imported, it holds for what is imported later. It is in JavaScript since nothing else can be loaded before it.

import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

const AS_HOOKS = '?hooks'
if (!import.meta.url.endsWith(AS_HOOKS)) register(import.meta.url + AS_HOOKS)

const POOL = 'src/threads/pool.ts'
const AS_SOURCES = ["'./worker.ts'", "['--import', 'tsx']"]

/**
 * The text of a source, where pools start their workers from the one file that the environment names: each would compile some hundred
 * sources for itself otherwise, which is most of what an app in a test costs, and no part of what is tested.
 *
 * @param {string} path
 * @param {string} text
 */
export function withBundledWorker(path, text) {
  const file = process.env.TANGENT_TEST_WORKER
  if (!path.endsWith(POOL) || file === undefined) return text
  if (!AS_SOURCES.every((part) => text.includes(part))) throw new Error(`${POOL} starts workers in another way`)
  const [worker, loader] = AS_SOURCES
  return text.replace(worker, JSON.stringify(file)).replace(loader, '[]')
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  const [file] = url.split('?')
  if (!file.startsWith('file:') || !file.endsWith('.ts')) return next(url, context)
  const path = fileURLToPath(file)
  const text = withBundledWorker(path, await readFile(path, 'utf8'))
  const { code } = await transform(text, {
    loader: 'ts',
    target: 'es2023',
    sourcefile: path,
    sourcemap: 'inline',
    sourcesContent: false,
  })
  return { format: 'module', source: code, shortCircuit: true }
}
