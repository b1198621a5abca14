// The files of the playground, as `npm run build` leaves them; run from its sources the service makes them itself, so that what is
// seen in development and in tests is what lies there.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PackedFile, packedFile } from './packed-file.ts'

export interface PlaygroundFiles {
  html: PackedFile
  js: PackedFile
  css: PackedFile
}

const isBuilt = import.meta.filename.endsWith('.js')

/** Once, and again after a failure. */
let files: Promise<PlaygroundFiles> | undefined

export function playgroundFiles(): Promise<PlaygroundFiles> {
  files ??= (isBuilt ? readBuilt() : bundle()).catch((error) => {
    files = undefined
    throw error
  })
  return files
}

async function readBuilt(): Promise<PlaygroundFiles> {
  const folder = join(import.meta.dirname, '../../playground')
  const read = async (name: string) => packedFile(await readFile(join(folder, name), 'utf8'))
  return { html: await read('index.html'), js: await read('playground.js'), css: await read('playground.css') }
}

/** As build.mjs makes them. */
async function bundle(): Promise<PlaygroundFiles> {
  const { build } = await import('esbuild')
  const folder = join(import.meta.dirname, '../playground')
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'playground.ts'), join(folder, 'playground.css')],
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    write: false,
  })
  const made = (end: string) => packedFile(outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '')
  return {
    html: packedFile(await readFile(join(folder, 'index.html'), 'utf8')),
    js: made('.js'),
    css: made('.css'),
  }
}
