/**
 * What has become of one scene lately, and who is told: the last versions as events, made once for all subscribers with the same
 * wishes.
 *
 * Subscribers read from the same lists, each from where they are. One list has the operations, another the pairs as well, as soon as they
 * are known. Who comes back to what is not in the list any more is behind, and served from elsewhere (`log-catch-up.ts`,
 * `pair-catch-up.ts`) until it has come to where the list begins; who falls behind the list is let go.
 */
import type { Logged } from '../keeper/log-tail.ts'
import { shownDigest } from '../store/digest.ts'
import type { Entry } from '../table/operation.ts'
import { eventFrame, eventId, lastTold, type TellsTold } from './event-frame.ts'
import { type Audience, EventList } from './event-list.ts'
import { operationsText, TOLD_BYTE_COUNT } from './happening.ts'
import type { PairChange, PairFilter } from './pair-change.ts'
import type { Subscriber } from './subscriber.ts'

/** What somebody wants to be told; `pairs` null: operations alone. */
export interface Wish {
  readonly pairs: PairFilter | null
}

/** Subscribers with the same wishes. */
export interface Channel extends Audience {
  readonly subscribers: Set<Subscriber>
}

export class SceneFeed {
  readonly sceneId: string
  /** Nobody is told anything any more. */
  isOver = false
  /** When somebody was last told of it, by `performance.now()`. */
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
    this.#operations.add({ version, digest, operations: toldText(operations, byteCount, text), changes: [] })
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
    const text = known === undefined ? toldText(operations, byteCount) : known.operations
    this.#pairs?.add({ version, digest: known?.digest ?? entry.digest ?? null, operations: text, changes })
  }

  /** Takes over pairs of versions before those that are kept, so that the next who come back find them. */
  addEarlierPairs(list: EventList): void {
    this.#pairs?.prepend(list)
  }

  /** The version behind which those with such wishes are told from here. */
  baseOf({ pairs }: Wish): number {
    return (pairs === null ? this.#operations : this.#pairs)?.base ?? Infinity
  }

  /**
   * `told`: how far the subscriber has been told before; null: it is new. No more than `maxMissed` versions are told that are not in the
   * lists.
   */
  subscribe(subscriber: Subscriber, { pairs }: Wish, told: TellsTold | null, maxMissed: number): void {
    const key = JSON.stringify(pairs)
    let channel = this.#channels.get(key)
    if (channel === undefined) {
      channel = { pairs, subscribers: new Set(), chunk: null }
      this.#channels.set(key, channel)
    }
    channel.subscribers.add(subscriber)
    const { head } = this
    const isAhead = told !== null && lastTold(told) > head
    const isBehind = told !== null && told.version < this.baseOf(channel)
    if (told === null) this.#begin(subscriber, channel, 'ready')
    else if (isAhead || (isBehind && head - told.version > maxMissed)) this.#begin(subscriber, channel, 'reset')
    else {
      const { version, parts, digest } = told
      subscriber.told = { version, parts }
      subscriber.isBehind = isBehind
      if (digest !== undefined) subscriber.claim = { version: lastTold(told), digest }
      subscriber.write(':\n\n')
    }
    this.pump(subscriber, channel)
  }

  /**
   * Whether what the subscriber says to have been told is of this history, as far as the list knows; if not, it is told to read anew.
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

  /** What the subscriber has missed cannot be told. */
  reset(subscriber: Subscriber, channel: Channel): void {
    if (!subscriber.isOver) this.#begin(subscriber, channel, 'reset')
  }

  #begin(subscriber: Subscriber, { pairs }: Channel, event: 'ready' | 'reset'): void {
    const list = (pairs === null ? this.#operations : this.#pairs) ?? this.#operations
    const { head } = list
    subscriber.told = { version: head, parts: 0 }
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

  /** Writes what the subscriber has not been told, as long as it takes more. False: it was too far behind, and is over. */
  pump(subscriber: Subscriber, channel: Channel): boolean {
    const list = channel.pairs === null ? this.#operations : this.#pairs
    if (list === null) return true
    if (subscriber.isBehind && subscriber.told.version < list.base) return true
    subscriber.isBehind = false
    if (!this.accepts(list, subscriber, channel)) return true
    deliver(list, subscriber, channel)
    // who does not read is not waited for longer than events are kept
    if (subscriber.isOver || subscriber.told.version >= list.base) return true
    subscriber.end('dropped', { reason: 'slow' })
    return false
  }
}

/** Writes what the list has for the subscriber, as long as it takes more. */
export function deliver(list: EventList, subscriber: Subscriber, channel: Channel): void {
  while (!subscriber.isWaiting && !subscriber.isOver) {
    const { told } = subscriber
    if (told.version < list.base || told.version >= list.head) return
    const { to, bytes } = list.chunkFrom(told, channel)
    subscriber.told = { version: to, parts: 0 }
    subscriber.write(bytes)
  }
}

/** `text`: as the log has it, if that is at hand. Null: so much that the scene is to be read anew. */
export function toldText(
  operations: Entry['operations'],
  byteCount: number,
  text: string | null = null,
): string | null {
  return byteCount <= TOLD_BYTE_COUNT ? operationsText(operations, text) : null
}
