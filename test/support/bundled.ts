// One file of plain JavaScript out of a TypeScript file and all it imports: a process that runs it starts at once.

import { basename, join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../..')

/** Where it was written. It must lie below the root, so that packages are found from there. */
export async function bundled(source: string): Promise<string> {
  const outfile = join(root, 'dist/test', `${basename(source, '.ts')}-${process.pid}.mjs`)
  await build({
    entryPoints: [join(root, source)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return outfile
}
