/** PostgreSQL 15, as Debian 12 has it. */

import { installPackage } from '../services/debian-package.ts'
import { type DatabaseServer, type ServerOptions, startDatabaseServer } from './database-server.ts'

const BINARIES = '/usr/lib/postgresql/15/bin'

/** Installs it where that can be done. Null; or why there is none, for people. */
export function missingDebianServer(): Promise<string | null> {
  return installPackage('postgresql-15', `${BINARIES}/postgres`)
}

/** A server of its own, started; after `missingDebianServer` has said that there is one. */
export function startDebianServer(options: ServerOptions = {}): Promise<DatabaseServer> {
  return startDatabaseServer(BINARIES, options)
}
