/** Databases for stores of scenes on one server: each a copy of one that has the schema, or one that is emptied again and again. */

import { type Migrated, migrate } from '../../../src/scene/postgres/migrate.ts'
import type { DatabaseServer } from './database-server.ts'
import { sqlOn } from './sql-on.ts'

const TEMPLATE = 'tangent_template'

const templates = new WeakMap<DatabaseServer, Promise<Migrated>>()
let count = 0

/** The name of a new database with the schema and nothing in it. */
export async function newSceneDatabase(server: DatabaseServer): Promise<string> {
  let template = templates.get(server)
  if (template === undefined) {
    template = server
      .query(`create database ${TEMPLATE}`)
      .then(() => migrate({ url: databaseUrl(server.url, TEMPLATE) }))
    templates.set(server, template)
  }
  await template
  const name = `scenes_${++count}`
  await server.query(`create database ${name} template ${TEMPLATE}`)
  return name
}

const EMPTY = `do $$
  begin
    execute (select 'truncate ' || string_agg(format('tangent.%I', tablename), ', ') || ' restart identity'
      from pg_tables where schemaname = 'tangent' and tablename not in ('tally', 'schema_version'));
    update tangent.tally set scenes = 0;
  end $$`

const emptied = new WeakMap<DatabaseServer, Promise<string>>()

/**
 * The name of a database that is as a new one: the same each time, for tests that have closed all that the one before has opened. A new one
 * is copied file by file, which takes five times as much.
 */
export async function emptySceneDatabase(server: DatabaseServer): Promise<string> {
  const used = emptied.get(server)
  const made = used ?? newSceneDatabase(server)
  emptied.set(server, made)
  const name = await made
  if (used !== undefined) await sqlOn(databaseUrl(server.url, name), EMPTY)
  return name
}

/** The address of another database of the same server. */
export const databaseUrl = (url: string, name: string) => url.replace(/\/[^/]*$/, `/${name}`)
