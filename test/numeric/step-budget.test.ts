import { expect, it } from 'vitest'
import { sharedSteps, shareSteps, takeSharedStep } from '../../src/numeric/step-budget.ts'

it('gives back its share however the work ends, 2,000 times', () => {
  for (let k = 0; k < 2000; k++) {
    const work = () => {
      takeSharedStep()
      throw new Error('ended')
    }
    expect(() => shareSteps(work)).toThrow('ended')
    expect(sharedSteps()).toBe(Infinity)
  }
})

it('takes what work within work has taken from the share around it', () => {
  const { before, after, inner } = shareSteps(() => {
    const before = sharedSteps()
    takeSharedStep()
    const inner = shareSteps(() => {
      const granted = sharedSteps()
      takeSharedStep()
      return granted
    })
    expect(() =>
      shareSteps(() => {
        takeSharedStep()
        throw new Error('ended')
      }),
    ).toThrow('ended')
    return { before, after: sharedSteps(), inner }
  })
  expect(before).toBeLessThan(Infinity)
  expect(inner).toBe(before - 1)
  expect(after).toBe(before - 3)
  expect(sharedSteps()).toBe(Infinity)
})
