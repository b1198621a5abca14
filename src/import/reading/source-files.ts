/**
 * The files of an import: the one that is imported, and those that it names, which are sent along.
 *
 * They are found by their base names: the folders of whoever drew them are not ours. Nothing is read from any disk.
 */

import { decodedText } from './decoded-text.ts'
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

/** The memory of large files that belongs to nobody else. */
export function ownMemoryOf({ main, others }: SourceFiles): ArrayBuffer[] {
  return [main, ...others]
    .filter(({ bytes }) => bytes.byteLength >= GIVEN_LENGTH && bytes.byteLength === bytes.buffer.byteLength)
    .map(({ bytes }) => bytes.buffer as ArrayBuffer)
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

export function textOf({ name, bytes }: SourceFile): string {
  return decodedText(name, bytes)
}
