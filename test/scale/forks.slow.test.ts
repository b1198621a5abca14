// A database that has lost what was acknowledged, because it was put back or its standby was behind: every replica notices, and none
// serves what is gone.

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shownDigest } from '../../src/scene/store/checksum-frame.ts'
import { startProxy } from '../support/databases/tcp-proxy.ts'
import { runCount } from '../support/runs.ts'
import { checkLog } from './check-log.ts'
import { checkReplicas } from './check-replicas.ts'
import { Cluster } from './cluster.ts'
import { failovers } from './failover.ts'
import { readFinalLog } from './final-log.ts'
import type { Replica } from './replica.ts'

const BODY = JSON.stringify({ shape: { type: 'circle', radius: 1 } })

let cluster: Cluster
beforeAll(async () => {
  cluster = await Cluster.start({ replicaCount: 3 })
}, 300_000)
afterAll(() => cluster.dispose())

async function send(replica: Replica, method: string, path: string, body?: string) {
  const answer = await replica.send(method, `/v1/2d/scenes/${path}`, {}, body)
  return { ...answer, replica: replica.number }
}

/** Bodies `from` to `to`, one write each, by all replicas in turn. */
async function put(scene: string, from: number, to: number, replicas = cluster.replicas): Promise<void> {
  for (let n = from; n <= to; n++) {
    for (let tries = 1; ; tries++) {
      const { status, text } = await send(
        replicas[n % replicas.length] as Replica,
        'PUT',
        `${scene}/bodies/b${n}`,
        BODY,
      )
      if (status < 300) break
      if (tries === 50) throw new Error(text)
      await pause(100)
    }
  }
}

/** A scene that all replicas have in memory, with `count` bodies. */
async function begun(scene: string, count: number): Promise<void> {
  // what was done to the database before may not be over for this one
  const made = async () => (await send(cluster.replicas[0] as Replica, 'PUT', scene, '{}')).status
  await expect.poll(made).toBe(201)
  await put(scene, 1, count)
  for (const replica of cluster.replicas) {
    await expect.poll(async () => (await send(replica, 'GET', scene)).status).toBe(200)
  }
}

/** Where the scene stands in the database, once that is there. */
async function tagOf(scene: string): Promise<string> {
  const head = () => cluster.store.head(scene).catch(() => undefined)
  await expect.poll(head).toBeDefined()
  const stored = await cluster.store.head(scene)
  return stored === null ? '' : `"${stored.version}.${shownDigest(stored.digest as Uint8Array)}"`
}

/** Waits until all replicas stand where the database stands; nobody writes, so they have found that out by themselves. */
async function noticed(scene: string): Promise<void> {
  const wanted = await tagOf(scene)
  await expect
    .poll(
      async () => {
        const answers = await Promise.all(cluster.replicas.map((replica) => send(replica, 'GET', scene)))
        return answers.map(({ etag, status }) => (status === 200 ? etag : status))
      },
      { timeout: 60_000, interval: 50 },
    )
    .toEqual(cluster.replicas.map(() => wanted))
}

/** Nothing of the tail is served, and everything goes on. */
async function goesOn(scene: string, lost: number): Promise<void> {
  for (const replica of cluster.replicas) {
    expect((await send(replica, 'GET', `${scene}/bodies/b${lost}`)).status, `replica ${replica.number}`).toBe(404)
  }
  await put(scene, 100, 110)
  expect(await checkReplicas(cluster.store, cluster.replicas, [scene])).toEqual([])
  expect(checkLog(await readFinalLog(cluster.database))).toEqual([])
}

describe('a database that was put back to a backup', () => {
  it('is noticed while it is still behind', async () => {
    await begun('behind', 5)
    const backup = await cluster.database.backup()
    await put('behind', 6, 12)
    await cluster.database.restore(backup)
    await noticed('behind')
    await goesOn('behind', 12)
  })

  it('is noticed by one that comes back when others have written more than was lost', async () => {
    await begun('ahead', 5)
    const backup = await cluster.database.backup()
    await put('ahead', 6, 9)
    const absent = cluster.replicas[2] as Replica
    await expect.poll(async () => (await send(absent, 'GET', 'ahead/bodies/b9')).status).toBe(200)
    absent.pause()
    await cluster.database.restore(backup)
    await put('ahead', 50, 60, cluster.replicas.slice(0, 2))
    absent.resume()
    await noticed('ahead')
    await goesOn('ahead', 9)
  })
})

describe('a standby', () => {
  it('that was behind and is promoted is noticed', async () => {
    await begun('lagging', 5)
    const link = await startProxy(cluster.database)
    const primary = cluster.database
    const standby = await primary.startStandby({ through: link.port })
    await put('lagging', 6, 8)
    const at = () => standby.query<{ version: string }>("select version from tangent.scene where id = 'lagging'")
    await expect.poll(async () => (await at())[0]?.version).toBe('9')
    await link.become('blackHole')
    await put('lagging', 9, 14)
    await primary.kill9()
    await standby.promote()
    cluster.moveTo(standby)
    await noticed('lagging')
    await goesOn('lagging', 14)
    await link.dispose()
    await primary.dispose()
  })

  it('that is waited for loses nothing when it takes over', { timeout: 300_000 }, async () => {
    const { findings, writes, ...report } = await failovers({
      seed: 5,
      killCount: runCount(6),
      replicaCount: 2,
      clientCount: 6,
    })
    expect(findings, JSON.stringify({ writes, ...report })).toEqual([])
    expect(writes.acknowledged).toBeGreaterThan(runCount(40))
  })
})
