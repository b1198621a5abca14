/**
 * One scene and its log: the single writer.
 *
 * A write is checked against the scene and what is in flight, gets its version, and is handed to the store at once, so
 * that writers who do not wait for each other share a commit. When its entry is durable it is applied, in order, and
 * only then seen by anyone. When an append fails, everything in flight behind it fails too: it was checked against
 * something that never came to be.
 * A write of many operations is checked, and its entry is applied, in slices. Whoever comes while one is checked waits until
 * that is over; while an entry is applied, readers see the version before.
 */

import { Pace, type Slices } from '../../containers/pace.ts'
import { apply, applyInSlices, type Scene, takesLong } from '../state/scene.ts'
import { payloadByteCount } from '../store/checksum-frame.ts'
import { type SceneStore, StoreFailed } from '../store/store.ts'
import type { Entry, Operation } from '../table/operation.ts'
import type { RememberedKeys, RequestKey } from './idempotency-keys.ts'
import { inTurns } from './in-turns.ts'
import { encodeEntry, isLargeEntry, packEntry } from './log-entry.ts'
import { type Below, PendingBodies } from './pending-bodies.ts'
import { bodiesOf, refusalOf, type WriteChecks, type WriteRefusal } from './write-checks.ts'

export interface WriteRequest {
  readonly operations: readonly Operation[]
  /** Milliseconds since 1970. */
  readonly at: number
  /** The version the writer has seen; the write is refused when the scene is at another. */
  readonly ifVersion?: number
  readonly key?: RequestKey
  /** Called with what the write builds on, before it is checked. */
  readonly inspect?: (ahead: Below) => void
}

/** `isRepeated`: the request had been accepted before, as `version`, and nothing was written. */
export interface WriteDone {
  readonly version: number
  readonly isRepeated: boolean
}

export type WriteOutcome = WriteDone | WriteRefusal

interface InFlight {
  readonly entry: Entry
  readonly logged: { byteCount: number; readonly text: string | null }
  isDurable: boolean
  readonly done: Promise<WriteDone>
  readonly resolve: (done: WriteDone) => void
  readonly reject: (error: Error) => void
}

/** What a write comes to, which is waited for by itself. */
interface Checked {
  readonly outcome: Promise<WriteOutcome> | WriteOutcome
}

/** What an entry costs to replay beside its bytes, in bytes. */
const REPLAY_OVERHEAD_BYTE_COUNT = 128

/** An entry as the log has it. */
export interface Logged {
  /** Length of its JSON, before it is deflated. */
  readonly byteCount: number
  /** JSON of its operations; null where that was not made at once. */
  readonly text: string | null
}

/** Told what becomes of entries. */
export interface SceneWatcher {
  applied(kept: SceneWriter, entry: Entry, logged: Logged): void
  /** A durable entry could not be applied: the scene is not to be used any more. */
  broken(kept: SceneWriter, reason: string): void
}

export class SceneWriter {
  readonly id: string
  readonly scene: Scene
  readonly keys: RememberedKeys
  /** Weight of the entries behind the newest snapshot, and of that snapshot. */
  tailByteCount = 0
  snapshotByteCount = 0
  /** When it was last written to or asked about, ms since 1970. */
  usedAt = 0
  private readonly store: SceneStore
  private readonly checks: WriteChecks
  private inFlight: InFlight[] = []
  private overlay: PendingBodies
  /** Last version that was added to the overlay; those that nobody has been checked against are not. */
  private overlaidVersion: number
  /** Settles when no entry is being encoded any more; null when none is. */
  private packing: Promise<void> | null = null
  /** Settles when the write that is being checked in slices has been sent or refused; null when none is. */
  private checking: Promise<void> | null = null
  /** Writes that have not been sent or refused. */
  private unsent = 0
  /** Settles when the entry that is being applied in slices has been; null when none is. */
  private applying: Promise<void> | null = null
  private isEnded = false
  private readonly watcher: SceneWatcher

  constructor(
    scene: Scene,
    id: string,
    keys: RememberedKeys,
    store: SceneStore,
    checks: WriteChecks,
    watcher: SceneWatcher,
  ) {
    this.scene = scene
    this.id = id
    this.keys = keys
    this.store = store
    this.checks = checks
    this.watcher = watcher
    this.overlay = new PendingBodies(bodiesOf(scene))
    this.overlaidVersion = scene.version
  }

