/**
 * The writes that a scene remembers: by which version each was accepted, so that one which is sent again is not done again.
 *
 * At least the last 100,000 are there: columns in two generations, and an open-addressed table from the ids to their rows; when the
 * younger generation is full, the older one goes. An id is as good as random (`store/digest.ts`), so its first bits are its hash.
 */

import { createHash } from 'node:crypto'
import { keyedWriteId, WRITE_ID_BYTE_COUNT } from '../store/digest.ts'
import type { Entry } from '../table/operation.ts'

export interface RequestKey {
  readonly key: string
  /** Tells requests apart: the same key with another fingerprint is a mistake of the caller. */
  readonly fingerprint: string
}

export interface RememberedWrite {
  readonly version: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** 16 bytes; null for a write without a key. */
  readonly fingerprint: Uint8Array | null
}

/** So many of the last writes are remembered, and keys for so long at most. */
export const REMEMBERED_COUNT = 100_000
const REMEMBERED_MS = 24 * 60 * 60 * 1000

const FINGERPRINT_BYTE_COUNT = 16
const ROOM = 16

/** As kept with a snapshot: columns in base64, in the order of the versions. */
export interface PackedWrites {
  ids: string
  versions: string
  /** Of those with a key: which rows, when, and their fingerprints. */
  keyed: { rows: string; at: string; fingerprints: string }
}

/** As kept by releases before 0.2. */
interface AnsweredKey extends RequestKey {
  version: number
  at: number
}

export class RememberedWrites {
  private young = new Generation()
  private old = new Generation()

  /** `kept`: what `packed` gave, or what earlier releases kept with snapshots of this scene. */
  static from(kept: unknown, sceneId: string): RememberedWrites {
    const writes = new RememberedWrites()
    if (Array.isArray(kept)) {
      for (const { key, fingerprint, version, at } of kept as AnsweredKey[]) {
        writes.remember(keyedWriteId(sceneId, key), version, at, shortFingerprint(fingerprint))
      }
    } else if (typeof kept === 'object' && kept !== null) {
      writes.unpack(kept as PackedWrites)
    }
    return writes
  }

  /** The last write of this id. */
  find(writeId: Uint8Array): RememberedWrite | null {
    return this.young.find(writeId) ?? this.old.find(writeId)
  }

  /** The write that answered a key, within a day. */
  findKeyed(writeId: Uint8Array, now: number): RememberedWrite | null {
    const found = this.find(writeId)
    return found !== null && found.fingerprint !== null && now - found.at <= REMEMBERED_MS ? found : null
  }

  /** An entry of the scene. Those of earlier releases have no id; of these only writes with a key are remembered, by that. */
  rememberEntry({ version, at, key, writeId }: Entry, sceneId: string): void {
    const id = writeId ?? (key === undefined ? null : keyedWriteId(sceneId, key.key))
    if (id !== null) this.remember(id, version, at, key === undefined ? null : shortFingerprint(key.fingerprint))
  }

  /** `fingerprint`: 16 bytes, see `shortFingerprint`; null for a write without a key. */
  remember(writeId: Uint8Array, version: number, at: number, fingerprint: Uint8Array | null): void {
    if (this.young.count === REMEMBERED_COUNT) {
      this.old = this.young
      this.young = new Generation()
    }
    this.young.add(writeId, version, at, fingerprint)
  }

  /** The last writes, for a snapshot. */
  packed(): PackedWrites {
    const { young, old } = this
    const spared = Math.max(0, old.count + young.count - REMEMBERED_COUNT)
    const parts = [old.from(spared), young.from(0)]
    const rows: number[] = []
    let offset = -spared
    for (const { count, keyed } of [old, young]) {
      for (const row of keyed.keys()) if (row + offset >= 0) rows.push(row + offset)
      offset += count
    }
    const keyed = [...old.keyed].filter(([row]) => row >= spared).concat([...young.keyed])
    return {
      ids: base64(Buffer.concat(parts.map(({ ids }) => ids))),
      versions: base64(Buffer.concat(parts.map(({ versions }) => versions))),
      keyed: {
        rows: base64(Uint32Array.from(rows)),
        at: base64(Float64Array.from(keyed, ([, { at }]) => at)),
        fingerprints: base64(Buffer.concat(keyed.map(([, { fingerprint }]) => fingerprint))),
      },
    }
  }

