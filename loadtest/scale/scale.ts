// What replicas over one database come to, measured one after the other: all on this machine, the load too.
//
//   npm run bench:scale [-- PART …]    parts: told rates reads away cut large loads soak
//
// All traffic stays on the loopback address.

import { endService, startService } from '../measuring/service-process.ts'
import { type Replica, startCluster } from './cluster.ts'
import { cutOneOff, goWithoutDatabase } from './database-away.ts'
import { loadLargeScene } from './large-scene.ts'
import { loadByMany } from './many-loads.ts'
import { measureReads } from './reads.ts'
import { soak } from './soak.ts'
import { tellElsewhere } from './told-elsewhere.ts'
import { measureWriteRates } from './write-rates.ts'

/** Of the large scene. */
const BODIES = 1_000_000
const ENTRIES = 20_000
/** Tables that are small for what is written to them want to be looked at more often than each minute. */
const SMALL = { autovacuum_naptime: '15s' }
const ROOM = { MAX_SCENE_BODIES: '2000000', BODY_LIMIT: '67108864' }

const parts: Record<string, () => Promise<void>> = {
  told: async () => {
    const cluster = await startCluster(2)
    await tellElsewhere(cluster, 'by notification', 2000, 5)
    await cluster.dispose()
    for (const pollMs of ['100', '1000']) {
      // nobody listens at such a place, so that only polls are left
      const polling = await startCluster(2, {
        DATABASE_LISTEN_URL: 'postgres://nobody@127.0.0.1:1/none',
        SCENE_POLL_MS: pollMs,
      })
      await tellElsewhere(polling, `by poll each ${pollMs} ms at most`, 60, 400)
      await polling.dispose()
    }
  },
  rates: async () => {
    const cluster = await startCluster(0)
    // not through proxies: those run in the process that writes, which has little time for them
    for (let k = 0; k < 2; k++) await cluster.add({ DATABASE_URL: cluster.databaseUrl })
    await measureWriteRates(cluster, { rounds: 11, seconds: 2, writers: 64 })
    await cluster.dispose()
  },
  reads: async () => {
    const cluster = await startCluster(2, { WORKERS: '0' })
    const strangers = [await startService({ WORKERS: '0' }), await startService({ WORKERS: '0' })] as const
    await measureReads(cluster.replicas as [Replica, Replica], strangers, 31, 1)
    for (const stranger of strangers) await endService(stranger)
    await cluster.dispose()
  },
  away: async () => {
    const cluster = await startCluster(1)
    await goWithoutDatabase(cluster, 60)
    await cluster.dispose()
  },
  cut: async () => {
    const cluster = await startCluster(2)
    await cutOneOff(cluster, 15)
    await cluster.dispose()
  },
  large: async () => {
    const cluster = await startCluster(1, ROOM)
    await loadLargeScene(cluster, BODIES, ENTRIES)
    await cluster.dispose()
  },
  loads: async () => {
    const cluster = await startCluster(1, ROOM, { max_connections: 1000 })
    await loadByMany(cluster, 200, BODIES, ENTRIES)
    await cluster.dispose()
  },
  soak: async () => {
    const cluster = await startCluster(4, { LOG_RETENTION: '60', MAX_SCENES: '20000', WORKERS: '0' }, SMALL)
    await soak(cluster, { minutes: Number(process.env.SOAK_MINUTES ?? 30), scenes: 10_000, perSecond: 150 })
    await cluster.dispose()
  },
}

const asked = process.argv.slice(2)
for (const name of asked.length > 0 ? asked : Object.keys(parts)) {
  const part = parts[name]
  if (part === undefined) throw new Error(`there is no part ${name}`)
  console.log(`# ${name}`)
  await part()
}
process.exit(0)
