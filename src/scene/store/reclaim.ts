/**
 * Reclaims space in the log: removes entries before a snapshot, and scenes that were dropped.
 *
 * Method: copies the live records of consecutive files to one new file, renames it to the first of them, then removes the others. Records
 * keep their sequence numbers, so recovery recognizes copies if the process ends in between. If much of the active file is waste, it is
 * closed first.
 *
 * A run of files is compacted if that frees at least half of what is written; one file fewer counts as a sixteenth of a file. So the log
 * is at most about twice as long as its live records, plus one file during a compaction.
 *
 * Damaged files stay untouched while a scene lacks entries that they might contain, or while that is unknown.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type DiskFile, unfinished } from './disk.ts'
import type { GroupCommit, LogWriter } from './group-commit.ts'
import type { Ledger } from './ledger.ts'
import { type LogFile, logName, placeInLog } from './log-files.ts'
import type { LogIndex } from './log-index.ts'
import {
  encodeFileHeader,
  FILE_HEADER_BYTE_COUNT,
  FILE_KINDS,
  FileWindow,
  RECORD_KINDS,
  scanRecords,
} from './record.ts'
import { StoreError } from './store.ts'

/** Smallest gain for which a file is written; with small files, that of one file fewer. */
const LEAST_GAIN_BYTE_COUNT = 2 ** 16
const FILE_GAIN_RATIO = 1 / 16
/** Most files in a run: all of them are open during the exchange. */
const MOST_RUN_COUNT = 32
/** Records whose places are updated between pauses. */
const SLICE_COUNT = 5000

export interface ReclaimOptions {
  index: LogIndex
  writer: LogWriter
  ledger: Ledger
  commits: Pick<GroupCommit<unknown>, 'pause'>
  fileByteCount: number
  createdBy: string
  /** Whether recovery knows to which scenes all unreadable bytes belong. */
  isSure: boolean
}

/** Copied records, six numbers each: kind, incarnation, version, old place, offset in the new file, length. */
type Moves = number[]
const MOVE_LENGTH = 6

export class Reclaimer {
  private readonly options: ReclaimOptions
  private running: Promise<void> | null = null
  private isWanted = false
  private isClosed = false

  constructor(options: ReclaimOptions) {
    this.options = options
  }

  /** Resolves when no run is worth compacting, or when there is no room for it. */
  async reclaim(): Promise<void> {
    this.isWanted = true
    this.running ??= this.run().finally(() => {
      this.running = null
    })
    await this.running
  }

  /** Stops the compaction that runs. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.running
  }

  private async run(): Promise<void> {
    try {
      while (this.isWanted && !this.isOver) {
        this.isWanted = false
        await this.options.commits.pause(() => this.rollWasteful())
        for (let run = this.bestRun(); run !== null && !this.isOver; run = this.bestRun()) {
          if (!(await this.compact(run))) return
        }
      }
    } catch (error) {
      // Full, failed or closed: try again later.
      if (!(error instanceof StoreError)) throw error
    }
  }

  /** Whether the store no longer writes. */
  private get isOver(): boolean {
    return this.isClosed || this.options.writer.broken !== null
  }

  private get leastGain(): number {
    return Math.min(LEAST_GAIN_BYTE_COUNT, FILE_GAIN_RATIO * this.options.fileByteCount)
  }

  private rollWasteful(): void {
    const { writer } = this.options
    const log = writer.activeLog
    const waste = log === null ? 0 : wasteOf(log)
    if (log !== null && waste >= this.leastGain && 2 * waste >= log.byteCount) writer.roll()
  }

  private bestRun(): LogFile[] | null {
    const { index, writer, fileByteCount, isSure } = this.options
    const logs = index.files.list().filter((log) => log !== writer.activeLog)
    const mayTouchDamaged =
      !logs.some(({ isDamaged }) => isDamaged) ||
      (isSure && [...index.byIncarnation.values()].every((scene) => !index.isWounded(scene)))
    let best: { run: LogFile[]; worth: number } | null = null
    for (let first = 0; first < logs.length; first++) {
      let live = 0
      let waste = 0
      for (let last = first; last < Math.min(logs.length, first + MOST_RUN_COUNT); last++) {
        if (logs[last].isDamaged && !mayTouchDamaged) break
        live += logs[last].liveByteCount
        waste += wasteOf(logs[last])
        if (live > fileByteCount && last > first) break
        const gain = waste + (last - first) * FILE_GAIN_RATIO * fileByteCount
        const isEnough = gain >= this.leastGain || live === 0
        const worth = gain - live / 2
        if (isEnough && worth >= 0 && worth > (best?.worth ?? -1)) best = { run: logs.slice(first, last + 1), worth }
      }
    }
    return best?.run ?? null
  }

