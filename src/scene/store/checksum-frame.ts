/**
 * Bytes that prove to be whole: a header of 32 bytes, then the payload. Everything a store keeps is framed, so a
 * flipped, missing or misplaced byte is found by its reader and never taken for data.
 *
 * | at | | |
 * |---|---|---|
 * | 0 | u8 | mark, 0xE5 |
 * | 1 | u8 | format, 1 |
 * | 2 | u8 | kind (what the frame is) |
 * | 3 | u8 | 1 when the payload is deflated (RFC 1951) |
 * | 4 | u32 | length of the payload as stored |
 * | 8 | u32 | length of the payload as given |
 * | 12 | u32 | ordinal: position among its siblings, 0 where there is none |
 * | 16 | f64 | version |
 * | 24 | u32 | CRC-32 of the payload as stored |
 * | 28 | u32 | CRC-32 of the 28 bytes before |
 *
 * Little-endian.
 */

import { hash, randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, crc32, createDeflateRaw, deflateRaw, inflateRaw, inflateRawSync } from 'node:zlib'

const MARK = 0xe5
const FORMAT = 1
const HEADER_BYTE_COUNT = 32

export const FRAME_KINDS = { record: 1, entry: 2, snapshotPart: 3, snapshotEnd: 4 } as const
type FrameKind = (typeof FRAME_KINDS)[keyof typeof FRAME_KINDS]

export interface ChecksumFrame {
  readonly kind: FrameKind
  readonly version: number
  readonly ordinal: number
}

/** Why bytes are not the frame that was asked for. */
export class FrameDamage extends Error {
  override readonly name = 'FrameDamage'
}

const LEAST_CHUNK_BYTE_COUNT = 64
const PIECE_CHUNK_BYTE_COUNT = 2 ** 18
/** Of those, that are copied without a pause. */
const CHUNKS_AT_A_TIME = 8
/** The last block of deflated bytes, with nothing in it. */
const DEFLATE_END = Buffer.from([0x03, 0x00])

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** The frame of a payload as one piece of bytes. */
export function framed(frame: ChecksumFrame, payload: Uint8Array): Uint8Array {
  return assembled(frame, payload, payload.length, false)
}

/** A frame around a text. */
export function framedText(frame: ChecksumFrame, text: string): Uint8Array {
  const byteCount = Buffer.byteLength(text)
  const bytes = Buffer.allocUnsafe(HEADER_BYTE_COUNT + byteCount)
  bytes.write(text, HEADER_BYTE_COUNT)
  return headed(bytes, frame, byteCount, false)
}

/** The frame of a payload, deflated where that makes it smaller. Compresses beside the event loop. */
export async function framedDeflated(frame: ChecksumFrame, payload: Uint8Array): Promise<Uint8Array> {
  const deflated = await deflate(payload, { level: 1, chunkSize: payload.length + LEAST_CHUNK_BYTE_COUNT })
  return deflated.length < payload.length
    ? assembled(frame, deflated, payload.length, true)
    : assembled(frame, payload, payload.length, false)
}

/**
 * The frame of a payload that is made piece by piece, deflated. Pieces are asked for one at a time, and compressed beside the
 * event loop: neither the whole payload nor a long wait comes of it.
 */
export async function framedPieces(frame: ChecksumFrame, pieces: Iterable<string>): Promise<Uint8Array> {
  const deflater = createDeflateRaw({ level: 1, chunkSize: PIECE_CHUNK_BYTE_COUNT })
  const chunks: Buffer[] = []
  deflater.on('data', (chunk: Buffer) => chunks.push(chunk))
  let byteCount = 0
  for (const piece of pieces) {
    const bytes = Buffer.from(piece)
    byteCount += bytes.length
    if (!deflater.write(bytes)) await once(deflater, 'drain')
  }
  const ended = once(deflater, 'end')
  deflater.end()
  await ended
  return framedChunks(frame, chunks, byteCount)
}

/** The frame of a deflated payload that lies in chunks, put together with turns for others in between. */
async function framedChunks(frame: ChecksumFrame, chunks: readonly Buffer[], byteCount: number): Promise<Uint8Array> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const bytes = Buffer.allocUnsafeSlow(HEADER_BYTE_COUNT + length)
  let at = HEADER_BYTE_COUNT
  let checksum = 0
  for (const [k, chunk] of chunks.entries()) {
    if (k > 0 && k % CHUNKS_AT_A_TIME === 0) await nextTurn()
    bytes.set(chunk, at)
    at += chunk.length
    checksum = crc32(chunk, checksum)
  }
  return headed(bytes, frame, byteCount, true, checksum)
}

/** Deflated text that needs nothing of what stands before it: pieces can be put together in any order. */
export interface DeflatedPiece {
  readonly bytes: Uint8Array
  /** Length of the text. */
  readonly byteCount: number
}

/** Compresses beside the event loop. */
export async function deflatedPiece(text: string): Promise<DeflatedPiece> {
  const payload = Buffer.from(text)
  const bytes = await deflate(payload, { level: 1, finishFlush: constants.Z_FULL_FLUSH })
  return { bytes, byteCount: payload.length }
}

/** The frame of a payload that is put together of pieces. */
export function framedTogether(frame: ChecksumFrame, pieces: readonly DeflatedPiece[]): Uint8Array {
  const payload = Buffer.concat([...pieces.map(({ bytes }) => bytes), DEFLATE_END])
  const byteCount = pieces.reduce((sum, piece) => sum + piece.byteCount, 0)
  return assembled(frame, payload, byteCount, true)
}

