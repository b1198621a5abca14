// Work in slices ends with its result, or where nobody waits for it, or at its deadline; and lets go of what it holds.
import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { OutOfBudget } from '../../../src/containers/budget.ts'
import { callFar, type FarCall, type FarSlices, type FarTask, goingOn } from '../../../src/containers/far-call.ts'
import { DeadlineExceeded, finishSlices, SliceClock } from '../../../src/queries/ask/slices.ts'

interface Counting extends FarTask {
  kind: 'double'
  number: number
}

const double = (number: number): Counting => ({ kind: 'double', number })
const far = async (task: FarTask) => 2 * (task as Counting).number

// a slice of its own for each
beforeEach(async () => {
  await setImmediate()
  await setImmediate()
})

/** Doubles a number so many times, elsewhere; notes that it was let go of. */
function* doubling(times: number, log: string[]): FarSlices<number> {
  try {
    let number = 1
    for (let k = 0; k < times; k++) {
      yield
      number = yield* callFar<number>(double(number))
    }
    return number
  } finally {
    log.push('let go')
  }
}

describe('slices', () => {
  it('go on with what was done elsewhere', async () => {
    const log: string[] = []
    expect(await finishSlices(doubling(5, log), () => true, new SliceClock(), far)).toBe(32)
    expect(log).toEqual(['let go'])
  })

  it('end where nobody waits any more', async () => {
    const log: string[] = []
    expect(await finishSlices(doubling(5, log), () => false, new SliceClock(), far)).toBe(null)
    expect(log).toEqual(['let go'])
  })

  it('end at the deadline, which what is done elsewhere is told of', async () => {
    const log: string[] = []
    const deadlines: number[] = []
    const clock = new SliceClock(performance.now() - 1)
    const late = (_task: FarTask, deadline: number) => Promise.resolve(deadlines.push(deadline))
    await expect(finishSlices(doubling(5, log), () => true, clock, late)).rejects.toThrow(DeadlineExceeded)
    expect(log).toEqual(['let go'])
    expect(deadlines).toEqual([clock.deadline])
  })

  it('end where what is done elsewhere takes too many steps', async () => {
    const log: string[] = []
    const failing = () => Promise.reject(new OutOfBudget())
    await expect(finishSlices(doubling(5, log), () => true, new SliceClock(), failing)).rejects.toThrow(OutOfBudget)
    expect(log).toEqual(['let go'])
  })

  it('make the call that they were found at', async () => {
    const log: string[] = []
    const work = doubling(2, log)
    work.next()
    const { value } = work.next()
    expect(await finishSlices(goingOn(value as FarCall, work), () => true, new SliceClock(), far)).toBe(4)
    const given = doubling(2, log)
    given.next()
    goingOn(undefined, given).return(0)
    const begun = doubling(2, log)
    begun.next()
    const rest = goingOn(undefined, begun)
    rest.next()
    rest.return(0)
    expect(begun.next().done).toBe(true)
    expect(log).toEqual(['let go', 'let go', 'let go'])
  })
})
