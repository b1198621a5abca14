/**
 * The files of an import: the one that is imported, and those that it names, which are sent along.
 *
 * Files are found by their base names, whatever folders their author had. Nothing is read from any disk.
 */

// Why a file cannot be taken at all: nothing of it is.

export class ImportFault extends Error {
  readonly code: 'import-malformed' | 'import-file-missing' | 'coordinate-out-of-range' | 'too-many-operations'
  /** Where in the file: a line, or the names on the way to the place. */
  readonly where: string

  constructor(code: ImportFault['code'], where: string, message: string) {
    super(message)
    this.code = code
    this.where = where
  }
}

// The text of a file, whatever its letters are written in: as its byte order mark or its XML declaration says, else UTF-8.
//
// Source: XML 1.0, appendix F (https://www.w3.org/TR/xml/#sec-guessing); names of encodings as browsers know them.

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
function utf8Start(bytes: Uint8Array): number | null {
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

export interface SourceFile {
  /** As it was sent; without a folder. */
  name: string
  bytes: Uint8Array
}

export interface SourceFiles {
  main: SourceFile
  others: SourceFile[]
}

/** The buffers of large files, which hold nothing else; several files may share one. */
export function ownMemoryOf({ main, others }: SourceFiles): ArrayBuffer[] {
  const memory = new Set([main, ...others].map(({ bytes }) => bytes.buffer as ArrayBuffer))
  return [...memory].filter(({ byteLength }) => byteLength >= GIVEN_LENGTH)
}

const GIVEN_LENGTH = 2 ** 16

/** The last part of a path of any system. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

/** Whether the file that `path` names was sent along. */
export function isSent({ others }: SourceFiles, path: string): boolean {
  return others.some((file) => baseName(file.name) === baseName(path))
}

/** The file that `path` names. `where` and `what` of the file that names it. */
export function fileNamed({ main, others }: SourceFiles, path: string, where: string, what: string): SourceFile {
  const name = baseName(path)
  const found = others.find((file) => baseName(file.name) === name)
  if (found !== undefined) return found
  const message = `${main.name || 'The file'} names the ${what} ${JSON.stringify(name)}, which was not sent: send it along as another part of multipart/form-data.`
  throw new ImportFault('import-file-missing', where, message)
}

/** A file's text as UTF-8 without a mark, whatever its letters are written in. What is that already is not copied. */
export function utf8Of({ name, bytes }: SourceFile): Buffer {
  const start = utf8Start(bytes)
  if (start === null) return Buffer.from(decodedText(name, bytes))
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start)
}

// Texts and lists of millions of entries, kept as bytes or numbers: they become values only when they are written as JSON.

/** A text of many bytes, as they lie in the file. */
export class LongText {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  toJSON(): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength).toString()
  }
}

/** A list of many whole numbers below 2³². */
export class NumberList {
  readonly values: Uint32Array

  constructor(values: Uint32Array) {
    this.values = values
  }

  toJSON(): number[] {
    return Array.from(this.values)
  }
}
