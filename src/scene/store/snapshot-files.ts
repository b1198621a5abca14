/**
 * Snapshots: a file each, written beside and renamed when it is whole and durable. `snapshot-INCARNATION-VERSION`.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Disk, unfinished } from './disk.ts'
import {
  encodeFileHeader,
  encodeRecord,
  FILE_HEADER_BYTE_COUNT,
  FILE_KINDS,
  newRecordByteCount,
  RECORD_HEADER_BYTE_COUNT,
  RECORD_KINDS,
} from './record.ts'
import { FileWindow, readRecord } from './record-scan.ts'

/** Flushed as it is written, so that the last flush, and commits beside it, do not wait for all of it. */
const FLUSHED_BYTE_COUNT = 2 ** 23

export const snapshotName = (incarnation: number, version: number) => `snapshot-${incarnation}-${version}`

/** What the name of a snapshot says, or null. */
export function snapshotOfName(name: string): { incarnation: number; version: number } | null {
  const found = /^snapshot-(\d{1,16})-(\d{1,16})$/.exec(name)
  return found === null ? null : { incarnation: Number(found[1]), version: Number(found[2]) }
}

export interface SnapshotOf {
  id: string
  incarnation: number
  version: number
  createdBy: string
}

/** Its size; null when `isWanted` turned false, and nothing was written. Rejects as `chunks` does, or with a `StoreError`. */
export async function writeSnapshotFile(
  disk: Disk,
  of: SnapshotOf,
  chunks: AsyncIterable<Uint8Array>,
  isWanted: () => boolean,
): Promise<number | null> {
  const { id, incarnation, version, createdBy } = of
  const name = snapshotName(incarnation, version)
  const file = await disk.create(unfinished(name))
  let size = 0
  let flushed = 0
  let chunkCount = 0
  const add = async (pieces: Uint8Array[]) => {
    await file.write(pieces, size)
    for (const { length } of pieces) size += length
    if (size - flushed < FLUSHED_BYTE_COUNT) return
    await file.sync()
    flushed = size
  }
  try {
    const header = { kind: FILE_KINDS.snapshot, number: incarnation, createdAt: Date.now(), createdBy }
    await add([encodeFileHeader(header)])
    for await (const payload of chunks) {
      if (!isWanted()) break
      await add(encodeRecord({ kind: RECORD_KINDS.chunk, incarnation, version, id, payload }, chunkCount++, 0))
    }
    await add(encodeRecord({ kind: RECORD_KINDS.snapshotEnd, incarnation, version, id }, chunkCount, 0))
    await file.sync()
    if (isWanted()) {
      await disk.rename(unfinished(name), name)
      return size
    }
    await disk.remove(unfinished(name))
    return null
  } catch (error) {
    await disk.remove(unfinished(name)).catch(() => undefined)
    throw error
  } finally {
    await file.close().catch(() => undefined)
  }
}

/** Its chunks in order, up to the first that is not whole. */
export async function* readSnapshotFile(
  disk: Disk,
  { id, incarnation, version }: Omit<SnapshotOf, 'createdBy'>,
): AsyncGenerator<Uint8Array> {
  const file = await disk.open(snapshotName(incarnation, version)).catch(() => null)
  if (file === null) return
  try {
    const window = new FileWindow(file, await file.size())
    let offset = FILE_HEADER_BYTE_COUNT
    for (let ordinal = 0; offset + RECORD_HEADER_BYTE_COUNT <= window.size; ordinal++) {
      const record = await readRecord(window, offset, (header) => {
        const isOfIt = header.incarnation === incarnation && header.version === version && header.sequence === ordinal
        return header.kind === RECORD_KINDS.chunk && isOfIt
      })
      if (record === null || record.id !== id) return
      yield record.payload
      offset += newRecordByteCount(record)
      await nextTurn()
    }
  } finally {
    await file.close().catch(() => undefined)
  }
}

/** The id of the scene that it is of, or null where it does not say it. */
export async function sceneOfSnapshot(disk: Disk, name: string, incarnation: number): Promise<string | null> {
  const file = await disk.open(name)
  try {
    const window = new FileWindow(file, await file.size())
    const record = await readRecord(window, FILE_HEADER_BYTE_COUNT, (header) => header.incarnation === incarnation)
    return record?.id ?? null
  } finally {
    await file.close()
  }
}
