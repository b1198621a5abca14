// Bytes of large bodies as they arrive: put where they are to lie at once, since copying fifty megabytes at the end would keep
// everybody waiting. Where the length is not known before, they are copied in turns.

import { setImmediate } from 'node:timers/promises'

/** Bytes that are copied at a time, in well below a millisecond. */
const TURN_LENGTH = 2 ** 20

export class ArrivingBytes {
  /** Memory for all, which costs nothing until something lies in it; null where nobody knows how much. */
  readonly #room: Uint8Array<ArrayBuffer> | null
  #chunks: Uint8Array[] = []
  #start = 0
  #end = 0

  /** `length`: of all that will arrive, at least; NaN where it is not known. */
  constructor(length: number) {
    this.#room = Number.isNaN(length) ? null : new Uint8Array(length)
  }

  add(chunk: Uint8Array): void {
    if (this.#room === null) this.#chunks.push(chunk)
    else this.#room.set(chunk, this.#end)
    this.#end += chunk.length
  }

  /** What has arrived since this was last asked, in memory that nobody else writes to. */
  async taken(): Promise<Uint8Array<ArrayBuffer>> {
    const [start, end] = [this.#start, this.#end]
    this.#start = end
    if (this.#room !== null) return this.#room.subarray(start, end)
    const chunks = this.#chunks
    this.#chunks = []
    return joined(chunks, end - start)
  }
}

async function joined(chunks: readonly Uint8Array[], length: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(length)
  let [at, copied] = [0, 0]
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
    copied += chunk.length
    if (copied < TURN_LENGTH) continue
    copied = 0
    await setImmediate()
  }
  return whole
}
