/**
 * Appends to a scene that nobody else can come before: its row is locked in a transaction, in which whoever asked reads how the scene
 * stands and appends behind that. Others who write to it wait for the lock meanwhile, along with their groups, so it is held for a
 * short time only. Where this process has stopped, the server ends the transaction.
 */

import { type Append, type Appended, OutcomeUnknown, type SceneLife, type StoreError } from '../store/store.ts'
import { APPEND_KINDS, groupStatement, settleChain } from './append-group.ts'
import type { Connection } from './connection.ts'
import { StatementRefused, unavailable } from './database-error.ts'
import type { ReadPool } from './read-pool.ts'
import type { CheckedServer } from './server-check.ts'

const LOCK = 'select from tangent.scene where scene = $1 and dropped_at is null for no key update'
const STATEMENT_MS = 5000
/** After its time the row is let go here; the server does it so much later. */
const GRACE_MS = 500

export interface HeldOptions {
  readonly pool: ReadPool
  readonly server: CheckedServer
  readonly commitTimeoutMs: number
  /** Appends without a lock. */
  readonly append: (append: Append) => Promise<Appended>
  readonly onCommitted: (appended: readonly Appended[]) => void
}

/** As `SharedStore.alone`. */
export async function holdScene(
  scene: SceneLife,
  holdMs: number,
  action: (append: (append: Append) => Promise<Appended>) => Promise<void>,
  options: HeldOptions,
): Promise<void> {
  // what the action throws is not for the pool, which would do it once more
  const outcome = await options.pool.use(async (connection) => {
    await connection.run(`begin; set local idle_in_transaction_session_timeout = ${holdMs + GRACE_MS}`, STATEMENT_MS)
    try {
      await connection.query({ text: LOCK, values: [scene.incarnation] }, STATEMENT_MS)
    } catch (error) {
      await undo(connection)
      throw error
    }
    const held = new HeldScene(connection, options, holdMs)
    return action((append) => held.append(append))
      .then(
        () => null,
        (error: unknown) => ({ error }),
      )
      .finally(() => held.end())
  })
  if (outcome !== null) throw outcome.error
}

class HeldScene {
  private readonly connection: Connection
  private readonly options: HeldOptions
  private readonly timer: NodeJS.Timeout
  private isOpen = true

  constructor(connection: Connection, options: HeldOptions, holdMs: number) {
    this.connection = connection
    this.options = options
    this.timer = setTimeout(() => this.end(), holdMs)
  }

  /** By the transaction, once; as anybody else where that was ended before. */
  async append(append: Append): Promise<Appended> {
    const { connection, options } = this
    clearTimeout(this.timer)
    const appended = await this.added(append)
    if (appended === null) {
      await this.end()
      return options.append(append)
    }
    if (appended.conflict) return appended
    this.isOpen = false
    connection.onNotice = () => connection.destroy('the server has warned')
    try {
      await connection.run('commit', options.commitTimeoutMs)
    } catch (error) {
      connection.destroy((error as Error).message)
      throw new OutcomeUnknown(`It is not known whether it was written: ${(error as Error).message}`)
    } finally {
      connection.onNotice = null
    }
    options.onCommitted([appended])
    return appended
  }

  /** Lets go of the row. */
  async end(): Promise<void> {
    clearTimeout(this.timer)
    if (!this.isOpen) return
    this.isOpen = false
    await undo(this.connection)
  }

  /** Result of an append that is not committed yet; null: the transaction is over and was rolled back. */
  private async added(append: Append): Promise<Appended | null> {
    if (!this.isOpen) return null
    const { server, commitTimeoutMs } = this.options
    let answer: Appended | null = null
    const call = {
      append,
      kind: APPEND_KINDS.append,
      byteCount: 0,
      succeeded: (appended: Appended) => {
        answer = appended
      },
      failed: (_: StoreError) => {},
    }
    const chain = { calls: [call], losers: [], entryCount: append.entries.length }
    try {
      const [row] = await this.connection.query(groupStatement([chain], server, false), commitTimeoutMs)
      settleChain(chain, row)
      return answer
    } catch (error) {
      if (error instanceof StatementRefused) throw unavailable(error)
      return null
    }
  }
}

async function undo(connection: Connection): Promise<void> {
  await connection.run('rollback', STATEMENT_MS).catch((error: Error) => connection.destroy(error.message))
}
