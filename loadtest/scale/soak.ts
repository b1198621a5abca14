// Many scenes that come and go for a long time: nothing grows that should not. Scenes are made, written to, deleted, and left to expire,
// at a steady rate, by all replicas alike.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { rssMiB } from '../measuring/service-process.ts'
import { box, type Cluster, type Replica, sceneUrl, send } from './cluster.ts'

export interface SoakOptions {
  readonly minutes: number
  readonly scenes: number
  /** Requests that change something. */
  readonly perSecond: number
}

const SAMPLE_MS = 30_000
/** Of scenes that are to expire, in seconds. */
const TTL = 120
const STATES: Record<number, string> = { 2: 'done', 4: 'refused', 5: 'failed' }

interface Sample {
  minute: number
  scenes: number
  entries: number
  mebibytes: number
  toast: number
  dead: number
  oldestSeconds: number
  rss: number[]
}

export async function soak(cluster: Cluster, { minutes, scenes, perSecond }: SoakOptions) {
  const counts = new Map<string, number>()
  const count = (state: string) => void counts.set(state, (counts.get(state) ?? 0) + 1)
  const client = new pg.Client({ connectionString: cluster.databaseUrl })
  await client.connect()
  let next = 0
  const step = async () => {
    const k = next++
    const replica = cluster.replicas[k % cluster.replicas.length] as Replica
    const id = `s${Math.floor(Math.random() * scenes)}`
    const choice = Math.random()
    const url = sceneUrl(replica, id)
    const settings = Math.random() < 0.5 ? { ttl: TTL } : {}
    const answer =
      choice < 0.2
        ? await send(url, 'DELETE')
        : choice < 0.5
          ? await send(url, 'PUT', settings)
          : await send(`${url}/operations`, 'POST', { operations: [box(`b${k % 20}`, k % 1000, 0)] })
    const state = STATES[Math.floor(answer.status / 100)] ?? String(answer.status)
    count(state)
  }
  for (let made = 0; made < scenes; made += 100) {
    await Promise.all(
      Array.from({ length: 100 }, (_, k) =>
        send(sceneUrl(cluster.replicas[k % cluster.replicas.length] as Replica, `s${made + k}`), 'PUT', {}),
      ),
    )
  }
  const begun = performance.now()
  const until = begun + 60_000 * minutes
  let sampleAt = begun
  const samples: Sample[] = []
  const underWay = new Set<Promise<void>>()
  for (let n = 0; performance.now() < until; n++) {
    const early = begun + (1000 * n) / perSecond - performance.now()
    if (early > 0) await sleep(early)
    if (underWay.size > 200) await Promise.race(underWay)
    const going = step()
      .catch((error: Error) => count(`lost (${error.message})`))
      .finally(() => underWay.delete(going))
    underWay.add(going)
    if (performance.now() < sampleAt) continue
    sampleAt += SAMPLE_MS
    samples.push(await sampled(client, cluster, (performance.now() - begun) / 60_000))
    console.log(JSON.stringify(samples.at(-1)))
  }
  await Promise.all(underWay)
  await client.end()
  console.log([...counts].map(([state, count]) => `${count} ${state}`).join(', '))
  // scenes live for five or six minutes: after half of the time there are as many as there will be
  const settled = samples.slice(Math.floor(samples.length / 2))
  const change = (of: (sample: Sample) => number) => {
    const half = Math.floor(settled.length / 2)
    const mean = (part: Sample[]) => part.reduce((sum, sample) => sum + of(sample), 0) / part.length
    const [before, after] = [mean(settled.slice(0, half)), mean(settled.slice(half))]
    return before === after ? '1.00' : (after / before).toFixed(2)
  }
  const most = (of: (sample: Sample) => number) => Math.max(...settled.map(of))
  console.log(
    `last quarter of the time against the third: tables ${change(({ mebibytes }) => mebibytes)}, TOAST ${change(({ toast }) => toast)}, memory ${change(({ rss }) => rss.reduce((a, b) => a + b, 0))}; dead rows at most ${(100 * most(({ dead }) => dead)).toFixed(1)} %, oldest transaction at most ${most(({ oldestSeconds }) => oldestSeconds).toFixed(2)} s`,
  )
}

async function sampled(client: pg.Client, { replicas }: Cluster, minute: number): Promise<Sample> {
  const { rows } = await client.query(`select
    (select count(*)::int from tangent.scene where dropped_at is null) as scenes,
    (select count(*)::int from tangent.entry) as entries,
    sum(pg_total_relation_size(c.oid))::float8 / 1048576 as mebibytes,
    sum(coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0))::float8 / 1048576 as toast,
    (select sum(n_dead_tup)::float8 / greatest(sum(n_live_tup + n_dead_tup), 1) from pg_stat_user_tables where schemaname = 'tangent') as dead,
    (select coalesce(max(extract(epoch from now() - xact_start)), 0)::float8 from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()) as oldest
    from pg_class c where c.relnamespace = 'tangent'::regnamespace and c.relkind = 'r'`)
  const [{ scenes, entries, mebibytes, toast, dead, oldest }] = rows
  return {
    minute: round(minute),
    scenes,
    entries,
    mebibytes: round(mebibytes),
    toast: round(toast),
    dead: round(dead, 1000),
    oldestSeconds: round(oldest, 1000),
    rss: replicas.map((replica) => rssMiB(replica) ?? 0),
  }
}

const round = (value: number, per = 10) => Math.round(value * per) / per
