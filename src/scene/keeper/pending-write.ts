/**
 * A write in flight: the request, the entry that was sent for it, and its outcome. This is the one state machine of writes; whoever
 * holds one (`scene-writer.ts`, `log-tail.ts`) asks it for its stage.
 *
 *   line ──begin──► begun ──send──► sent ──commit──────────► committed ──apply──► done
 *                     ▲              │                          ▲                  ▲
 *                     │              └──find──► found ──commit──┘                  │
 *                     │                           └──apply──► standing ──commit────┘
 *                     └──────── takeOut, from sent, found and committed
 *
 * - `line`: waits for its turn. `begun`: is being checked, perhaps again. `sent`: handed to the store, which has not answered.
 * - `found`: its entry was seen in the log, from which it may still be lost. `committed`: the store has promised that it will not be.
 * - `standing`: applied as it was found. `done`: applied, and it will not be lost.
 *
 * Its caller gets one answer (`isOver`): when it is done, refused or given up, in whichever stage that happens.
 *
 * `WriteLine` estimates the wait of new writes. Writes of many operations are checked and applied one after another, so the last one
 * waits for all before it. Their time is measured by weight, and the latest count most.
 */

import type { Slices } from '../../containers/pace.ts'
import { type Entry, type Operation, operationsWeight } from '../state/operation.ts'
import type { Viewed } from '../state/view.ts'
import type { RequestKey } from './remembered-writes.ts'
import type { Repacking } from './stored-forms.ts'
import type { Below, PendingBodies, WriteRefusal } from './write-checks.ts'

export interface WriteRequest {
  readonly operations: readonly Operation[]
  /** Milliseconds since 1970; the entry is never before the one that it follows. */
  readonly at: number
  /** The version the writer has seen; the write is refused when the scene is at another. */
  readonly ifVersion?: number
  /** The first digits of the digest of that version, see `shownDigest`. */
  readonly ifDigest?: string
  readonly key?: RequestKey
  /** Called with what the write builds on, before it is checked; again when it has to be checked again. */
  readonly inspect?: (ahead: Below) => void
  /**
   * Makes the operations anew from what the write builds on, whenever it is checked: `operations` come from an earlier version. Nobody
   * else writes until it is done, so the write cannot lose against other writes of this process. Where none are left, nothing is written.
   */
  readonly revise?: (scene: Viewed, ahead: PendingBodies) => Slices<readonly Operation[]>
}

/** `isRepeated`: the request had been accepted before, as `version`, and nothing was written. */
export interface WriteDone {
  readonly version: number
  /** Of the version; of one that is repeated the first bytes of it, as far as they are known. */
  readonly digest: Uint8Array | null
  readonly isRepeated: boolean
  /** Of one that is repeated: what was answered beside the version, as far as it is known. */
  readonly answer?: string
}

export type WriteOutcome = WriteDone | WriteRefusal

/** Default time after which a write to a shared store is given up. */
export const WRITE_DEADLINE_MS = 8000
/** Between two times that the store is asked while it cannot be reached. */
export const RETRY_MS = 100

export type Stage = 'line' | 'begun' | 'sent' | 'found' | 'committed' | 'standing' | 'done'

const NO_ENTRY: Entry = { version: 0, at: 0, operations: [] }
const NOT_LOGGED = { byteCount: 0, text: null }

export class PendingWrite {
  readonly request: WriteRequest
  readonly writeId: Uint8Array
  /** Last version that was applied when it came. */
  readonly arrivedAt: number
  readonly done: Promise<WriteOutcome>
  /** Those of the request, or what they were revised to when it was checked last. */
  operations: readonly Operation[]
  /** As it was sent last; none when it was taken out. Answers to others are not looked at. */
  entry: Entry = NO_ENTRY
  logged: { byteCount: number; readonly text: string | null } = NOT_LOGGED
  /** Of one that is large and was sent before. */
  repacking: Repacking | null = null
  stage: Stage = 'line'
  /** When it was first its turn, by `performance.now()`. */
  begunAt = 0
  sentCount = 0
  /** How often others were kept waiting for it. */
  heldCount = 0
  /** It may have been written, or may still be, by one of the times it was sent. */
  isInDoubt = false
  /** The log has been read since it came. */
  isFresh = false
  /** Its caller has the outcome. */
  isOver = false
  private fulfil!: (outcome: WriteOutcome | Promise<WriteOutcome>) => void
  private fail!: (error: Error) => void
  private readonly timer: NodeJS.Timeout | undefined

