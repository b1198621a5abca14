/** A synchronous standby that takes over whenever the server that is written to is killed, and gets a standby of its own. */

import { setTimeout as pause } from 'node:timers/promises'
import { seeded } from '../support/services/kept-scenes.ts'
import type { Cluster } from './cluster.ts'
import type { Fault, History } from './history.ts'
import { type LoadOptions, type TortureReport, underLoad } from './torture.ts'

const NAME = 'standby'

/** Kills the server so many times while clients write. */
export function failovers(options: LoadOptions & { readonly killCount: number }): Promise<TortureReport> {
  const random = seeded(options.seed)
  return underLoad(options, async (cluster, history) => {
    // all of it is copied each time: what is kept for recovery would come to gigabytes
    await cluster.database.change({ max_wal_size: '64MB', min_wal_size: '32MB' })
    // it is stopped for a moment while it is copied
    let standby = await duringFault('copied', history, () => cluster.database.startStandby({ name: NAME }))
    await cluster.database.change({ synchronous_standby_names: NAME })
    for (let kills = 0; kills < options.killCount; kills++) {
      await pause(200 + 1000 * random())
      standby = await duringFault('killed, and replaced by its standby', history, async () => {
        const lost = cluster.database
        await lost.kill9()
        await standby.promote()
        await moveTo(cluster, standby)
        await lost.dispose()
        return standby.startStandby({ name: NAME })
      })
    }
    await standby.dispose()
    await cluster.database.change({ synchronous_standby_names: '' })
  })
}

async function moveTo(cluster: Cluster, database: Cluster['database']): Promise<void> {
  // a copy of the server that waited for a standby waits for one as well, from its first moment
  const [names] = await database.query<{ synchronous_standby_names: string }>('show synchronous_standby_names')
  if (names?.synchronous_standby_names !== NAME) await database.change({ synchronous_standby_names: NAME })
  cluster.moveTo(database)
}

async function duringFault<T>(kind: string, { faults }: History, action: () => Promise<T>): Promise<T> {
  const fault: Fault = { kind, replica: null, startedAt: performance.now(), endedAt: null }
  faults.push(fault)
  try {
    return await action()
  } finally {
    fault.endedAt = performance.now()
  }
}