  private unpack({ ids, versions, keyed }: PackedWrites): void {
    const idBytes = bytesOf(ids)
    const versionOf = new Float64Array(bytesOf(versions).buffer)
    const rows = new Uint32Array(bytesOf(keyed.rows).buffer)
    const times = new Float64Array(bytesOf(keyed.at).buffer)
    const fingerprints = bytesOf(keyed.fingerprints)
    let k = 0
    for (let row = 0; row < versionOf.length; row++) {
      const id = idBytes.subarray(row * WRITE_ID_BYTE_COUNT, (row + 1) * WRITE_ID_BYTE_COUNT)
      const isKeyed = rows[k] === row
      const start = k * FINGERPRINT_BYTE_COUNT
      const fingerprint = isKeyed ? fingerprints.slice(start, start + FINGERPRINT_BYTE_COUNT) : null
      this.remember(id, versionOf[row], isKeyed ? times[k] : 0, fingerprint)
      if (isKeyed) k++
    }
  }
}

/** What is remembered of a fingerprint. */
export function shortFingerprint(fingerprint: string): Uint8Array {
  const digest = createHash('sha256').update(fingerprint).digest()
  return new Uint8Array(digest.subarray(0, FINGERPRINT_BYTE_COUNT))
}

/** Rows in the order in which they came. */
class Generation {
  count = 0
  private ids = new Uint8Array(ROOM * WRITE_ID_BYTE_COUNT)
  private versions = new Float64Array(ROOM)
  /** By row, in their order. */
  readonly keyed = new Map<number, { at: number; fingerprint: Uint8Array }>()
  /** Row + 1 at the place of its id or behind it; of two rows of one id the later. */
  private table = new Int32Array(2 * ROOM)

  find(writeId: Uint8Array): RememberedWrite | null {
    const row = this.table[this.placeOf(writeId)] - 1
    if (row < 0) return null
    const { at = 0, fingerprint = null } = this.keyed.get(row) ?? {}
    return { version: this.versions[row], at, fingerprint }
  }

  add(writeId: Uint8Array, version: number, at: number, fingerprint: Uint8Array | null): void {
    if (this.count === this.versions.length) this.grow()
    const row = this.count++
    this.ids.set(writeId, row * WRITE_ID_BYTE_COUNT)
    this.versions[row] = version
    if (fingerprint !== null) this.keyed.set(row, { at, fingerprint })
    this.table[this.placeOf(writeId)] = row + 1
  }

  /** Bytes of the columns from a row on. */
  from(row: number): { ids: Uint8Array; versions: Uint8Array } {
    const ids = this.ids.subarray(row * WRITE_ID_BYTE_COUNT, this.count * WRITE_ID_BYTE_COUNT)
    const versions = this.versions.subarray(row, this.count)
    return { ids, versions: new Uint8Array(versions.buffer, versions.byteOffset, versions.byteLength) }
  }

  private grow(): void {
    const room = 2 * this.versions.length
    const ids = new Uint8Array(room * WRITE_ID_BYTE_COUNT)
    ids.set(this.ids)
    const versions = new Float64Array(room)
    versions.set(this.versions)
    this.ids = ids
    this.versions = versions
    this.table = new Int32Array(2 * room)
    for (let row = 0; row < this.count; row++) {
      this.table[this.placeOf(this.ids.subarray(row * WRITE_ID_BYTE_COUNT, (row + 1) * WRITE_ID_BYTE_COUNT))] = row + 1
    }
  }

  /** Where the id is in the table, or would be. */
  private placeOf(writeId: Uint8Array): number {
    const mask = this.table.length - 1
    let place = (writeId[0] | (writeId[1] << 8) | (writeId[2] << 16)) & mask
    while (this.table[place] !== 0 && !this.isAt(this.table[place] - 1, writeId)) place = (place + 1) & mask
    return place
  }

  private isAt(row: number, writeId: Uint8Array): boolean {
    const start = row * WRITE_ID_BYTE_COUNT
    for (let k = 0; k < WRITE_ID_BYTE_COUNT; k++) if (this.ids[start + k] !== writeId[k]) return false
    return true
  }
}

function base64(column: Uint8Array | Uint32Array | Float64Array): string {
  return Buffer.from(column.buffer, column.byteOffset, column.byteLength).toString('base64')
}

/** With a buffer of their own, as columns need it. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
