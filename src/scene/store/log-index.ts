/**
 * Where the entries of every scene lie in the log, and what of the log is still needed. Twelve bytes an entry.
 *
 * Every scene that begins gets an incarnation, a number that is never used again: so a scene that was dropped and begun anew is
 * another one, and dropping is one record.
 */

import type { LogFiles } from './log-files.ts'
import { RECORD_KINDS } from './record.ts'
import type { SceneLife, StoredScene } from './store.ts'

/** Versions of one scene that lie farther apart than this in its log were never written. */
const MOST_PLACES = 2 ** 27
const LEAST_CAPACITY = 4

/** Places by version. */
class EntryPlaces {
  /** Version of the first place. */
  private from = 1
  private count = 0
  private places = new Float64Array(0)
  private lengths = new Uint32Array(0)

  /** The first version that has a place, or Infinity. */
  get first(): number {
    for (let k = 0; k < this.count; k++) if (this.places[k] > 0) return this.from + k
    return Infinity
  }

  /** 0: there is none. */
  placeOf(version: number): number {
    const k = version - this.from
    return k >= 0 && k < this.count ? this.places[k] : 0
  }

  byteCountOf(version: number): number {
    return this.placeOf(version) > 0 ? this.lengths[version - this.from] : 0
  }

  set(version: number, place: number, byteCount: number): boolean {
    if (this.count === 0) this.from = version
    const from = Math.min(this.from, version)
    const end = Math.max(this.from + this.count, version + 1)
    if (end - from > MOST_PLACES) return false
    if (from < this.from || end - from > this.places.length) this.grow(from, end - from)
    this.count = end - this.from
    this.places[version - this.from] = place
    this.lengths[version - this.from] = byteCount
    return true
  }

  move(version: number, place: number): void {
    this.places[version - this.from] = place
  }

  /** Forgets the places before `version`. */
  forgetBefore(version: number): void {
    const gone = Math.min(this.count, version - this.from)
    if (gone <= 0) return
    this.places = this.places.slice(gone, this.count)
    this.lengths = this.lengths.slice(gone, this.count)
    this.from += gone
    this.count -= gone
  }

  private grow(from: number, count: number): void {
    const capacity = Math.max(LEAST_CAPACITY, count, Math.ceil(1.5 * this.places.length))
    const places = new Float64Array(capacity)
    const lengths = new Uint32Array(capacity)
    places.set(this.places.subarray(0, this.count), this.from - from)
    lengths.set(this.lengths.subarray(0, this.count), this.from - from)
    this.count += this.from - from
    this.from = from
    this.places = places
    this.lengths = lengths
  }
}

/** The scene and version of a record. */
interface RecordName {
  kind: number
  incarnation: number
  version: number
}

export interface IndexedScene {
  /** '' as long as no record that is whole has said it. */
  id: string
  readonly incarnation: number
  version: number
  /** The first entry that is kept. */
  first: number
  readonly entries: EntryPlaces
  /** Where the record of `first` lies; 0: there is none. */
  trimPlace: number
  trimByteCount: number
  /** Sizes of the snapshots by version. */
  readonly snapshots: Map<number, number>
  /** Why it cannot be known whether all of it is here. */
  damage?: string
}

export const snapshotVersions = ({ snapshots }: IndexedScene) => [...snapshots.keys()].sort((a, b) => b - a)

/** The scene as a store reports it. */
export function storedScene(scene: IndexedScene): StoredScene {
  const { id, incarnation, version, first, damage } = scene
  const snapshots = snapshotVersions(scene)
  return { id, incarnation, version, first, snapshots, ...(damage !== undefined && { damage }) }
}

/** The scene, if this life of it is not over. */
export function living(index: LogIndex, { id, incarnation }: SceneLife): IndexedScene | undefined {
  const scene = index.scenes.get(id)
  return scene?.incarnation === incarnation ? scene : undefined
}

export class LogIndex {
  readonly files: LogFiles
  /** By id. */
  readonly scenes = new Map<string, IndexedScene>()
  readonly byIncarnation = new Map<number, IndexedScene>()
  /** How many entries lie in the files, needed or not. */
  private readonly remains = new Map<number, number>()
  /** Where it lies that a scene was dropped: needed until none of its entries remains. */
  private readonly tombstones = new Map<number, { place: number; byteCount: number }>()

  constructor(files: LogFiles) {
    this.files = files
  }

