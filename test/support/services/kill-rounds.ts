// Kills a writing process again and again, and looks each time at what it left: every acknowledged write at its version,
// nothing in between, and the scenes equal to a model that was written to in memory.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Keeper } from '../../../src/scene/keeper/keeper.ts'
import { decodeEntry } from '../../../src/scene/keeper/stored-forms.ts'
import { noteContents, referencesIn } from '../../../src/scene/state/kept-content.ts'
import type { Entry } from '../../../src/scene/state/operation.ts'
import { apply, createScene, type Scene, validateScene } from '../../../src/scene/state/scene.ts'
import { heldContents, holdContents, letGoContents } from '../../../src/scene/state/shape-pool.ts'
import { WRITE_ID_BYTE_COUNT } from '../../../src/scene/store/checksum-frame.ts'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import type { SceneStore } from '../../../src/scene/store/store.ts'
import { bundled } from './bundled.ts'
import { contentOf, creation, KEPT_SHAPES, prepare, seeded } from './kept-scenes.ts'
import { dimensionOf, entryOf, SCENE_IDS } from './kill-writes.ts'
import { lifeOf } from './plain-append.ts'

const root = join(import.meta.dirname, '../../..')

/** Most acknowledged writes that a process lives to see, and how long it is waited for them. */
const ACKNOWLEDGED_COUNT = 400
const PATIENCE_MS = 5000

export interface KillReport {
  rounds: number
  acknowledged: number
  /** Durable, but the process was killed before it could say so. */
  unacknowledged: number
  /** Rounds that ended before the process was ready: killed while it opened, recovered or began the scenes. */
  early: number
  snapshots: number
}

