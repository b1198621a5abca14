/**
 * Writes one scene, and follows what other processes write to its log.
 *
 * A write is checked against the scene and the writes in flight, and sent at once (`log-tail.ts`; its stages are in
 * `pending-write.ts`). A write of many operations is checked in slices; others wait until that is over.
 *
 * In a shared log, a write loses when a write of another process came first. Then the log is read on (`catch-up.ts`), and the lost write
 * is checked against the scene as it is now, and sent again. A write whose outcome is unknown is handled in the same way: it was accepted
 * if its id is in the log. Two attempts of a write never both land: each is sent behind a version up to which the log was searched for
 * it, and only one entry ever follows that version.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { Pace, type Slices } from '../../containers/budget.ts'
import type { Entry } from '../state/operation.ts'
import { type Scene, takesLong } from '../state/scene.ts'
import { isSameDigest, keyedWriteId, randomWriteId, shownDigest } from '../store/checksum-frame.ts'
import {
  type Appended,
  OutcomeUnknown,
  type SceneLife,
  type SceneStore,
  type SharedStore,
  StoreBusy,
  StoreFailed,
  StoreUnavailable,
} from '../store/store.ts'
import { type Catching, CatchUp, type Divergence } from './catch-up.ts'
import { inTurns } from './in-turns.ts'
import { type Appender, type Logged, LogTail, type TailWatcher } from './log-tail.ts'
import {
  isDrop,
  PendingWrite,
  RETRY_MS,
  WRITE_DEADLINE_MS,
  WriteLine,
  type WriteOutcome,
  type WriteRequest,
} from './pending-write.ts'
import { REMEMBERED_COUNT, type RememberedWrites, type RequestKey, shortFingerprint } from './remembered-writes.ts'
import { type Below, refusalOf, type WriteChecks, type WriteRefusal } from './write-checks.ts'

/**
 * Writes whose entries were found in the log before the store acknowledged them. They are sure to stay there once a later commit is
 * durable.
 */
class FoundWrites {
  /** Writes that are applied but may still be lost. */
  readonly unsure = new Set<PendingWrite>()
  private readonly tail: LogTail
  private readonly shared: SharedStore | null

  constructor(tail: LogTail, shared: SharedStore | null) {
    this.tail = tail
    this.shared = shared
  }

  /** The outcome, as soon as the entry is sure to stay in the log. Rejects with the store's error. */
  confirmed<Outcome extends { version: number }>(outcome: Outcome): Outcome | Promise<Outcome> {
    const { tail, shared } = this
    if (shared === null || outcome.version <= tail.confirmedVersion) return outcome
    const { version } = tail.scene
    return shared.confirm().then(() => {
      tail.confirmedVersion = Math.max(tail.confirmedVersion, version)
      return outcome
    })
  }

  /** It was found as `version`. */
  acknowledge(pending: PendingWrite, version: number): void {
    if (pending.isOver) return
    const done = this.confirmed({ version, digest: null, isRepeated: false })
    if (!(done instanceof Promise)) pending.resolve(done)
    else
      done.then(
        (outcome) => pending.resolve(outcome),
        () => setTimeout(() => this.acknowledge(pending, version), RETRY_MS),
      )
  }

  /** It is applied as its entry says. */
  doubt(pending: PendingWrite): void {
    pending.isInDoubt = true
    this.unsure.add(pending)
    const forget = () => this.unsure.delete(pending)
    pending.done.then(forget, forget)
    this.acknowledge(pending, pending.entry.version)
  }
}

/** This writer no longer keeps the scene, and the write was not accepted: send it again to the writer that keeps the scene now. */
export class SceneLeft extends StoreUnavailable {
  constructor() {
    super('The scene is loaded anew from the store')
  }
}

