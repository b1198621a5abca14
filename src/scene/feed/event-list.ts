/**
 * Versions of a scene that follow each other, as they are told: from where on, up to where, and the events of them as bytes, made once
 * for all who hear the same.
 */
import type { Told } from './event-frame.ts'
import { framesOf, type Happening, happeningLength } from './happening.ts'
import type { PairFilter } from './pair-change.ts'

/** What is kept: so many versions, and about so many characters. */
const KEPT_COUNT = 2 ** 13
const KEPT_LENGTH = 2 ** 24
/** Characters that are written at once, more or less. */
const CHUNK_LENGTH = 2 ** 17

/** Those who look through the same filter. */
export interface Audience {
  /** Null: operations alone. */
  readonly pairs: PairFilter | null
  /** What was last made for one of them, and may be for others. */
  chunk: Chunk | null
}

export interface Chunk {
  readonly list: EventList
  readonly from: number
  readonly to: number
  readonly bytes: Uint8Array
}

export class EventList {
  #kept: Happening[] = []
  #length = 0
  #base: number
  #baseDigest: Uint8Array | null

  /** Empty, behind a version with this digest; null: it is not known. */
  constructor(version: number, digest: Uint8Array | null) {
    this.#base = version
    this.#baseDigest = digest
  }

  /** The version before the first. */
  get base(): number {
    return this.#base
  }

  /** The last version. */
  get head(): number {
    return this.#base + this.#kept.length
  }

  /** The digest of a version; null: it is not known. */
  digestOf(version: number): Uint8Array | null {
    return version === this.#base ? this.#baseDigest : (this.find(version)?.digest ?? null)
  }

  /** What lies behind a version, in characters more or less. */
  lengthBehind(version: number): number {
    let length = 0
    for (let k = Math.max(0, version - this.#base); k < this.#kept.length; k++) length += happeningLength(this.#kept[k])
    return length
  }

  find(version: number): Happening | undefined {
    return this.#kept[version - this.#base - 1]
  }

  /** Adds the next version. The oldest make room. */
  add(happening: Happening): void {
    this.#kept.push(happening)
    this.#length += happeningLength(happening)
    this.#makeRoom()
  }

  /** Takes over what another list has of the versions before its own, where the two meet. The oldest of them make room. */
  prepend(earlier: EventList): void {
    if (earlier.base >= this.#base || earlier.head < this.#base) return
    const kept = earlier.#kept.slice(0, this.#base - earlier.base)
    this.#length += kept.reduce((sum, happening) => sum + happeningLength(happening), 0)
    this.#kept = kept.concat(this.#kept)
    this.#base = earlier.base
    this.#baseDigest = earlier.#baseDigest
    this.#makeRoom()
  }

  /** Events behind what has been told, which is no less than the base and less than the head. */
  chunkFrom({ version: from, parts }: Told, audience: Audience): Chunk {
    const { head } = this
    const known = audience.chunk
    if (
      parts === 0 &&
      known !== null &&
      known.list === this &&
      known.from === from &&
      (known.to === head || known.bytes.length >= CHUNK_LENGTH)
    ) {
      return known
    }
    let text = ''
    let to = from
    while (to < head && text.length < CHUNK_LENGTH) {
      const frames = framesOf(this.#kept[to - this.#base], audience.pairs)
      text += frames.slice(to === from ? Math.min(parts, frames.length) : 0).join('')
      to++
    }
    const chunk = { list: this, from, to, bytes: Buffer.from(text) }
    if (parts === 0) audience.chunk = chunk
    return chunk
  }

  #makeRoom(): void {
    let gone = 0
    while (this.#kept.length - gone > KEPT_COUNT || this.#length > KEPT_LENGTH) {
      this.#length -= happeningLength(this.#kept[gone++])
    }
    if (gone === 0) return
    this.#baseDigest = this.#kept[gone - 1].digest
    this.#kept.splice(0, gone)
    this.#base += gone
  }
}
