/**
 * The end of a scene's log as this process sees it: entries in flight (sent to the store, not applied yet), and the state that the next
 * write builds on. It is the one place that applies entries, its own and those of other processes.
 *
 * Entries are sent to the store at once, each behind the one before it, so that independent writers share a commit. Durable entries are
 * applied in order and only then become visible; a long one is applied in slices, during which readers see the version before. If an
 * entry loses against another process, it and all entries behind it are taken out of flight and reported.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { Pace, type Slices } from '../../containers/budget.ts'
import { contentsOf, type KeptContent } from '../state/kept-content.ts'
import type { Entry, EntryKey, Operation } from '../state/operation.ts'
import { apply, applyInSlices, type Scene, takesLong } from '../state/scene.ts'
import { heldContents, unusedContents } from '../state/shape-pool.ts'
import { isSameDigest, nextDigest, payloadByteCount } from '../store/checksum-frame.ts'
import {
  type Append,
  type Appended,
  OutcomeUnknown,
  type SceneLife,
  type SceneStore,
  type SceneSummary,
  StoreFailed,
} from '../store/store.ts'
import { inTurns } from './in-turns.ts'
import { isDrop, type PendingWrite } from './pending-write.ts'
import { replay } from './recovery.ts'
import type { RememberedWrites, RequestKey } from './remembered-writes.ts'
import { answerOf, LONGEST_ANSWER, summaryOf } from './scene-summary.ts'
import { encodeEntry, isLargeEntry, packEntry, Repacking } from './stored-forms.ts'
import { watchedAppend } from './watched-append.ts'
import { bodiesOf, PendingBodies } from './write-checks.ts'

/** Interval between checks whether a write with an early answer has left. */
const REST_MS = 10

/** An entry as the log has it. */
export interface Logged {
  /** Length of its JSON, before it is deflated. */
  readonly byteCount: number
  /** JSON of its operations; null if it is made later. */
  readonly text: string | null
}

/** As `SceneStore.append`. */
export type Appender = (append: Append) => Promise<Appended>

export interface TailWatcher {
  /** `isOwn`: this process has written it. */
  applied(entry: Entry, logged: Logged, isOwn: boolean): void
  /** A durable entry could not be applied: the scene may be anything between two versions. */
  broken(version: number, fault: string): void
  /** Called with writes that lost against others, or whose outcome is unknown (`isInDoubt`). In order; nothing else is in flight behind them. */
  lost(writes: PendingWrite[]): void
  /** Called for an entry that is applied but may still be lost. */
  unconfirmed(write: PendingWrite): void
}

export class LogTail {
  readonly scene: Scene
  /** The last version that cannot be lost any more. */
  confirmedVersion = 0
  /** The bodies as the next write finds them, up to the last check; replaced if a write in flight has failed. */
  overlay: PendingBodies
  private readonly life: SceneLife
  private readonly writes: RememberedWrites
  private readonly store: SceneStore
  private readonly watcher: TailWatcher
  private inFlight: PendingWrite[] = []
  /** Last version added to the overlay; versions that no write was checked against are not added. */
  private overlaidVersion: number
  /** Digest of the last entry that was sent to the store, or applied. */
  private sentDigest: Uint8Array
  private summarised: SceneSummary | null = null
  /** Settles when all entries are encoded; null if none is being encoded. */
  private packing: Promise<void> | null = null
  /** Settles when the entry that is being applied in slices is done; null if there is none. */
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

  /** The last version that was assigned. */
  get headVersion(): number {
    return this.scene.version + this.inFlight.length
  }

  /** Its digest; known when nothing is being encoded. */
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

  /** Settles when all entries are encoded; null if none is being encoded. */
  get encoding(): Promise<void> | null {
    return this.packing
  }

  /** Promises that settle before the tail is at rest. */
  get moving(): Promise<unknown>[] {
    const done: Promise<unknown>[] = this.inFlight.map((pending) => pending.done)
    return this.applying === null ? done : [...done, this.applying]
  }

  /** Resolves when nothing is in flight or being applied. */
  async rest(): Promise<void> {
    while (!this.isAtRest) {
      await Promise.allSettled(this.moving)
      // one with an early answer is still in flight
      if (!this.isAtRest) await delay(REST_MS)
    }
  }

  inFlightOf(writeId: Uint8Array): PendingWrite | undefined {
    return this.inFlight.find((pending) => pending.request.key !== undefined && isSameDigest(pending.writeId, writeId))
  }

  has(pending: PendingWrite): boolean {
    return this.inFlight.includes(pending)
  }

  /** The bodies as they will be once all writes in flight are durable; valid until the next write. */
  ahead(): PendingBodies {
    for (const { entry } of this.inFlight) {
      if (entry.version <= this.overlaidVersion) continue
      this.overlay.add(entry.version, entry.operations)
      this.overlaidVersion = entry.version
    }
    return this.overlay
  }

