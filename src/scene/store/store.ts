/**
 * Where scenes are kept: for every scene an append-only log of numbered entries and now and then a snapshot.
 *
 * A store knows bytes and numbers only, neither operations nor the contents of snapshots. Writers frame the bytes
 * (`checksum-frame.ts`) and readers check them, so that damage is found with any store. A durable store removes entries that were never
 * acknowledged; acknowledged entries that are damaged are returned as missing.
 *
 * `append` is the optimistic lock: the version that is expected, and the digest of its entry where the store keeps digests
 * (`checksum-frame.ts`), are compared with what is durable, in the order of the calls, so a call may be made before the one it builds on has
 * resolved. A store that one process owns keeps no digests; one that several processes write to (`shared`) does, and
 * reports to each of them what the others write.
 */

import type { SceneDimension } from '../state/geometry.ts'

/** `z` in space. */
interface Corner {
  readonly x: number
  readonly y: number
  readonly z?: number
}

/** One life of a scene: an id that is dropped and begun anew has another incarnation. */
export interface SceneLife {
  readonly id: string
  /** Greater than that of every scene begun earlier in this store. */
  readonly incarnation: number
}

/** The facts about a scene that a store has without reading its log. */
export interface StoredScene extends SceneLife {
  /** Number of the last entry. */
  readonly version: number
  /** Digest of the last entry, where the store keeps digests. */
  readonly digest?: Uint8Array
  /** Number of the first entry that is still there; greater than 1 once the log was trimmed. */
  readonly first: number
  /** Versions of the complete snapshots, newest first. */
  readonly snapshots: readonly number[]
  /** Set if entries of the scene may be lost: the reason. The store then takes no more entries of it. */
  readonly damage?: string
}

export interface StoredEntry {
  readonly version: number
  /** `null` if the entry is missing or damaged. */
  readonly bytes: Uint8Array | null
  /** As it was appended, where the store keeps digests. */
  readonly digest?: Uint8Array
  /** Why there are no bytes. */
  readonly damage?: string
}

export interface NewEntry {
  /** The caller must not change them any more. */
  readonly bytes: Uint8Array
  /** 16 bytes. */
  readonly digest: Uint8Array
}

/** Entries to be added to one scene, all or none; they get the numbers behind `expectedVersion`. */
export interface Append {
  readonly id: string
  /** Null: begins the scene. */
  readonly incarnation: number | null
  /** 0 begins the scene. */
  readonly expectedVersion: number
  /** Digest of the entry `expectedVersion`; 16 zero bytes for 0. */
  readonly expectedDigest: Uint8Array
  readonly entries: readonly NewEntry[]
  /** Summary of the scene for lists, at some version that is durable or about to be. */
  readonly summary?: SceneSummary
  /** Most scenes that there may be with the one that is begun. */
  readonly maxScenes?: number
}

/** `conflict: true`: nothing was written, `version` is where the scene stands (0: there is no such scene, or not this life of it). */
export interface Appended {
  readonly version: number
  readonly conflict: boolean
  /** In a conflict: the digest of that version, if known. It may be that of the same entry, written by another process as well. */
  readonly digest?: Uint8Array
  /** Of the scene that was written to. */
  readonly incarnation: number
  /** Nothing was written: there would be more scenes than `maxScenes`. Only shared stores check. */
  readonly isTooMany?: boolean
}

/** Summary of a scene for lists. Lengths in its units, world frame; times in ms since 1970. */
export interface SceneSummary {
  readonly id: string
  /** The version that the summary describes. */
  readonly version: number
  readonly digest: Uint8Array
  readonly name: string | null
  readonly dimension: SceneDimension
  /** Seconds. */
  readonly ttl: number | null
  readonly margin: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly bodyCount: number
  readonly bounds: { min: Corner; max: Corner } | null
}

export interface StoreUsage {
  readonly bytes: number
  /** The configured limit of the size; `null` if only the disk limits it. */
  readonly maxBytes: number | null
}

