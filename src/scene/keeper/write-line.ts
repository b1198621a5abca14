/**
 * How long the line of writes to a scene takes: writes of many operations are checked and applied one after another, so who comes last
 * waits for all of them. What they take is measured, by their weight, and the latest count most.
 */

import { type Operation, operationsWeight } from '../table/operation.ts'

/** Writes that weigh less take no time to speak of. */
const LEAST_WEIGHT = 1024
const MOST_WEIGHT = 2 ** 24
/** What is left of what was measured when something new is. */
const MEMORY = 0.7

export class WriteLine {
  private weight = 0
  private doneWeight = 0
  private doneMs = 0
  private lastDoneAt = 0

  /** Ms until all that are in it are done, as far as that can be told; 0 when nothing is known. */
  get waitMs(): number {
    return this.doneWeight === 0 ? 0 : (this.weight * this.doneMs) / this.doneWeight
  }

  /** A write comes. The result is to be called when it is over: with when it was begun, or with null when nothing was done for it. */
  enter(operations: readonly Operation[]): ((begunAt: number | null) => void) | null {
    const weight = operations.length === 1 ? 1 : operationsWeight(operations, MOST_WEIGHT)
    if (weight < LEAST_WEIGHT) return null
    this.weight += weight
    return (begunAt) => {
      this.weight -= weight
      if (begunAt === null) return
      const now = performance.now()
      this.doneMs = MEMORY * this.doneMs + now - Math.max(begunAt, this.lastDoneAt)
      this.doneWeight = MEMORY * this.doneWeight + weight
      this.lastDoneAt = now
    }
  }
}