  /** Adds the operations of the next entry to the overlay; it must be sent next. */
  *addAhead({ operations }: PendingWrite): Slices<void> {
    const { overlay, headVersion } = this
    yield* overlay.addInSlices(headVersion + 1, operations, new Pace())
    if (overlay === this.overlay) this.overlaidVersion = headVersion + 1
  }

  /** Sends an entry with the operations to the store, behind those sent before; `through`: appends it instead of the store. */
  send(pending: PendingWrite, through?: Appender): void {
    const { request, operations, writeId } = pending
    const { key } = request
    const at = Math.max(request.at, this.headTime)
    const settled = { version: this.headVersion + 1, at, operations, writeId, ...this.heldBy(operations) }
    const entry: Entry = key === undefined ? settled : { ...settled, key: entryKey(key) }
    const text = isLargeEntry(entry) ? null : JSON.stringify(entry.operations)
    const bytes = text === null ? packed(pending, entry) : encodeEntry(entry, text)
    pending.send(entry, text)
    this.inFlight.push(pending)
    if (this.packing === null && bytes instanceof Uint8Array) {
      this.append(pending, bytes, through)
      return
    }
    // The store must get entries in order.
    const packing = this.appendInTurn(pending, bytes, this.packing, through).finally(() => {
      if (this.packing === packing) this.packing = null
    })
    this.packing = packing
  }

  /** The kept shapes that an entry with the operations brings to the scene, and those that it lets go of: others name them no more. */
  private heldBy(operations: readonly Operation[]): Pick<Entry, 'kept' | 'letGo'> {
    const { shapes } = this.scene.table
    const named = namedContents(operations)
    if (named.size + heldContents(shapes).size === 0) return {}
    const held = new Set(heldContents(shapes).keys())
    const unused = new Set(unusedContents(shapes))
    for (const { entry } of this.inFlight) {
      for (const { id } of entry.kept ?? []) held.add(id)
      for (const id of entry.letGo ?? []) held.delete(id)
      for (const id of namedContents(entry.operations).keys()) unused.delete(id)
    }
    const kept = [...named.values()].filter(({ id }) => !held.has(id))
    const letGo = [...unused].filter((id) => held.has(id) && !named.has(id))
    return { ...(kept.length > 0 && { kept }), ...(letGo.length > 0 && { letGo }) }
  }

  private async appendInTurn(
    pending: PendingWrite,
    bytes: Uint8Array | Promise<Uint8Array>,
    before: Promise<void> | null,
    through: Appender | undefined,
  ): Promise<void> {
    const { entry } = pending
    try {
      const [packed] = await Promise.all([bytes, before])
      // One before it may have failed meanwhile.
      if (pending.entry === entry) this.append(pending, packed, through)
    } catch (error) {
      this.failed(pending, entry, new StoreFailed(`An entry could not be encoded: ${(error as Error).message}`))
    }
  }

  private append(pending: PendingWrite, bytes: Uint8Array, through?: Appender): void {
    const { entry, writeId } = pending
    pending.extend()
    pending.logged.byteCount = payloadByteCount(bytes)
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
    watchedAppend(append, () => through?.(append) ?? appending()).then(
      (appended) => this.answered(pending, entry, appended),
      (error: Error) => this.failed(pending, entry, error),
    )
  }

  private summary(): SceneSummary {
    if (this.summarised?.version !== this.scene.version) this.summarised = summaryOf(this.scene)
    return this.summarised
  }

  private answered(pending: PendingWrite, entry: Entry, { conflict, version, digest }: Appended): void {
    if (pending.entry !== entry) return
    if (!conflict) {
      this.confirmedVersion = Math.max(this.confirmedVersion, entry.version)
      pending.commit()
      // Those before it are durable too, because it was written behind them.
      for (const before of this.inFlight) {
        if (before.entry.version > entry.version) break
        before.commit()
      }
      this.applyDurable()
    } else if (this.store.shared === null) {
      this.failed(
        pending,
        entry,
        new StoreFailed(`The log of scene ${this.life.id} is at ${version}: another one wrote it`),
      )
    } else {
      if (digest !== undefined) this.foundStanding(version, digest)
      this.notWritten(pending, false)
      this.applyDurable()
    }
  }

  /**
   * Handles that the log has reached a version. If it is in flight here, another process has written it; entries behind it may
   * still land, because they were sent and build on it.
   */
  private foundStanding(version: number, digest: Uint8Array): void {
    const standing = this.inFlight.find(({ entry }) => entry.version === version)?.entry.digest
    if (standing === undefined || !isSameDigest(standing, digest)) return
    for (const pending of this.inFlight) {
      if (pending.entry.version > version) return
      pending.find(true)
    }
  }

  /** Handles a sent write that failed or has an unknown outcome. Its entry may be in the log all the same, if another process sent it too. */
  private notWritten(pending: PendingWrite, isInDoubt: boolean): void {
    if (pending.stage === 'standing') this.watcher.unconfirmed(pending)
    else if (pending.stage === 'found') pending.isInDoubt = true
    else if (pending.stage === 'sent') this.lose(this.inFlight.indexOf(pending), isInDoubt)
  }

