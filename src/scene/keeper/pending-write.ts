/**
 * A write in flight: the request, the entry that was sent for it, and its outcome. This is the one state machine of writes;
 * `scene-writer.ts` and `log-tail.ts` read its stage.
 *
 *   line ──begin──► begun ──send──► sent ──commit──────────► committed ──apply──► done
 *                     ▲              │                          ▲                  ▲
 *                     │              └──find──► found ──commit──┘                  │
 *                     │                           └──apply──► standing ──commit────┘
 *                     └──────── takeOut, from sent, found and committed
 *
 * - `line`: waits for its turn. `begun`: is being checked, perhaps again. `sent`: sent to the store, which has not answered.
 * - `found`: its entry was seen in the log, from which it may still be lost. `committed`: the store has promised that it will not be.
 * - `standing`: applied as it was found. `done`: applied, and it will not be lost.
 *
 * Its caller gets one answer (`isOver`): when it is done, refused or given up, in whichever stage that happens.
 *
 * `WriteLine` estimates the wait of new writes. Writes of many operations are checked and applied one after another, so the last one
 * waits for all before it. Their time is measured by weight, and the latest count most.
 */

import type { Slices } from '../../containers/budget.ts'
import { type Entry, type Operation, operationsWeight } from '../state/operation.ts'
import type { Viewed } from '../state/view.ts'
import type { RequestKey } from './remembered-writes.ts'
import type { Repacking } from './stored-forms.ts'
import type { Below, PendingBodies, WriteRefusal } from './write-checks.ts'

export interface WriteRequest {
  readonly operations: readonly Operation[]
  /** Milliseconds since 1970; never earlier than the entry before it. */
  readonly at: number
  /** The version that the client has seen; the write is refused if the scene is at another one. */
  readonly ifVersion?: number
  /** The first digits of the digest of that version, see `shownDigest`. */
  readonly ifDigest?: string
  readonly key?: RequestKey
  /** Called before each check of the write, with the state that it builds on. */
  readonly inspect?: (ahead: Below) => void
  /**
   * Makes the operations again before each check, from the state that the write builds on, because `operations` come from an earlier
   * version. Other writes of this process wait, so they cannot come first. If no operations are left, nothing is written.
   */
  readonly revise?: (scene: Viewed, ahead: PendingBodies) => Slices<readonly Operation[]>
}

/** `isRepeated`: the request had been accepted before, as `version`, and nothing was written. */
export interface WriteDone {
  readonly version: number
  /** Digest of the version; for a repeated write its first bytes, if known. */
  readonly digest: Uint8Array | null
  readonly isRepeated: boolean
  /** For a repeated write: the rest of the first answer, if known. */
  readonly answer?: string
}

export type WriteOutcome = WriteDone | WriteRefusal

/** Default time after which a write to a shared store is given up. */
export const WRITE_DEADLINE_MS = 8000
/** Interval between attempts while the store cannot be reached. */
export const RETRY_MS = 100

export type Stage = 'line' | 'begun' | 'sent' | 'found' | 'committed' | 'standing' | 'done'

const NO_ENTRY: Entry = { version: 0, at: 0, operations: [] }
const NOT_LOGGED = { byteCount: 0, text: null }

export class PendingWrite {
  readonly request: WriteRequest
  readonly writeId: Uint8Array
  /** The version of the scene when the write arrived. */
  readonly arrivedAt: number
  readonly done: Promise<WriteOutcome>
  /** The operations of the request, or their revision at the last check. */
  operations: readonly Operation[]
  /** The entry as last sent; none after `takeOut`. Answers to earlier ones are ignored. */
  entry: Entry = NO_ENTRY
  logged: { byteCount: number; readonly text: string | null } = NOT_LOGGED
  /** For a large write that is sent again. */
  repacking: Repacking | null = null
  stage: Stage = 'line'
  /** When its first check began, by `performance.now()`. */
  begunAt = 0
  sentCount = 0
  /** How often it has locked other processes out. */
  heldCount = 0
  /** Whether one of the attempts may have written it, or still may. */
  isInDoubt = false
  /** Whether the log has been read since it arrived. */
  isFresh = false
  /** Its caller has the outcome. */
  isOver = false
  private fulfil!: (outcome: WriteOutcome | Promise<WriteOutcome>) => void
  private fail!: (error: Error) => void
  private readonly timer: NodeJS.Timeout | undefined

  /** `deadlineMs`: time without progress after which `giveUp` is called unless the write is over; null: never. */
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

  /** Whether its entry may be applied once all before it are. */
  get isDurable(): boolean {
    return this.stage === 'found' || this.stage === 'committed'
  }

  /** Whether it may be in the log, or may still get there. */
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

  /** `isInDoubt`: the last answer of the store did not confirm it. */
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

  /** Takes it out of flight: the log has another entry in its place, or that is unknown. */
  takeOut(): void {
    this.isInDoubt ||= this.isDurable
    this.stage = 'begun'
    this.entry = NO_ENTRY
  }

  /** Restarts its deadline, because it has made progress. */
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

/** Writes that weigh less take almost no time. */
const LEAST_WEIGHT = 1024
const MOST_WEIGHT = 2 ** 24
/** Weight of earlier measurements relative to a new one. */
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

  /** Adds a write. Call the result when it is over, with the time at which it began, or with null if nothing was done for it. */
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
