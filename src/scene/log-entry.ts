/** One accepted write as bytes: JSON text in a frame that carries its version; deflated, when there are many operations. */

import { FRAME_KINDS, FrameDamage, framed, framedPieces, unframed } from './frame.ts'
import type { Entry, Operation } from './operation.ts'

/** Operations from which on an entry is encoded in pieces of so many. */
const PIECE_COUNT = 1024

export function isLargeEntry({ operations }: Entry): boolean {
  return operations.length >= PIECE_COUNT
}

/** The bytes of an entry that is large, made beside the event loop. */
export function packEntry({ version, operations, ...rest }: Entry): Promise<Uint8Array> {
  return framedPieces({ kind: FRAME_KINDS.entry, version, ordinal: 0 }, piecesOf(rest, operations))
}

function* piecesOf(rest: object, operations: readonly Operation[]): Generator<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"operations":[`
  for (let start = 0; start < operations.length; start += PIECE_COUNT) {
    const text = JSON.stringify(operations.slice(start, start + PIECE_COUNT))
    yield start === 0 ? text.slice(1, -1) : `,${text.slice(1, -1)}`
  }
  yield ']}'
}

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
