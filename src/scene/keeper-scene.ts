/**
 * One scene and its log: the single writer.
 *
 * A write is checked against the scene and what is in flight, gets its version, and is handed to the store at once, so
 * that writers who do not wait for each other share a commit. When its entry is durable it is applied, in order, and
 * only then seen by anyone. When an append fails, everything in flight behind it fails too: it was checked against
 * something that never came to be.
 */

import { readRow } from './columns.ts'
import { payloadByteCount } from './frame.ts'
import { slotOfId } from './ids.ts'
import type { RememberedKeys, RequestKey } from './keeper-keys.ts'
import { type Below, type BodyCheck, Overlay } from './keeper-overlay.ts'
import { encodeEntry, isLargeEntry, packEntry } from './log-entry.ts'
import { checkOperations, type Entry, type Operation, type OperationFault } from './operation.ts'
import { apply, type Scene } from './scene.ts'
import { type SceneStore, StoreFailed } from './store.ts'

export interface WriteRequest {
  readonly operations: readonly Operation[]
  /** Milliseconds since 1970. */
  readonly at: number
  /** The version the writer has seen; the write is refused when the scene is at another. */
  readonly ifVersion?: number
  readonly key?: RequestKey
}

/** `isRepeated`: the request had been accepted before, as `version`, and nothing was written. */
export interface WriteDone {
  readonly version: number
  readonly isRepeated: boolean
}

export type WriteRefusal =
  | { readonly refusal: 'unknown-scene' | 'scene-exists' | 'too-many-scenes' | 'key-reused' }
  | { readonly refusal: 'scene-damaged'; readonly damage: string }
  /** `version`: where the scene stands, or will once the writes in flight are durable. */
  | { readonly refusal: 'other-version'; readonly version: number }
  | { readonly refusal: 'unknown-body'; readonly fault: OperationFault }
  /** `count`: the bodies that there would be. */
  | { readonly refusal: 'too-many-bodies'; readonly count: number }
  /** What `accepts` said about the body that the operation `index` would leave. */
  | { readonly refusal: 'unacceptable-body'; readonly index: number; readonly fault: object }

export type WriteOutcome = WriteDone | WriteRefusal

interface InFlight {
  readonly entry: Entry
  /** Length of its JSON. */
  byteCount: number
  isDurable: boolean
  readonly done: Promise<WriteDone>
  readonly resolve: (done: WriteDone) => void
  readonly reject: (error: Error) => void
}

/** What an entry costs to replay beside its bytes, in bytes. */
const REPLAY_OVERHEAD_BYTE_COUNT = 128

/** What a write is checked against. */
export interface WriteChecks {
  readonly accepts?: BodyCheck
  readonly maxBodies?: number
}

/** What keeps the operations from being written to `below`, or null. */
export function refusalOf(
  below: Below,
  operations: readonly Operation[],
  { accepts, maxBodies = Infinity }: WriteChecks,
): WriteRefusal | null {
  const fault = checkOperations((id) => below.has(id), operations)
  if (fault !== null) return { refusal: 'unknown-body', fault }
  const makesOthers = accepts !== undefined && operations.some(makesAnotherBody)
  const mayBeTooMany = maxBodies < Infinity && below.count() + putCount(operations) > maxBodies
  if (!makesOthers && !mayBeTooMany) return null
  let index = 0
  const trial = new Overlay(below)
  const complaint = trial.add(1, operations, (body, at) => {
    index = at
    return makesOthers && makesAnotherBody(operations[at]) ? accepts(body, at) : null
  })
  if (complaint !== null) return { refusal: 'unacceptable-body', index, fault: complaint }
  const count = mayBeTooMany ? trial.count() : 0
  return count > maxBodies ? { refusal: 'too-many-bodies', count } : null
}

function putCount(operations: readonly Operation[]): number {
  let count = 0
  for (const { op } of operations) if (op === 'put') count++
  return count
}

/** The bodies of a scene as they are. */
export function bodiesOf(scene: Scene): Below {
  return {
    count: () => scene.table.count,
    has: (id) => slotOfId(scene.table.ids, id) >= 0,
    body: (id) => {
      const slot = slotOfId(scene.table.ids, id)
      return slot < 0 ? undefined : readRow(scene.table, slot)
    },
  }
}

export class KeptScene {
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
  private readonly onApplied: (kept: KeptScene) => void
  private inFlight: InFlight[] = []
  private overlay: Overlay
  /** Last version that was added to the overlay; those that nobody has been checked against are not. */
  private overlaidVersion: number
  /** Settles when no entry is being encoded any more; null when none is. */
  private packing: Promise<void> | null = null

  constructor(
    scene: Scene,
    id: string,
    keys: RememberedKeys,
    store: SceneStore,
    checks: WriteChecks,
    onApplied: (kept: KeptScene) => void,
  ) {
    this.scene = scene
    this.id = id
    this.keys = keys
    this.store = store
    this.checks = checks
    this.onApplied = onApplied
    this.overlay = new Overlay(bodiesOf(scene))
    this.overlaidVersion = scene.version
  }

  /** The last version that was given out. */
  get headVersion(): number {
    return this.scene.version + this.inFlight.length
  }

  /** Rejects with the store's error when the entry could not be made durable. */
  async write(request: WriteRequest): Promise<WriteOutcome> {
    const repeated = this.repeated(request)
    if (repeated !== null) return repeated
    const { operations, at, ifVersion, key } = request
    if (ifVersion !== undefined && ifVersion !== this.headVersion) {
      return { refusal: 'other-version', version: this.headVersion }
    }
    const refusal = refusalOf(this.ahead(), operations, this.checks)
    if (refusal !== null) return refusal
    const entry: Entry = { version: this.headVersion + 1, at, operations, ...(key !== undefined && { key }) }
    return this.send(entry)
  }

  /** Resolves when nothing is in flight any more. */
  async settled(): Promise<void> {
    while (this.inFlight.length > 0) await Promise.allSettled(this.inFlight.map(({ done }) => done))
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
    const bytes = isLargeEntry(entry) ? packEntry(entry) : encodeEntry(entry)
    let settle!: Pick<InFlight, 'resolve' | 'reject'>
    const done = new Promise<WriteDone>((resolve, reject) => {
      settle = { resolve, reject }
    })
    const flying: InFlight = { entry, byteCount: 0, isDurable: false, done, ...settle }
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
    flying.byteCount = payloadByteCount(bytes)
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
    while (this.inFlight.length > 0 && this.inFlight[0].isDurable) {
      const { entry, byteCount, resolve } = this.inFlight[0]
      const { version, operations, key, at } = entry
      apply(this.scene, entry)
      this.inFlight.shift()
      if (version <= this.overlaidVersion) this.overlay.forget(version, operations)
      else this.overlaidVersion = version
      if (key !== undefined) this.keys.remember({ ...key, version, at })
      this.tailByteCount += byteCount + REPLAY_OVERHEAD_BYTE_COUNT
      resolve({ version, isRepeated: false })
      this.onApplied(this)
    }
  }

  private failed(flying: InFlight, error: Error): void {
    const index = this.inFlight.indexOf(flying)
    // One that failed along with another before it; the store has found out by itself.
    if (index < 0) return
    for (const { reject } of this.inFlight.splice(index)) reject(error)
    this.overlay = new Overlay(bodiesOf(this.scene))
    this.overlaidVersion = this.scene.version
  }
}

/** Puts were checked where they came from; moves that do not turn a body leave it acceptable. */
const makesAnotherBody = (operation: Operation) =>
  operation.op === 'patch' || (operation.op === 'move' && operation.rotation !== undefined)
