/** One accepted write as bytes: JSON text in a frame that carries its version. */

import { FRAME_KINDS, FrameDamage, framed, unframed } from './frame.ts'
import type { Entry } from './operation.ts'

/** The bytes of an entry. */
export function encodeEntry({ version, ...rest }: Entry): Uint8Array {
  return framed({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, Buffer.from(JSON.stringify(rest)))
}

/** The entry of a scene at `version`; throws `FrameDamage` when the bytes are not that. */
export function decodeEntry(version: number, bytes: Uint8Array): Entry {
  const payload = unframed({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, bytes)
  try {
    const text = Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString()
    return { version, ...(JSON.parse(text) as Omit<Entry, 'version'>) }
  } catch {
    throw new FrameDamage('not JSON')
  }
}