/** Listens to the events of a scene, which is `Kept`. */
export interface SceneWatcher<Kept> {
  /** `isOwn`: this process has written it. */
  applied(kept: Kept, entry: Entry, logged: Logged, isOwn: boolean): void
  /** A durable entry could not be applied: the scene must not be used any more. */
  broken(kept: Kept, reason: string): void
  /** Its last entry has been applied. */
  dropped(kept: Kept): void
  /** The scene differs from the one in the store, and must be loaded again. */
  diverged(kept: Kept, how: Divergence, reason: string): void
  /** `count` writes have lost against writes of other processes. */
  conflicted(count: number): void
}

interface WriterOptions<Kept> extends WriteChecks {
  readonly store: SceneStore
  readonly watcher: SceneWatcher<Kept>
  /** Default: 8,000. */
  readonly writeDeadlineMs?: number
}

function unknownOutcome(reason = 'The store could not be asked whether the write was accepted'): OutcomeUnknown {
  return new OutcomeUnknown(reason)
}

/** Cost of replaying an entry in addition to its bytes, in bytes. */
const REPLAY_OVERHEAD_BYTE_COUNT = 128
/** Interval between reads of the log while a caller waits for a version. */
const REACH_MS = 50

/** A write that keeps losing against others is given up after this many deadlines. */
const MOST_DEADLINES = 4

/**
 * Time after which a write that takes long to check, and keeps losing, locks other processes out. Short writes do so only after their
 * whole deadline: many of them share a commit, and a lock for each would delay them all.
 */
const LOSING_MS = 500
/** Length of the first such lock; later ones are longer. Processes that wait for the row are refused after two seconds. */
const HOLD_MS = 1800

const inLine = (waitMs: number) =>
  new StoreBusy('Other writes to the scene are being done, and take longer than this one may wait', waitMs)

export class SceneWriter implements Catching, TailWatcher {
  readonly life: SceneLife
  readonly scene: Scene
  readonly writes: RememberedWrites
  /** Weight of the entries behind the newest snapshot, and of that snapshot. */
  tailByteCount = 0
  snapshotByteCount = 0
  snapshotVersion = 0
  /** Time of the last write or query, by the clock of the keeper. */
  usedAt = 0
  /** Whether it takes no more writes, and no more entries of the log. */
  isOver = false
  /** Whether its last entry is applied. */
  private isDropped = false
  private readonly store: SceneStore
  private readonly options: WriterOptions<SceneWriter>
  private readonly watcher: SceneWatcher<SceneWriter>
  private readonly tail: LogTail
  private readonly catchUp: CatchUp
  private readonly found: FoundWrites
  private readonly line = new WriteLine()
  private readonly deadlineMs: number
  /** The write that is being checked in slices. */
  private underCheck: PendingWrite | null = null
  /** Writes that must be checked again, in order. */
  private lostWrites: PendingWrite[] = []
  /** Settles when the write that is being checked in slices is sent or refused; null if there is none. */
  private checking: Promise<void> | null = null
  /** Settles when all lost writes are sent again or refused; null if there are none. */
  private repairing: Promise<void> | null = null
  /** Settles when the write that drops the scene has an outcome; null if there is none. */
  private dropping: Promise<void> | null = null
  /** Work in progress on writes that are neither sent nor refused. */
  private readonly courses = new Set<Promise<unknown>>()

  constructor(scene: Scene, life: SceneLife, writes: RememberedWrites, options: WriterOptions<SceneWriter>) {
    this.scene = scene
    this.life = life
    this.writes = writes
    this.options = options
    this.store = options.store
    this.watcher = options.watcher
    this.deadlineMs = options.writeDeadlineMs ?? WRITE_DEADLINE_MS
    this.tail = new LogTail(scene, life, writes, options.store, this)
    this.catchUp = new CatchUp(this, options.store)
    this.found = new FoundWrites(this.tail, options.store.shared)
  }

  get id(): string {
    return this.life.id
  }

  /** The last version that was assigned, and its digest. */
  get headVersion(): number {
    return this.tail.headVersion
  }

  get headDigest(): Uint8Array {
    return this.tail.headDigest
  }

  /** Whether nothing is in flight. */
  get isAtRest(): boolean {
    return this.tail.isAtRest && this.lostWrites.length + this.found.unsure.size + this.courses.size === 0
  }

