// Whatever was acknowledged is there after a power cut, at whatever moment it comes, and nothing of it is called damaged.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import type { Finding } from '../../../src/scene/store/log-recovery.ts'
import type { SceneStore } from '../../../src/scene/store/store.ts'
import { runCount, seed } from '../../support/runs.ts'
import { CrashDisk } from '../../support/services/crash-disk.ts'
import { seeded } from '../../support/services/kept-scenes.ts'
import { lifeOf, plainAppend, plainDrop } from '../../support/services/plain-append.ts'

const directory = mkdtempSync(join(tmpdir(), 'tangent-power-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const SCENES = ['a', 'b', 'c', 'd']
const STEPS = 40
/** Small, so that files are begun, written anew and removed all the time. */
const fileByteCount = 2048

/** What is known of a scene: where it stands, and where it may stand if what is under way comes to an end. */
interface Known {
  generation: number
  version: number
  first: number
  next: { generation: number; version: number } | null
}

const text = (id: string, generation: number, version: number) =>
  `${id} ${generation} ${version} `.padEnd(20 + ((version * 37) % 200), 'x')
const open = (disk: CrashDisk, findings: Finding[] = []) =>
  openFileStore({ directory, disk, fileByteCount, onFinding: (finding) => findings.push(finding) })

async function work(store: SceneStore, id: string, known: Known, random: () => number) {
  for (let step = 0; step < STEPS; step++) {
    const choice = random()
    if (choice < 0.7 || known.version === 0) {
      const { version, generation } = known
      const count = 1 + Math.floor(random() * 3)
      const entries = Array.from({ length: count }, (_, k) => Buffer.from(text(id, generation, version + k + 1)))
      known.next = { generation, version: version + count }
      expect((await plainAppend(store, id, version, entries)).conflict).toBe(false)
      Object.assign(known, known.next)
    } else if (choice < 0.95) {
      const { version, generation } = known
      const chunks = async function* () {
        yield Buffer.from(text(id, generation, version))
      }
      expect(await store.writeSnapshot(await lifeOf(store, id), version, chunks())).toBe(true)
      known.first = version + 1
      await store.trim(await lifeOf(store, id), version + 1, [version])
    } else {
      known.next = { generation: known.generation + 1, version: 0 }
      expect((await plainDrop(store, id)).conflict).toBe(false)
      Object.assign(known, known.next, { first: 1 })
    }
    known.next = null
  }
}

async function check(disk: CrashDisk, states: Map<string, Known>) {
  const findings: Finding[] = []
  const store = await open(disk, findings)
  const listed = await store.list()
  expect(findings).toEqual([])
  for (const [id, known] of states) {
    const { version = 0, first = 1, snapshots = [], damage } = listed.find((each) => each.id === id) ?? {}
    expect(damage).toBeUndefined()
    const isNext = known.next !== null && known.next.version === version
    const generation = isNext && version !== known.version ? known.next!.generation : known.generation
    // Part of an append that was never acknowledged is no append.
    if (version !== known.version) expect(isNext, `${id} at ${version}, ${JSON.stringify(known)}`).toBe(true)
    if (version === 0) continue
    const newest = snapshots[0] ?? 0
    expect(first).toBeLessThanOrEqual(newest + 1)
    for await (const chunk of store.readSnapshot(await lifeOf(store, id), newest)) {
      expect(Buffer.from(chunk).toString()).toBe(text(id, generation, newest))
    }
    let read = newest
    for await (const entry of store.read(await lifeOf(store, id), newest + 1)) {
      expect(Buffer.from(entry.bytes ?? []).toString()).toBe(text(id, generation, ++read))
    }
    expect(read).toBe(version)
    // The scene goes on from there.
    expect(await plainAppend(store, id, version, [Buffer.from('more')])).toMatchObject({
      version: version + 1,
      conflict: false,
    })
  }
  expect(listed.length).toBeLessThanOrEqual(SCENES.length)
  await store.close()
}

it('keeps what was acknowledged', { timeout: 600_000 }, async () => {
  const random = seeded(seed())
  let cuts = 0
  for (let round = 0; round < runCount(12); round++) {
    const disk = new CrashDisk()
    const known = new Map(SCENES.map((id) => [id, { generation: 0, version: 0, first: 1, next: null } as Known]))
    const found: { disk: CrashDisk; known: Map<string, Known> }[] = []
    disk.onDeed = () => {
      if (random() < 0.04) found.push({ disk: disk.afterPowerCut(random), known: structuredClone(known) })
    }
    const store = await open(disk)
    await Promise.all(SCENES.map((id) => work(store, id, known.get(id) as Known, random)))
    await store.close()
    disk.onDeed = () => undefined
    found.push({ disk, known })
    for (const each of found) await check(each.disk, each.known)
    cuts += found.length
  }
  expect(cuts).toBeGreaterThan(runCount(12) * 10)
})
