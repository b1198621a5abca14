/**
 * The files of one directory, as the store uses them: no more than what durability needs, so that tests can put a disk in its
 * place that is full, or fails.
 *
 * Whatever goes wrong is a `StoreError` that names the file and the code of the system, and no path: `StoreFull` where there is no
 * room, `StoreFailed` for the rest.
 */

import { constants, type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreError, StoreFailed, StoreFull } from './store.ts'

/** Name of a file while it is being written; it is renamed when it is whole. */
export const unfinished = (name: string) => `${name}.new`
export const isUnfinished = (name: string) => name.endsWith('.new')

export interface DiskFile {
  /** As it is called, or will be once it is finished. */
  readonly name: string
  size(): Promise<number>
  /** Reads into the whole of `bytes` from `position`, less at the end of the file: how many there were. */
  read(bytes: Uint8Array, position: number): Promise<number>
  /** Writes the pieces one after the other from `position`. Rejects when not all were; how many were is not known then. */
  write(pieces: readonly Uint8Array[], position: number): Promise<void>
  /** Resolves when what was written is durable. */
  sync(): Promise<void>
  truncate(byteCount: number): Promise<void>
  /** Whether its name still leads to it. */
  isInPlace(): Promise<boolean>
  close(): Promise<void>
}

export interface Disk {
  /** Names of the regular files. */
  list(): Promise<string[]>
  open(name: string): Promise<DiskFile>
  /**
   * Begins the file anew, also when there is one. `isFlushed`: it is going to be flushed after each time it is written to, which may be
   * done along with the writing.
   */
  create(name: string, isFlushed?: boolean): Promise<DiskFile>
  /** In the place of `to`, if there is one. Durable. */
  rename(from: string, to: string): Promise<void>
  /** Durable; no error when there is none. */
  remove(...names: string[]): Promise<void>
  /** Whether the path of the directory leads to the one that it led to at the first call. */
  isInPlace(): Promise<boolean>
  close(): Promise<void>
}

/** Pieces that are smaller are put together before they are written. */
const JOINED_BYTE_COUNT = 2 ** 18
/** In one write. */
const MOST_PIECES = 64
/** Writing and flushing in one go takes a tenth less; elsewhere it means less than a flush. */
const FLUSHING = process.platform === 'linux' ? constants.O_DSYNC : 0
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Turns an error of the system into one of the store; `deed` names the action that failed, as in "write of log-3". */
export function storageError(error: unknown, deed: string): StoreError {
  if (error instanceof StoreError) return error
  const { code = 'an unknown error' } = error as NodeJS.ErrnoException
  if (FULL_CODES.has(code)) return new StoreFull('There is no room left in the data directory', code)
  return new StoreFailed(`The storage failed: ${code} at the ${deed}`, code)
}

/** Not there, which is different from not knowing. */
const GONE_CODES = new Set(['ENOENT', 'ENOTDIR'])

