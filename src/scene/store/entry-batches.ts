// Entries that are taken over from another store, some at a time.

import type { NewEntry } from './store.ts'

/** As many as the bounds allow, one at least. */
export async function* inBatches(
  entries: AsyncIterable<NewEntry>,
  mostEntries: number,
  mostBytes: number,
): AsyncGenerator<readonly NewEntry[]> {
  let batch: NewEntry[] = []
  let byteCount = 0
  for await (const entry of entries) {
    const { length } = entry.bytes
    if (batch.length === mostEntries || (batch.length > 0 && byteCount + length > mostBytes)) {
      yield batch
      batch = []
      byteCount = 0
    }
    batch.push(entry)
    byteCount += length
  }
  if (batch.length > 0) yield batch
}
