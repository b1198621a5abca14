/**
 * Scenes are made in a store, and dropped from it. The key of a request that deleted a scene is remembered, because the scene cannot do
 * that any more, and the request may be repeated, perhaps when there is another scene with that id. A shared store keeps the last
 * entries of scenes for a while (its log retention); each process also remembers its own deletions until it ends.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Prepares } from '../state/geometry.ts'
import type { CreateOperation, DropOperation, Entry, EntryKey } from '../state/operation.ts'
import { apply, createScene, type Scene } from '../state/scene.ts'
import {
  firstDigest,
  isSameDigest,
  keyedWriteId,
  nextDigest,
  payloadByteCount,
  randomWriteId,
} from '../store/checksum-frame.ts'
import {
  type Append,
  OutcomeUnknown,
  type SceneLife,
  type SceneStore,
  type Standing,
  StoreUnavailable,
} from '../store/store.ts'
import type { Logged } from './log-tail.ts'
import { RETRY_MS, WRITE_DEADLINE_MS, type WriteDone, type WriteOutcome } from './pending-write.ts'
import { RememberedWrites, type RequestKey } from './remembered-writes.ts'
import { answerOf, summaryOf } from './scene-summary.ts'
import { decodeEntry, encodeEntry } from './stored-forms.ts'
import { watchedAppend } from './watched-append.ts'

/** A scene that has just been begun. */
export interface Begun {
  readonly scene: Scene
  readonly life: SceneLife
  readonly writes: RememberedWrites
  readonly entry: Entry
  readonly logged: Logged
}

/** Begins a scene; the operation names it. Rejects with the store's error. */
export async function beginScene(
  store: SceneStore,
  prepare: Prepares,
  operation: CreateOperation,
  { maxScenes, key, deadlineMs = WRITE_DEADLINE_MS }: { maxScenes: number; key?: EntryKey; deadlineMs?: number },
): Promise<Begun | 'scene-exists' | 'too-many-scenes'> {
  const { sceneId: id, at } = operation
  const writeId = key === undefined ? randomWriteId() : keyedWriteId(id, key.key)
  const entry: Entry = { version: 1, at, operations: [operation], ...(key !== undefined && { key }), writeId }
  const text = JSON.stringify(entry.operations)
  const bytes = encodeEntry(entry, text)
  const logged: Logged = { byteCount: payloadByteCount(bytes), text }
  const digest = nextDigest(firstDigest(), writeId, bytes)
  entry.digest = digest
  const scene = createScene(prepare)
  apply(scene, entry)
  const writes = new RememberedWrites()
  writes.rememberEntry(entry, id, answerOf(scene, entry))
  const append: Append = {
    id,
    incarnation: null,
    expectedVersion: 0,
    expectedDigest: firstDigest(),
    entries: [{ bytes, digest }],
    summary: summaryOf(scene),
    maxScenes,
  }
  const until = performance.now() + deadlineMs
  for (let isUnknown = false; ; ) {
    try {
      if (isUnknown) {
        await store.shared?.confirm()
        const head = await store.head(id)
        if (head !== null)
          return (await isFirst(store, head, digest)) ? { scene, life: head, writes, entry, logged } : 'scene-exists'
      }
      const { conflict, isTooMany = false, incarnation } = await watchedAppend(append, () => store.append(append))
      if (isTooMany) return 'too-many-scenes'
      if (!conflict) return { scene, life: { id, incarnation }, writes, entry, logged }
      if (!isUnknown) return 'scene-exists'
    } catch (error) {
      isUnknown ||= error instanceof OutcomeUnknown
      const isPassing = isUnknown && (error instanceof OutcomeUnknown || error instanceof StoreUnavailable)
      if (!isPassing) throw error
      if (performance.now() > until) throw new OutcomeUnknown('The store could not be asked whether the scene was made')
      await delay(RETRY_MS)
    }
  }
}

/** Whether the first entry of the scene has this digest. */
async function isFirst(store: SceneStore, life: SceneLife, digest: Uint8Array): Promise<boolean> {
  for await (const entry of store.read(life, 1, 1))
    return entry.digest !== undefined && isSameDigest(entry.digest, digest)
  return false
}

/** The last entry of a scene, behind where it stands. */
export function lastEntry(
  { id, incarnation, version, digest }: Standing,
  reason: DropOperation['reason'],
  at: number,
): Append {
  const writeId = randomWriteId()
  const bytes = encodeEntry({ version: version + 1, at, operations: [{ op: 'drop', reason, at }], writeId })
  const entries = [{ bytes, digest: nextDigest(digest, writeId, bytes) }]
  return { id, incarnation, expectedVersion: version, expectedDigest: digest, entries }
}

/** Drops a scene that is not looked into. */
export async function dropUnread(store: SceneStore, id: string): Promise<WriteOutcome> {
  const head = await store.head(id)
  if (head === null) return { refusal: 'unknown-scene' }
  const { digest = firstDigest(), version } = head
  const { conflict } = await store.drop(
    head,
    lastEntry({ ...head, digest }, 'deleted', store.shared?.now() ?? Date.now()),
  )
  return conflict ? { refusal: 'unknown-scene' } : { version: version + 1, digest: null, isRepeated: false }
}

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

  /** The outcome of the request with the key that deleted a scene of the id; null without one. Rejects as the store does. */
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
