#!/usr/bin/env node
// Builds the service into dist/. With `--benches`, builds the benches and the service that they measure into loadtest/dist/, where they
// find the packages of loadtest/package.json. Does nothing when no input has changed since the last build; `--clean` starts from nothing.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { benches: { type: 'boolean' }, clean: { type: 'boolean' } } })
process.chdir(import.meta.dirname)

const target = values.benches
  ? { outdir: 'loadtest/dist', folders: ['src', 'schemas', 'openapi', 'examples', 'loadtest'] }
  : { outdir: 'dist', folders: ['src', 'schemas', 'openapi'] }

/** Tests have files of their own in dist/. */
const MADE = ['src', 'schemas', 'openapi', 'playground', 'build.stamp', 'build.tsbuildinfo']
/** They look for files of their own, or are not there everywhere. */
const EXTERNAL = [
  'piscina',
  '@fastify/swagger-ui',
  '@resvg/resvg-js',
  'koffi',
  'esbuild',
  'pg-native',
  '@fastify/otel',
  '@opentelemetry/sdk-node',
]
const MIGRATIONS = 'src/scene/postgres/migrations'
const stamp = join(target.outdir, 'build.stamp')
if (values.clean) for (const made of MADE) rmSync(join(target.outdir, made), { recursive: true, force: true })

const digest = digestOfInputs()
const isBuilt = existsSync(stamp) && existsSync(join(target.outdir, 'src/server.js'))
if (!isBuilt || readFileSync(stamp, 'utf8') !== digest) {
  rmSync(stamp, { force: true })
  await build()
  mkdirSync(target.outdir, { recursive: true })
  writeFileSync(stamp, digest)
}

async function build() {
  if (values.benches && !existsSync('loadtest/node_modules')) {
    const { status } = spawnSync('npm', ['ci', '--prefix', 'loadtest'], { stdio: 'inherit' })
    if (status !== 0) process.exit(1)
  }
  if (values.benches) compile()
  else await bundle()
  const isOf = (end) => (path) => statSync(path).isDirectory() || path.endsWith(end)
  cpSync('openapi', join(target.outdir, 'openapi'), { recursive: true, filter: isOf('.json') })
  const migrations = values.benches ? MIGRATIONS : 'src/parts/migrations'
  cpSync(MIGRATIONS, join(target.outdir, migrations), { recursive: true, filter: isOf('.sql') })
  const esbuild = await import('esbuild')
  // as src/replies/playground-files.ts makes them when the service runs from its sources
  await esbuild.build({
    entryPoints: ['playground.ts', 'space/space.ts', 'playground.css', 'index.html'].map(
      (name) => `src/playground/${name}`,
    ),
    entryNames: '[name]',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    loader: { '.html': 'copy' },
    outdir: `${target.outdir}/playground`,
    logLevel: 'warning',
  })
}

/** Module by module: benches load some of them. */
function compile() {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'loadtest/tsconfig.build.json'], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

/**
 * The processes and the thread, and what they share in a few files: a thousand modules take half a second to be found and opened. Constants
 * stay constants, which the engine folds into the code of kernels. The parts lie as deep as the modules that look for files beside them.
 */
async function bundle() {
  const { rolldown } = await import('rolldown')
  const made = await rolldown({
    input: {
      ...entries(['server', 'migrate', 'move-scenes', 'app', 'config', 'telemetry']),
      'parts/worker': 'src/threads/worker.ts',
    },
    platform: 'node',
    external: EXTERNAL,
  })
  await made.write({
    dir: `${target.outdir}/src`,
    format: 'esm',
    chunkFileNames: 'parts/[name].js',
    cleanDir: true,
    sourcemap: true,
    // there is less to read, which a command waits for; names of functions and classes stay, for stacks
    minify: { compress: false, mangle: { keepNames: true }, codegen: true },
  })
  await made.close()
}

function entries(programs) {
  return Object.fromEntries(programs.map((name) => [name, `src/${name}.ts`]))
}

/** Of the paths and contents of all files that a build depends on. */
function digestOfInputs() {
  const hash = createHash('sha256')
  const named = ['build.mjs', 'package-lock.json', 'tsconfig.json']
  const found = target.folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(
        (entry) =>
          entry.isFile() &&
          !/\/(node_modules|dist)\//.test(`${entry.parentPath}/`) &&
          /\.(ts|sql|css|html)$|^(tsconfig.*|openapi.*)\.json$/.test(entry.name),
      )
      .map(({ parentPath, name }) => join(parentPath, name)),
  )
  for (const path of [...named, ...found].sort()) hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}
