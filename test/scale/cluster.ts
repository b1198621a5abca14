/** Replicas of the service over one database, each behind a proxy of its own. */

import { openPostgresStore } from '../../src/scene/postgres/postgres-store.ts'
import type { SceneStore } from '../../src/scene/store/store.ts'
import type { DatabaseServer } from '../support/databases/database-server.ts'
import { startServer } from '../support/databases/embedded-server.ts'
import { startProxy, type TcpProxy } from '../support/databases/tcp-proxy.ts'
import { bundled } from '../support/services/bundled.ts'
import { proxied, Replica } from './replica.ts'

export interface ClusterOptions {
  readonly replicaCount?: number
  readonly env?: Readonly<Record<string, string>>
  /** The file of the program that replicas run. */
  readonly service?: string
}

/** A database with the schema of the service, and replicas that are ready. */
export class Cluster {
  /** The one that is written to. */
  database: DatabaseServer
  readonly store: SceneStore
  readonly replicas: readonly Replica[]
  /** Between the store and the database. */
  readonly #proxy: TcpProxy

  private constructor(database: DatabaseServer, proxy: TcpProxy, store: SceneStore, replicas: readonly Replica[]) {
    this.database = database
    this.#proxy = proxy
    this.store = store
    this.replicas = replicas
  }

  static async start({ replicaCount = 4, env = {}, service = 'src/server.ts' }: ClusterOptions): Promise<Cluster> {
    const [database, script] = await Promise.all([startServer(), bundled(service)])
    const proxy = await startProxy(database)
    const store = await openPostgresStore({ connection: { url: proxied(database, proxy) }, migrate: true })
    const replicas: Replica[] = []
    for (let number = 0; number < replicaCount; number++) {
      replicas.push(await Replica.start(number, script, database, env))
    }
    await Promise.all(replicas.map((replica) => replica.ready()))
    return new Cluster(database, proxy, store, replicas)
  }

  /** Leads everybody to another server. */
  moveTo(database: DatabaseServer): void {
    this.database = database
    for (const proxy of [this.#proxy, ...this.replicas.map((replica) => replica.proxy)]) {
      proxy.target = database
      proxy.reset()
    }
  }

  async dispose(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.dispose()))
    await this.store.close()
    await this.#proxy.dispose()
    await this.database.dispose()
  }
}
