/**
 * Writes whose entries were found in the log instead of being answered: it is not known whether they stay there before a commit that
 * was made after they were seen is durable.
 */

import type { SharedStore } from '../store/store.ts'
import { type FlyingWrite, RETRY_MS } from './flying-write.ts'
import type { LogTail } from './log-tail.ts'

export class FoundWrites {
  /** Have been applied, and may be lost yet. */
  readonly unsure = new Set<FlyingWrite>()
  private readonly tail: LogTail
  private readonly shared: SharedStore | null

  constructor(tail: LogTail, shared: SharedStore | null) {
    this.tail = tail
    this.shared = shared
  }

  /** What was found, as soon as it will not be lost any more. Rejects as the store does. */
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
  acknowledge(flying: FlyingWrite, version: number): void {
    if (flying.isOver) return
    const done = this.confirmed({ version, digest: null, isRepeated: false })
    if (!(done instanceof Promise)) flying.resolve(done)
    else
      done.then(
        (outcome) => flying.resolve(outcome),
        () => setTimeout(() => this.acknowledge(flying, version), RETRY_MS),
      )
  }

  /** It is applied as its entry says. */
  doubt(flying: FlyingWrite): void {
    flying.isInDoubt = true
    this.unsure.add(flying)
    const forget = () => this.unsure.delete(flying)
    flying.done.then(forget, forget)
    this.acknowledge(flying, flying.entry.version)
  }
}