/** The header that a frame begins with: what it is, and checksums of what is in it. */
function frameHeader(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, HEADER_BYTE_COUNT)
}

/** Length of the payload as it was given; 0 where the bytes are too few to say. */
export function payloadByteCount(bytes: Uint8Array): number {
  if (bytes.length < HEADER_BYTE_COUNT) return 0
  return new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTE_COUNT).getUint32(8, true)
}

/** The payload of `bytes`, if they are this very frame; throws `FrameDamage` otherwise. May share memory with `bytes`. */
export function unframed(expected: ChecksumFrame, bytes: Uint8Array): Uint8Array {
  const { payload, inflatedByteCount } = checked(expected, bytes)
  if (inflatedByteCount === null) return payload
  try {
    return ofLength(inflateRawSync(payload, inflating(inflatedByteCount)), inflatedByteCount)
  } catch {
    throw new FrameDamage('cannot be inflated')
  }
}

/** The payload of a frame; inflates off the main thread. */
export async function unframedAside(expected: ChecksumFrame, bytes: Uint8Array): Promise<Uint8Array> {
  const { payload, inflatedByteCount } = checked(expected, bytes)
  if (inflatedByteCount === null) return payload
  try {
    return ofLength(await inflate(payload, inflating(inflatedByteCount)), inflatedByteCount)
  } catch {
    throw new FrameDamage('cannot be inflated')
  }
}

/** In few goes. */
const inflating = (length: number) => ({
  maxOutputLength: Math.max(length, 1),
  chunkSize: Math.min(length + LEAST_CHUNK_BYTE_COUNT, PIECE_CHUNK_BYTE_COUNT),
})

/** The checksum fitted, so these bytes were written like this: whichever way, another length is not what was meant. */
function ofLength(bytes: Buffer, length: number): Uint8Array {
  if (bytes.length !== length) throw new FrameDamage('of another length')
  return new Uint8Array(bytes.buffer, bytes.byteOffset, length)
}

/** The payload as stored; `inflatedByteCount`: null where it is not deflated. */
function checked(
  expected: ChecksumFrame,
  bytes: Uint8Array,
): { payload: Uint8Array; inflatedByteCount: number | null } {
  if (bytes.length < HEADER_BYTE_COUNT) throw new FrameDamage(`only ${bytes.length} bytes long`)
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTE_COUNT)
  if (crc32(bytes.subarray(0, 28)) !== header.getUint32(28, true)) throw new FrameDamage('the header is damaged')
  if (header.getUint8(0) !== MARK) throw new FrameDamage('the mark is missing')
  if (header.getUint8(1) !== FORMAT) throw new FrameDamage(`format ${header.getUint8(1)} is unknown`)
  if (header.getUint8(2) !== expected.kind) throw new FrameDamage(`of kind ${header.getUint8(2)}`)
  // No Buffer, even where `bytes` is one: its `slice` does not copy.
  const payload = new Uint8Array(bytes.buffer, bytes.byteOffset + HEADER_BYTE_COUNT, bytes.length - HEADER_BYTE_COUNT)
  if (payload.length !== header.getUint32(4, true)) throw new FrameDamage('the length does not fit')
  if (header.getUint32(12, true) !== expected.ordinal) throw new FrameDamage('out of order')
  if (header.getFloat64(16, true) !== expected.version) {
    throw new FrameDamage(`of version ${header.getFloat64(16, true)}`)
  }
  if (crc32(payload) !== header.getUint32(24, true)) throw new FrameDamage('the checksum does not fit')
  return { payload, inflatedByteCount: header.getUint8(3) === 1 ? header.getUint32(8, true) : null }
}

function assembled(frame: ChecksumFrame, payload: Uint8Array, givenLength: number, deflated: boolean): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(HEADER_BYTE_COUNT + payload.length)
  bytes.set(payload, HEADER_BYTE_COUNT)
  return headed(bytes, frame, givenLength, deflated)
}

/** Writes the header before the payload, which is there. `checksum`: of the payload. */
function headed(
  bytes: Buffer,
  frame: ChecksumFrame,
  givenLength: number,
  deflated: boolean,
  checksum = crc32(bytes.subarray(HEADER_BYTE_COUNT)),
): Buffer {
  bytes.writeUInt8(MARK, 0)
  bytes.writeUInt8(FORMAT, 1)
  bytes.writeUInt8(frame.kind, 2)
  bytes.writeUInt8(deflated ? 1 : 0, 3)
  bytes.writeUInt32LE(bytes.length - HEADER_BYTE_COUNT, 4)
  bytes.writeUInt32LE(givenLength, 8)
  bytes.writeUInt32LE(frame.ordinal, 12)
  bytes.writeDoubleLE(frame.version, 16)
  bytes.writeUInt32LE(checksum, 24)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 28)), 28)
  return bytes
}

// Digests identify the history of a scene: each entry has one, which covers all entries before it.
//
// digest(n) = the first 16 bytes of SHA-256 (FIPS 180-4) of digest(n − 1), the id of the write, and the header of the entry's frame, in
// which are its version and a checksum of what it says. digest(0) is 16 zero bytes. Two logs that differ anywhere up to n have other
// digests at n: a store that was put back to an earlier state, and has been written to since, shows by that.

const DIGEST_BYTE_COUNT = 16
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