/** Whether `path` leads to `handle`. What is open keeps its inode, so that nothing else can have its number. */
async function leadsTo(path: string, handle: FileHandle): Promise<boolean> {
  try {
    const [found, own] = await Promise.all([stat(path), handle.stat()])
    return found.ino === own.ino && found.dev === own.dev
  } catch (error) {
    if (GONE_CODES.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

async function attempt<T>(deed: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw storageError(error, deed)
  }
}

export class DirectoryDisk implements Disk {
  private readonly directory: string
  private handle: Promise<FileHandle> | null = null

  constructor(directory: string) {
    this.directory = directory
  }

  list(): Promise<string[]> {
    return attempt('reading of the directory', async () => {
      const entries = await readdir(this.directory, { withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
    })
  }

  open(name: string): Promise<DiskFile> {
    return attempt(
      `opening of ${name}`,
      async () => new HandleFile(name, this.path(name), await open(this.path(name), constants.O_RDWR)),
    )
  }

  create(name: string, isFlushed = false): Promise<DiskFile> {
    const flushing = isFlushed ? FLUSHING : 0
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | flushing
    const finished = name.replace(/\.new$/, '')
    return attempt(`making of ${name}`, async () => {
      const handle = await open(this.path(name), flags, 0o600)
      const path = this.path(finished)
      return flushing === 0 ? new HandleFile(finished, path, handle) : new FlushedFile(finished, path, handle)
    })
  }

  rename(from: string, to: string): Promise<void> {
    return attempt(`renaming of ${from}`, async () => {
      await rename(this.path(from), this.path(to))
      await this.sync()
    })
  }

  remove(...names: string[]): Promise<void> {
    return attempt(`removal of ${names[0]}`, async () => {
      for (const name of names) await rm(this.path(name), { force: true })
      await this.sync()
    })
  }

  isInPlace(): Promise<boolean> {
    return attempt('look at the directory', async () => {
      this.handle ??= open(this.directory, constants.O_RDONLY)
      return leadsTo(this.directory, await this.handle)
    })
  }

  async close(): Promise<void> {
    await this.handle?.then((handle) => handle.close()).catch(() => undefined)
  }

  private async sync(): Promise<void> {
    const handle = await open(this.directory, constants.O_RDONLY)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  private path(name: string): string {
    return join(this.directory, name)
  }
}

class HandleFile implements DiskFile {
  readonly name: string
  protected readonly handle: FileHandle
  /** Where it is once it is finished. */
  private readonly path: string

  constructor(name: string, path: string, handle: FileHandle) {
    this.name = name
    this.path = path
    this.handle = handle
  }

  size(): Promise<number> {
    return attempt(`look at ${this.name}`, async () => (await this.handle.stat()).size)
  }

  read(bytes: Uint8Array, position: number): Promise<number> {
    return attempt(`reading of ${this.name}`, async () => {
      let count = 0
      while (count < bytes.length) {
        const { bytesRead } = await this.handle.read(bytes, count, bytes.length - count, position + count)
        if (bytesRead === 0) break
        count += bytesRead
      }
      return count
    })
  }

  write(pieces: readonly Uint8Array[], position: number): Promise<void> {
    return attempt(`writing of ${this.name}`, async () => {
      let at = position
      for (const bytes of joinedPieces(pieces)) {
        for (let done = 0; done < bytes.length; ) {
          const { bytesWritten } = await this.handle.write(bytes, done, bytes.length - done, at + done)
          done += bytesWritten
        }
        at += bytes.length
      }
    })
  }

  sync(): Promise<void> {
    return attempt(`fdatasync of ${this.name}`, () => this.handle.datasync())
  }

  truncate(byteCount: number): Promise<void> {
    return attempt(`shortening of ${this.name}`, () => this.handle.truncate(byteCount))
  }

  isInPlace(): Promise<boolean> {
    return attempt(`look at ${this.name}`, () => leadsTo(this.path, this.handle))
  }

  close(): Promise<void> {
    return attempt(`closing of ${this.name}`, () => this.handle.close())
  }
}

/** Every write of it is a flush too. */
class FlushedFile extends HandleFile {
  /** In as few writes as can be. */
  override write(pieces: readonly Uint8Array[], position: number): Promise<void> {
    return attempt(`writing of ${this.name}`, async () => {
      let left = [...joinedPieces(pieces)]
      for (let at = position; left.length > 0; ) {
        const { bytesWritten } =
          left.length === 1
            ? await this.handle.write(left[0], 0, left[0].length, at)
            : await this.handle.writev(left.slice(0, MOST_PIECES), at)
        at += bytesWritten
        left = behind(left, bytesWritten)
      }
    })
  }

  override sync(): Promise<void> {
    return Promise.resolve()
  }
}

/** The rest of the pieces after so many bytes of them have been written. */
function behind(pieces: readonly Uint8Array[], byteCount: number): Uint8Array[] {
  let left = byteCount
  let first = 0
  while (first < pieces.length && left >= pieces[first].length) left -= pieces[first++].length
  const rest = pieces.slice(first)
  if (left > 0) rest[0] = rest[0].subarray(left)
  return rest
}

/** Joins small pieces; the bytes stay equal. */
function* joinedPieces(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let small: Uint8Array[] = []
  let byteCount = 0
  for (const piece of pieces) {
    if (byteCount > 0 && byteCount + piece.length > JOINED_BYTE_COUNT) {
      yield Buffer.concat(small, byteCount)
      small = []
      byteCount = 0
    }
    if (piece.length >= JOINED_BYTE_COUNT) yield piece
    else {
      small.push(piece)
      byteCount += piece.length
    }
  }
  if (byteCount > 0) yield Buffer.concat(small, byteCount)
}
