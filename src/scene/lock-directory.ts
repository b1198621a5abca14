/**
 * One process owns a data directory.
 *
 * The lock is LMDB's own table of readers, in an environment of its own (`owner.lmdb`) that holds no data. A reader's
 * row is backed by a lock of the operating system on the table's file, so it ends with its process however that ends,
 * and holds between containers that share a volume, where process ids mean nothing: there a pid file would call a
 * living owner dead. A claim is made inside a write transaction, of which there is one at a time: whoever finds the
 * table empty enters it and keeps its row.
 */

import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase, TransactionFlags } from 'lmdb'
import { StoreFailed, StoreLocked } from './store.ts'

/** The locks this process holds: the lock of the system does not keep a process from itself. */
const held = new Set<string>()

/** Makes the directory if need be and owns it until the function that is returned is called. Throws `StoreLocked`. */
export function lockDirectory(directory: string): () => Promise<void> {
  let place: string
  let table: RootDatabase
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    place = realpathSync(directory)
    // Opening a file twice and closing it once would give up the lock of the whole process.
    if (held.has(place)) throw locked(directory, process.pid)
    table = open({ path: join(place, 'owner.lmdb'), noSubdir: true, overlappingSync: false, maxReaders: 8 })
  } catch (error) {
    if (error instanceof StoreLocked) throw error
    throw new StoreFailed(`The data directory ${directory} cannot be used: ${(error as Error).message}`)
  }
  const claim = table.transactionSync(() => {
    table.readerCheck()
    const owner = /^\s*(\d+) /m.exec(table.readerList())
    return owner === null ? { row: table.useReadTransaction() } : { owner: Number(owner[1]) }
  }, TransactionFlags.SYNCHRONOUS_COMMIT)
  if (claim.row === undefined) {
    void table.close()
    throw locked(directory, claim.owner)
  }
  const { row } = claim
  held.add(place)
  return async () => {
    row.done()
    await table.close()
    held.delete(place)
  }
}

const locked = (directory: string, pid: number) =>
  new StoreLocked(`The data directory ${directory} is in use by process ${pid}; one process owns a data directory`)
