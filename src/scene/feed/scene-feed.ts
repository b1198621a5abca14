/**
 * What has become of one scene lately, and who is told: the last entries as events, made once for all subscribers with the same
 * wishes.
 *
 * Subscribers read from the same list, each from where they are; who asks for what is not kept any more is told to read the scene
 * anew. Pairs follow their entry as soon as they are known, and who wants them hears of the entry then.
 */
import { type Entry, type Operation, operationsWeight } from '../table/operation.ts'
import { textWithShape } from '../table/packed-shape.ts'
import { eventFrame, eventId, type Told } from './event-frame.ts'
import { type PairChange, type PairFilter, turnOf } from './pair-change.ts'
import type { Subscriber } from './subscriber.ts'

/** What somebody wants to be told; `pairs` null: operations alone. */
export interface Wish {
  readonly pairs: PairFilter | null
}

interface Happening {
  readonly version: number
  /** JSON of the operations; null: so much that the scene is to be read anew. */
  readonly operations: string | null
  /** Null: not known yet. */
  changes: readonly PairChange[] | null
}

/** Subscribers with the same wishes. */
export interface Channel {
  readonly wish: Wish
  readonly subscribers: Set<Subscriber>
  /** What was last written to one of them, and may be to others. */
  chunk: Chunk | null
}

interface Chunk {
  readonly from: number
  readonly to: number
  readonly bytes: Uint8Array
}

/** What is kept: so many entries, and about so many characters. */
const KEPT_COUNT = 2 ** 13
const KEPT_LENGTH = 2 ** 24
/** What operations weigh, and how many pairs change, from which on the scene is to be read anew instead. */
const TOLD_WEIGHT = 2 ** 13
const TOLD_PAIRS = 2 ** 13
/** The same of the length of their text, so that several always are kept. */
const TOLD_LENGTH = 2 ** 22
/** Characters that are written at once, more or less. */
const CHUNK_LENGTH = 2 ** 17

export class SceneFeed {
  readonly sceneId: string
  /** When somebody was last told of it, by `performance.now()`. */
  usedAt = performance.now()
  #kept: Happening[] = []
  #keptLength = 0
  /** The version before the first that is kept, and the last. */
  #base: number
  #head: number
  /** The first version from which on pairs are known and the last one; null: they are not looked for. */
  #pairsSince: number | null = null
  #pairsUntil = 0
  readonly #channels = new Map<string, Channel>()

  constructor(sceneId: string, version: number) {
    this.sceneId = sceneId
    this.#base = version
    this.#head = version
  }

