// Backs a data directory up while a process writes to it, kills the process, and puts the backup back: every scene is there, at a version that was
// acknowledged before the copy ended and not before it began, and its entries are those of the original.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Keeper } from '../../../src/scene/keeper/keeper.ts'
import { validateScene } from '../../../src/scene/state/scene.ts'
import { backUp, putBack } from '../../../src/scene/store/backup.ts'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import type { SceneStore } from '../../../src/scene/store/store.ts'
import { bundled } from './bundled.ts'
import { contentOf, prepare } from './kept-scenes.ts'
import { SCENE_IDS, WRITER_COUNT } from './kill-writes.ts'
import { lifeOf } from './plain-append.ts'

const root = join(import.meta.dirname, '../../..')

export interface BackupReport {
  rounds: number
  acknowledged: number
  linked: number
  copied: number
}

/** Throws at the first thing that is lost or wrong. */
export async function backupRounds(rounds: number, seed: number): Promise<BackupReport> {
  const folder = mkdtempSync(join(tmpdir(), 'tangent-backup-'))
  const file = await bundled('test/support/services/kill-child.ts')
  const report: BackupReport = { rounds: 0, acknowledged: 0, linked: 0, copied: 0 }
  try {
    for (; report.rounds < rounds; report.rounds++) {
      await backupRound(file, folder, 1 + (seed + report.rounds) * 1_000_000, report)
    }
    return report
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function backupRound(file: string, folder: string, firstSeed: number, report: BackupReport): Promise<void> {
  const data = join(folder, 'data')
  const [copy, back] = [join(folder, 'copy'), join(folder, 'back')]
  const child = spawn(process.execPath, [file], { cwd: root })
  const closed = once(child, 'close')
  const latest = new Map<string, number>()
  let rest = ''
  let isReady = false
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() as string
    for (const line of lines) {
      const [word, id, version] = line.split(' ')
      if (word === 'ready') isReady = true
      if (word !== 'done') continue
      report.acknowledged++
      latest.set(id, Math.max(latest.get(id) ?? 0, Number(version)))
    }
  })
  child.stdin.write(`${data} ${firstSeed}\n`)
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const goal = report.acknowledged + 100 + (firstSeed % 300)
  await until(() => isReady && report.acknowledged >= goal)
  const before = new Map(latest)
  const { linked, files } = await backUp(data, copy)
  report.linked += linked
  report.copied += files - linked
  const after = new Map(latest)
  child.kill('SIGKILL')
  await closed
  await putBack(copy, back)
  await compare(data, back, before, after)
  for (const each of [copy, back]) rmSync(each, { recursive: true })
}

async function compare(
  data: string,
  back: string,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Promise<void> {
  const original = await openFileStore({ directory: data })
  const restored = await openFileStore({ directory: back })
  const events: object[] = []
  const keeper = await Keeper.open({
    store: restored,
    prepare,
    tailByteCount: 1e9,
    onEvent: (event) => events.push(event),
  })
  const whole = await Keeper.open({ store: original, prepare, tailByteCount: 1e9, onEvent: () => undefined })
  try {
    if (events.length > 0) throw new Error(`Recovery of the backup found ${JSON.stringify(events)}`)
    for (const id of SCENE_IDS) {
      const scene = keeper.loaded(id)
      const least = before.get(id) ?? 1
      if (scene === null) throw new Error(`Scene ${id} is not in the backup; version ${least} was acknowledged`)
      if (scene.version < least) throw new Error(`Scene ${id} is at ${scene.version}; ${least} was acknowledged before`)
      // those under way when the copy ended may be durable, and not acknowledged yet
      const most = (after.get(id) ?? 1) + WRITER_COUNT
      if (scene.version > most) throw new Error(`Scene ${id} is at ${scene.version}; ${most} was the last`)
      const complaint = validateScene(scene)
      if (complaint !== null) throw new Error(`Scene ${id}: ${complaint}`)
      await compareEntries(restored, original, id)
      const other = whole.loaded(id)
      if (other?.version === scene.version && contentOf(scene) !== contentOf(other)) {
        throw new Error(`Scene ${id} is another one in the backup`)
      }
    }
  } finally {
    await keeper.close()
    await whole.close()
  }
}

/** Both have the same bytes wherever both have any. */
async function compareEntries(restored: SceneStore, original: SceneStore, id: string): Promise<void> {
  const theirs = new Map<number, string>()
  for await (const { version, bytes } of original.read(await lifeOf(original, id), 1)) {
    if (bytes !== null) theirs.set(version, Buffer.from(bytes).toString('latin1'))
  }
  for await (const { version, bytes } of restored.read(await lifeOf(restored, id), 1)) {
    const known = theirs.get(version)
    if (bytes === null || known === undefined) continue
    if (Buffer.from(bytes).toString('latin1') !== known) throw new Error(`Entry ${version} of ${id} is another one`)
  }
}
