/**
 * Keys of requests that have deleted a scene: the scene cannot remember them any more, and the same request may come once more, perhaps
 * when there is another scene of that id. A store that is shared keeps the last entries of scenes for a while (its log retention);
 * beside that, each process remembers what it has done itself, until it ends.
 */

import { isSameDigest, keyedWriteId } from '../store/digest.ts'
import type { SceneStore } from '../store/store.ts'
import type { WriteDone, WriteOutcome } from './flying-write.ts'
import { decodeEntry } from './log-entry.ts'
import type { RequestKey } from './remembered-writes.ts'

const REMEMBERED_MS = 24 * 60 * 60 * 1000
const REMEMBERED_COUNT = 10_000

interface Ended {
  readonly fingerprint: string
  readonly version: number
  readonly at: number
}

export class EndedScenes {
  private readonly store: SceneStore
  private readonly byWrite = new Map<string, Ended>()

  constructor(store: SceneStore) {
    this.store = store
  }

  add(id: string, { key, fingerprint }: RequestKey, { version }: WriteDone, at: number): void {
    this.byWrite.set(nameOf(id, key), { fingerprint, version, at })
    for (const oldest of this.byWrite.keys()) {
      if (this.byWrite.size <= REMEMBERED_COUNT) return
      this.byWrite.delete(oldest)
    }
  }

  /** What a request with the key has come to that deleted a scene of the id; null: none has. Rejects as the store does. */
  async find(id: string, key: RequestKey, now: number): Promise<WriteOutcome | null> {
    const own = this.byWrite.get(nameOf(id, key.key))
    if (own !== undefined && now - own.at <= REMEMBERED_MS) return outcomeOf(own, key)
    const { shared } = this.store
    if (shared === null) return null
    const writeId = keyedWriteId(id, key.key)
    for (const life of await shared.ended(id)) {
      for await (const { version, bytes } of this.store.read(life, life.version, life.version)) {
        const entry = bytes === null ? null : decodeEntry(version, bytes)
        if (entry?.writeId === undefined || entry.key === undefined || !isSameDigest(entry.writeId, writeId)) continue
        return outcomeOf({ ...entry.key, version, at: now }, key)
      }
    }
    return null
  }
}

const nameOf = (id: string, key: string) => Buffer.from(keyedWriteId(id, key)).toString('latin1')

function outcomeOf({ fingerprint, version }: Ended, key: RequestKey): WriteOutcome {
  return fingerprint === key.fingerprint ? { version, digest: null, isRepeated: true } : { refusal: 'key-reused' }
}
