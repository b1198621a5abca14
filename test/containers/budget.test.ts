import { describe, expect, it } from 'vitest'
import { countSteps, OutOfBudget, spend, within } from '../../src/containers/budget.ts'

function take(count: number): number {
  for (let i = 0; i < count; i++) spend(1)
  return count
}

/** Whether there is no grant: nothing that was granted before is left over. */
function isUnlimited(): boolean {
  spend(Number.MAX_VALUE)
  spend(Number.MAX_VALUE)
  return true
}

describe('budget', () => {
  it('lets work through that fits, and ends what does not', () => {
    expect(within(10, () => take(10))).toBe(10)
    expect(() => within(10, () => take(11))).toThrow(OutOfBudget)
    expect(isUnlimited()).toBe(true)
  })

  it('grants no more than what is left of the work around it', () => {
    const inner = () => within(100, () => take(8))
    expect(within(10, inner)).toBe(8)
    expect(() => within(7, inner)).toThrow(OutOfBudget)
    expect(() =>
      within(10, () => {
        inner()
        take(3)
      }),
    ).toThrow(OutOfBudget)
  })

  it('goes on as long as it is renewed', () => {
    let renewals = 0
    const renew = () => (++renewals < 4 ? 10 : 0)
    expect(within(10, () => take(40), renew)).toBe(40)
    renewals = 0
    expect(() => within(10, () => take(42), renew)).toThrow(OutOfBudget)
  })

  it('counts', () => {
    expect(countSteps(() => take(17))).toEqual({ result: 17, steps: 17 })
    expect(isUnlimited()).toBe(true)
  })
})
