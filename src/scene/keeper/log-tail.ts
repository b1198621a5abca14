/**
 * The end of a scene's log as this process sees it: the entries that it has handed to the store and that are not applied yet, what the
 * next write builds on, and the one place where entries are applied, its own and those of others.
 *
 * Entries are handed to the store at once, each behind the one before it, so that writers who do not wait for each other share a commit.
 * One that is durable is applied, in order, and only then seen by anyone; one that takes long in slices, in which readers see the
 * version before. What has lost against another process, and all behind it, is taken out and told.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { Pace, type Slices } from '../../containers/pace.ts'
import { apply, applyInSlices, type Scene, takesLong } from '../state/scene.ts'
import { payloadByteCount } from '../store/checksum-frame.ts'
import { isSameDigest, nextDigest } from '../store/digest.ts'
import {
  type Append,
  type Appended,
  OutcomeUnknown,
  type SceneLife,
  type SceneStore,
  type SceneSummary,
  StoreFailed,
} from '../store/store.ts'
import type { Entry, EntryKey } from '../table/operation.ts'
import { inTurns } from './in-turns.ts'
import { PendingBodies } from './pending-bodies.ts'
import { type FlyingWrite, isDrop } from './pending-write.ts'
import { replay } from './recovery.ts'
import type { RememberedWrites, RequestKey } from './remembered-writes.ts'
import { answerOf, LONGEST_ANSWER, summaryOf } from './scene-summary.ts'
import { encodeEntry, isLargeEntry, packEntry, Repacking } from './stored-forms.ts'
import { bodiesOf } from './write-checks.ts'

/** Between two looks whether a write whose caller was told early has left. */
const REST_MS = 10

/** An entry as the log has it. */
export interface Logged {
  /** Length of its JSON, before it is deflated. */
  readonly byteCount: number
  /** JSON of its operations; null where that was not made at once. */
  readonly text: string | null
}

/** As `SceneStore.append`. */
export type Appender = (append: Append) => Promise<Appended>

export interface TailWatcher {
  /** `isOwn`: this process has written it. */
  applied(entry: Entry, logged: Logged, isOwn: boolean): void
  /** A durable entry could not be applied: the scene may be anything between two versions. */
  broken(version: number, fault: string): void
  /** Have lost against others, or it is not known what became of them (`isInDoubt`). In order; nothing else is in flight behind them. */
  lost(writes: FlyingWrite[]): void
  /** It is applied, and it is not known whether it stays. */
  unconfirmed(write: FlyingWrite): void
}

export class LogTail {
  readonly scene: Scene
  /** Up to this version nothing will be lost any more. */
  confirmedVersion = 0
  /** The bodies as the next write finds them, as far as it has been asked for; another object when what was in flight has failed. */
  overlay: PendingBodies
  private readonly life: SceneLife
  private readonly writes: RememberedWrites
  private readonly store: SceneStore
  private readonly watcher: TailWatcher
  private inFlight: FlyingWrite[] = []
  /** Last version that was added to the overlay; those that nobody has been checked against are not. */
  private overlaidVersion: number
  /** Digest of the last entry that was handed to the store, or applied. */
  private sentDigest: Uint8Array
  private summarised: SceneSummary | null = null
  /** Settles when no entry is being encoded any more; null when none is. */
  private packing: Promise<void> | null = null
  /** Settles when the entry that is being applied in slices has been; null when none is. */
  private applying: Promise<void> | null = null

  constructor(scene: Scene, life: SceneLife, writes: RememberedWrites, store: SceneStore, watcher: TailWatcher) {
    this.scene = scene
    this.life = life
    this.writes = writes
    this.store = store
    this.watcher = watcher
    this.overlay = new PendingBodies(bodiesOf(scene))
    this.overlaidVersion = scene.version
    this.sentDigest = scene.digest
  }

  /** The last version that was given out. */
  get headVersion(): number {
    return this.scene.version + this.inFlight.length
  }

