/**
 * Scenes on whose rows somebody else has been found to hold a lock: they are asked after before they go into a group again, so that
 * nobody else waits for them. One of them is as much as anybody else's when its lock is gone.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain } from './append-group.ts'
import type { Connection } from './connection.ts'
import { LockRefused } from './database-error.ts'

// Rows that nobody holds; those that are not there are not held either.
const FREE = `select k from unnest($1::bigint[]) with ordinality as g (scene, k)
  where not exists (select from tangent.scene s where s.scene = g.scene)
    or exists (select from tangent.scene s where s.scene = g.scene for no key update skip locked)`

/** What others commit holds a row for milliseconds. */
const LOOK_COUNT = 3
const BETWEEN_LOOKS_MS = 40
const LOCK_TIMEOUT_MS = 100
/** A scene that is to be begun has no row to look at: for so long it is taken for locked. */
const UNBEGUN_MS = 5000

const keyOf = ({ calls }: Chain) => calls[0].append.incarnation ?? calls[0].append.id

export class LockedScenes {
  /** By incarnation, or by id where there is none; when it was found. */
  private readonly found = new Map<number | string, number>()

  /** Those of the chains that may still be locked. */
  suspects(chains: readonly Chain[]): Chain[] {
    return this.found.size === 0 ? [] : chains.filter((chain) => this.found.has(keyOf(chain)))
  }

  /** Its lock was waited for in vain. */
  add(chain: Chain): void {
    this.found.set(keyOf(chain), performance.now())
  }

  /** Of the chains those that are locked. Rejects as the connection does. */
  async lookAt(chains: readonly Chain[], connection: Connection, timeoutMs: number): Promise<Set<Chain>> {
    const locked = new Set<Chain>()
    let left: Chain[] = []
    for (const chain of chains) {
      const since = this.found.get(keyOf(chain)) ?? -Infinity
      if (chain.calls[0].append.incarnation !== null) left.push(chain)
      else if (performance.now() - since < UNBEGUN_MS) locked.add(chain)
      else this.found.delete(keyOf(chain))
    }
    for (let looks = 0; left.length > 0 && looks < LOOK_COUNT; looks++) {
      if (looks > 0) await sleep(BETWEEN_LOOKS_MS)
      const free = await freeAmong(left, connection, timeoutMs)
      for (const k of free) this.found.delete(keyOf(left[k - 1]))
      left = left.filter((_, index) => !free.has(index + 1))
    }
    for (const chain of left) {
      this.add(chain)
      locked.add(chain)
    }
    return locked
  }
}

/** Their numbers, from 1 on. */
async function freeAmong(chains: readonly Chain[], connection: Connection, timeoutMs: number): Promise<Set<number>> {
  const values = [`{${chains.map(({ calls }) => calls[0].append.incarnation)}}`]
  try {
    const rows = await connection.query({ text: FREE, values, lockTimeoutMs: LOCK_TIMEOUT_MS }, timeoutMs)
    return new Set(rows.map(([k]) => Number(k)))
  } catch (error) {
    // the whole table is
    if (error instanceof LockRefused) return new Set()
    throw error
  }
}
