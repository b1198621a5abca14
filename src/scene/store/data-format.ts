/** Which version of the program wrote a data directory: asked before anything in it is believed or changed. */

import type { Disk } from './disk.ts'
import { LEDGER_NAME } from './ledger.ts'
import { numberOfLog } from './log-files.ts'
import { decodeFileHeader, FILE_HEADER_BYTE_COUNT, FORMAT } from './record.ts'
import { StoreTooNew, StoreTooOld } from './store.ts'

/** The file of format 1. */
const OLDER_NAME = 'scenes.lmdb'

/** Rejects with `StoreTooNew` or `StoreTooOld`. A header that cannot be read says nothing. */
export async function assertReadable(disk: Disk, directory: string): Promise<void> {
  const names = await disk.list()
  const older = names.find((name) => name === OLDER_NAME)
  if (older !== undefined) {
    throw new StoreTooOld(
      `The data in ${directory} have an older format (${older}), which this version does not read; nothing was changed. ` +
        `Start the version that wrote them, or name another DATA_DIR`,
    )
  }
  for (const name of names) {
    if (name !== LEDGER_NAME && numberOfLog(name) === null) continue
    const bytes = Buffer.alloc(FILE_HEADER_BYTE_COUNT)
    const file = await disk.open(name)
    await file.read(bytes, 0).finally(() => file.close())
    const format = decodeFileHeader(bytes)?.format ?? FORMAT
    if (format > FORMAT) {
      throw new StoreTooNew(`The data in ${directory} have format ${format}; this version reads up to format ${FORMAT}`)
    }
  }
}
