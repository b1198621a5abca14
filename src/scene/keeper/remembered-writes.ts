/**
 * The writes that a scene remembers: by which version each was accepted, so that one which is sent again is not done again.
 *
 * At least the last 100,000 are there: columns in generations, and in each an open-addressed table from the ids to their rows; when the
 * youngest is full, the oldest goes. An id is as good as random (`store/checksum-frame.ts`), so its first bits are its hash.
 */

import { createHash } from 'node:crypto'
import type { Entry } from '../state/operation.ts'
import { keyedWriteId, WRITE_ID_BYTE_COUNT } from '../store/checksum-frame.ts'
import { LONGEST_ANSWER } from './scene-summary.ts'

export interface RequestKey {
  readonly key: string
  /** Tells requests apart: the same key with another fingerprint is a mistake of the caller. */
  readonly fingerprint: string
  /** The answer beside the version, when it is sent; true: the settings of the scene that it leaves. */
  readonly answer?: true | (() => string)
}

export interface RememberedWrite {
  readonly version: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** 16 bytes; null for a write without a key. */
  readonly fingerprint: Uint8Array | null
  /** The first bytes of the digest of its version, as clients see them; null where they are not known. */
  readonly digest: Uint8Array | null
  /** The answer beside the version; null: none, or forgotten. */
  readonly answer: string | null
}

/** So many of the last writes are remembered, and keys for so long at most. */
export const REMEMBERED_COUNT = 100_000
const REMEMBERED_MS = 24 * 60 * 60 * 1000

const FINGERPRINT_BYTE_COUNT = 16
const SHOWN_BYTE_COUNT = 4
/** Characters of all answers that are remembered; the oldest go first. */
const ANSWERS_LENGTH = 2 ** 22
const ROOM = 16
const GENERATION_COUNT = 4
const GENERATION_ROOM = REMEMBERED_COUNT / GENERATION_COUNT

/** As kept with a snapshot: columns in base64, in the order of the versions. */
export interface PackedWrites {
  ids: string
  versions: string
  /** Of those with a key: which rows, when, and their fingerprints. */
  /** The shown digits of their digests, and the answers of some: absent in snapshots of earlier releases. */
  keyed: { rows: string; at: string; fingerprints: string; digests?: string; answers?: [number, string][] }
}

/** As kept by releases before 0.2. */
interface AnsweredKey {
  key: string
  fingerprint: string
  version: number
  at: number
}

export class RememberedWrites {
  /** From old to young: those that are full, and one more. */
  private generations = [new Generation()]
  /** Those with an answer, in their order. */
  private answered: KeyedWrite[] = []
  private answersLength = 0

  /** `kept`: what `packed` gave, or what earlier releases kept with snapshots of this scene. */
  static from(kept: unknown, sceneId: string): RememberedWrites {
    const writes = new RememberedWrites()
    if (Array.isArray(kept)) {
      for (const { key, fingerprint, version, at } of kept as AnsweredKey[]) {
        writes.remember(keyedWriteId(sceneId, key), version, at, { fingerprint: shortFingerprint(fingerprint) })
      }
    } else if (typeof kept === 'object' && kept !== null) {
      writes.unpack(kept as PackedWrites)
    }
    return writes
  }

  /** The last write of this id. */
  find(writeId: Uint8Array): RememberedWrite | null {
    for (let k = this.generations.length - 1; k >= 0; k--) {
      const found = this.generations[k].find(writeId)
      if (found !== null) return found
    }
    return null
  }

  /** The write that answered a key, within a day. */
  findKeyed(writeId: Uint8Array, now: number): RememberedWrite | null {
    const found = this.find(writeId)
    return found !== null && found.fingerprint !== null && now - found.at <= REMEMBERED_MS ? found : null
  }

  /** An entry of the scene. Those of earlier releases have no id; of these only writes with a key are remembered, by that. */
  rememberEntry({ version, at, key, writeId, digest }: Entry, sceneId: string, answer: string | null): void {
    const id = writeId ?? (key === undefined ? null : keyedWriteId(sceneId, key.key))
    if (id === null) return
    if (key === undefined) this.remember(id, version, at, null)
    else this.remember(id, version, at, { fingerprint: shortFingerprint(key.fingerprint), digest, answer })
  }

