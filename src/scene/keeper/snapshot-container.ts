/**
 * A snapshot as a store keeps it: the state's own chunks, framed and numbered, then a frame that says how many there were.
 * What is not all there is told apart from what is, byte by byte.
 */

import { FRAME_KINDS, FrameDamage, framed, framedDeflated, unframed, unframedAside } from '../store/checksum-frame.ts'

/** The framed chunks of a snapshot at `version`. Compression happens beside the event loop. */
export async function* packSnapshot(version: number, chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let ordinal = 0
  /** One is compressed while the next is made. */
  let ahead: Promise<Uint8Array> | null = null
  for (const chunk of chunks) {
    const frame: Promise<Uint8Array> = framedDeflated(
      { kind: FRAME_KINDS.snapshotPart, version, ordinal: ordinal++ },
      chunk,
    )
    if (ahead !== null) yield await ahead
    ahead = frame
  }
  if (ahead !== null) yield await ahead
  yield framed({ kind: FRAME_KINDS.snapshotEnd, version, ordinal }, new Uint8Array(0))
}

/**
 * The state's chunks again; throws `FrameDamage` at the first that is not what was packed, or when some are missing. Each is inflated
 * beside the event loop while the one before it is looked at.
 */
export async function* unpackSnapshot(version: number, frames: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let ordinal = 0
  /** Held back until it is known that another one follows: the last is the end. */
  let last: Uint8Array | null = null
  let ahead: Promise<Uint8Array> | null = null
  for await (const frame of frames) {
    const part = last
    last = frame
    if (part === null) continue
    const before = ahead
    ahead = unframedAside({ kind: FRAME_KINDS.snapshotPart, version, ordinal: ordinal++ }, part)
    // Nobody may come to see it.
    ahead.catch(() => {})
    if (before !== null) yield await before
  }
  if (ahead !== null) yield await ahead
  if (last === null) throw new FrameDamage('empty')
  unframed({ kind: FRAME_KINDS.snapshotEnd, version, ordinal }, last)
}