  /** The bodies as they will be once all writes in flight are durable; valid until the next write. */
  ahead(): Below {
    return this.tail.ahead()
  }

  /** Writes to the scene. Rejects with the store's error if the entry is not durable, or may not be. */
  write(request: WriteRequest): Promise<WriteOutcome> {
    const { key } = request
    const writeId = key === undefined ? randomWriteId() : keyedWriteId(this.id, key.key)
    const deadlineMs = this.store.shared && this.deadlineMs
    const { waitMs } = this.line
    if (deadlineMs !== null && waitMs > deadlineMs) return Promise.reject(inLine(waitMs))
    const pending = new PendingWrite(request, writeId, this.scene.version, deadlineMs, this.giveUp)
    const leave = this.line.enter(request.operations)
    if (leave !== null) {
      pending.done.then(
        () => leave(pending.begunAt || null),
        () => leave(null),
      )
    }
    try {
      const course = this.inTheWay(pending) !== null || this.isOver ? this.begin(pending) : this.advance(pending)
      if (course !== null) this.follow(pending, course)
    } catch (error) {
      pending.reject(error as Error)
    }
    return pending.done
  }

  /** The outcome of an earlier write with the key, of any process; null if there is none. Rejects with the store's error. */
  async answered(key: RequestKey, at: number): Promise<WriteOutcome | null> {
    await this.refresh()
    return this.repeated({ operations: [], key, at }, keyedWriteId(this.id, key.key))
  }

  private async begin(pending: PendingWrite): Promise<void> {
    for (let before = this.inTheWay(pending); before !== null; before = this.inTheWay(pending)) await before
    if (this.isOver && !this.isDropped) throw new SceneLeft()
    if (!pending.isOver) await this.advance(pending)
  }

  /** The promise that a write awaits before it is checked, or null. */
  private inTheWay({ request }: PendingWrite): Promise<void> | null {
    const encoding = request.ifDigest === undefined ? null : this.tail.encoding
    return this.checking ?? this.repairing ?? this.dropping ?? encoding
  }

  /** Stops writing to the scene and reading its log. */
  end(): void {
    this.isOver = true
  }

  /** Resolves when nothing is in flight or about to be. */
  async settled(): Promise<void> {
    while (!this.isAtRest) {
      const pending = [...this.lostWrites, ...this.found.unsure].map(({ done }) => done)
      await Promise.allSettled([this.checking, this.repairing, ...this.courses, this.tail.rest(), ...pending])
      // earlier waiters go first
      await null
    }
  }

  /** Handles the report of another process that the log has a version. */
  notified(version: number): void {
    // The version may be that of a write in flight; if not, that write finds out.
    if (!this.isOver && version > this.headVersion) this.catchUp.toEnd().catch(() => undefined)
  }

  /** Reads what others have written. Rejects with the store's error. */
  refresh(): Promise<void> {
    return this.store.shared === null ? Promise.resolve() : this.catchUp.toEnd()
  }

  /** Checks whether the scene is still the one in the store. */
  verify(): void {
    this.catchUp.toEndOfSame().catch(() => undefined)
  }

  /** Resolves to whether the scene reaches a version in time (`until`: by `performance.now()`). */
  async reach(version: number, until: number): Promise<boolean> {
    while (this.scene.version < version) {
      const left = until - performance.now()
      if (this.isOver || left <= 0) return false
      await Promise.race([this.refresh().catch(() => undefined), delay(left)])
      if (this.scene.version < version) await delay(Math.max(0, Math.min(REACH_MS, until - performance.now())))
    }
    return true
  }