  /** `keyed`: null for a write without a key. */
  remember(writeId: Uint8Array, version: number, at: number, keyed: Keyed | null): void {
    if (keyed === null) {
      this.youngest().add(writeId, version, null)
      return
    }
    const { fingerprint, digest, answer = null } = keyed
    const shown = digest?.slice(0, SHOWN_BYTE_COUNT) ?? null
    const kept: KeyedWrite = { at, fingerprint, digest: shown, answer: null }
    this.youngest().add(writeId, version, kept)
    this.keepAnswer(kept, answer)
  }

  private keepAnswer(write: KeyedWrite, answer: string | null): void {
    if (answer === null || answer.length > LONGEST_ANSWER) return
    write.answer = answer
    this.answered.push(write)
    this.answersLength += answer.length
    let spared = 0
    for (; this.answersLength > ANSWERS_LENGTH; spared++) {
      const oldest = this.answered[spared]
      this.answersLength -= (oldest.answer as string).length
      oldest.answer = null
    }
    if (spared > 0) this.answered.splice(0, spared)
  }

  /** The one that takes the next write, if need be with room for so many. */
  private youngest(room = ROOM): Generation {
    const { generations } = this
    const last = generations[generations.length - 1]
    if (last.count < GENERATION_ROOM) return last
    if (generations.length > GENERATION_COUNT) generations.shift()
    const next = new Generation(room)
    generations.push(next)
    return next
  }

  /** The last writes, for a snapshot. */
  packed(): PackedWrites {
    const { generations } = this
    const count = generations.reduce((sum, each) => sum + each.count, 0)
    // of the oldest
    const spared = Math.max(0, count - REMEMBERED_COUNT)
    const parts = generations.map((each, k) => each.from(k === 0 ? spared : 0))
    const rows: number[] = []
    const keyed: KeyedWrite[] = []
    let offset = -spared
    for (const generation of generations) {
      for (const [row, write] of generation.keyed) {
        if (row + offset < 0) continue
        rows.push(row + offset)
        keyed.push(write)
      }
      offset += generation.count
    }
    return {
      ids: base64(Buffer.concat(parts.map(({ ids }) => ids))),
      versions: base64(Buffer.concat(parts.map(({ versions }) => versions))),
      keyed: {
        rows: base64(Uint32Array.from(rows)),
        at: base64(Float64Array.from(keyed, ({ at }) => at)),
        fingerprints: base64(Buffer.concat(keyed.map(({ fingerprint }) => fingerprint))),
        digests: base64(Buffer.concat(keyed.map(({ digest }) => digest ?? NO_DIGEST))),
        answers: keyed.flatMap(({ answer }, k): [number, string][] => (answer === null ? [] : [[k, answer]])),
      },
    }
  }

  private unpack({ ids, versions, keyed }: PackedWrites): void {
    const idBytes = bytesOf(ids)
    const versionOf = new Float64Array(bytesOf(versions).buffer)
    const rows = new Uint32Array(bytesOf(keyed.rows).buffer)
    const times = new Float64Array(bytesOf(keyed.at).buffer)
    const fingerprints = bytesOf(keyed.fingerprints)
    const digests = bytesOf(keyed.digests ?? '')
    const answers = new Map(keyed.answers)
    let k = 0
    for (let row = 0; row < versionOf.length; ) {
      const left = versionOf.length - row
      const generation = this.youngest(left)
      const end = row + Math.min(left, GENERATION_ROOM - generation.count)
      generation.addAll(idBytes, versionOf, row, end)
      const first = generation.count - (end - row)
      for (; k < rows.length && rows[k] < end; k++) {
        const start = k * FINGERPRINT_BYTE_COUNT
        const fingerprint = fingerprints.slice(start, start + FINGERPRINT_BYTE_COUNT)
        const shown = digests.slice(k * SHOWN_BYTE_COUNT, (k + 1) * SHOWN_BYTE_COUNT)
        const digest = shown.some((byte) => byte !== 0) ? shown : null
        const write: KeyedWrite = { at: times[k], fingerprint, digest, answer: null }
        generation.keyed.set(first + rows[k] - row, write)
        this.keepAnswer(write, answers.get(k) ?? null)
      }
      row = end
    }
  }
}

interface KeyedWrite {
  readonly at: number
  readonly fingerprint: Uint8Array
  readonly digest: Uint8Array | null
  answer: string | null
}

/** `fingerprint`: 16 bytes, see `shortFingerprint`. `digest`: of the version. */
interface Keyed {
  readonly fingerprint: Uint8Array
  readonly digest?: Uint8Array | undefined
  readonly answer?: string | null
}