export interface SceneStore {
  /** The part of a store that several processes write to; null where one process owns the store. */
  readonly shared: SharedStore | null

  /** Every scene, by id. */
  list(): Promise<StoredScene[]>

  /** One scene; `null` when there is none. */
  head(id: string): Promise<StoredScene | null>

  /**
   * Adds entries, all or none. Resolves once they are durable. Calls that wait share one commit.
   * Rejects with `StoreFull` when there is no room: then nothing was written, and a later call may succeed; with `StoreUnavailable`
   * when the store cannot be reached, and nothing was written; with `OutcomeUnknown` when they may have been written, or may still be.
   */
  append(append: Append): Promise<Appended>

  /**
   * The entries from `fromVersion` to `toVersion`, or to the version the scene has now where that is less or none is given, in order.
   * Ends early if the scene is dropped. Entries trimmed meanwhile are returned as missing.
   */
  read(scene: SceneLife, fromVersion: number, toVersion?: number): AsyncIterable<StoredEntry>

  /**
   * Keeps a snapshot of the scene at `version`. It exists from the moment the promise resolves, all of it or nothing.
   * Resolves to false if the scene was dropped meanwhile, or another process takes this snapshot. Replaces a snapshot of the same
   * version.
   */
  writeSnapshot(scene: SceneLife, version: number, chunks: AsyncIterable<Uint8Array>): Promise<boolean>

  /** The chunks of a snapshot, in order, without lost ones. */
  readSnapshot(scene: SceneLife, version: number): AsyncIterable<Uint8Array>

  /**
   * Forgets the entries before `first` and every snapshot that is not in `snapshots`. A shared store keeps entries for as long as
   * others may need them.
   */
  trim(scene: SceneLife, first: number, snapshots: readonly number[]): Promise<void>

  /**
   * Forgets the scene. It is gone for good once the promise resolves. `last`: the entry that says so, with what it follows, which a
   * store that is shared adds as by `append`; others do not look at it. Conflict: there is no such scene, or it has moved on.
   */
  drop(scene: SceneLife, last: Append): Promise<Appended>

  usage(): StoreUsage

  /** The reason why the store does not write until the next start, or null. Always null for a shared store. */
  readonly failure?: StoreFailed | null

  /** Waits for running calls, then closes the store. From now on every other call rejects with `StoreClosed`. */
  close(): Promise<void>
}

/** A scene as another store has it, to be kept as it is: under its id, with its versions, digests and snapshots. */
export interface AdoptedScene {
  readonly id: string
  /** Number of the last entry. */
  readonly version: number
  /** Of the last entry. */
  readonly digest: Uint8Array
  /** Number of the first entry that there is; `version` + 1: there is none. */
  readonly first: number
  /** Of `version`. */
  readonly summary: SceneSummary
  /** The entries from `first` to `version`, in order. May reject: then the scene is not kept. */
  entries(): AsyncIterable<NewEntry>
  /** Versions of snapshots, from `first` − 1 on. */
  readonly snapshots: readonly number[]
  /** The chunks of a snapshot, in order. As for `entries`. */
  snapshot(version: number): AsyncIterable<Uint8Array>
}

/** A store that takes scenes over from another. */
export interface Adopting {
  /**
   * Keeps the scene, which nobody sees before all of it is durable. Resolves to false when there is one of this id, and nothing was
   * kept. What of it has been written when this fails, or the process ends, is taken away in time. No more of it is in memory than
   * some entries or a chunk. It counts as used just now.
   */
  adopt(scene: AdoptedScene): Promise<boolean>
}

/** The version of a scene that a process knows. */
export interface Standing extends SceneLife {
  readonly version: number
  readonly digest: Uint8Array
}