  /** Checks and sends a write, or refuses it; without a pause unless that takes long. */
  private advance(pending: PendingWrite): Promise<void> | null {
    pending.begin()
    pending.extend()
    const { request } = pending
    const outcome = this.settledAtOnce(pending)
    if (outcome !== null) return this.settle(pending, outcome)
    const isSlow = request.revise !== undefined || takesLong(this.scene, request)
    const isLosing = this.isLosing(pending, isSlow ? LOSING_MS : this.deadlineMs)
    if (!isSlow && !isLosing) {
      const { done, value } = this.check(pending).next()
      if (done && value !== null) return this.settle(pending, value)
      if (done) {
        this.send(pending)
        return null
      }
    }
    const checking = isLosing ? this.advanceAlone(pending) : this.advanceSlowly(pending)
    this.underCheck = pending
    const end = () => {
      this.checking = null
      this.underCheck = null
    }
    this.checking = checking.then(end, end)
    return checking
  }

  private isLosing(pending: PendingWrite, patienceMs: number): boolean {
    const hasLost = this.store.shared !== null && pending.sentCount > 1 && !isDrop(pending)
    return hasLost && performance.now() - pending.begunAt > patienceMs
  }

  /** Checks and sends a write in slices while other processes cannot write to the scene, so that it cannot lose. */
  private async advanceAlone(pending: PendingWrite): Promise<void> {
    const { tail } = this
    // writes in flight could not land during the lock
    await tail.rest()
    const holdMs = HOLD_MS * ++pending.heldCount
    let isBegun = false
    try {
      await this.store.shared?.alone(this.life, holdMs, async (append) => {
        await this.catchUp.toEnd()
        isBegun = true
        let appended: Promise<Appended> | null = null
        await this.advanceSlowly(pending, (made) => {
          appended = append(made)
          return appended
        })
        await tail.encoding
        await (appended as Promise<Appended> | null)?.catch(() => undefined)
      })
    } catch (error) {
      // the write itself has the error then
      if (isBegun) throw error
    }
    if (!isBegun && !pending.isOver) await this.advanceSlowly(pending)
  }

  /** Checks and sends a write in slices, while all other writers of this process wait. */
  private async advanceSlowly(pending: PendingWrite, through?: Appender): Promise<void> {
    for (;;) {
      const { overlay } = this.tail
      await this.revise(pending)
      if (overlay !== this.tail.overlay) continue
      const refusal = await inTurns(this.check(pending))
      // A write in flight may have failed meanwhile: then this one was checked against a state that never existed.
      if (overlay !== this.tail.overlay) continue
      const outcome = this.settledAtOnce(pending) ?? refusal ?? (await this.needless(pending))
      if (overlay !== this.tail.overlay) continue
      if (outcome !== null) {
        this.settle(pending, outcome)
        return
      }
      // No other write joins the overlay now; the next ones are checked against it.
      await inTurns(this.tail.addAhead(pending))
      if (overlay !== this.tail.overlay) continue
      this.send(pending, through)
      return
    }
  }

  /**
   * Ends a write with an outcome. Only entries in the log can refuse it: entries of other processes are read first, and writes in flight
   * may still be lost.
   */
  private settle(pending: PendingWrite, outcome: WriteOutcome | Promise<WriteOutcome>): null {
    const { tail } = this
    const isSure = this.store.shared === null || this.isOver || (pending.isFresh && tail.isAtRest)
    if (isSure || outcome instanceof Promise || !('refusal' in outcome)) {
      pending.resolve(outcome)
    } else if (pending.isFresh) {
      const { overlay } = tail
      const again = () => (overlay === tail.overlay ? pending.resolve(outcome) : this.begin(pending))
      this.follow(pending, Promise.allSettled(tail.moving).then(again))
    } else {
      pending.isFresh = true
      this.follow(
        pending,
        this.refresh().then(() => this.begin(pending)),
      )
    }
    return null
  }

  /** Keeps a write open until `course` settles, which may end it with an error. */
  private follow(pending: PendingWrite, course: Promise<unknown>): void {
    const ended = course.catch((error: Error) => pending.reject(error)).finally(() => this.courses.delete(ended))
    this.courses.add(ended)
  }

  private send(pending: PendingWrite, through?: Appender): void {
    if (pending.isOver) return
    pending.extend()
    this.tail.send(pending, through)
    if (!isDrop(pending.entry)) return
    const end = () => {
      this.dropping = null
    }
    this.dropping = pending.done.then(end, end)
  }