  private failed(pending: PendingWrite, entry: Entry, error: Error): void {
    if (pending.entry !== entry) return
    if (error instanceof OutcomeUnknown || pending.stage !== 'sent') {
      this.notWritten(pending, true)
      return
    }
    const failed = this.takeOut(this.inFlight.indexOf(pending))
    for (const each of failed) if (!each.isInDoubt) each.reject(error)
    const unknown = failed.filter(({ isInDoubt }) => isInDoubt)
    if (unknown.length > 0) this.watcher.lost(unknown)
  }

  /** Takes entries from an index on out of flight and reports them: they differ from the log, or may (`isInDoubt`). */
  private lose(index: number, isInDoubt = false): void {
    const lost = this.takeOut(index)
    if (lost.length === 0) return
    if (isInDoubt) spreadDoubt(lost, true)
    this.watcher.lost(lost)
  }

  /** Takes all entries from an index on out of flight; later answers of the store to them are ignored. */
  takeOut(index: number): PendingWrite[] {
    const out = this.inFlight.splice(index)
    for (const pending of out) pending.takeOut()
    spreadDoubt(out, false)
    this.overlay = new PendingBodies(bodiesOf(this.scene))
    this.overlaidVersion = this.scene.version
    this.sentDigest = this.inFlight.at(-1)?.entry.digest ?? this.scene.digest
    return out
  }

  /** Takes the next entry from the log. A write in flight for the same version has lost. */
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
        // Writes sent meanwhile were meant for this version.
        const late = this.takeOut(0)
        this.applying = null
        if (fault !== null) this.watcher.broken(entry.version, fault)
        else this.watcher.applied(entry, { byteCount, text: null }, false)
        if (late.length > 0) this.watcher.lost(late)
      })
    await this.applying
  }

  /** Applies durable entries that have nothing in flight before them. */
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
    // In the slice that sets the version: from here on all readers see it.
    const { overlay } = this
    if (this.applied()) yield* overlay.forgetInSlices(version, operations, new Pace())
  }

  /** Removes the first entry in flight, which is applied; returns whether it was added to the overlay. */
  private applied(): boolean {
    const pending = this.inFlight.shift() as PendingWrite
    const { entry, logged } = pending
    const { version } = entry
    const wasAdded = version <= this.overlaidVersion
    if (!wasAdded) {
      this.overlaidVersion = version
      this.overlay.rebase()
    }
    // without a key and other writers, nothing asks for it again
    if (entry.key !== undefined || this.store.shared !== null) {
      this.writes.rememberEntry(entry, this.life.id, answerOf(this.scene, entry))
    }
    pending.apply()
    if (pending.stage === 'standing' && pending.isInDoubt) this.watcher.unconfirmed(pending)
    this.watcher.applied(entry, logged, true)
    return wasAdded
  }
}

/** Of lists of operations in flight, which later writes ask for. */
const namedBy = new WeakMap<readonly Operation[], ReadonlyMap<string, KeptContent>>()

/** The contents of kept shapes that operations name, by id. */
function namedContents(operations: readonly Operation[]): ReadonlyMap<string, KeptContent> {
  const known = namedBy.get(operations)
  if (known !== undefined) return known
  let named: Map<string, KeptContent> | null = null
  for (const operation of operations) {
    const shape =
      operation.op === 'put' ? operation.body.shape : operation.op === 'patch' ? operation.fields.shape : undefined
    if (shape === undefined) continue
    for (const content of contentsOf(shape)) {
      named ??= new Map()
      named.set(content.id, content)
    }
  }
  namedBy.set(operations, named ?? NONE)
  return named ?? NONE
}

const NONE: ReadonlyMap<string, KeptContent> = new Map()

/** The first time as fast as that goes; who has lost once may lose again. */
function packed(pending: PendingWrite, entry: Entry): Promise<Uint8Array> {
  if (pending.sentCount === 0) return packEntry(entry)
  pending.repacking ??= new Repacking()
  return pending.repacking.pack(entry)
}

/** The outcome by the entry alone, so that other replicas give the same answer. */
function entryKey({ key, fingerprint, answer }: RequestKey): EntryKey {
  const said = typeof answer === 'function' ? answer() : answer
  const isTooLong = typeof said === 'string' && said.length > LONGEST_ANSWER
  return said === undefined || isTooLong ? { key, fingerprint } : { key, fingerprint, answer: said }
}

/** If an earlier attempt may have written an entry, it may have written those sent behind it as well. */
function spreadDoubt(writes: readonly PendingWrite[], isDoubtful: boolean): void {
  let isInDoubt = isDoubtful
  for (const pending of writes) {
    isInDoubt ||= pending.isInDoubt
    pending.isInDoubt = isInDoubt
  }
}
