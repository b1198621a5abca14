// One file of plain JavaScript out of a TypeScript file and all it imports: a process that runs it starts at once.

import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../../..')

/** Where this process has it written. */
export function bundlePlace(source: string): string {
  const name = basename(source, '.ts')
  return join(root, 'dist/test', `${name}-${process.pid}`, `${name}.js`)
}

/** Where it was written. It must lie below the root, so that packages are found from there. */
export async function bundled(source: string): Promise<string> {
  const place = bundlePlace(source)
  await build({
    // the workers of a service are looked for beside it
    entryPoints: [...new Set([source, 'src/threads/worker.ts'])].map((path) => join(root, path)),
    entryNames: '[name]',
    outdir: dirname(place),
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return place
}
