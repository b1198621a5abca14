/** The store that lasts as long as its process: for tests, and for services whose scenes may go. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Append,
  type Appended,
  type SceneLife,
  type SceneStore,
  StoreClosed,
  type StoredEntry,
  type StoredScene,
  StoreFull,
  type StoreUsage,
} from './store.ts'

interface MemoryScene {
  readonly incarnation: number
  version: number
  first: number
  entries: Map<number, Uint8Array>
  snapshots: Map<number, Uint8Array[]>
}

export interface MemoryStoreOptions {
  /** Size up to which entries are taken; snapshots, which make room, are not held back. Default: no end. */
  maxBytes?: number
}

export class MemoryStore implements SceneStore {
  readonly shared = null
  private readonly scenes = new Map<string, MemoryScene>()
  private readonly maxBytes: number | null
  private bytes = 0
  private begunCount = 0
  private isClosed = false

  constructor(options: MemoryStoreOptions = {}) {
    this.maxBytes = options.maxBytes ?? null
  }

  async list(): Promise<StoredScene[]> {
    this.assertOpen()
    const scenes = [...this.scenes].map(([id, scene]) => storedScene(id, scene))
    return scenes.sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  async head(id: string): Promise<StoredScene | null> {
    this.assertOpen()
    const scene = this.scenes.get(id)
    return scene === undefined ? null : storedScene(id, scene)
  }

  async append({ id, incarnation, expectedVersion, entries }: Append): Promise<Appended> {
    this.assertOpen()
    const known = this.scenes.get(id)
    const version = known?.version ?? 0
    if (version !== expectedVersion || (known?.incarnation ?? null) !== incarnation) {
      return { version, conflict: true, incarnation: known?.incarnation ?? 0 }
    }
    const scene = known ?? this.begin()
    let byteCount = 0
    for (const { bytes } of entries) byteCount += bytes.length
    if (this.maxBytes !== null && this.bytes + byteCount > this.maxBytes) {
      throw new StoreFull(
        `There is no room left: ${this.bytes + byteCount} bytes would exceed the limit of ${this.maxBytes}`,
      )
    }
    this.scenes.set(id, scene)
    this.bytes += byteCount
    for (const { bytes } of entries) scene.entries.set(++scene.version, bytes)
    return { version: scene.version, conflict: false, incarnation: scene.incarnation }
  }

  async *read(life: SceneLife, fromVersion: number, toVersion = Infinity): AsyncGenerator<StoredEntry> {
    this.assertOpen()
    const scene = this.living(life)
    const last = Math.min(scene?.version ?? 0, toVersion)
    for (let version = fromVersion; version <= last; version++) {
      if (this.living(life) !== scene) return
      const bytes = scene?.entries.get(version) ?? null
      yield { version, bytes, ...(bytes === null && { damage: 'it is missing' }) }
    }
  }

  async writeSnapshot(life: SceneLife, version: number, chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
    this.assertOpen()
    const scene = this.living(life)
    if (scene === undefined) return false
    const kept: Uint8Array[] = []
    for await (const bytes of chunks) kept.push(bytes)
    if (this.living(life) !== scene) return false
    this.forgetSnapshot(scene, version)
    scene.snapshots.set(version, kept)
    this.bytes += total(kept)
    return true
  }

  async *readSnapshot(life: SceneLife, version: number): AsyncGenerator<Uint8Array> {
    this.assertOpen()
    for (const bytes of this.living(life)?.snapshots.get(version) ?? []) {
      yield bytes
      await nextTurn()
    }
  }

  async trim(life: SceneLife, first: number, snapshots: readonly number[]): Promise<void> {
    this.assertOpen()
    const scene = this.living(life)
    if (scene === undefined) return
    for (; scene.first < first; scene.first++) this.forgetEntry(scene, scene.first)
    for (const version of scene.snapshots.keys()) {
      if (!snapshots.includes(version)) this.forgetSnapshot(scene, version)
    }
  }

  async drop(life: SceneLife): Promise<Appended> {
    this.assertOpen()
    const scene = this.living(life)
    if (scene === undefined) return { version: 0, conflict: true, incarnation: 0 }
    this.bytes -= total(scene.entries.values())
    for (const chunks of scene.snapshots.values()) this.bytes -= total(chunks)
    this.scenes.delete(life.id)
    return { version: scene.version, conflict: false, incarnation: scene.incarnation }
  }

  usage(): StoreUsage {
    return { bytes: this.bytes, maxBytes: this.maxBytes }
  }

  async close(): Promise<void> {
    this.isClosed = true
  }

  private begin(): MemoryScene {
    return { incarnation: ++this.begunCount, version: 0, first: 1, entries: new Map(), snapshots: new Map() }
  }

  private living({ id, incarnation }: SceneLife): MemoryScene | undefined {
    const scene = this.scenes.get(id)
    return scene?.incarnation === incarnation ? scene : undefined
  }

  private forgetEntry(scene: MemoryScene, version: number): void {
    this.bytes -= scene.entries.get(version)?.length ?? 0
    scene.entries.delete(version)
  }

  private forgetSnapshot(scene: MemoryScene, version: number): void {
    this.bytes -= total(scene.snapshots.get(version) ?? [])
    scene.snapshots.delete(version)
  }

  private assertOpen(): void {
    if (this.isClosed) throw new StoreClosed()
  }
}

function storedScene(id: string, { incarnation, version, first, snapshots }: MemoryScene): StoredScene {
  return { id, incarnation, version, first, snapshots: [...snapshots.keys()].sort((a, b) => b - a) }
}

function total(pieces: Iterable<Uint8Array>): number {
  let byteCount = 0
  for (const { length } of pieces) byteCount += length
  return byteCount
}