  /** `deadlineMs`: when nothing has been done for it for so long, `giveUp` is called unless it is over; null: it has no end of its own. */
  constructor(
    request: WriteRequest,
    writeId: Uint8Array,
    arrivedAt: number,
    deadlineMs: number | null,
    giveUp: (pending: PendingWrite) => void,
  ) {
    this.request = request
    this.operations = request.operations
    this.writeId = writeId
    this.arrivedAt = arrivedAt
    this.done = new Promise<WriteOutcome>((resolve, reject) => {
      this.fulfil = resolve
      this.fail = reject
    })
    this.timer = deadlineMs === null ? undefined : setTimeout(giveUp, deadlineMs, this).unref()
  }

  /** Whether its entry may be applied when its turn comes. */
  get isDurable(): boolean {
    return this.stage === 'found' || this.stage === 'committed'
  }

  /** Whether it may be in the log, or come into it yet. */
  get mayStand(): boolean {
    return this.isInDoubt || (this.stage !== 'line' && this.stage !== 'begun')
  }

  begin(): void {
    if (this.stage !== 'line') return
    this.stage = 'begun'
    this.begunAt = performance.now()
  }

  send(entry: Entry, text: string | null): void {
    this.stage = 'sent'
    this.entry = entry
    this.logged = { byteCount: 0, text }
    this.sentCount++
  }

  /** `isInDoubt`: nobody has committed it by the answer that was just heard. */
  find(isInDoubt: boolean): void {
    if (this.stage !== 'sent') return
    this.stage = 'found'
    this.isInDoubt ||= isInDoubt
  }

  commit(): void {
    if (this.stage === 'sent' || this.stage === 'found') this.stage = 'committed'
    else if (this.stage === 'standing') this.finish()
  }

  apply(): void {
    if (this.stage === 'committed') this.finish()
    else this.stage = 'standing'
  }

  /** It is not what the log has in its place, or nobody knows. */
  takeOut(): void {
    this.isInDoubt ||= this.isDurable
    this.stage = 'begun'
    this.entry = NO_ENTRY
  }

  /** Something has been done for it: its time begins anew. */
  extend(): void {
    this.timer?.refresh()
  }

  resolve(outcome: WriteOutcome | Promise<WriteOutcome>): void {
    this.isOver = true
    clearTimeout(this.timer)
    this.fulfil(outcome)
  }

  reject(error: Error): void {
    this.isOver = true
    clearTimeout(this.timer)
    this.fail(error)
  }

  private finish(): void {
    this.stage = 'done'
    const { version, digest = null } = this.entry
    this.resolve({ version, digest, isRepeated: false })
  }
}

/** Whether the scene ends with it. */
export function isDrop({ operations }: Pick<Entry, 'operations'>): boolean {
  return operations.length > 0 && operations[0].op === 'drop'
}

/** Writes that weigh less take no time to speak of. */
const LEAST_WEIGHT = 1024
const MOST_WEIGHT = 2 ** 24
/** Weight of earlier measurements when a new one is made. */
const MEMORY = 0.7

export class WriteLine {
  private weight = 0
  private doneWeight = 0
  private doneMs = 0
  private lastDoneAt = 0

  /** Estimated milliseconds until all writes in it are done; 0 if unknown. */
  get waitMs(): number {
    return this.doneWeight === 0 ? 0 : (this.weight * this.doneMs) / this.doneWeight
  }

  /** A write comes. The result is to be called when it is over: with when it was begun, or with null when nothing was done for it. */
  enter(operations: readonly Operation[]): ((begunAt: number | null) => void) | null {
    const weight = operations.length === 1 ? 1 : operationsWeight(operations, MOST_WEIGHT)
    if (weight < LEAST_WEIGHT) return null
    this.weight += weight
    return (begunAt) => {
      this.weight -= weight
      if (begunAt === null) return
      const now = performance.now()
      this.doneMs = MEMORY * this.doneMs + now - Math.max(begunAt, this.lastDoneAt)
      this.doneWeight = MEMORY * this.doneWeight + weight
      this.lastDoneAt = now
    }
  }
}
