/** Entries of a scene out of the log: those that lie near each other are read in one go. */

import { type LogFiles, offsetOf } from './log-files.ts'
import type { IndexedScene } from './log-index.ts'
import { RECORD_KINDS } from './record.ts'
import { FileWindow, readRecord } from './record-scan.ts'
import { type StoredEntry, StoreError } from './store.ts'

/** Read in one go. */
const RUN_BYTE_COUNT = 2 ** 20
const RUN_COUNT = 1000
/** Bytes of others in between that are read along. */
const GAP_BYTE_COUNT = 4096

/** The entries of `scene` from `version` on, one or more, and none behind `last`. */
export async function readEntries(
  files: LogFiles,
  scene: IndexedScene,
  version: number,
  last: number,
): Promise<StoredEntry[]> {
  const { entries, incarnation } = scene
  const place = entries.placeOf(version)
  if (place === 0) return [{ version, bytes: null, damage: 'it is missing' }]
  const log = files.fileOf(place)
  const start = offsetOf(place)
  const offsets = [start]
  let end = start + entries.byteCountOf(version)
  for (let next = version + 1; next <= last && offsets.length < RUN_COUNT; next++) {
    const following = entries.placeOf(next)
    const offset = offsetOf(following)
    if (following === 0 || files.fileOf(following) !== log || offset < end || offset - end > GAP_BYTE_COUNT) break
    if (offset + entries.byteCountOf(next) - start > RUN_BYTE_COUNT) break
    offsets.push(offset)
    end = offset + entries.byteCountOf(next)
  }
  return files.use(log, async (file) => {
    const window = new FileWindow(file, end, Math.min(RUN_BYTE_COUNT, end - start))
    const found: StoredEntry[] = []
    for (const offset of offsets) {
      const at = version + found.length
      try {
        const record = await readRecord(window, offset, (header) => {
          return header.kind === RECORD_KINDS.entry && header.incarnation === incarnation && header.version === at
        })
        const payload = record?.payload ?? null
        found.push({ version: at, bytes: payload, ...(payload === null && { damage: 'the checksum does not fit' }) })
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        found.push({ version: at, bytes: null, damage: error.message })
      }
    }
    return found
  })
}
