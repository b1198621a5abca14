/** The store that lasts as long as its process: for tests, and for services whose scenes may go. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Appended,
  type SceneStore,
  StoreClosed,
  type StoredEntry,
  type StoredScene,
  StoreFull,
  type StoreUsage,
} from './store.ts'

interface MemoryScene {
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
  private readonly scenes = new Map<string, MemoryScene>()
  private readonly maxBytes: number | null
  private bytes = 0
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

  async append(id: string, expectedVersion: number, entries: readonly Uint8Array[]): Promise<Appended> {
    this.assertOpen()
    const scene = this.scenes.get(id) ?? { version: 0, first: 1, entries: new Map(), snapshots: new Map() }
    if (scene.version !== expectedVersion) return { version: scene.version, conflict: true }
    const byteCount = total(entries)
    if (this.maxBytes !== null && this.bytes + byteCount > this.maxBytes) {
      throw new StoreFull(
        `There is no room left: ${this.bytes + byteCount} bytes would exceed the limit of ${this.maxBytes}`,
      )
    }
    this.scenes.set(id, scene)
    this.bytes += byteCount
    for (const bytes of entries) scene.entries.set(++scene.version, bytes)
    return { version: scene.version, conflict: false }
  }

  async *read(id: string, fromVersion: number, toVersion = Infinity): AsyncGenerator<StoredEntry> {
    this.assertOpen()
    const scene = this.scenes.get(id)
    const last = Math.min(scene?.version ?? 0, toVersion)
    for (let version = fromVersion; version <= last; version++) {
      if (this.scenes.get(id) !== scene) return
      const bytes = scene?.entries.get(version) ?? null
      yield { version, bytes, ...(bytes === null && { damage: 'it is missing' }) }
    }
  }

  async writeSnapshot(id: string, version: number, chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
    this.assertOpen()
    const scene = this.scenes.get(id)
    if (scene === undefined) return false
    const kept: Uint8Array[] = []
    for await (const bytes of chunks) kept.push(bytes)
    if (this.scenes.get(id) !== scene) return false
    this.forgetSnapshot(scene, version)
    scene.snapshots.set(version, kept)
    this.bytes += total(kept)
    return true
  }

  async *readSnapshot(id: string, version: number): AsyncGenerator<Uint8Array> {
    this.assertOpen()
    for (const bytes of this.scenes.get(id)?.snapshots.get(version) ?? []) {
      yield bytes
      await nextTurn()
    }
  }

  async trim(id: string, first: number, snapshots: readonly number[]): Promise<void> {
    this.assertOpen()
    const scene = this.scenes.get(id)
    if (scene === undefined) return
    for (; scene.first < first; scene.first++) this.forgetEntry(scene, scene.first)
    for (const version of scene.snapshots.keys()) {
      if (!snapshots.includes(version)) this.forgetSnapshot(scene, version)
    }
  }

  async drop(id: string): Promise<boolean> {
    this.assertOpen()
    const scene = this.scenes.get(id)
    if (scene === undefined) return false
    this.bytes -= total(scene.entries.values())
    for (const chunks of scene.snapshots.values()) this.bytes -= total(chunks)
    return this.scenes.delete(id)
  }

  usage(): StoreUsage {
    return { bytes: this.bytes, maxBytes: this.maxBytes }
  }

  async close(): Promise<void> {
    this.isClosed = true
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

function storedScene(id: string, { version, first, snapshots }: MemoryScene): StoredScene {
  return { id, version, first, snapshots: [...snapshots.keys()].sort((a, b) => b - a) }
}

function total(pieces: Iterable<Uint8Array>): number {
  let byteCount = 0
  for (const { length } of pieces) byteCount += length
  return byteCount
}