  /** The last version that was given out. */
  get headVersion(): number {
    return this.scene.version + this.inFlight.length
  }

  /** Rejects with the store's error when the entry could not be made durable. */
  async write(request: WriteRequest): Promise<WriteOutcome> {
    this.unsent++
    let outcome: Promise<WriteOutcome> | WriteOutcome
    try {
      while (this.checking !== null) await this.checking
      outcome = this.checked(request) ?? (await this.checkedSlowly(request))
    } finally {
      this.unsent--
    }
    return outcome
  }

  /** The scene is going to be dropped: nothing is written to it any more. False: it could not be. */
  end(isEnded = true): void {
    this.isEnded = isEnded
  }

  /** Resolves when nothing is in flight any more, or about to be. */
  async settled(): Promise<void> {
    while (this.inFlight.length > 0 || this.unsent > 0 || this.applying !== null) {
      await Promise.allSettled([this.checking, this.applying, ...this.inFlight.map(({ done }) => done)])
      // whoever has waited for the same goes first
      await null
    }
  }

  /** What the write comes to; null where finding out takes long. */
  private checked(request: WriteRequest): Promise<WriteOutcome> | WriteOutcome | null {
    const found = this.refusedAtOnce(request)
    if (found !== null) return found
    if (takesLong(this.scene, request)) return null
    const check = this.check(request)
    const { done, value } = check.next()
    if (done) return value === null ? this.send(this.entryOf(request)) : value
    return null
  }

  /** The same in slices, while everybody else waits. */
  private async checkedSlowly(request: WriteRequest): Promise<WriteOutcome> {
    let release!: () => void
    this.checking = new Promise<void>((resolve) => {
      release = resolve
    })
    let found: Checked
    try {
      found = await this.checkedInTurns(request)
    } finally {
      this.checking = null
      release()
    }
    return found.outcome
  }

  private async checkedInTurns(request: WriteRequest): Promise<Checked> {
    for (;;) {
      const { overlay } = this
      const refusal = await inTurns(this.check(request))
      // What is in flight may have failed meanwhile: then the write was checked against something that never came to be.
      if (overlay !== this.overlay) continue
      const outcome = this.refusedAtOnce(request) ?? refusal
      if (outcome !== null) return { outcome }
      const entry = this.entryOf(request)
      // Nobody else adds to it now; those who come next are checked against it.
      await inTurns(overlay.addInSlices(entry.version, entry.operations, new Pace()))
      if (overlay !== this.overlay) continue
      this.overlaidVersion = entry.version
      return { outcome: this.send(entry) }
    }
  }

  private refusedAtOnce(request: WriteRequest): Promise<WriteOutcome> | WriteOutcome | null {
    if (this.isEnded) return { refusal: 'unknown-scene' }
    const repeated = this.repeated(request)
    if (repeated !== null) return repeated
    const { ifVersion } = request
    if (ifVersion === undefined || ifVersion === this.headVersion) return null
    return { refusal: 'other-version', version: this.headVersion }
  }

  private check({ operations, inspect }: WriteRequest): Slices<WriteRefusal | null> {
    const ahead = this.ahead()
    inspect?.(ahead)
    return refusalOf(ahead, operations, this.checks, new Pace())
  }

  private entryOf({ operations, at, key }: WriteRequest): Entry {
    return { version: this.headVersion + 1, at, operations, ...(key !== undefined && { key }) }
  }

  private repeated({ key, at }: WriteRequest): Promise<WriteOutcome> | WriteOutcome | null {
    if (key === undefined) return null
    const known = this.keys.find(key.key, at)
    if (known !== undefined) {
      return known.fingerprint === key.fingerprint
        ? { version: known.version, isRepeated: true }
        : { refusal: 'key-reused' }
    }
    const flying = this.inFlight.find(({ entry }) => entry.key?.key === key.key)
    if (flying === undefined) return null
    if (flying.entry.key?.fingerprint !== key.fingerprint) return { refusal: 'key-reused' }
    return flying.done.then(({ version }) => ({ version, isRepeated: true }))
  }

  /** The bodies as they will be once what is in flight is durable; good until the next write. */
  ahead(): Below {
    for (const { entry } of this.inFlight) {
      if (entry.version <= this.overlaidVersion) continue
      this.overlay.add(entry.version, entry.operations)
      this.overlaidVersion = entry.version
    }
    return this.overlay
  }

