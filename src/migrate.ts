#!/usr/bin/env node
// The command that brings the schema of the database to that of this release, and ends. Its settings are those of the service; its
// role needs to create tables, which the role of the service does not.
//
// It ends with 0 when the schema is there, also when it was before; with 1 when something is wrong that another try does not mend; with
// 2 when the database could not be reached, or refused: what is done is done, and the next try goes on from there.

import { readConfig } from './command/settings.ts'
import { databaseConnection } from './config.ts'
import { migrate } from './scene/postgres/migrate.ts'
import { StoreError, StoreFull, StoreUnavailable } from './scene/store/store.ts'

try {
  const { from, to } = await migrate(
    databaseConnection(readConfig(process.argv.slice(2), { SCENE_STORE: 'postgres' }, 1)),
  )
  process.stdout.write(from === to ? `Schema ${to} is there.\n` : `Schema ${to} is there now; it was ${from}.\n`)
} catch (error) {
  if (!(error instanceof StoreError)) throw error
  process.stderr.write(`Migration: ${error.message}\n`)
  process.exitCode = error instanceof StoreUnavailable || error instanceof StoreFull ? 2 : 1
}
