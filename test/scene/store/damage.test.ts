// Damage to any byte of a data directory: every scene is as it was, or something of it is said to be missing.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import type { Finding } from '../../../src/scene/store/log-recovery.ts'
import type { SceneStore } from '../../../src/scene/store/store.ts'
import { isLongRun, runCount, seed } from '../../support/runs.ts'
import { CrashDisk } from '../../support/services/crash-disk.ts'
import { seeded } from '../../support/services/kept-scenes.ts'
import { lifeOf, plainAppend, plainDrop } from '../../support/services/plain-append.ts'

const directory = mkdtempSync(join(tmpdir(), 'tangent-bytes-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

type Files = [string, Buffer][]
const findings: Finding[] = []
const open = (disk: CrashDisk, fileByteCount?: number) => {
  findings.length = 0
  const onFinding = (finding: Finding) => findings.push(finding)
  return openFileStore({ directory, disk, onFinding, ...(fileByteCount !== undefined && { fileByteCount }) })
}
const entry = (id: string, version: number) => Buffer.from(`${id}.${version}`.padEnd(9 + version, '.'))

async function snapshot(store: SceneStore, id: string, version: number) {
  await store.writeSnapshot(
    await lifeOf(store, id),
    version,
    (async function* () {
      for (const part of ['one', 'two']) yield Buffer.from(`${id}.${version} ${part}`)
    })(),
  )
}

/** Three scenes; `b` has snapshots and a trimmed log, `gone` was dropped, and `a` was written to last. */
async function written(fileByteCount?: number): Promise<CrashDisk> {
  const disk = new CrashDisk()
  const store = await open(disk, fileByteCount)
  const add = (id: string, version: number) => plainAppend(store, id, version - 1, [entry(id, version)])
  for (const [id, version] of [
    ['a', 1],
    ['b', 1],
    ['gone', 1],
    ['b', 2],
    ['c', 1],
    ['b', 3],
    ['gone', 2],
  ] as const) {
    await add(id, version)
  }
  await snapshot(store, 'b', 2)
  await snapshot(store, 'b', 3)
  await store.trim(await lifeOf(store, 'b'), 3, [2, 3])
  await plainDrop(store, 'gone')
  await add('b', 4)
  await add('a', 2)
  await store.close()
  return disk
}

/** What the scenes are, each in one line; where something of one is missing or in doubt, `damaged`. */
async function told(files: Files): Promise<Record<string, string>> {
  const store = await open(CrashDisk.of(files))
  try {
    const scenes: Record<string, string> = {}
    for (const { id, version, snapshots, damage } of await store.list()) {
      let from = 0
      let text = ''
      // As a scene is brought back: from the newest snapshot that is whole.
      for (const each of snapshots) {
        const chunks: string[] = []
        for await (const chunk of store.readSnapshot(await lifeOf(store, id), each))
          chunks.push(Buffer.from(chunk).toString())
        if (chunks.join() !== `${id}.${each} one,${id}.${each} two`) continue
        from = each
        break
      }
      let isWhole = damage === undefined
      for await (const { version: at, bytes } of store.read(await lifeOf(store, id), from + 1)) {
        isWhole &&= bytes !== null
        if (bytes !== null) expect(Buffer.from(bytes).toString()).toBe(entry(id, at).toString())
      }
      text = isWhole ? `at ${version}` : 'damaged'
      scenes[id] = text
    }
    return scenes
  } finally {
    await store.close()
  }
}

const WHOLE = { a: 'at 2', b: 'at 4', c: 'at 1' }

/** Throws unless every scene is whole as it was, or said to be damaged. */
function judge(scenes: Record<string, string>, what: string) {
  for (const [id, text] of Object.entries(WHOLE)) {
    if (scenes[id] !== text && scenes[id] !== 'damaged') throw new Error(`${what}: ${id} is ${scenes[id]}`)
  }
  // A scene that was dropped does not come back.
  if ('gone' in scenes) throw new Error(`${what}: a scene that was dropped is ${scenes.gone}`)
}

const changed = (files: Files, name: string, change: (bytes: Buffer) => Buffer): Files =>
  files.map(([each, bytes]) => [each, each === name ? change(Buffer.from(bytes)) : bytes])

const flipped =
  (at: number, mask = 1) =>
  (bytes: Buffer) => {
    bytes[at] ^= mask
    return bytes
  }

/** Bytes from one that is damaged to the next. */
const STRIDE = isLongRun ? 1 : 3

let files: Files
beforeAll(async () => {
  files = (await written()).contents()
})

describe('a data directory', { timeout: 600_000 }, () => {
  it('as it was is whole', async () => {
    expect(files.map(([name]) => name.replace(/\d{6,}/, 'I')).sort()).toEqual([
      'ledger',
      'log-1',
      'snapshot-I-2',
      'snapshot-I-3',
    ])
    expect(await told(files)).toEqual(WHOLE)
    expect(findings).toEqual([])
  })

  it('with any one byte flipped', async () => {
    const damaged = new Set<string>()
    for (const [name, { length }] of files) {
      for (let at = 0; at < length; at += STRIDE) {
        const scenes = await told(changed(files, name, flipped(at, 1 << (at & 7))))
        judge(scenes, `byte ${at} of ${name}`)
        // One byte is never the end of more than one scene.
        const hurt = Object.keys(WHOLE).filter((id) => scenes[id] === 'damaged')
        expect(hurt.length, `byte ${at} of ${name}`).toBeLessThanOrEqual(1)
        for (const id of hurt) damaged.add(id)
      }
    }
    expect([...damaged].sort()).toEqual(['a', 'b', 'c'])
  })

  it('with any file cut anywhere', async () => {
    for (const [name, { length }] of files) {
      for (let end = 0; end < length; end += STRIDE + (end % 3)) {
        judge(await told(changed(files, name, (bytes) => bytes.subarray(0, end))), `${name} cut at ${end}`)
      }
    }
  })

  it('with any file gone', async () => {
    for (const [name] of files) judge(await told(files.filter(([each]) => each !== name)), `without ${name}`)
  })

  it('with stretches of any file flipped, zeroed, lost or doubled', async () => {
    const random = seeded(seed())
    const below = (end: number) => Math.floor(random() * end)
    for (let trial = 0; trial < runCount(400); trial++) {
      const [name, { length }] = files[below(files.length)]
      const from = below(length)
      const count = 1 + below(random() < 0.5 ? 64 : length)
      const kind = below(4)
      const change = (bytes: Buffer) => {
        const end = Math.min(length, from + count)
        if (kind === 0) for (let k = 0; k < 64 && k < count; k++) bytes[below(length)] ^= 1 << below(8)
        if (kind === 1) bytes.fill(0, from, end)
        if (kind === 2) return Buffer.concat([bytes.subarray(0, from), bytes.subarray(end)])
        if (kind === 3) return Buffer.concat([bytes.subarray(0, end), bytes.subarray(from)])
        return bytes
      }
      judge(await told(changed(files, name, change)), `trial ${trial}, ${name} from ${from}, ${count}, kind ${kind}`)
    }
  })

  it('with any one byte flipped, after its log was written anew', async () => {
    const small = (await written(512)).contents()
    expect(small.filter(([name]) => name.startsWith('log')).length).toBeGreaterThan(1)
    expect(await told(small)).toEqual(WHOLE)
    for (const [name, { length }] of small) {
      for (let at = 0; at < length; at += 2 * STRIDE + 1) {
        judge(await told(changed(small, name, flipped(at))), `byte ${at} of ${name}`)
      }
    }
  })

  it('without a ledger, in which scenes may have gone on in what is lost, calls those damaged', async () => {
    const log = files.find(([name]) => name === 'log-1')![1]
    const bare = files.filter(([name]) => name !== 'ledger')
    expect(await told(bare)).toEqual(WHOLE)
    // The first entry of c, header and all: it may have been anyone's who is not heard of again.
    const at = log.indexOf(entry('c', 1))
    const scenes = await told(changed(bare, 'log-1', (bytes) => bytes.fill(0, at - 49, at)))
    expect(scenes).toEqual({ a: 'at 2', b: 'at 4' })
    expect(findings).toMatchObject([{ file: 'log-1' }])
    const last = log.indexOf(entry('b', 4))
    expect(await told(changed(bare, 'log-1', (bytes) => bytes.fill(0, last - 49, last)))).toEqual({
      a: 'at 2',
      b: 'damaged',
      c: 'damaged',
    })
  })
})

describe('the last record', { timeout: 600_000 }, () => {
  /** The files, the ledger as it was before the last commit: the process was killed before it could note it. */
  async function unnoted(): Promise<{ files: Files; start: number }> {
    const log = files.find(([name]) => name === 'log-1')![1]
    const ledger = files.find(([name]) => name === 'ledger')![1]
    // The last word of the ledger is about `a` at 2: a record of 48 bytes and an id of one, padded.
    return {
      files: changed(files, 'ledger', () => ledger.subarray(0, ledger.length - 56)),
      start: log.indexOf(entry('a', 2)) - 49,
    }
  }

  it('cut off at every byte: was never acknowledged, and is dropped without a word', async () => {
    const { files: all, start } = await unnoted()
    const log = all.find(([name]) => name === 'log-1')![1]
    for (let end = start; end < log.length; end++) {
      const scenes = await told(changed(all, 'log-1', (bytes) => bytes.subarray(0, end)))
      // The padding of the last record is not missed.
      expect(scenes, `cut at ${end}`).toEqual({ ...WHOLE, a: 'at 1' })
      expect(findings).toEqual([])
    }
    for (let at = start; at < start + 48; at++) {
      expect(await told(changed(all, 'log-1', flipped(at)))).toEqual({ ...WHOLE, a: 'at 1' })
    }
  })

  it('that was acknowledged is damage, and stays as it lies', async () => {
    const log = files.find(([name]) => name === 'log-1')![1]
    const disk = CrashDisk.of(changed(files, 'log-1', flipped(log.indexOf(entry('a', 2)))))
    const store = await open(disk)
    const entries: (string | undefined)[] = []
    for await (const { bytes, damage } of store.read(await lifeOf(store, 'a'), 1))
      entries.push(bytes === null ? damage : 'whole')
    expect(entries).toEqual(['whole', 'it is missing'])
    expect(findings).toMatchObject([{ file: 'log-1', byteCount: 64 }])
    // Others are written to, and their log is written anew; what is damaged is not touched.
    for (let version = 5; version < 400; version++) await plainAppend(store, 'b', version - 1, [Buffer.alloc(1000)])
    await snapshot(store, 'b', 399)
    await store.trim(await lifeOf(store, 'b'), 400, [399])
    await store.close()
    const repaired = disk.contents()
    const again = await open(CrashDisk.of(changed(repaired, 'log-1', flipped(log.indexOf(entry('a', 2))))))
    const back: number[] = []
    for await (const { version, bytes } of again.read(await lifeOf(again, 'a'), 1))
      if (bytes !== null) back.push(version)
    expect(back).toEqual([1, 2])
    expect(findings).toEqual([])
    await again.close()
  })
})
