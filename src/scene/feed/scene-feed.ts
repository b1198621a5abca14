/**
 * The latest events of one scene and its subscribers. Events are made once for all subscribers with the same filter.
 *
 * Subscribers read from shared lists, each from its own position. One list has the operations, another also the overlaps, as soon as
 * they are known. A subscriber that resumes before the start of a list is served from the log (`catch-up.ts`) until it reaches the list;
 * one that falls behind the list is dropped. Nothing is kept for a subscriber alone but the buffer of its connection.
 */

import type { Logged } from '../keeper/log-tail.ts'
import type { Entry } from '../state/operation.ts'
import { shownDigest } from '../store/checksum-frame.ts'
import {
  type ClaimedPosition,
  type EventName,
  type EventPosition,
  eventFrame,
  eventId,
  framesOf,
  type Happening,
  HEARTBEAT,
  happeningLength,
  lastVersionSent,
  operationsText,
  type PairChange,
  type PairFilter,
  TOLD_BYTE_COUNT,
} from './happening.ts'

/** Bounds of a list: versions, and about so many characters. */
const KEPT_COUNT = 2 ** 13
const KEPT_LENGTH = 2 ** 24
/** Characters that are written at once, more or less. */
const CHUNK_LENGTH = 2 ** 17

/** Those who look through the same filter. */
interface Audience {
  /** Null: operations alone. */
  readonly pairs: PairFilter | null
  /** The latest chunk made for one of them; others may use it too. */
  chunk: Chunk | null
}

interface Chunk {
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

  /** Length of the events behind a version, in characters more or less. */
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

