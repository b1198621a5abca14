/**
 * Follows the writes of a scene with its overlapping pairs, version by version.
 *
 * Entries wait in memory up to a bound; where writes come faster than pairs are found, the rest is read back from the log. So every
 * version is reported, however late, and writers never wait.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type FarSlices, goingOn } from '../../containers/far-call.ts'
import type { PastEntry, ScenePast } from '../keeper/recovery.ts'
import type { Entry } from '../state/operation.ts'
import type { Scene } from '../state/scene.ts'
import { copyScene } from '../state/scene-snapshot.ts'
import type { PairChange } from './happening.ts'
import { MOST_PAIRS, PairFold } from './pair-fold.ts'

/** Finishes work that pauses; null as soon as it is not wanted any more. Rejects as the work does. */
export type Finish = <Result>(work: FarSlices<Result>, isWanted: () => boolean) => Promise<Result | null>

export interface PairWatchOptions {
  readonly finish: Finish
  readonly past: () => ScenePast | null
  readonly maxPairs?: number
}

interface AppliedEntry {
  readonly entry: Entry
  readonly byteCount: number
}

export interface PairListener {
  /** `changes` null: too many to be sent. */
  changed(entry: Entry, byteCount: number, changes: readonly PairChange[] | null): void
  failed(error: Error): void
}

/** Entries that wait in memory, and their bytes. */
const MOST_WAITING = 256
const MOST_WAITING_LENGTH = 2 ** 22

export class PairWatch {
  readonly #scene: Scene
  readonly #options: PairWatchOptions
  readonly #listener: PairListener
  /** The last ones. */
  #waiting: AppliedEntry[] = []
  #waitingLength = 0
  /** Read back from the log. */
  #past: PastEntry[] = []
  #isOver = false
  #wake: (() => void) | null = null

  /** Begins with the version that the scene is at. */
  constructor(scene: Scene, options: PairWatchOptions, listener: PairListener) {
    this.#scene = scene
    this.#options = options
    this.#listener = listener
    void this.#run()
  }

  /** Takes an entry that has just been applied. */
  add(entry: Entry, byteCount: number): void {
    if (this.#isOver) return
    this.#waiting.push({ entry, byteCount })
    this.#waitingLength += byteCount
    while (this.#waiting.length > MOST_WAITING || this.#waitingLength > MOST_WAITING_LENGTH) this.#shift()
    this.#wake?.()
  }

  end(): void {
    this.#isOver = true
    this.#waiting = []
    this.#past = []
    this.#wake?.()
  }

  async #run(): Promise<void> {
    const { finish, maxPairs = MOST_PAIRS } = this.#options
    const isWanted = () => !this.#isOver
    try {
      // begun now, with the version that the scene is at: whoever finishes it may begin later
      const copying = copyScene(this.#scene)
      const first = copying.next()
      const copy = first.done ? first.value : await finish(goingOn(first.value, copying), isWanted)
      if (copy === null) return
      const fold = new PairFold(copy, maxPairs)
      await finish(fold.begin(), isWanted)
      while (isWanted()) {
        const next = await this.#next(fold.version + 1, fold.digest)
        if (next === null || !isWanted()) continue
        // whoever wrote it has an answer first
        await nextTurn()
        const changes = await finish(fold.advance(next.entry), isWanted)
        if (isWanted()) this.#listener.changed(next.entry, next.byteCount, changes)
      }
    } catch (error) {
      if (!this.#isOver) this.#listener.failed(error as Error)
      this.end()
    }
  }

  /** The entry of a version, behind one with the digest `before`; null: it may be there now. */
  async #next(version: number, before: Uint8Array): Promise<AppliedEntry | null> {
    while (this.#waiting.length > 0 && this.#waiting[0].entry.version < version) this.#shift()
    const first = this.#waiting.at(0)
    if (first?.entry.version === version) {
      this.#past = []
      return this.#shift()
    }
    if (first === undefined && this.#scene.version < version) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = null
      return null
    }
    if (this.#past.length === 0) {
      const to = (first?.entry.version ?? this.#scene.version + 1) - 1
      this.#past = (await this.#options.past()?.entries(this.#scene.id, version, to)) ?? []
    }
    const past = this.#past.shift()
    if (past?.version !== version) throw new Error(`Entry ${version} of the log cannot be read any more.`)
    return { entry: await past.decode(before), byteCount: past.byteCount }
  }

  #shift(): AppliedEntry {
    const first = this.#waiting.shift() as AppliedEntry
    this.#waitingLength -= first.byteCount
    return first
  }
}
