/**
 * Recovers the log at start: reads every file once, in order, and checks it against the ledger.
 *
 * A commit begins when the one before it is durable. So only the last commit can be torn, and it was not acknowledged unless the ledger
 * says so: it is truncated at its first lost byte. All other unreadable bytes are damage, and stay in their files. The ledger tells which
 * scenes have lost entries: those that end before the version it records. If the ledger is damaged or missing too, every scene that might
 * have continued in the lost bytes counts as damaged.
 *
 * A record with a sequence number seen before is a copy, left by an interrupted compaction.
 */

import { type Disk, type DiskFile, isUnfinished } from './disk.ts'
import { LEDGER_NAME, type LedgerContents, readLedger } from './ledger.ts'
import {
  type LogFile,
  LogFiles,
  numberOfLog,
  offsetOf,
  placeInLog,
  sceneOfSnapshot,
  snapshotOfName,
} from './log-files.ts'
import { type IndexedScene, LogIndex } from './log-index.ts'
import {
  decodeFileHeader,
  FILE_HEADER_BYTE_COUNT,
  FILE_KINDS,
  type FoundRecord,
  RECORD_KINDS,
  type ScanVisitor,
  scanRecords,
} from './record.ts'

const SEQUENCES_PER_FILE = 2 ** 32

/** Unreadable bytes of a file. */
export interface Finding {
  file: string
  /** Offset of the first of them. */
  at: number
  byteCount: number
}

export interface RecoveredLog {
  index: LogIndex
  nextNumber: number
  /** One for each file with lost bytes. */
  findings: Finding[]
  /** Whether it is known to which scenes all lost bytes belonged. */
  isSure: boolean
  /** Scenes that were dropped, without a record of it in the log. */
  dropped: IndexedScene[]
}

/** Rejects with `StoreFailed` where a file cannot be read at all. */
export async function recoverLog(disk: Disk): Promise<RecoveredLog> {
  const names = await disk.list()
  const ledger = await readLedger(disk)
  const recovery = new LogRecovery(disk, ledger)
  const logs = names.flatMap((name) => numberOfLog(name) ?? []).sort((a, b) => a - b)
  for (const number of logs) await recovery.readFile(number, number === logs.at(-1))
  recovery.believeLedger()
  recovery.suspect()
  for (const name of names) await recovery.addSnapshot(name)
  const leftovers = names.filter(isUnfinished)
  if (leftovers.length > 0) await disk.remove(...leftovers)
  return recovery.result(logs.at(-1) ?? 0)
}

class LogRecovery {
  private readonly disk: Disk
  private readonly ledger: LedgerContents | null
  private readonly files: LogFiles
  private readonly index: LogIndex
  private readonly findings: Finding[] = []
  private readonly lost: { number: number; from: number }[] = []
  private readonly droppedIncarnations: Set<number>
  private readonly dropped: IndexedScene[] = []
  /** Incarnations with whole records that have no id. */
  private readonly unnamed = new Set<number>()
  private lastSequence = -1
  private lastIncarnation = 0

  constructor(disk: Disk, ledger: LedgerContents | null) {
    this.disk = disk
    this.ledger = ledger
    this.files = new LogFiles(disk)
    this.index = new LogIndex(this.files)
    this.droppedIncarnations = new Set(ledger?.gone)
    // bytes behind the table were not flushed: a power cut may leave gaps there, which are no damage
    if (ledger !== null && ledger.tableEnd < 0)
      this.findings.push({ file: LEDGER_NAME, at: 0, byteCount: ledger.byteCount })
  }

  async readFile(number: number, isLast: boolean): Promise<void> {
    const log = this.files.add(number, 0)
    await this.files.use(log, async (file) => {
      log.byteCount = await file.size()
      const bytes = Buffer.alloc(FILE_HEADER_BYTE_COUNT)
      await file.read(bytes, 0)
      const header = decodeFileHeader(bytes)
      if (header === null && log.byteCount > 0) this.note(log, 0, Math.min(FILE_HEADER_BYTE_COUNT, log.byteCount))
      const visitor = this.visitorOf(log)
      const torn = isLast && header?.kind === FILE_KINDS.log ? await tornAt(file, log.byteCount) : null
      await scanRecords(file, log.byteCount, visitor, FILE_HEADER_BYTE_COUNT, torn ?? log.byteCount)
      if (torn === null) return
      if (this.comesToWhereLedgerSays()) {
        await file.truncate(torn)
        await file.sync()
        log.byteCount = torn
      } else await scanRecords(file, log.byteCount, visitor, torn)
    })
    if (log.byteCount <= FILE_HEADER_BYTE_COUNT && !log.isDamaged) {
      this.files.forget(log)
      await this.disk.remove(log.name)
    }
  }

  /** Adds what only the ledger knows: versions, names and drops. */
  believeLedger(): void {
    const { standings, tableEnd } = this.ledger ?? { standings: new Map(), tableEnd: -1 }
    for (const [incarnation, { id, version }] of standings) {
      if (this.droppedIncarnations.has(incarnation)) continue
      const scene = this.index.byIncarnation.get(incarnation) ?? this.index.begin(incarnation, '')
      this.index.name(scene, id)
      scene.version = Math.max(scene.version, version)
      this.lastIncarnation = Math.max(this.lastIncarnation, incarnation)
    }
    for (const scene of [...this.index.byIncarnation.values()]) {
      const { incarnation, id } = scene
      const wasDropped = incarnation <= tableEnd && !standings.has(incarnation)
      // An adoption that the end of the process interrupted (`adopt-scene.ts`); if bytes are lost, they may have been its id.
      const isUnfinished = id === '' && this.unnamed.has(incarnation) && this.lost.length === 0
      if (
        wasDropped ||
        isUnfinished ||
        this.droppedIncarnations.has(incarnation) ||
        (id !== '' && this.index.scenes.get(id) !== scene)
      ) {
        this.droppedIncarnations.add(incarnation)
        this.dropped.push(scene)
        this.index.drop(scene)
      }
    }
  }