  /** The events behind a position, which is at least the base and before the head. */
  chunkFrom({ version: from, parts }: EventPosition, audience: Audience): Chunk {
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

/** Where events go. */
export interface Sink {
  /** False: no more is to be written until the sink has called back. */
  write(bytes: string | Uint8Array): boolean
  /** Ends it when all has been written, or after a while if that is not taken. */
  end(): void
}

export class Subscriber {
  readonly #sink: Sink
  /** Replaced as events are sent. */
  position: EventPosition
  isOver = false
  /** Its next event is not in memory any more. */
  isBehind = false
  /** The first digits of a version's digest as the subscriber sent them, while unchecked; null. */
  claim: { readonly version: number; readonly digest: string } | null = null
  /** Since when it has taken no more, by `performance.now()`; 0: it takes more. */
  #waitingSince = 0

  constructor(sink: Sink, position: EventPosition) {
    this.#sink = sink
    this.position = position
  }

  get isWaiting(): boolean {
    return this.#waitingSince > 0
  }

  /** Milliseconds for which it has taken no more. */
  waitedFor(now: number): number {
    return this.isWaiting ? now - this.#waitingSince : 0
  }

  /** It takes more. */
  goOn(): void {
    this.#waitingSince = 0
  }

  write(bytes: string | Uint8Array): void {
    if (!this.isOver && !this.#sink.write(bytes) && !this.isWaiting) this.#waitingSince = performance.now()
  }

  beat(): void {
    if (!this.isWaiting) this.write(HEARTBEAT)
  }

  /** Says something that is no event of the scene, and has no id. Nothing to who takes no more just now. */
  say(event: EventName, details: object): void {
    if (!this.isWaiting) this.write(eventFrame(event, JSON.stringify({ version: this.position.version, ...details })))
  }

  /** Says why no more events come, and ends. `details`: what else is said. */
  end(event: EventName, details: object = {}, id?: string): void {
    if (this.isOver) return
    this.write(eventFrame(event, JSON.stringify({ version: this.position.version, ...details }), id))
    this.isOver = true
    this.#sink.end()
  }
}

/** The events that a subscriber wants; `pairs` null: operations alone. */
export interface Wish {
  readonly pairs: PairFilter | null
}

/** Subscribers with the same wishes. */
export interface Channel extends Audience {
  readonly subscribers: Set<Subscriber>
}

export class SceneFeed {
  readonly sceneId: string
  /** No more events are sent. */
  isOver = false
  /** Time of the last event that was sent, by `performance.now()`. */
  usedAt = performance.now()
  readonly #operations: EventList
  /** Null: pairs are not looked for. */
  #pairs: EventList | null = null
  readonly #channels = new Map<string, Channel>()

  /** Of a scene at a version with this digest. */
  constructor(sceneId: string, version: number, digest: Uint8Array) {
    this.sceneId = sceneId
    this.#operations = new EventList(version, digest)
  }

  get subscriberCount(): number {
    let count = 0
    for (const { subscribers } of this.#channels.values()) count += subscribers.size
    return count
  }

  get hasPairReaders(): boolean {
    for (const { pairs, subscribers } of this.#channels.values())
      if (pairs !== null && subscribers.size > 0) return true
    return false
  }

  /** The last version. */
  get head(): number {
    return this.#operations.head
  }

  /** The last version of which pairs are known. */
  get pairsHead(): number {
    return this.#pairs?.head ?? this.head
  }

  /** Takes what has been applied. */
  add(entry: Entry, { byteCount, text }: Logged): void {
    const { version, operations } = entry
    const digest = entry.digest ?? null
    this.#operations.add({ version, digest, operations: eventText(operations, byteCount, text), changes: [] })
  }

  /** Pairs are looked for from this version on, which is the last one. */
  beginPairs(): void {
    this.#pairs = new EventList(this.head, this.#operations.digestOf(this.head))
  }

  endPairs(): void {
    this.#pairs = null
  }

  /** Takes the pairs that have changed with the next version. */
  addPairs(entry: Entry, byteCount: number, changes: readonly PairChange[] | null): void {
    const { version, operations } = entry
    const known = this.#operations.find(version)
    const text = known === undefined ? eventText(operations, byteCount) : known.operations
    this.#pairs?.add({ version, digest: known?.digest ?? entry.digest ?? null, operations: text, changes })
  }

  /** Takes over pairs of versions before those that are kept, so that the next who come back find them. */
  addEarlierPairs(list: EventList): void {
    this.#pairs?.prepend(list)
  }

  /** The version behind which subscribers with these wishes are served from here. */
  baseOf({ pairs }: Wish): number {
    return (pairs === null ? this.#operations : this.#pairs)?.base ?? Infinity
  }

  /**
   * `position`: where the subscriber resumes; null: it is new. No more than `maxMissed` versions are sent that are not in the
   * lists.
   */
  subscribe(subscriber: Subscriber, { pairs }: Wish, position: ClaimedPosition | null, maxMissed: number): void {
    const key = JSON.stringify(pairs)
    let channel = this.#channels.get(key)
    if (channel === undefined) {
      channel = { pairs, subscribers: new Set(), chunk: null }
      this.#channels.set(key, channel)
    }
    channel.subscribers.add(subscriber)
    const { head } = this
    const isAhead = position !== null && lastVersionSent(position) > head
    const isBehind = position !== null && position.version < this.baseOf(channel)
    if (position === null) this.#begin(subscriber, channel, 'ready')
    else if (isAhead || (isBehind && head - position.version > maxMissed)) this.#begin(subscriber, channel, 'reset')
    else {
      const { version, parts, digest } = position
      subscriber.position = { version, parts }
      subscriber.isBehind = isBehind
      if (digest !== undefined) subscriber.claim = { version: lastVersionSent(position), digest }
      subscriber.write(':\n\n')
    }
    this.pump(subscriber, channel)
  }

  /**
   * Whether the subscriber's position belongs to this history, as far as the list knows; if not, it gets a reset.
   * `isKept`: digests of all versions are, so that one that is not known is of another history.
   */
  accepts(list: EventList, subscriber: Subscriber, channel: Channel, isKept = false): boolean {
    const { claim } = subscriber
    if (claim === null || claim.version > list.head) return true
    const digest = list.digestOf(claim.version)
    subscriber.claim = null
    if (digest === null ? !isKept : shownDigest(digest) === claim.digest) return true
    this.reset(subscriber, channel)
    return false
  }

  /** The events that the subscriber has missed are not available. */
  reset(subscriber: Subscriber, channel: Channel): void {
    if (!subscriber.isOver) this.#begin(subscriber, channel, 'reset')
  }

  #begin(subscriber: Subscriber, { pairs }: Channel, event: 'ready' | 'reset'): void {
    const list = (pairs === null ? this.#operations : this.#pairs) ?? this.#operations
    const { head } = list
    subscriber.position = { version: head, parts: 0 }
    subscriber.isBehind = false
    subscriber.claim = null
    subscriber.write(eventFrame(event, JSON.stringify({ version: head }), eventId(head, 1, 1, list.digestOf(head))))
  }

  unsubscribe(subscriber: Subscriber): void {
    this.usedAt = performance.now()
    for (const [key, { subscribers }] of this.#channels) {
      if (subscribers.delete(subscriber) && subscribers.size === 0) this.#channels.delete(key)
    }
  }

  *subscribers(): Generator<[Subscriber, Channel]> {
    for (const channel of this.#channels.values()) {
      for (const subscriber of channel.subscribers) yield [subscriber, channel]
    }
  }

  /** Those behind the lists, of operations alone or of pairs. */
  behind(ofPairs: boolean): [Subscriber, Channel][] {
    const found: [Subscriber, Channel][] = []
    for (const channel of this.#channels.values()) {
      if ((channel.pairs !== null) !== ofPairs) continue
      for (const subscriber of channel.subscribers) {
        if (subscriber.isBehind && !subscriber.isOver) found.push([subscriber, channel])
      }
    }
    return found
  }

  /** Writes the events that the subscriber lacks, as long as it takes more. False: it was too far behind, and has been ended. */
  pump(subscriber: Subscriber, channel: Channel): boolean {
    const list = channel.pairs === null ? this.#operations : this.#pairs
    if (list === null) return true
    if (subscriber.isBehind && subscriber.position.version < list.base) return true
    subscriber.isBehind = false
    if (!this.accepts(list, subscriber, channel)) return true
    deliver(list, subscriber, channel)
    // who does not read is not waited for longer than events are kept
    if (subscriber.isOver || subscriber.position.version >= list.base) return true
    subscriber.end('dropped', { reason: 'slow' })
    return false
  }
}

/** Writes what the list has for the subscriber, as long as it takes more. */
export function deliver(list: EventList, subscriber: Subscriber, channel: Channel): void {
  while (!subscriber.isWaiting && !subscriber.isOver) {
    const { position } = subscriber
    if (position.version < list.base || position.version >= list.head) return
    const { to, bytes } = list.chunkFrom(position, channel)
    subscriber.position = { version: to, parts: 0 }
    subscriber.write(bytes)
  }
}

/** `text`: as the log has it, if that is at hand. Null: so much that the scene is to be read anew. */
export function eventText(
  operations: Entry['operations'],
  byteCount: number,
  text: string | null = null,
): string | null {
  return byteCount <= TOLD_BYTE_COUNT ? operationsText(operations, text) : null
}
