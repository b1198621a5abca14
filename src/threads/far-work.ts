// The tasks that a scene query hands to workers, for one request.

import { OutOfBudget } from '../containers/budget.ts'
import type { FarTask } from '../containers/far-call.ts'
import { DeadlineExceeded } from '../queries/ask/slices.ts'
import { type Errand, type Failure, failureOf, type WorkerPool } from './pool.ts'

/** Thrown where a worker came to no result, for another reason than time or steps. */
export class WorkFailed extends Error {
  /** Null: no worker could be had. */
  readonly failure: Failure | null

  constructor(failure: Failure | null) {
    super('a worker came to no result')
    this.failure = failure
  }
}

export class FarWork {
  readonly #pool: WorkerPool
  #errand: Errand | null = null
  #isOver = false

  constructor(pool: WorkerPool) {
    this.#pool = pool
  }

  /** Does the task; `deadline` by `performance.now()`. Once a request has been taken, it is not refused any more. */
  readonly do = async (task: FarTask, deadline: number): Promise<unknown> => {
    if (this.#isOver) throw new WorkFailed(null)
    const time = Math.max(1, Math.min(this.#pool.options.deadline, deadline - performance.now()))
    const errand = this.#errand === null ? this.#pool.take(time) : this.#pool.open(time)
    if (errand === null) throw new WorkFailed(null)
    this.#errand = errand
    const done = await errand.run({ kind: 'far', task })
    errand.close()
    if (done.is === 'far') return done.result
    if (done.is === 'too-complex') throw new OutOfBudget()
    if (errand.ending === 'deadline-exceeded') throw errand.hasBegun ? new DeadlineExceeded() : new WorkFailed(null)
    throw new WorkFailed(failureOf(errand, done))
  }

  /** Ends what is under way, because nobody waits for it any more. */
  end(): void {
    this.#isOver = true
    this.#errand?.end('gone')
  }
}
