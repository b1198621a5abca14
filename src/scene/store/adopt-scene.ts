/**
 * Takes a scene over into the log of a data directory. Its entries are written without its id, so that nobody finds them. The record
 * that gives them the id comes last, and makes the scene visible. Entries that have no id when the log is read were not finished, and
 * are dropped (`log-recovery.ts`).
 *
 * That record is the one with the start of a scene's log: it comes first without the id, and once more with it.
 */

import type { Disk } from './disk.ts'
import { type Group, type GroupCommit, type LogWriter, submitStaged, type Written } from './group-commit.ts'
import { snapshotName, writeSnapshotFile } from './log-files.ts'
import type { LogIndex } from './log-index.ts'
import { type NewRecord, newRecordByteCount, RECORD_KINDS } from './record.ts'
import { type AdoptedScene, type NewEntry, StoreError } from './store.ts'

/** Batches of entries, each as large as the bounds allow, of one entry at least. */
export async function* inBatches(
  entries: AsyncIterable<NewEntry>,
  mostEntries: number,
  mostBytes: number,
): AsyncGenerator<readonly NewEntry[]> {
  let batch: NewEntry[] = []
  let byteCount = 0
  for await (const entry of entries) {
    const { length } = entry.bytes
    if (batch.length === mostEntries || (batch.length > 0 && byteCount + length > mostBytes)) {
      yield batch
      batch = []
      byteCount = 0
    }
    batch.push(entry)
    byteCount += length
  }
  if (batch.length > 0) yield batch
}

export interface AdoptionTarget {
  readonly index: LogIndex
  readonly writer: LogWriter
  readonly commits: GroupCommit<Group>
  readonly disk: Disk
  readonly createdBy: string
  /** Throws `StoreFull`. */
  takeRoom(group: Group, byteCount: number): void
  /** There is a snapshot more, so long, or less when it is negative. */
  keptSnapshot(byteCount: number): void
  /** The record that drops a scene. */
  drop(group: Group, incarnation: number): { records: NewRecord[]; land: (written: readonly Written[]) => void }
}

const BATCH_BYTE_COUNT = 4 * 2 ** 20
const BATCH_ENTRY_COUNT = 4096

/** As `Adopting.adopt`. */
export async function adoptScene(target: AdoptionTarget, scene: AdoptedScene): Promise<boolean> {
  if (target.index.scenes.has(scene.id)) return false
  const adoption = new Adoption(target, scene)
  let isKept = false
  try {
    isKept = await adoption.run()
    return isKept
  } finally {
    // where that fails too, the next start does it
    if (!isKept) await adoption.takeBack().catch(() => undefined)
  }
}

class Adoption {
  private readonly target: AdoptionTarget
  private readonly scene: AdoptedScene
  /** 0: nothing has been written yet. */
  private incarnation = 0
  private version: number

  constructor(target: AdoptionTarget, scene: AdoptedScene) {
    this.target = target
    this.scene = scene
    this.version = scene.first - 1
  }

  async run(): Promise<boolean> {
    const { id, version, first, snapshots } = this.scene
    await this.tellFirst('')
    for await (const batch of inBatches(this.scene.entries(), BATCH_ENTRY_COUNT, BATCH_BYTE_COUNT))
      await this.add(batch)
    if (this.version !== version) {
      throw new StoreError(`The scene ${id} has entries from ${first} to ${this.version}, not to ${version}`)
    }
    for (const each of snapshots) await this.addSnapshot(each)
    return this.tellFirst(id)
  }

  /** Drops what has been written. */
  async takeBack(): Promise<void> {
    const { index, commits, disk, keptSnapshot, drop } = this.target
    const { incarnation } = this
    const scene = index.byIncarnation.get(incarnation)
    if (scene === undefined) return
    const snapshots = [...scene.snapshots]
    await submitStaged(commits, index, '', 0, (_, group) => ({ answer: true, ...drop(group, incarnation) }))
    for (const [, byteCount] of snapshots) keptSnapshot(-byteCount)
    if (snapshots.length > 0) await disk.remove(...snapshots.map(([version]) => snapshotName(incarnation, version)))
  }

  /** Writes where the log begins; with an id, the scene is there then, unless another is: then nothing is written. */
  private tellFirst(id: string): Promise<boolean> {
    const { index, commits, writer } = this.target
    const { version } = this
    const { first } = this.scene
    return submitStaged(commits, index, id, newRecordByteCount({ id }), (stand, group) => {
      if (id !== '' && stand !== null) return { answer: false }
      if (this.incarnation === 0) this.incarnation = writer.takeSequence()
      const { incarnation } = this
      if (id !== '') group.stands.set(id, { incarnation, version })
      group.standings.set(incarnation, { id, incarnation, version })
      const records: NewRecord[] = [{ kind: RECORD_KINDS.trim, incarnation, version: first, id }]
      const land = ([{ place, byteCount }]: readonly Written[]) => {
        const scene = index.byIncarnation.get(incarnation) ?? index.begin(incarnation, '')
        index.trim(scene, first, place, byteCount)
        if (id !== '') index.name(scene, id)
      }
      return { answer: true, records, land }
    })
  }

  private async add(entries: readonly NewEntry[]): Promise<void> {
    const { index, commits, takeRoom } = this.target
    const { incarnation, version: from } = this
    const version = from + entries.length
    const records = entries.map(({ bytes }, k): NewRecord => {
      const isFollowed = k < entries.length - 1
      return { kind: RECORD_KINDS.entry, incarnation, version: from + k + 1, id: '', payload: bytes, isFollowed }
    })
    let byteCount = 0
    for (const record of records) byteCount += newRecordByteCount(record)
    await submitStaged(commits, index, '', byteCount, (_, group) => {
      takeRoom(group, byteCount)
      group.standings.set(incarnation, { id: '', incarnation, version })
      const land = (written: readonly Written[]) => {
        const scene = index.byIncarnation.get(incarnation) ?? index.begin(incarnation, '')
        written.forEach(({ place, byteCount: length }, k) => {
          index.addEntry(scene, from + k + 1, place, length)
        })
      }
      return { answer: true, records, land }
    })
    this.version = version
  }

  private async addSnapshot(version: number): Promise<void> {
    const { index, disk, createdBy, keptSnapshot } = this.target
    const { incarnation, scene: adopted } = this
    const of = { id: adopted.id, incarnation, version, createdBy }
    const scene = index.byIncarnation.get(incarnation)
    const size = await writeSnapshotFile(disk, of, adopted.snapshot(version), () => scene !== undefined)
    if (size === null) return
    scene?.snapshots.set(version, size)
    keptSnapshot(size)
  }
}