  private settledAtOnce({ request, writeId }: PendingWrite): Promise<WriteOutcome> | WriteOutcome | null {
    if (this.isDropped) return { refusal: 'unknown-scene' }
    const repeated = this.repeated(request, writeId)
    if (repeated !== null) return repeated
    const { ifVersion, ifDigest } = request
    const { headVersion: version, headDigest: digest } = this
    if (ifVersion === undefined) return null
    const isMeant = ifVersion === version && (ifDigest === undefined || ifDigest === shownDigest(digest))
    return isMeant ? null : { refusal: 'other-version', version, digest }
  }

  private async revise(pending: PendingWrite): Promise<void> {
    const { revise } = pending.request
    if (revise !== undefined) pending.operations = await inTurns(revise(this.scene, this.tail.ahead()))
  }

  /** The outcome of a write whose revision left no operations: the version of the scene once all writes in flight are durable. */
  private async needless({ request, operations }: PendingWrite): Promise<WriteOutcome | null> {
    if (request.revise === undefined || operations.length > 0) return null
    await Promise.allSettled(this.tail.moving)
    const { version, digest } = this.scene
    return this.found.confirmed({ version, digest, isRepeated: true })
  }

  private check({ request, operations }: PendingWrite): Slices<WriteRefusal | null> {
    const ahead = this.ahead()
    request.inspect?.(ahead)
    return refusalOf(ahead, operations, this.options, new Pace())
  }

  private repeated({ key, at }: WriteRequest, writeId: Uint8Array): Promise<WriteOutcome> | WriteOutcome | null {
    if (key === undefined) return null
    const known = this.writes.findKeyed(writeId, at)
    if (known !== null) {
      const isSame = isSameDigest(known.fingerprint as Uint8Array, shortFingerprint(key.fingerprint))
      const { version, digest, answer } = known
      return isSame
        ? this.found.confirmed({ version, digest, isRepeated: true, ...(answer !== null && { answer }) })
        : { refusal: 'key-reused' }
    }
    const pending = this.tail.inFlightOf(writeId)
    if (pending === undefined) return null
    if (pending.request.key?.fingerprint !== key.fingerprint) return { refusal: 'key-reused' }
    return pending.done.then((outcome) => {
      if ('refusal' in outcome) return outcome
      const answer = this.writes.find(writeId)?.answer ?? null
      return { ...outcome, isRepeated: true, ...(answer !== null && { answer }) }
    })
  }

  /** Called by the tail. */
  lost(writes: PendingWrite[]): void {
    this.lostWrites.push(...writes)
    const since = performance.now() - MOST_DEADLINES * this.deadlineMs
    for (const pending of writes) if (pending.begunAt > since) pending.extend()
    this.watcher.conflicted(writes.length)
    if (this.isOver) this.rejectLost()
    else this.repairing ??= this.repair().finally(() => this.endRepair())
  }

  private endRepair(): void {
    this.repairing = null
    if (this.lostWrites.length > 0) this.repairing = this.repair().finally(() => this.endRepair())
  }

  /** Reads what others have written, then checks and sends the lost writes again. */
  private async repair(): Promise<void> {
    // A check in slices continues with the result.
    while (this.lostWrites.length > 0 && !this.isOver) {
      try {
        if (this.lostWrites.some(({ isInDoubt }) => isInDoubt)) await this.store.shared?.confirm()
        await this.catchUp.toEndOfSame()
      } catch (error) {
        const waiting = this.lostWrites.splice(0)
        this.lostWrites = waiting.filter((pending) => pending.isInDoubt && !pending.isOver)
        for (const pending of waiting) if (!pending.isInDoubt && !pending.isOver) pending.reject(error as Error)
        if (this.lostWrites.length > 0) await delay(RETRY_MS)
        continue
      }
      while (this.checking !== null) await this.checking
      // Writes that lose meanwhile come in the next round, after more has been read.
      const round = this.lostWrites.splice(0)
      for (let k = 0; k < round.length; k++) {
        if (this.isOver) this.lostWrites.push(...round.splice(k))
        else if (!round[k].isOver) await this.retry(round[k]).catch((error: Error) => round[k].reject(error))
      }
    }
    if (this.isOver) this.rejectLost()
  }