  get subscriberCount(): number {
    let count = 0
    for (const { subscribers } of this.#channels.values()) count += subscribers.size
    return count
  }

  get hasPairReaders(): boolean {
    for (const { wish, subscribers } of this.#channels.values())
      if (wish.pairs !== null && subscribers.size > 0) return true
    return false
  }

  /** Takes what has been applied. */
  add({ version, operations }: Entry): void {
    const isTold = operationsWeight(operations, TOLD_WEIGHT) < TOLD_WEIGHT
    const written = isTold ? operationsText(operations) : null
    const text = written !== null && written.length <= TOLD_LENGTH ? written : null
    this.#kept.push({ version, operations: text, changes: null })
    this.#keptLength += text?.length ?? 0
    this.#head = version
    let dropped = 0
    while (this.#kept.length - dropped > KEPT_COUNT || this.#keptLength > KEPT_LENGTH) {
      const [{ version: gone, operations: told }] = this.#kept.slice(dropped, ++dropped)
      this.#keptLength -= told?.length ?? 0
      this.#base = gone
    }
    if (dropped > 0) this.#kept.splice(0, dropped)
  }

  /** Pairs are looked for from this version on, which is the last one. */
  beginPairs(): void {
    this.#pairsSince = this.#head
    this.#pairsUntil = this.#head
  }

  endPairs(): void {
    this.#pairsSince = null
  }

  /** Takes the pairs that have changed from the last version about which this was said up to this one. */
  addPairs(version: number, changes: readonly PairChange[]): void {
    for (let k = Math.max(0, this.#pairsUntil - this.#base); k < version - this.#base; k++) {
      const happening = this.#kept[k]
      happening.changes = happening.version === version ? changes : []
    }
    this.#pairsUntil = version
  }

  /** `told`: how far the subscriber has been told before; null: it is new. */
  subscribe(subscriber: Subscriber, wish: Wish, told: Told | null): void {
    const key = JSON.stringify(wish)
    let channel = this.#channels.get(key)
    if (channel === undefined) {
      channel = { wish, subscribers: new Set(), chunk: null }
      this.#channels.set(key, channel)
    }
    channel.subscribers.add(subscriber)
    const head = this.#headOf(channel)
    const since = this.#sinceOf(channel)
    const isKept = told !== null && told.version >= since && told.version + Math.min(told.parts, 1) <= this.#head
    if (isKept) {
      subscriber.told = told
      subscriber.write(':\n\n')
    } else {
      subscriber.told = { version: head, parts: 0 }
      subscriber.write(eventFrame(told === null ? 'ready' : 'reset', JSON.stringify({ version: head }), `${head}`))
    }
    this.pump(subscriber, channel)
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

  /** Writes what the subscriber has not been told, as long as it takes more. False: it was too far behind, and is over. */
  pump(subscriber: Subscriber, channel: Channel): boolean {
    while (!subscriber.isWaiting && !subscriber.isOver && subscriber.told.version < this.#headOf(channel)) {
      if (subscriber.told.version < this.#sinceOf(channel)) {
        subscriber.end('dropped', { reason: 'slow' })
        return false
      }
      const { to, bytes } = this.#chunkFrom(subscriber.told, channel)
      subscriber.told = { version: to, parts: 0 }
      subscriber.write(bytes)
    }
    // who does not read is not waited for longer than events are kept
    if (subscriber.isWaiting && !subscriber.isOver && subscriber.told.version < this.#base) {
      subscriber.end('dropped', { reason: 'slow' })
      return false
    }
    return true
  }

  #headOf({ wish }: Channel): number {
    return wish.pairs === null ? this.#head : this.#pairsUntil
  }

  #sinceOf({ wish }: Channel): number {
    return wish.pairs === null ? this.#base : Math.max(this.#base, this.#pairsSince ?? Infinity)
  }

  #chunkFrom({ version: from, parts }: Told, channel: Channel): Chunk {
    const head = this.#headOf(channel)
    const known = channel.chunk
    if (
      parts === 0 &&
      known !== null &&
      known.from === from &&
      (known.to === head || known.bytes.length >= CHUNK_LENGTH)
    ) {
      return known
    }
    let text = ''
    let to = from
    while (to < head && text.length < CHUNK_LENGTH) {
      const frames = framesOf(this.#kept[to - this.#base], channel.wish)
      text += frames.slice(to === from ? Math.min(parts, frames.length) : 0).join('')
      to++
    }
    const chunk = { from, to, bytes: Buffer.from(text) }
    if (parts === 0) channel.chunk = chunk
    return chunk
  }
}

/** The events of one version, in the order in which they are told. */
function framesOf({ version, operations, changes }: Happening, { pairs }: Wish): string[] {
  const isMany = pairs !== null && changes !== null && changes.length > TOLD_PAIRS
  if (operations === null || isMany) return [eventFrame('reset', JSON.stringify({ version }), `${version}`)]
  const told: ['operations' | 'overlap-began' | 'overlap-ended', string][] = [
    ['operations', `{"version":${version},"operations":${operations}}`],
  ]
  for (const change of (pairs === null ? null : changes) ?? []) {
    const turn = turnOf(change, pairs as PairFilter)
    if (turn === null) continue
    const { a, b, relation } = change
    told.push([turn, JSON.stringify({ version, a: a.id, b: b.id, relation })])
  }
  return told.map(([event, data], k) => eventFrame(event, data, eventId(version, k + 1, told.length)))
}

/** On one line: breaks in the text of data, which lies here as it was sent, can only be white space. */
function operationsText(operations: Entry['operations']): string {
  return `[${operations.map(operationText).join(',')}]`.replace(/[\r\n]+/g, ' ')
}

function operationText(operation: Operation): string {
  if (operation.op === 'put') return `{"op":"put","body":${withData(operation.body)}}`
  if (operation.op !== 'patch') return JSON.stringify(operation)
  return `{"op":"patch","id":${JSON.stringify(operation.id)},"fields":${withData(operation.fields)}}`
}

/** Data are kept as text. */
function withData({ data, ...rest }: { data?: unknown }): string {
  const text = textWithShape(rest)
  return data === undefined ? text : `${text.slice(0, -1)}${text === '{}' ? '' : ','}"data":${data}}`
}
