/**
 * What tells one history of a scene from another: a digest for every entry, which covers all entries before it.
 *
 * digest(n) = the first 16 bytes of SHA-256 (FIPS 180-4) of digest(n − 1), the id of the write, and the header of the entry's frame, in
 * which are its version and a checksum of what it says. digest(0) is 16 zero bytes. Two logs that differ anywhere up to n have other
 * digests at n: a store that was put back to an earlier state, and has been written to since, shows by that.
 */

import { createHash, hash, randomFillSync } from 'node:crypto'
import { frameHeader } from './checksum-frame.ts'

export const DIGEST_BYTE_COUNT = 16
export const WRITE_ID_BYTE_COUNT = 16

/** How many digits of a digest clients see. */
const SHOWN_DIGITS = 8

/** Before the first entry. */
export function firstDigest(): Uint8Array {
  return new Uint8Array(DIGEST_BYTE_COUNT)
}

/** Of the entry whose frame is `frame`, behind the one with the digest `before`. */
export function nextDigest(before: Uint8Array, writeId: Uint8Array, frame: Uint8Array): Uint8Array {
  const header = frameHeader(frame)
  // in one go: to make a hash that is fed takes twice as long
  const bytes = new Uint8Array(before.length + writeId.length + header.length)
  bytes.set(before)
  bytes.set(writeId, before.length)
  bytes.set(header, before.length + writeId.length)
  return new Uint8Array(hash('sha256', bytes, 'buffer').subarray(0, DIGEST_BYTE_COUNT))
}

export function isSameDigest(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

/** The hexadecimal digits of a digest that clients see. */
export function shownDigest(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, SHOWN_DIGITS / 2).toString('hex')
}

const POOL_BYTE_COUNT = 2 ** 12
const pool = Buffer.alloc(POOL_BYTE_COUNT)
let poolUsed = POOL_BYTE_COUNT

/** The id of a write that nobody repeats by itself. */
export function randomWriteId(): Uint8Array {
  if (poolUsed === POOL_BYTE_COUNT) {
    randomFillSync(pool)
    poolUsed = 0
  }
  const id = new Uint8Array(pool.subarray(poolUsed, poolUsed + WRITE_ID_BYTE_COUNT))
  poolUsed += WRITE_ID_BYTE_COUNT
  return id
}

/** The id of the write that an idempotency key names: the same wherever the request arrives. */
export function keyedWriteId(sceneId: string, key: string): Uint8Array {
  const hash = createHash('sha256').update(`${sceneId.length}:${sceneId}${key}`)
  return new Uint8Array(hash.digest().subarray(0, WRITE_ID_BYTE_COUNT))
}