  /** Its digest; once nothing is being encoded. */
  get headDigest(): Uint8Array {
    return this.sentDigest
  }

  /** When the last entry was written. */
  get headTime(): number {
    return this.inFlight.at(-1)?.entry.at ?? this.scene.updatedAt
  }

  get isAtRest(): boolean {
    return this.inFlight.length === 0 && this.applying === null
  }

  /** Settles when no entry is being encoded any more; null when none is. */
  get encoding(): Promise<void> | null {
    return this.packing
  }

  /** What is to be waited for until it is at rest. */
  get moving(): Promise<unknown>[] {
    const done: Promise<unknown>[] = this.inFlight.map((flying) => flying.done)
    return this.applying === null ? done : [...done, this.applying]
  }

  /** Resolves when nothing is in flight any more, or being applied. */
  async rest(): Promise<void> {
    while (!this.isAtRest) {
      await Promise.allSettled(this.moving)
      // one whose caller was told early is in flight still
      if (!this.isAtRest) await delay(REST_MS)
    }
  }

  inFlightOf(writeId: Uint8Array): FlyingWrite | undefined {
    return this.inFlight.find((flying) => flying.request.key !== undefined && isSameDigest(flying.writeId, writeId))
  }

  has(flying: FlyingWrite): boolean {
    return this.inFlight.includes(flying)
  }

  /** The bodies as they will be once what is in flight is durable; good until the next write. */
  ahead(): PendingBodies {
    for (const { entry } of this.inFlight) {
      if (entry.version <= this.overlaidVersion) continue
      this.overlay.add(entry.version, entry.operations)
      this.overlaidVersion = entry.version
    }
    return this.overlay
  }

  /** Adds the operations of the next entry to the overlay; it must be sent next. */
  *addAhead({ operations }: FlyingWrite): Slices<void> {
    const { overlay, headVersion } = this
    yield* overlay.addInSlices(headVersion + 1, operations, new Pace())
    if (overlay === this.overlay) this.overlaidVersion = headVersion + 1
  }

  /** Hands an entry with the operations to the store, behind what was handed to it before; `through`: what appends it instead. */
  send(flying: FlyingWrite, through?: Appender): void {
    const { request, operations, writeId } = flying
    const { key } = request
    const settled = { version: this.headVersion + 1, at: Math.max(request.at, this.headTime), operations, writeId }
    const entry: Entry = key === undefined ? settled : { ...settled, key: entryKey(key) }
    const text = isLargeEntry(entry) ? null : JSON.stringify(entry.operations)
    const bytes = text === null ? packed(flying, entry) : encodeEntry(entry, text)
    flying.send(entry, text)
    this.inFlight.push(flying)
    if (this.packing === null && bytes instanceof Uint8Array) {
      this.append(flying, bytes, through)
      return
    }
    // The store takes entries in their order.
    const packing = this.appendInTurn(flying, bytes, this.packing, through).finally(() => {
      if (this.packing === packing) this.packing = null
    })
    this.packing = packing
  }

  private async appendInTurn(
    flying: FlyingWrite,
    bytes: Uint8Array | Promise<Uint8Array>,
    before: Promise<void> | null,
    through: Appender | undefined,
  ): Promise<void> {
    const { entry } = flying
    try {
      const [packed] = await Promise.all([bytes, before])
      // One before it may have failed meanwhile.
      if (flying.entry === entry) this.append(flying, packed, through)
    } catch (error) {
      this.failed(flying, entry, new StoreFailed(`An entry could not be encoded: ${(error as Error).message}`))
    }
  }