const NO_DIGEST = new Uint8Array(SHOWN_BYTE_COUNT)

/** The first bytes of a fingerprint, which are remembered. */
export function shortFingerprint(fingerprint: string): Uint8Array {
  const digest = createHash('sha256').update(fingerprint).digest()
  return new Uint8Array(digest.subarray(0, FINGERPRINT_BYTE_COUNT))
}

/** Up to `GENERATION_ROOM` rows in the order in which they came. */
class Generation {
  count = 0
  private ids: Uint8Array
  private versions: Float64Array
  /** By row, in their order. */
  readonly keyed = new Map<number, KeyedWrite>()
  /** Row + 1 at the place of its id or behind it; of two rows of one id the later. */
  private table: Int32Array

  /** With room for so many rows at first. */
  constructor(room = ROOM) {
    const least = Math.min(Math.max(room, ROOM), GENERATION_ROOM)
    this.ids = new Uint8Array(least * WRITE_ID_BYTE_COUNT)
    this.versions = new Float64Array(least)
    this.table = new Int32Array(tableSize(least))
  }

  find(writeId: Uint8Array): RememberedWrite | null {
    const row = this.table[this.placeOf(writeId, 0)] - 1
    if (row < 0) return null
    const { at = 0, fingerprint = null, digest = null, answer = null } = this.keyed.get(row) ?? {}
    return { version: this.versions[row], at, fingerprint, digest, answer }
  }

  add(writeId: Uint8Array, version: number, keyed: KeyedWrite | null): void {
    this.reserve(this.count + 1)
    const row = this.count++
    this.ids.set(writeId, row * WRITE_ID_BYTE_COUNT)
    this.versions[row] = version
    if (keyed !== null) this.keyed.set(row, keyed)
    this.enter(row)
  }

  /** Rows `start` … `end` − 1 of columns. */
  addAll(ids: Uint8Array, versions: Float64Array, start: number, end: number): void {
    this.reserve(this.count + end - start)
    this.ids.set(ids.subarray(start * WRITE_ID_BYTE_COUNT, end * WRITE_ID_BYTE_COUNT), this.count * WRITE_ID_BYTE_COUNT)
    this.versions.set(versions.subarray(start, end), this.count)
    for (let k = start; k < end; k++) this.enter(this.count++)
  }

  /** Bytes of the columns from a row on. */
  from(row: number): { ids: Uint8Array; versions: Uint8Array } {
    const ids = this.ids.subarray(row * WRITE_ID_BYTE_COUNT, this.count * WRITE_ID_BYTE_COUNT)
    const versions = this.versions.subarray(row, this.count)
    return { ids, versions: new Uint8Array(versions.buffer, versions.byteOffset, versions.byteLength) }
  }

  private reserve(count: number): void {
    if (count <= this.versions.length) return
    const room = Math.min(Math.max(count, 2 * this.versions.length), GENERATION_ROOM)
    const ids = new Uint8Array(room * WRITE_ID_BYTE_COUNT)
    ids.set(this.ids)
    const versions = new Float64Array(room)
    versions.set(this.versions)
    this.ids = ids
    this.versions = versions
    this.table = new Int32Array(tableSize(room))
    for (let row = 0; row < this.count; row++) this.enter(row)
  }

  private enter(row: number): void {
    this.table[this.placeOf(this.ids, row * WRITE_ID_BYTE_COUNT)] = row + 1
  }

  /** Where the id that is at `start` of some bytes is in the table, or would be. */
  private placeOf(bytes: Uint8Array, start: number): number {
    const mask = this.table.length - 1
    let place = (bytes[start] | (bytes[start + 1] << 8) | (bytes[start + 2] << 16)) & mask
    while (this.table[place] !== 0 && !this.isAt(this.table[place] - 1, bytes, start)) place = (place + 1) & mask
    return place
  }

  private isAt(row: number, bytes: Uint8Array, start: number): boolean {
    const at = row * WRITE_ID_BYTE_COUNT
    for (let k = 0; k < WRITE_ID_BYTE_COUNT; k++) if (this.ids[at + k] !== bytes[start + k]) return false
    return true
  }
}

/** At most half of the places are taken. */
const tableSize = (room: number) => 2 ** Math.ceil(Math.log2(2 * room))

function base64(column: Uint8Array | Uint32Array | Float64Array): string {
  return Buffer.from(column.buffer, column.byteOffset, column.byteLength).toString('base64')
}

/** With a buffer of their own, as columns need it. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