  /** Whether it came to its end. */
  private async compact(run: readonly LogFile[]): Promise<boolean> {
    const { files } = this.options.index
    const name = unfinished(logName(run[0].number))
    const target = await files.disk.create(name)
    let isKept = false
    try {
      const header = { kind: FILE_KINDS.compactedLog, number: run[0].number, createdAt: Date.now() }
      await target.write([encodeFileHeader({ ...header, createdBy: this.options.createdBy })], 0)
      const copied: Copied = { size: FILE_HEADER_BYTE_COUNT, moves: [], gone: new Map() }
      for (const log of run) {
        await files.use(log, (file) => this.copy(log, file, target, copied))
        if (this.isClosed) return false
      }
      await target.sync()
      // The ledger must not speak of what the log does not know any more.
      if (!(await this.options.commits.pause(() => this.options.ledger.sync()))) return false
      isKept = copied.size > FILE_HEADER_BYTE_COUNT
      await this.held(run, () => this.exchange(run, isKept ? { name, file: target } : null, copied))
      return true
    } catch (error) {
      isKept = false
      throw error
    } finally {
      if (!isKept) {
        await target.close().catch(() => undefined)
        await files.disk.remove(name).catch(() => undefined)
      }
    }
  }

  /** Copies the live records of `log` to the end of `target`. */
  private async copy(log: LogFile, file: DiskFile, target: DiskFile, copied: Copied): Promise<void> {
    const { index } = this.options
    /** Starts and ends of runs of live records. */
    const spans: number[] = []
    await scanRecords(file, log.byteCount, {
      record: (record) => {
        const { kind, incarnation, version, offset, byteCount, id } = record
        const place = placeInLog(log, offset)
        const goneBefore = copied.gone.get(incarnation) ?? 0
        const isNeeded = index.isLive(record, place) && id !== null
        const isLastWord = kind === RECORD_KINDS.drop && goneBefore >= index.remaining(incarnation)
        if (!isNeeded || isLastWord) {
          if (kind === RECORD_KINDS.entry) copied.gone.set(incarnation, goneBefore + 1)
          return
        }
        copied.moves.push(kind, incarnation, version, place, copied.size, byteCount)
        copied.size += byteCount
        if (spans.at(-1) === offset) spans[spans.length - 1] = offset + byteCount
        else spans.push(offset, offset + byteCount)
      },
      lost: () => undefined,
    })
    let length = 0
    for (let k = 0; k < spans.length; k += 2) length += spans[k + 1] - spans[k]
    let at = copied.size - length
    const window = new FileWindow(file, log.byteCount)
    for (let k = 0; k < spans.length && !this.isClosed; k += 2) {
      for (let from = spans[k]; from < spans[k + 1]; ) {
        const bytes = (await window.from(from, 1)).subarray(0, spans[k + 1] - from)
        if (bytes.length === 0) throw new StoreError(`${log.name} is shorter than it was`)
        await target.write([bytes], at)
        from += bytes.length
        at += bytes.length
      }
    }
  }

  /** Keeps all files of the run open during `action`, so that places in them stay readable after a rename or removal. */
  private held<T>(run: readonly LogFile[], action: () => Promise<T>): Promise<T> {
    const [first, ...rest] = run
    if (first === undefined) return action()
    return this.options.index.files.use(first, () => this.held(rest, action))
  }

  private async exchange(
    run: readonly LogFile[],
    target: { name: string; file: DiskFile } | null,
    { size, moves, gone }: Copied,
  ): Promise<void> {
    const { index } = this.options
    const { files } = index
    if (target !== null) {
      await files.disk.rename(target.name, run[0].name).catch((error: StoreError) => {
        // It is unknown which of the two files has the name now.
        throw this.options.writer.breakDown(error)
      })
      const log = files.add(run[0].number, size, target.file)
      files.release(log)
      for (let start = 0; start < moves.length; start += MOVE_LENGTH) {
        const [kind, incarnation, version, place, offset, byteCount] = moves.slice(start, start + MOVE_LENGTH)
        index.move({ kind, incarnation, version, byteCount }, place, placeInLog(log, offset))
        if (start % (MOVE_LENGTH * SLICE_COUNT) === 0) await nextTurn()
      }
    }
    for (const [incarnation, count] of gone) index.count(incarnation, -count)
    for (const log of run) {
      files.forget(log)
      if (log !== run[0] || target === null) await files.disk.remove(log.name)
    }
  }
}

interface Copied {
  /** Length of the new file. */
  size: number
  moves: Moves
  /** How many entries of each scene are dropped. */
  gone: Map<number, number>
}

const wasteOf = ({ byteCount, liveByteCount }: LogFile) => byteCount - liveByteCount - FILE_HEADER_BYTE_COUNT
