/** Stores of scenes on databases of one server, closed after each test. */

import type { StoreEvent } from '../../../src/scene/postgres/database-error.ts'
import { openPostgresStore, type PostgresStoreOptions } from '../../../src/scene/postgres/postgres-store.ts'
import type { SceneStore, SharedStore } from '../../../src/scene/store/store.ts'

export type Opened = SceneStore & { readonly shared: SharedStore; readonly events: StoreEvent[] }

const opened: SceneStore[] = []

/** One on the database at `url`; what it tells of itself is kept in `events`. */
export async function openStore(url: string, options: Partial<PostgresStoreOptions> = {}): Promise<Opened> {
  const events: StoreEvent[] = []
  const store = await openPostgresStore({ connection: { url }, onEvent: (event) => events.push(event), ...options })
  opened.push(store)
  return Object.assign(store, { events }) as Opened
}

export async function closeStores(): Promise<void> {
  await Promise.all(opened.splice(0).map((store) => store.close()))
}