  private append(flying: FlyingWrite, bytes: Uint8Array, through?: Appender): void {
    const { entry, writeId } = flying
    flying.extend()
    flying.logged.byteCount = payloadByteCount(bytes)
    const expectedDigest = this.sentDigest
    const digest = nextDigest(expectedDigest, writeId, bytes)
    entry.digest = digest
    this.sentDigest = digest
    const alone: Append = {
      id: this.life.id,
      incarnation: this.life.incarnation,
      expectedVersion: entry.version - 1,
      expectedDigest,
      entries: [{ bytes, digest }],
    }
    const append = this.store.shared === null ? alone : { ...alone, summary: this.summary() }
    const appending = () => (isDrop(entry) ? this.store.drop(this.life, append) : this.store.append(append))
    ;(through?.(append) ?? appending()).then(
      (appended) => this.answered(flying, entry, appended),
      (error: Error) => this.failed(flying, entry, error),
    )
  }

  private summary(): SceneSummary {
    if (this.summarised?.version !== this.scene.version) this.summarised = summaryOf(this.scene)
    return this.summarised
  }

  private answered(flying: FlyingWrite, entry: Entry, { conflict, version, digest }: Appended): void {
    if (flying.entry !== entry) return
    if (!conflict) {
      this.confirmedVersion = Math.max(this.confirmedVersion, entry.version)
      flying.commit()
      // So are those before it, whatever is known of them: it was written behind them.
      for (const before of this.inFlight) {
        if (before.entry.version > entry.version) break
        before.commit()
      }
      this.applyDurable()
    } else if (this.store.shared === null) {
      this.failed(
        flying,
        entry,
        new StoreFailed(`The log of scene ${this.life.id} is at ${version}: another one wrote it`),
      )
    } else {
      if (digest !== undefined) this.foundStanding(version, digest)
      this.notWritten(flying, false)
      this.applyDurable()
    }
  }

  /**
   * The log stands at a version. Where that is one in flight, somebody else has written it, and what is behind it may land: it was
   * handed to the store, and builds on that.
   */
  private foundStanding(version: number, digest: Uint8Array): void {
    const standing = this.inFlight.find(({ entry }) => entry.version === version)?.entry.digest
    if (standing === undefined || !isSameDigest(standing, digest)) return
    for (const flying of this.inFlight) {
      if (flying.entry.version > version) return
      flying.find(true)
    }
  }

  /** What was sent last has come to nothing, or to nobody knows what. Unless it stands in the log all the same: others may have sent it too. */
  private notWritten(flying: FlyingWrite, isInDoubt: boolean): void {
    if (flying.stage === 'standing') this.watcher.unconfirmed(flying)
    else if (flying.stage === 'found') flying.isInDoubt = true
    else if (flying.stage === 'sent') this.lose(this.inFlight.indexOf(flying), isInDoubt)
  }

  private failed(flying: FlyingWrite, entry: Entry, error: Error): void {
    if (flying.entry !== entry) return
    if (error instanceof OutcomeUnknown || flying.stage !== 'sent') {
      this.notWritten(flying, true)
      return
    }
    const failed = this.takeOut(this.inFlight.indexOf(flying))
    for (const each of failed) if (!each.isInDoubt) each.reject(error)
    const unknown = failed.filter(({ isInDoubt }) => isInDoubt)
    if (unknown.length > 0) this.watcher.lost(unknown)
  }

  /** Entries from an index on are not what the log has, or it is not known. */
  private lose(index: number, isInDoubt = false): void {
    const lost = this.takeOut(index)
    if (lost.length === 0) return
    if (isInDoubt) spreadDoubt(lost, true)
    this.watcher.lost(lost)
  }

  /** Takes all from an index on out of flight: answers to what was sent for them count no more. */
  takeOut(index: number): FlyingWrite[] {
    const out = this.inFlight.splice(index)
    for (const flying of out) flying.takeOut()
    spreadDoubt(out, false)
    this.overlay = new PendingBodies(bodiesOf(this.scene))
    this.overlaidVersion = this.scene.version
    this.sentDigest = this.inFlight.at(-1)?.entry.digest ?? this.scene.digest
    return out
  }

