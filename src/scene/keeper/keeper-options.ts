// What a keeper of scenes is told, and what it tells.

import type { Scene } from '../state/scene.ts'
import type { SceneStore } from '../store/store.ts'
import type { Prepare } from '../table/body-table.ts'
import type { Entry } from '../table/operation.ts'
import type { WriteRequest } from './flying-write.ts'
import type { Logged } from './log-tail.ts'
import type { BodyCheck } from './pending-bodies.ts'
import type { RecoveryEvent } from './recovery.ts'
import type { SharedSceneEvent } from './shared-scenes.ts'
import type { SnapshotFailure } from './snapshot-taker.ts'

export interface KeeperOptions {
  /** The keeper closes it. */
  store: SceneStore
  prepare: Prepare
  /** Whether a body that a `patch` or a turning `move` would leave is one: the complaint, or null. */
  accepts?: BodyCheck
  maxScenes?: number
  /** Of a store that is shared: the time for which a write may wait without anything being done for it. Default: 8,000. */
  writeDeadlineMs?: number
  /** Most bodies of one scene. */
  maxBodies?: number
  /** Room for the scenes of a store that is shared, in bytes. */
  maxSceneBytes?: number
  /** Ms since 1970. */
  now?: () => number
  onEvent?: (event: KeeperEvent) => void
  /** Told of every entry, in order, when the scene is as it leaves it. */
  onApplied?: (scene: Scene, entry: Entry, logged: Logged) => void
  /** Told when a scene is not served any more; null where it could not be read. */
  onGone?: (id: string, scene: Scene | null) => void
  /** Told when what was served as a scene has turned out not to be what the store has: it is read anew. */
  onReset?: (id: string, scene: Scene) => void
  /** Whether somebody listens to a scene: it is not let go then. */
  isHeld?: (id: string) => boolean
  /** Weight of entries from which on a snapshot is taken. */
  tailByteCount?: number
}

export type KeeperEvent =
  | RecoveryEvent
  | SharedSceneEvent
  | SnapshotFailure
  | { event: 'scene-expired'; scene: string }
  | { event: 'expiry-failed'; scene: string; reason: string }

/** `damage`: why the scene cannot be served. */
export type Found = { scene: Scene; damage?: undefined } | { scene?: undefined; damage: string }

/** What is counted since the start, of a store that is shared. */
export interface SharedCounts {
  readonly conflicts: number
  readonly forks: number
  readonly loads: number
}

/** What a write may ask of the scene that it is about. */
export type WriteCondition = Pick<WriteRequest, 'ifVersion' | 'ifDigest'>
