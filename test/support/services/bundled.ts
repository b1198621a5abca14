// One file of plain JavaScript out of a TypeScript file and all it imports: a process that runs it starts at once.

import { basename, join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../../..')

/** Where it was written. It must lie below the root, so that packages are found from there. */
export async function bundled(source: string): Promise<string> {
  const name = basename(source, '.ts')
  const outdir = join(root, 'dist/test', `${name}-${process.pid}`)
  await build({
    // the workers of a service are looked for beside it
    entryPoints: [join(root, source), join(root, 'src/threads/worker.ts')],
    entryNames: '[name]',
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return join(outdir, `${name}.js`)
}
