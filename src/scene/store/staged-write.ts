/** A write to the log that is decided when its commit is put together. */

import type { GroupCommit } from './group-commit.ts'
import type { Standing } from './ledger.ts'
import type { LogIndex } from './log-index.ts'
import type { Written } from './log-writer.ts'
import type { NewRecord } from './record.ts'

/** Where a scene stands; null: it is gone. */
type Stand = { incarnation: number; version: number } | null

/** What the writes of one commit leave to those behind them. */
export interface Group {
  stands: Map<string, Stand>
  standings: Map<number, Standing>
  usedBytes: number
}

interface Staged<T> {
  answer: T
  records?: NewRecord[]
  /** What to do once the records are durable. */
  land?: (written: readonly Written[]) => void
}

/** Runs `stage` when its group is put together: against where the scene will stand then, durable or ahead in the group. */
export function submitStaged<T>(
  commits: GroupCommit<Group>,
  index: LogIndex,
  id: string,
  byteCount: number,
  stage: (stand: Stand, group: Group) => Staged<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let staged: Staged<T>
    commits.submit({
      byteCount,
      stage: (group) => {
        try {
          const ahead = group.stands.get(id)
          staged = stage(ahead === undefined ? (index.scenes.get(id) ?? null) : ahead, group)
        } catch (error) {
          reject(error)
          return null
        }
        if (staged.records !== undefined && staged.records.length > 0) return staged.records
        resolve(staged.answer)
        return null
      },
      landed: (written) => staged.land?.(written),
      succeeded: () => resolve(staged.answer),
      failed: reject,
    })
  })
}