/** Throws at the first thing that is lost or wrong. */
export async function killRounds(rounds: number, seed: number): Promise<KillReport> {
  const directory = mkdtempSync(join(tmpdir(), 'tangent-kill-'))
  const child = await bundled('test/support/services/kill-child.ts')
  const random = seeded(seed)
  const models = new Map(SCENE_IDS.map((id) => [id, createScene(prepare)]))
  const report: KillReport = { rounds: 0, acknowledged: 0, unacknowledged: 0, early: 0, snapshots: 0 }
  // The next process loads its modules while this one writes.
  let next = start(child)
  try {
    for (; report.rounds < rounds; report.rounds++) {
      const writer = next
      next = start(child)
      const output = await writeAndKill(writer, directory, 1 + report.rounds * 1_000_000, random)
      await checkRound(directory, output, models, report)
    }
    return report
  } finally {
    await kill(next)
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Writer {
  child: ChildProcessWithoutNullStreams
  /** Not `exit`: what it wrote last may still be in the pipe then. */
  closed: Promise<unknown>
}

function start(file: string): Writer {
  const child = spawn(process.execPath, [file], { cwd: root })
  return { child, closed: once(child, 'close') }
}

async function kill({ child, closed }: Writer) {
  child.kill('SIGKILL')
  await closed
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function writeAndKill(
  writer: Writer,
  directory: string,
  firstSeed: number,
  random: () => number,
): Promise<string[]> {
  const { child, closed } = writer
  let output = ''
  let errors = ''
  let acknowledged = 0
  // So many writes later, not so much time: how fast the machine is changes nothing about what is tried.
  const enough = Math.floor(random() * ACKNOWLEDGED_COUNT)
  const done = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const text = chunk.toString()
      output += text
      acknowledged += text.split('\ndone').length - 1
      if (acknowledged >= enough && output.includes('ready\n')) resolve()
    })
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  child.stdin.write(`${directory} ${firstSeed}\n`)
  // One in five is killed at some moment between its first instruction and its first writes.
  if (random() < 0.2) await pause(random() * 100)
  else {
    await Promise.race([done, closed, pause(PATIENCE_MS)])
    await pause(random() * 5)
  }
  await kill(writer)
  if (errors !== '') throw new Error(`The process complained: ${errors}`)
  return output.slice(0, output.lastIndexOf('\n') + 1).split('\n')
}

async function checkRound(directory: string, output: string[], models: Map<string, Scene>, report: KillReport) {
  const acknowledged = new Map(SCENE_IDS.map((id) => [id, new Map<number, Entry>()]))
  if (!output.includes('ready')) report.early++
  for (const line of output) {
    const [word, id, version, seed, writer] = line.split(' ')
    if (word === 'done') {
      acknowledged.get(id)!.set(Number(version), entryOf(Number(version), Number(seed), Number(writer)))
      report.acknowledged++
    } else if (word !== 'ready' && line !== '') throw new Error(`The process said: ${line}`)
  }
  const store = await openFileStore({ directory })
  const events: object[] = []
  const keeper = await Keeper.open({ store, prepare, tailByteCount: 1e9, onEvent: (event) => events.push(event) })
  try {
    if (events.length > 0) throw new Error(`Recovery found ${JSON.stringify(events)}`)
    for (const stored of await store.list()) report.snapshots += stored.snapshots.length
    for (const [id, model] of models) await checkScene(keeper, store, id, model, acknowledged.get(id)!, report)
  } finally {
    await keeper.close()
  }
}

async function checkScene(
  keeper: Keeper,
  store: SceneStore,
  id: string,
  model: Scene,
  acknowledged: ReadonlyMap<number, Entry>,
  report: KillReport,
) {
  const scene = keeper.loaded(id)
  const last = Math.max(0, model.version, ...acknowledged.keys())
  if (scene === null) {
    if (last > 0) throw new Error(`Scene ${id} is gone; version ${last} was acknowledged`)
    return
  }
  if (scene.version < last) throw new Error(`Scene ${id} is at ${scene.version}; version ${last} was acknowledged`)
  const logged = new Map<number, Entry>()
  for await (const { version, bytes } of store.read(await lifeOf(store, id), model.version + 1)) {
    if (bytes === null) continue
    // What a write is known by is another one each time.
    const { writeId, kept: _kept, letGo: _letGo, ...entry } = decodeEntry(version, bytes)
    if (writeId?.length !== WRITE_ID_BYTE_COUNT) throw new Error(`Entry ${version} of ${id} has no id`)
    logged.set(version, entry)
  }
  for (let version = model.version + 1; version <= scene.version; version++) {
    const said = acknowledged.get(version)
    const found = logged.get(version)
    if (version === 1) {
      apply(
        model,
        found ?? { version, at: creation(id).at, operations: [creation(id, { dimension: dimensionOf(id) })] },
      )
      continue
    }
    if (said === undefined) report.unacknowledged++
    const entry = said ?? found
    if (entry === undefined) throw new Error(`Entry ${version} of ${id} is neither known nor in the log`)
    if (said !== undefined && found !== undefined && JSON.stringify(said) !== JSON.stringify(found)) {
      throw new Error(`Entry ${version} of ${id} is not the one that was acknowledged`)
    }
    apply(model, noted(entry))
  }
  const complaint = validateScene(scene)
  if (complaint !== null) throw new Error(`Scene ${id}: ${complaint}`)
  holdAs(scene, model)
  if (contentOf(scene) !== contentOf(model)) throw new Error(`Scene ${id} is not what was written to it`)
}

/** The contents that shapes of operations from the log name, which requests would have brought. */
function noted(entry: Entry): Entry {
  for (const operation of entry.operations) {
    if (operation.op !== 'put') continue
    const ids = referencesIn(operation.body.shape)
    noteContents(
      operation.body.shape,
      KEPT_SHAPES.filter(({ id }) => ids.includes(id)),
    )
  }
  return entry
}

/** The model holds what the scene does: which writes were in flight when kept shapes were let go of is not known any more. */
function holdAs(scene: Scene, model: Scene): void {
  letGoContents(model.table.shapes, [...heldContents(model.table.shapes).keys()])
  holdContents(model.table.shapes, heldContents(scene.table.shapes).values())
}
