/**
 * Somebody who is told what becomes of a scene: how far they are, and when they take no more.
 *
 * Nothing is kept for a subscriber alone but what the connection holds: events wait where all subscribers find them, and who is so
 * far behind that they are not kept any more is dropped.
 */
import { type EventName, eventFrame, HEARTBEAT, type Told } from './event-frame.ts'

/** Where events go. */
export interface Sink {
  /** False: no more is to be written until the sink has called back. */
  write(bytes: string | Uint8Array): boolean
  /** Ends it when all has been written, or after a while if that is not taken. */
  end(): void
}

export class Subscriber {
  readonly #sink: Sink
  /** Replaced as events are told. */
  told: Told
  isOver = false
  /** What it is told next is not in memory any more. */
  isBehind = false
  /** What it says that the digest of a version begins with, which has not been held against that; null. */
  claim: { readonly version: number; readonly digest: string } | null = null
  /** Since when it has taken no more, by `performance.now()`; 0: it takes more. */
  #waitingSince = 0

  constructor(sink: Sink, told: Told) {
    this.#sink = sink
    this.told = told
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
    if (!this.isWaiting) this.write(eventFrame(event, JSON.stringify({ version: this.told.version, ...details })))
  }

  /** Says why no more events come, and ends. `details`: what else is said. */
  end(event: EventName, details: object = {}, id?: string): void {
    if (this.isOver) return
    this.write(eventFrame(event, JSON.stringify({ version: this.told.version, ...details }), id))
    this.isOver = true
    this.#sink.end()
  }
}
