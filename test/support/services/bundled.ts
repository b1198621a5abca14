// One file of plain JavaScript out of a TypeScript file and all it imports, packages too: a process that runs it starts at once.

import { rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../../..')

/** Starts a file of its own that lies beside it; what is not installed; and what is no JavaScript. */
const NOT_BUNDLED = ['piscina', 'pg-native', '@resvg/resvg-js', '@opentelemetry/sdk-node', '@fastify/otel']
/** What packages look for beside themselves. */
const ASSETS = 'node_modules/@fastify/swagger-ui/static'
/** Packages of the older kind find what belongs to it in modules of the newer. */
const OLDER_NAMES = [
  "import { createRequire as createRequire_ } from 'node:module'",
  'const require = createRequire_(import.meta.url)',
  'const { filename: __filename, dirname: __dirname } = import.meta',
].join('\n')

/** Of this run: processes that are started for it have it from the first, which may be the only one. */
process.env.TANGENT_TEST_RUN ??= `${process.pid}`
const folder = join(root, 'dist/test', process.env.TANGENT_TEST_RUN)

/** Where this process has it written. */
export function bundlePlace(source: string): string {
  const name = basename(source, '.ts')
  return join(folder, `${name}-${process.pid}`, `${name}.js`)
}

/** Takes away all that this run has had written. */
export function removeBundles(): void {
  rmSync(folder, { recursive: true, force: true })
}

if (process.env.TANGENT_TEST_RUN === `${process.pid}`) process.once('exit', removeBundles)

const written = new Map<string, Promise<string>>()

/** Where it was written: once by each process, unless `isAnew`. It must lie below the root, so that packages are found from there. */
export function bundled(source: string, { isAnew = false } = {}): Promise<string> {
  const known = written.get(source)
  if (known !== undefined && !isAnew) return known
  const place = write(source)
  written.set(source, place)
  return place
}

async function write(source: string): Promise<string> {
  const place = bundlePlace(source)
  await build({
    // the workers of a service are looked for beside it
    entryPoints: [...new Set([source, 'src/threads/worker.ts'])].map((path) => join(root, path)),
    entryNames: '[name]',
    outdir: dirname(place),
    bundle: true,
    platform: 'node',
    format: 'esm',
    // a third less to read
    minifyWhitespace: true,
    external: NOT_BUNDLED,
    banner: { js: OLDER_NAMES },
    logLevel: 'error',
  })
  if (source === 'src/server.ts') await cp(join(root, ASSETS), join(dirname(place), 'static'), { recursive: true })
  return place
}
