/**
 * Much out of the database, in batches: each is one `COPY … TO STDOUT`, three times as fast as rows, and is all here before any of it is
 * handed out. So a reader that takes its time holds neither a connection nor a transaction, and no more than two batches are in memory:
 * the next one comes while one is being looked at.
 */

import { type CopiedRow, CopyRows } from './copy-rows.ts'
import { READ_TIMEOUT_MS, type ReadPool } from './read-pool.ts'

export const BATCH_BYTE_COUNT = 4 * 2 ** 20
const LEAST_ROW_COUNT = 16
const MOST_ROW_COUNT = 2048
const FIRST_ROW_COUNT = 512

/** The rows of a `select` without values. */
export function copyRows(pool: ReadPool, select: string): Promise<CopiedRow[]> {
  return pool.use(async (connection) => {
    const rows = new CopyRows()
    await connection.copy(`copy (${select}) to stdout (format binary)`, (piece) => rows.push(piece), READ_TIMEOUT_MS)
    return rows.finish()
  })
}

export interface Batch<T> {
  readonly items: readonly T[]
  readonly byteCount: number
  /** Where to go on; null: there is no more. */
  readonly next: number | null
}

/** Batches one after the other, from `start` on, of about `BATCH_BYTE_COUNT`. `read` is given the most rows to look at. */
export async function* inBatches<T>(
  start: number,
  read: (from: number, rowCount: number) => Promise<Batch<T>>,
): AsyncGenerator<readonly T[]> {
  let batch = await read(start, FIRST_ROW_COUNT)
  for (;;) {
    const { items, byteCount, next } = batch
    if (next === null) {
      yield items
      return
    }
    const meanByteCount = byteCount / Math.max(items.length, 1)
    const rowCount = Math.ceil((1.25 * BATCH_BYTE_COUNT) / Math.max(meanByteCount, 1))
    const following = read(next, Math.min(Math.max(rowCount, LEAST_ROW_COUNT), MOST_ROW_COUNT))
    // Nobody may come to see it.
    following.catch(() => {})
    yield items
    batch = await following
  }
}

/** Numbers out of what is kept, to be written into a statement: `copy` takes no values. */
export function literal(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`Not a whole number: ${value}`)
  return `${value}`
}
