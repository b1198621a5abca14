/**
 * The files of an import: the one that is imported, and those that it names, which are sent along.
 *
 * They are found by their base names: the folders of whoever drew them are not ours. Nothing is read from any disk.
 */

import { decodedText, utf8Start } from './decoded-text.ts'
import { ImportFault } from './import-fault.ts'

export interface SourceFile {
  /** As it was sent; without a folder. */
  name: string
  bytes: Uint8Array
}

export interface SourceFiles {
  main: SourceFile
  others: SourceFile[]
}

/** The memory that large files lie in, which belongs to nobody else; several may lie in one. */
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
