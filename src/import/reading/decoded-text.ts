/**
 * The text of a file, whatever its letters are written in: as its byte order mark or its XML declaration says, else UTF-8.
 *
 * Source: XML 1.0, appendix F (https://www.w3.org/TR/xml/#sec-guessing); names of encodings as browsers know them.
 */

import { ImportFault } from './import-fault.ts'

export function decodedText(name: string, bytes: Uint8Array): string {
  const label = markedEncoding(bytes) ?? declaredEncoding(bytes)
  if (label === null) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  try {
    return new TextDecoder(label).decode(bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ImportFault('import-malformed', name, `Its encoding ${JSON.stringify(label)} is not known.`)
  }
}

/** Where the text begins of what is UTF-8, behind its mark if it has one; null of other letters. */
export function utf8Start(bytes: Uint8Array): number | null {
  const label = markedEncoding(bytes)
  if (label === 'utf-8') return 3
  return label === null && declaredEncoding(bytes) === null ? 0 : null
}

/** By the first bytes: a mark, or the start of a declaration in letters of two bytes. */
function markedEncoding([a, b, c, d]: Uint8Array): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0 && c === 0x3f && d === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c && c === 0 && d === 0x3f)) return 'utf-16be'
  return null
}

/** Longest declaration that is looked at. */
const DECLARATION_BYTES = 256

/** Null where none is declared, or one that the declaration itself is not written in. */
function declaredEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] !== 0x3c || bytes[1] !== 0x3f) return null
  const start = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1')
  const label = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.:-]*)["']/.exec(start)?.[1].toLowerCase()
  return label === undefined || /^utf-?(8|16|32)/.test(label) ? null : label
}
