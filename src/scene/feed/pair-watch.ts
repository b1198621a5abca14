/**
 * Keeps the pairs of a scene up with its writes, beside them: each version waits as a view until it has been looked at.
 *
 * Where more versions wait than there may be views, the last ones are looked at together, and what has changed between them is told
 * with the last.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FarSlices } from '../../containers/far-call.ts'
import type { Scene } from '../state/scene.ts'
import { closeView, openView, type View } from '../state/view.ts'
import type { Entry, Operation } from '../table/operation.ts'
import type { PairChange } from './pair-change.ts'
import { PairTracker } from './pair-tracker.ts'

/** Finishes work that pauses; rejects as the work does. */
export type Finish = <Result>(work: FarSlices<Result>, isWanted: () => boolean) => Promise<Result | null>

interface Waiting {
  version: number
  view: View
  readonly entries: (readonly Operation[])[]
}

/** Views of versions that wait, at most. */
const MOST_WAITING = 16
/** Pairs that are kept, at most. */
export const MOST_PAIRS = 1_000_000

export interface PairListener {
  changed(version: number, changes: readonly PairChange[]): void
  failed(error: Error): void
}

export class PairWatch {
  readonly #scene: Scene
  readonly #finish: Finish
  readonly #listener: PairListener
  readonly #tracker: PairTracker
  #waiting: Waiting[] = []
  #isOver = false

  /** Begins with the version that the scene is at. */
  constructor(scene: Scene, finish: Finish, listener: PairListener, maxPairs = MOST_PAIRS) {
    this.#scene = scene
    this.#finish = finish
    this.#listener = listener
    this.#tracker = new PairTracker(maxPairs)
    void this.#run(openView(scene))
  }

  /** Takes an entry that has just been applied. */
  add({ version, operations }: Entry): void {
    if (this.#isOver) return
    const view = openView(this.#scene)
    const last = this.#waiting.at(-1)
    if (last === undefined || this.#waiting.length < MOST_WAITING) {
      this.#waiting.push({ version, view, entries: [operations] })
    } else {
      closeView(this.#scene, last.view)
      Object.assign(last, { version, view })
      last.entries.push(operations)
    }
    this.#wake?.()
  }

  end(): void {
    this.#isOver = true
    for (const { view } of this.#waiting.splice(0)) closeView(this.#scene, view)
    this.#wake?.()
  }

  #wake: (() => void) | null = null

  async #run(first: View): Promise<void> {
    const isWanted = () => !this.#isOver
    try {
      await this.#onView(first, this.#tracker.begin(first))
      while (!this.#isOver) {
        const next = this.#waiting.shift()
        if (next === undefined) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
          this.#wake = null
          continue
        }
        // whoever wrote it has an answer first
        await nextTurn()
        const { version, view, entries } = next
        const changes = await this.#onView(view, this.#tracker.advance(view, entries))
        if (changes !== null && isWanted()) this.#listener.changed(version, inOrder(changes))
      }
    } catch (error) {
      if (!this.#isOver) this.#listener.failed(error as Error)
      this.end()
    }
  }

  async #onView<Result>(view: View, work: FarSlices<Result>): Promise<Result | null> {
    try {
      return await this.#finish(work, () => !this.#isOver)
    } finally {
      closeView(this.#scene, view)
    }
  }
}

/** More changes than so many are not told one by one. */
const MOST_SORTED = 2 ** 14

function inOrder(changes: PairChange[]): PairChange[] {
  if (changes.length > MOST_SORTED) return changes
  return changes.sort((p, q) => +p.meets - +q.meets || compare(p.a.id, q.a.id) || compare(p.b.id, q.b.id))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : +(a > b)
}
