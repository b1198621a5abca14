/**
 * Long texts as other threads are told of them: all look at the same memory, where a copy with each question would take longer than
 * most of the answers.
 */

/** Characters from which on a text is shared. */
const SHARED_LENGTH = 2 ** 15

/** Bytes that are kept at a time, and texts that are whatever they weigh: two are asked about. */
const MOST_LENGTH = 2 ** 24
const FEWEST = 2

export interface SharedText {
  /** The same for the same text; another text never has it. */
  readonly id: number
  /** Shared memory. */
  readonly bytes: Uint8Array
}

export type FarText = string | SharedText

/** The latest ones, those told last at the end. */
const shared = new Map<string, SharedText>()
let sharedLength = 0
let latestId = 0

/** The text to be told. */
export function farText(text: string): FarText {
  if (text.length < SHARED_LENGTH) return text
  const told = shared.get(text) ?? share(text)
  // to the end
  shared.delete(text)
  shared.set(text, told)
  for (const [oldest, { bytes }] of shared) {
    if (sharedLength <= MOST_LENGTH || shared.size <= FEWEST) break
    shared.delete(oldest)
    sharedLength -= bytes.length
  }
  return told
}

function share(text: string): SharedText {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)))
  bytes.write(text)
  sharedLength += bytes.length
  return { id: ++latestId, bytes }
}

export function textOf(told: FarText): string {
  if (typeof told === 'string') return told
  const { buffer, byteOffset, length } = told.bytes
  return Buffer.from(buffer, byteOffset, length).toString()
}

/** Whether they are the same for certain. */
export function isSameText(a: FarText, b: FarText): boolean {
  return typeof a === 'string' || typeof b === 'string' ? a === b : a.id === b.id
}

/** In bytes, or characters. */
export function textLength(told: FarText): number {
  return typeof told === 'string' ? told.length : told.bytes.length
}
