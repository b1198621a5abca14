/** One accepted write as bytes: JSON text in a frame that carries its version. */

import { FRAME_KINDS, FrameDamage, framed, unframed } from './frame.ts'

/** One accepted write. `version` counts entries of a scene, from 1 and without gaps; times are ms since the epoch. */
export interface LogEntry<O> {
  readonly version: number
  readonly at: number
  readonly operations: readonly O[]
  /** Of the request that was accepted, when it bore an idempotency key. */
  readonly key?: { readonly key: string; readonly fingerprint: string }
}

/** The bytes of an entry. */
export function encodeEntry<O>(entry: LogEntry<O>): Uint8Array {
  const { version, ...rest } = entry
  return framed({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, Buffer.from(JSON.stringify(rest)))
}

/** The entry of a scene at `version`; throws `FrameDamage` when the bytes are not that. */
export function decodeEntry<O>(version: number, bytes: Uint8Array): LogEntry<O> {
  const payload = unframed({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, bytes)
  let rest: unknown
  try {
    rest = JSON.parse(Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString())
  } catch {
    throw new FrameDamage('not JSON')
  }
  return { version, ...(rest as Omit<LogEntry<O>, 'version'>) }
}