/** Receives what other processes write. */
export interface Follower {
  /** The versions that the follower knows, asked for at every poll. */
  standings(): Iterable<Standing>
  /** Called when a writer reports that the scene is at `version`: a hint, which may be late, lost or repeated. */
  notified(incarnation: number, version: number): void
  /**
   * At a poll the scene stood elsewhere than it was known to when that was asked for. Null: it is not there any more. A version that
   * is less, or the same with another digest, is a history that has been lost.
   */
  found(known: Standing, stands: { version: number; digest: Uint8Array; isDropped: boolean } | null): void
}

/** The status of a shared store, for operators and metrics. */
export interface SharedStatus {
  /** Whether the last call to it succeeded. */
  readonly isReachable: boolean
  /** Whether a write would be tried now. */
  readonly isWritable: boolean
  /** How others' writes are heard of: by notification and poll, or by poll alone. */
  readonly following: 'notify' | 'poll' | 'none'
  /** For how long the writes of others have been unknown, in ms; 0 while they are known. By a monotonic clock. */
  readonly staleMs: number
  readonly commits: number
  /** Of groups, since the start: in ms. */
  readonly commitMs: number
  readonly unknownOutcomes: number
  readonly reconnects: number
}

export interface SharedStore {
  /** Reports what other processes write to `follower`, until the store is closed. Call it once. */
  follow(follower: Follower): void

  /**
   * Makes a commit that begins after the call: what was read before the call is as durable as what is appended, once this resolves.
   * Rejects with `StoreUnavailable`.
   */
  confirm(): Promise<void>

  /**
   * Keeps everybody else from writing to a scene while `action` finds out how it stands and appends to it: nobody comes first. `append`
   * is as `SceneStore.append`, and to be called once at most; past `holdMs` others may write again, and it may lose as well as anybody.
   * Rejects with `StoreUnavailable` where the scene cannot be had for that, without having called `action`, and as `action` does.
   */
  alone(
    scene: SceneLife,
    holdMs: number,
    action: (append: (append: Append) => Promise<Appended>) => Promise<void>,
  ): Promise<void>

  /** Reports that scenes are used. They do not expire within their `ttl` from now on, by the clock of the store. */
  use(scenes: readonly SceneLife[]): Promise<void>

  /** Some of the scenes whose `ttl` has passed since the last reported use. Each goes to one caller at a time. */
  expired(limit: number): Promise<Standing[]>

  /** Earlier lives of an id that are still there, latest first, some of them: where each ended. */
  ended(id: string): Promise<Standing[]>

  /** The time by the clock that all share, in ms since 1970, as closely as it is known here. */
  now(): number

  /** As `drop`, unless the scene has been used meanwhile. */
  dropExpired(scene: SceneLife, last: Append): Promise<Appended>

  /** Keeps what is listed of scenes that are as they are now; less new ones are passed over. */
  summarise(scenes: readonly (SceneLife & { readonly summary: SceneSummary })[]): Promise<void>

  /** Scenes with an id greater than `cursor`, by the bytes of their ids. */
  page(cursor: string, limit: number): Promise<SceneSummary[]>

  /** Ids of scenes, last used first. */
  recent(limit: number): Promise<string[]>

  /** Takes away what nobody needs any more of scenes that were dropped, and of logs that were trimmed; as much as is done at a time. */
  sweep(): Promise<void>

  status(): SharedStatus
}

/** Errors of the store itself. Failures of a single scene are values instead. */
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

/** The store cannot be reached. Nothing of the call was or will be written. */
export class StoreUnavailable extends StoreError {}

/** Too many writes wait. Nothing of the call was or will be written. */
export class StoreBusy extends StoreError {
  /** Estimated time in ms until the waiting writes are done. */
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** It is unknown whether an entry was written: it may have been, or may still be. */
export class OutcomeUnknown extends StoreError {}

/** The storage failed in an unknown state: the store has stopped writing for good. */
export class StoreFailed extends StoreError {}

export class StoreClosed extends StoreError {
  constructor() {
    super('The store is closed')
  }
}
