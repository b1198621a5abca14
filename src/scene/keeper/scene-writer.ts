/**
 * One scene and its log, as this process writes it and follows it.
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
import { Pace, type Slices } from '../../containers/pace.ts'
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
 * Writes whose entries were found in the log instead of being acknowledged. They are sure to stay there only after a commit that was made
 * after they were seen is durable.
 */
class FoundWrites {
  /** Have been applied, and may be lost yet. */
  readonly unsure = new Set<PendingWrite>()
  private readonly tail: LogTail
  private readonly shared: SharedStore | null

  constructor(tail: LogTail, shared: SharedStore | null) {
    this.tail = tail
    this.shared = shared
  }

  /** The outcome, as soon as it is sure to stay in the log. Rejects as the store does. */
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

/** The scene is not kept by this writer any more, and the write has not been accepted: it may be sent again, to whoever keeps it now. */
export class SceneLeft extends StoreUnavailable {
  constructor() {
    super('The scene is loaded anew from the store')
  }
}

/** Listens to the events of a scene, which is `Kept`. */
export interface SceneWatcher<Kept> {
  /** `isOwn`: this process has written it. */
  applied(kept: Kept, entry: Entry, logged: Logged, isOwn: boolean): void
  /** A durable entry could not be applied: the scene is not to be used any more. */
  broken(kept: Kept, reason: string): void
  /** Its last entry has been applied. */
  dropped(kept: Kept): void
  /** It is not the scene that the store has: it is to be loaded anew. */
  diverged(kept: Kept, how: Divergence, reason: string): void
  /** So many writes have lost against writes of other processes. */
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
/** Between two times that the log is looked at while a version is waited for. */
const REACH_MS = 50

/** A write that loses against others again and again is given up after so many times the deadline. */
const MOST_DEADLINES = 4

/**
 * A write that takes long to be checked, and has lost against others for so long, has them wait. Others do so only after their whole
 * deadline: many of them share a commit, and if each waited for a lock of its own, all would be later for it.
 */
const LOSING_MS = 500
/** For so long the first time, and longer each time after that: who waits for a row is refused after two seconds. */
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
  /** When it was last written to or asked about, by the clock of the keeper. */
  usedAt = 0
  /** No write is taken any more, and nothing from the log. */
  isOver = false
  /** It has come to its last entry. */
  private isDropped = false
  private readonly store: SceneStore
  private readonly options: WriterOptions<SceneWriter>
  private readonly watcher: SceneWatcher<SceneWriter>
  private readonly tail: LogTail
  private readonly catchUp: CatchUp
  private readonly found: FoundWrites
  private readonly line = new WriteLine()
  private readonly deadlineMs: number
  /** The one that is being checked in slices. */
  private underCheck: PendingWrite | null = null
  /** Writes that must be checked again, in order. */
  private lostWrites: PendingWrite[] = []
  /** Settles when the write that is being checked in slices has been sent or refused; null when none is. */
  private checking: Promise<void> | null = null
  /** Settles when what was lost has been sent again or refused; null when nothing is. */
  private repairing: Promise<void> | null = null
  /** Settles when the write that drops the scene has come to something; null when none is on its way. */
  private dropping: Promise<void> | null = null
  /** Work under way for writes that have not been sent or refused. */
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

  /** The last version that was given out, and its digest. */
  get headVersion(): number {
    return this.tail.headVersion
  }

  get headDigest(): Uint8Array {
    return this.tail.headDigest
  }

  /** Whether nothing is on its way. */
  get isAtRest(): boolean {
    return this.tail.isAtRest && this.lostWrites.length + this.found.unsure.size + this.courses.size === 0
  }

  /** The bodies as they will be once what is in flight is durable; good until the next write. */
  ahead(): Below {
    return this.tail.ahead()
  }

  /** Rejects with the store's error when the entry could not be made durable, or it is not known whether it was. */
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

  /** The outcome of an earlier write with the key, here or elsewhere; null without one. Rejects as the store does. */
  async answered(key: RequestKey, at: number): Promise<WriteOutcome | null> {
    await this.refresh()
    return this.repeated({ operations: [], key, at }, keyedWriteId(this.id, key.key))
  }

  private async begin(pending: PendingWrite): Promise<void> {
    for (let before = this.inTheWay(pending); before !== null; before = this.inTheWay(pending)) await before
    if (this.isOver && !this.isDropped) throw new SceneLeft()
    if (!pending.isOver) await this.advance(pending)
  }

  /** A write waits for this before it is checked; null: for nothing. */
  private inTheWay({ request }: PendingWrite): Promise<void> | null {
    const encoding = request.ifDigest === undefined ? null : this.tail.encoding
    return this.checking ?? this.repairing ?? this.dropping ?? encoding
  }

  /** Nothing is written to the scene any more, nor read from its log. */
  end(): void {
    this.isOver = true
  }