  begin(incarnation: number, id: string): IndexedScene {
    const scene: IndexedScene = {
      id,
      incarnation,
      version: 0,
      first: 1,
      entries: new EntryPlaces(),
      trimPlace: 0,
      trimByteCount: 0,
      snapshots: new Map(),
    }
    this.byIncarnation.set(incarnation, scene)
    if (id !== '') this.scenes.set(id, scene)
    return scene
  }

  /** Gives a scene its id, once that is known. The one that was begun last has it. */
  name(scene: IndexedScene, id: string): void {
    if (id === '' || scene.id !== '') return
    scene.id = id
    const other = this.scenes.get(id)
    if (other === undefined || other.incarnation < scene.incarnation) this.scenes.set(id, scene)
  }

  addEntry(scene: IndexedScene, version: number, place: number, byteCount: number): void {
    this.release(scene.entries.placeOf(version), scene.entries.byteCountOf(version))
    this.count(scene.incarnation, 1)
    if (!scene.entries.set(version, place, byteCount)) return
    this.files.fileOf(place).liveByteCount += byteCount
    scene.version = Math.max(scene.version, version)
  }

  /** An entry lies in a file, or does not any more, that is not needed. */
  count(incarnation: number, change: number): void {
    const count = (this.remains.get(incarnation) ?? 0) + change
    if (count > 0) {
      this.remains.set(incarnation, count)
      return
    }
    this.remains.delete(incarnation)
    const tombstone = this.tombstones.get(incarnation)
    if (tombstone !== undefined) this.release(tombstone.place, tombstone.byteCount)
    this.tombstones.delete(incarnation)
  }

  remaining(incarnation: number): number {
    return this.remains.get(incarnation) ?? 0
  }

  /** `place` is where the record of it lies. */
  trim(scene: IndexedScene, first: number, place: number, byteCount: number): void {
    this.release(scene.trimPlace, scene.trimByteCount)
    scene.trimPlace = place
    scene.trimByteCount = byteCount
    this.files.fileOf(place).liveByteCount += byteCount
    scene.first = first
    scene.version = Math.max(scene.version, first - 1)
    for (let version = scene.entries.first; version < Math.min(first, scene.version + 1); version++) {
      this.release(scene.entries.placeOf(version), scene.entries.byteCountOf(version))
    }
    scene.entries.forgetBefore(first)
  }

  drop(scene: IndexedScene): void {
    this.release(scene.trimPlace, scene.trimByteCount)
    for (let version = scene.entries.first; version <= scene.version; version++) {
      this.release(scene.entries.placeOf(version), scene.entries.byteCountOf(version))
    }
    this.byIncarnation.delete(scene.incarnation)
    if (this.scenes.get(scene.id) === scene) this.scenes.delete(scene.id)
  }

  /** The record at `place` says that the scene was dropped. */
  bury(incarnation: number, place: number, byteCount: number): void {
    const before = this.tombstones.get(incarnation)
    if (before !== undefined) this.release(before.place, before.byteCount)
    if (!this.remains.has(incarnation)) return
    this.tombstones.set(incarnation, { place, byteCount })
    this.files.fileOf(place).liveByteCount += byteCount
  }

  /** Whether the record at `place` is needed. */
  isLive({ kind, incarnation, version }: RecordName, place: number): boolean {
    const scene = this.byIncarnation.get(incarnation)
    if (kind === RECORD_KINDS.entry) return scene?.entries.placeOf(version) === place
    if (kind === RECORD_KINDS.trim) return scene?.trimPlace === place
    return kind === RECORD_KINDS.drop && this.tombstones.get(incarnation)?.place === place
  }

  /** A copy of the record lies elsewhere now. */
  move(record: RecordName & { byteCount: number }, from: number, to: number): void {
    if (!this.isLive(record, from)) return
    this.release(from, record.byteCount)
    this.files.fileOf(to).liveByteCount += record.byteCount
    const scene = this.byIncarnation.get(record.incarnation)
    if (record.kind === RECORD_KINDS.entry) scene?.entries.move(record.version, to)
    else if (record.kind === RECORD_KINDS.trim && scene !== undefined) scene.trimPlace = to
    else this.tombstones.set(record.incarnation, { place: to, byteCount: record.byteCount })
  }

  /** Whether an entry is missing that ought to be there, or may be. */
  isWounded(scene: IndexedScene): boolean {
    if (scene.damage !== undefined) return true
    for (let version = scene.first; version <= scene.version; version++) {
      if (scene.entries.placeOf(version) === 0) return true
    }
    return false
  }

  private release(place: number, byteCount: number): void {
    if (place > 0) this.files.fileOf(place).liveByteCount -= byteCount
  }
}
