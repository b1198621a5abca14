#!/usr/bin/env node
// Builds the service into dist/. With `--benches`, builds the benches and the service that they measure into loadtest/dist/, where they
// find the packages of loadtest/package.json. Does nothing when no input has changed since the last build; `--clean` starts from nothing.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { benches: { type: 'boolean' }, clean: { type: 'boolean' } } })
process.chdir(import.meta.dirname)

const target = values.benches
  ? {
      project: 'loadtest/tsconfig.build.json',
      outdir: 'loadtest/dist',
      folders: ['src', 'schemas', 'openapi', 'examples', 'loadtest'],
    }
  : { project: 'tsconfig.build.json', outdir: 'dist', folders: ['src', 'schemas', 'openapi'] }

/** Tests have files of their own in dist/. */
const MADE = [
  'src',
  'schemas',
  'openapi',
  'playground',
  'build.stamp',
  'tsconfig.build.tsbuildinfo',
  'build.tsbuildinfo',
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
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', target.project], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
  const esbuild = await import('esbuild')
  await esbuild.build({
    entryPoints: ['openapi/*.json', `${MIGRATIONS}/*.sql`],
    loader: { '.json': 'copy', '.sql': 'copy' },
    outbase: '.',
    outdir: target.outdir,
    logLevel: 'warning',
  })
  // as src/replies/playground-files.ts makes them when the service runs from its sources
  await esbuild.build({
    entryPoints: ['playground.ts', 'playground.css', 'index.html'].map((name) => `src/playground/${name}`),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    loader: { '.html': 'copy' },
    outdir: `${target.outdir}/playground`,
    logLevel: 'warning',
  })
}

/** Of the paths and contents of all files that a build depends on. */
function digestOfInputs() {
  const hash = createHash('sha256')
  const named = ['build.mjs', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
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
