/** The idempotency keys a scene remembers: which request each came with, and the version that answered it. */

export interface RequestKey {
  readonly key: string
  /** Tells requests apart: the same key with another fingerprint is a mistake of the caller. */
  readonly fingerprint: string
}

export interface AnsweredKey extends RequestKey {
  readonly version: number
  readonly at: number
}

/** A scene forgets the oldest keys beyond so many, and those older than a day. */
const REMEMBERED_COUNT = 1000
const REMEMBERED_MS = 24 * 60 * 60 * 1000

export class RememberedKeys {
  /** In the order of their versions. */
  private readonly answered = new Map<string, AnsweredKey>()

  constructor(answered: Iterable<AnsweredKey> = []) {
    for (const each of answered) this.answered.set(each.key, each)
  }

  find(key: string, now: number): AnsweredKey | undefined {
    const found = this.answered.get(key)
    return found !== undefined && now - found.at <= REMEMBERED_MS ? found : undefined
  }

  remember(key: AnsweredKey): void {
    this.answered.delete(key.key)
    this.answered.set(key.key, key)
    for (const oldest of this.answered.values()) {
      if (this.answered.size <= REMEMBERED_COUNT && key.at - oldest.at <= REMEMBERED_MS) return
      this.answered.delete(oldest.key)
    }
  }

  /** For a snapshot. */
  all(): AnsweredKey[] {
    return [...this.answered.values()]
  }
}