  private send(entry: Entry): Promise<WriteDone> {
    const text = isLargeEntry(entry) ? null : JSON.stringify(entry.operations)
    const bytes = text === null ? packEntry(entry) : encodeEntry(entry, text)
    let settle!: Pick<InFlight, 'resolve' | 'reject'>
    const done = new Promise<WriteDone>((resolve, reject) => {
      settle = { resolve, reject }
    })
    const flying: InFlight = { entry, logged: { byteCount: 0, text }, isDurable: false, done, ...settle }
    this.inFlight.push(flying)
    if (this.packing === null && bytes instanceof Uint8Array) {
      this.append(flying, bytes)
      return done
    }
    // The store takes entries in their order.
    const packing = this.appendInTurn(flying, bytes, this.packing).finally(() => {
      if (this.packing === packing) this.packing = null
    })
    this.packing = packing
    return done
  }

  private async appendInTurn(
    flying: InFlight,
    bytes: Uint8Array | Promise<Uint8Array>,
    before: Promise<void> | null,
  ): Promise<void> {
    try {
      const [packed] = await Promise.all([bytes, before])
      // One before it may have failed meanwhile.
      if (this.inFlight.includes(flying)) this.append(flying, packed)
    } catch (error) {
      this.failed(flying, new StoreFailed(`An entry could not be encoded: ${(error as Error).message}`))
    }
  }

  private append(flying: InFlight, bytes: Uint8Array): void {
    flying.logged.byteCount = payloadByteCount(bytes)
    this.store.append(this.id, flying.entry.version - 1, [bytes]).then(
      ({ conflict, version }) => {
        if (!conflict) this.landed(flying)
        else this.failed(flying, new StoreFailed(`The log of scene ${this.id} is at ${version}: another one wrote it`))
      },
      (error: Error) => this.failed(flying, error),
    )
  }

  /** Applies what is durable and has nothing in flight before it. */
  private landed(flying: InFlight): void {
    flying.isDurable = true
    this.applyDurable()
  }

  private applyDurable(): void {
    while (this.applying === null && this.inFlight.length > 0 && this.inFlight[0].isDurable) {
      const { entry } = this.inFlight[0]
      if (takesLong(this.scene, entry)) {
        this.applying = inTurns(this.applySlowly(entry))
          .catch((error: Error) => this.broken(entry, error))
          .finally(() => {
            this.applying = null
            this.applyDurable()
          })
        return
      }
      try {
        apply(this.scene, entry)
      } catch (error) {
        this.broken(entry, error as Error)
        return
      }
      const { version, operations } = entry
      if (this.applied()) this.overlay.forget(version, operations)
    }
  }

  /** The entry lies in the store, and the scene may be anything between two versions: nobody may see it. */
  private broken({ version }: Entry, error: Error): void {
    this.isEnded = true
    const reason = `its entry ${version} could not be applied: ${error.message}`
    this.watcher.broken(this, reason)
    for (const { reject } of this.inFlight.splice(0)) reject(new StoreFailed(`Scene ${this.id} is damaged: ${reason}`))
  }

  private *applySlowly(entry: Entry): Slices<void> {
    const { version, operations } = entry
    yield* applyInSlices(this.scene, entry)
    // In one go with that: from here on everybody sees the new version.
    if (this.applied()) yield* this.overlay.forgetInSlices(version, operations, new Pace())
  }

  /** The first in flight has been applied; whether it was added to the overlay. */
  private applied(): boolean {
    const { entry, logged, resolve } = this.inFlight.shift() as InFlight
    const { version, key, at } = entry
    const wasAdded = version <= this.overlaidVersion
    if (!wasAdded) {
      this.overlaidVersion = version
      this.overlay.rebase()
    }
    if (key !== undefined) this.keys.remember({ ...key, version, at })
    this.tailByteCount += logged.byteCount + REPLAY_OVERHEAD_BYTE_COUNT
    resolve({ version, isRepeated: false })
    this.watcher.applied(this, entry, logged)
    return wasAdded
  }

  private failed(flying: InFlight, error: Error): void {
    const index = this.inFlight.indexOf(flying)
    // One that failed along with another before it; the store has found out by itself.
    if (index < 0) return
    for (const { reject } of this.inFlight.splice(index)) reject(error)
    this.overlay = new PendingBodies(bodiesOf(this.scene))
    this.overlaidVersion = this.scene.version
  }
}
