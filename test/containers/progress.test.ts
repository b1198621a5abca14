import { expect, it } from 'vitest'
import { createProgress, noteCount, noteStage, noting, shownProgress } from '../../src/containers/progress.ts'

const FORM = { stages: ['reading', 'cutting'], counts: ['parts', 'pieces'] }
const START = { stage: 'reading', parts: 0, pieces: 0 }

it('notes where the work is that it is for', () => {
  const progress = createProgress(FORM)
  noteStage('cutting')
  expect(shownProgress(progress)).toEqual(START)
  const result = noting(progress, () => {
    noteStage('cutting')
    noteCount('pieces', 7)
    return 1
  })
  expect(result).toBe(1)
  noteCount('pieces', 8)
  expect(shownProgress(progress)).toEqual({ stage: 'cutting', parts: 0, pieces: 7 })
})

it('notes nothing of other work', () => {
  const progress = createProgress(FORM)
  noting(progress, () => {
    noteStage('joining')
    noteCount('bodies', 3)
    noting(undefined, () => noteStage('cutting'))
    expect(() => noting(createProgress(FORM), () => fail())).toThrow('work')
    expect(shownProgress(progress)).toEqual(START)
    noteCount('parts', 2)
  })
  expect(shownProgress(progress)).toEqual({ ...START, parts: 2 })
})

function fail(): void {
  noteStage('cutting')
  throw new Error('work')
}

it('is seen by other threads', () => {
  const progress = createProgress(FORM)
  noting(structuredClone(progress), () => noteCount('parts', 5))
  expect(shownProgress(progress)).toEqual({ ...START, parts: 5 })
})
