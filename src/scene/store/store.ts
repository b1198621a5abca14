/**
 * Where scenes are kept: for every scene an append-only log of numbered entries and now and then a snapshot.
 *
 * A store knows bytes and numbers only. It sees neither operations nor what is in a snapshot: whoever writes frames the bytes
 * (`checksum-frame.ts`), whoever reads checks them, so that damage is found whichever store holds them. A store that lasts
 * drops what was never acknowledged by itself; what was, and is not whole any more, is handed out as missing.
 *
 * `append` is the optimistic lock: `expectedVersion` is decided against what is durable, in the order of the calls, so
 * a call may be made before the one it builds on has resolved. In a relational store that is a unique key over
 * (scene, version); here nothing more is asked for.
 */

/** What a store knows about one scene without reading its log. */
export interface StoredScene {
  readonly id: string
  /** Number of the last entry. */
  readonly version: number
  /** Number of the first entry that is still there; greater than 1 once the log was trimmed. */
  readonly first: number
  /** Versions of the complete snapshots, newest first. */
  readonly snapshots: readonly number[]
  /** Set when the store cannot tell whether all of the scene is there: why. It takes no more entries of it then. */
  readonly damage?: string
}

export interface StoredEntry {
  readonly version: number
  /** `null` when the entry ought to be there and is not, or is not whole. */
  readonly bytes: Uint8Array | null
  /** Why there are no bytes. */
  readonly damage?: string
}

/** `conflict: true`: nothing was written, `version` is where the scene stands (0: there is no such scene). */
export interface Appended {
  readonly version: number
  readonly conflict: boolean
}

export interface StoreUsage {
  readonly bytes: number
  /** The size this store may grow to, as far as it was told; `null` when only the disk sets an end. */
  readonly maxBytes: number | null
}

export interface SceneStore {
  /** Every scene, by id. */
  list(): Promise<StoredScene[]>

  /** One scene; `null` when there is none. */
  head(scene: string): Promise<StoredScene | null>

  /**
   * Adds `entries` behind `expectedVersion`, all or none; they get the numbers that follow. `expectedVersion` 0 begins a
   * scene. Resolves once they are durable. Calls that wait share one commit. The bytes must not change afterwards.
   * Rejects with `StoreFull` when there is no room: then nothing was written, and a later call may succeed.
   */
  append(scene: string, expectedVersion: number, entries: readonly Uint8Array[]): Promise<Appended>

  /**
   * The entries from `fromVersion` to `toVersion`, or to the version the scene has now where that is less or none is given, in order.
   * Ends early when the scene is dropped. Whoever needs no more returns the iterator. What is trimmed meanwhile is handed out as missing.
   */
  read(scene: string, fromVersion: number, toVersion?: number): AsyncIterable<StoredEntry>

  /**
   * Keeps a snapshot of the scene at `version`. It exists from the moment the promise resolves, all of it or nothing.
   * Resolves to false when the scene was dropped meanwhile. A snapshot of the same version is replaced.
   */
  writeSnapshot(scene: string, version: number, chunks: AsyncIterable<Uint8Array>): Promise<boolean>

  /** The chunks of a snapshot, in order. What is lost is left out. */
  readSnapshot(scene: string, version: number): AsyncIterable<Uint8Array>

  /** Forgets the entries before `first` and every snapshot that is not in `snapshots`. */
  trim(scene: string, first: number, snapshots: readonly number[]): Promise<void>

  /** Forgets the scene. It is gone for good once the promise resolves. False when there was none. */
  drop(scene: string): Promise<boolean>

  usage(): StoreUsage

  /** Waits for what was begun, then lets go of everything. Every other call rejects with `StoreClosed` from now on. */
  close(): Promise<void>
}

/** Every way a store can fail by itself; what goes wrong with one scene is told by values instead. */
export class StoreError extends Error {
  /** Of the system, such as EIO, where it was the system that failed. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.name = new.target.name
    this.code = code
  }
}

/** No room: a full disk, a reached quota. Nothing of the call was written; the store works on. */
export class StoreFull extends StoreError {}

/** Another process owns the data directory. */
export class StoreLocked extends StoreError {}

/** The data were written by a later version of the program. */
export class StoreTooNew extends StoreError {}

/** The data were written by an earlier version of the program, in a format that this one does not read. */
export class StoreTooOld extends StoreError {}

/** The storage failed, and it is not known what it would do next: nothing is written any more. */
export class StoreFailed extends StoreError {}

export class StoreClosed extends StoreError {
  constructor() {
    super('The store is closed')
  }
}
