/**
 * What tells one history of a scene from another: a digest for every entry, which covers all entries before it.
 *
 * digest(n) = the first 16 bytes of SHA-256 (FIPS 180-4) of digest(n − 1), the id of the write, and the header of the entry's frame, in
 * which are its version and a checksum of what it says. digest(0) is 16 zero bytes. Two logs that differ anywhere up to n have other
 * digests at n: a store that was put back to an earlier state, and has been written to since, shows by that.
 */

import { hash, randomFillSync } from 'node:crypto'
import { frameHeader, HEADER_BYTE_COUNT } from './checksum-frame.ts'

export const DIGEST_BYTE_COUNT = 16
export const WRITE_ID_BYTE_COUNT = 16

const digested = new Uint8Array(DIGEST_BYTE_COUNT + WRITE_ID_BYTE_COUNT + HEADER_BYTE_COUNT)

/** How many digits of a digest clients see. */
const SHOWN_DIGITS = 8

/** Before the first entry. */
export function firstDigest(): Uint8Array {
  return new Uint8Array(DIGEST_BYTE_COUNT)
}

/** Of the entry whose frame is `frame`, behind the one with the digest `before`. */
export function nextDigest(before: Uint8Array, writeId: Uint8Array, frame: Uint8Array): Uint8Array {
  // from one place: a hash that is fed takes several times as long
  digested.set(before)
  digested.set(writeId, DIGEST_BYTE_COUNT)
  digested.set(frameHeader(frame), DIGEST_BYTE_COUNT + WRITE_ID_BYTE_COUNT)
  return firstBytes(hash('sha256', digested, 'binary'))
}

/** Of a hash as a string, a byte in each character: a buffer made for it takes five times as long as the hash. */
function firstBytes(characters: string): Uint8Array {
  const bytes = new Uint8Array(DIGEST_BYTE_COUNT)
  for (let k = 0; k < DIGEST_BYTE_COUNT; k++) bytes[k] = characters.charCodeAt(k)
  return bytes
}

export function isSameDigest(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

/** The hexadecimal digits of a digest that clients see. */
export function shownDigest(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, SHOWN_DIGITS / 2).toString('hex')
}

const POOL_BYTE_COUNT = 2 ** 14
const pool = new Uint8Array(POOL_BYTE_COUNT)
let poolUsed = POOL_BYTE_COUNT

/** The id of a write that nobody repeats by itself. */
export function randomWriteId(): Uint8Array {
  if (poolUsed === POOL_BYTE_COUNT) {
    randomFillSync(pool)
    poolUsed = 0
  }
  const id = pool.slice(poolUsed, poolUsed + WRITE_ID_BYTE_COUNT)
  poolUsed += WRITE_ID_BYTE_COUNT
  return id
}

/** The id of the write that an idempotency key names: the same wherever the request arrives. */
export function keyedWriteId(sceneId: string, key: string): Uint8Array {
  return firstBytes(hash('sha256', `${sceneId.length}:${sceneId}${key}`, 'binary'))
}
