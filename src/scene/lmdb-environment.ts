/** Opens the LMDB environment of a data directory, or says why that cannot be: its file is damaged, or from later. */

import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { checkHeader } from './lmdb-header.ts'
import { StoreDamaged, StoreError, StoreTooNew } from './store.ts'

/** The layout of what is in it. A later program that changes it so that this one cannot read it counts up. */
const FORMAT = 1
export interface EnvironmentOptions {
  directory: string
  /** Written into a new directory, for whoever wonders later. */
  createdBy?: string
}

export async function openEnvironment(options: EnvironmentOptions): Promise<RootDatabase<Uint8Array>> {
  const { directory } = options
  const path = join(directory, 'scenes.lmdb')
  const damage = checkHeader(path)
  if (damage !== null) throw new StoreDamaged(`The data in ${directory} cannot be opened: ${damage}`)
  let database: RootDatabase<Uint8Array> | undefined
  try {
    database = open({
      path,
      noSubdir: true,
      encoding: 'binary',
      // A commit is reported when it has been flushed, and the next begins after that.
      overlappingSync: false,
      // With it, a commit that fails rejects a promise that nobody can get at, too.
      eventTurnBatching: false,
    })
    const meta = database.get(['meta'])?.toString()
    if (meta === undefined) await writeMeta(database, options)
    else checkMeta(meta, directory)
    return database
  } catch (error) {
    await database?.close()
    if (error instanceof StoreError) throw error
    throw new StoreDamaged(`The data in ${directory} cannot be opened: ${(error as Error).message}`)
  }
}

async function writeMeta(
  database: RootDatabase<Uint8Array>,
  { directory, createdBy }: EnvironmentOptions,
): Promise<void> {
  if (database.getKeysCount({ limit: 1 }) > 0) {
    throw new StoreDamaged(`The data in ${directory} do not say which format they have`)
  }
  const meta = { format: FORMAT, createdBy: createdBy ?? 'unknown', createdAt: new Date().toISOString() }
  await database.put(['meta'], Buffer.from(JSON.stringify(meta)))
}

function checkMeta(meta: string, directory: string): void {
  let format: unknown
  try {
    format = JSON.parse(meta).format
  } catch {
    // Answered below.
  }
  if (typeof format !== 'number') throw new StoreDamaged(`The data in ${directory} do not say which format they have`)
  if (format > FORMAT) {
    throw new StoreTooNew(`The data in ${directory} have format ${format}; this version reads up to format ${FORMAT}`)
  }
}