  /** Marks scenes as damaged that have no record behind the lost bytes, if the ledger cannot tell whose bytes these were. */
  suspect(): void {
    if (this.ledger?.isWhole === true || this.lost.length === 0) return
    for (const scene of this.index.byIncarnation.values()) {
      const last = scene.entries.placeOf(scene.version) || scene.trimPlace
      const number = last === 0 ? 0 : this.files.fileOf(last).number
      const offset = offsetOf(last)
      if (this.lost.some((lost) => lost.number > number || (lost.number === number && lost.from > offset))) {
        scene.damage = 'its last entries may have been in a part of the log that cannot be read'
      }
    }
  }

  async addSnapshot(name: string): Promise<void> {
    const of = snapshotOfName(name)
    if (of === null) return
    const { incarnation, version } = of
    let scene = this.index.byIncarnation.get(incarnation)
    if (scene === undefined) {
      const isKnown = this.findings.length === 0 && this.ledger !== null
      if (isKnown || this.droppedIncarnations.has(incarnation)) return this.disk.remove(name)
      const id = await sceneOfSnapshot(this.disk, name, incarnation)
      if (id === null || this.index.scenes.has(id)) return
      scene = this.index.begin(incarnation, id)
      scene.damage = 'its log is lost'
    }
    const file = await this.disk.open(name)
    scene.snapshots.set(version, await file.size())
    await file.close()
    scene.version = Math.max(scene.version, version)
    this.lastIncarnation = Math.max(this.lastIncarnation, incarnation)
  }

  result(lastNumber: number): RecoveredLog {
    const { index, findings, dropped } = this
    const seen = Math.max(this.lastSequence, this.lastIncarnation, this.ledger?.tableEnd ?? 0, 0)
    const nextNumber = 1 + Math.max(lastNumber, Math.floor(seen / SEQUENCES_PER_FILE))
    const isSure = this.lost.length === 0 || this.ledger?.isWhole === true
    return { index, nextNumber, findings, isSure, dropped }
  }

  private visitorOf(log: LogFile): ScanVisitor {
    return {
      record: (record) => {
        if (record.id === null) this.lose(log, record.offset, record.offset + record.byteCount)
        this.add(record, placeInLog(log, record.offset))
      },
      lost: (from, to) => this.lose(log, from, to),
    }
  }

  private add(record: FoundRecord, place: number): void {
    const { kind, incarnation, version, sequence, id, byteCount } = record
    const isCopy = sequence <= this.lastSequence
    this.lastSequence = Math.max(sequence, this.lastSequence)
    this.lastIncarnation = Math.max(incarnation, this.lastIncarnation)
    if (isCopy || (this.droppedIncarnations.has(incarnation) && kind !== RECORD_KINDS.drop)) {
      if (kind === RECORD_KINDS.entry) this.index.count(incarnation, 1)
      return
    }
    if (kind === RECORD_KINDS.drop) {
      const scene = this.index.byIncarnation.get(incarnation)
      this.droppedIncarnations.add(incarnation)
      if (scene !== undefined) this.index.drop(scene)
      if (id !== null) this.index.bury(incarnation, place, byteCount)
      return
    }
    const scene = this.index.byIncarnation.get(incarnation) ?? this.index.begin(incarnation, '')
    this.index.name(scene, id ?? '')
    if (id === '') this.unnamed.add(incarnation)
    if (kind === RECORD_KINDS.entry && id !== null) this.index.addEntry(scene, version, place, byteCount)
    else if (kind === RECORD_KINDS.entry) {
      this.index.count(incarnation, 1)
      scene.version = Math.max(scene.version, version)
    } else if (kind === RECORD_KINDS.trim && id !== null) this.index.trim(scene, version, place, byteCount)
  }

  private comesToWhereLedgerSays(): boolean {
    for (const [incarnation, { version }] of this.ledger?.standings ?? []) {
      if (this.droppedIncarnations.has(incarnation)) continue
      if ((this.index.byIncarnation.get(incarnation)?.version ?? 0) < version) return false
    }
    return true
  }

  private lose(log: LogFile, from: number, to: number): void {
    this.lost.push({ number: log.number, from })
    this.note(log, from, to)
  }

  private note(log: LogFile, from: number, to: number): void {
    log.isDamaged = true
    const known = this.findings.find(({ file }) => file === log.name)
    if (known === undefined) this.findings.push({ file: log.name, at: from, byteCount: to - from })
    else known.byteCount += to - from
  }
}

/**
 * Where to truncate the last file of the log, or null: at the first lost byte of its last commit, or at the first record of an
 * incomplete append.
 */
async function tornAt(file: DiskFile, size: number): Promise<number | null> {
  let commitStart = 0
  /** Start of the append that is not complete yet; −1 if there is none. */
  let appendStart = -1
  const losses: { from: number; appendStart: number }[] = []
  await scanRecords(file, size, {
    record: ({ offset, commitOffset, isFollowed, id }) => {
      commitStart = Math.max(commitStart, offset - commitOffset)
      if (id === null) losses.push({ from: offset, appendStart })
      if (isFollowed && appendStart < 0) appendStart = offset
      if (!isFollowed) appendStart = -1
    },
    lost: (from) => losses.push({ from, appendStart }),
  })
  const first = losses.find(({ from }) => from >= commitStart)
  if (first === undefined) return appendStart < 0 ? null : appendStart
  return first.appendStart < 0 ? first.from : first.appendStart
}
