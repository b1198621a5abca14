/**
 * What the bytes of requests to keep a shape came to, so that no bytes are read twice: those that are sent again while their shape is being
 * made wait for it, and those whose shape has been made name its id.
 */

import { createHash } from 'node:crypto'

/** Bytes that are hashed at a time, in well below a slice. */
const CHUNK_LENGTH = 2 ** 19

/** A digest of the bytes and of how they are read. Pauses so that others have their turn. */
export function* digestOfSent(how: readonly unknown[], bytes: Uint8Array): Generator<undefined, string> {
  const hash = createHash('sha256').update(`${JSON.stringify(how)}\n`)
  for (let at = 0; at < bytes.length; at += CHUNK_LENGTH) {
    if (at > 0) yield
    hash.update(bytes.subarray(at, at + CHUNK_LENGTH))
  }
  return hash.digest('base64')
}

/** Work for one request, or for several that want the same. */
export interface SharedWork<Result> {
  readonly result: Promise<Result>
  /** Gives the work up. */
  end(): void
}

interface Shared<Result> extends SharedWork<Result> {
  /** How many still wait for it. */
  waiting: number
}

/** Ids that are remembered: a megabyte of them. */
const MOST_IDS = 2 ** 12

/** `Result`: what the work comes to, a shape or a problem. */
export class SentShapes<Result> {
  /** By digests of what was sent, the longest unused first. */
  readonly #ids = new Map<string, string>()
  readonly #underWay = new Map<string, Shared<Result>>()

  /** The id of the shape that was made of it; undefined where that is not known. It may be gone. */
  idOf(digest: string): string | undefined {
    const id = this.#ids.get(digest)
    if (id !== undefined) this.remember(digest, id)
    return id
  }

  remember(digest: string, id: string): void {
    this.#ids.delete(digest)
    this.#ids.set(digest, id)
    if (this.#ids.size <= MOST_IDS) return
    const [oldest] = this.#ids.keys()
    this.#ids.delete(oldest)
  }

  /** Joins the work that is under way for it, or begins it. The work is given up when all who joined have left. */
  join(digest: string, begin: () => SharedWork<Result>): { result: Promise<Result>; isFirst: boolean; leave(): void } {
    const found = this.#underWay.get(digest)
    const shared = found ?? this.#begin(digest, begin())
    shared.waiting++
    const leave = () => {
      if (--shared.waiting > 0) return
      this.#forget(digest, shared)
      shared.end()
    }
    return { result: shared.result, isFirst: found === undefined, leave }
  }

  #begin(digest: string, work: SharedWork<Result>): Shared<Result> {
    const shared = { ...work, waiting: 0 }
    this.#underWay.set(digest, shared)
    const forget = () => this.#forget(digest, shared)
    shared.result.then(forget, forget)
    return shared
  }

  #forget(digest: string, shared: Shared<Result>): void {
    if (this.#underWay.get(digest) === shared) this.#underWay.delete(digest)
  }
}