  /** Handles a lost write once the log has been read up to the version of the scene. */
  private async retry(pending: PendingWrite): Promise<void> {
    const { writeId, arrivedAt, isInDoubt, request } = pending
    const found = this.writes.find(writeId)
    const isAccepted = found !== null && found.version > arrivedAt
    if (isAccepted && request.key === undefined) {
      this.found.acknowledge(pending, found.version)
    } else if (this.scene.version - arrivedAt >= REMEMBERED_COUNT) {
      // The memory of whether it was accepted may be gone.
      pending.reject(isInDoubt ? unknownOutcome() : new StoreUnavailable('Others have written too much meanwhile'))
    } else {
      pending.isFresh = true
      await this.advance(pending)
    }
  }

  /** Called by the tail for a write that is in the log but may still be lost. */
  unconfirmed(pending: PendingWrite): void {
    this.found.doubt(pending)
  }

  private readonly giveUp = (pending: PendingWrite): void => {
    if (pending.isOver) return
    // work on it has begun here, and is finished
    const isEncoded = this.tail.encoding !== null && this.tail.has(pending)
    if (pending === this.underCheck || pending.stage === 'committed' || isEncoded) {
      pending.extend()
      return
    }
    const seconds = `${Math.round(this.deadlineMs / 100) / 10} s`
    if (pending.mayStand)
      pending.reject(unknownOutcome(`The database has not said within ${seconds} whether the write was accepted`))
    else if (pending.stage === 'line') pending.reject(inLine(this.line.waitMs))
    else if (pending.sentCount === 0) {
      pending.reject(new StoreUnavailable(`The database has not said within ${seconds} how others have left the scene`))
    } else {
      pending.reject(
        new StoreUnavailable(`Other instances have written to the scene before this write again and again`),
      )
    }
  }

  /** Called by `catchUp`. */
  takeIn(entry: Entry, byteCount: number): Promise<void> {
    return this.tail.takeIn(entry, byteCount)
  }

  /** Called by the tail. */
  applied(entry: Entry, logged: Logged, isOwn: boolean): void {
    this.tailByteCount += logged.byteCount + REPLAY_OVERHEAD_BYTE_COUNT
    if (isDrop(entry)) {
      this.isOver = true
      this.isDropped = true
    }
    this.watcher.applied(this, entry, logged, isOwn)
    if (isDrop(entry)) this.watcher.dropped(this)
  }

  /** Called by `catchUp` and others that find another scene in the store. */
  diverged(how: Divergence, reason: string): void {
    if (this.isOver) return
    this.isOver = true
    this.lostWrites.push(...this.tail.takeOut(0))
    this.watcher.diverged(this, how, reason)
    this.rejectLost()
  }

  /** Called by the tail and `catchUp` if the scene may be between two versions; readers must not see it. */
  broken(version: number, fault: string): void {
    if (this.isOver) return
    this.isOver = true
    const reason = `its entry ${version} could not be applied: ${fault}`
    this.watcher.broken(this, reason)
    const error = new StoreFailed(`Scene ${this.id} is damaged: ${reason}`)
    for (const pending of [...this.tail.takeOut(0), ...this.lostWrites.splice(0)]) pending.reject(error)
  }

  /** Ends all lost writes, because the scene is no longer kept. */
  private rejectLost(): void {
    for (const pending of this.lostWrites.splice(0)) {
      const found = this.writes.find(pending.writeId)
      if (pending.isOver) continue
      if (found !== null && found.version > pending.arrivedAt) this.found.acknowledge(pending, found.version)
      else if (this.isDropped) pending.resolve({ refusal: 'unknown-scene' })
      else pending.reject(pending.isInDoubt ? unknownOutcome() : new SceneLeft())
    }
  }
}
