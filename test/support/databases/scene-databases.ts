/** Databases for stores of scenes on one server: each a copy of one that has the schema. */

import { type Migrated, migrate } from '../../../src/scene/postgres/migrate.ts'
import type { DatabaseServer } from './database-server.ts'

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

/** The address of another database of the same server. */
export const databaseUrl = (url: string, name: string) => url.replace(/\/[^/]*$/, `/${name}`)