  /** Resolves when nothing is in flight any more, or about to be. */
  async settled(): Promise<void> {
    while (!this.isAtRest) {
      const pending = [...this.lostWrites, ...this.found.unsure].map(({ done }) => done)
      await Promise.allSettled([this.checking, this.repairing, ...this.courses, this.tail.rest(), ...pending])
      // whoever has waited for the same goes first
      await null
    }
  }

  /** Another process reports that the log has a version. */
  notified(version: number): void {
    // The version may be that of a write in flight; if not, that write finds out.
    if (!this.isOver && version > this.headVersion) this.catchUp.toEnd().catch(() => undefined)
  }

  /** Reads on what others have written. Rejects as the store does. */
  refresh(): Promise<void> {
    return this.store.shared === null ? Promise.resolve() : this.catchUp.toEnd()
  }

  /** Finds out whether the scene is still the one that the store has. */
  verify(): void {
    this.catchUp.toEndOfSame().catch(() => undefined)
  }

  /** Resolves to whether the scene has come to a version in time (`until`: by `performance.now()`). */
  async reach(version: number, until: number): Promise<boolean> {
    while (this.scene.version < version) {
      const left = until - performance.now()
      if (this.isOver || left <= 0) return false
      await Promise.race([this.refresh().catch(() => undefined), delay(left)])
      if (this.scene.version < version) await delay(Math.max(0, Math.min(REACH_MS, until - performance.now())))
    }
    return true
  }

  /** Sends a write, or says what keeps it from being sent. At once unless that takes long. */
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

  /** While those who write to the scene elsewhere wait, too: nobody comes first. */
  private async advanceAlone(pending: PendingWrite): Promise<void> {
    const { tail } = this
    // what is in flight could not land meanwhile
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
      // otherwise its own way has ended it
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
      // Nobody else adds to it now; those who come next are checked against it.
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

  /** It is not over before `course` is, which may end it with an error. */
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

  /** For the tail. */
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

  /** Reads on what others have written, and sees what becomes of what has lost against that. */
  private async repair(): Promise<void> {
    // Who checks in slices goes on with what comes of this.
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
      // Those that lose meanwhile come in the next round, when more has been read.
      const round = this.lostWrites.splice(0)
      for (let k = 0; k < round.length; k++) {
        if (this.isOver) this.lostWrites.push(...round.splice(k))
        else if (!round[k].isOver) await this.retry(round[k]).catch((error: Error) => round[k].reject(error))
      }
    }
    if (this.isOver) this.rejectLost()
  }

  /** The log has been read up to the version of the scene. */
  private async retry(pending: PendingWrite): Promise<void> {
    const { writeId, arrivedAt, isInDoubt, request } = pending
    const found = this.writes.find(writeId)
    const isAccepted = found !== null && found.version > arrivedAt
    if (isAccepted && request.key === undefined) {
      this.found.acknowledge(pending, found.version)
    } else if (this.scene.version - arrivedAt >= REMEMBERED_COUNT) {
      // Whether it was accepted may have been forgotten.
      pending.reject(isInDoubt ? unknownOutcome() : new StoreUnavailable('Others have written too much meanwhile'))
    } else {
      pending.isFresh = true
      await this.advance(pending)
    }
  }

  /** For the tail: it is in the log, but whether it stays is not known. */
  unconfirmed(pending: PendingWrite): void {
    this.found.doubt(pending)
  }

  private readonly giveUp = (pending: PendingWrite): void => {
    if (pending.isOver) return
    // it is being worked for here: what has begun is finished
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

  /** For `catchUp`. */
  takeIn(entry: Entry, byteCount: number): Promise<void> {
    return this.tail.takeIn(entry, byteCount)
  }

  /** For the tail. */
  applied(entry: Entry, logged: Logged, isOwn: boolean): void {
    this.tailByteCount += logged.byteCount + REPLAY_OVERHEAD_BYTE_COUNT
    if (isDrop(entry)) {
      this.isOver = true
      this.isDropped = true
    }
    this.watcher.applied(this, entry, logged, isOwn)
    if (isDrop(entry)) this.watcher.dropped(this)
  }

  /** For `catchUp`, and whoever sees that the store has another scene. */
  diverged(how: Divergence, reason: string): void {
    if (this.isOver) return
    this.isOver = true
    this.lostWrites.push(...this.tail.takeOut(0))
    this.watcher.diverged(this, how, reason)
    this.rejectLost()
  }

  /** For the tail and `catchUp`: the scene may be anything between two versions, and nobody may see it. */
  broken(version: number, fault: string): void {
    if (this.isOver) return
    this.isOver = true
    const reason = `its entry ${version} could not be applied: ${fault}`
    this.watcher.broken(this, reason)
    const error = new StoreFailed(`Scene ${this.id} is damaged: ${reason}`)
    for (const pending of [...this.tail.takeOut(0), ...this.lostWrites.splice(0)]) pending.reject(error)
  }

  /** The scene is over, and so is what was to be written to it. */
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