  /** Takes the next entry as the log has it. What was meant to stand in its place has lost. */
  async takeIn(entry: Entry, byteCount: number): Promise<void> {
    while (this.applying !== null) await this.applying
    const { scene, writes } = this
    if (entry.version !== scene.version + 1) return
    const [first] = this.inFlight
    if (first?.entry.digest !== undefined && isSameDigest(first.entry.digest, entry.digest as Uint8Array)) {
      first.find(false)
      this.applyDurable()
      while (this.applying !== null) await this.applying
      return
    }
    this.lose(0)
    this.applying = replay({ scene, writes }, entry)
      .catch((error: Error) => error.message)
      .then((fault) => {
        // What was sent meanwhile was meant to stand where this entry does.
        const late = this.takeOut(0)
        this.applying = null
        if (fault !== null) this.watcher.broken(entry.version, fault)
        else this.watcher.applied(entry, { byteCount, text: null }, false)
        if (late.length > 0) this.watcher.lost(late)
      })
    await this.applying
  }

  /** Applies what is durable and has nothing in flight before it. */
  private applyDurable(): void {
    while (this.applying === null && this.inFlight.length > 0 && this.inFlight[0].isDurable) {
      const { entry } = this.inFlight[0]
      if (takesLong(this.scene, entry)) {
        this.applying = inTurns(this.applySlowly(entry))
          .catch((error: Error) => this.watcher.broken(entry.version, error.message))
          .finally(() => {
            this.applying = null
            this.applyDurable()
          })
        return
      }
      try {
        apply(this.scene, entry)
      } catch (error) {
        this.watcher.broken(entry.version, (error as Error).message)
        return
      }
      const { version, operations } = entry
      if (this.applied()) this.overlay.forget(version, operations)
    }
  }

  private *applySlowly(entry: Entry): Slices<void> {
    const { version, operations } = entry
    yield* applyInSlices(this.scene, entry)
    // In one go with that: from here on everybody sees the new version.
    const { overlay } = this
    if (this.applied()) yield* overlay.forgetInSlices(version, operations, new Pace())
  }

  /** The first in flight has been applied; whether it was added to the overlay. */
  private applied(): boolean {
    const flying = this.inFlight.shift() as FlyingWrite
    const { entry, logged } = flying
    const { version } = entry
    const wasAdded = version <= this.overlaidVersion
    if (!wasAdded) {
      this.overlaidVersion = version
      this.overlay.rebase()
    }
    // one without a key is never asked for where nobody else writes
    if (entry.key !== undefined || this.store.shared !== null) {
      this.writes.rememberEntry(entry, this.life.id, answerOf(this.scene, entry))
    }
    flying.apply()
    if (flying.stage === 'standing' && flying.isInDoubt) this.watcher.unconfirmed(flying)
    this.watcher.applied(entry, logged, true)
    return wasAdded
  }
}

/** The first time as fast as that goes; who has lost once may lose again. */
function packed(flying: FlyingWrite, entry: Entry): Promise<Uint8Array> {
  if (flying.sentCount === 0) return packEntry(entry)
  flying.repacking ??= new Repacking()
  return flying.repacking.pack(entry)
}

/** As the entry has it: other replicas give the same answer. */
function entryKey({ key, fingerprint, answer }: RequestKey): EntryKey {
  const said = typeof answer === 'function' ? answer() : answer
  const isTooLong = typeof said === 'string' && said.length > LONGEST_ANSWER
  return said === undefined || isTooLong ? { key, fingerprint } : { key, fingerprint, answer: said }
}

/** Where an entry may have been written by an earlier time that it was sent, so may those that were sent behind it. */
function spreadDoubt(writes: readonly FlyingWrite[], isDoubtful: boolean): void {
  let isInDoubt = isDoubtful
  for (const flying of writes) {
    isInDoubt ||= flying.isInDoubt
    flying.isInDoubt = isInDoubt
  }
}
