// What becomes of a scene that is written to, for whoever keeps it.

import { OutcomeUnknown, type SceneStore, StoreUnavailable } from '../store/store.ts'
import type { Entry } from '../table/operation.ts'
import type { Estrangement } from './catch-up.ts'
import type { Logged } from './log-tail.ts'
import type { WriteChecks } from './write-checks.ts'

/** The scene is not kept by this writer any more, and the write has not been accepted: it may be sent again, to whoever keeps it now. */
export class SceneLeft extends StoreUnavailable {
  constructor() {
    super('The scene is loaded anew from the store')
  }
}

/** Told what becomes of a scene, which is `Kept`. */
export interface SceneWatcher<Kept> {
  /** `isOwn`: this process has written it. */
  applied(kept: Kept, entry: Entry, logged: Logged, isOwn: boolean): void
  /** A durable entry could not be applied: the scene is not to be used any more. */
  broken(kept: Kept, reason: string): void
  /** Its last entry has been applied. */
  dropped(kept: Kept): void
  /** It is not the scene that the store has: it is to be loaded anew. */
  estranged(kept: Kept, how: Estrangement, reason: string): void
  /** So many writes have lost against others. */
  conflicted(count: number): void
}

export interface WriterOptions<Kept> extends WriteChecks {
  readonly store: SceneStore
  readonly watcher: SceneWatcher<Kept>
  /** Default: 8,000. */
  readonly writeDeadlineMs?: number
}

export function unknownOutcome(reason = 'The store could not be asked whether the write was accepted'): OutcomeUnknown {
  return new OutcomeUnknown(reason)
}
