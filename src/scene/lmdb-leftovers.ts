/**
 * Clears what lies in a store's environment although no record speaks of it: the entries and snapshots of scenes that
 * were dropped, snapshots that were begun and not finished, entries before the first one.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RootDatabase } from 'lmdb'
import type { Change } from './lmdb-commits.ts'
import type { SceneRecord } from './lmdb-store.ts'

/** Keys that one write removes: few enough that an append which waits behind them does not wait long. */
export const REMOVAL_COUNT = 1000

type Key = Change[0]

/** `remove` resolves when the keys are gone. Looks at incarnations from `from` and before `to` only. */
export async function clearLeftovers(
  database: RootDatabase<Uint8Array>,
  records: ReadonlyMap<string, SceneRecord>,
  from: number,
  to: number,
  remove: (keys: readonly Key[]) => Promise<void>,
): Promise<void> {
  const living = new Map<number, SceneRecord>()
  for (const record of records.values()) living.set(record.incarnation, record)
  for (let incarnation = from; incarnation < to; ) {
    const record = living.get(incarnation)
    // A scene that lives: its log before the first entry, and snapshots it does not list.
    const logEnd = record?.first ?? Number.MAX_SAFE_INTEGER
    await clearRange(['log', incarnation], ['log', incarnation, logEnd], () => true)
    const chunks = new Map(record?.snapshots.map(({ version, chunkCount }) => [version, chunkCount]))
    await clearRange(
      ['snapshot', incarnation],
      ['snapshot', incarnation, Number.MAX_SAFE_INTEGER],
      ([, , version, index]) => (index as number) >= (chunks.get(version as number) ?? 0),
    )
    incarnation = nextIncarnation(incarnation)
  }

  async function clearRange(start: Key, end: Key, isLeftover: (key: Key) => boolean): Promise<void> {
    for (;;) {
      const keys = (database.getKeys({ start, end, limit: REMOVAL_COUNT }).asArray as unknown as Key[]) ?? []
      if (keys.length === 0) return
      const leftovers = keys.filter(isLeftover)
      if (leftovers.length > 0) await remove(leftovers)
      if (keys.length < REMOVAL_COUNT) return
      start = [...keys[keys.length - 1], 0]
      await nextTurn()
    }
  }

  /** The next number that anything lies under: there may be many that nothing does. */
  function nextIncarnation(after: number): number {
    let next = to
    for (const table of ['log', 'snapshot']) {
      for (const key of database.getKeys({ start: [table, after + 1], limit: 1 })) {
        const [found, incarnation] = key as [string, number]
        if (found === table) next = Math.min(next, incarnation)
      }
    }
    return next
  }
}
