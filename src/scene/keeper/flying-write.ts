/** A write on its way into the log of a scene: what was asked, what was sent for it, and what it came to. */

import type { Slices } from '../../containers/pace.ts'
import type { Viewed } from '../state/view.ts'
import type { Entry, Operation } from '../table/operation.ts'
import type { Repacking } from './log-entry.ts'
import type { Below, PendingBodies } from './pending-bodies.ts'
import type { RequestKey } from './remembered-writes.ts'
import type { WriteRefusal } from './write-checks.ts'

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

export interface FlyingWrite {
  readonly request: WriteRequest
  /** Those of the request, or what they were revised to when it was checked last. */
  operations: readonly Operation[]
  readonly writeId: Uint8Array
  /** Last version that was applied when it came. */
  readonly arrivedAt: number
  /** As it was sent last. */
  entry: Entry
  logged: { byteCount: number; readonly text: string | null }
  /** Of one that is large and was sent before. */
  repacking: Repacking | null
  /** Counts how often it was sent: answers to earlier times are not looked at. */
  attempt: number
  /** The log has been read since it came. */
  isFresh: boolean
  /** When it was first its turn; 0: it waits in line. By `performance.now()`. */
  begunAt: number
  /** It may have been written, or may still be, by one of the times it was sent. */
  isUnknown: boolean
  /** Its entry lies in the log. */
  isDurable: boolean
  /** And will not be lost. */
  isAcknowledged: boolean
  isApplied: boolean
  /** Somebody has been told what it came to. */
  isOver: boolean
  readonly done: Promise<WriteOutcome>
  /** Something has been done for it: its time begins anew. */
  readonly extend: () => void
  readonly resolve: (outcome: WriteOutcome | Promise<WriteOutcome>) => void
  readonly reject: (error: Error) => void
}

/** Time after which who writes to a store that is shared is told why it is not done, unless the keeper is told another. */
export const WRITE_DEADLINE_MS = 8000
/** Between two times that the store is asked while it cannot be reached. */
export const RETRY_MS = 100

const NO_ENTRY: Entry = { version: 0, at: 0, operations: [] }
const NOT_LOGGED = { byteCount: 0, text: null }

/** `deadlineMs`: when nothing has been done for it for so long, `giveUp` is called unless it is over; null: it has no end of its own. */
export function createFlyingWrite(
  { request, writeId, arrivedAt }: Pick<FlyingWrite, 'request' | 'writeId' | 'arrivedAt'>,
  deadlineMs: number | null,
  giveUp: (flying: FlyingWrite) => void,
): FlyingWrite {
  let fulfil!: FlyingWrite['resolve']
  let fail!: FlyingWrite['reject']
  const done = new Promise<WriteOutcome>((resolve, reject) => {
    fulfil = resolve
    fail = reject
  })
  // every field by name: to spread an object into it takes as long as all else that is done for a write
  const flying: FlyingWrite = {
    request,
    operations: request.operations,
    writeId,
    arrivedAt,
    entry: NO_ENTRY,
    logged: NOT_LOGGED,
    repacking: null,
    attempt: 0,
    isFresh: false,
    begunAt: 0,
    isUnknown: false,
    isDurable: false,
    isAcknowledged: false,
    isApplied: false,
    isOver: false,
    done,
    extend: () => timer?.refresh(),
    resolve: (outcome) => {
      flying.isOver = true
      clearTimeout(timer)
      fulfil(outcome)
    },
    reject: (error) => {
      flying.isOver = true
      clearTimeout(timer)
      fail(error)
    },
  }
  const timer = deadlineMs === null ? undefined : setTimeout(() => giveUp(flying), deadlineMs).unref()
  return flying
}

/** Whether the scene ends with it. */
export function isDrop({ operations }: Pick<Entry, 'operations'>): boolean {
  return operations.length > 0 && operations[0].op === 'drop'
}
